/* SPDX-License-Identifier: MIT */
/*
 * The time of direct summation over ranks. Names as in Miki13 section 6.2: N' =
 * N / N_GPU particles per rank, t_calc of a chunk, t_sync.
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "performance/performance.h"

double
koshu_rank_calc(const struct koshu_rank_costs *costs, double n_i, double n_j)
{
    return costs->call + costs->pair * fmax(n_i, costs->full) * n_j;
}

double
koshu_rank_sync(const struct koshu_rank_costs *costs, int ranks)
{
    if (ranks < 2) return 0;
    return costs->sync + costs->sync_doubling * log2(ranks);
}

static int
log4_down(int n)
{
    int k = 0;
    for (; n >= 4; n /= 4) k++;
    return k;
}

/* ---- the phases ---------------------------------------------------------- */

/* The state of the prediction. */
struct progress {
    const struct koshu_rank_costs *costs;
    double n_i;
    double newest; /* particles that have arrived but are not summed yet */
    double stream[2];
    int chunks;
    double transfers, waits;
};

/* The own chunk and the first one are in stream 0, then streams alternate. */
static void
sum_newest(struct progress *p)
{
    int stream = p->chunks < 2 ? 0 : (p->chunks - 1) % 2;
    p->stream[stream] += koshu_rank_calc(p->costs, p->n_i, p->newest);
    p->chunks++;
}

static void
stage(struct progress *p, double n_j)
{
    double transfer = p->costs->message + p->costs->particle * n_j;
    double beside = koshu_rank_calc(p->costs, p->n_i, p->newest);
    p->transfers += transfer;
    p->waits += fmax(0, transfer - beside);
    sum_newest(p);
    p->newest = n_j;
}

static void
predict_shared(const struct koshu_rank_costs *costs, size_t n, int ranks,
               struct koshu_rank_estimate *e)
{
    const size_t own = (n + (size_t)ranks - 1) / (size_t)ranks;
    const double others = ranks - 1,
                 positions = (double)(n - n / (size_t)ranks);
    const double parts = 2 * others * (double)own;
    *e = (struct koshu_rank_estimate){.group = ranks, .per_rank = own};
    e->sums = koshu_rank_calc(costs, (double)n / ranks, (double)n);
    if (ranks > 1)
        e->waits = 2 * costs->message + costs->particle * (positions + parts);
    e->sync = koshu_rank_sync(costs, ranks);
}

static void
predict_exchanged(const struct koshu_rank_costs *costs, size_t n, int ranks,
                  struct koshu_rank_estimate *e)
{
    size_t own = (n + (size_t)ranks - 1) / (size_t)ranks;
    struct progress p = {
            .costs = costs, .n_i = (double)own, .newest = (double)own};
    bool both = costs->streams > 1 && (double)own < costs->full;
    *e = (struct koshu_rank_estimate){.group = 1, .per_rank = own};
    while (ranks % (2 * e->group) == 0 &&
           2 * (size_t)e->group * own <= costs->capacity) {
        stage(&p, (double)own * e->group);
        e->group *= 2;
        e->stages++;
    }
    for (int done = e->group; done < ranks; done += e->group, e->rings++)
        stage(&p, (double)own * e->group);
    sum_newest(&p);
    e->sums = both ? fmax(p.stream[0], p.stream[1]) : p.stream[0] + p.stream[1];
    e->waits = both ? fmax(0, p.transfers - e->sums) : p.waits;
    e->sync = koshu_rank_sync(costs, ranks) * (both ? log4_down(ranks) : 1);
}

void
koshu_rank_predict(const struct koshu_rank_costs *costs, size_t n, int ranks,
                   struct koshu_rank_estimate *estimate)
{
    struct koshu_rank_estimate *e = estimate;
    if (costs->shared)
        predict_shared(costs, n, ranks, e);
    else
        predict_exchanged(costs, n, ranks, e);
    e->seconds = e->sums + e->waits + e->sync;
    e->alone = koshu_rank_calc(costs, (double)n, (double)n);
}

/* ---- fitting ------------------------------------------------------------- */

static koshu_status
fit_with(const struct koshu_rank_point *points, size_t n, double full,
         struct koshu_fit_point *scratch, struct koshu_fit *fit)
{
    for (size_t k = 0; k < n; k++) {
        double x = (double)points[k].n;
        scratch[k] = (struct koshu_fit_point){fmax(x, full) * x, 1, 0,
                                              points[k].seconds};
    }
    return koshu_least_squares(scratch, n, fit);
}

/* Pairs of a sum of n particles on each other, on a rank that is filled. */
static double
work_of(const struct koshu_rank_costs *costs, size_t n)
{
    return fmax((double)n, costs->full) * (double)n;
}

/* Fits pair to the longest sums alone, with call and full fixed: their
 * deviations matter more than those of short sums. */
static void
fit_pair_again(const struct koshu_rank_point *points, size_t n,
               struct koshu_rank_costs *costs)
{
    const size_t range = 4; /* of the largest N */
    size_t largest = 0;
    double products = 0, squares = 0;
    for (size_t k = 0; k < n; k++)
        if (points[k].n > largest) largest = points[k].n;
    for (size_t k = 0; k < n; k++) {
        const double t = points[k].seconds;
        const double x = work_of(costs, points[k].n) / t;
        if (points[k].n < largest / range) continue;
        products += x * (1 - costs->call / t);
        squares += x * x;
    }
    if (products > 0) costs->pair = products / squares;
}

static double
largest_deviation(const struct koshu_rank_point *points, size_t n,
                  const struct koshu_rank_costs *costs)
{
    double largest = 0;
    for (size_t k = 0; k < n; k++) {
        const double t =
                costs->call + costs->pair * work_of(costs, points[k].n);
        largest = fmax(largest, fabs(t / points[k].seconds - 1));
    }
    return largest;
}

koshu_status
koshu_rank_fit_sums(const struct koshu_rank_point *points, size_t n,
                    struct koshu_rank_costs *costs, double *largest)
{
    const double first = 256, last = 1 << 20, factor = 1.09050773; /* 2^(1/8) */
    struct koshu_fit_point *scratch = calloc(n ? n : 1, sizeof *scratch);
    struct koshu_fit fit;
    if (!scratch) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status = KOSHU_OK;
    *largest = INFINITY;
    for (double full = 0; full < last && status == KOSHU_OK;
         full = full > 0 ? full * factor : first) {
        status = fit_with(points, n, full, scratch, &fit);
        if (status != KOSHU_OK || fit.largest >= *largest) continue;
        *largest = fit.largest;
        costs->pair = fit.a;
        costs->call = fit.b;
        costs->full = full;
    }
    free(scratch);
    KOSHU_TRY(status);
    fit_pair_again(points, n, costs);
    *largest = largest_deviation(points, n, costs);
    return KOSHU_OK;
}
