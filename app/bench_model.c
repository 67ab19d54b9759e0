/* SPDX-License-Identifier: MIT */
/* koshu bench model: Miki13's performance model, fitted to measured times. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "internal.h"

static const char doc[] =
        "The performance model of Miki et al. 2013, eqs. (2)-(5), fitted to "
        "the times of direct summation of N particles on each other: cycles of "
        "an interaction C_calc and latency L of each kernel, the launch "
        "C_kernel measured by itself; then predicted against measured time for "
        "each N.\v"
        "docs/performance-model.md derives the formula.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_ACCELERATION = 256,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0,
         "numbers of particles (1024, 2048, 3072, 4096, ... 1048576 on a GPU, "
         "... 32768 on a CPU)",
         0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (single)",
         0},
        OPTION_BACKEND,
        OPTION_THREADS,
        {"acceleration-only", KEY_ACCELERATION, NULL, 0,
         "without the potential", 0},
        OPTION_REPEATS,
        OPTION_JSON,
        {0}};

struct model_options {
    size_t n[BENCH_LIST], n_count; /* 0: as many as suit the backend */
    struct bench_problem problem;
    const char *backend;
    int threads;
    size_t repeats;
    bool json;
};

/* What was measured, and where. */
struct measured {
    const struct koshu_backend *backend;
    struct koshu_model_point points[BENCH_LIST];
    size_t repeats[BENCH_LIST];
    size_t n;
    struct koshu_time_model model;
};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct model_options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_PRECISION:
        o->problem.precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_ACCELERATION: o->problem.potential = false; return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* 1024, 2048, and from there powers of two and their halfway marks. */
static void
choose_n(struct model_options *o, size_t last)
{
    if (o->n_count > 0) return;
    o->n[o->n_count++] = 1024;
    for (size_t n = 2048; n <= last; n *= 2) {
        o->n[o->n_count++] = n;
        if (n < last) o->n[o->n_count++] = n + n / 2;
    }
}

/* ---- measuring ----------------------------------------------------------- */

static koshu_status
measure_n(struct koshu_context *context, struct koshu_backend *backend,
          const struct model_options *o, struct koshu_model_point *point,
          size_t *repeats)
{
    const struct koshu_force_task task = {
            .precision = o->problem.precision,
            .eps = sqrt(o->problem.eps2),
            .potential = o->problem.potential,
    };
    struct bench_forces forces;
    struct bench_timing timing;
    koshu_status status;
    if (!backend->ops->shape)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "the model is of one GPU, and devices %s are several",
                          koshu_context_devices(context));
    KOSHU_TRY_CLEANUP(
            bench_forces_make_of(context, &o->problem, point->n, &forces));
    KOSHU_TRY_CLEANUP(bench_forces_time(&forces, o->repeats, &timing));
    KOSHU_TRY_CLEANUP(
            backend->ops->shape(backend, &task, point->n, &point->shape));
    point->seconds = timing.seconds;
    *repeats = timing.repeats;
cleanup:
    bench_forces_free(&forces);
    return status;
}

static koshu_status
measure(struct koshu_context *context, struct model_options *o,
        struct measured *m)
{
    struct koshu_backend *backend;
    double launch;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    m->backend = backend;
    KOSHU_TRY(bench_launch_cost(context, o->repeats, &launch));
    choose_n(o, backend->ops->force_store ? 1048576 : 32768);
    for (m->n = 0; m->n < o->n_count; m->n++) {
        m->points[m->n].n = o->n[m->n];
        KOSHU_TRY(measure_n(context, backend, o, &m->points[m->n],
                            &m->repeats[m->n]));
    }
    return koshu_model_fit(m->points, m->n, launch, &m->model);
}

/* ---- text -----------------------------------------------------------------
 */

static double
deviation(const struct measured *m, size_t k)
{
    const struct koshu_model_point *p = &m->points[k];
    return koshu_model_predict(&m->model, &p->shape) / p->seconds - 1;
}

/* Largest, of the points with n >= from. */
static double
worst(const struct measured *m, size_t from)
{
    double largest = 0;
    for (size_t k = 0; k < m->n; k++)
        if (m->points[k].n >= from)
            largest = fmax(largest, fabs(deviation(m, k)));
    return largest;
}

/* A time in cycles of the unit's clock, where that is known. */
static void
print_time(double seconds, double hertz)
{
    if (hertz > 0)
        printf(" %12.2f", seconds * hertz);
    else
        printf(" %12.4g", seconds * 1e9);
}

static size_t
both_of(const struct measured *m, const char *kernel)
{
    for (size_t k = 0; k < m->n; k++)
        if (strcmp(m->points[k].shape.kernel, kernel) == 0)
            return m->points[k].shape.both;
    return 1;
}

static void
print_constants(const struct measured *m)
{
    const struct koshu_force_shape *s = &m->points[m->n - 1].shape;
    const char *unit = s->hertz > 0 ? "cycles" : "ns";
    printf("N_SM = %zu, N_core = %zu", s->units, s->lanes);
    if (s->hertz > 0) printf(", clock %.0f MHz", s->hertz * 1e-6);
    printf("\nC_kernel = %.3g us a launch, measured by itself (Miki13: 2.7 "
           "us)\n"
           "\n%-20s %6s %12s %12s %12s  [%s]\n",
           m->model.launch * 1e6, "kernel", "points", "evaluation", "C_calc",
           "L", unit);
    for (size_t k = 0; k < m->model.n_kernels; k++) {
        const struct koshu_model_kernel *kernel = &m->model.kernels[k];
        printf("%-20s %6zu", kernel->name, kernel->points);
        print_time(kernel->calc, s->hertz);
        print_time(kernel->calc / (double)both_of(m, kernel->name), s->hertz);
        print_time(kernel->latency, s->hertz);
        putchar('\n');
    }
    printf("%-20s %6s %12s %12s %12s  [cycles]\n\n", "Miki13 (M2090)", "", "",
           "17.2", "400-800");
}

static void
print_points(const struct measured *m)
{
    printf("%8s %-20s %7s %5s %9s %12s %12s %9s\n", "N", "kernel", "B_tot",
           "B_SM", "tiles", "measured", "predicted", "deviation");
    for (size_t k = 0; k < m->n; k++) {
        const struct koshu_model_point *p = &m->points[k];
        printf("%8zu %-20s %7zu %5zu %9.2f %12.4e %12.4e %+8.1f%%\n", p->n,
               p->shape.kernel, p->shape.blocks, p->shape.at_once,
               p->shape.tiles, p->seconds,
               koshu_model_predict(&m->model, &p->shape),
               100 * deviation(m, k));
    }
    printf("largest deviation for N >= 2048: %.1f%%\n", 100 * worst(m, 2048));
}

static void
print_text(const struct model_options *o, const struct measured *m)
{
    printf("Miki et al. 2013, eqs. (2)-(5), for direct summation, %s "
           "precision, %s\nbackend %s: %s\n",
           koshu_precision_name(o->problem.precision),
           o->problem.potential ? "acceleration + potential" : "acceleration",
           m->backend->ops->name, m->backend->device);
    print_constants(m);
    print_points(m);
}

/* ---- JSON -----------------------------------------------------------------
 */

static json_t *
kernel_json(const struct measured *m, const char *name)
{
    const struct koshu_model_kernel *k = m->model.kernels;
    while (strcmp(k->name, name) != 0) k++;
    return json_pack("{s:s, s:f, s:f, s:I}", "name", k->name, "calc_seconds",
                     k->calc, "latency_seconds", k->latency, "points",
                     (json_int_t)k->points);
}

static void
print_json(const struct model_options *o, const struct measured *m)
{
    for (size_t k = 0; k < m->n; k++) {
        const struct koshu_model_point *p = &m->points[k];
        const struct koshu_force_shape *s = &p->shape;
        double n = (double)p->n;
        bench_print_json(json_pack(
                "{s:s, s:s, s:s, s:s, s:b, s:I, s:f, s:I, s:f, s:f, s:f, s:f, "
                "s:o, s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:b, s:I, s:o}",
                "bench", "model", "backend", m->backend->ops->name, "device",
                m->backend->device, "precision",
                koshu_precision_name(o->problem.precision), "potential",
                (int)o->problem.potential, "n", (json_int_t)p->n, "seconds",
                p->seconds, "repeats", (json_int_t)m->repeats[k],
                "interactions_per_s", n * n / p->seconds, "predicted",
                koshu_model_predict(&m->model, s), "deviation", deviation(m, k),
                "launch_seconds", m->model.launch, "hertz",
                s->hertz > 0 ? json_real(s->hertz) : json_null(), "units",
                (json_int_t)s->units, "lanes", (json_int_t)s->lanes, "blocks",
                (json_int_t)s->blocks, "at_once", (json_int_t)s->at_once,
                "tiles", s->tiles, "evaluations", s->evaluations, "both",
                (json_int_t)s->both, "launches", (json_int_t)s->launches,
                "overlapped", (int)s->overlapped, "joins", (json_int_t)s->joins,
                "kernel", kernel_json(m, s->kernel)));
    }
}

int
bench_model(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct model_options o = {.problem = {.precision = KOSHU_PRECISION_SINGLE,
                                          .eps2 = 0.01,
                                          .seed = 1,
                                          .potential = true}};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (!context) return EXIT_USAGE;
    struct measured m = {0};
    int code = report(context, measure(context, &o, &m));
    if (code == EXIT_DONE) (o.json ? print_json : print_text)(&o, &m);
    koshu_context_destroy(context);
    return code;
}
