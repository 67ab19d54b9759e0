/* SPDX-License-Identifier: MIT */
/* Counting and assignment for a decomposition, with particles on the host. */
#include "domain/cuts.h"

#include <omp.h>
#include <string.h>

static int
threads_of(const struct koshu_host_cuts *h)
{
    return koshu_region_threads(h->d->context, h->d->n > 1 << 13);
}

static koshu_status
start(void *self)
{
    const struct koshu_host_cuts *h = self;
    memset(h->owner, 0, h->d->n * sizeof *h->owner);
    return KOSHU_OK;
}

static uint64_t
weight_of(const struct koshu_decomposition *d, size_t i)
{
    return d->weight && d->weight[i] > 1 ? (uint64_t)d->weight[i] : 1;
}

/* Where cuts are sought: several intervals per box, each within the last. */
struct intervals {
    const struct koshu_cut *cut;
    size_t zooms, bins;
};

/* Counts particles begin ... end - 1. */
static void
count_some(const struct koshu_host_cuts *h, size_t begin, size_t end,
           const struct intervals *in, uint64_t *count)
{
    const struct koshu_decomposition *d = h->d;
    for (size_t i = begin; i < end; i++) {
        const size_t first = h->owner[i] * in->zooms;
        for (size_t k = first; k < first + in->zooms; k++) {
            const struct koshu_cut *c = &in->cut[k];
            if (!c->is_sought) break;
            const double x = d->x[c->axis][i],
                         width = (c->to - c->from) / (double)in->bins;
            if (x < c->from || x > c->to) break;
            const double at = width > 0 ? (x - c->from) / width : 0;
            const size_t last = in->bins - 1,
                         bin = at < (double)last ? (size_t)at : last;
            count[k * in->bins + bin] += weight_of(d, i);
        }
    }
}

static koshu_status
count(void *self, size_t n, size_t zooms, const struct koshu_cut *cut,
      size_t bins, uint64_t *count)
{
    const struct koshu_host_cuts *h = self;
    const struct intervals in = {cut, zooms, bins};
    const int threads = threads_of(h);
    const size_t all = n * zooms * bins;
    uint64_t *each = koshu_alloc((size_t)threads * all, sizeof *each);
    if (!each)
        return koshu_fail_memory(h->d->context,
                                 (size_t)threads * all * sizeof *each,
                                 "the decomposition");
#pragma omp parallel num_threads(threads)
    {
        const size_t k = (size_t)omp_get_thread_num();
        const size_t of = (size_t)omp_get_num_threads();
        count_some(h, h->d->n * k / of, h->d->n * (k + 1) / of, &in,
                   each + k * all);
    }
    for (size_t k = 0; k < (size_t)threads * all; k++)
        count[k % all] += each[k];
    koshu_free(each);
    return KOSHU_OK;
}

static koshu_status
divide(void *self, size_t n, const struct koshu_cut *cut)
{
    const struct koshu_host_cuts *h = self;
    (void)n;
#pragma omp parallel for num_threads(threads_of(h)) schedule(static)
    for (size_t i = 0; i < h->d->n; i++) {
        const struct koshu_cut *c = &cut[h->owner[i]];
        const bool behind = c->divides && h->d->x[c->axis][i] >= c->at;
        h->owner[i] = c->next + behind;
    }
    return KOSHU_OK;
}

static koshu_status
others(void *self, uint32_t box, size_t capacity, uint64_t *other, size_t *n)
{
    const struct koshu_host_cuts *h = self;
    size_t all = 0;
#pragma omp parallel for num_threads(threads_of(h)) reduction(+ : all)
    for (size_t i = 0; i < h->d->n; i++) all += h->owner[i] != box;
    *n = all;
    if (all > capacity) return KOSHU_OK;
    for (size_t i = 0, k = 0; k < all; i++)
        if (h->owner[i] != box) other[k++] = (uint64_t)i << 32 | h->owner[i];
    return KOSHU_OK;
}

const struct koshu_cut_ops koshu_host_cuts_ops = {
        .start = start, .count = count, .divide = divide, .others = others};
