/* SPDX-License-Identifier: MIT */
/* Where the numbers of an HDF5 snapshot come from: universe, units, program. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "io/hdf5_layout.h"

/* ---- a universe ------------------------------------------------------- */

/* GADGET-4 has it in /Parameters, others have it in /Header; files of isolated
 * systems may name h and no densities. */
static koshu_status
read_cosmology(const struct koshu_hdf5_layout *l,
               struct koshu_snapshot_info *info)
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
    if (!(info->omega_m > 0)) info->hubble = 0;
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

/* What the file does not have stays. */
static void
take_unit(double found, double *unit, bool *has_units)
{
    if (found == -HUGE_VAL) return;
    *unit = found;
    *has_units = true;
}

/* SWIFT and koshu keep units in /Units, GADGET-4 in /Parameters, AREPO in
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

/* A checkpoint keeps the unit of mass of its run beside that of its masses. */
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
    KOSHU_TRY(read_unit_of_run(l, info));
    return read_program(l, info);
}
