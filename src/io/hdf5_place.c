/* SPDX-License-Identifier: MIT */
/* Places in an HDF5 file, and their attributes. */
#include <string.h>

#include "base/base.h"
#include "io/hdf5_file.h"

koshu_status
koshu_hdf5_fail(const struct koshu_hdf5_place *place, const char *name,
                const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_reader_refuse(place->reader, KOSHU_ERROR_BAD_FORMAT,
                               "%s/%s %s", place->name, name, text);
}

koshu_status
koshu_hdf5_fail_library(const struct koshu_hdf5_place *place, const char *name)
{
    return koshu_hdf5_fail(place, name,
                           "cannot be read, the file is damaged (HDF5: %s)",
                           koshu_hdf5_reason());
}

bool
koshu_hdf5_has(hid_t group, const char *name)
{
    H5L_info_t link;
    return H5Lexists(group, name, H5P_DEFAULT) > 0 &&
           H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0 &&
           link.type == H5L_TYPE_HARD;
}

koshu_status
koshu_hdf5_enter(struct koshu_reader *reader, hid_t file, const char *name,
                 struct koshu_hdf5_place *place)
{
    *place = (struct koshu_hdf5_place){reader, -1, name};
    if (H5Lexists(file, name, H5P_DEFAULT) == 0) return KOSHU_OK;
    if (koshu_hdf5_has(file, name))
        place->id = H5Gopen2(file, name, H5P_DEFAULT);
    return place->id < 0 ? koshu_hdf5_fail_library(place, "") : KOSHU_OK;
}

/* ---- attributes ------------------------------------------------------- */

/* Opens an attribute with its type and the number of its elements; -1 where
 * there is none, or it cannot be opened. */
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
