/* SPDX-License-Identifier: MIT */
/* A k-d tree, and the search in it for the nearest points. */
#include "output/neighbours.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* Each node is a range of points. The median along its widest direction divides
 * the others. Ranges of few points are not divided. */
enum { FEW = 8 };

struct point {
    double x[3];
    uint32_t index;
    int axis; /* along which the range is divided */
};

struct koshu_neighbour_tree {
    size_t n;
    struct point *point;
    uint32_t *place; /* the place of each point, by its index */
};

/* ---- the tree ------------------------------------------------------------ */

static int
widest_axis(const struct point *p, size_t n)
{
    double width[3];
    for (int c = 0; c < 3; c++) {
        double low = p[0].x[c], high = low;
        for (size_t i = 1; i < n; i++) {
            low = fmin(low, p[i].x[c]);
            high = fmax(high, p[i].x[c]);
        }
        width[c] = high - low;
    }
    const int wider = width[1] > width[0] ? 1 : 0;
    return width[2] > width[wider] ? 2 : wider;
}

static void
swap(struct point *a, struct point *b)
{
    const struct point other = *a;
    *a = *b;
    *b = other;
}

/* Partitions the range so that no point before the k-th is above it, and none
 * after it is below (Hoare 1961, Algorithm 65). */
static void
select_point(struct point *p, size_t n, size_t k, int axis)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
    while (low < high) {
        const double pivot = p[k].x[axis];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (p[i].x[axis] < pivot) i++;
            while (p[j].x[axis] > pivot) j--;
            if (i <= j) swap(&p[i++], &p[j--]);
        }
        if (j < (ptrdiff_t)k) low = i;
        if ((ptrdiff_t)k < i) high = j;
    }
}

static void
divide(struct point *p, size_t n)
{
    while (n > FEW) {
        const size_t middle = n / 2;
        const int axis = widest_axis(p, n);
        select_point(p, n, middle, axis);
        p[middle].axis = axis;
        divide(p, middle);
        p += middle + 1;
        n -= middle + 1;
    }
}

koshu_status
koshu_neighbour_tree_create(struct koshu_context *context, size_t n,
                            const double *const x[3],
                            struct koshu_neighbour_tree **tree)
{
    struct koshu_neighbour_tree *t = *tree = calloc(1, sizeof *t);
    if (t) {
        t->n = n;
        t->point = koshu_alloc(n, sizeof *t->point);
        t->place = koshu_alloc(n, sizeof *t->place);
    }
    if (!t || !t->point || !t->place) {
        koshu_neighbour_tree_destroy(t);
        *tree = NULL;
        return koshu_fail_memory(context, n * sizeof *t->point,
                                 "nearest neighbours");
    }
    for (size_t i = 0; i < n; i++)
        t->point[i] = (struct point){.x = {x[0][i], x[1][i], x[2][i]},
                                     .index = (uint32_t)i};
    divide(t->point, n);
    for (size_t k = 0; k < n; k++) t->place[t->point[k].index] = (uint32_t)k;
    return KOSHU_OK;
}

void
koshu_neighbour_tree_destroy(struct koshu_neighbour_tree *tree)
{
    if (!tree) return;
    koshu_free(tree->point);
    koshu_free(tree->place);
    free(tree);
}

/* ---- the search ---------------------------------------------------------- */

static void
consider(const struct point *p, const struct point *at,
         struct koshu_neighbours *found)
{
    const double x = p->x[0] - at->x[0], y = p->x[1] - at->x[1],
                 z = p->x[2] - at->x[2], r2 = x * x + y * y + z * z;
    size_t k = found->n - 1;
    if (p == at || r2 >= found->r2[k]) return;
    for (; k > 0 && found->r2[k - 1] > r2; k--) {
        found->r2[k] = found->r2[k - 1];
        found->index[k] = found->index[k - 1];
    }
    found->r2[k] = r2;
    found->index[k] = p->index;
}

static void
search(const struct point *p, size_t n, const struct point *at,
       struct koshu_neighbours *found)
{
    while (n > FEW) {
        const size_t middle = n / 2;
        const struct point *above = p + middle + 1;
        const double d = at->x[p[middle].axis] - p[middle].x[p[middle].axis];
        const bool low = d < 0;
        search(low ? p : above, low ? middle : n - middle - 1, at, found);
        consider(&p[middle], at, found);
        if (d * d >= found->r2[found->n - 1]) return;
        p = low ? above : p;
        n = low ? n - middle - 1 : middle;
    }
    for (size_t k = 0; k < n; k++) consider(&p[k], at, found);
}

void
koshu_neighbours_find(const struct koshu_neighbour_tree *tree, size_t i,
                      struct koshu_neighbours *found)
{
    for (size_t k = 0; k < found->n; k++) found->r2[k] = INFINITY;
    search(tree->point, tree->n, &tree->point[tree->place[i]], found);
}
