/* SPDX-License-Identifier: MIT */
/*
 * koshu bench tree --compare: the schemes of Hamada09 Fig. 3 on the threads of
 * a CPU. The same lists and the same kernel; what differs is whose work a
 * thread does:
 *
 *     i-parallel   one walk after the other, its i-particles dealt out
 *     j-parallel   one walk after the other, its list dealt out; the parts are
 *                  added afterwards
 *     walks        many walks at once, each of them one thread's
 *     in turns     each thread makes a list and sums it, as the solver does
 */
#include "bench_tree.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "tree/tree.h"

enum scheme { I_PARALLEL, J_PARALLEL, WALKS, N_SCHEMES };

static const char *const scheme_names[N_SCHEMES] = {"i-parallel", "j-parallel",
                                                    "walks"};

/* Walks whose lists are made before they are summed. */
enum { BATCH = 256, MOST_THREADS = 64 };

struct comparison {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_walk_task task;
    struct koshu_tree tree;
    struct koshu_groups groups;
    struct koshu_walker walker[BATCH];
    int threads;
    float *eps2;    /* of the i-particles of a group */
    double *sum[4]; /* of all particles, in the order of the tree */
    double *part;   /* of j-parallel threads, 4 * largest each */
    uint64_t interactions;
    double list_seconds, sum_seconds;
};

/* ---- sums of one walk, or a part of it ----------------------------------- */

struct span {
    size_t first, last;
};

static struct span
share(size_t n, int part, int parts)
{
    return (struct span){n * (size_t)part / (size_t)parts,
                         n * (size_t)(part + 1) / (size_t)parts};
}

/* i-particles `i` of a list against its j-particles `j`; monopoles, so there
 * are no other cells. Particles are at their own place: with a softening they
 * do not pull themselves. */
static koshu_status
sum_span(const struct comparison *c, const struct koshu_list *l, struct span i,
         struct span j, double *const to[4])
{
    const size_t i_offset[2] = {0, i.last - i.first},
                 j_offset[2] = {0, j.last - j.first}, cell_offset[2] = {0, 0};
    float *const *r = l->j;
    const struct koshu_walk_batch batch = {
            .n_walks = 1,
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = {.x = r[0] + i.first,
                  .y = r[1] + i.first,
                  .z = r[2] + i.first},
            .eps2 = c->eps2,
            .j = {.x = r[0] + j.first,
                  .y = r[1] + j.first,
                  .z = r[2] + j.first},
            .j_mass = r[3] + j.first,
            .result = {to[0], to[1], to[2], to[3]},
    };
    return c->backend->ops->walks(c->backend, &c->task, &batch);
}

static void
sums_at(const struct comparison *c, size_t first, double *to[4])
{
    for (int k = 0; k < 4; k++) to[k] = c->sum[k] + first;
}

static koshu_status
sum_by_i(struct comparison *c, const struct koshu_group *g,
         const struct koshu_list *l)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel num_threads(c->threads)
    {
        const struct span i =
                share(g->n, omp_get_thread_num(), omp_get_num_threads());
        double *to[4];
        sums_at(c, g->first + i.first, to);
        koshu_status one = sum_span(c, l, i, (struct span){0, l->n_j}, to);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

static koshu_status
sum_by_j(struct comparison *c, const struct koshu_group *g,
         const struct koshu_list *l)
{
    koshu_status status = KOSHU_OK;
    const size_t n = g->n, stride = 4 * c->groups.largest;
    int parts = 1;
#pragma omp parallel num_threads(c->threads)
    {
        const int p = omp_get_thread_num();
        double *own = c->part + stride * (size_t)p;
        double *const to[4] = {own, own + n, own + 2 * n, own + 3 * n};
        koshu_status one =
                sum_span(c, l, (struct span){0, n},
                         share(l->n_j, p, omp_get_num_threads()), to);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
#pragma omp single
        parts = omp_get_num_threads();
    }
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (int p = 0; p < parts; p++)
                sum += c->part[stride * (size_t)p + k * n + i];
            c->sum[k][g->first + i] = sum;
        }
    return status;
}

/* ---- a batch of walks ---------------------------------------------------- */

static koshu_status
make_lists(struct comparison *c, size_t first, size_t last)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (size_t k = first; k < last; k++) {
        koshu_status one = koshu_tree_walk(&c->tree, &c->groups.group[k], 0,
                                           false, &c->walker[k - first]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

static koshu_status
sum_walks(struct comparison *c, size_t first, size_t last)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (size_t k = first; k < last; k++) {
        const struct koshu_group *g = &c->groups.group[k];
        const struct koshu_list *l = &c->walker[k - first].list;
        double *to[4];
        sums_at(c, g->first, to);
        koshu_status one = sum_span(c, l, (struct span){0, g->n},
                                    (struct span){0, l->n_j}, to);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

static koshu_status
sum_batch(struct comparison *c, enum scheme scheme, size_t first, size_t last)
{
    if (scheme == WALKS) return sum_walks(c, first, last);
    for (size_t k = first; k < last; k++) {
        const struct koshu_group *g = &c->groups.group[k];
        const struct koshu_list *l = &c->walker[k - first].list;
        KOSHU_TRY(scheme == I_PARALLEL ? sum_by_i(c, g, l) : sum_by_j(c, g, l));
    }
    return KOSHU_OK;
}

/* Lists and sums of all groups, with the seconds of each. */
static koshu_status
sum_all(struct comparison *c, enum scheme scheme)
{
    c->interactions = 0;
    c->list_seconds = c->sum_seconds = 0;
    for (size_t k = 0; k < c->groups.n; k += BATCH) {
        const size_t last = k + BATCH < c->groups.n ? k + BATCH : c->groups.n;
        const double start = koshu_now();
        KOSHU_TRY(make_lists(c, k, last));
        const double middle = koshu_now();
        KOSHU_TRY(sum_batch(c, scheme, k, last));
        c->list_seconds += middle - start;
        c->sum_seconds += koshu_now() - middle;
        for (size_t g = k; g < last; g++)
            c->interactions += c->groups.group[g].n * c->walker[g - k].list.n_j;
    }
    return KOSHU_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static void
print_scheme(const char *problem, size_t n, const char *scheme, size_t n_crit,
             double seconds, double lists, double sums, double interactions,
             bool json)
{
    if (json) {
        bench_print_json(json_pack(
                "{s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f}", "bench",
                "tree --compare", "problem", problem, "scheme", scheme, "n",
                (json_int_t)n, "n_crit", (json_int_t)n_crit, "seconds", seconds,
                "lists_seconds", lists, "sums_seconds", sums,
                "interactions_per_s", interactions / seconds, "gflops_38",
                38e-9 * interactions / seconds));
        return;
    }
    printf("%-7s %9zu  %-11s %7zu %10.4f %10.4f %10.4f %9.1f\n", problem, n,
           scheme, n_crit, seconds, lists, sums,
           38e-9 * interactions / seconds);
    fflush(stdout);
}

static koshu_status
prepare(struct comparison *c, const struct tree_bench_options *o,
        struct koshu_particles *particles, size_t n_crit)
{
    struct koshu_particle_view v;
    struct koshu_tree_seconds seconds;
    KOSHU_TRY(koshu_particles_acquire(particles, KOSHU_MASS | KOSHU_POSITION,
                                      KOSHU_READ, &v));
    c->tree.context = c->context;
    c->tree.options = o->solver.tree;
    c->tree.options.order = KOSHU_ORDER_MONOPOLE;
    c->tree.options.criterion = KOSHU_CRITERION_GEOMETRIC;
    c->tree.options.theta = o->theta[0];
    KOSHU_TRY(koshu_tree_make(&c->tree, v.n, v.x, v.y, v.z, v.mass, &seconds));
    KOSHU_TRY(koshu_groups_make(&c->groups, &c->tree, n_crit));
    const double eps2 = o->solver.softening * o->solver.softening;
    const size_t largest = c->groups.largest;
    c->eps2 = koshu_alloc(largest, sizeof *c->eps2);
    c->sum[0] = koshu_alloc(4 * v.n, sizeof(double));
    c->part = koshu_alloc(4 * largest * (size_t)c->threads, sizeof(double));
    if (!c->eps2 || !c->sum[0] || !c->part)
        return koshu_fail(c->context, KOSHU_OUT_OF_MEMORY,
                          "out of memory for a comparison of %zu particles",
                          v.n);
    for (size_t k = 1; k < 4; k++) c->sum[k] = c->sum[0] + k * v.n;
    for (size_t i = 0; i < largest; i++) c->eps2[i] = (float)eps2;
    c->task = (struct koshu_walk_task){.eps = o->solver.softening};
    return KOSHU_OK;
}

static void
finish(struct comparison *c)
{
    for (int k = 0; k < BATCH; k++) koshu_walker_free(&c->walker[k]);
    koshu_tree_free(&c->tree);
    koshu_groups_free(&c->groups);
    koshu_free(c->eps2);
    koshu_free(c->sum[0]);
    koshu_free(c->part);
}

/* The fastest of the repeats. */
static koshu_status
compare_scheme(struct comparison *c, const struct tree_bench_options *o,
               enum scheme scheme, size_t n, size_t n_crit)
{
    double best = INFINITY, lists = 0, sums = 0;
    const size_t repeats = o->repeats ? o->repeats : 3;
    for (size_t r = 0; r < repeats; r++) {
        KOSHU_TRY(sum_all(c, scheme));
        const double seconds = c->list_seconds + c->sum_seconds;
        if (!(seconds < best)) continue;
        best = seconds;
        lists = c->list_seconds;
        sums = c->sum_seconds;
    }
    print_scheme("tree", n, scheme_names[scheme], n_crit, best, lists, sums,
                 (double)c->interactions, o->json);
    return KOSHU_OK;
}

static koshu_status
compare_tree(struct koshu_context *context, struct koshu_backend *backend,
             const struct tree_bench_options *o,
             struct koshu_particles *particles, size_t n_crit)
{
    struct comparison *c = calloc(1, sizeof *c);
    if (!c) return KOSHU_OUT_OF_MEMORY;
    c->context = context;
    c->backend = backend;
    c->threads = koshu_context_threads(context);
    if (c->threads > MOST_THREADS) c->threads = MOST_THREADS;
    koshu_status status = prepare(c, o, particles, n_crit);
    const size_t n = koshu_particles_count(particles);
    for (int s = 0; s < N_SCHEMES && status == KOSHU_OK; s++)
        status = compare_scheme(c, o, (enum scheme)s, n, n_crit);
    finish(c);
    free(c);
    return status;
}

/* The solver itself: the tree with lists in turns, or the direct sum. */
static koshu_status
compare_solver(struct koshu_context *context,
               const struct tree_bench_options *o,
               struct koshu_particles *particles, enum koshu_method method,
               size_t n_crit)
{
    struct koshu_solver_options options = o->solver;
    struct koshu_solver *solver;
    koshu_status status = KOSHU_OK;
    double best = INFINITY, lists = 0, sums = 0;
    uint64_t interactions = 0;
    options.method = method;
    options.tree.order = KOSHU_ORDER_MONOPOLE;
    options.tree.criterion = KOSHU_CRITERION_GEOMETRIC;
    options.tree.theta = o->theta[0];
    options.tree.n_crit = n_crit;
    KOSHU_TRY(koshu_solver_create(context, &options, &solver));
    for (size_t r = 0; r < (o->repeats ? o->repeats : 3); r++) {
        const uint64_t before = koshu_solver_interactions(solver);
        const double start = koshu_now();
        status = koshu_solver_forces(solver, particles, KOSHU_ACCELERATION);
        if (status != KOSHU_OK) break;
        const struct koshu_tree_report t = koshu_solver_tree_report(solver);
        const bool tree = method == KOSHU_METHOD_TREE;
        const double seconds =
                tree ? t.seconds.walk + t.seconds.force : koshu_now() - start;
        interactions = koshu_solver_interactions(solver) - before;
        if (!(seconds < best)) continue;
        best = seconds;
        lists = t.seconds.walk;
        sums = tree ? t.seconds.force : seconds;
    }
    koshu_solver_destroy(solver);
    if (status != KOSHU_OK) return status;
    print_scheme(method == KOSHU_METHOD_TREE ? "tree" : "direct",
                 koshu_particles_count(particles),
                 method == KOSHU_METHOD_TREE ? "in turns" : "pieces", n_crit,
                 best, lists, sums, (double)interactions, o->json);
    return KOSHU_OK;
}

static koshu_status
compare_n(struct koshu_context *context, const struct tree_bench_options *o,
          enum koshu_method method, size_t n)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particles *particles = NULL;
    struct koshu_backend *backend;
    koshu_status status;
    model.model = o->model;
    model.seed = o->seed;
    model.n = n;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    KOSHU_TRY(koshu_initial_create(context, &model, &particles));
    if (method == KOSHU_METHOD_DIRECT) {
        status = compare_solver(context, o, particles, method, 1);
        koshu_particles_destroy(particles);
        return status;
    }
    for (size_t k = 0; k < o->n_crit_count; k++) {
        KOSHU_TRY_CLEANUP(
                compare_tree(context, backend, o, particles, o->n_crit[k]));
        KOSHU_TRY_CLEANUP(
                compare_solver(context, o, particles, method, o->n_crit[k]));
    }
cleanup:
    koshu_particles_destroy(particles);
    return status;
}

koshu_status
tree_bench_compare(struct koshu_context *context,
                   const struct tree_bench_options *o)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (!backend->ops->walks || !backend->ops->walks_in_caller)
        return koshu_fail(context, KOSHU_UNSUPPORTED,
                          "--compare is for the threads of a CPU; backend %s "
                          "has no walks of theirs: take --backend cpu",
                          backend->ops->name);
    if (!o->json)
        printf("schemes of Hamada09 Fig. 3 on %d threads, %s, eps = %g, "
               "monopoles, theta = %g\nbackend %s: %s\n"
               "seconds of lists and sums, the fastest of the repeats\n\n"
               "%-7s %9s  %-11s %7s %10s %10s %10s %9s\n",
               koshu_context_threads(context), koshu_model_name(o->model),
               o->solver.softening, o->theta[0], backend->ops->name,
               backend->device, "problem", "N", "scheme", "n_crit", "seconds",
               "lists", "sums", "Gflop/s");
    KOSHU_TRY(compare_n(context, o, KOSHU_METHOD_DIRECT,
                        o->n[0] < 65536 ? o->n[0] : 65536));
    for (size_t k = 0; k < o->n_count; k++)
        KOSHU_TRY(compare_n(context, o, KOSHU_METHOD_TREE, o->n[k]));
    return KOSHU_OK;
}
