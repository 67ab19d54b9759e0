/* SPDX-License-Identifier: MIT */
/* What units are made of; for src/particles only. */
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
    /* The smallest multiple of it that is named by it where no name fits; 0:
     * another name of a unit, or one that names nothing but itself. */
    double smallest;
    bool is_alias; /* read, never written */
};

enum { KOSHU_UNITS = 33 };
extern const struct koshu_unit koshu_unit_table[KOSHU_UNITS];

/* A size as so many times a unit: the unit that it is within 1e-3 of, or the
 * largest that is not larger than it. */
struct koshu_named_unit {
    double number;
    const char *name;
};
struct koshu_named_unit
koshu_unit_name(double cgs, struct koshu_dimension dimension);

#endif
