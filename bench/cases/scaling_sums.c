/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: times of direct sums. */
#include <stdio.h>
#include <unistd.h>

#include <koshu/snapshot.h>

#include "bench/cases/scaling_tree.h"

/* Do all ranks have devices? These start the next sum while others still
 * finish, so several sums are timed in a row, as in a run. */
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
time_sum(const struct bench *b, struct bench_system *system,
         struct bench_timing *timing)
{
    enum { IN_A_ROW = 4 };
    struct bench_work work = {bench_forces, bench_wait, system, b->context};
    bool devices;
    KOSHU_TRY(all_on_devices(b->context, &devices));
    work.max_calls = devices ? IN_A_ROW : 1;
    return bench_time(&work, b->options->repeats, timing);
}

static koshu_status
measure_sum(const struct bench *b, size_t ranks, size_t n, struct scaling *s)
{
    const struct scaling_options *o = b->own;
    struct scaling_point p = {.ranks = (int)ranks, .n = n};
    struct koshu_solver_options solver = bench_solver_options(b);
    struct bench_system system;
    solver.j_capacity = o->capacity;
    solver.transport = o->transport;
    show_progress(s->gpus, ranks, n);
    koshu_status status = bench_system_make(b, n, &solver, NULL, &system);
    if (status == KOSHU_OK) status = time_sum(b, &system, &p.timing);
    bench_system_free(&system);
    if (status == KOSHU_OK && s->n_points < SCALING_POINTS)
        s->points[s->n_points++] = p;
    return status;
}

const struct scaling_point *
scaling_point_of(const struct scaling *s, int ranks, size_t n)
{
    for (size_t k = 0; k < s->n_points; k++)
        if (s->points[k].ranks == ranks && s->points[k].n == n)
            return &s->points[k];
    return NULL;
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
            const bool too_large = t > 0 && n > alone;
            if (!too_large && !scaling_point_of(s, (int)ranks, n))
                KOSHU_TRY(measure_sum(b, ranks, n, s));
        }
    return KOSHU_OK;
}

/* The number of particles of --file; 0: none was given. */
static koshu_status
count_in_file(const struct bench *b, size_t ranks, size_t *n)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    if (b->options->file)
        KOSHU_TRY(koshu_snapshot_inspect(b->context, b->options->file, &info));
    *n = (size_t)info.n;
    if (!b->options->file || *n >= ranks) return KOSHU_OK;
    return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' has %zu particles: fewer than ranks",
                      b->options->file, *n);
}

koshu_status
scaling_steps(const struct bench *b, struct scaling *s)
{
    const size_t alone = ((const struct scaling_options *)b->own)->alone;
    const int ranks = koshu_context_ranks(b->context);
    size_t of_file;
    KOSHU_TRY(count_in_file(b, (size_t)ranks, &of_file));
    for (size_t k = 0; k < s->per_rank.n && s->n_steps < SCALING_POINTS; k++) {
        const size_t n =
                of_file ? of_file : s->per_rank.value[k] * (size_t)ranks;
        if (ranks == 1 && n > alone) continue;
        show_progress(false, (size_t)ranks, n);
        KOSHU_TRY(scaling_step_time(b, n, &s->step[s->n_steps]));
        s->n_steps++;
    }
    return KOSHU_OK;
}
