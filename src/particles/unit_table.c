/* SPDX-License-Identifier: MIT */
/*
 * The named units, and all constants of nature. Sources:
 *
 *     au              IAU 2012 Resolution B2: 149597870700 m
 *     pc              IAU 2015 Resolution B2: 648000 / pi au
 *     Msun, Mearth, Mjup    IAU 2015 Resolution B3: nominal GM divided by G of
 *                     CODATA 2018, so that products of G and a mass are as
 *                     accurate as the nominal GM
 *     Rsun, Rearth, Rjup    the same, nominal (equatorial) radii
 *     yr, d           IAU: the Julian year of 365.25 days of 86400 s
 *     ly              299792458 m/s for a year
 */
#include "particles/units.h"

#include <math.h>

#define AU 1.495978707e13
#define PC (648000 / M_PI * AU)
#define YEAR 31557600.0
#define LIGHT 2.99792458e10
#define GM(m3_s2) ((m3_s2)*1e6 / KOSHU_GRAVITATIONAL_CONSTANT_CGS)
#define SUN GM(1.3271244e20)

/* The members of a unit of length. */
#define LENGTH(name_, cgs_) .name = name_, .cgs = (cgs_), .dimension.length = 1
#define MASS(name_, cgs_) .name = name_, .cgs = (cgs_), .dimension.mass = 1
#define TIME(name_, cgs_) .name = name_, .cgs = (cgs_), .dimension.time = 1
#define FROM(cgs_) .smallest = (cgs_)
#define ALIAS .is_alias = true

const struct koshu_unit koshu_unit_table[KOSHU_UNITS] = {
        {LENGTH("cm", 1), FROM(1e-300)},
        {LENGTH("m", 1e2)},
        {LENGTH("km", 1e5), FROM(1e5)},
        {LENGTH("Rsun", 6.957e10)},
        {LENGTH("Rearth", 6.3781e8)},
        {LENGTH("Rjup", 7.1492e9)},
        {LENGTH("au", AU), FROM(0.01 * AU)},
        {LENGTH("ly", LIGHT *YEAR)},
        {LENGTH("pc", PC), FROM(0.001 * PC)},
        {LENGTH("kpc", 1e3 * PC), FROM(1e3 * PC)},
        {LENGTH("Mpc", 1e6 * PC), FROM(1e6 * PC)},
        {LENGTH("Gpc", 1e9 * PC), FROM(1e9 * PC)},
        {MASS("g", 1), FROM(1e-300)},
        {MASS("kg", 1e3)},
        {MASS("Msun", SUN), FROM(1e-6 * SUN)},
        {MASS("Mearth", GM(3.986004e14))},
        {MASS("Mjup", GM(1.2668653e17))},
        {TIME("s", 1), FROM(1e-300)},
        {TIME("min", 60)},
        {TIME("h", 3600)},
        {TIME("d", 86400), FROM(86400)},
        {TIME("yr", YEAR), FROM(YEAR)},
        {TIME("kyr", 1e3 * YEAR), FROM(1e3 * YEAR)},
        {TIME("Myr", 1e6 * YEAR), FROM(0.1e6 * YEAR)},
        {TIME("Gyr", 1e9 * YEAR), FROM(0.5e9 * YEAR)},
        {LENGTH("AU", AU), ALIAS},
        {MASS("M_sun", SUN), ALIAS},
        {MASS("M☉", SUN), ALIAS},
        {LENGTH("R_sun", 6.957e10), ALIAS},
        {TIME("day", 86400), ALIAS},
        {TIME("days", 86400), ALIAS},
        {TIME("year", YEAR), ALIAS},
        {TIME("years", YEAR), ALIAS},
};

struct koshu_named_unit
koshu_unit_name(double cgs, struct koshu_dimension dimension)
{
    const struct koshu_unit *best = NULL;
    for (int k = 0; k < KOSHU_UNITS; k++) {
        const struct koshu_unit *u = &koshu_unit_table[k];
        if (u->is_alias || !koshu_dimension_same(u->dimension, dimension))
            continue;
        if (fabs(cgs / u->cgs - 1) < 1e-3)
            return (struct koshu_named_unit){1, u->name};
        if (u->smallest > 0 && cgs >= u->smallest) best = u;
    }
    if (!best) return (struct koshu_named_unit){cgs, "?"};
    return (struct koshu_named_unit){cgs / best->cgs, best->name};
}
