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

#include "domain/cut_search.h"

/* ---- boxes --------------------------------------------------------------- */

/* Chooses the axis for a box of two or more domains: the grid's first axis not
 * yet divided, else the longest side. */
static void
choose_axis(const int grid[3], struct koshu_cut_part *p)
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
begin_part(struct koshu_bisection *b, struct koshu_cut_part *p)
{
    p->found = p->domains == 1;
    if (p->found) return;
    choose_axis(b->grid, p);
    koshu_cut_search_begin(b, p, b->next_last++);
    if (!b->placed || b->n > 1) return;
    p->found = true;
    p->cut = b->middle[p->axis];
}

/* ---- the cube ------------------------------------------------------------ */

/* The cube about `middle`, or its lower corner, that contains all particles. */
static void
set_cube(struct koshu_bisection *b, bool about_middle)
{
    const double spare = 1 + 0x1p-40; /* for rounding */
    const struct koshu_decomposition *d = b->d;
    struct koshu_cube *const to = &b->cube;
    to->side = 0;
    for (int c = 0; c < 3; c++) {
        const double before = b->middle[c] - d->low[c],
                     behind = d->high[c] - b->middle[c],
                     side = about_middle ? 2 * spare * fmax(before, behind)
                                         : d->high[c] - d->low[c];
        to->side = fmax(to->side, side);
    }
    for (int c = 0; c < 3; c++)
        to->corner[c] = about_middle ? b->middle[c] - to->side / 2 : d->low[c];
}

/* Finds a cut of all particles. */
static koshu_status
find_middle(struct koshu_bisection *b, int axis, double *last)
{
    struct koshu_cut_part *const all = b->part;
    b->zooms = 1;
    all->axis = axis;
    koshu_cut_search_begin(b, all, last);
    KOSHU_TRY(koshu_cut_search(b));
    *last = b->middle[axis] = all->cut;
    return KOSHU_OK;
}

/* Places the cube about the first cut and, along other axes that may be cut,
 * about the median. */
static koshu_status
place_cube(struct koshu_bisection *b)
{
    struct koshu_cut_part *const all = b->part;
    const struct koshu_cut_part whole = *all;
    const int *grid = b->grid;
    b->bins = CUT_MAX_BINS;
    choose_axis(grid, all);
    const int first = all->axis;
    KOSHU_TRY(find_middle(b, first, b->last));
    all->domains -= all->domains % 2;
    all->before = all->domains / 2;
    double *last = b->last + whole.domains - 1;
    for (int c = 0; c < 3; c++) {
        const bool cut = grid[0] > 0 ? grid[c] > 1 : whole.domains > 2;
        if (c != first && cut) KOSHU_TRY(find_middle(b, c, last++));
    }
    *all = whole;
    set_cube(b, true);
    b->placed = true;
    return KOSHU_OK;
}

/* ---- levels -------------------------------------------------------------- */

static void
divide_part(const struct koshu_cut_part *p, struct koshu_cut_part to[2])
{
    to[0] = to[1] = *p;
    to[0].domains = p->before;
    to[1].domains = p->domains - p->before;
    to[0].high[p->axis] = to[1].low[p->axis] = p->cut;
}

/* Assigns each particle to its part on the next level; next_of[k]: the first
 * part that part k becomes. */
static void
assign(struct koshu_bisection *b, const uint32_t *next_of)
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
cut_level(struct koshu_bisection *b, uint32_t *next_of)
{
    size_t n = 0;
    b->bins = CUT_MAX_BINS; /* a power of two, as for cells */
    while (b->bins > CUT_MIN_BINS && b->bins * b->n > CUT_ALL_BINS)
        b->bins /= 2;
    b->zooms = 1;
    for (size_t k = 0; k < b->n; k++) begin_part(b, &b->part[k]);
    KOSHU_TRY(koshu_cut_search(b));
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
    struct koshu_cut_part *const old = b->part;
    b->part = b->next;
    b->next = old;
    b->n = n;
    return KOSHU_OK;
}

static koshu_status
cut_all(struct koshu_bisection *b, uint32_t *next_of)
{
    const struct koshu_decomposition *d = b->d;
    const size_t domains = (size_t)koshu_context_ranks(d->context);
    b->n = 1;
    b->part[0] = (struct koshu_cut_part){.domains = (int)domains};
    memcpy(b->part[0].low, d->low, sizeof d->low);
    memcpy(b->part[0].high, d->high, sizeof d->high);
    for (int c = 0; c < 3; c++)
        b->middle[c] = d->low[c] + (d->high[c] - d->low[c]) / 2;
    b->status = b->ops->start(b->self);
    b->next_last = b->last;
    set_cube(b, false);
    if (d->cube && domains > 1) KOSHU_TRY(place_cube(b));
    if (d->cube) *d->cube = b->cube;
    while (b->n < domains) KOSHU_TRY(cut_level(b, next_of));
    return koshu_ranks_collective_status(d->context, b->status);
}

/* ---- memory -------------------------------------------------------------- */

/* The size of the histograms. A level has up to as many parts as there are
 * domains, those that are not divided further among them. */
static size_t
counts_of(size_t domains)
{
    return CUT_ZOOMS *
           koshu_smaller(domains * CUT_MAX_BINS,
                         koshu_larger(domains * CUT_MIN_BINS, CUT_ALL_BINS));
}

/* NULL: previous cuts are not kept. */
static double *
cuts_of_last_time(const struct koshu_decomposition *d, size_t domains)
{
    if (d->last) return d->last;
    const size_t n = KOSHU_CUTS_OF(domains);
    double *const last = koshu_alloc(n, sizeof *last);
    for (size_t k = 0; last && k < n; k++) last[k] = NAN;
    return last;
}

koshu_status
koshu_bisect_boxes(const struct koshu_decomposition *decomposition,
                   const struct koshu_cut_ops *ops, void *self)
{
    struct koshu_context *context = decomposition->context;
    const size_t domains = (size_t)koshu_context_ranks(context);
    struct koshu_bisection b = {.d = decomposition, .ops = ops, .self = self};
    koshu_ranks_grid(context, b.grid);
    uint32_t *next_of = koshu_alloc(domains, sizeof *next_of);
    struct koshu_cut_part *part = koshu_alloc(2 * domains, sizeof *part);
    const size_t counts = counts_of(domains);
    b.count = koshu_alloc(counts, sizeof *b.count);
    b.cut = koshu_alloc(CUT_ZOOMS * domains, sizeof *b.cut);
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
