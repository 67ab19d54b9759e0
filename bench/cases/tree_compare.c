/* SPDX-License-Identifier: MIT */
/* koshu bench tree --compare: see tree.h for what is compared. */
#include <math.h>
#include <stdio.h>

#include "bench/cases/tree.h"

struct row {
    struct bench_row base;
    const char *problem, *scheme;
    size_t n_crit;
    char curve[32];     /* for the picture: problem, scheme, backend */
    double lists, sums; /* seconds */
};

static const struct bench_column columns[] = {
        {"problem", "problem", "%-7s", ROW(problem)},
        BENCH_SHOW("N", "%9lld", n),
        {"scheme", "scheme", "%-12s", ROW(scheme)},
        {"n_crit", "n_crit", "%7lld", ROW(n_crit)},
        BENCH_SHOW("seconds", "%10.4f", timing.seconds),
        {"lists_seconds", "lists", "%10.4f", ROW(lists)},
        {"sums_seconds", "sums", "%10.4f", ROW(sums)},
        BENCH_SHOW("Gflop/s", "%9.1f", gflops[0]),
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

static const struct bench_table table = {
        .name = "tree --compare",
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title =
                "schemes of Hamada09 Fig. 3: seconds of lists and sums, copies "
                "included, the fastest of the repeats\n"
                "the paper, 4194304 particles, GeForce 8800 GTS: walks 2.4 "
                "times as fast as i- and j-parallel,\n3.2 times as fast as an "
                "Intel "
                "Q6600 with Phantom-GRAPE",
        .figure = {.y_label = "Gflop/s",
                   .x_label = "n_crit (1: direct sums)",
                   .x = ROW(n_crit),
                   .curves = {{"", ROW(base.gflops[0])}},
                   .series = ROW(curve)},
};

struct comparison {
    struct bench *b;
    struct koshu_backend *backend;
    struct koshu_particles *particles;
    enum koshu_method method;
    size_t repeats;
};

static koshu_status
add(const struct comparison *c, const char *scheme, size_t n_crit,
    const struct tree_scheme_time *t)
{
    struct row row = {
            .base = bench_row(c->b, koshu_particles_count(c->particles)),
            .problem = koshu_method_name(c->method),
            .scheme = scheme,
            .n_crit = n_crit,
            .lists = t->lists,
            .sums = t->sums};
    snprintf(row.curve, sizeof row.curve, "%s, %s, %s", row.problem, scheme,
             row.base.backend);
    row.base.timing.seconds = t->seconds;
    row.base.timing.repeats = c->repeats;
    row.base.interactions = t->interactions;
    return bench_add(c->b, &row);
}

/* ---- the schemes --------------------------------------------------------- */

static struct koshu_tree_options
monopoles(const struct comparison *c, size_t n_crit)
{
    struct koshu_tree_options o =
            ((const struct tree_options *)c->b->own)->tree;
    o.multipole_order = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    o.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    o.n_crit = n_crit;
    return o;
}

/* Many walks at once are only timed here if threads sum them; a device does so
 * in the solver. */
static koshu_status
time_schemes(const struct comparison *c, struct tree_schemes *schemes,
             size_t n_crit)
{
    static const char *const names[TREE_SCHEMES] = {"i-parallel", "j-parallel",
                                                    "walks"};
    const bool walks =
            c->method == KOSHU_METHOD_TREE && c->backend->ops->walks_in_caller;
    for (int s = 0; s < (walks ? TREE_SCHEMES : TREE_WALKS); s++) {
        struct tree_scheme_time best;
        KOSHU_TRY(tree_schemes_time(schemes, (enum tree_scheme)s, c->repeats,
                                    &best));
        KOSHU_TRY(add(c, names[s], n_crit, &best));
    }
    return KOSHU_OK;
}

static koshu_status
compare_schemes(const struct comparison *c, size_t n_crit)
{
    const struct koshu_tree_options options = monopoles(c, n_crit);
    struct tree_schemes *schemes = NULL;
    koshu_status status = tree_schemes_make(
            c->b->context, &options, sqrt(c->b->options->eps2),
            c->method == KOSHU_METHOD_DIRECT, c->particles, &schemes);
    if (status == KOSHU_OK) status = time_schemes(c, schemes, n_crit);
    tree_schemes_free(schemes);
    return status;
}

/* ---- the solver ---------------------------------------------------------- */

/* One evaluation. The time for a tree is that of its lists and sums; for a
 * device that does everything itself, the whole time. */
static koshu_status
evaluate(const struct comparison *c, struct koshu_solver *solver,
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
compare_solver(const struct comparison *c, const char *scheme,
               enum koshu_traversal traversal, size_t n_crit)
{
    struct koshu_tree_options tree = monopoles(c, n_crit);
    struct koshu_solver_options o = tree_solver_options(c->b, &tree);
    struct koshu_solver *solver;
    struct tree_scheme_time best = {.seconds = INFINITY}, time;
    o.method = c->method;
    tree.traversal = traversal;
    koshu_status status = koshu_solver_create(c->b->context, &o, &solver);
    if (status == KOSHU_ERROR_UNSUPPORTED &&
        traversal == KOSHU_TRAVERSAL_DEVICE)
        return KOSHU_OK; /* it has no walks */
    KOSHU_TRY(status);
    for (size_t r = 0; r <= c->repeats && status == KOSHU_OK; r++) {
        status = evaluate(c, solver, &time);
        if (status == KOSHU_OK && time.seconds < best.seconds) best = time;
    }
    koshu_solver_destroy(solver);
    KOSHU_TRY(status);
    return add(c, scheme, n_crit, &best);
}

/* ---- problems ------------------------------------------------------------ */

static koshu_status
compare_direct(const struct comparison *c)
{
    KOSHU_TRY(compare_schemes(c, 1));
    return compare_solver(c, "pieces", KOSHU_TRAVERSAL_AUTO, 1);
}

static koshu_status
compare_trees(const struct comparison *c)
{
    /* without multiple walks, large groups are needed to keep a GPU busy */
    static const struct count_list of_a_device = {3, {512, 2048, 8192}, true};
    const struct count_list *n_crit =
            &((const struct tree_options *)c->b->own)->n_crit;
    const bool threads = c->backend->ops->walks_in_caller;
    const char *walks = threads ? "in turns" : "walks";
    if (!n_crit->given && !threads) n_crit = &of_a_device;
    for (size_t k = 0; k < n_crit->n; k++) {
        KOSHU_TRY(compare_schemes(c, n_crit->value[k]));
        KOSHU_TRY(compare_solver(c, walks, KOSHU_TRAVERSAL_HOST,
                                 n_crit->value[k]));
    }
    if (threads) return KOSHU_OK;
    return compare_solver(c, "device", KOSHU_TRAVERSAL_DEVICE, 64);
}

static koshu_status
compare_n(struct comparison *c, enum koshu_method method, size_t n)
{
    c->method = method;
    KOSHU_TRY(bench_particles(c->b, n, &c->particles));
    const koshu_status status = method == KOSHU_METHOD_DIRECT
                                        ? compare_direct(c)
                                        : compare_trees(c);
    koshu_particles_destroy(c->particles);
    return status;
}

/* Direct sums of at most so many particles; then the trees. */
static koshu_status
compare_on(struct bench *b, struct koshu_backend *backend)
{
    static const size_t max_direct = 65536;
    const struct bench_options *o = b->options;
    struct comparison c = {
            .b = b, .backend = backend, .repeats = o->repeats ? o->repeats : 3};
    size_t direct = o->n.value[0];
    if (!backend->ops->walks)
        return koshu_fail(
                b->context, KOSHU_ERROR_UNSUPPORTED,
                "backend %s has no sums over the lists of walks; take "
                "--backend cpu",
                backend->ops->name);
    if (direct > max_direct && !o->file) direct = max_direct;
    bench_start(b, &table, 0);
    if (direct <= max_direct)
        KOSHU_TRY(compare_n(&c, KOSHU_METHOD_DIRECT, direct));
    for (size_t k = 0; k < o->n.n; k++)
        KOSHU_TRY(compare_n(&c, KOSHU_METHOD_TREE, o->n.value[k]));
    return KOSHU_OK;
}

koshu_status
tree_compare(struct bench *b)
{
    struct koshu_backend *backend;
    struct bench cpu = *b;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    KOSHU_TRY(compare_on(b, backend));
    if (backend->ops->walks_in_caller) return KOSHU_OK;
    cpu.context = make_context("cpu", (int)b->options->threads.value[0]);
    if (!cpu.context) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status = koshu_backend_of(cpu.context, &backend);
    if (status == KOSHU_OK) status = compare_on(&cpu, backend);
    status = bench_status_of(b, cpu.context, status);
    koshu_context_destroy(cpu.context);
    return status;
}
