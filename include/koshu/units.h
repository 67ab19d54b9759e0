/* SPDX-License-Identifier: MIT */
/*
 * Units. koshu computes with G = 1; a unit system says what one unit of
 * length, mass and velocity is. The time unit is length / velocity.
 */
#ifndef KOSHU_UNITS_H
#define KOSHU_UNITS_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_units {
    double length_cm;     /* one unit of length in cm */
    double mass_g;        /* one unit of mass in g */
    double velocity_cm_s; /* one unit of velocity in cm/s */
};

/*
 * Dimensionless (all three are 1): Hénon units (Heggie & Mathieu 1986) where
 * M = 1, the virial radius is 1 and E = -1/4.
 */
KOSHU_API struct koshu_units koshu_units_henon(void);

/*
 * The gravitational constant in these units, 6.6743e-8 cm^3 g^-1 s^-2 (CODATA
 * 2018) times mass / (length velocity^2); 1 where they are dimensionless. A
 * run from a file whose units make it another number than 1 multiplies the
 * masses by it, and divides the unit of mass: koshu/simulation.h.
 */
KOSHU_API double
koshu_units_gravitational_constant(const struct koshu_units *units);

#ifdef __cplusplus
}
#endif

#endif
