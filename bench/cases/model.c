/* SPDX-License-Identifier: MIT */
/* koshu bench model: Miki13's performance model, fitted to measured times. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cases.h"

static const char doc[] =
        "The performance model of Miki et al. 2013, eqs. (2)-(5), fitted to "
        "the times of direct summation of N particles on each other: cycles of "
        "an interaction C_calc and latency L of each kernel, the launch "
        "C_kernel measured by itself; then predicted against measured time for "
        "each N.\v"
        "docs/performance-model.md derives the formula.";

/* A kernel of the fit, in cycles if the clock is known, else in ns. */
struct kernel_row {
    struct bench_row base;
    struct koshu_model_kernel kernel;
    double evaluation, calc, latency;
};

static const struct bench_column kernel_columns[] = {
        {NULL, "kernel", "%-20s", BENCH_ROW(struct kernel_row, kernel.name)},
        {NULL, "points", "%6lld", BENCH_ROW(struct kernel_row, kernel.points)},
        {NULL, "evaluation", "%12.4g",
         BENCH_ROW(struct kernel_row, evaluation)},
        {NULL, "C_calc", "%12.4g", BENCH_ROW(struct kernel_row, calc)},
        {NULL, "L", "%12.4g", BENCH_ROW(struct kernel_row, latency)},
        {0}};

/* A row: an N, and the kernel used for it. */
struct row {
    struct bench_row base;
    struct koshu_force_shape shape;
    struct koshu_model_kernel kernel;
    double predicted, deviation, launch_seconds, hertz;
};

#define SHAPE(member) ROW(shape.member)
static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"kernel.name", "kernel", "%-20s", ROW(kernel.name)},
        {"blocks", "B_tot", "%7lld", SHAPE(blocks)},
        {"at_once", "B_SM", "%5lld", SHAPE(at_once)},
        {"tiles", "tiles", "%9.2f", SHAPE(tiles)},
        BENCH_SHOW("measured", "%12.4e", timing.seconds),
        {"predicted", "predicted", "%12.4e", ROW(predicted)},
        {"deviation", "deviation", "%+8.1f%%", ROW(deviation), 0, 100},
        {"kernel.calc_seconds", .field = ROW(kernel.calc)},
        {"kernel.latency_seconds", .field = ROW(kernel.latency)},
        {"kernel.points", .field = ROW(kernel.points)},
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

struct measured {
    size_t n;
    struct koshu_model_point points[MAX_LIST];
    struct row rows[MAX_LIST];
    struct koshu_time_model model;
};

/* 1024, 2048, and from there powers of two and their halfway points. */
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

/* Measures a row. */
static koshu_status
measure_n(const struct bench *b, struct koshu_backend *backend, size_t n,
          struct row *row)
{
    const struct bench_options *o = b->options;
    const struct koshu_force_task task = {.precision = o->precision,
                                          .eps = sqrt(o->eps2),
                                          .potential = o->potential};
    struct bench_system system;
    const struct bench_work work = {bench_forces, bench_wait, &system};
    koshu_status status;
    row->base = bench_row(b, n);
    KOSHU_TRY_CLEANUP(bench_system_make(b, n, NULL, NULL, &system));
    KOSHU_TRY_CLEANUP(bench_time(&work, o->repeats, &row->base.timing));
    status = backend->ops->shape(backend, &task, n, &row->shape);
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
    if (backend->group_model[0])
        return koshu_fail(b->context, KOSHU_ERROR_UNSUPPORTED,
                          "the model is of one GPU, and devices %s are several",
                          koshu_context_devices(b->context));
    KOSHU_TRY(bench_launch_cost(b->context, b->options->repeats, &launch));
    const struct count_list n =
            choose_n(b, backend->ops->force_store ? 1048576 : 32768);
    for (m->n = 0; m->n < n.n; m->n++) {
        struct row *row = &m->rows[m->n];
        KOSHU_TRY(measure_n(b, backend, n.value[m->n], row));
        m->points[m->n] = (struct koshu_model_point){n.value[m->n], row->shape,
                                                     row->base.timing.seconds};
    }
    return koshu_model_fit(m->points, m->n, launch, &m->model);
}

/* Sets the model's prediction for a row. */
static void
predict(const struct koshu_time_model *model, struct row *row)
{
    const struct koshu_force_shape *shape = &row->shape;
    const struct koshu_model_kernel *kernel = model->kernels;
    while (strcmp(kernel->name, shape->kernel) != 0) kernel++;
    row->kernel = *kernel;
    row->predicted = koshu_model_predict(model, shape);
    row->deviation = row->predicted / row->base.timing.seconds - 1;
    row->launch_seconds = model->launch;
    /* infinite: JSON has null where it is unknown */
    row->hertz = shape->hertz > 0 ? shape->hertz : INFINITY;
}

/* The number of interactions in an evaluation. */
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
                                 .kernel = *kernel,
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
    double worst = 0; /* deviation among the points with n >= 2048 */
    KOSHU_TRY(measure(b, &m));
    if (!b->options->json) print_head(b, &m);
    KOSHU_TRY(add_kernels(b, &m));
    bench_start(b, &table, 0);
    for (size_t k = 0; k < m.n; k++) {
        struct row *row = &m.rows[k];
        predict(&m.model, row);
        if (row->base.n >= 2048) worst = fmax(worst, fabs(row->deviation));
        KOSHU_TRY(bench_add(b, row));
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
