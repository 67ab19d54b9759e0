/* SPDX-License-Identifier: MIT */
/* Times of one call, or of two in turns. */
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/internal.h"

enum { MIN_REPEATS = 5, MAX_REPEATS = 10000, MAX_CALLS = 4096 };
static const double long_enough = 0.5; /* seconds */
static const double clear_of_the_clock = 2e-3;

int
bench_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool
done(size_t repeats, size_t k, double total)
{
    if (repeats > 0) return k >= repeats;
    return k >= MAX_REPEATS || (k >= MIN_REPEATS && total >= long_enough);
}

/* Seconds of so many calls, one after the other. */
static koshu_status
take_time(const struct bench_work *work, size_t calls, double *seconds)
{
    double start = koshu_now();
    for (size_t k = 0; k < calls; k++) KOSHU_TRY(work->once(work->user));
    if (work->wait) KOSHU_TRY(work->wait(work->user));
    *seconds = koshu_now() - start;
    return KOSHU_OK;
}

/* Warms up, and finds out how many calls a measurement needs. */
static koshu_status
warm_up(const struct bench_work *work, size_t *calls)
{
    double seconds;
    *calls = 1;
    KOSHU_TRY(take_time(work, *calls, &seconds));
    while (*calls < MAX_CALLS) {
        KOSHU_TRY(take_time(work, *calls, &seconds));
        if (seconds >= clear_of_the_clock) break;
        *calls *= 2;
    }
    return KOSHU_OK;
}

/* Repeats of one work among several. */
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
    size_t capacity = repeats > 0 ? repeats : MAX_REPEATS, done_repeats = 0;
    struct series series[BENCH_WORKS] = {0};
    koshu_status status = KOSHU_OK;
    double total = 0; /* of the first */
    for (size_t w = 0; status == KOSHU_OK && w < n; w++) {
        series[w].seconds = calloc(capacity, sizeof *series[w].seconds);
        status = series[w].seconds ? warm_up(&works[w], &series[w].calls)
                                   : KOSHU_ERROR_OUT_OF_MEMORY;
    }
    while (status == KOSHU_OK && !done(repeats, done_repeats, total)) {
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
