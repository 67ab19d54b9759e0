/* SPDX-License-Identifier: MIT */
/* koshu bench interactions: the built-in interaction kernels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases.h"
#include "bench/cases/pipelines.h"

static const char doc[] =
        "The built-in interaction kernels (koshu interact --list), all "
        "particles on each other, particles and results in the host's memory: "
        "time, rate, rate over that of koshu's own kernel where there is one "
        "(koshu_force_direct(), a j-particle store), time to start from "
        "the cache, and errors against double precision of the same "
        "kernel source by ref.\v"
        "Particles are a Plummer sphere; other columns are random numbers of "
        "sensible sizes (bench/cases/pipelines.c). In single precision all "
        "numbers are rounded to float beforehand, for ref too. Errors are "
        "those of a row of results as a vector.";

struct options {
    struct bench_options base;
    const char *only; /* separated by commas; NULL: all */
};

struct row {
    struct bench_row base;
    char name[64];
    struct bench_timing built_in; /* koshu's own kernel; NaN: there is none */
    /* ratio of the rates in the fastest repeats */
    double ratio;
    /* Seconds from the text to the first results for 64 particles, with the
     * compiled object in the cache. */
    double warm_start;
};

static const struct bench_column columns[] = {
        {"interaction", "interaction", "%-22s", ROW(name)},
        BENCH_SHOW("N", "%8lld", n),
        BENCH_SHOW("seconds", "%10.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%9.3e", rate),
        {"ratio", "ratio", "%6.2f", ROW(ratio)},
        {"warm_start", "start [ms]", "%8.1f", ROW(warm_start), 0, 1e3},
        BENCH_SHOW_ERRORS(0),
        {"seconds_built_in", .field = ROW(built_in.seconds)},
        {"seconds_built_in_least", .field = ROW(built_in.least)},
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "Built-in interaction kernels: all particles on each other\n"
                 "ratio: rate over that of koshu's own kernel (fastest "
                 "repeats); "
                 "start: from the text to first\nresults, compiled before",
        .figure = {.y_label = "interactions / s",
                   .curves = {{"koshu", ROW(base.rate)}},
                   .series = ROW(name)},
};

/* From a text that has been compiled before to its results. */
static koshu_status
take_start(const struct pipeline *p, double *seconds)
{
    enum { FEW = 64 };
    struct koshu_interaction *interaction;
    const size_t n = p->n < FEW ? p->n : FEW;
    const double start = koshu_now();
    KOSHU_TRY(pipeline_create(p, p->b->context, p->b->options->precision,
                              &interaction));
    koshu_status status =
            koshu_interaction_evaluate(interaction, n, n, p->i, p->j, p->out);
    *seconds = koshu_now() - start;
    koshu_interaction_destroy(interaction);
    return status;
}

/* The reference for the first n results, in double precision. */
static koshu_status
sum_reference(struct bench *b, const struct pipeline *p, size_t n,
              double *reference)
{
    struct koshu_interaction *interaction;
    struct koshu_context *ref;
    KOSHU_TRY(bench_ref(b, &ref));
    koshu_status status =
            pipeline_create(p, ref, KOSHU_PRECISION_DOUBLE, &interaction);
    if (status == KOSHU_OK) {
        status = koshu_interaction_evaluate(interaction, n, p->n, p->i, p->j,
                                            reference);
        koshu_interaction_destroy(interaction);
    }
    return bench_status_of(b, ref, status);
}

/* If the reference cannot be compiled, times on a GPU are still measured. */
static void
warn_once(const struct bench *b)
{
    static bool warned;
    if (!warned)
        fprintf(stderr, "koshu: without errors: %s\n",
                koshu_context_message(b->context));
    warned = true;
}

static double
error_of(size_t n, const double *out, const double *reference)
{
    double off = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        off = hypot(off, out[k] - reference[k]);
        size = hypot(size, reference[k]);
    }
    return off == 0 ? 0 : off / size;
}

/* The errors of the first particles, for which INDEX_I is the same in the
 * reference. */
static koshu_status
take_errors(struct bench *b, const struct pipeline *p,
            struct bench_errors *errors)
{
    const size_t n = bench_compared_count(b, p->n), m = p->n_outputs;
    if (n == 0) return KOSHU_OK;
    double *reference = calloc(n, (m + 1) * sizeof *reference);
    if (!reference)
        return koshu_fail_memory(b->context, n * (m + 1) * sizeof *reference,
                                 "errors");
    double *error = reference + n * m;
    koshu_status status = sum_reference(b, p, n, reference);
    if (status == KOSHU_OK) {
        for (size_t i = 0; i < n; i++)
            error[i] = error_of(m, p->out + i * m, reference + i * m);
        bench_errors_sort(n, error, errors);
    }
    if (status == KOSHU_ERROR_EXTERNAL) {
        warn_once(b);
        status = KOSHU_OK;
    }
    free(reference);
    return status;
}

static koshu_status
measure(struct bench *b, const char *name, size_t n)
{
    struct row row = {.base = bench_row(b, n)};
    struct bench_timing timings[2];
    struct pipeline p;
    koshu_status status;
    KOSHU_TRY_CLEANUP(pipeline_open(b, name, n, &p));
    KOSHU_TRY_CLEANUP(take_start(&p, &row.warm_start));
    KOSHU_TRY_CLEANUP(pipeline_time(&p, timings));
    KOSHU_TRY_CLEANUP(take_errors(b, &p, &row.base.errors));
    snprintf(row.name, sizeof row.name, "%s", name);
    row.base.timing = timings[0];
    row.built_in = timings[1];
    row.ratio = timings[1].least / timings[0].least;
    status = bench_add(b, &row);
cleanup:
    pipeline_close(&p);
    return status;
}

static bool
is_chosen(const char *name, const char *only)
{
    size_t n = strlen(name);
    if (!only) return true;
    for (const char *at = only; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || !at[n])) return true;
    }
    return false;
}

/* KOSHU_ERROR_NOT_FOUND: --only has a name that does not exist. */
static koshu_status
check_only(struct koshu_context *context, const struct built_in_kernels *g,
           const char *only)
{
    char *names = only ? strdup(only) : NULL, *rest = names, *name;
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK && (name = strsep(&rest, ","))) {
        bool found = false;
        for (size_t k = 0; k < g->n; k++)
            found = found || strcmp(name, g->names[k]) == 0;
        if (!found)
            status = koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                                "--only: there is no interaction '%s' in %s",
                                name, g->directory);
    }
    free(names);
    return status;
}

static koshu_status
run_kernels(struct bench *b, const struct built_in_kernels *g)
{
    const struct count_list *n = &b->options->n;
    const char *only = ((const struct options *)b->own)->only;
    KOSHU_TRY(check_only(b->context, g, only));
    for (size_t k = 0; k < g->n; k++)
        for (size_t i = 0; is_chosen(g->names[k], only) && i < n->n; i++)
            KOSHU_TRY(measure(b, g->names[k], n->value[i]));
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    struct built_in_kernels kernels = {0};
    bench_start(b, &table, 0);
    koshu_status status = built_in_kernels_open(b->context, &kernels);
    if (status == KOSHU_OK) status = run_kernels(b, &kernels);
    built_in_kernels_close(&kernels);
    return status;
}

static void
check(struct argp_state *state, void *options)
{
    const struct bench_options *o = options;
    if (o->precision == KOSHU_PRECISION_MIXED)
        argp_error(state, "--precision: interactions are in single or double");
}

static const struct command_option own[] = {
        {"only", 0, "NAME,...", "these kernels only (all)",
         BENCH_OPTION(struct options, only)},
        {0}};

static const struct options defaults = {
        .base = {.n = {1, {16384}}, .seed = 1, .errors = COMPARED_SAMPLE}};

const struct bench_case bench_interactions = {
        .name = "interactions",
        .summary = "the built-in interaction kernels",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_ERROR | BENCH_TAKES_REPEATS | BENCH_TAKES_SEED,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .run = run,
};
