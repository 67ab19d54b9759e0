/* SPDX-License-Identifier: MIT */
/* New vortex particles on a lattice in place of those that have moved off one.
 */
#ifndef KOSHU_VORTEX_REMESH_H
#define KOSHU_VORTEX_REMESH_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct koshu_vortices;
struct koshu_vortex_solver;

/* ---- lattice.c ------------------------------------------------------------
 */

/* Points of spacing h: point (i, j, k) lies at ((i, j, k) + first) h and is
 * element (i m[1] + j) m[2] + k; periodic: m h is the edge of the box. */
struct koshu_vortex_lattice {
    size_t m[3];
    double h;
    long first[3];
    bool periodic;
};

/* All of the box, whose edge is a multiple of h; in free space those that are
 * nearer than `margin` to a particle, in each direction.
 * KOSHU_ERROR_BAD_INPUT: there would be more than 2^30. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_lattice_of(const struct koshu_vortices *vortices, double h,
                        double margin, struct koshu_vortex_lattice *lattice);

size_t koshu_vortex_lattice_points(const struct koshu_vortex_lattice *lattice);

/* The place of point p. */
void koshu_vortex_lattice_place(const struct koshu_vortex_lattice *lattice,
                                size_t p, double place[3]);

/* ---- radial_basis.c -------------------------------------------------------
 */

struct koshu_vortex_fit {
    double residual; /* |omega - sum alpha zeta| / |omega|, over all points */
    unsigned iterations;
};

/*
 * Strengths of particles on a lattice whose Gaussians of that core radius add
 * up to the field at its points: from omega, 3 n numbers, to strengths, in
 * place; a point where use[p] is false has none (use NULL: all have). By
 * conjugate gradients, matrix-free: a Gaussian is a product of three of one
 * dimension each. Ends at the tolerance, or after 500 iterations.
 * Source: Yokota, Sheel & Obi 2007 (J. Comput. Phys. 226, 1589), section 2.
 */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_fit_strengths(struct koshu_context *context,
                           const struct koshu_vortex_lattice *lattice,
                           const bool *use, double core, double tolerance,
                           double *field, struct koshu_vortex_fit *fit);

/* ---- fit_waves.c ------------------------------------------------------------
 */

typedef double koshu_wave_factor(const void *argument, const long k[3]);

/* Of fields of n^3 vectors in a periodic box; it keeps what it works on. */
struct koshu_wave_filter {
    /* A field's waves, times factor(argument, k), k being whole numbers from -n
     * / 2 to n / 2, without what is along k. *left: the part of its norm that
     * is left out where the factor is 0, or along k. */
    koshu_status (*apply)(struct koshu_wave_filter *filter,
                          koshu_wave_factor *factor, const void *argument,
                          double *field, double *left);
    void (*destroy)(struct koshu_wave_filter *filter);
};

/* Of particles: sigma, and of a higher order than 2 sigma_0. */
struct koshu_vortex_core {
    unsigned order;
    double radius, mid;
};

/*
 * The same in a periodic box by Fourier transforms: to strengths of waves |k| <
 * n / 2 without divergence, which the fit keeps to rounding. Gaussians add up
 * to the field at the lattice's points; cores of a higher order to that of its
 * velocity which is of the lattice's own waves. The residual is the part of the
 * field that is left out.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_fit_waves(
        struct koshu_context *context,
        const struct koshu_vortex_lattice *lattice,
        struct koshu_wave_filter *filter, const struct koshu_vortex_core *core,
        double *field, struct koshu_vortex_fit *fit);

/* ---- remesh.c -------------------------------------------------------------
 */

enum koshu_vortex_kernel {
    KOSHU_VORTEX_KERNEL_RADIAL_BASIS, /* the field at the lattice's points, by
                                         the fit above; also sets the core */
    KOSHU_VORTEX_KERNEL_M4, /* M4' (Monaghan 1985): 4^3 points, second order */
    KOSHU_VORTEX_KERNEL_M6  /* M6* (van Rees et al. 2011): 6^3, third order */
};
const char *koshu_vortex_kernel_name(int k);

struct koshu_vortex_remeshing {
    struct koshu_context *context;
    enum koshu_vortex_kernel kernel;
    double spacing, core;
    double mid_core;  /* sigma_0 of new particles, of a higher order than 2 */
    unsigned order;   /* of the cores that add up to the field, which is that of
                         Gaussians; 0: 2, as particles that move on have */
    double threshold; /* free space: points with less of the largest vorticity
                         (by M4, M6: strength) get no particle */
    double tolerance; /* of the fit, in free space */
    /* By the fit: to the curl of the velocity in place of the sum of cores,
     * whose divergence, which has no part in the velocity, is so left out. */
    bool solenoidal;
    struct koshu_vortex_solver *solver; /* for that, else NULL */
    struct koshu_wave_filter *filter;   /* for the fit in a box: of free space,
                                           and where there is none, conjugate
                                           gradients */
};

/* Strengths of particles with such cores on a lattice, for a field at its
 * points, in place, by either fit. KOSHU_ERROR_UNSUPPORTED: of a higher order
 * than 2 but in a box with a filter. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_fit(const struct koshu_vortex_remeshing *remeshing,
                 const struct koshu_vortex_lattice *lattice, const bool *use,
                 const struct koshu_vortex_core *core, double *field,
                 struct koshu_vortex_fit *fit);

/*
 * New particles on a lattice, with the same field, and the core radius set
 * back. Strengths move without diffusion, which is in the cores and comes to
 * strengths here. That would be of the first order in time, as all of it comes
 * after the motion. With sigma_0^2 = sigma^2 + nu T, T being the time to the
 * next remeshing, strengths that move have half of it already, and cores of a
 * higher order than 2 take that back at first: half before the motion, half
 * after (Strang 1968, SIAM J. Numer. Anal. 5, 506). Where T changes, the new
 * strengths have more or less of it.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_remesh(
        const struct koshu_vortex_remeshing *remeshing,
        struct koshu_vortices *vortices, struct koshu_vortex_fit *fit);

#endif
