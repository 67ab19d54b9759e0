/* SPDX-License-Identifier: MIT */
/*
 * Conserved quantities and global properties of a system.
 *
 *     T = 1/2 sum m v^2,  W = 1/2 sum m pot,  E = T + W,  Q = T / |W|
 *     P = sum m v,  L = sum m x cross v,  X = sum m x / M
 *
 * Sums are compensated and taken in a fixed order: the result does not depend
 * on the number of threads or ranks, bit for bit, and, unless the terms cancel
 * almost completely, it errs by one rounding for any number of particles. Each
 * term is rounded once.
 *
 * Threads: particles are used by one thread at a time, as their context is.
 */
#ifndef KOSHU_DIAGNOSTICS_H
#define KOSHU_DIAGNOSTICS_H

#include <stddef.h>

#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KOSHU_LAGRANGIAN_COUNT 7

/* 1, 5, 10, 25, 50, 75 and 90 % of the mass. */
KOSHU_API extern const double
        koshu_lagrangian_fractions[KOSHU_LAGRANGIAN_COUNT];

struct koshu_diagnostics {
    size_t size;                      /* of the struct, set by the caller */
    double mass;                      /* M */
    double kinetic, potential, total; /* T, W, E */
    double virial_ratio;              /* Q; 0 where W = 0 */
    double momentum[3];               /* P */
    double angular_momentum[3];       /* L, about the origin */
    double centre[3];                 /* X, of mass; 0 where M = 0 */
    /* Lagrangian radii: distances from the centre of mass within which these
     * fractions of the mass lie. If particles escape, the centre of mass moves
     * away from the densest point, and the inner radii grow with the distance
     * between the two. */
    double lagrangian_radius[KOSHU_LAGRANGIAN_COUNT];
};

/*
 * Computes the diagnostics from mass, position, velocity and potential, which
 * must belong to the same time, of the particles of all ranks. Collective.
 * Units: of the particles, with G = 1.
 * Status: KOSHU_ERROR_NOT_FINITE: a number of a particle is infinite or NaN
 * (the message names the particle), or a sum is beyond the range of double;
 * KOSHU_ERROR_INVALID_ARGUMENT: several particles with masses, and all
 * potentials are 0: they have not been computed; or NULL, or diagnostics->size
 * is not set; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE: a copy from a
 * device failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_diagnostics_compute(struct koshu_particles *particles,
                          struct koshu_diagnostics *diagnostics);

#ifdef __cplusplus
}
#endif

#endif
