/* SPDX-License-Identifier: MIT */
/*
 * Units. koshu computes with G = 1; a unit system is the size of one unit of
 * length, mass and velocity. The unit of time is length / velocity.
 *
 * Threads: all functions may be called from any thread at any time.
 */
#ifndef KOSHU_UNITS_H
#define KOSHU_UNITS_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A unit system, in cgs units. This struct never grows. */
struct koshu_units {
    double length_cm;     /* one unit of length in cm */
    double mass_g;        /* one unit of mass in g */
    double velocity_cm_s; /* one unit of velocity in cm/s */
};

/*
 * Sets dimensionless units: all three are 1. For isolated systems they are
 * Hénon units: total mass 1, virial radius 1 and total energy -1/4.
 * Source: Heggie & Mathieu 1986.
 */
KOSHU_API void koshu_units_henon(struct koshu_units *units);

/*
 * Gravitational constant in these units: 6.6743e-8 cm^3 g^-1 s^-2 times mass /
 * (length velocity^2); 1 in dimensionless units; 0 for NULL. A run that starts
 * from a file in whose units it is not 1 multiplies the masses by it, and
 * divides the unit of mass: koshu/simulation.h.
 * Units: length velocity^2 / mass, in those given.
 * Source: CODATA 2018.
 */
KOSHU_API double
koshu_units_gravitational_constant(const struct koshu_units *units);

#ifdef __cplusplus
}
#endif

#endif
