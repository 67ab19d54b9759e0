/* SPDX-License-Identifier: MIT */
/* Divides sums at many targets among the ranks. */
#include "vortex/ranks.h"

#include <string.h>

#include "base/base.h"
#include "devices/devices.h"

koshu_status
koshu_vortex_alloc(struct koshu_context *context, size_t n, const char *purpose,
                   double **numbers)
{
    double *own = koshu_alloc(n, sizeof *own);
    koshu_status status = KOSHU_OK;
    if (!own) status = koshu_fail_memory(context, n * sizeof *own, purpose);
    status = koshu_ranks_collective_status(context, status);
    if (status != KOSHU_OK) {
        koshu_free(own);
        own = NULL;
    }
    *numbers = own;
    return status;
}

/* This rank's part of the targets, and its buffers. */
struct partition {
    struct koshu_context *context;
    size_t rows, n;
    struct koshu_slice own;
    size_t *of; /* number of targets of each rank */
    double *x, *sums;
};

static koshu_status
open_partition(struct partition *s)
{
    const int ranks = koshu_context_ranks(s->context);
    s->own = koshu_slice_of(s->n, koshu_context_rank(s->context), ranks);
    s->of = koshu_alloc((size_t)ranks, sizeof *s->of);
    s->x = koshu_alloc((3 + s->rows) * s->own.n, sizeof *s->x);
    if (!s->of || !s->x)
        return koshu_fail_memory(s->context, (3 + s->rows) * 8 * s->own.n,
                                 "sums over vortices");
    s->sums = s->x + 3 * s->own.n;
    for (int r = 0; r < ranks; r++) s->of[r] = koshu_slice_of(s->n, r, ranks).n;
    return KOSHU_OK;
}

static koshu_status
sum_own(struct partition *s, koshu_vortex_sum *sum, const void *argument,
        const double *x)
{
    for (size_t a = 0; a < 3; a++)
        memcpy(s->x + a * s->own.n, x + a * s->n + s->own.first,
               s->own.n * sizeof *s->x);
    return s->own.n ? sum(argument, s->own.n, s->x, s->sums) : KOSHU_OK;
}

static koshu_status
gather(const struct partition *s, double *sums)
{
    for (size_t r = 0; r < s->rows; r++)
        KOSHU_TRY(koshu_all_gather_parts(s->context, s->sums + r * s->own.n,
                                         sizeof *sums, s->of, sums + r * s->n));
    return KOSHU_OK;
}

koshu_status
koshu_vortex_sum_on_ranks(struct koshu_context *context, koshu_vortex_sum *sum,
                          const void *argument, size_t rows, size_t n,
                          const double *x, double *sums)
{
    struct partition s = {.context = context, .rows = rows, .n = n};
    if (koshu_context_ranks(context) == 1) return sum(argument, n, x, sums);
    koshu_status status = open_partition(&s);
    if (status == KOSHU_OK) status = sum_own(&s, sum, argument, x);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = gather(&s, sums);
    koshu_free(s.of);
    koshu_free(s.x);
    return status;
}
