/* SPDX-License-Identifier: MIT */
/* koshu bench launch: launches, waits and copies (Miki13 Figs. 9 and 10). */
#include <math.h>
#include <stdlib.h>

#include "bench/cases.h"

static const char doc[] =
        "What is spent besides the sums: launches of an empty kernel, waits, "
        "and copies between host and device, each in a series of sizes n, with "
        "the least squares fit t = a + b n of the relative deviations. On "
        "CPUs: OpenMP's parallel regions and barriers.\v"
        "Beside them the constants of Miki et al. 2013, Table 2 and Figs. 9 "
        "and 10, on a Tesla M2090. Copies are of pageable memory, as particles "
        "have it.";

struct options {
    struct bench_options base;
    bool points;
};

static const size_t blocks[] = {1,     16,    256,    1024,    4096,
                                16384, 65536, 262144, 1048576, 0},
                    bytes[] = {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20,
                               1 << 22, 1 << 24, 1 << 26, 0};

/* The kinds of measurements, with their n and the paper's numbers. */
static const struct kind {
    enum koshu_cost what;
    const char *name, *on_device, *on_threads;
    double paper;
    const size_t *n;
} kinds[] = {
        {KOSHU_COST_WAIT, "wait", "waits for nothing", "barriers", 5.93e-7,
         bench_rows_of_calls},
        {KOSHU_COST_LAUNCH, "launch", "launches, then a wait",
         "parallel regions", 2.69e-6, bench_rows_of_calls},
        {KOSHU_COST_LAUNCH_WAIT, "launch_wait", "launches, each with a wait",
         "", 2.72e-6, bench_rows_of_calls},
        {KOSHU_COST_BLOCKS, "blocks", "blocks of one launch",
         "chunks distributed in one region", 0, blocks},
        {KOSHU_COST_TO_DEVICE, "to_device", "bytes copied to the device", "", 0,
         bytes},
        {KOSHU_COST_FROM_DEVICE, "from_device", "bytes copied from the device",
         "", 0, bytes},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], LARGEST_COPY = 1 << 26 };

/* A row: of a line, or of one of its points. */
struct row {
    struct bench_row base; /* n of the point */
    const char *what, *name;
    double a, b, largest; /* of t = a + b n; the largest deviation from it */
    double paper, bandwidth;
    double fitted, deviation; /* of the point */
};

static const struct bench_column line_columns[] = {
        {NULL, "n", "%-32s", ROW(name)},
        {NULL, "a [s]", "%12.3e", ROW(a)},
        {NULL, "b [s]", "%12.3e", ROW(b)},
        {NULL, "worst", "%9.1f%%", ROW(largest), 0, 100},
        {NULL, "GB/s", "%7.2f", ROW(bandwidth)},
        BENCH_BAR(0),
        {NULL, "b [s]", "%10.2e", ROW(paper)},
        {0}};

static const struct bench_column point_columns[] = {
        BENCH_SHOW("n", "%8lld", n),
        {"what", "what", "%-12s", ROW(what)},
        BENCH_SHOW("seconds", "%12.3e", timing.seconds),
        {NULL, "fitted", "%12.3e", ROW(fitted)},
        {NULL, "deviation", "%+9.1f%%", ROW(deviation), 0, 100},
        {"fit_seconds", .field = ROW(a)},
        {"fit_seconds_per_n", .field = ROW(b)},
        {"fit_largest", .field = ROW(largest)},
        {0}};

static const struct bench_table lines = {
        .text_only = true,
        .row_size = sizeof(struct row),
        .columns = line_columns,
        .title = "costs besides the sums: t = a + b n; right: Miki et al. "
                 "2013, Table 2 and Fig. 10, one Tesla M2090",
};
static const struct bench_table points = {
        .row_size = sizeof(struct row),
        .columns = point_columns,
        .figure = {.y_label = "seconds",
                   .x_label = "n",
                   .x = ROW(base.n),
                   .curves = {{"measured", ROW(base.timing.seconds)},
                              {"fit", ROW(fitted)}},
                   .series = ROW(what)},
};

static koshu_status
measure_all(const struct bench *b, struct koshu_backend *backend,
            struct bench_line all[N_KINDS])
{
    void *host = calloc(LARGEST_COPY, 1);
    koshu_status status = KOSHU_OK;
    if (!host) return koshu_fail_memory(b->context, LARGEST_COPY, "copies");
    for (int k = 0; k < N_KINDS && status == KOSHU_OK; k++) {
        struct bench_cost cost = {backend, kinds[k].what, 1, 0, host};
        status = bench_cost_time(&cost, kinds[k].n, b->options->repeats, NULL,
                                 &all[k]);
        if (status == KOSHU_ERROR_UNSUPPORTED) status = KOSHU_OK;
    }
    free(host);
    return status;
}

static struct row
row_of(const struct bench *b, const struct kind *kind,
       const struct bench_line *line, bool device)
{
    return (struct row){
            .base = bench_row(b, 0),
            .what = kind->name,
            .name = device ? kind->on_device : kind->on_threads,
            .a = line->fit.b,
            .b = line->fit.a,
            .largest = line->fit.largest,
            .paper = device && kind->paper > 0 ? kind->paper : NAN,
            .bandwidth = kind->n == bytes ? 1e-9 / line->fit.a : NAN,
    };
}

static koshu_status
add_points(struct bench *b, struct row row, const struct kind *kind,
           const struct bench_line *line)
{
    for (size_t k = 0; k < line->n; k++) {
        row.base.n = kind->n[k];
        row.base.timing = line->timings[k];
        row.base.interactions = NAN;
        row.fitted = row.a + row.b * (double)kind->n[k];
        row.deviation = row.fitted / line->timings[k].seconds - 1;
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

static koshu_status
add_all(struct bench *b, bool device, const struct bench_line all[N_KINDS])
{
    const bool shown = ((const struct options *)b->own)->points;
    struct row rows[N_KINDS];
    bench_start(b, &lines, 0);
    for (int k = 0; k < N_KINDS; k++) {
        rows[k] = row_of(b, &kinds[k], &all[k], device);
        if (all[k].n > 0) KOSHU_TRY(bench_add(b, &rows[k]));
    }
    bench_start(b, &points, shown ? 0 : BENCH_HIDDEN);
    for (int k = 0; k < N_KINDS; k++)
        KOSHU_TRY(add_points(b, rows[k], &kinds[k], &all[k]));
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    struct koshu_backend *backend;
    struct bench_line all[N_KINDS];
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    if (!backend->ops->cost)
        return koshu_fail(
                b->context, KOSHU_ERROR_UNSUPPORTED,
                "backend %s has no costs of launches: use cuda, or cpu",
                backend->ops->name);
    KOSHU_TRY(measure_all(b, backend, all));
    return add_all(b, backend->ops->wait != NULL, all);
}

static const struct command_option own[] = {
        {"points", 0, NULL, "also prints what the lines are fitted to",
         BENCH_OPTION(struct options, points)},
        {0}};

static const struct options defaults = {.base = {.repeats = 20}};

const struct bench_case bench_launch = {
        .name = "launch",
        .items =
                (const struct bench_item[]){
                        {"Miki13", "Table 2", "cost of synchronisation", ""},
                        {"Miki13", "Fig. 9",
                         "synchronisation, against their number",
                         "--points --plot launch.png"},
                        {"Miki13", "Fig. 10", "launches of a kernel",
                         "--points --plot launch.png"},
                        {0}},
        .summary = "costs of launches, of waits and of copies",
        .doc = doc,
        .takes = BENCH_TAKES_THREADS | BENCH_TAKES_REPEATS,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .run = run,
};
