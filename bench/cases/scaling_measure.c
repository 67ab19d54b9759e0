/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: measures on each number of ranks, and fits the costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <koshu/ranks.h>

#include "bench/cases/scaling.h"

enum { PAPER_CAPACITY = 1 << 24 };

/* On the ranks, or GPUs, of b->context. */
static koshu_status
measure(const struct bench *b, struct scaling *s, size_t k)
{
    KOSHU_TRY(s->step ? scaling_steps(b, s)
                      : scaling_sums(b, s->ranks.value[k], s));
    return scaling_costs(b, s, k);
}

/* ---- GPUs of this process ------------------------------------------------ */

/* A context with n GPUs. */
static koshu_status
make_context_on(const struct bench *b, size_t n, struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    int number[KOSHU_MAX_DEVICES];
    char text[8 * KOSHU_MAX_DEVICES] = "", *end = text;
    scaling_gpus(b->context, number);
    for (size_t k = 0; k < n; k++)
        end += snprintf(end, 8, "%s%d", k ? "," : "", number[k]);
    options.backend = "cuda";
    options.devices = text;
    options.exchange = ((const struct scaling_options *)b->own)->exchange;
    options.threads = koshu_context_threads(b->context);
    const koshu_status status = koshu_context_create(&options, context);
    return bench_status_of(b, NULL, status);
}

static koshu_status
measure_gpus(const struct bench *b, struct scaling *s, size_t k)
{
    struct bench part = *b;
    KOSHU_TRY(make_context_on(b, s->ranks.value[k], &part.context));
    const koshu_status status =
            bench_status_of(b, part.context, measure(&part, s, k));
    koshu_context_destroy(part.context);
    return status;
}

/* ---- ranks --------------------------------------------------------------- */

/* Measures on the first ranks, while the others sleep. */
static koshu_status
measure_first(const struct bench *b, struct scaling *s, size_t k)
{
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *whole = b->context;
    struct bench part = *b;
    const int n = (int)s->ranks.value[k];
    options.backend = b->options->backend;
    options.threads = koshu_context_threads(whole);
    koshu_status status = koshu_context_create(&options, &part.context);
    KOSHU_TRY(koshu_ranks_collective_status(whole, status));
    status = koshu_split(whole, koshu_ranks_rank(whole) < n ? 0 : -1,
                         part.context);
    if (status == KOSHU_OK && koshu_ranks_rank(whole) < n) {
        status = bench_status_of(b, part.context, measure(&part, s, k));
        snprintf(s->transport, sizeof s->transport, "%s",
                 koshu_ranks_transport(part.context));
    }
    koshu_context_destroy(part.context);
    KOSHU_TRY(koshu_wait_for_all(whole));
    return koshu_ranks_collective_status(whole, status);
}

/* ---- costs --------------------------------------------------------------- */

static koshu_status
fit_sums(struct scaling *s)
{
    struct koshu_rank_point points[SCALING_POINTS];
    size_t n = 0;
    for (size_t k = 0; k < s->n_points; k++)
        if (s->points[k].ranks == 1)
            points[n++] = (struct koshu_rank_point){
                    s->points[k].n, s->points[k].timing.seconds};
    return koshu_rank_fit_sums(points, n, &s->costs.costs, &s->largest);
}

/* Fits a line to the t_sync of each number of ranks against its logarithm,
 * except where other programs have disturbed the measurement. For more than two
 * GPUs, the fit uses one and two only, so that the rest is predicted. */
static koshu_status
fit_sync(struct scaling *s)
{
    struct koshu_fit_point points[MAX_LIST];
    struct koshu_fit fit = {0};
    size_t n = 0;
    for (size_t k = 0; k < s->ranks.n; k++)
        if (s->sync[k].n > 0 && s->sync[k].fit.a > 0 &&
            (!s->gpus || n == 0 || s->ranks.value[k] <= 2))
            points[n++] = (struct koshu_fit_point){
                    log2((double)s->ranks.value[k]), 1, 0, s->sync[k].fit.a};
    if (n > 0) KOSHU_TRY(koshu_least_squares(points, n, &fit));
    s->costs.costs.sync_doubling = fit.a;
    s->costs.costs.sync = fit.b;
    return KOSHU_OK;
}

static koshu_status
fit(const struct bench *b, struct scaling *s)
{
    const struct scaling_options *o = b->own;
    struct koshu_rank_costs *c = &s->costs.costs;
    const struct bench_row row = bench_row(b, 0);
    if (!s->step) KOSHU_TRY(fit_sums(s));
    KOSHU_TRY(fit_sync(s));
    c->particle = s->transfer.fit.a;
    c->message = s->transfer.fit.b;
    c->streams = 1;
    c->capacity = o->capacity > 0 ? o->capacity : PAPER_CAPACITY;
    s->costs.ranks = s->gpus ? (int)s->ranks.value[s->ranks.n - 1]
                             : koshu_ranks_count(b->context);
    snprintf(s->costs.device, sizeof s->costs.device, "%s: %s", row.backend,
             row.device);
    snprintf(s->costs.precision, sizeof s->costs.precision, "%s",
             row.precision);
    return KOSHU_OK;
}

koshu_status
scaling_measure(const struct bench *b, struct scaling *s)
{
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const long ranks_here = here ? strtol(here, NULL, 10) : 1;
    s->crowded = ranks_here * koshu_context_threads(b->context) >
                 sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t k = 0; k < s->ranks.n; k++)
        KOSHU_TRY(s->gpus ? measure_gpus(b, s, k) : measure_first(b, s, k));
    koshu_status status = KOSHU_OK;
    if (is_terminal(STDERR_FILENO)) fputs("\r\033[K", stderr);
    if (koshu_ranks_rank(b->context) == 0) status = fit(b, s);
    return koshu_ranks_collective_status(b->context, status);
}
