/* SPDX-License-Identifier: MIT */
/* Writes HDF5 snapshots. */
#include <string.h>

#include <koshu/version.h>

#include "base/base.h"
#include "io/hdf5_layout.h"

enum {
    WRITTEN_TYPES = 6,
    DARK = 1 /* the only type that is written */
};

/* The time for pynbody, which would take Time for a scale factor. */
static double
gigayears(const struct koshu_snapshot_info *info)
{
    const double seconds_of_one = 1e9 * 365.25 * 86400;
    return info->time * info->units.length_cm / info->units.velocity_cm_s /
           seconds_of_one;
}

/* The numbers of particles of each type. All masses are in a dataset. */
static bool
write_counts(hid_t group, size_t n, uint64_t n_all)
{
    const uint64_t this_file[WRITTEN_TYPES] = {[DARK] = n};
    const uint32_t total[WRITTEN_TYPES] = {[DARK] = (uint32_t)n_all};
    const uint32_t high[WRITTEN_TYPES] = {[DARK] = (uint32_t)(n_all >> 32)};
    const double table[WRITTEN_TYPES] = {0};
    return koshu_hdf5_put_numbers(group, "NumPart_ThisFile", H5T_NATIVE_UINT64,
                                  WRITTEN_TYPES, this_file) &&
           koshu_hdf5_put_numbers(group, "NumPart_Total", H5T_NATIVE_UINT32,
                                  WRITTEN_TYPES, total) &&
           koshu_hdf5_put_numbers(group, "NumPart_Total_HighWord",
                                  H5T_NATIVE_UINT32, WRITTEN_TYPES, high) &&
           koshu_hdf5_put_numbers(group, "MassTable", H5T_NATIVE_DOUBLE,
                                  WRITTEN_TYPES, table);
}

/* Under GADGET's names. */
static bool
write_universe(hid_t group, const struct koshu_snapshot_info *info)
{
    return koshu_hdf5_put_number(group, "Omega0", info->omega_m) &&
           koshu_hdf5_put_number(group, "OmegaLambda", info->omega_lambda) &&
           koshu_hdf5_put_number(group, "HubbleParam", info->hubble);
}

/* With cosmology Redshift and the parameters; otherwise Time_GYR. */
static bool
write_cosmology(hid_t group, const struct koshu_snapshot_info *info)
{
    if (!(info->hubble > 0))
        return koshu_hdf5_put_number(group, "Time_GYR", gigayears(info));
    return koshu_hdf5_put_number(group, "Redshift", 1 / info->time - 1) &&
           write_universe(group, info);
}

static bool
write_header(hid_t group, const struct koshu_snapshot *s)
{
    const struct koshu_snapshot_info *info = s->info;
    const int32_t files = (int32_t)s->set.files;
    return write_counts(group, s->rows->total, s->set.n) &&
           koshu_hdf5_put_numbers(group, "NumFilesPerSnapshot",
                                  H5T_NATIVE_INT32, 1, &files) &&
           koshu_hdf5_put_number(group, "Time", info->time) &&
           write_cosmology(group, info) &&
           koshu_hdf5_put_number(group, "BoxSize", info->box_size) &&
           koshu_hdf5_put_number(group, "Softening", info->softening) &&
           koshu_hdf5_put_numbers(group, "Step", H5T_NATIVE_UINT64, 1,
                                  &info->step);
}

static bool
write_units(hid_t group, const struct koshu_units *units)
{
    return koshu_hdf5_put_number(group, "UnitLength_in_cm", units->length_cm) &&
           koshu_hdf5_put_number(group, "UnitMass_in_g", units->mass_g) &&
           koshu_hdf5_put_number(group, "UnitVelocity_in_cm_per_s",
                                 units->velocity_cm_s);
}

static bool
write_code(hid_t group)
{
    return koshu_hdf5_put_text(group, "Code", "koshu") &&
           koshu_hdf5_put_text(group, "Version", koshu_version()) &&
           koshu_hdf5_put_text(group, "GitCommit", koshu_version_commit());
}

static bool
write_type(hid_t group, const struct koshu_snapshot *s)
{
    const int end =
            s->info->has_potential ? KOSHU_HDF5_DATASETS : KOSHU_HDF5_POTENTIAL;
    for (int k = 0; k < end; k++)
        if (!koshu_hdf5_put_rows(group, &koshu_hdf5_datasets[k], s->rows,
                                 s->view))
            return false;
    for (int k = 0; k < end && s->info->hubble > 0; k++)
        if (k != KOSHU_HDF5_IDS &&
            !koshu_hdf5_put_exponents(group, k, koshu_hdf5_datasets[k].name,
                                      &s->info->units))
            return false;
    return true;
}

/* GADGET-4's cosmological parameters and units, and the parameter file. */
static bool
write_parameters(hid_t group, const struct koshu_snapshot *s)
{
    const bool universe = s->info->hubble > 0;
    return (!universe || (write_universe(group, s->info) &&
                          write_units(group, &s->info->units))) &&
           (!s->parameters ||
            koshu_hdf5_put_long_text(group, "Text", s->parameters));
}

/* Creates all groups before it writes into any. */
static bool
write_all(hid_t file, const struct koshu_snapshot *s)
{
    enum { HEADER, UNITS, CODE, TYPE, PARAMETERS, N_GROUPS };
    static const char *const names[N_GROUPS] = {"Header", "Units", "Code",
                                                "PartType1", "Parameters"};
    hid_t group[N_GROUPS];
    bool good = true;
    const bool parameters = s->parameters || s->info->hubble > 0;
    int n_groups = parameters ? N_GROUPS : PARAMETERS;
    for (int g = 0; g < n_groups; g++) {
        group[g] = koshu_hdf5_put_group(file, names[g]);
        good = good && group[g] >= 0;
    }
    good = good && write_header(group[HEADER], s) &&
           write_units(group[UNITS], &s->info->units) &&
           write_code(group[CODE]) && write_type(group[TYPE], s) &&
           (!parameters || write_parameters(group[PARAMETERS], s));
    return good;
}

static koshu_status
check_parameters(const struct koshu_file *file, const char *parameters)
{
    if (!parameters || strlen(parameters) < KOSHU_HDF5_LONGEST_TEXT)
        return KOSHU_OK;
    return koshu_fail(file->context, KOSHU_ERROR_UNSUPPORTED,
                      "a parameter file of %zu bytes is too long for a "
                      "snapshot, which keeps up to %d",
                      strlen(parameters), KOSHU_HDF5_LONGEST_TEXT - 1);
}

koshu_status
koshu_hdf5_write_snapshot(struct koshu_file *file,
                          const struct koshu_snapshot *snapshot,
                          bool (*add)(hid_t file, const void *argument),
                          const void *argument)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file hdf5;
    KOSHU_TRY(check_parameters(file, snapshot->parameters));
    koshu_hdf5_begin(&errors);
    bool good = koshu_hdf5_create(file, &hdf5) &&
                write_all(hdf5.id, snapshot) &&
                (!add || add(hdf5.id, argument));
    good = koshu_hdf5_close(&hdf5) && good;
    koshu_hdf5_end(&errors);
    if (good) return KOSHU_OK;
    if (errors.no_memory)
        return koshu_fail(file->context, KOSHU_ERROR_OUT_OF_MEMORY,
                          "too little memory to write a snapshot");
    return koshu_fail(file->context, KOSHU_ERROR_EXTERNAL,
                      "HDF5 could not write a snapshot: %s",
                      errors.reason[0] ? errors.reason : "unknown reason");
}
