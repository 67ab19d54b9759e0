/* SPDX-License-Identifier: MIT */
/* Times calls of one work, or of several in turns. */
#include <stdlib.h>

#include <koshu/ranks.h>

#include "bench/bench.h"

/* Limits where no repeats are given: the total seconds, the smallest and
 * largest number of measurements, and the seconds that the calls of a
 * measurement should take. */
static const struct limits {
    double seconds;
    size_t min, max;
    double call_seconds;
} alone = {0.5, 5, 10000, 2e-3}, of_ranks = {0.2, 3, 25, 0.2};
enum { MAX_CALLS = 4096 };

static const struct limits *
limits_of(const struct bench_work *work)
{
    return work->ranks ? &of_ranks : &alone;
}

int
bench_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool
done(const struct limits *l, size_t repeats, size_t k, double total)
{
    if (repeats > 0) return k >= repeats;
    return k >= l->max || (k >= l->min && total >= l->seconds);
}

static koshu_status
call(const struct bench_work *work, size_t calls)
{
    for (size_t k = 0; k < calls; k++) KOSHU_TRY(work->once(work->user));
    return work->wait ? work->wait(work->user) : KOSHU_OK;
}

/* Seconds of so many calls in a row; on ranks, from when the last one starts to
 * when the last has finished. */
static koshu_status
take_time(const struct bench_work *work, size_t calls, double *seconds)
{
    if (work->ranks)
        KOSHU_TRY(koshu_ranks_collective_status(work->ranks, KOSHU_OK));
    const double start = koshu_now();
    const koshu_status status = call(work, calls);
    *seconds = koshu_now() - start;
    if (!work->ranks) return status;
    KOSHU_TRY(koshu_ranks_collective_status(work->ranks, status));
    return koshu_largest(work->ranks, seconds);
}

/* Warms up, and finds out how many calls a measurement needs. */
static koshu_status
warm_up(const struct bench_work *work, size_t *calls)
{
    const size_t max = work->max_calls ? work->max_calls : MAX_CALLS;
    double seconds;
    *calls = 1;
    KOSHU_TRY(take_time(work, *calls, &seconds));
    while (*calls < max) {
        KOSHU_TRY(take_time(work, *calls, &seconds));
        if (seconds >= limits_of(work)->call_seconds) break;
        *calls *= 2;
    }
    return KOSHU_OK;
}

/* The repeats of one work among several. */
struct series {
    double *seconds;
    size_t calls;
};

static struct bench_timing
timing_of(const struct series *s, size_t repeats)
{
    double per_call = 1.0 / (double)s->calls;
    qsort(s->seconds, repeats, sizeof *s->seconds, bench_ascending);
    return (struct bench_timing){s->seconds[repeats / 2] * per_call,
                                 s->seconds[0] * per_call, repeats};
}

koshu_status
bench_times(size_t n, const struct bench_work *works, size_t repeats,
            struct bench_timing *timings)
{
    const struct limits *limits = limits_of(&works[0]);
    size_t capacity = repeats > 0 ? repeats : limits->max, done_repeats = 0;
    struct series series[BENCH_WORKS] = {0};
    koshu_status status = KOSHU_OK;
    double total = 0; /* of the first work */
    for (size_t w = 0; status == KOSHU_OK && w < n; w++) {
        series[w].seconds = calloc(capacity, sizeof *series[w].seconds);
        status = series[w].seconds ? warm_up(&works[w], &series[w].calls)
                                   : KOSHU_ERROR_OUT_OF_MEMORY;
    }
    while (status == KOSHU_OK && !done(limits, repeats, done_repeats, total)) {
        for (size_t w = 0; status == KOSHU_OK && w < n; w++)
            status = take_time(&works[w], series[w].calls,
                               &series[w].seconds[done_repeats]);
        total += series[0].seconds[done_repeats++];
    }
    for (size_t w = 0; w < n; w++) {
        if (status == KOSHU_OK)
            timings[w] = timing_of(&series[w], done_repeats);
        free(series[w].seconds);
    }
    return status;
}

koshu_status
bench_time(const struct bench_work *work, size_t repeats,
           struct bench_timing *timing)
{
    return bench_times(1, work, repeats, timing);
}
