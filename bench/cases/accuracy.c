/* SPDX-License-Identifier: MIT */
/* koshu bench accuracy: the cost of forces at each accuracy, by each method. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench/cases.h"

static const char doc[] =
        "Time against error of forces by direct sums, by the treecode and by "
        "the fast multipole method, side by side.\v"
        "Errors are against ref in double precision; err_rms is the root mean "
        "square of |a - a_ref| / |a_ref|, which solver.accuracy bounds. pairs "
        "is the time of a particle in units of what direct sums take for one "
        "pair of the first N, on a CPU the processors' time (cpu), which what "
        "else a machine does changes least: what solver.accuracy chooses "
        "methods by.";

struct options {
    struct bench_options base;
    struct number_list alpha, theta;
    struct count_list order;
};

struct row {
    struct bench_row base;
    const char *method, *model;
    size_t order;        /* of the FMM; 0: it is another method */
    double alpha, theta; /* NaN: it is another method */
    double cpu_seconds, pairs;
    char curve[32];
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"method", "method", "%-6s", ROW(method)},
        {"alpha", "alpha", "%7g", ROW(alpha)},
        {"order", "p", "%2lld", ROW(order)},
        {"theta", "theta", "%5g", ROW(theta)},
        BENCH_SHOW("ms", "%10.3f", timing.seconds, 0, 1e3),
        BENCH_SHOW("least", "%10.3f", timing.least, 0, 1e3),
        {"cpu_seconds", "cpu", "%10.3f", ROW(cpu_seconds), 0, 1e3},
        {"pairs", "pairs", "%8.0f", ROW(pairs)},
        BENCH_BAR(0),
        BENCH_SHOW("err_rms", "%7.1e", errors.rms),
        BENCH_SHOW_ERRORS(0),
        {"model", .field = ROW(model)},
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "what forces of each accuracy cost",
        .figure = {.y_label = "seconds",
                   .x = ROW(base.errors.rms),
                   .x_label = "rms of |a - a_ref| / |a_ref|",
                   .curves = {{"", ROW(base.timing.seconds)}},
                   .series = ROW(curve)},
};

/* ---- a row --------------------------------------------------------------- */

/* `pair`: seconds per pair by direct sums, for the first N. */
struct accuracy {
    struct bench *b;
    double pair;
    size_t n;
};

/* A system, and the shortest CPU time of its forces. */
struct subject {
    struct bench_system system;
    double cpu_seconds;
};

static double
processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static koshu_status
once(void *user)
{
    struct subject *s = user;
    const double start = processor_seconds();
    KOSHU_TRY(bench_forces(&s->system));
    KOSHU_TRY(bench_wait(&s->system));
    s->cpu_seconds = fmin(s->cpu_seconds, processor_seconds() - start);
    return KOSHU_OK;
}

/* CPU time; of a device, its wall time. */
static double
seconds_of(const struct bench *b, const struct row *row)
{
    struct koshu_backend *backend;
    if (koshu_backend_of(b->context, &backend) == KOSHU_OK &&
        backend->ops->memory)
        return row->base.timing.seconds;
    return row->cpu_seconds;
}

static koshu_status
evaluate(struct accuracy *a, struct subject *s, struct row *row)
{
    const struct bench_work work = {once, NULL, s};
    const double n = (double)row->base.n;
    /* a tree's first forces use another opening criterion */
    KOSHU_TRY(bench_forces(&s->system));
    KOSHU_TRY(bench_time(&work, a->b->options->repeats, &row->base.timing));
    KOSHU_TRY(
            bench_compare(a->b, s->system.particles, NULL, &row->base.errors));
    row->cpu_seconds = s->cpu_seconds;
    if (a->pair == 0) a->pair = seconds_of(a->b, row) / (n * n);
    row->pairs = seconds_of(a->b, row) / (n * a->pair);
    return KOSHU_OK;
}

static koshu_status
measure(struct accuracy *a, const struct koshu_solver_options *options,
        struct row *row)
{
    struct subject s = {.cpu_seconds = INFINITY};
    row->base = bench_row(a->b, a->n);
    row->base.interactions = NAN;
    row->method = koshu_method_name(options->method);
    row->model = koshu_model_name(a->b->options->model);
    snprintf(row->curve, sizeof row->curve, "%s, N = %zu", row->method, a->n);
    koshu_status status =
            bench_system_make(a->b, a->n, options, NULL, &s.system);
    if (status == KOSHU_OK) status = evaluate(a, &s, row);
    bench_system_free(&s.system);
    KOSHU_TRY(status);
    return bench_add(a->b, row);
}

/* ---- methods ------------------------------------------------------------- */

static koshu_status
measure_direct(struct accuracy *a)
{
    const struct koshu_solver_options options = bench_solver_options(a->b);
    struct row row = {.alpha = NAN, .theta = NAN};
    return measure(a, &options, &row);
}

/* Trees do not compute in double precision, so there are no rows then. */
static koshu_status
measure_tree(struct accuracy *a)
{
    const struct options *o = a->b->own;
    struct koshu_tree_options tree = koshu_tree_options_default();
    struct koshu_solver_options options = bench_solver_options(a->b);
    options.method = KOSHU_METHOD_TREE;
    options.tree = &tree;
    if (options.precision == KOSHU_PRECISION_DOUBLE) return KOSHU_OK;
    for (size_t k = 0; k < o->alpha.n; k++) {
        struct row row = {.alpha = o->alpha.value[k], .theta = NAN};
        tree.alpha = row.alpha;
        KOSHU_TRY(measure(a, &options, &row));
    }
    return KOSHU_OK;
}

static koshu_status
measure_fmm(struct accuracy *a, double theta)
{
    const struct options *o = a->b->own;
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    struct koshu_solver_options options = bench_solver_options(a->b);
    options.method = KOSHU_METHOD_FMM;
    options.fmm = &fmm;
    fmm.tolerance = 0;
    fmm.theta = theta;
    for (size_t k = 0; k < o->order.n; k++) {
        struct row row = {
                .alpha = NAN, .theta = theta, .order = o->order.value[k]};
        fmm.multipole_order = (unsigned)row.order;
        KOSHU_TRY(measure(a, &options, &row));
    }
    return KOSHU_OK;
}

/* Without an FMM in the backend there are no rows for it. */
static koshu_status
measure_n(struct accuracy *a)
{
    const struct options *o = a->b->own;
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(a->b->context, &backend));
    KOSHU_TRY(measure_direct(a));
    KOSHU_TRY(measure_tree(a));
    const bool has_fmm = backend->ops->fmm || backend->ops->fmm_engine;
    for (size_t k = 0; has_fmm && k < o->theta.n; k++)
        KOSHU_TRY(measure_fmm(a, o->theta.value[k]));
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    struct accuracy a = {.b = b};
    bench_start(b, &table, 0);
    for (size_t k = 0; k < b->options->n.n; k++) {
        a.n = b->options->n.value[k];
        KOSHU_TRY(measure_n(&a));
    }
    return KOSHU_OK;
}

/* ---- options ------------------------------------------------------------- */

#define OWN(member) BENCH_OPTION(struct options, member)

static const struct command_option own[] = {
        {"alpha", 0, "A,A,...",
         "accuracies of the tree's relative criterion (0.02 ... 0.0002)",
         OWN(alpha), .max = 1},
        {"order", 0, "P,P,...", "orders of the FMM, 1 to 20 (2 ... 12)",
         OWN(order)},
        {"theta", 0, "T,T,...", "and its theta (0.5)", OWN(theta), .max = 1},
        {"potential", 0, NULL, "compute potentials too", OWN(base.potential)},
        {0}};

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    for (size_t k = 0; k < o->order.n; k++)
        if (o->order.value[k] > 20)
            argp_error(state, "--order: %zu is more than 20",
                       o->order.value[k]);
}

static const struct options defaults = {
        .base = {.n = {1, {1 << 16}}, .eps2 = 1.0 / 4096, .seed = 1},
        .alpha = {6, {0.02, 0.008, 0.003, 0.0012, 0.0005, 0.0002}},
        .theta = {1, {0.5}},
        .order = {8, {2, 3, 4, 5, 6, 8, 10, 12}}};

const struct bench_case bench_accuracy = {
        .name = "accuracy",
        .summary = "time against error: direct sums, tree and fmm",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_EPS2 | BENCH_TAKES_ERROR | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_MODEL | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .run = run,
};
