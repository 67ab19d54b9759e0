/* SPDX-License-Identifier: MIT */
/* Remeshing: replaces vortex particles that have moved off a lattice by new
 * ones on it. */
#ifndef KOSHU_VORTEX_REMESH_H
#define KOSHU_VORTEX_REMESH_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct koshu_vortices;
struct koshu_vortex_solver;

/* ---- lattice.c ---------------------------------------------------------- */

/* Points of spacing h: point (i, j, k) lies at ((i, j, k) + first) h and has
 * index (i m[1] + j) m[2] + k. Periodic: m h is the edge of the box. */
struct koshu_vortex_lattice {
    size_t m[3];
    double h;
    long first[3];
    bool periodic;
};

/* In a box, the lattice that fills it (its edge is a multiple of h); in free
 * space, the one that extends `margin` beyond the particles on every side.
 * KOSHU_ERROR_BAD_INPUT: more than 2^30 points. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_lattice_of(const struct koshu_vortices *vortices, double h,
                        double margin, struct koshu_vortex_lattice *lattice);

size_t koshu_vortex_lattice_points(const struct koshu_vortex_lattice *lattice);

/* The position of point p. */
void koshu_vortex_lattice_place(const struct koshu_vortex_lattice *lattice,
                                size_t p, double place[3]);

/* ---- radial_basis.c ----------------------------------------------------- */

struct koshu_vortex_fit {
    double residual; /* |omega - sum alpha zeta| / |omega|, over all points */
    unsigned iterations;
};

/*
 * Particle strengths on a lattice such that Gaussians of radius `core` add up
 * to the given field at its points. field: 3 n numbers, omega on entry,
 * strengths on return. Points where use[p] is false get none; use may be NULL:
 * all points. Conjugate gradients, matrix-free, as a three-dimensional Gaussian
 * is a product of three one-dimensional ones. Ends at the tolerance or after
 * 500 iterations.
 * Source: Yokota, Sheel & Obi 2007 (J. Comput. Phys. 226, 1589), section 2.
 */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_fit_strengths(struct koshu_context *context,
                           const struct koshu_vortex_lattice *lattice,
                           const bool *use, double core, double tolerance,
                           double *field, struct koshu_vortex_fit *fit);

/* ---- fit_waves.c -------------------------------------------------------- */

typedef double koshu_wave_factor(const void *argument, const long k[3]);

/* Filters fields of n^3 vectors in a periodic box; owns its work space. */
struct koshu_wave_filter {
    /* Multiplies each wave by factor(argument, k), k = -n / 2 ... n / 2 along
     * each axis, and removes the component along k. *left: the relative norm of
     * what is removed, along k or where the factor is 0. */
    koshu_status (*apply)(struct koshu_wave_filter *filter,
                          koshu_wave_factor *factor, const void *argument,
                          double *field, double *left);
    void (*destroy)(struct koshu_wave_filter *filter);
};

/* A particle core: sigma, and sigma_0 for orders above 2. */
struct koshu_vortex_core {
    unsigned order;
    double radius, mid;
};

/*
 * The same fit in a periodic box by Fourier transforms. Strengths have waves
 * |k| < n / 2 only and no divergence; for these the fit is exact to rounding.
 * Gaussians are fitted to the field at the lattice's points; cores of a higher
 * order so that their velocity is right in the waves of the lattice. The
 * residual is the part of the field that is left out.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_fit_waves(
        struct koshu_context *context,
        const struct koshu_vortex_lattice *lattice,
        struct koshu_wave_filter *filter, const struct koshu_vortex_core *core,
        double *field, struct koshu_vortex_fit *fit);

/* ---- remesh.c ----------------------------------------------------------- */

enum koshu_vortex_kernel {
    KOSHU_VORTEX_KERNEL_RADIAL_BASIS, /* fits the field at the lattice's
                                         points, see above; also resets the
                                         core radius */
    KOSHU_VORTEX_KERNEL_M4, /* M4' (Monaghan 1985): 4^3 points, second order */
    KOSHU_VORTEX_KERNEL_M6  /* M6* (van Rees et al. 2011): 6^3, third order */
};
const char *koshu_vortex_kernel_name(int k);

struct koshu_vortex_remeshing {
    struct koshu_context *context;
    enum koshu_vortex_kernel kernel;
    double spacing, core;
    double mid_core;  /* sigma_0 of new particles, for orders above 2 */
    unsigned order;   /* of the cores whose sum is fitted to the Gaussians'
                         field; 0: 2, for particles that already move */
    double threshold; /* free space: points below this fraction of the
                         maximum vorticity (M4, M6: strength) get no particle */
    double tolerance; /* of the fit in free space */
    /* Fit the curl of the velocity instead of the sum of the cores. This drops
     * the sum's divergence, which induces no velocity. */
    bool solenoidal;
    struct koshu_vortex_solver *solver; /* for `solenoidal`, else NULL */
    struct koshu_wave_filter *filter;   /* for the fit in a box; NULL in free
                                           space, or to use conjugate
                                           gradients */
};

/* Replaces a field at the lattice's points by strengths of particles with the
 * given cores, with the fit that applies. KOSHU_ERROR_UNSUPPORTED: an order
 * above 2 without both a box and a filter. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_fit(const struct koshu_vortex_remeshing *remeshing,
                 const struct koshu_vortex_lattice *lattice, const bool *use,
                 const struct koshu_vortex_core *core, double *field,
                 struct koshu_vortex_fit *fit);

/*
 * Replaces the particles by new ones on a lattice with the same field, and
 * resets the core radius. With core spreading, diffusion acts on the cores only
 * and reaches the strengths here. Applied all at once after the motion it would
 * be first order in time. Instead, with sigma_0^2 = sigma^2 + nu T, T being the
 * time to the next remeshing, the strengths already contain half of the
 * diffusion of that interval, and cores of order above 2 undo it at first: half
 * acts before the motion, half after (Strang 1968, SIAM J. Numer. Anal. 5,
 * 506). When T changes, the new strengths account for the difference.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_remesh(
        const struct koshu_vortex_remeshing *remeshing,
        struct koshu_vortices *vortices, struct koshu_vortex_fit *fit);

#endif
