/* SPDX-License-Identifier: MIT */
/*
 * Orthogonal recursive bisection (Salmon 1990; Hamada10 section 3.2): a box is
 * cut so that the weights on both sides are in proportion to their numbers of
 * domains, and each part is cut again. All boxes of a level are cut at once, by
 * histograms that narrow down the cut. Weights are sums of integers, so that
 * cuts do not depend, bit for bit, on how particles are distributed among
 * ranks.
 */
#include <math.h>
#include <string.h>

#include "domain/cuts.h"

/* Bins of all boxes of a level, and of one. ZOOMS: histograms of a box made at
 * once, each of the bin of the last one that holds the previous cut, as it
 * mostly holds the new one too. */
enum { ALL_BINS = 1 << 15, MAX_BINS = 512, MIN_BINS = 16, ZOOMS = 3 };

/* A cut is accepted if the weights are right to this part of a domain's, or
 * when its position is known to that many bits of the cube. */
enum { WEIGHT_BITS = 7, PLACE_BITS = 44 };

/* A box that holds that many domains. */
struct part {
    int domains;
    double low[3], high[3];
    /* The cut: its axis, and the number of domains before it. */
    int before, axis;
    double cut;
    /* During the search: the cut lies between these; the weight before `from`,
     * and of the whole box. */
    double from, to;
    uint64_t index; /* of `from`, counted in intervals of that size in the
                       cube */
    uint64_t weight_before, weight;
    bool found;
    double *last; /* the previous cut */
};

struct bisection {
    const struct koshu_decomposition *d;
    const struct koshu_cut_ops *ops;
    void *self;  /* whatever holds the particles */
    int grid[3]; /* 0 0 0: none */
    /* The cube in which trees have their cells. Cuts are sought along all of
     * it, so that those at edges of coarse bins coincide with faces of large
     * cells. Otherwise a thin slice of such a cell, with few particles far from
     * each other, might become one leaf to which all others are near. */
    double side;
    struct part *part, *next;
    struct koshu_cut *cut; /* of each part, ZOOMS of them if one is sought */
    size_t n;
    size_t bins, zooms;       /* of a part */
    double *last, *next_last; /* previous cuts; of the part to be cut next */
    uint64_t *count;
    koshu_status status; /* of this rank's work */
};

/* ---- where to look ------------------------------------------------------- */

/* Chooses the axis for a box of two or more domains: the grid's first axis not
 * yet divided, else the longest side. */
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
begin_part(struct bisection *b, struct part *p)
{
    p->found = p->domains == 1;
    if (p->found) return;
    choose_axis(b->grid, p);
    p->last = b->next_last++;
    if (!isnan(*p->last)) b->zooms = ZOOMS;
    p->from = b->d->low[p->axis];
    p->to = p->from + b->side;
    p->weight_before = p->weight = p->index = 0;
}

static double
width_of(const struct bisection *b, const struct part *p)
{
    return (p->to - p->from) / (double)b->bins;
}

/* ---- intervals ----------------------------------------------------------- */

struct interval {
    double from, to;
};

static double
edge_at(const struct bisection *b, const struct interval *in, size_t k)
{
    const double width = (in->to - in->from) / (double)b->bins;
    return k == b->bins ? in->to : in->from + (double)k * width;
}

static struct interval
bin_of(const struct bisection *b, const struct interval *in, size_t k)
{
    return (struct interval){edge_at(b, in, k), edge_at(b, in, k + 1)};
}

/* The bin that holds x, or a neighbour if x is at its edge. */
static struct interval
bin_at(const struct bisection *b, const struct interval *in, double x)
{
    const double width = (in->to - in->from) / (double)b->bins,
                 at = width > 0 ? (x - in->from) / width : 0;
    const size_t last = b->bins - 1;
    return bin_of(b, in, !(at > 0) ? 0 : at < (double)last ? (size_t)at : last);
}

/* The interval in which a part's cut is sought, and within it ever smaller ones
 * about the previous cut. */
static void
zoom(const struct bisection *b, const struct part *p, struct koshu_cut *cut)
{
    struct interval in = {p->from, p->to};
    for (size_t z = 0; z < b->zooms; z++) {
        cut[z] = (struct koshu_cut){.axis = p->axis,
                                    .is_sought = !p->found,
                                    .from = in.from,
                                    .to = in.to};
        if (!p->found) in = bin_at(b, &in, *p->last);
    }
}

/* ---- histograms ---------------------------------------------------------- */

/* Counts the particles of all ranks into b->count; a rank that has failed still
 * takes part. */
static koshu_status
count_all(struct bisection *b)
{
    const size_t n = b->n * b->zooms * b->bins;
    memset(b->count, 0, n * sizeof *b->count);
    for (size_t k = 0; k < b->n; k++)
        zoom(b, &b->part[k], &b->cut[k * b->zooms]);
    if (b->status == KOSHU_OK)
        b->status = b->ops->count(b->self, b->n, b->zooms, b->cut, b->bins,
                                  b->count);
    return koshu_sum_counts(b->d->context, b->count, n);
}

/* ---- cuts ---------------------------------------------------------------- */

static bool
is_near_enough(const struct bisection *b, const struct part *p, uint64_t in_bin)
{
    const uint64_t of_domain = p->weight / (uint64_t)p->domains;
    return in_bin <= of_domain >> WEIGHT_BITS ||
           !(width_of(b, p) > ldexp(b->side, -PLACE_BITS));
}

/* The size of the cells that have this edge as a face. */
static uint64_t
coarseness(const struct bisection *b, const struct part *p, size_t edge)
{
    const uint64_t at = p->index * b->bins + edge;
    return at == 0 ? UINT64_MAX : at & -at;
}

/* Chooses the edge before or after bin k, whichever is nearer to the weight
 * wanted. If several are near enough, takes the coarsest, so that a cut stays
 * where it was when weights change a little, and particles do not change
 * domains needlessly. */
static size_t
settle(const struct bisection *b, const struct part *p, const uint64_t *count,
       size_t k, uint64_t wanted)
{
    const uint64_t misses = p->weight / (uint64_t)p->domains >> WEIGHT_BITS;
    uint64_t below = wanted - p->weight_before,
             above = p->weight_before + count[k] - wanted;
    size_t low = k, high = k + 1, best = below > above ? high : low;
    for (; below <= misses; below += count[--low]) {
        if (coarseness(b, p, low) > coarseness(b, p, best)) best = low;
        if (low == 0) break;
    }
    for (; above <= misses; above += count[high++]) {
        if (coarseness(b, p, high) > coarseness(b, p, best)) best = high;
        if (high == b->bins) break;
    }
    return best;
}

/* Narrows the interval to the bin in which weights match the domains. */
static void
narrow(const struct bisection *b, struct part *p, const uint64_t *count)
{
    const struct interval in = {p->from, p->to};
    size_t k = 0;
    if (p->weight == 0)
        for (size_t bin = 0; bin < b->bins; bin++) p->weight += count[bin];
    const double part = (double)p->before / (double)p->domains;
    const uint64_t wanted = (uint64_t)((double)p->weight * part);
    while (k < b->bins - 1 && p->weight_before + count[k] < wanted)
        p->weight_before += count[k++];
    const struct interval bin = bin_of(b, &in, k);
    p->found = is_near_enough(b, p, count[k]);
    if (p->found)
        p->cut = fmin(fmax(edge_at(b, &in, settle(b, p, count, k, wanted)),
                           p->low[p->axis]),
                      p->high[p->axis]);
    p->from = bin.from;
    p->to = bin.to;
    p->index = p->index * b->bins + k;
}

/* Narrows as far as the histograms contain the cut. */
static void
narrow_all(const struct bisection *b, size_t k)
{
    struct part *const p = &b->part[k];
    for (size_t z = k * b->zooms; z < (k + 1) * b->zooms && !p->found; z++) {
        if (p->from != b->cut[z].from || p->to != b->cut[z].to) return;
        narrow(b, p, b->count + z * b->bins);
    }
}

static koshu_status
find_cuts(struct bisection *b)
{
    for (bool found = false; !found;) {
        KOSHU_TRY(count_all(b));
        found = true;
        for (size_t k = 0; k < b->n; k++) {
            narrow_all(b, k);
            found &= b->part[k].found;
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

/* Assigns each particle to its part on the next level; next_of[k]: the first
 * part that part k becomes. */
static void
assign(struct bisection *b, const uint32_t *next_of)
{
    for (size_t k = 0; k < b->n; k++)
        b->cut[k] = (struct koshu_cut){.axis = b->part[k].axis,
                                       .divides = b->part[k].domains > 1,
                                       .at = b->part[k].cut,
                                       .next = next_of[k]};
    if (b->status == KOSHU_OK)
        b->status = b->ops->divide(b->self, b->n, b->cut);
}

/* Cuts all parts with more than one domain. */
static koshu_status
cut_level(struct bisection *b, uint32_t *next_of)
{
    size_t n = 0;
    b->bins = MAX_BINS; /* a power of two, as for cells */
    while (b->bins > MIN_BINS && b->bins * b->n > ALL_BINS) b->bins /= 2;
    b->zooms = 1;
    for (size_t k = 0; k < b->n; k++) begin_part(b, &b->part[k]);
    KOSHU_TRY(find_cuts(b));
    for (size_t k = 0; k < b->n; k++) {
        next_of[k] = (uint32_t)n;
        if (b->part[k].domains > 1) *b->part[k].last = b->part[k].cut;
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
    b->status = b->ops->start(b->self);
    b->next_last = b->last;
    while (b->n < domains) KOSHU_TRY(cut_level(b, next_of));
    return koshu_ranks_collective_status(d->context, b->status);
}

/* ---- memory -------------------------------------------------------------- */

/* The size of the histograms, for at most that many parts at once. */
static size_t
counts_of(size_t domains)
{
    const size_t parts = domains / 2 + 1;
    return ZOOMS * (parts * MIN_BINS > ALL_BINS ? parts * MIN_BINS : ALL_BINS);
}

/* NULL: previous cuts are not kept. */
static double *
cuts_of_last_time(const struct koshu_decomposition *d, size_t domains)
{
    if (d->last) return d->last;
    double *const last = koshu_alloc(domains, sizeof *last);
    for (size_t k = 0; last && k < domains; k++) last[k] = NAN;
    return last;
}

koshu_status
koshu_bisect_boxes(const struct koshu_decomposition *decomposition,
                   const struct koshu_cut_ops *ops, void *self)
{
    struct koshu_context *context = decomposition->context;
    const size_t domains = (size_t)koshu_context_ranks(context);
    struct bisection b = {.d = decomposition, .ops = ops, .self = self};
    koshu_ranks_grid(context, b.grid);
    for (int c = 0; c < 3; c++)
        b.side = fmax(b.side, decomposition->high[c] - decomposition->low[c]);
    uint32_t *next_of = koshu_alloc(domains, sizeof *next_of);
    struct part *part = koshu_alloc(2 * domains, sizeof *part);
    const size_t counts = counts_of(domains);
    b.count = koshu_alloc(counts, sizeof *b.count);
    b.cut = koshu_alloc(ZOOMS * domains, sizeof *b.cut);
    b.last = cuts_of_last_time(decomposition, domains);
    koshu_status status = KOSHU_OK;
    if (!next_of || !part || !b.count || !b.cut || !b.last)
        status = koshu_fail_memory(context, counts * sizeof *b.count,
                                   "the decomposition");
    status = koshu_ranks_collective_status(context, status);
    b.part = part;
    b.next = part + domains;
    if (status == KOSHU_OK) status = cut_all(&b, next_of);
    koshu_free(next_of);
    koshu_free(part);
    koshu_free(b.count);
    koshu_free(b.cut);
    if (!decomposition->last) koshu_free(b.last);
    return status;
}

koshu_status
koshu_bisect(const struct koshu_decomposition *decomposition, uint32_t *owner)
{
    struct koshu_host_cuts host = {decomposition, owner};
    return koshu_bisect_boxes(decomposition, &koshu_host_cuts_ops, &host);
}
