/* SPDX-License-Identifier: MIT */
/*
 * Factors of a and h: reading what files state, and converting their numbers.
 * In physical units
 *
 *     x_phys = a^A h^H x
 *
 * where each dataset has its A and H: GADGET-4's a_scaling and h_scaling,
 * SWIFT's "a-scale exponent" and "h-scale exponent".
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "io/hdf5_layout.h"

const struct koshu_hdf5_exponents
        koshu_hdf5_own_exponents[KOSHU_HDF5_DATASETS] = {
                [KOSHU_HDF5_COORDINATES] = {1, -1},
                [KOSHU_HDF5_VELOCITIES] = {0.5, 0},
                [KOSHU_HDF5_MASSES] = {0, -1},
                [KOSHU_HDF5_POTENTIAL] = {-1, 0},
};

/* ---- read ---------------------------------------------------------------- */

koshu_status
koshu_hdf5_read_exponents(const struct koshu_hdf5_place *place,
                          const char *dataset, struct koshu_hdf5_exponents *e)
{
    double physical = 0;
    const struct koshu_hdf5_place at = {
            place->reader, H5Dopen2(place->id, dataset, H5P_DEFAULT), dataset};
    if (at.id < 0) return koshu_hdf5_fail_library(place, dataset);
    KOSHU_TRY(koshu_hdf5_number(&at, "a_scaling", &e->a));
    KOSHU_TRY(koshu_hdf5_number(&at, "h_scaling", &e->h));
    KOSHU_TRY(koshu_hdf5_number(&at, "a-scale exponent", &e->a));
    KOSHU_TRY(koshu_hdf5_number(&at, "h-scale exponent", &e->h));
    KOSHU_TRY(koshu_hdf5_number(&at, "Value stored as physical", &physical));
    if (physical != 0) e->a = 0;
    if (fabs(e->a) <= 8 && fabs(e->h) <= 8) return KOSHU_OK;
    return koshu_hdf5_fail(place, dataset,
                           "states the exponents %g of a and %g of h; these "
                           "are none",
                           e->a, e->h);
}

/* Appends " * h" or " * a^-0.5" to the text. */
static void
add_power(char *text, size_t size, const char *base, double exponent)
{
    const size_t n = strlen(text);
    if (exponent == 1)
        snprintf(text + n, size - n, " * %s", base);
    else if (exponent != 0)
        snprintf(text + n, size - n, " * %s^%g", base, exponent);
}

void
koshu_hdf5_convert(struct koshu_hdf5_layout *l, int dataset,
                   const struct koshu_hdf5_exponents *e,
                   struct koshu_snapshot_info *info)
{
    static const char *const words[KOSHU_HDF5_DATASETS] = {
            "lengths", "velocities", "masses", "", "potentials"};
    const struct koshu_hdf5_exponents *own = &koshu_hdf5_own_exponents[dataset];
    const double a = e->a - own->a, h = e->h - own->h;
    char *text = info->converted;
    l->factor[dataset] = pow(info->time, a) * pow(info->hubble, h);
    if (a == 0 && h == 0) return;
    const size_t n = strlen(text), size = sizeof info->converted;
    snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "", words[dataset]);
    add_power(text, size, "a", a);
    add_power(text, size, "h", h);
}

/* ---- written ------------------------------------------------------------- */

/* Exponents of the units of length, mass and velocity. */
static const struct {
    double length, mass, velocity;
} units_of[KOSHU_HDF5_DATASETS] = {
        [KOSHU_HDF5_COORDINATES] = {1, 0, 0},
        [KOSHU_HDF5_VELOCITIES] = {0, 0, 1},
        [KOSHU_HDF5_MASSES] = {0, 1, 0},
        [KOSHU_HDF5_POTENTIAL] = {0, 0, 2},
};

bool
koshu_hdf5_put_exponents(hid_t group, int k, const char *name,
                         const struct koshu_units *units)
{
    const struct koshu_hdf5_exponents *e = &koshu_hdf5_own_exponents[k];
    const double cgs = pow(units->length_cm, units_of[k].length) *
                       pow(units->mass_g, units_of[k].mass) *
                       pow(units->velocity_cm_s, units_of[k].velocity);
    const hid_t id = H5Dopen2(group, name, H5P_DEFAULT);
    if (id < 0) return false;
    const bool good =
            koshu_hdf5_put_number(id, "a_scaling", e->a) &&
            koshu_hdf5_put_number(id, "h_scaling", e->h) &&
            koshu_hdf5_put_number(id, "length_scaling", units_of[k].length) &&
            koshu_hdf5_put_number(id, "mass_scaling", units_of[k].mass) &&
            koshu_hdf5_put_number(id, "velocity_scaling",
                                  units_of[k].velocity) &&
            koshu_hdf5_put_number(id, "to_cgs", cgs);
    return H5Dclose(id) >= 0 && good;
}
