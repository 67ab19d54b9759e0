/* SPDX-License-Identifier: MIT */
/*
 * Orthogonal recursive bisection (Salmon 1990; Hamada10 section 3.2): a box is
 * cut where the weights on both sides are as the numbers of domains on them,
 * and each part again. All boxes of a level are cut at once, by histograms that
 * narrow down where: sums of integers, so that each bit of a cut is the same
 * however the particles lie on ranks.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "domain/domain.h"

/* Bins of all boxes of a level together, and of one. */
enum { ALL_BINS = 1 << 15, MAX_BINS = 512, MIN_BINS = 16 };

/* A cut is found where it misses the weights by no more than this part of a
 * domain's, or where it lies to so many bits of the box. */
enum { WEIGHT_BITS = 11, PLACE_BITS = 44 };

/* A box that holds so many domains. */
struct part {
    int domains;
    double low[3], high[3];
    /* Where it is cut, with so many domains before the cut. */
    int before, axis;
    double cut;
    /* While the cut is looked for: it is between these, and so much weight
     * before them, of all that is in the box. */
    double from, to;
    uint64_t weight_before, weight;
    bool found;
};

struct bisection {
    const struct koshu_decomposition *d;
    int grid[3];     /* 0 0 0: none */
    uint32_t *owner; /* the part of each particle */
    struct part *part, *next;
    size_t n;
    size_t bins;     /* of a part */
    uint64_t *count; /* of all parts; then of each thread */
    int threads;
};

/* ---- where to look ------------------------------------------------------- */

/* Of so many domains, at least two: along the grid's first axis that is not cut
 * through, else the longest. */
static void
choose_axis(const int grid[3], struct part *p)
{
    int unit = grid[1] * grid[2];
    p->axis = 0;
    p->before = p->domains / 2;
    if (unit == 0) {
        for (int c = 1; c < 3; c++)
            if (p->high[c] - p->low[c] > p->high[p->axis] - p->low[p->axis])
                p->axis = c;
        return;
    }
    for (; p->domains <= unit; p->axis++) unit = p->axis == 0 ? grid[2] : 1;
    p->before = p->domains / unit / 2 * unit;
}

static void
begin_part(const int grid[3], struct part *p)
{
    p->found = p->domains == 1;
    if (p->found) return;
    choose_axis(grid, p);
    p->from = p->low[p->axis];
    p->to = p->high[p->axis];
    p->weight_before = p->weight = 0;
}

static double
width_of(const struct bisection *b, const struct part *p)
{
    return (p->to - p->from) / (double)b->bins;
}

/* ---- histograms ---------------------------------------------------------- */

static uint64_t
weight_of(const struct koshu_decomposition *d, size_t i)
{
    return d->weight && d->weight[i] > 1 ? (uint64_t)d->weight[i] : 1;
}

/* Of particles begin ... end - 1. */
static void
count_particles(const struct bisection *b, size_t begin, size_t end,
                uint64_t *count)
{
    const struct koshu_decomposition *d = b->d;
    for (size_t i = begin; i < end; i++) {
        const struct part *p = &b->part[b->owner[i]];
        if (p->found) continue;
        const double x = d->x[p->axis][i], width = width_of(b, p);
        if (x < p->from || x > p->to) continue;
        const double at = width > 0 ? (x - p->from) / width : 0;
        const size_t last = b->bins - 1,
                     bin = at < (double)last ? (size_t)at : last;
        count[b->owner[i] * b->bins + bin] += weight_of(d, i);
    }
}

/* Into b->count, of the particles of all ranks. */
static koshu_status
count_all(const struct bisection *b)
{
    const size_t n = b->n * b->bins;
    memset(b->count, 0, (size_t)b->threads * n * sizeof *b->count);
#pragma omp parallel num_threads(b->threads)
    {
        const size_t k = (size_t)omp_get_thread_num();
        const size_t of = (size_t)omp_get_num_threads();
        count_particles(b, b->d->n * k / of, b->d->n * (k + 1) / of,
                        b->count + k * n);
    }
    for (size_t k = n; k < (size_t)b->threads * n; k++)
        b->count[k % n] += b->count[k];
    return koshu_sum_counts(b->d->context, b->count, n);
}

/* ---- cuts ---------------------------------------------------------------- */

static bool
is_near_enough(const struct bisection *b, const struct part *p, uint64_t in_bin)
{
    const double box = p->high[p->axis] - p->low[p->axis];
    const uint64_t of_domain = p->weight / (uint64_t)p->domains;
    return in_bin <= of_domain >> WEIGHT_BITS ||
           !(width_of(b, p) > ldexp(box, -PLACE_BITS));
}

/* To the bin in which the weights are as the domains. */
static void
narrow(const struct bisection *b, struct part *p, const uint64_t *count)
{
    const double width = width_of(b, p), from = p->from;
    size_t k = 0;
    if (p->weight == 0)
        for (size_t bin = 0; bin < b->bins; bin++) p->weight += count[bin];
    const double part = (double)p->before / (double)p->domains;
    const uint64_t wanted = (uint64_t)((double)p->weight * part);
    while (k < b->bins - 1 && p->weight_before + count[k] < wanted)
        p->weight_before += count[k++];
    const bool behind = 2 * (wanted - p->weight_before) > count[k];
    p->found = is_near_enough(b, p, count[k]);
    p->from = from + (double)k * width;
    p->to = k == b->bins - 1 ? p->to : from + (double)(k + 1) * width;
    if (p->found) p->cut = behind && p->to > p->from ? p->to : p->from;
}

static koshu_status
find_cuts(const struct bisection *b)
{
    for (bool found = false; !found;) {
        KOSHU_TRY(count_all(b));
        found = true;
        for (size_t k = 0; k < b->n; k++) {
            struct part *p = &b->part[k];
            if (!p->found) narrow(b, p, b->count + k * b->bins);
            found &= p->found;
        }
    }
    return KOSHU_OK;
}

/* ---- levels -------------------------------------------------------------- */

static void
divide_part(const struct part *p, struct part to[2])
{
    to[0] = to[1] = *p;
    to[0].domains = p->before;
    to[1].domains = p->domains - p->before;
    to[0].high[p->axis] = to[1].low[p->axis] = p->cut;
}

/* Each particle to the part of the next level; next_of[k]: of part k, the
 * first. */
static void
assign(const struct bisection *b, const uint32_t *next_of)
{
    const struct koshu_decomposition *d = b->d;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (size_t i = 0; i < d->n; i++) {
        const struct part *p = &b->part[b->owner[i]];
        const bool behind = p->domains > 1 && d->x[p->axis][i] >= p->cut;
        b->owner[i] = next_of[b->owner[i]] + behind;
    }
}

/* Cuts all parts that hold several domains. */
static koshu_status
cut_level(struct bisection *b, uint32_t *next_of)
{
    size_t n = 0;
    b->bins = ALL_BINS / b->n;
    if (b->bins > MAX_BINS) b->bins = MAX_BINS;
    if (b->bins < MIN_BINS) b->bins = MIN_BINS;
    for (size_t k = 0; k < b->n; k++) begin_part(b->grid, &b->part[k]);
    KOSHU_TRY(find_cuts(b));
    for (size_t k = 0; k < b->n; k++) {
        next_of[k] = (uint32_t)n;
        if (b->part[k].domains > 1)
            divide_part(&b->part[k], &b->next[n]);
        else
            b->next[n] = b->part[k];
        n += b->part[k].domains > 1 ? 2 : 1;
    }
    assign(b, next_of);
    struct part *const old = b->part;
    b->part = b->next;
    b->next = old;
    b->n = n;
    return KOSHU_OK;
}

static koshu_status
cut_all(struct bisection *b, uint32_t *next_of)
{
    const struct koshu_decomposition *d = b->d;
    const size_t domains = (size_t)koshu_context_ranks(d->context);
    b->n = 1;
    b->part[0] = (struct part){.domains = (int)domains};
    memcpy(b->part[0].low, d->low, sizeof d->low);
    memcpy(b->part[0].high, d->high, sizeof d->high);
    memset(b->owner, 0, d->n * sizeof *b->owner);
    while (b->n < domains) KOSHU_TRY(cut_level(b, next_of));
    return KOSHU_OK;
}

/* ---- memory -------------------------------------------------------------- */

/* Of histograms: of at most so many parts at once, for each thread. */
static size_t
counts_of(size_t domains, int threads)
{
    const size_t parts = domains / 2 + 1;
    const size_t bins =
            parts * MIN_BINS > ALL_BINS ? parts * MIN_BINS : ALL_BINS;
    return (size_t)threads * bins;
}

koshu_status
koshu_bisect(const struct koshu_decomposition *decomposition, uint32_t *owner)
{
    struct koshu_context *context = decomposition->context;
    const size_t domains = (size_t)koshu_context_ranks(context);
    struct bisection b = {.d = decomposition,
                          .owner = owner,
                          .threads = koshu_region_threads(
                                  context, decomposition->n > 1 << 13)};
    koshu_ranks_grid(context, b.grid);
    uint32_t *next_of = koshu_alloc(domains, sizeof *next_of);
    struct part *part = koshu_alloc(2 * domains, sizeof *part);
    const size_t counts = counts_of(domains, b.threads);
    b.count = koshu_alloc(counts, sizeof *b.count);
    koshu_status status = KOSHU_OK;
    if (!next_of || !part || !b.count)
        status = koshu_fail_memory(context, counts * sizeof *b.count,
                                   "the decomposition");
    status = koshu_ranks_collective_status(context, status);
    b.part = part;
    b.next = part + domains;
    if (status == KOSHU_OK) status = cut_all(&b, next_of);
    koshu_free(next_of);
    koshu_free(part);
    koshu_free(b.count);
    return status;
}
