/* SPDX-License-Identifier: MIT */
/* Histograms that narrow down the cuts of boxes: see cut_search.h. */
#include "domain/cut_search.h"

#include <math.h>
#include <string.h>

/* A cut is accepted if the weights are right to this part of a domain's, or
 * when its position is known to that many bits of the cube. */
enum { WEIGHT_BITS = 7, PLACE_BITS = 44 };

void
koshu_cut_search_begin(struct koshu_bisection *bisection,
                       struct koshu_cut_part *part, double *last)
{
    struct koshu_bisection *b = bisection;
    struct koshu_cut_part *p = part;
    p->last = last;
    p->found = false;
    if (!isnan(*p->last)) b->zooms = CUT_ZOOMS;
    p->from = b->cube.corner[p->axis];
    p->to = p->from + b->cube.side;
    p->weight_before = p->weight = p->index = 0;
}

static double
width_of(const struct koshu_bisection *b, const struct koshu_cut_part *p)
{
    return (p->to - p->from) / (double)b->bins;
}

/* ---- intervals ----------------------------------------------------------- */

struct interval {
    double from, to;
};

static double
edge_at(const struct koshu_bisection *b, const struct interval *in, size_t k)
{
    const double width = (in->to - in->from) / (double)b->bins;
    return k == b->bins ? in->to : in->from + (double)k * width;
}

static struct interval
bin_of(const struct koshu_bisection *b, const struct interval *in, size_t k)
{
    return (struct interval){edge_at(b, in, k), edge_at(b, in, k + 1)};
}

/* The bin that holds x, or a neighbour if x is at its edge. */
static struct interval
bin_at(const struct koshu_bisection *b, const struct interval *in, double x)
{
    const double width = (in->to - in->from) / (double)b->bins,
                 at = width > 0 ? (x - in->from) / width : 0;
    const size_t last = b->bins - 1;
    return bin_of(b, in, !(at > 0) ? 0 : at < (double)last ? (size_t)at : last);
}

/* The interval in which a part's cut is sought, and within it ever smaller ones
 * about the previous cut. */
static void
zoom(const struct koshu_bisection *b, const struct koshu_cut_part *p,
     struct koshu_cut *cut)
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
count_all(struct koshu_bisection *b)
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
is_near_enough(const struct koshu_bisection *b, const struct koshu_cut_part *p,
               uint64_t in_bin)
{
    const uint64_t of_domain = p->weight / (uint64_t)p->domains;
    return in_bin <= of_domain >> WEIGHT_BITS ||
           !(width_of(b, p) > ldexp(b->cube.side, -PLACE_BITS));
}

/* The size of the cells that have this edge as a face. */
static uint64_t
coarseness(const struct koshu_bisection *b, const struct koshu_cut_part *p,
           size_t edge)
{
    const uint64_t at = p->index * b->bins + edge;
    return at == 0 ? UINT64_MAX : at & -at;
}

/* Chooses the edge before or after bin k, whichever is nearer to the weight
 * wanted. If several are near enough, takes the coarsest, so that a cut stays
 * where it was when weights change a little, and particles do not change
 * domains needlessly. */
static size_t
settle(const struct koshu_bisection *b, const struct koshu_cut_part *p,
       const uint64_t *count, size_t k, uint64_t wanted)
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
narrow(const struct koshu_bisection *b, struct koshu_cut_part *p,
       const uint64_t *count)
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
narrow_all(const struct koshu_bisection *b, size_t k)
{
    struct koshu_cut_part *const p = &b->part[k];
    for (size_t z = k * b->zooms; z < (k + 1) * b->zooms && !p->found; z++) {
        if (p->from != b->cut[z].from || p->to != b->cut[z].to) return;
        narrow(b, p, b->count + z * b->bins);
    }
}

static bool
are_found(const struct koshu_bisection *b)
{
    for (size_t k = 0; k < b->n; k++)
        if (!b->part[k].found) return false;
    return true;
}

koshu_status
koshu_cut_search(struct koshu_bisection *bisection)
{
    struct koshu_bisection *b = bisection;
    while (!are_found(b)) {
        KOSHU_TRY(count_all(b));
        for (size_t k = 0; k < b->n; k++) narrow_all(b, k);
    }
    return KOSHU_OK;
}
