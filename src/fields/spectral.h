/* SPDX-License-Identifier: MIT */
/*
 * An incompressible fluid in a periodic cube by a Fourier-Galerkin method:
 *
 *     du_k / dt = P_k (u x omega)_k - nu k^2 u_k,  P_k = 1 - k k . / k^2,
 *
 * for wave numbers |k_x|, |k_y|, |k_z| <= k_max (2 pi / box). Products are
 * formed at the points of a mesh fine enough to avoid aliasing:
 *
 *     rule 3/2: k_max = n / 2 - 1 (rounded up), products on (3 / 2 n)^3 points
 *     rule 2/3: k_max = (n - 1) / 3,            products on n^3 points
 *
 * Time steps use the classical Runge-Kutta scheme with viscosity as an
 * integrating factor: viscous decay is exact and does not limit the step.
 *
 * Each evaluation of the rate takes 3 transforms of u from waves along x and 3
 * of u x omega back, 2 for derivatives along x, and 6 and 3 in each plane (y,
 * z). These are made plane by plane in the cache. Only arrays of mixed waves
 * (x, k_y, k_z) go through memory: planes read 5 and write 3, columns read 3
 * and write 5, besides the scheme's two arrays.
 *
 * With several ranks each holds some of the planes, and slabs of columns of one
 * k_y; in each stage mixed waves are exchanged all to all. All functions but
 * those that return sizes are then collective, and waves and values to be set
 * must be complete on every rank.
 *
 * If the context's backend is cuda and there is one rank, the device does
 * everything but set_values() and values(). Waves stay in its memory
 * (backend/spectral.h); transforms are its own or, for most meshes, cuFFT's,
 * which is loaded at run time (backend/cuda/spectral). Results equal the host's
 * to rounding.
 *
 * Threads: only one thread at a time may use a solver; the context's threads do
 *   the work. Results do not depend on their number or that of ranks, bit for
 *   bit.
 * Source: Canuto et al. 2006, Spectral Methods, section 3.3; Rogallo 1981 (NASA
 *   TM 81315), followed by Hamada09 section 5.1.
 */
#ifndef KOSHU_FIELDS_SPECTRAL_H
#define KOSHU_FIELDS_SPECTRAL_H

#include "fields/mesh.h"

enum koshu_dealiasing {
    KOSHU_DEALIASING_THREE_HALVES,
    KOSHU_DEALIASING_TWO_THIRDS
};

struct koshu_spectral_options {
    size_t n;                       /* points along an edge, 4 or more */
    double box;                     /* its edge */
    enum koshu_precision precision; /* not KOSHU_PRECISION_MIXED */
    enum koshu_dealiasing dealiasing;
    double viscosity;
    /* Energy per unit time and mass that forcing adds to the waves with |k| <=
     * forcing_wave_number (2 pi / box), in proportion to their amplitudes; 0:
     * no forcing. */
    double forcing_power, forcing_wave_number;
    /* The largest number of planes of the product mesh that a device keeps in
     * memory at once; 0: it decides. */
    size_t planes;
};

struct koshu_spectral;

/* Ownership: the caller destroys it, before the context. The fluid is at rest.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a number is outside its range;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: from the library of
 * transforms, which the backend cuda may not find; KOSHU_ERROR_NO_DEVICE. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_create(struct koshu_context *context,
                      const struct koshu_spectral_options *options,
                      struct koshu_spectral **spectral);
/* Accepts NULL. */
void koshu_spectral_destroy(struct koshu_spectral *spectral);

/* k_max, in units of 2 pi / box; points along an edge of the product mesh. */
long koshu_spectral_largest(const struct koshu_spectral *spectral);
size_t koshu_spectral_mesh(const struct koshu_spectral *spectral);

/* Whether a device holds the waves. */
bool koshu_spectral_on_device(const struct koshu_spectral *spectral);

/* Bytes that a solver needs, and that a step moves through memory if the cache
 * holds planes and columns only. */
double koshu_spectral_bytes(const struct koshu_spectral_options *options);
double koshu_spectral_traffic(const struct koshu_spectral_options *options);

/* ---- the state ----------------------------------------------------------- */

/* The number of numbers in the state. */
size_t koshu_spectral_size(const struct koshu_spectral *spectral);

/* Gets and sets the whole state, bit for bit. With several ranks only the first
 * gets it, and all must set it. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_get(const struct koshu_spectral *spectral, double *state);
KOSHU_MUST_CHECK koshu_status
koshu_spectral_set(struct koshu_spectral *spectral, const double *state);

/* Sets the velocity from its waves on the mesh of n^3 points. Waves above
 * k_max, and the part with divergence, are dropped. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_set_waves(struct koshu_spectral *spectral,
                         const double complex *const velocity[3]);

/* The same from values at the points, 3 n^3 numbers, in the order of a flow's
 * file. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_set_values(
        struct koshu_spectral *spectral, const double *velocity);

/* Velocity and vorticity at the n^3 points, 3 n^3 numbers each; either may be
 * NULL. With several ranks only the first gets them. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_values(const struct koshu_spectral *spectral, double *velocity,
                      double *vorticity);

/* Skewness <d^3> / <d^2>^(3/2) of du_a / dx_a at the n^3 points, averaged over
 * the three axes. With several ranks the first gets it, the others 0. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_skewness(
        const struct koshu_spectral *spectral, double *skewness);

/* ---- steps -------------------------------------------------------------- */

/* KOSHU_ERROR_NOT_FINITE: the step was too long. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_step(struct koshu_spectral *spectral, double dt);

/* Means over the box. */
struct koshu_spectral_report {
    double energy;       /* u^2 / 2 */
    double enstrophy;    /* omega^2 / 2 */
    double helicity;     /* u . omega */
    double dissipation;  /* 2 nu enstrophy */
    double max_velocity; /* at the points of the product mesh */
    double max_vorticity;
    double max_sum;  /* maximum of |u_x| + |u_y| + |u_z|; times k_max dt it
                        is the Courant number, whose limit is 2.8 */
    double eta;      /* Kolmogorov length, (nu^3 / dissipation)^(1/4) */
    double reynolds; /* of the Taylor scale: u' lambda / nu, lambda^2 = 15 nu
                        u'^2 / dissipation, u'^2 = 2/3 energy; 0 without
                        viscosity */
};
KOSHU_MUST_CHECK koshu_status koshu_spectral_report(
        struct koshu_spectral *spectral, struct koshu_spectral_report *report);

#endif
