/* SPDX-License-Identifier: MIT */
/* Times of a series of sizes, with the line t = a n + b through them. */
#ifndef KOSHU_BENCH_LINES_H
#define KOSHU_BENCH_LINES_H

#include "bench/bench.h"
#include "bench/internal.h"

enum { BENCH_SIZES = 12 };
struct bench_line {
    size_t n; /* 0: there is no such thing */
    struct bench_timing timings[BENCH_SIZES];
    struct koshu_fit fit;
};

/* The work for each of the sizes, of which the last is 0; it reads them in *n.
 */
KOSHU_MUST_CHECK koshu_status bench_line_time(const struct bench_work *work,
                                              size_t *n, const size_t *sizes,
                                              size_t repeats,
                                              struct bench_line *line);

/* What a backend spends on n of something, each of so many units. */
struct bench_cost {
    struct koshu_backend *backend;
    enum koshu_cost what;
    size_t units, n;
    void *host; /* memory to copy from and to */
};

/* The same of such a cost. KOSHU_ERROR_UNSUPPORTED: the backend has none. */
KOSHU_MUST_CHECK koshu_status bench_cost_time(struct bench_cost *cost,
                                              const size_t *sizes,
                                              size_t repeats,
                                              struct koshu_context *ranks,
                                              struct bench_line *line);

/* Seconds of one more launch (threads: parallel region) in a row of them; 0
 * where the backend has none. repeats 0: 20. */
KOSHU_MUST_CHECK koshu_status bench_launch_cost(struct koshu_context *context,
                                                size_t repeats,
                                                double *seconds);

/* Sizes of rows of launches and of waits. */
extern const size_t bench_rows_of_calls[];

#endif
