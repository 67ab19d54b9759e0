/* SPDX-License-Identifier: MIT */
/*
 * Determines which source cells act on a target cell, and how. Entries are
 * processed in batches: each is put on a list, and the children of those to be
 * divided form the next batch. An entry's fate cannot be predicted, so the code
 * has no branches on it.
 */
#include <math.h>

#include "base/base.h"
#include "fmm/fmm.h"

/* What is done with an entry. */
enum fate { FAR, SAME, NEAR, CUT, PENDING, FATES };

/* A target and the sources that may act on it. */
struct question {
    const struct koshu_fmm_criterion *criterion;
    const struct koshu_fmm_cells *sources;
    double x, y, z, radius;
    bool leaf, point;
    size_t first, last; /* its particles, if they are sources too */
};

static struct question
ask(const struct koshu_fmm_criterion *criterion,
    const struct koshu_fmm_cells *targets, uint32_t t,
    const struct koshu_fmm_cells *sources)
{
    const struct koshu_cell *cell = &targets->cell[t];
    const bool own = targets == sources;
    return (struct question){.criterion = criterion,
                             .sources = sources,
                             .x = targets->x[t],
                             .y = targets->y[t],
                             .z = targets->z[t],
                             .radius = targets->radius[t],
                             .leaf = cell->children == 0,
                             .point = targets->extent[t] == 0,
                             .first = own ? cell->first : 0,
                             .last = own ? cell->first + cell->n : 0};
}

/* The first of these that holds; PENDING if none does. */
static inline enum fate
first_of(bool far, bool near, bool same, bool cut)
{
    static const uint8_t fates[16] = {PENDING, FAR, NEAR, FAR, SAME, FAR,
                                      NEAR,    FAR, CUT,  FAR, NEAR, FAR,
                                      SAME,    FAR, NEAR, FAR};
    return fates[far | near << 1 | same << 2 | cut << 3];
}

/* No particle is in both. */
static inline bool
are_others(const struct question *q, const struct koshu_cell *source)
{
    return (source->first >= q->last) | (source->first + source->n <= q->first);
}

static inline enum fate
fate_of(const struct question *q, uint32_t entry)
{
    double at[3];
    const uint32_t s = koshu_fmm_centre(q->sources, entry, at);
    const double x = q->x - at[0], y = q->y - at[1], z = q->z - at[2];
    const double d = sqrt(x * x + y * y + z * z);
    const double radius = q->sources->radius[s], both = q->radius + radius;
    const struct koshu_cell *cell = &q->sources->cell[s];
    const bool leaf = cell->children == 0;
    const bool far =
            (both <= koshu_opening_theta(&q->criterion->opening, both) * d) &
            (d - both >= q->criterion->apart);
    const bool same = q->point & (d == 0) & (q->sources->extent[s] == 0) &
                      are_others(q, cell);
    return first_of(far, q->leaf & leaf, same,
                    (!leaf) & (q->leaf | (radius >= q->radius)));
}

/* Makes room for n more entries on each list. */
static koshu_status
reserve(struct koshu_fmm_lists *l, size_t n)
{
    KOSHU_TRY(KOSHU_GROW(l, far, l->n_far + n, NULL, "lists"));
    KOSHU_TRY(KOSHU_GROW(l, same, l->n_same + n, NULL, "lists"));
    KOSHU_TRY(KOSHU_GROW(l, near, l->n_near + n, NULL, "lists"));
    KOSHU_TRY(KOSHU_GROW(l, pending, l->n_pending + n, NULL, "lists"));
    return KOSHU_GROW(l, cut, n, NULL, "lists");
}

/* Puts n entries on their lists. */
static void
put(struct koshu_fmm_lists *l, const struct question *q, size_t n,
    const uint32_t *entry)
{
    uint32_t *const to[FATES] = {l->far, l->same, l->near, l->cut, l->pending};
    size_t count[FATES] = {l->n_far, l->n_same, l->n_near, 0, l->n_pending};
    for (size_t k = 0; k < n; k++) {
        const enum fate fate = fate_of(q, entry[k]);
        to[fate][count[fate]++] = entry[k];
    }
    l->n_far = count[FAR];
    l->n_same = count[SAME];
    l->n_near = count[NEAR];
    l->n_cut = count[CUT];
    l->n_pending = count[PENDING];
}

/* Makes the children of divided cells the next entries. */
static koshu_status
cut(struct koshu_fmm_lists *l, const struct koshu_fmm_cells *sources)
{
    size_t n = 0;
    KOSHU_TRY(KOSHU_GROW(l, next, KOSHU_CHILDREN * l->n_cut, NULL, "lists"));
    for (size_t k = 0; k < l->n_cut; k++) {
        const uint32_t s = koshu_fmm_cell_of(&sources->images, l->cut[k]);
        const struct koshu_cell *cell = &sources->cell[s];
        for (uint32_t c = 0; c < KOSHU_CHILDREN; c++)
            l->next[n + c] = l->cut[k] - s + cell->child + c;
        n += cell->children;
    }
    l->n_next = n;
    return KOSHU_OK;
}

koshu_status
koshu_fmm_lists_make(struct koshu_fmm_lists *lists,
                     const struct koshu_fmm_criterion *criterion,
                     const struct koshu_fmm_cells *targets, uint32_t target,
                     const struct koshu_fmm_cells *sources, size_t n,
                     const uint32_t *source)
{
    struct koshu_fmm_lists *l = lists;
    const struct question q = ask(criterion, targets, target, sources);
    l->n_far = l->n_same = l->n_near = l->n_pending = 0;
    while (n > 0) {
        KOSHU_TRY(reserve(l, n));
        put(l, &q, n, source);
        KOSHU_TRY(cut(l, sources));
        n = l->n_next;
        source = l->next;
    }
    return KOSHU_OK;
}

void
koshu_fmm_lists_free(struct koshu_fmm_lists *lists)
{
    koshu_free(lists->far);
    koshu_free(lists->same);
    koshu_free(lists->near);
    koshu_free(lists->pending);
    koshu_free(lists->cut);
    koshu_free(lists->next);
}
