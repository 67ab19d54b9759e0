/* SPDX-License-Identifier: MIT */
/* Times for series of sizes. */
#include "bench/bench.h"

const size_t bench_rows_of_calls[] = {1, 4, 16, 64, 256, 1024, 0};

koshu_status
bench_line_time(const struct bench_work *work, size_t *n, const size_t *sizes,
                size_t repeats, struct bench_line *line)
{
    struct koshu_fit_point points[BENCH_SIZES];
    for (line->n = 0; line->n < BENCH_SIZES && sizes[line->n]; line->n++) {
        struct bench_timing *timing = &line->timings[line->n];
        *n = sizes[line->n];
        KOSHU_TRY(bench_time(work, repeats, timing));
        points[line->n] =
                (struct koshu_fit_point){(double)*n, 1, 0, timing->seconds};
    }
    return koshu_least_squares(points, line->n, &line->fit);
}

static koshu_status
spend(void *user)
{
    struct bench_cost *c = user;
    return c->backend->ops->cost(c->backend, c->what, c->n * c->units, c->host);
}

koshu_status
bench_cost_time(struct bench_cost *cost, const size_t *sizes, size_t repeats,
                struct koshu_context *ranks, struct bench_line *line)
{
    const struct bench_work work = {spend, NULL, cost, ranks, ranks ? 1 : 0};
    const koshu_status status =
            bench_line_time(&work, &cost->n, sizes, repeats, line);
    if (status == KOSHU_ERROR_UNSUPPORTED) line->n = 0;
    return status;
}

koshu_status
bench_launch_cost(struct koshu_context *context, size_t repeats,
                  double *seconds)
{
    struct bench_cost cost = {.what = KOSHU_COST_LAUNCH, .units = 1};
    struct bench_line line;
    *seconds = 0;
    KOSHU_TRY(koshu_backend_of(context, &cost.backend));
    if (!cost.backend->ops->cost) return KOSHU_OK;
    KOSHU_TRY(bench_cost_time(&cost, bench_rows_of_calls,
                              repeats ? repeats : 20, NULL, &line));
    *seconds = line.fit.a;
    return KOSHU_OK;
}
