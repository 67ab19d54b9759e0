/* SPDX-License-Identifier: MIT */
/* Writes catalogues of groups, and recognises them. */
#include "io/catalogue.h"

#include <koshu/version.h>

#include "base/base.h"
#include "io/hdf5_file.h"
#include "io/io.h"

static bool
put_rows(hid_t group, const struct koshu_catalogue_column *c, size_t n)
{
    const hsize_t size[2] = {n, c->columns};
    const hid_t stored = c->whole ? H5T_STD_U64LE : H5T_IEEE_F64LE,
                native = c->whole ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE),
          space = H5Screate_simple(c->columns > 1 ? 2 : 1, size, NULL), id = -1;
    if (list >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        id = H5Dcreate2(group, c->name, stored, space, H5P_DEFAULT, list,
                        H5P_DEFAULT);
    bool good = id >= 0 &&
                (n == 0 || H5Dwrite(id, native, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                    c->rows) >= 0) &&
                koshu_hdf5_put_text(id, "Unit", c->unit);
    if (id >= 0) good = H5Dclose(id) >= 0 && good;
    if (list >= 0) H5Pclose(list);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool
put_header(hid_t header, const struct koshu_catalogue *c)
{
    const struct koshu_snapshot_info *i = c->info;
    const uint64_t n = c->n_groups;
    bool good = koshu_hdf5_put_number(header, "Time", i->time) &&
                koshu_hdf5_put_number(header, "BoxSize", i->box_size) &&
                koshu_hdf5_put_numbers(header, "Ngroups_Total",
                                       H5T_NATIVE_UINT64, 1, &n);
    if (i->hubble > 0)
        good = good &&
               koshu_hdf5_put_number(header, "Redshift", 1 / i->time - 1) &&
               koshu_hdf5_put_number(header, "Omega0", i->omega_m) &&
               koshu_hdf5_put_number(header, "OmegaLambda", i->omega_lambda) &&
               koshu_hdf5_put_number(header, "HubbleParam", i->hubble);
    for (size_t k = 0; k < c->n_numbers; k++)
        good = good && koshu_hdf5_put_number(header, c->number[k].name,
                                             c->number[k].value);
    return good;
}

static bool
put_origin(hid_t file, const struct koshu_units *u)
{
    hid_t units = koshu_hdf5_put_group(file, "Units"),
          code = koshu_hdf5_put_group(file, "Code");
    return units >= 0 && code >= 0 &&
           koshu_hdf5_put_number(units, "UnitLength_in_cm", u->length_cm) &&
           koshu_hdf5_put_number(units, "UnitMass_in_g", u->mass_g) &&
           koshu_hdf5_put_number(units, "UnitVelocity_in_cm_per_s",
                                 u->velocity_cm_s) &&
           koshu_hdf5_put_text(code, "Code", "koshu") &&
           koshu_hdf5_put_text(code, "Version", koshu_version()) &&
           koshu_hdf5_put_text(code, "GitCommit", koshu_version_commit());
}

static bool
put_all(hid_t file, const struct koshu_catalogue *c)
{
    const struct koshu_catalogue_column ids = {"ID", "", true, 1, c->member};
    hid_t header = koshu_hdf5_put_group(file, "Header"),
          group = koshu_hdf5_put_group(file, "Group"), members = -1;
    bool good = header >= 0 && group >= 0 && put_header(header, c) &&
                put_origin(file, &c->info->units);
    for (size_t k = 0; k < c->n_columns; k++)
        good = good && put_rows(group, &c->column[k], c->n_groups);
    if (!c->member) return good;
    members = koshu_hdf5_put_group(file, "IDs");
    return good && members >= 0 && put_rows(members, &ids, c->n_members);
}

static koshu_status
write_hdf5(struct koshu_file *to, const struct koshu_catalogue *c)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file hdf5;
    koshu_hdf5_begin(&errors);
    bool good = koshu_hdf5_create(to, &hdf5) && put_all(hdf5.id, c);
    good = koshu_hdf5_close(&hdf5) && good;
    koshu_hdf5_end(&errors);
    if (good) return KOSHU_OK;
    if (errors.no_memory)
        return koshu_fail(to->context, KOSHU_ERROR_OUT_OF_MEMORY,
                          "too little memory to write a catalogue");
    return koshu_fail(to->context, KOSHU_ERROR_EXTERNAL,
                      "HDF5 could not write a catalogue: %s",
                      errors.reason[0] ? errors.reason : "unknown reason");
}

koshu_status
koshu_catalogue_write(struct koshu_context *context, const char *path,
                      const struct koshu_catalogue *catalogue)
{
    struct koshu_file *to;
    KOSHU_TRY(koshu_file_begin(context, path, &to));
    return koshu_file_end(to, write_hdf5(to, catalogue));
}

/* ---- known again --------------------------------------------------------- */

static koshu_status
find_groups(struct koshu_reader *reader, hid_t file, void *user)
{
    bool *found = user;
    struct koshu_hdf5_place header;
    double n = -1;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Header", &header));
    if (header.id >= 0)
        KOSHU_TRY(koshu_hdf5_number(&header, "Ngroups_Total", &n));
    *found = n >= 0 && koshu_hdf5_has(file, "Group");
    return KOSHU_OK;
}

koshu_status
koshu_is_catalogue(struct koshu_context *context, const char *path,
                   bool *is_catalogue)
{
    *is_catalogue = false;
    return koshu_hdf5_inspect(context, path, find_groups, is_catalogue);
}
