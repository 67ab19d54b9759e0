/* SPDX-License-Identifier: MIT */
/*
 * koshu bench tree --compare: the schemes of Hamada09 Fig. 3, and the solver,
 * where each thread sums the lists that it makes, or a device those of the host
 * or its own. With a device, the CPU is measured beside it.
 */
#include <math.h>
#include <stdio.h>

#include "bench_tree.h"
#include "bench_tree_schemes.h"
#include "internal.h"

/* Of the solver's rows. */
struct solver_row {
    const char *scheme;
    enum koshu_method method;
    enum koshu_traversal walk;
    size_t n_crit;
};

struct comparison {
    const struct tree_bench_options *options;
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_particles *particles;
    size_t n, repeats;
};

/* ---- rows ---------------------------------------------------------------- */

static void
print_row(const struct comparison *c, const char *problem, const char *scheme,
          size_t n_crit, const struct tree_scheme_time *t)
{
    const double rate = t->interactions / t->seconds;
    if (c->options->json) {
        bench_print_json(json_pack(
                "{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f}",
                "bench", "tree --compare", "backend", c->backend->ops->name,
                "problem", problem, "scheme", scheme, "n", (json_int_t)c->n,
                "n_crit", (json_int_t)n_crit, "seconds", t->seconds,
                "lists_seconds", t->lists, "sums_seconds", t->sums,
                "interactions_per_s", rate, "gflops_38", 38e-9 * rate));
        return;
    }
    printf("%-6s %-7s %9zu  %-12s %7zu %10.4f %10.4f %10.4f %9.1f\n",
           c->backend->ops->name, problem, c->n, scheme, n_crit, t->seconds,
           t->lists, t->sums, 38e-9 * rate);
    fflush(stdout);
}

static struct koshu_tree_options
tree_options(const struct comparison *c, size_t n_crit)
{
    struct koshu_tree_options o = c->options->tree;
    o.multipole_order = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    o.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    o.theta = c->options->theta[0];
    o.n_crit = n_crit;
    return o;
}

/* ---- the schemes --------------------------------------------------------- */

static koshu_status
compare_schemes(struct comparison *c, enum koshu_method method, size_t n_crit)
{
    const bool tree = method == KOSHU_METHOD_TREE;
    const struct koshu_tree_options options = tree_options(c, n_crit);
    struct tree_schemes *schemes = NULL;
    koshu_status status =
            tree ? tree_schemes_of_tree(c->context, &options,
                                        c->options->solver.softening,
                                        c->particles, &schemes)
                 : tree_schemes_of_all(c->context, c->options->solver.softening,
                                       c->particles, &schemes);
    for (int s = 0; s < TREE_SCHEMES && status == KOSHU_OK; s++) {
        const enum tree_scheme scheme = (enum tree_scheme)s;
        struct tree_scheme_time best;
        if (scheme == TREE_WALKS &&
            (!tree || !tree_scheme_is_there(c->backend, scheme)))
            continue;
        status = tree_schemes_time(schemes, scheme, c->repeats, &best);
        if (status == KOSHU_OK)
            print_row(c, tree ? "tree" : "direct", tree_scheme_name(scheme),
                      n_crit, &best);
    }
    tree_schemes_free(schemes);
    return status;
}

/* ---- the solver ---------------------------------------------------------- */

/* Of one evaluation. A tree's time is that of its lists and sums; a device that
 * does all by itself has no other. */
static koshu_status
evaluate(struct comparison *c, struct koshu_solver *solver,
         struct tree_scheme_time *time)
{
    struct koshu_tree_report t = {.size = sizeof t};
    struct koshu_solver_report before = {.size = sizeof before}, after = before;
    KOSHU_TRY(koshu_solver_report(solver, &before));
    const double start = koshu_now();
    KOSHU_TRY(koshu_solver_forces(solver, c->particles,
                                  KOSHU_FIELD_ACCELERATION));
    KOSHU_TRY(koshu_solver_wait(solver));
    const double seconds = koshu_now() - start;
    KOSHU_TRY(koshu_solver_report(solver, &after));
    KOSHU_TRY(koshu_solver_tree_report(solver, &t));
    const bool tree = t.evaluations > 0;
    time->lists = t.seconds.walk;
    time->sums = tree ? t.seconds.transfer + t.seconds.force : seconds;
    time->seconds = time->lists + time->sums;
    time->interactions = (double)(after.interactions - before.interactions);
    return KOSHU_OK;
}

static koshu_status
compare_solver(struct comparison *c, const struct solver_row *row)
{
    struct koshu_solver_options o = c->options->solver;
    struct koshu_tree_options tree = tree_options(c, row->n_crit);
    struct koshu_solver *solver;
    struct tree_scheme_time best = {.seconds = INFINITY}, time;
    koshu_status status = KOSHU_OK;
    o.method = row->method;
    o.tree = &tree;
    tree.traversal = row->walk;
    status = koshu_solver_create(c->context, &o, &solver);
    if (status == KOSHU_ERROR_UNSUPPORTED &&
        row->walk == KOSHU_TRAVERSAL_DEVICE)
        return KOSHU_OK; /* it does not walk */
    KOSHU_TRY(status);
    for (size_t r = 0; r <= c->repeats && status == KOSHU_OK; r++) {
        status = evaluate(c, solver, &time);
        if (status == KOSHU_OK && time.seconds < best.seconds) best = time;
    }
    koshu_solver_destroy(solver);
    if (status == KOSHU_OK)
        print_row(c, row->method == KOSHU_METHOD_TREE ? "tree" : "direct",
                  row->scheme, row->n_crit, &best);
    return status;
}

/* Trees of a size of groups. */
static koshu_status
compare_n_crit(struct comparison *c, size_t n_crit)
{
    const bool threads = c->backend->ops->walks_in_caller;
    const struct solver_row lists = {threads ? "in turns" : "walks",
                                     KOSHU_METHOD_TREE, KOSHU_TRAVERSAL_HOST,
                                     n_crit};
    KOSHU_TRY(compare_schemes(c, KOSHU_METHOD_TREE, n_crit));
    return compare_solver(c, &lists);
}

/* ---- problems ------------------------------------------------------------ */

static koshu_status
make_particles(struct comparison *c, size_t n)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    model.model = c->options->model;
    model.seed = c->options->seed;
    model.n = c->n = n;
    return koshu_initial_create(c->context, &model, &c->particles);
}

static koshu_status
compare_direct(struct comparison *c, size_t n)
{
    const struct solver_row solver = {"pieces", KOSHU_METHOD_DIRECT,
                                      KOSHU_TRAVERSAL_AUTO, 1};
    koshu_status status = make_particles(c, n);
    if (status == KOSHU_OK) status = compare_schemes(c, KOSHU_METHOD_DIRECT, 1);
    if (status == KOSHU_OK) status = compare_solver(c, &solver);
    koshu_particles_destroy(c->particles);
    c->particles = NULL;
    return status;
}

/* Sizes that suit the device, where none were given: the schemes before
 * the multiple walks need large groups to keep a GPU busy. */
static size_t
n_crits_of(const struct comparison *c, size_t list[BENCH_LIST])
{
    const struct tree_bench_options *o = c->options;
    static const size_t device[] = {512, 2048, 8192};
    if (!o->n_crit_given && !c->backend->ops->walks_in_caller) {
        for (size_t k = 0; k < 3; k++) list[k] = device[k];
        return 3;
    }
    for (size_t k = 0; k < o->n_crit_count; k++) list[k] = o->n_crit[k];
    return o->n_crit_count;
}

static koshu_status
compare_tree(struct comparison *c, size_t n)
{
    const struct solver_row device = {"device", KOSHU_METHOD_TREE,
                                      KOSHU_TRAVERSAL_DEVICE, 64};
    size_t n_crit[BENCH_LIST];
    const size_t count = n_crits_of(c, n_crit);
    koshu_status status = make_particles(c, n);
    for (size_t k = 0; k < count && status == KOSHU_OK; k++)
        status = compare_n_crit(c, n_crit[k]);
    if (status == KOSHU_OK && !c->backend->ops->walks_in_caller)
        status = compare_solver(c, &device);
    koshu_particles_destroy(c->particles);
    c->particles = NULL;
    return status;
}

static koshu_status
compare_on(struct koshu_context *context, const struct tree_bench_options *o)
{
    struct comparison c = {.options = o,
                           .context = context,
                           .repeats = o->repeats ? o->repeats : 3};
    KOSHU_TRY(koshu_backend_of(context, &c.backend));
    if (!c.backend->ops->walks)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s has no sums over the lists of walks; "
                          "take --backend cpu",
                          c.backend->ops->name);
    if (!o->json)
        printf("\nbackend %s: %s\n", c.backend->ops->name, c.backend->device);
    KOSHU_TRY(compare_direct(&c, o->n[0] < 65536 ? o->n[0] : 65536));
    for (size_t k = 0; k < o->n_count; k++)
        KOSHU_TRY(compare_tree(&c, o->n[k]));
    return KOSHU_OK;
}

static void
print_head(struct koshu_context *context, const struct tree_bench_options *o)
{
    printf("schemes of Hamada09 Fig. 3, %s, eps = %g, monopoles, theta = %g, "
           "%d threads of the host\n"
           "seconds of lists and sums, copies included, the fastest of the "
           "repeats\n"
           "the paper, 4194304 particles, GeForce 8800 GTS: walks 2.4 times as "
           "fast as i- and j-parallel,\n"
           "3.2 times as fast as an Intel Q6600 with Phantom-GRAPE\n\n"
           "%-6s %-7s %9s  %-12s %7s %10s %10s %10s %9s\n",
           koshu_model_name(o->model), o->solver.softening, o->theta[0],
           koshu_context_threads(context), "", "problem", "N", "scheme",
           "n_crit", "seconds", "lists", "sums", "Gflop/s");
}

koshu_status
tree_bench_compare(struct koshu_context *context,
                   const struct tree_bench_options *o)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (!o->json) print_head(context, o);
    KOSHU_TRY(compare_on(context, o));
    if (backend->ops->walks_in_caller) return KOSHU_OK;
    struct koshu_context *cpu = make_context("cpu", o->threads);
    if (!cpu) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status = compare_on(cpu, o);
    if (status != KOSHU_OK)
        status = koshu_fail(context, status, "%s", koshu_context_message(cpu));
    koshu_context_destroy(cpu);
    return status;
}
