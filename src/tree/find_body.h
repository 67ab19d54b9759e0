/* SPDX-License-Identifier: MIT */
/* The body of find.h's functions, included once per instruction set; FIND_OPS
 * is the name of the resulting table. */
#include <string.h>

#include "base/base.h"
#include "tree/find.h"

/* One number for each child of a cell. */
typedef double reals __attribute__((vector_size(8 * KOSHU_CHILDREN)));
typedef int64_t flags __attribute__((vector_size(8 * KOSHU_CHILDREN)));

static inline reals
load(const double *from)
{
    reals x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* How far x is outside of the interval; 0 if inside. */
static inline reals
beyond(reals x, double middle, double half)
{
    reals d = (reals)((flags)(x - middle) & INT64_MAX) - half;
    return (reals)((flags)d & (d > 0));
}

/* Which of the cells from c on are far enough to act as a whole? */
static inline flags
are_far(const struct koshu_cell_places *p, size_t c, const struct opening *o)
{
    const reals dx = beyond(load(p->x + c), o->x, o->half_x);
    const reals dy = beyond(load(p->y + c), o->y, o->half_y);
    const reals dz = beyond(load(p->z + c), o->z, o->half_z);
    const reals d2 = dx * dx + dy * dy + dz * dz;
    return (d2 >= load(p->reach2 + c)) &
           (d2 >= load(p->strength2 + c) * o->factor2);
}

/* Ensures capacity for what the children of one cell may add. */
static inline koshu_status
reserve_children(struct koshu_walker *w, const struct koshu_walk_found *f,
                 size_t depth)
{
    enum { MORE = KOSHU_CHILDREN };
    if (f->cells + MORE > w->capacity_accepted)
        KOSHU_TRY(KOSHU_GROW(w, accepted, 2 * f->cells + MORE, NULL, NULL));
    if (f->ranges + MORE > w->capacity_range)
        KOSHU_TRY(KOSHU_GROW(w, range, 2 * f->ranges + MORE, NULL, NULL));
    if (depth + MORE > w->capacity_stack)
        KOSHU_TRY(KOSHU_GROW(w, stack, 2 * depth + MORE, NULL, NULL));
    return KOSHU_OK;
}

/*
 * Sorts cells c ... c + n - 1 into accepted cells, ranges of particles, and the
 * stack. Each cell is written to all three, but only one of the counts
 * advances: a branch would be mispredicted too often. A cell never acts as a
 * whole on its own particles, however its opening distance was rounded.
 */
static inline void
sort_out(const struct koshu_tree *t, const struct opening *o, uint32_t c,
         uint32_t n, struct koshu_walker *w, struct koshu_walk_found *f,
         size_t *depth)
{
    const flags far = are_far(&t->place, c, o);
    size_t cells = f->cells, ranges = f->ranges, top = *depth;
    for (uint32_t k = 0; k < n; k++) {
        const struct koshu_cell cell = t->cell[c + k];
        const uint32_t last = cell.first + cell.n;
        const unsigned apart = (cell.first >= o->last) | (last <= o->first);
        const unsigned few = cell.n <= o->few;
        const unsigned whole = (unsigned)far[k] & apart & ~few & 1;
        const unsigned parts = few | (~whole & (cell.children == 0));
        w->accepted[cells] = c + k;
        cells += whole;
        w->range[ranges] = (struct koshu_range){cell.first, last};
        ranges += parts & 1;
        w->stack[top] = c + k;
        top += ~whole & ~parts & 1;
    }
    *f = (struct koshu_walk_found){ranges, cells};
    *depth = top;
}

static koshu_status
find(const struct koshu_tree *t, const struct opening *o,
     struct koshu_walker *w, struct koshu_walk_found *f)
{
    size_t depth = 0;
    uint64_t cells_tested = 1;
    KOSHU_TRY(reserve_children(w, f, depth));
    sort_out(t, o, 0, 1, w, f, &depth);
    while (depth > 0) {
        const struct koshu_cell cell = t->cell[w->stack[--depth]];
        KOSHU_TRY(reserve_children(w, f, depth));
        sort_out(t, o, cell.child, cell.children, w, f, &depth);
        cells_tested += cell.children;
    }
    w->cells_tested += cells_tested;
    return KOSHU_OK;
}

static void
copy(float *restrict to, float *restrict low, const double *restrict x,
     double origin, size_t n)
{
    for (size_t k = 0; k < n; k++) to[k] = (float)(x[k] - origin);
    if (!low) return;
    for (size_t k = 0; k < n; k++)
        low[k] = (float)(x[k] - origin - (double)to[k]);
}

static void
copy_centres(float *restrict to, const double *restrict x, double origin,
             const uint32_t *restrict index, size_t n)
{
    for (size_t k = 0; k < n; k++) to[k] = (float)(x[index[k]] - origin);
}

static void
copy_cells(const struct koshu_tree *t, const uint32_t *index, size_t n,
           const double origin[3], bool moments, float *const *row,
           size_t first)
{
    const struct koshu_cell_places *p = &t->place;
    copy_centres(row[0] + first, p->x, origin[0], index, n);
    copy_centres(row[1] + first, p->y, origin[1], index, n);
    copy_centres(row[2] + first, p->z, origin[2], index, n);
    for (size_t k = 0; k < n; k++) {
        const struct koshu_cell_moments m = t->moments[index[k]];
        const size_t to = first + k;
        row[3][to] = m.mass;
        if (!moments) continue;
        row[4][to] = m.xx;
        row[5][to] = m.xy;
        row[6][to] = m.xz;
        row[7][to] = m.yy;
        row[8][to] = m.yz;
        row[9][to] = m.zz;
        row[10][to] = m.half_trace;
    }
}

const struct find_ops FIND_OPS = {find, copy, copy_cells};
