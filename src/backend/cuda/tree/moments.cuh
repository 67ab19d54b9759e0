/* SPDX-License-Identifier: MIT */
/*
 * Centre of mass, second moments and opening distance of a cell, as in
 * tree/moments.c. Sums are taken in double about a point in the cell, so that
 * one pass suffices and a cell far from the origin keeps its precision; they
 * are rounded to float after they are shifted to the centre of mass.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_MOMENTS_CUH
#define KOSHU_BACKEND_CUDA_TREE_MOMENTS_CUH

#include <cmath>

#include "backend/cuda/pairs/precision.cuh"
#include "backend/cuda/tree/cells.cuh"

namespace koshu {

/* Smallest and largest coordinate of a cell's particles relative to its centre
 * of mass, rounded outwards. Three per cell: x y z. */
struct tree_range {
    float low, high;
};

struct tree_criterion {
    bool relative, quadrupole;
    double theta; /* for the relative criterion: the largest allowed */
    double alpha;
    /* The factor of strengths if accelerations have a unit: its root. */
    double strength_unit = 1;
    /* The longest cell that may act as a whole. In a periodic box the particles
     * at both ends of a longer cell may be neighbours through an image. */
    double longest = INFINITY;
};

/* Units of the moments, in the caller's units; powers of two. */
struct tree_units {
    double length2, mass;
};

/* Sums over a part of a cell, about a point, in the caller's units. */
struct tree_sums {
    double mass, x, y, z;
    double xx, xy, xz, yy, yz, zz; /* 3 sum m x x^T */
    double low[3], high[3];
};

KOSHU_HD float
round_up(double x)
{
#ifdef __CUDA_ARCH__
    return __double2float_ru(x);
#else
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
#endif
}

KOSHU_HD tree_sums
sums_of_nothing()
{
    tree_sums s = {};
    for (int c = 0; c < 3; c++) {
        s.low[c] = INFINITY;
        s.high[c] = -INFINITY;
    }
    return s;
}

KOSHU_HD void
add_mass(tree_sums *s, double mass, double x, double y, double z)
{
    const double mx = 3 * mass * x, my = 3 * mass * y, mz = 3 * mass * z;
    s->mass += mass;
    s->x += mass * x;
    s->y += mass * y;
    s->z += mass * z;
    s->xx += mx * x;
    s->xy += mx * y;
    s->xz += mx * z;
    s->yy += my * y;
    s->yz += my * z;
    s->zz += mz * z;
}

KOSHU_HD void
include(tree_sums *s, int c, double low, double high)
{
    s->low[c] = fmin(s->low[c], low);
    s->high[c] = fmax(s->high[c], high);
}

KOSHU_HD void
add_particle(const tree_view &t, uint32_t k, const double about[3],
             tree_sums *s)
{
    const double x[3] = {t.x[k] - about[0], t.y[k] - about[1],
                         t.z[k] - about[2]};
    add_mass(s, t.mass[k], x[0], x[1], x[2]);
    for (int c = 0; c < 3; c++) include(s, c, x[c], x[c]);
}

KOSHU_HD void
add_child(const tree_view &t, const tree_units &u, tree_range *const range[3],
          uint32_t child, const double about[3], tree_sums *s)
{
    const double square = u.mass * u.length2;
    const tree_place &p = t.place[child];
    const tree_moments &m = t.moments[child];
    const double x[3] = {p.x - about[0], p.y - about[1], p.z - about[2]};
    add_mass(s, u.mass * m.mass, x[0], x[1], x[2]);
    s->xx += square * m.xx;
    s->xy += square * m.xy;
    s->xz += square * m.xz;
    s->yy += square * m.yy;
    s->yz += square * m.yz;
    s->zz += square * m.zz;
    for (int c = 0; c < 3; c++)
        include(s, c, x[c] + range[c][child].low, x[c] + range[c][child].high);
}

/* The reference point of a cell's sums: its first particle or child. */
KOSHU_HD void
reference_point(const tree_view &t, const tree_cell &cell, double about[3])
{
    const bool leaf = cell.children == 0;
    about[0] = leaf ? t.x[cell.first] : t.place[cell.child].x;
    about[1] = leaf ? t.y[cell.first] : t.place[cell.child].y;
    about[2] = leaf ? t.z[cell.first] : t.place[cell.child].z;
}

/* Moves the reference point to the centre of mass, or of a massless cell to the
 * middle of its box. */
KOSHU_HD void
centre(tree_sums *s, double about[3])
{
    const double part = s->mass > 0 ? 1 / s->mass : 0;
    double x[3] = {s->x * part, s->y * part, s->z * part};
    s->xx -= 3 * s->x * x[0];
    s->xy -= 3 * s->x * x[1];
    s->xz -= 3 * s->x * x[2];
    s->yy -= 3 * s->y * x[1];
    s->yz -= 3 * s->y * x[2];
    s->zz -= 3 * s->z * x[2];
    for (int c = 0; c < 3; c++) {
        if (s->mass == 0) x[c] = 0.5 * (s->low[c] + s->high[c]);
        about[c] += x[c];
        s->low[c] -= x[c];
        s->high[c] -= x[c];
    }
}

/* (M l^p)^(1/(p+2)) without intermediate overflow: masses and lengths are in
 * the caller's units. */
KOSHU_HD float
strength_of(const tree_criterion &o, double mass, double l)
{
    if (!o.relative) return 0;
    const double p = o.quadrupole ? 3 : 2;
    return (float)(pow(mass, 1 / (p + 2)) * pow(l, p / (p + 2)) *
                   o.strength_unit);
}

KOSHU_HD tree_place
place_of_sums(const tree_criterion &o, const tree_sums &s, const double at[3])
{
    double l = 0, delta2 = 0;
    for (int c = 0; c < 3; c++) {
        const double middle = 0.5 * (s.low[c] + s.high[c]);
        l = fmax(l, s.high[c] - s.low[c]);
        delta2 += middle * middle;
    }
    const double reach = l > o.longest ? INFINITY : l / o.theta + sqrt(delta2);
    return {at[0], at[1], at[2], round_up(reach), strength_of(o, s.mass, l)};
}

KOSHU_HD tree_moments
moments_of_sums(const tree_units &u, const tree_sums &s)
{
    const double part = 1 / (u.mass * u.length2);
    return {(float)(s.mass / u.mass),
            (float)(s.xx * part),
            (float)(s.xy * part),
            (float)(s.xz * part),
            (float)(s.yy * part),
            (float)(s.yz * part),
            (float)(s.zz * part),
            (float)(0.5 * (s.xx + s.yy + s.zz) * part)};
}

/* Finishes a cell whose sums are complete. */
KOSHU_HD void
finish_cell(const tree_criterion &o, const tree_units &u, uint32_t number,
            tree_sums *s, double about[3], tree_place *place,
            tree_moments *moments, tree_range *const range[3])
{
    centre(s, about);
    place[number] = place_of_sums(o, *s, about);
    moments[number] = moments_of_sums(u, *s);
    for (int c = 0; c < 3; c++)
        range[c][number] = {-round_up(-s->low[c]), round_up(s->high[c])};
}

} /* namespace koshu */

#endif
