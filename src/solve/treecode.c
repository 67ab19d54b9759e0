/* SPDX-License-Identifier: MIT */
/*
 * A tree, its groups, and a list for each of them, which the thread that has
 * made it hands to the backend while it is in the cache.
 */
#include "solve/treecode.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/base.h"
#include "solve/n_crit.h"
#include "tree/tree.h"

/* What a thread needs for itself. */
struct worker {
    struct koshu_walker walker;
    float *eps2;    /* of each i-particle of a group */
    double *sum[4]; /* ax ay az potential, of a group */
    size_t room;    /* particles of a group */
    double walk, force;
    uint64_t interactions, with_cells;
};

struct koshu_treecode {
    struct koshu_backend *backend;
    struct koshu_solver_options options;
    struct koshu_tree tree;
    struct koshu_groups groups;
    struct worker *worker;
    int workers;
    struct koshu_tree_report report, total; /* of the last, of all */
    struct koshu_n_crit n_crit;
};

/* What a loop over groups shares. */
struct job {
    struct koshu_treecode *t;
    const struct koshu_force_task *task;
    const struct koshu_particle_view *particles;
    bool split;
};

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_solver_options *options)
{
    const struct koshu_tree_options *o = &options->tree;
    if (!(o->theta > 0 && o->theta <= 1))
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "theta = %g: it must be in (0, 1]", o->theta);
    if (!(o->alpha > 0 && isfinite(o->alpha)))
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "alpha = %g: it must be finite and > 0", o->alpha);
    if (o->n_leaf == 0)
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "n_leaf = 0: a leaf has at least 1 particle");
    if (!koshu_order_name(o->order) || !koshu_criterion_name(o->criterion) ||
        !koshu_curve_name(o->curve))
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "unknown order %d, criterion %d or curve %d",
                          (int)o->order, (int)o->criterion, (int)o->curve);
    return KOSHU_OK;
}

static koshu_status
check_support(const struct koshu_backend *backend,
              const struct koshu_solver_options *options)
{
    struct koshu_context *context = backend->context;
    if (!backend->ops->walks || !backend->ops->walks_in_caller)
        return koshu_fail(context, KOSHU_UNSUPPORTED,
                          "backend %s does not sum over the lists of a tree; "
                          "take --backend cpu, or solver.method: direct",
                          backend->ops->name);
    if (options->precision == KOSHU_DOUBLE)
        return koshu_fail(context, KOSHU_UNSUPPORTED,
                          "a tree has no double precision; take single or "
                          "mixed, or solver.method: direct");
    return KOSHU_OK;
}

koshu_status
koshu_treecode_create(struct koshu_backend *backend,
                      const struct koshu_solver_options *options,
                      struct koshu_treecode **treecode)
{
    struct koshu_context *context = backend->context;
    *treecode = NULL;
    KOSHU_TRY(check_options(context, options));
    KOSHU_TRY(check_support(backend, options));
    struct koshu_treecode *t = calloc(1, sizeof *t);
    if (!t) return koshu_fail_memory(context, sizeof *t, "treecode");
    t->backend = backend;
    t->options = *options;
    t->tree.context = context;
    t->n_crit = koshu_n_crit_begin(options->tree.n_crit);
    t->workers = koshu_context_threads(context);
    t->worker = calloc((size_t)t->workers, sizeof *t->worker);
    if (!t->worker) {
        free(t);
        return koshu_fail_memory(context, sizeof *t->worker, "treecode");
    }
    *treecode = t;
    return KOSHU_OK;
}

void
koshu_treecode_destroy(struct koshu_treecode *treecode)
{
    struct koshu_treecode *t = treecode;
    if (!t) return;
    for (int k = 0; k < t->workers; k++) {
        koshu_walker_free(&t->worker[k].walker);
        koshu_free(t->worker[k].eps2);
        koshu_free(t->worker[k].sum[0]);
    }
    free(t->worker);
    koshu_tree_free(&t->tree);
    koshu_groups_free(&t->groups);
    free(t);
}

/* ---- one group ----------------------------------------------------------- */

/* Room for the largest group; a walk's own memory grows as it goes. */
static koshu_status
prepare(struct worker *w, size_t largest, double eps)
{
    if (largest > w->room) {
        koshu_free(w->eps2);
        koshu_free(w->sum[0]);
        w->eps2 = koshu_alloc(largest, sizeof *w->eps2);
        w->sum[0] = koshu_alloc(4 * largest, sizeof *w->sum[0]);
        w->room = w->eps2 && w->sum[0] ? largest : 0;
        if (w->room == 0) return KOSHU_OUT_OF_MEMORY;
        for (int k = 1; k < 4; k++) w->sum[k] = w->sum[0] + k * largest;
    }
    for (size_t i = 0; i < largest; i++) w->eps2[i] = (float)(eps * eps);
    w->walk = w->force = 0;
    w->interactions = w->with_cells = w->walker.visits = 0;
    return KOSHU_OK;
}

static koshu_status
sum_list(const struct job *job, struct worker *w, size_t n)
{
    const struct koshu_list *l = &w->walker.list;
    const size_t i_offset[2] = {0, n}, j_offset[2] = {0, l->n_j};
    const size_t cell_offset[2] = {0, l->n_cells};
    struct koshu_walk_points points = {
            .x = l->j[0], .y = l->j[1], .z = l->j[2]};
    if (job->split) {
        points.x_low = l->j[4];
        points.y_low = l->j[5];
        points.z_low = l->j[6];
    }
    float *const *c = l->cell;
    const struct koshu_walk_batch batch = {
            .n_walks = 1,
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = points,
            .eps2 = w->eps2,
            .j = points,
            .j_mass = l->j[3],
            .cells = {c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8],
                      c[9], c[10]},
            .own = true,
            .result = {w->sum[0], w->sum[1], w->sum[2], w->sum[3]},
    };
    const struct koshu_walk_task task = {.eps = job->task->eps,
                                         .potential = job->task->potential,
                                         .fast = job->task->fast};
    w->interactions += n * (l->n_j + l->n_cells);
    w->with_cells += n * l->n_cells;
    return job->t->backend->ops->walks(job->t->backend, &task, &batch);
}

/* The smallest acceleration that the group's particles had. */
static double
smallest_acceleration(const struct job *job, const struct koshu_group *g)
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->t->tree.order + g->first;
    double a2 = INFINITY;
    if (job->t->tree.options.criterion != KOSHU_CRITERION_RELATIVE) return 0;
    for (size_t k = 0; k < g->n; k++) {
        const size_t i = order[k];
        a2 = fmin(a2, v->ax[i] * v->ax[i] + v->ay[i] * v->ay[i] +
                              v->az[i] * v->az[i]);
    }
    return sqrt(a2);
}

static void
scatter(const struct job *job, const struct koshu_group *g,
        double *const sum[4])
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->t->tree.order + g->first;
    for (size_t k = 0; k < g->n; k++) {
        v->ax[order[k]] = sum[0][k];
        v->ay[order[k]] = sum[1][k];
        v->az[order[k]] = sum[2][k];
        if (job->task->potential) v->potential[order[k]] = sum[3][k];
    }
}

static koshu_status
do_group(const struct job *job, struct worker *w, const struct koshu_group *g)
{
    double start = koshu_now();
    KOSHU_TRY(koshu_tree_walk(&job->t->tree, g, smallest_acceleration(job, g),
                              job->split, &w->walker));
    double middle = koshu_now();
    KOSHU_TRY(sum_list(job, w, g->n));
    scatter(job, g, w->sum);
    w->walk += middle - start;
    w->force += koshu_now() - middle;
    return KOSHU_OK;
}

/* ---- all groups ---------------------------------------------------------- */

static koshu_status
do_groups(const struct job *job)
{
    struct koshu_treecode *t = job->t;
    const struct koshu_groups *groups = &t->groups;
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(t->workers) schedule(dynamic, 4)
    for (size_t k = 0; k < groups->n; k++) {
        koshu_status one = do_group(job, &t->worker[omp_get_thread_num()],
                                    &groups->group[k]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    if (status == KOSHU_OUT_OF_MEMORY)
        return koshu_fail(t->backend->context, status,
                          "out of memory for the interaction lists of a tree");
    return status;
}

static void
add_report(struct koshu_tree_report *to, const struct koshu_tree_report *r)
{
    to->evaluations += r->evaluations;
    to->seconds.keys += r->seconds.keys;
    to->seconds.sort += r->seconds.sort;
    to->seconds.build += r->seconds.build;
    to->seconds.moments += r->seconds.moments;
    to->seconds.groups += r->seconds.groups;
    to->seconds.walk += r->seconds.walk;
    to->seconds.force += r->seconds.force;
    to->particles += r->particles;
    to->cells += r->cells;
    to->groups += r->groups;
    to->interactions += r->interactions;
    to->with_cells += r->with_cells;
    to->visits += r->visits;
    to->n_crit = r->n_crit;
}

/* Walk and force share what the threads spent together. */
static void
write_report(struct koshu_treecode *t, const struct koshu_tree_seconds *seconds,
             double groups, double lists)
{
    struct koshu_tree_report *r = &t->report;
    double walk = 0, force = 0;
    *r = (struct koshu_tree_report){.evaluations = 1,
                                    .particles = t->tree.n,
                                    .cells = t->tree.n_cells,
                                    .groups = t->groups.n,
                                    .n_crit = t->n_crit.now};
    for (int k = 0; k < t->workers; k++) {
        const struct worker *w = &t->worker[k];
        walk += w->walk;
        force += w->force;
        r->interactions += w->interactions;
        r->with_cells += w->with_cells;
        r->visits += w->walker.visits;
    }
    r->seconds.keys = seconds->keys;
    r->seconds.sort = seconds->sort;
    r->seconds.build = seconds->build;
    r->seconds.moments = seconds->moments;
    r->seconds.groups = groups;
    r->seconds.walk = walk + force > 0 ? lists * walk / (walk + force) : 0;
    r->seconds.force = lists - r->seconds.walk;
    add_report(&t->total, r);
    koshu_n_crit_learn(&t->n_crit, (walk + force) / (double)t->tree.n);
}

/* The relative criterion needs accelerations of an earlier step. */
static bool
has_accelerations(const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->ax[i] != 0 || v->ay[i] != 0 || v->az[i] != 0) return true;
    return false;
}

koshu_status
koshu_treecode_forces(struct koshu_treecode *treecode,
                      const struct koshu_force_task *task,
                      const struct koshu_particle_view *particles)
{
    struct koshu_treecode *t = treecode;
    const struct koshu_particle_view *v = particles;
    struct koshu_tree_seconds seconds;
    t->tree.options = t->options.tree;
    if (!has_accelerations(v))
        t->tree.options.criterion = KOSHU_CRITERION_GEOMETRIC;
    KOSHU_TRY(koshu_tree_make(&t->tree, v->n, v->x, v->y, v->z, v->mass,
                              &seconds));
    double start = koshu_now();
    KOSHU_TRY(koshu_groups_make(&t->groups, &t->tree, t->n_crit.now));
    for (int k = 0; k < t->workers; k++)
        if (prepare(&t->worker[k], t->groups.largest, task->eps) != KOSHU_OK)
            return koshu_fail_memory(t->backend->context, t->groups.largest,
                                     "sums of a group");
    double middle = koshu_now();
    const struct job job = {t, task, v, task->precision == KOSHU_MIXED};
    KOSHU_TRY(do_groups(&job));
    write_report(t, &seconds, middle - start, koshu_now() - middle);
    return KOSHU_OK;
}

struct koshu_tree_report
koshu_treecode_report(const struct koshu_treecode *treecode)
{
    return treecode->report;
}

struct koshu_tree_report
koshu_treecode_total(const struct koshu_treecode *treecode)
{
    return treecode->total;
}
