/* SPDX-License-Identifier: MIT */
#include "base/base.h"

void
koshu_units_henon(struct koshu_units *units)
{
    if (units) *units = KOSHU_HENON_UNITS;
}

double
koshu_units_gravitational_constant(const struct koshu_units *units)
{
    if (!units) return 0;
    const double g = 6.6743e-8; /* cm^3 g^-1 s^-2 */
    const struct koshu_units *u = units;
    if (u->length_cm == 1 && u->mass_g == 1 && u->velocity_cm_s == 1) return 1;
    return g * u->mass_g / u->length_cm / u->velocity_cm_s / u->velocity_cm_s;
}
