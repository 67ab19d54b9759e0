/* SPDX-License-Identifier: MIT */
/* koshu bench model: Miki13's performance model, fitted to measured times. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cases.h"
#include "bench/lines.h"

static const char doc[] =
        "The performance model of Miki et al. 2013, eqs. (2)-(5), fitted to "
        "the times of direct summation of N particles on each other: cycles of "
        "an interaction C_calc and latency L of each kernel, the launch "
        "C_kernel measured by itself; then predicted against measured time for "
        "each N.\v"
        "docs/performance-model.md derives the formula.";

/* ---- columns ------------------------------------------------------------- */

/* A kernel of the fit; in cycles of the unit's clock where that is known, else
 * in ns. */
struct kernel_row {
    struct bench_row base;
    const char *name;
    size_t points;
    double evaluation, calc, latency;
};

static const struct bench_column kernel_columns[] = {
        {NULL, "kernel", "%-20s", BENCH_ROW(struct kernel_row, name)},
        {NULL, "points", "%6lld", BENCH_ROW(struct kernel_row, points)},
        {NULL, "evaluation", "%12.4g",
         BENCH_ROW(struct kernel_row, evaluation)},
        {NULL, "C_calc", "%12.4g", BENCH_ROW(struct kernel_row, calc)},
        {NULL, "L", "%12.4g", BENCH_ROW(struct kernel_row, latency)},
        {0}};

/* An N, and the kernel that sums it. */
struct row {
    struct bench_row base;
    struct koshu_force_shape shape;
    const char *kernel;
    double predicted, deviation;
    double calc_seconds, latency_seconds;
    size_t points;
    double launch_seconds, hertz;
};

#define SHAPE(member) ROW(shape.member)
static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"kernel.name", "kernel", "%-20s", ROW(kernel)},
        {"blocks", "B_tot", "%7lld", SHAPE(blocks)},
        {"at_once", "B_SM", "%5lld", SHAPE(at_once)},
        {"tiles", "tiles", "%9.2f", SHAPE(tiles)},
        BENCH_SHOW("measured", "%12.4e", timing.seconds),
        {"predicted", "predicted", "%12.4e", ROW(predicted)},
        {"deviation", "deviation", "%+8.1f%%", ROW(deviation), 0, 100},
        {"kernel.calc_seconds", .field = ROW(calc_seconds)},
        {"kernel.latency_seconds", .field = ROW(latency_seconds)},
        {"kernel.points", .field = ROW(points)},
        {"launch_seconds", .field = ROW(launch_seconds)},
        {"hertz", .field = ROW(hertz)},
        {"units", .field = SHAPE(units)},
        {"lanes", .field = SHAPE(lanes)},
        {"evaluations", .field = SHAPE(evaluations)},
        {"both", .field = SHAPE(both)},
        {"launches", .field = SHAPE(launches)},
        {"overlapped", .field = SHAPE(overlapped)},
        {"joins", .field = SHAPE(joins)},
        BENCH_TELL("potential", struct bench_options, potential),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .figure = {.y_label = "seconds",
                   .curves = {{"measured", ROW(base.timing.seconds)},
                              {"predicted", ROW(predicted)}}},
};
static const struct bench_table kernels = {
        .text_only = true,
        .row_size = sizeof(struct kernel_row),
        .columns = kernel_columns,
};

/* ---- measuring ----------------------------------------------------------- */

struct measured {
    struct koshu_model_point points[MAX_LIST];
    struct bench_timing timings[MAX_LIST];
    size_t n;
    struct koshu_time_model model;
};

/* 1024, 2048, and from there powers of two and their halfway marks. */
static struct count_list
choose_n(const struct bench *b, size_t last)
{
    struct count_list n = b->options->n;
    if (n.n > 0) return n;
    n.value[n.n++] = 1024;
    for (size_t k = 2048; k <= last; k *= 2) {
        n.value[n.n++] = k;
        if (k < last) n.value[n.n++] = k + k / 2;
    }
    return n;
}

static koshu_status
measure_n(const struct bench *b, struct koshu_backend *backend,
          struct koshu_model_point *point, struct bench_timing *timing)
{
    const struct bench_options *o = b->options;
    const struct koshu_force_task task = {.precision = o->precision,
                                          .eps = sqrt(o->eps2),
                                          .potential = o->potential};
    struct bench_system system;
    koshu_status status;
    if (backend->group_model[0])
        return koshu_fail(b->context, KOSHU_ERROR_UNSUPPORTED,
                          "the model is of one GPU, and devices %s are several",
                          koshu_context_devices(b->context));
    KOSHU_TRY_CLEANUP(bench_system_make(b, point->n, NULL, NULL, &system));
    KOSHU_TRY_CLEANUP(bench_forces_time(&system, o->repeats, timing));
    KOSHU_TRY_CLEANUP(
            backend->ops->shape(backend, &task, point->n, &point->shape));
    point->seconds = timing->seconds;
cleanup:
    bench_system_free(&system);
    return status;
}

static koshu_status
measure(const struct bench *b, struct measured *m)
{
    struct koshu_backend *backend;
    double launch;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    KOSHU_TRY(bench_launch_cost(b->context, b->options->repeats, &launch));
    const struct count_list n =
            choose_n(b, backend->ops->force_store ? 1048576 : 32768);
    for (m->n = 0; m->n < n.n; m->n++) {
        m->points[m->n].n = n.value[m->n];
        KOSHU_TRY(measure_n(b, backend, &m->points[m->n], &m->timings[m->n]));
    }
    return koshu_model_fit(m->points, m->n, launch, &m->model);
}

/* ---- rows ---------------------------------------------------------------- */

static const struct koshu_model_kernel *
kernel_of(const struct measured *m, const char *name)
{
    const struct koshu_model_kernel *k = m->model.kernels;
    while (strcmp(k->name, name) != 0) k++;
    return k;
}

static struct row
row_of(const struct bench *b, const struct measured *m, size_t k)
{
    const struct koshu_model_point *p = &m->points[k];
    const struct koshu_model_kernel *kernel = kernel_of(m, p->shape.kernel);
    const double predicted = koshu_model_predict(&m->model, &p->shape);
    struct row row = {.base = bench_row(b, p->n),
                      .shape = p->shape,
                      .kernel = kernel->name,
                      .predicted = predicted,
                      .deviation = predicted / p->seconds - 1,
                      .calc_seconds = kernel->calc,
                      .latency_seconds = kernel->latency,
                      .points = kernel->points,
                      .launch_seconds = m->model.launch,
                      /* JSON: null where it is not known */
                      .hertz = p->shape.hertz > 0 ? p->shape.hertz : INFINITY};
    row.base.timing = m->timings[k];
    return row;
}

/* Interactions of an evaluation. */
static size_t
both_of(const struct measured *m, const char *kernel)
{
    for (size_t k = 0; k < m->n; k++)
        if (strcmp(m->points[k].shape.kernel, kernel) == 0)
            return m->points[k].shape.both;
    return 1;
}

static void
print_head(const struct bench *b, const struct measured *m)
{
    const struct koshu_force_shape *s = &m->points[m->n - 1].shape;
    const struct bench_row row = bench_row(b, 0);
    printf("Miki et al. 2013, eqs. (2)-(5), for direct summation, %s "
           "precision, %s\nbackend %s: %s\nN_SM = %zu, N_core = %zu",
           row.precision,
           b->options->potential ? "acceleration + potential" : "acceleration",
           row.backend, row.device, s->units, s->lanes);
    if (s->hertz > 0) printf(", clock %.0f MHz", s->hertz * 1e-6);
    printf("\nC_kernel = %.3g us a launch, measured by itself (Miki13: 2.7 "
           "us)\nC_calc and L in %s (Miki13, M2090: 17.2 and 400-800 cycles)\n",
           m->model.launch * 1e6, s->hertz > 0 ? "cycles" : "ns");
}

static koshu_status
add_kernels(struct bench *b, const struct measured *m)
{
    const double hertz = m->points[m->n - 1].shape.hertz;
    const double unit = hertz > 0 ? hertz : 1e9;
    bench_start(b, &kernels, 0);
    for (size_t k = 0; k < m->model.n_kernels; k++) {
        const struct koshu_model_kernel *kernel = &m->model.kernels[k];
        const double both = (double)both_of(m, kernel->name);
        struct kernel_row row = {.base = bench_row(b, 0),
                                 .name = kernel->name,
                                 .points = kernel->points,
                                 .evaluation = kernel->calc * unit,
                                 .calc = kernel->calc / both * unit,
                                 .latency = kernel->latency * unit};
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    struct measured m = {0};
    double worst = 0; /* of the points with n >= 2048 */
    KOSHU_TRY(measure(b, &m));
    if (!b->options->json) print_head(b, &m);
    KOSHU_TRY(add_kernels(b, &m));
    bench_start(b, &table, 0);
    for (size_t k = 0; k < m.n; k++) {
        struct row row = row_of(b, &m, k);
        if (row.base.n >= 2048) worst = fmax(worst, fabs(row.deviation));
        KOSHU_TRY(bench_add(b, &row));
    }
    if (!b->options->json)
        printf("largest deviation for N >= 2048: %.1f%%\n", 100 * worst);
    return KOSHU_OK;
}

static const struct command_option own[] = {
        {"n", 'n', "N,N,...",
         "numbers of particles (1024, 2048, 3072, 4096, ... 1048576 on a GPU, "
         "... 32768 on a CPU)",
         BENCH_OPTION(struct bench_options, n)},
        {0}};

static const struct bench_options defaults = {
        .eps2 = 0.01, .seed = 1, .potential = true};

const struct bench_case bench_model = {
        .name = "model",
        .summary = "Miki et al.'s performance model, fitted and compared",
        .doc = doc,
        .takes = BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_ACCELERATION | BENCH_TAKES_REPEATS,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .rounds = true,
        .run = run,
};
