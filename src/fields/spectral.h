/* SPDX-License-Identifier: MIT */
/*
 * An incompressible fluid in a periodic cube by a Fourier-Galerkin method:
 *
 *     du_k / dt = P_k (u x omega)_k - nu k^2 u_k,  P_k = 1 - k k . / k^2,
 *
 * for the wave numbers |k_x|, |k_y|, |k_z| <= k_max (2 pi / box). Products are
 * taken at the points of a mesh so fine that none of their waves is mistaken
 * for a lower one:
 *
 *     rule 3/2: k_max = n / 2 - 1 (rounded up), products on (3 / 2 n)^3 points
 *     rule 2/3: k_max = (n - 1) / 3,            products on n^3 points
 *
 * Steps are those of the classical Runge-Kutta scheme with the viscosity as an
 * integrating factor: its decay is exact, and sets no limit to the step.
 *
 * A rate takes 3 transforms from and 3 to waves along x of u and u x omega, 2
 * for the derivatives along x, and 6 and 3 in each plane (y, z). They are made
 * plane by plane in the cache: arrays of mixed waves (x, k_y, k_z) are what
 * goes through memory, 5 read and 3 written by planes, 3 read and 5 written by
 * columns, with the two arrays of the scheme.
 *
 * On ranks each has a part of the planes, and of the columns in slabs of one
 * k_y; between them go mixed waves, all to all, in each stage. All functions
 * but those of sizes are then collective, and waves and values to set are the
 * whole ones on each rank.
 *
 * Where the context's backend is cuda, and there is one rank, the device does
 * all of it but set_values() and values(): waves stay in its memory
 * (backend/spectral.h), transforms are its own or, of most meshes, cuFFT's,
 * which is loaded at run time (backend/cuda/spectral).
 * Results are those of the host but for rounding.
 *
 * Threads: a solver is used by one thread at a time; the context's do the
 * work. Results are the same, bit for bit, for any number of them, and of
 * ranks.
 * Source: Canuto et al. 2006, Spectral Methods, section 3.3; Rogallo 1981 (NASA
 * TM 81315), whom Hamada09 section 5.1 follows.
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
    double box;                     /* the edge */
    enum koshu_precision precision; /* not KOSHU_PRECISION_MIXED */
    enum koshu_dealiasing dealiasing;
    double viscosity;
    /* Energy that forcing adds per unit time and mass, to the waves of |k| at
     * most forcing_wave_number (2 pi / box), in proportion to what they are;
     * 0: none. */
    double forcing_power, forcing_wave_number;
    /* Planes of the mesh of products that a device has in its memory at once,
     * at most; 0: as it likes. */
    size_t planes;
};

struct koshu_spectral;

/* Ownership: the caller destroys it, before the context. The fluid is at rest.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a number is out of its range;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: of the library of
 * transforms, which the backend cuda may not find; KOSHU_ERROR_NO_DEVICE. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_create(struct koshu_context *context,
                      const struct koshu_spectral_options *options,
                      struct koshu_spectral **spectral);
/* NULL is allowed. */
void koshu_spectral_destroy(struct koshu_spectral *spectral);

/* k_max, in units of 2 pi / box; points of the mesh of products. */
long koshu_spectral_largest(const struct koshu_spectral *spectral);
size_t koshu_spectral_mesh(const struct koshu_spectral *spectral);

/* Does a device have the waves? */
bool koshu_spectral_on_device(const struct koshu_spectral *spectral);

/* Bytes that a solver takes, and that a step moves through memory if the cache
 * holds planes and columns only. */
double koshu_spectral_bytes(const struct koshu_spectral_options *options);
double koshu_spectral_traffic(const struct koshu_spectral_options *options);

/* ---- the state ----------------------------------------------------------- */

/* Numbers of the state. */
size_t koshu_spectral_size(const struct koshu_spectral *spectral);

/* All of it, bit for bit; on ranks the first gets it, and all set it. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_get(const struct koshu_spectral *spectral, double *state);
KOSHU_MUST_CHECK koshu_status
koshu_spectral_set(struct koshu_spectral *spectral, const double *state);

/* The velocity from its waves on the mesh of n^3 points; waves above k_max, and
 * what is not free of divergence, are left out. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_set_waves(struct koshu_spectral *spectral,
                         const double complex *const velocity[3]);

/* The same from values, 3 n^3 numbers, as of a flow's file. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_set_values(
        struct koshu_spectral *spectral, const double *velocity);

/* Velocity and vorticity at the n^3 points, 3 n^3 numbers each; either may be
 * NULL. On ranks the first gets them. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_values(const struct koshu_spectral *spectral, double *velocity,
                      double *vorticity);

/* Of du_a / dx_a at the n^3 points, mean of the three: <d^3> / <d^2>^(3/2). On
 * ranks the first gets it, others 0. */
KOSHU_MUST_CHECK koshu_status koshu_spectral_skewness(
        const struct koshu_spectral *spectral, double *skewness);

/* ---- steps ----------------------------------------------------------------
 */

/* KOSHU_ERROR_NOT_FINITE: the step was too long. */
KOSHU_MUST_CHECK koshu_status
koshu_spectral_step(struct koshu_spectral *spectral, double dt);

/* Means over the box. */
struct koshu_spectral_report {
    double energy;       /* u^2 / 2 */
    double enstrophy;    /* omega^2 / 2 */
    double helicity;     /* u . omega */
    double dissipation;  /* 2 nu enstrophy */
    double max_velocity; /* at the points where products are taken */
    double max_vorticity;
    double max_sum;  /* of |u_x| + |u_y| + |u_z|: times k_max dt it is the
                        Courant number, whose limit is 2.8 */
    double eta;      /* Kolmogorov's length, (nu^3 / dissipation)^(1/4) */
    double reynolds; /* of the Taylor scale: u' lambda / nu, lambda^2 = 15
                        nu u'^2 / dissipation, u'^2 = 2/3 energy; 0
                        without viscosity */
};
KOSHU_MUST_CHECK koshu_status koshu_spectral_report(
        struct koshu_spectral *spectral, struct koshu_spectral_report *report);

#endif
