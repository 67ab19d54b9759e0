/* SPDX-License-Identifier: MIT */
/* Which cells act on a cell, and how. */
#include <math.h>

#include "base/base.h"
#include "fmm/fmm.h"

#define ADD(l, list, what)                                                \
    do {                                                                  \
        KOSHU_TRY(KOSHU_GROW(l, list, (l)->n_##list + 1, NULL, "lists")); \
        (l)->list[(l)->n_##list++] = (what);                              \
    } while (0)

static double
distance(const struct koshu_fmm_cells *a, uint32_t i, const double at[3])
{
    const double x = a->x[i] - at[0], y = a->y[i] - at[1], z = a->z[i] - at[2];
    return sqrt(x * x + y * y + z * z);
}

/* What becomes of a pair of cells. */
enum fate { FAR, SAME, NEAR, CUT, PENDING };

static enum fate
fate_of(const struct koshu_fmm_criterion *criterion,
        const struct koshu_fmm_cells *targets, uint32_t t,
        const struct koshu_fmm_cells *sources, uint32_t entry)
{
    double at[3];
    const uint32_t s = koshu_fmm_centre(sources, entry, at);
    const double d = distance(targets, t, at);
    const double both = targets->radius[t] + sources->radius[s];
    const bool target_leaf = targets->cell[t].children == 0;
    const bool source_leaf = sources->cell[s].children == 0;
    if (both <= criterion->theta * d && d - both >= criterion->apart)
        return FAR;
    if (target_leaf && source_leaf) return NEAR;
    if (d == 0 && targets->extent[t] + sources->extent[s] == 0 &&
        (targets != sources || t != entry))
        return SAME;
    if (!source_leaf &&
        (target_leaf || sources->radius[s] >= targets->radius[t]))
        return CUT;
    return PENDING;
}

static koshu_status
push_children(struct koshu_fmm_lists *l, const struct koshu_fmm_cells *sources,
              uint32_t entry)
{
    const uint32_t s = koshu_fmm_cell_of(&sources->images, entry);
    const struct koshu_cell *cell = &sources->cell[s];
    KOSHU_TRY(KOSHU_GROW(l, stack, l->n_stack + cell->children, NULL, "lists"));
    for (uint32_t c = 0; c < cell->children; c++)
        l->stack[l->n_stack++] = entry - s + cell->child + c;
    return KOSHU_OK;
}

static koshu_status
put(struct koshu_fmm_lists *l, enum fate fate, uint32_t s,
    const struct koshu_fmm_cells *sources)
{
    switch (fate) {
    case FAR: ADD(l, far, s); break;
    case SAME: ADD(l, same, s); break;
    case NEAR: ADD(l, near, s); break;
    case PENDING: ADD(l, pending, s); break;
    case CUT: return push_children(l, sources, s);
    }
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
    l->n_far = l->n_same = l->n_near = l->n_pending = 0;
    for (size_t k = 0; k < n; k++) {
        l->n_stack = 0;
        ADD(l, stack, source[k]);
        while (l->n_stack > 0) {
            const uint32_t s = l->stack[--l->n_stack];
            const enum fate fate =
                    fate_of(criterion, targets, target, sources, s);
            KOSHU_TRY(put(l, fate, s, sources));
        }
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
    koshu_free(lists->stack);
}
