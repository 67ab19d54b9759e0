/* SPDX-License-Identifier: MIT */
/* Reads the cosmology, units and program of an HDF5 snapshot. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "io/hdf5_layout.h"

/* ---- a universe ------------------------------------------------------- */

/* GADGET-4 has it in /Parameters, others in /Header. */
static koshu_status
read_gadget(const struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    static const char *const groups[] = {"Header", "Parameters"};
    for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++) {
        struct koshu_hdf5_place place;
        KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, groups[k], &place));
        if (place.id < 0) continue;
        KOSHU_TRY(koshu_hdf5_number(&place, "Omega0", &info->omega_m));
        KOSHU_TRY(
                koshu_hdf5_number(&place, "OmegaLambda", &info->omega_lambda));
        KOSHU_TRY(koshu_hdf5_number(&place, "HubbleParam", &info->hubble));
    }
    return KOSHU_OK;
}

/* SWIFT's Time is the age. */
static koshu_status
read_swift(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place place;
    double is_one = 1, h = 0;
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Cosmology", &place));
    if (place.id < 0) return KOSHU_OK;
    KOSHU_TRY(koshu_hdf5_number(&place, "Cosmological run", &is_one));
    KOSHU_TRY(koshu_hdf5_number(&place, "h", &h));
    l->is_swift = is_one != 0 && h > 0;
    if (!l->is_swift) return KOSHU_OK;
    info->hubble = h;
    KOSHU_TRY(koshu_hdf5_number(&place, "Omega_m", &info->omega_m));
    KOSHU_TRY(koshu_hdf5_number(&place, "Omega_lambda", &info->omega_lambda));
    return koshu_hdf5_number(&place, "Scale-factor", &info->time);
}

/* Where the file has no redshift, Time is taken for the scale factor. */
static koshu_status
read_cosmology(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place header;
    double z = NAN;
    KOSHU_TRY(read_gadget(l, info));
    KOSHU_TRY(read_swift(l, info));
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Header", &header));
    KOSHU_TRY(koshu_hdf5_number(&header, "Redshift", &z));
    if (!(info->omega_m > 0) ||
        (!isnan(z) && !koshu_snapshot_fits_redshift(info, z)))
        info->hubble = 0;
    return KOSHU_OK;
}

/* ---- units and program ------------------------------------------------ */

static koshu_status
read_units_in(const struct koshu_hdf5_place *place, struct koshu_units *units)
{
    double time = 0;
    KOSHU_TRY(koshu_hdf5_number(place, "UnitLength_in_cm", &units->length_cm));
    KOSHU_TRY(koshu_hdf5_number(place, "UnitMass_in_g", &units->mass_g));
    KOSHU_TRY(koshu_hdf5_number(place, "UnitVelocity_in_cm_per_s",
                                &units->velocity_cm_s));
    /* SWIFT's names */
    KOSHU_TRY(koshu_hdf5_number(place, "Unit length in cgs (U_L)",
                                &units->length_cm));
    KOSHU_TRY(
            koshu_hdf5_number(place, "Unit mass in cgs (U_M)", &units->mass_g));
    KOSHU_TRY(koshu_hdf5_number(place, "Unit time in cgs (U_t)", &time));
    if (time > 0) units->velocity_cm_s = units->length_cm / time;
    return KOSHU_OK;
}

/* Where the file does not give the unit, it keeps its value. */
static void
take_unit(double found, double *unit, bool *has_units)
{
    if (found == -HUGE_VAL) return;
    *unit = found;
    *has_units = true;
}

/* SWIFT and koshu store units in /Units, GADGET-4 in /Parameters, AREPO in
 * /Header. */
static koshu_status
read_units(const struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    static const char *const groups[] = {"Header", "Parameters", "Units"};
    const struct koshu_units none = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    struct koshu_units units = none;
    for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++) {
        struct koshu_hdf5_place place;
        KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, groups[k], &place));
        if (place.id >= 0) KOSHU_TRY(read_units_in(&place, &units));
    }
    take_unit(units.length_cm, &info->units.length_cm, &info->has_units);
    take_unit(units.mass_g, &info->units.mass_g, &info->has_units);
    take_unit(units.velocity_cm_s, &info->units.velocity_cm_s,
              &info->has_units);
    return KOSHU_OK;
}

/* monofonIC's initial conditions in GADGET's layout state no units; they are
 * always these. */
static koshu_status
use_units_of_monofonic(const struct koshu_hdf5_layout *l,
                       struct koshu_snapshot_info *info)
{
    const struct koshu_units usual = {3.085677581491367e24, 1.98841e43, 1e5};
    struct koshu_hdf5_place place;
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "ICs_parameters", &place));
    if (place.id < 0 || info->has_units || !(info->hubble > 0)) return KOSHU_OK;
    info->units = usual;
    info->has_units = true;
    snprintf(info->converted, sizeof info->converted,
             "units, not stated, are monofonIC's");
    return KOSHU_OK;
}

/* A checkpoint has the unit of mass of its run besides that of its masses. */
static koshu_status
read_unit_of_run(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place place;
    l->mass_factor = l->velocity_factor = 1;
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Checkpoint", &place));
    if (place.id < 0) return KOSHU_OK;
    KOSHU_TRY(koshu_hdf5_number(&place, "MassFactor", &l->mass_factor));
    if (l->mass_factor == 0) l->mass_factor = 1;
    if (!(l->mass_factor > 0 && isfinite(l->mass_factor)))
        return koshu_hdf5_fail(&place, "MassFactor",
                               "is %g; this is not a factor", l->mass_factor);
    KOSHU_TRY(koshu_hdf5_number(&place, "VelocityFactor", &l->velocity_factor));
    if (l->velocity_factor == 0) l->velocity_factor = 1;
    if (!(l->velocity_factor > 0 && isfinite(l->velocity_factor)))
        return koshu_hdf5_fail(&place, "VelocityFactor",
                               "is %g; this is not a factor",
                               l->velocity_factor);
    return koshu_hdf5_number(&place, "RunUnitMass_in_g", &info->units.mass_g);
}

static koshu_status
read_program(const struct koshu_hdf5_layout *l,
             struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place code;
    char name[24], version[20], commit[16]; /* fit into program */
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Code", &code));
    if (code.id < 0) return KOSHU_OK;
    koshu_hdf5_text(&code, "Code", name, sizeof name);
    koshu_hdf5_text(&code, "Version", version, sizeof version);
    if (!version[0])
        koshu_hdf5_text(&code, "Code Version", version, sizeof version);
    koshu_hdf5_text(&code, "GitCommit", commit, sizeof commit);
    snprintf(info->program, sizeof info->program, "%s%s%s%s%s", name,
             version[0] ? " " : "", version, commit[0] ? " " : "", commit);
    return KOSHU_OK;
}

koshu_status
koshu_hdf5_read_origin(struct koshu_hdf5_layout *l,
                       struct koshu_snapshot_info *info)
{
    KOSHU_TRY(read_cosmology(l, info));
    KOSHU_TRY(read_units(l, info));
    KOSHU_TRY(use_units_of_monofonic(l, info));
    KOSHU_TRY(read_unit_of_run(l, info));
    return read_program(l, info);
}
