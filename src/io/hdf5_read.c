/* SPDX-License-Identifier: MIT */
/* Checks and reads groups of an HDF5 file and their datasets. */
#include <string.h>

#include "base/base.h"
#include "io/hdf5_file.h"

enum {
    /* A dataset decompresses to at most so many times the file's size: deflate
     * reaches 1032. A file that claims more is damaged. */
    MAX_COMPRESSION = 2000
};

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

/* ---- datasets: what is there --------------------------------------------- */

static bool
has_shape(hid_t id, hsize_t n, int columns)
{
    hsize_t size[2] = {0, 1};
    hid_t space = H5Dget_space(id);
    if (space < 0) return false;
    int dimensions = columns == 1 ? 1 : 2;
    bool fits = H5Sget_simple_extent_ndims(space) == dimensions &&
                H5Sget_simple_extent_dims(space, size, NULL) == dimensions;
    H5Sclose(space);
    return fits && size[0] == n && size[1] == (hsize_t)columns;
}

/* Bytes of an element in the file; 0: it is not of this kind. */
static size_t
width_of(hid_t id, H5T_class_t kind)
{
    hid_t type = H5Dget_type(id);
    if (type < 0) return 0;
    size_t width = H5Tget_size(type);
    bool fits = H5Tget_class(type) == kind && width <= 8;
    H5Tclose(type);
    return fits ? width : 0;
}

/* A dataset that is open, until the file is closed. */
struct opened {
    const struct koshu_hdf5_place *place;
    const struct koshu_hdf5_dataset *dataset;
    hid_t id;
    uint64_t n;   /* rows */
    size_t width; /* bytes of a number in the file */

    /* How it is stored; chunk_rows is 0 where it is not chunked. */
    hsize_t chunk_rows;
    uint64_t chunk_elements;
    bool filtered, elsewhere; /* elsewhere: in other files */

    /* Set while it is read. */
    hid_t type;
    bool sign;        /* of integers: are they signed? */
    size_t rows;      /* per read */
    uint64_t *buffer; /* holds so many */
};

static bool
find_storage(struct opened *o)
{
    hsize_t size[2] = {0, 1};
    hid_t list = H5Dget_create_plist(o->id);
    if (list < 0) return false;
    H5D_layout_t layout = H5Pget_layout(list);
    o->filtered = H5Pget_nfilters(list) > 0;
    o->elsewhere = layout == H5D_VIRTUAL || H5Pget_external_count(list) > 0;
    if (layout == H5D_CHUNKED &&
        H5Pget_chunk(list, o->dataset->columns == 1 ? 1 : 2, size) > 0) {
        o->chunk_rows = size[0];
        if (__builtin_mul_overflow(size[0], size[1], &o->chunk_elements))
            o->chunk_elements = UINT64_MAX;
    }
    H5Pclose(list);
    return layout >= 0;
}

/* Can the file hold all rows, stored in this way? */
static bool
fits_file(const struct opened *o)
{
    const uint64_t columns = (uint64_t)o->dataset->columns, n = o->n * columns;
    uint64_t size = o->place->reader->size;
    uint64_t max = o->filtered ? size * MAX_COMPRESSION : size;
    uint64_t stored = H5Dget_storage_size(o->id);
    return o->n <= UINT64_MAX / 8 / columns && n <= max / o->width &&
           o->chunk_elements <= UINT32_MAX / o->width &&
           o->chunk_elements * o->width <= size * MAX_COMPRESSION &&
           stored <= size &&
           (o->filtered ? stored > 0 : stored >= n * o->width);
}

static koshu_status
open_link(const struct koshu_hdf5_place *place, const char *name, hid_t *id)
{
    *id = -1;
    if (!koshu_hdf5_has(place->id, name))
        return koshu_hdf5_fail(place, name,
                               "is missing, or is a link to another file");
    *id = H5Dopen2(place->id, name, H5P_DEFAULT);
    return *id < 0 ? koshu_hdf5_fail_library(place, name) : KOSHU_OK;
}

static koshu_status
open_dataset(const struct koshu_hdf5_place *place,
             const struct koshu_hdf5_dataset *d, uint64_t n, struct opened *o)
{
    *o = (struct opened){.place = place, .dataset = d, .n = n};
    KOSHU_TRY(open_link(place, d->name, &o->id));
    o->width = width_of(o->id, d->kind);
    if (!has_shape(o->id, n, d->columns) || o->width == 0)
        return koshu_hdf5_fail(place, d->name,
                               "should be %llu x %d %s of up to 8 bytes, and "
                               "is not",
                               (unsigned long long)n, d->columns,
                               d->kind == H5T_FLOAT ? "reals" : "integers");
    if (!find_storage(o)) return koshu_hdf5_fail_library(place, d->name);
    if (o->elsewhere)
        return koshu_hdf5_fail(place, d->name,
                               "is kept in other files; koshu reads snapshots "
                               "of one file");
    if (fits_file(o)) return KOSHU_OK;
    return koshu_hdf5_fail(place, d->name,
                           "should hold %llu rows, for which the file has not "
                           "the bytes; it is truncated, or its counts are "
                           "wrong",
                           (unsigned long long)n);
}

koshu_status
koshu_hdf5_check(const struct koshu_hdf5_place *place,
                 const struct koshu_hdf5_dataset *dataset, uint64_t n,
                 size_t *width)
{
    struct opened o;
    KOSHU_TRY(open_dataset(place, dataset, n, &o));
    *width = o.width;
    return KOSHU_OK;
}

/* ---- datasets: reading --------------------------------------------------- */

/* Reads rows first ... first + n - 1 into the buffer; false: HDF5 failed. */
static bool
get_rows(const struct opened *o, hsize_t first, hsize_t n)
{
    const int columns = o->dataset->columns, dimensions = columns == 1 ? 1 : 2;
    const hsize_t start[2] = {first, 0}, size[2] = {n, (hsize_t)columns};
    hid_t file = H5Dget_space(o->id);
    hid_t memory = H5Screate_simple(dimensions, size, NULL);
    bool good =
            file >= 0 && memory >= 0 &&
            H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size,
                                NULL) >= 0 &&
            H5Dread(o->id, o->type, memory, file, H5P_DEFAULT, o->buffer) >= 0;
    if (file >= 0) H5Sclose(file);
    if (memory >= 0) H5Sclose(memory);
    return good;
}

/* Converts rows to columns of 8-byte numbers. */
static void
spread(const uint64_t *row, size_t n, int columns, size_t first,
       void *const column[])
{
    for (int c = 0; c < columns; c++) {
        uint64_t *to = (uint64_t *)column[c] + first;
        for (size_t i = 0; i < n; i++)
            memcpy(&to[i], &row[i * (size_t)columns + (size_t)c], 8);
    }
}

static bool
is_signed(hid_t id)
{
    hid_t type = H5Dget_type(id);
    bool sign = type >= 0 && H5Tget_sign(type) == H5T_SGN_2;
    if (type >= 0) H5Tclose(type);
    return sign;
}

static bool
any_negative(const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] > INT64_MAX) return true;
    return false;
}

/* The rows per read: whole chunks, so that each is decompressed once. */
static size_t
rows_at_once(hsize_t chunk_rows, uint64_t n)
{
    hsize_t rows = KOSHU_HDF5_ROWS;
    if (chunk_rows > 0)
        rows = (KOSHU_HDF5_ROWS + chunk_rows - 1) / chunk_rows * chunk_rows;
    return (size_t)(rows < n ? rows : n);
}

/* Reads rows of the file, to index `to` of the columns. */
static koshu_status
read_some(const struct opened *o, struct koshu_slice rows, size_t to,
          void *const column[])
{
    const struct koshu_hdf5_dataset *d = o->dataset;
    if (!get_rows(o, rows.first, rows.n))
        return koshu_hdf5_fail_library(o->place, d->name);
    if (o->sign && any_negative(o->buffer, rows.n * (size_t)d->columns))
        return koshu_hdf5_fail(o->place, d->name, "has a negative number");
    spread(o->buffer, rows.n, d->columns, to, column);
    return KOSHU_OK;
}

/* Each read except the first starts at a chunk. */
static koshu_status
read_all(const struct opened *o, struct koshu_slice rows, void *const column[])
{
    for (size_t done = 0; done < rows.n;) {
        const size_t at = rows.first + done, left = rows.n - done,
                     whole = o->rows - at % o->rows;
        const struct koshu_slice next = {at, left < whole ? left : whole};
        KOSHU_TRY(read_some(o, next, done, column));
        done += next.n;
    }
    return KOSHU_OK;
}

koshu_status
koshu_hdf5_read(const struct koshu_hdf5_place *place,
                const struct koshu_hdf5_dataset *d, uint64_t n,
                struct koshu_slice rows, void *const column[])
{
    struct opened o;
    KOSHU_TRY(open_dataset(place, d, n, &o));
    o.sign = d->kind == H5T_INTEGER && is_signed(o.id);
    o.type = d->kind == H5T_FLOAT ? H5T_NATIVE_DOUBLE
             : o.sign             ? H5T_NATIVE_INT64
                                  : H5T_NATIVE_UINT64;
    o.rows = rows_at_once(o.chunk_rows, n);
    const size_t elements = o.rows * (size_t)d->columns;
    o.buffer = koshu_alloc(elements, 8);
    if (!o.buffer)
        return koshu_fail_memory(place->reader->context, elements * 8,
                                 "reading HDF5");
    koshu_status status = read_all(&o, rows, column);
    koshu_free(o.buffer);
    return status;
}

koshu_status
koshu_hdf5_read_arrays(const struct koshu_hdf5_place *place,
                       const struct koshu_hdf5_dataset *d, uint64_t n,
                       uint64_t first, const struct koshu_particle_view *view)
{
    const struct koshu_slice rows = {(size_t)first, view->n};
    void *column[KOSHU_HDF5_COLUMNS];
    for (int c = 0; c < d->columns; c++)
        column[c] = koshu_particle_array(view, d->array + (unsigned)c);
    return koshu_hdf5_read(place, d, n, rows, column);
}

koshu_status
koshu_hdf5_long_text(const struct koshu_hdf5_place *place, const char *name,
                     char *text, size_t size)
{
    hid_t id;
    memset(text, 0, size);
    if (H5Lexists(place->id, name, H5P_DEFAULT) == 0) return KOSHU_OK;
    KOSHU_TRY(open_link(place, name, &id));
    hid_t type = H5Dget_type(id);
    bool fits = type >= 0 && has_shape(id, 1, 1) &&
                H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && H5Tget_size(type) < size;
    koshu_status status = KOSHU_OK;
    if (!fits)
        status = koshu_hdf5_fail(place, name,
                                 "should be a text of less than %zu letters, "
                                 "and is not",
                                 size);
    else if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
        status = koshu_hdf5_fail_library(place, name);
    if (type >= 0) H5Tclose(type);
    return status;
}
