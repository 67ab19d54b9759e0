/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: times on several ranks, and those of sums. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/cases/scaling.h"

enum { MIN_TIMES = 3, MAX_TIMES = 25 };
static const double long_enough = 0.2; /* seconds */

/* ---- one thing, many times ----------------------------------------------- */

/* From when the last rank begins to when the last has ended. */
static koshu_status
time_once(struct koshu_context *c, koshu_status (*once)(void *), void *user,
          double *seconds)
{
    KOSHU_TRY(koshu_ranks_collective_status(c, KOSHU_OK));
    const double start = koshu_now();
    const koshu_status status = once(user);
    *seconds = koshu_now() - start;
    KOSHU_TRY(koshu_ranks_collective_status(c, status));
    return koshu_largest(c, seconds);
}

koshu_status
scaling_time(struct koshu_context *c, koshu_status (*once)(void *), void *user,
             size_t *repeats, double *seconds)
{
    double first, times[MAX_TIMES];
    KOSHU_TRY(time_once(c, once, user, &first)); /* pages, threads */
    if (first < long_enough) KOSHU_TRY(time_once(c, once, user, &first));
    const double wished = fmin(fmax(long_enough / first, MIN_TIMES), MAX_TIMES);
    const size_t n =
            *repeats > 0 && *repeats < MAX_TIMES ? *repeats : (size_t)wished;
    for (size_t k = 0; k < n; k++)
        KOSHU_TRY(time_once(c, once, user, &times[k]));
    qsort(times, n, sizeof *times, bench_ascending);
    *repeats = n;
    *seconds = times[n / 2];
    return KOSHU_OK;
}

koshu_status
scaling_time_line(struct koshu_context *c, koshu_status (*once)(void *),
                  void *user, size_t *n, size_t first, size_t last,
                  struct scaling_line *line)
{
    struct koshu_fit_point points[SCALING_SIZES];
    for (*n = first; *n <= last; *n *= 4, line->n++) {
        size_t repeats = 0;
        const size_t k = line->n;
        line->x[k] = (double)*n;
        KOSHU_TRY(scaling_time(c, once, user, &repeats, &line->t[k]));
        points[k] = (struct koshu_fit_point){line->x[k], 1, 0, line->t[k]};
    }
    return koshu_least_squares(points, line->n, &line->fit);
}

/* ---- sums ---------------------------------------------------------------- */

/* One sum; of GPUs, that begin with the next meanwhile, some in a row, as a run
 * has them. */
struct sums {
    struct bench_system system;
    int in_a_row;
};

static koshu_status
sum_once(void *user)
{
    struct sums *s = user;
    for (int k = 0; k < s->in_a_row; k++) KOSHU_TRY(bench_forces(&s->system));
    return bench_wait(&s->system);
}

/* Until they take long enough for what is between two of them to be nothing. */
static koshu_status
choose_row(struct koshu_context *c, struct sums *s)
{
    const double longest = 4;
    double seconds;
    s->in_a_row = 1;
    KOSHU_TRY(time_once(c, sum_once, s, &seconds)); /* pages, threads */
    if (seconds < long_enough) KOSHU_TRY(time_once(c, sum_once, s, &seconds));
    s->in_a_row = (int)fmin(fmax(long_enough / seconds, 1), longest);
    return KOSHU_OK;
}

static koshu_status
all_on_devices(struct koshu_context *c, bool *all)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(c, &backend));
    unsigned without = backend->unit[0] == 0;
    KOSHU_TRY(koshu_collective_status(c, KOSHU_OK, &without));
    *all = without == 0;
    return KOSHU_OK;
}

/* On a terminal: a line that the next one replaces. */
static void
show_progress(bool gpus, size_t ranks, size_t n)
{
    if (is_terminal(STDERR_FILENO))
        fprintf(stderr, "\r\033[Kkoshu bench scaling: %zu %s%s, N = %zu", ranks,
                gpus ? "GPU" : "rank", ranks == 1 ? "" : "s", n);
}

static koshu_status
measure_sum(const struct bench *b, size_t ranks, size_t n, struct scaling *s)
{
    struct scaling_point p = {
            .ranks = (int)ranks, .n = n, .repeats = b->options->repeats};
    const struct scaling_options *o = b->own;
    struct koshu_context *c = b->context;
    struct koshu_solver_options solver = bench_solver_options(b);
    struct sums sums = {.in_a_row = 1};
    bool rows = false;
    solver.j_capacity = o->capacity;
    solver.transport = o->transport;
    show_progress(s->gpus, ranks, n);
    koshu_status status = bench_system_make(b, n, &solver, NULL, &sums.system);
    if (status == KOSHU_OK) status = all_on_devices(c, &rows);
    if (status == KOSHU_OK && rows) status = choose_row(c, &sums);
    if (status == KOSHU_OK)
        status = scaling_time(c, sum_once, &sums, &p.repeats, &p.seconds);
    p.seconds /= sums.in_a_row;
    bench_system_free(&sums.system);
    if (status == KOSHU_OK && s->n_points < SCALING_POINTS)
        s->points[s->n_points++] = p;
    return status;
}

/* Has this been measured? */
static bool
has_point(const struct scaling *s, int ranks, size_t n)
{
    for (size_t k = 0; k < s->n_points; k++)
        if (s->points[k].ranks == ranks && s->points[k].n == n) return true;
    return false;
}

koshu_status
scaling_sums(const struct bench *b, size_t ranks, struct scaling *s)
{
    const size_t alone = ((const struct scaling_options *)b->own)->alone;
    const size_t times = ranks == 1 ? s->ranks.n : 1;
    for (size_t t = 0; t < times; t++)
        for (size_t k = 0; k < s->per_rank.n; k++) {
            const size_t of = ranks == 1 ? s->ranks.value[t] : ranks,
                         n = s->per_rank.value[k] * of;
            if (has_point(s, (int)ranks, n) || (t > 0 && n > alone)) continue;
            KOSHU_TRY(measure_sum(b, ranks, n, s));
        }
    return KOSHU_OK;
}
