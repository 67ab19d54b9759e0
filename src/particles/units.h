/* SPDX-License-Identifier: MIT */
/* Units, their dimensions and their table; for src/particles only. */
#ifndef KOSHU_PARTICLES_UNITS_H
#define KOSHU_PARTICLES_UNITS_H

#include <koshu/units.h>

#include "base/base.h"

/* CODATA 2018 (Tiesinga et al. 2021, Rev. Mod. Phys. 93, 025010):
 * 6.67430e-11 m^3 kg^-1 s^-2, with a relative uncertainty of 2.2e-5. */
#define KOSHU_GRAVITATIONAL_CONSTANT_CGS 6.6743e-8

enum { KOSHU_QUANTITIES = KOSHU_QUANTITY_SURFACE_NUMBER_DENSITY + 1 };

/* Sizes of units that differ by less are the same but for rounding. */
#define KOSHU_SAME_UNIT 1e-14

/* Powers of length, mass and time. */
struct koshu_dimension {
    int length, mass, time;
};

extern const struct koshu_dimension koshu_quantity_dimensions[KOSHU_QUANTITIES];

static inline bool
koshu_dimension_same(struct koshu_dimension a, struct koshu_dimension b)
{
    return a.length == b.length && a.mass == b.mass && a.time == b.time;
}

/* ---- unit_table.c -------------------------------------------------------- */

struct koshu_unit {
    const char *name;
    double cgs;
    struct koshu_dimension dimension;
    /* A size that equals no named unit is written as a multiple of this one if
     * it is at least so large, in cgs units. 0: never; this is an alias, or it
     * names nothing but itself. */
    double smallest;
    bool is_alias; /* read, never written */
};

enum { KOSHU_UNITS = 33 };
extern const struct koshu_unit koshu_unit_table[KOSHU_UNITS];

/* A size as a multiple of a named unit: of the unit that equals it within 1e-3,
 * or else of the largest unit that is not larger. */
struct koshu_named_unit {
    double number;
    const char *name;
};
struct koshu_named_unit
koshu_unit_name(double cgs, struct koshu_dimension dimension);

#endif
