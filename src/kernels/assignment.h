/* SPDX-License-Identifier: MIT */
/*
 * Mass assignment to a periodic mesh: the mesh points that a particle reaches
 * along one axis, and its weight at each; and the power of one wave of such a
 * mesh. For all backends.
 */
#ifndef KOSHU_KERNELS_ASSIGNMENT_H
#define KOSHU_KERNELS_ASSIGNMENT_H

#include <math.h>
#include <stddef.h>

#include "kernels/kernels.h"

/* ---- along one axis ------------------------------------------------------ */

enum { KOSHU_REACH_MAX = 4 };

/* The mesh points that a particle reaches, from `first` on, and its weight at
 * each. */
struct koshu_reach {
    size_t first;
    double part[KOSHU_REACH_MAX];
};

/* The position x in units of cells, from 0 to n: rounding may give n itself. */
KOSHU_HD double
koshu_reach_cells(double x, double box, size_t n, double shift)
{
    const double u = x / box - shift / (double)n;
    return (u - floor(u)) * (double)n;
}

/* Cloud in cell: two points. */
KOSHU_HD struct koshu_reach
koshu_reach_cic(double u, size_t n)
{
    const double base = floor(u), d = u - base;
    const struct koshu_reach reach = {(size_t)base % n, {1 - d, d}};
    return reach;
}

/* Triangular-shaped cloud: three points. */
KOSHU_HD struct koshu_reach
koshu_reach_tsc(double u, size_t n)
{
    const double base = floor(u + 0.5), d = u - base;
    const struct koshu_reach reach = {((size_t)base + n - 1) % n,
                                      {0.5 * (0.5 - d) * (0.5 - d),
                                       0.75 - d * d,
                                       0.5 * (0.5 + d) * (0.5 + d)}};
    return reach;
}

KOSHU_HD double
koshu_reach_inner(double d)
{
    return (4 - 6 * d * d + 3 * d * d * d) / 6;
}

/* Piecewise cubic spline: four points. */
KOSHU_HD struct koshu_reach
koshu_reach_pcs(double u, size_t n)
{
    const double base = floor(u), d = u - base, e = 1 - d;
    const struct koshu_reach reach = {((size_t)base + n - 1) % n,
                                      {e * e * e / 6, koshu_reach_inner(d),
                                       koshu_reach_inner(e), d * d * d / 6}};
    return reach;
}

/* Assignment with a cloud of 2, 3 or 4 points, for a particle at x on a mesh of
 * n cells per axis whose points are displaced by `shift` cells. */
KOSHU_HD struct koshu_reach
koshu_reach(int points, double x, double box, size_t n, double shift)
{
    const double u = koshu_reach_cells(x, box, n, shift);
    switch (points) {
    case 2: return koshu_reach_cic(u, n);
    case 3: return koshu_reach_tsc(u, n);
    default: return koshu_reach_pcs(u, n);
    }
}

/* ---- waves --------------------------------------------------------------- */

/* Factors of one component of a wave vector: the frequency f, the window of the
 * assignment, and its images (fields/assign.h). turn: exp(-i pi f / n), which
 * undoes a displacement by half a cell. */
struct koshu_wave_axis {
    double f, window, images, alternating, turn[2];
};

/* scale: sqrt(V) cells / mass, for waves that are means over cells. shot_noise:
 * V sum m^2 / (sum m)^2. */
struct koshu_wave_scale {
    double scale, shot_noise;
};

/*
 * The power P of a wave of a mesh of masses, or of the mean of two meshes of
 * which the second is displaced by half a cell (shifted; NULL: one mesh). The
 * images of the shot noise that remain are subtracted (Sefusatti et al. 2016,
 * eqs 22-29; Jing 2005).
 */
KOSHU_HD double
koshu_wave_power(const struct koshu_wave_scale *s,
                 const struct koshu_wave_axis a[3], const double wave[2],
                 const double *shifted)
{
    const double window = a[0].window * a[1].window * a[2].window;
    double re = wave[0], im = wave[1],
           all = a[0].images * a[1].images * a[2].images;
    if (shifted) {
        const double *const x = a[0].turn, *const y = a[1].turn,
                            *const z = a[2].turn;
        const double xy[2] = {x[0] * y[0] - x[1] * y[1],
                              x[0] * y[1] + x[1] * y[0]};
        const double turn[2] = {xy[0] * z[0] - xy[1] * z[1],
                                xy[0] * z[1] + xy[1] * z[0]};
        re = 0.5 * (re + shifted[0] * turn[0] - shifted[1] * turn[1]);
        im = 0.5 * (im + shifted[0] * turn[1] + shifted[1] * turn[0]);
        all = 0.5 *
              (all + a[0].alternating * a[1].alternating * a[2].alternating);
    }
    const double size = s->scale / window;
    return size * size * (re * re + im * im) -
           s->shot_noise * (all / (window * window) - 1);
}

#endif
