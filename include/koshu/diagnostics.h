/* SPDX-License-Identifier: MIT */
/*
 * Conserved quantities and the state of a system.
 *
 *     T = 1/2 sum m v^2,  W = 1/2 sum m pot,  E = T + W,  Q = T / |W|
 *     P = sum m v,  L = sum m x cross v,  X = sum m x / M
 *
 * Sums are compensated and taken in a fixed order: the same bits on any
 * number of threads.
 */
#ifndef KOSHU_DIAGNOSTICS_H
#define KOSHU_DIAGNOSTICS_H

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
    double mass;
    double kinetic, potential, total; /* T, W, E */
    double virial_ratio;              /* T / |W|; 0 where W = 0 */
    double momentum[3];
    double angular_momentum[3];
    double centre[3]; /* centre of mass */
    /* Radii about the centre of mass that hold these fractions of the mass. */
    double lagrangian_radius[KOSHU_LAGRANGIAN_COUNT];
};

/*
 * Needs mass, position, velocity and potential. KOSHU_OUT_OF_MEMORY;
 * KOSHU_NOT_FINITE names the particle.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_diagnostics_compute(struct koshu_particles *particles,
                          struct koshu_diagnostics *diagnostics);

#ifdef __cplusplus
}
#endif

#endif
