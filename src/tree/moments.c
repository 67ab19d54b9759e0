/* SPDX-License-Identifier: MIT */
/*
 * Centres of mass and second moments, from the leaves up. Sums are taken about
 * the middle of the box that a cell's particles fill, so that a cell far from
 * the origin keeps its precision.
 */
#include <math.h>

#include "base/base.h"
#include "tree/tree.h"

/* Sums over one cell, in double. */
struct koshu_cell_sums {
    double mass;
    double x, y, z;                /* centre of mass */
    double low[3], high[3];        /* the box that its particles fill */
    double xx, xy, xz, yy, yz, zz; /* sum m x x^T about the centre of mass */
};

static void
widen(struct koshu_cell_sums *s, const double low[3], const double high[3])
{
    for (int c = 0; c < 3; c++) {
        s->low[c] = fmin(s->low[c], low[c]);
        s->high[c] = fmax(s->high[c], high[c]);
    }
}

/* Adds the moment of a mass at d. */
static void
add_shifted(struct koshu_cell_sums *s, double mass, double dx, double dy,
            double dz)
{
    s->xx += mass * dx * dx;
    s->xy += mass * dx * dy;
    s->xz += mass * dx * dz;
    s->yy += mass * dy * dy;
    s->yz += mass * dy * dz;
    s->zz += mass * dz * dz;
}

static void
add_moments(struct koshu_cell_sums *s, const struct koshu_cell_sums *child)
{
    s->xx += child->xx;
    s->xy += child->xy;
    s->xz += child->xz;
    s->yy += child->yy;
    s->yz += child->yz;
    s->zz += child->zz;
}

static double
middle(const struct koshu_cell_sums *s, int c)
{
    return s->low[c] + 0.5 * (s->high[c] - s->low[c]);
}

/* x, y, z: sum m (x - middle). Dividing the sum, not each mass, works for
 * arbitrarily small masses. Massless cells: the middle. */
static void
set_centre(struct koshu_cell_sums *s, const double middle[3], double x,
           double y, double z)
{
    const double mass = s->mass > 0 ? s->mass : 1;
    s->x = middle[0] + x / mass;
    s->y = middle[1] + y / mass;
    s->z = middle[2] + z / mass;
}

static void
sum_leaf(const struct koshu_tree *t, const struct koshu_cell *cell,
         struct koshu_cell_sums *s)
{
    const size_t first = cell->first, last = first + cell->n;
    *s = (struct koshu_cell_sums){
            .low = {t->x[first], t->y[first], t->z[first]},
            .high = {t->x[first], t->y[first], t->z[first]}};
    for (size_t k = first; k < last; k++) {
        const double at[3] = {t->x[k], t->y[k], t->z[k]};
        widen(s, at, at);
        s->mass += t->mass[k];
    }
    const double m[3] = {middle(s, 0), middle(s, 1), middle(s, 2)};
    double x = 0, y = 0, z = 0;
    for (size_t k = first; k < last; k++) {
        x += t->mass[k] * (t->x[k] - m[0]);
        y += t->mass[k] * (t->y[k] - m[1]);
        z += t->mass[k] * (t->z[k] - m[2]);
    }
    set_centre(s, m, x, y, z);
    for (size_t k = first; k < last; k++)
        add_shifted(s, t->mass[k], t->x[k] - s->x, t->y[k] - s->y,
                    t->z[k] - s->z);
}

static void
sum_children(const struct koshu_tree *t, const struct koshu_cell *cell,
             struct koshu_cell_sums *s)
{
    const struct koshu_cell_sums *of = &t->sums[cell->child];
    *s = of[0];
    s->mass = s->xx = s->xy = s->xz = s->yy = s->yz = s->zz = 0;
    for (uint32_t k = 0; k < cell->children; k++) {
        widen(s, of[k].low, of[k].high);
        s->mass += of[k].mass;
    }
    const double m[3] = {middle(s, 0), middle(s, 1), middle(s, 2)};
    double x = 0, y = 0, z = 0;
    for (uint32_t k = 0; k < cell->children; k++) {
        x += of[k].mass * (of[k].x - m[0]);
        y += of[k].mass * (of[k].y - m[1]);
        z += of[k].mass * (of[k].z - m[2]);
    }
    set_centre(s, m, x, y, z);
    for (uint32_t k = 0; k < cell->children; k++) {
        add_moments(s, &of[k]);
        add_shifted(s, of[k].mass, of[k].x - s->x, of[k].y - s->y,
                    of[k].z - s->z);
    }
}

static struct koshu_cell_moments
moments_of(const struct koshu_cell_sums *s)
{
    return (struct koshu_cell_moments){
            .mass = (float)s->mass,
            .xx = (float)(3 * s->xx),
            .xy = (float)(3 * s->xy),
            .xz = (float)(3 * s->xz),
            .yy = (float)(3 * s->yy),
            .yz = (float)(3 * s->yz),
            .zz = (float)(3 * s->zz),
            .half_trace = (float)(1.5 * (s->xx + s->yy + s->zz))};
}

/* Does a cell of length l span more than half of a periodic box? Then the
 * particles at its two ends may be neighbours through an image, which moments
 * cannot represent. */
static bool
spans_box(const struct koshu_tree *t, double l)
{
    return t->images.edge > 0 && l > t->images.edge / (2 * t->units.length);
}

/* See koshu_tree_walk(). */
static void
set_place(struct koshu_tree *t, size_t c, const struct koshu_cell_sums *s)
{
    const struct koshu_tree_options *o = &t->options;
    struct koshu_cell_places *to = &t->place;
    const double dx = s->x - middle(s, 0), dy = s->y - middle(s, 1),
                 dz = s->z - middle(s, 2);
    const double l = fmax(fmax(s->high[0] - s->low[0], s->high[1] - s->low[1]),
                          s->high[2] - s->low[2]);
    const bool relative =
            o->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE;
    const int p = o->multipole_order == KOSHU_MULTIPOLE_ORDER_MONOPOLE ? 2 : 3;
    const double theta = relative ? KOSHU_LARGEST_THETA : o->theta;
    const double reach =
            spans_box(t, l) ? INFINITY
                            : l / theta + sqrt(dx * dx + dy * dy + dz * dz);
    to->x[c] = s->x;
    to->y[c] = s->y;
    to->z[c] = s->z;
    to->reach2[c] = reach * reach;
    to->strength2[c] = relative ? pow(s->mass * pow(l, p), 2.0 / (p + 2)) : 0;
}

/* The arrays of t->place, in one allocation. */
static koshu_status
reserve_places(struct koshu_tree *t)
{
    double **const array[] = {&t->place.x, &t->place.y, &t->place.z,
                              &t->place.reach2, &t->place.strength2};
    const size_t n = t->n_cells + KOSHU_CHILDREN;
    if (n <= t->capacity_place) return KOSHU_OK;
    const size_t capacity = n + n / 4;
    koshu_free(t->place.x);
    t->capacity_place = 0;
    t->place.x = koshu_alloc(5 * capacity, sizeof(double));
    if (!t->place.x)
        return koshu_fail_memory(t->context, 5 * capacity * sizeof(double),
                                 "places of cells");
    for (size_t k = 1; k < 5; k++) *array[k] = t->place.x + k * capacity;
    t->capacity_place = capacity;
    return KOSHU_OK;
}

koshu_status
koshu_tree_reserve_moments(struct koshu_tree *t)
{
    KOSHU_TRY(
            KOSHU_GROW(t, moments, t->n_cells, t->context, "moments of cells"));
    return reserve_places(t);
}

koshu_status
koshu_tree_moments(struct koshu_tree *tree)
{
    struct koshu_tree *t = tree;
    KOSHU_TRY(koshu_tree_reserve_moments(t));
    KOSHU_TRY(KOSHU_GROW(t, sums, t->n_cells, t->context, "sums of cells"));
    for (size_t level = t->n_levels; level-- > 0;) {
        const size_t begin = t->level[level], end = t->level[level + 1];
        const int threads = koshu_region_threads(t->context, end - begin > 64);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
        for (size_t c = begin; c < end; c++) {
            const struct koshu_cell *cell = &t->cell[c];
            struct koshu_cell_sums *s = &t->sums[c];
            if (cell->children > 0)
                sum_children(t, cell, s);
            else
                sum_leaf(t, cell, s);
            t->moments[c] = moments_of(s);
            set_place(t, c, s);
        }
    }
    return KOSHU_OK;
}
