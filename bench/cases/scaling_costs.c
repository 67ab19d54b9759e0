/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: the time that ranks, or GPUs of one process, take for
 * communication. */
#include <stdio.h>

#include <koshu/ranks.h>

#include "bench/cases/scaling.h"

static const size_t syncs[] = {1, 4, 16, 64, 256, 0};

/* ---- ranks --------------------------------------------------------------- */

enum { COLUMNS = 4, LAST = 1 << 18 };

struct spending {
    struct koshu_context *context;
    size_t n;
    int other;      /* the rank with which it exchanges */
    double *arrays; /* to send and to receive, LAST each */
};

static koshu_status
sync_once(void *user)
{
    const struct spending *s = user;
    for (size_t k = 0; k < s->n; k++)
        KOSHU_TRY(koshu_ranks_collective_status(s->context, KOSHU_OK));
    return KOSHU_OK;
}

static koshu_status
transfer_once(void *user)
{
    const struct spending *s = user;
    struct koshu_message out[COLUMNS], in[COLUMNS];
    const struct koshu_transfer transfer = {{COLUMNS, out}, {COLUMNS, in}};
    for (size_t k = 0; k < COLUMNS; k++) {
        double *const from = s->arrays + k * LAST;
        double *const to = s->arrays + (COLUMNS + k) * LAST;
        out[k] = (struct koshu_message){s->other, from, s->n * sizeof *from};
        in[k] = (struct koshu_message){s->other, to, s->n * sizeof *to};
    }
    KOSHU_TRY(koshu_transfer_start(s->context, &transfer));
    return koshu_transfer_wait(s->context);
}

/* Between the first two ranks in both directions at once, as in a stage. */
static koshu_status
measure_transfer(struct koshu_context *c, struct bench_line *line)
{
    static const size_t sizes[] = {1 << 6,  1 << 8,  1 << 10, 1 << 12,
                                   1 << 14, 1 << 16, LAST,    0};
    struct spending s = {.context = c, .other = 1 - koshu_ranks_rank(c)};
    const struct bench_work work = {transfer_once, NULL, &s, c, 1};
    koshu_status status = KOSHU_OK;
    const size_t n = 2 * (size_t)COLUMNS * LAST;
    s.arrays = koshu_alloc(n, sizeof *s.arrays);
    if (!s.arrays)
        status = koshu_fail_memory(c, n * sizeof *s.arrays, "transfers");
    status = koshu_ranks_collective_status(c, status);
    if (status == KOSHU_OK)
        status = bench_line_time(&work, &s.n, sizes, 0, line);
    koshu_free(s.arrays);
    return status;
}

static koshu_status
costs_of_ranks(struct koshu_context *c, struct scaling *s, size_t k)
{
    struct spending sync = {.context = c};
    const struct bench_work work = {sync_once, NULL, &sync, c, 1};
    KOSHU_TRY(bench_line_time(&work, &sync.n, syncs, 0, &s->sync[k]));
    if (koshu_ranks_count(c) > 2) return KOSHU_OK;
    return measure_transfer(c, &s->transfer);
}

/* ---- GPUs ---------------------------------------------------------------- */

static koshu_status
costs_of_gpus(const struct bench *b, struct scaling *s, size_t k)
{
    static const size_t sizes[] = {1 << 6,  1 << 8,  1 << 10, 1 << 12, 1 << 14,
                                   1 << 16, 1 << 18, 1 << 20, 1 << 22, 0};
    enum { PACKED = 16 }; /* bytes per particle */
    const struct koshu_force_task task = {.precision = b->options->precision};
    const size_t largest =
            s->per_rank.value[s->per_rank.n - 1] * s->ranks.value[k];
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    const enum koshu_exchange scheme =
            backend->ops->exchange(backend, &task, largest);
    s->costs.costs.shared = scheme == KOSHU_EXCHANGE_MUTUAL;
    snprintf(s->exchange, sizeof s->exchange, "%s",
             koshu_exchange_name(scheme));
    struct bench_cost wait = {backend, KOSHU_COST_WAIT, .units = 1},
                      between = {backend, KOSHU_COST_BETWEEN, .units = PACKED};
    KOSHU_TRY(bench_cost_time(&wait, syncs, 0, b->context, &s->sync[k]));
    if (s->transfer.n > 0) return KOSHU_OK;
    return bench_cost_time(&between, sizes, 0, b->context, &s->transfer);
}

koshu_status
scaling_costs(const struct bench *b, struct scaling *s, size_t k)
{
    if (s->ranks.value[k] == 1)
        return bench_launch_cost(b->context, 0, &s->launch);
    return s->gpus ? costs_of_gpus(b, s, k) : costs_of_ranks(b->context, s, k);
}
