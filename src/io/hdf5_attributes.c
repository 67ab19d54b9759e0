/* SPDX-License-Identifier: MIT */
/* Checks and reads attributes of an HDF5 file. */
#include "io/hdf5_file.h"

/* Opens an attribute, with its type and number of elements; -1: there is none,
 * or it cannot be opened. */
static hid_t
open_attribute(hid_t group, const char *name, hid_t *type, hssize_t *n)
{
    *type = -1;
    *n = -1;
    if (H5Aexists(group, name) <= 0) return -1;
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    *type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    if (space >= 0) {
        *n = H5Sget_simple_extent_npoints(space);
        H5Sclose(space);
    }
    return attribute;
}

static void
close_attribute(hid_t attribute, hid_t type)
{
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
}

static bool
is_number(hid_t type)
{
    H5T_class_t kind = H5Tget_class(type);
    return (kind == H5T_INTEGER || kind == H5T_FLOAT) && H5Tget_size(type) <= 8;
}

koshu_status
koshu_hdf5_numbers(const struct koshu_hdf5_place *place, const char *name,
                   hid_t type, void *numbers, size_t max, size_t *n)
{
    hid_t stored;
    hssize_t count;
    *n = 0;
    hid_t attribute = open_attribute(place->id, name, &stored, &count);
    if (attribute < 0) {
        if (H5Aexists(place->id, name) == 0) return KOSHU_OK;
        return koshu_hdf5_fail_library(place, name);
    }
    koshu_status status = KOSHU_OK;
    if (stored < 0 || !is_number(stored) || count < 1 || (size_t)count > max)
        status = koshu_hdf5_fail(
                place, name, "should be at most %zu numbers, and is not", max);
    else if (H5Aread(attribute, type, numbers) < 0)
        status = koshu_hdf5_fail_library(place, name);
    else
        *n = (size_t)count;
    close_attribute(attribute, stored);
    return status;
}

koshu_status
koshu_hdf5_number(const struct koshu_hdf5_place *place, const char *name,
                  double *value)
{
    enum { MAX_NUMBERS = 16 };
    double numbers[MAX_NUMBERS];
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, H5T_NATIVE_DOUBLE, numbers,
                                 MAX_NUMBERS, &n));
    if (n > 0) *value = numbers[0];
    return KOSHU_OK;
}

void
koshu_hdf5_text(const struct koshu_hdf5_place *place, const char *name,
                char *text, size_t size)
{
    enum { LONGEST = 4096 };
    char stored[LONGEST + 1] = "";
    hid_t type;
    hssize_t n;
    snprintf(text, size, "%s", "");
    hid_t attribute = open_attribute(place->id, name, &type, &n);
    if (type >= 0 && n == 1 && H5Tget_class(type) == H5T_STRING &&
        H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= LONGEST &&
        H5Aread(attribute, type, stored) >= 0)
        snprintf(text, size, "%s", stored);
    close_attribute(attribute, type);
}
