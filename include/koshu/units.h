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

#ifdef __cplusplus
}
#endif

#endif
