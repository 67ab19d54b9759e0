/* SPDX-License-Identifier: MIT */
/*
 * Isotropic spheres of any density, from Eddington's formula (Binney & Tremaine
 * 2008, eq. 4.46b): with the potential psi > 0 and E = psi - v^2/2,
 *
 *     f(E) = 1 / (sqrt 8 pi^2) int_0^E (d^2 rho / d psi^2) / sqrt(E - psi) dpsi
 *
 * Mass, potential and f are tabulated in ln r. The second derivative is taken
 * as linear in psi between two radii, which are 1.4 % apart.
 */
#ifndef KOSHU_INITIAL_SPHERICAL_H
#define KOSHU_INITIAL_SPHERICAL_H

#include "initial/initial.h"

/* A density, up to a factor, and its slopes d ln rho / d ln r and d^2 ln rho /
 * (d ln r)^2; it may depend on one parameter. */
struct koshu_law_at {
    double density, slope, curvature;
};
typedef struct koshu_law_at koshu_law(double r, double parameter);

/* A density law, tabulated between these radii; a power of r inside and
 * outside. */
struct koshu_spherical_law {
    koshu_law *at;
    double parameter, nearest, farthest;
};

enum { KOSHU_RADII = 2048 };

/* In units where G and the masses of this sphere and of everything are 1. */
struct koshu_spherical {
    double parameter, log_nearest, log_step, inner_slope;
    double r[KOSHU_RADII], mass[KOSHU_RADII], density[KOSHU_RADII];
    /* everything that psi comes from */
    double all[KOSHU_RADII], all_density[KOSHU_RADII];
    double psi[KOSHU_RADII];   /* decreases with r */
    double log_f[KOSHU_RADII]; /* at E = psi */
    double bound[KOSHU_RADII]; /* of v^2 f */
};

/* KOSHU_ERROR_INVALID_ARGUMENT: f is negative somewhere, so this density has no
 * isotropic equilibrium. */
koshu_status koshu_spherical_solve(struct koshu_context *context,
                                   const struct koshu_spherical_law *law,
                                   struct koshu_spherical *table);

/* The mass within r, and the density at r. */
struct koshu_mass_at {
    double mass, density;
};
typedef struct koshu_mass_at koshu_mass_law(const void *user, double r);

/* The same in the potential of everything there is, including this sphere; the
 * total mass is 1. */
koshu_status koshu_spherical_solve_among(struct koshu_context *context,
                                         const struct koshu_spherical_law *law,
                                         koshu_mass_law *all, const void *user,
                                         struct koshu_spherical *table);

/* The radius that encloses this fraction of the mass, and the index of the last
 * tabulated radius within it. */
double koshu_spherical_radius(const struct koshu_spherical *table,
                              double fraction, size_t *k);

/* Potential and distribution function, with relative errors of 2e-5 and 1e-3
 * (test_spherical). */
double koshu_spherical_psi(const struct koshu_spherical *table, double r);
double koshu_spherical_f(const struct koshu_spherical *table, double E);

/* Implements draw() of a model; kept: the fraction of the mass that is kept. */
void koshu_spherical_draw(const struct koshu_spherical *table, double kept,
                          struct koshu_body *body);

/* Implements prepare() of a model. */
koshu_status koshu_spherical_prepare(struct koshu_context *context,
                                     const struct koshu_spherical_law *law,
                                     void **table);

#endif
