/* SPDX-License-Identifier: MIT */
/* Unit systems, and the sizes of their units. */
#include "particles/units.h"

#include <math.h>

#include "particles/particles.h"

void
koshu_units_henon(struct koshu_units *units)
{
    if (units) *units = KOSHU_HENON_UNITS;
}

bool
koshu_units_are_henon(const struct koshu_units *units)
{
    const struct koshu_units *u = units;
    return !u || (u->length_cm == 1 && u->mass_g == 1 && u->velocity_cm_s == 1);
}

double
koshu_units_gravitational_constant(const struct koshu_units *units)
{
    const struct koshu_units *u = units;
    if (!u) return 0;
    if (koshu_units_are_henon(u)) return 1;
    return KOSHU_GRAVITATIONAL_CONSTANT_CGS * u->mass_g / u->length_cm /
           u->velocity_cm_s / u->velocity_cm_s;
}

/* ---- quantities ---------------------------------------------------------- */

static const char *const names[] = {"length",
                                    "mass",
                                    "time",
                                    "velocity",
                                    "acceleration",
                                    "potential",
                                    "energy",
                                    "momentum",
                                    "angular-momentum",
                                    "density",
                                    "surface-density",
                                    "number-density",
                                    "surface-number-density"};
KOSHU_ENUM_NAMES(koshu_quantity, "a quantity", names)

/* Each as powers of length, mass and time. */
const struct koshu_dimension koshu_quantity_dimensions[KOSHU_QUANTITIES] = {
        [KOSHU_QUANTITY_LENGTH] = {1, 0, 0},
        [KOSHU_QUANTITY_MASS] = {0, 1, 0},
        [KOSHU_QUANTITY_TIME] = {0, 0, 1},
        [KOSHU_QUANTITY_VELOCITY] = {1, 0, -1},
        [KOSHU_QUANTITY_ACCELERATION] = {1, 0, -2},
        [KOSHU_QUANTITY_POTENTIAL] = {2, 0, -2},
        [KOSHU_QUANTITY_ENERGY] = {2, 1, -2},
        [KOSHU_QUANTITY_MOMENTUM] = {1, 1, -1},
        [KOSHU_QUANTITY_ANGULAR_MOMENTUM] = {2, 1, -1},
        [KOSHU_QUANTITY_DENSITY] = {-3, 1, 0},
        [KOSHU_QUANTITY_SURFACE_DENSITY] = {-2, 1, 0},
        [KOSHU_QUANTITY_NUMBER_DENSITY] = {-3, 0, 0},
        [KOSHU_QUANTITY_SURFACE_NUMBER_DENSITY] = {-2, 0, 0}};

/* Time is length / velocity. */
double
koshu_units_in_cgs(const struct koshu_units *units,
                   enum koshu_quantity quantity)
{
    if (!units || (unsigned)quantity >= KOSHU_QUANTITIES) return 0;
    const struct koshu_dimension d = koshu_quantity_dimensions[quantity];
    return pow(units->length_cm, d.length + d.time) *
           pow(units->mass_g, d.mass) * pow(units->velocity_cm_s, -d.time);
}

double
koshu_units_factor(const struct koshu_units *from, const struct koshu_units *to,
                   enum koshu_quantity quantity)
{
    if (!from || !to ||
        koshu_units_are_henon(from) != koshu_units_are_henon(to))
        return 0;
    const double factor = koshu_units_in_cgs(from, quantity) /
                          koshu_units_in_cgs(to, quantity);
    return fabs(factor - 1) < KOSHU_SAME_UNIT ? 1 : factor;
}
