/* SPDX-License-Identifier: MIT */
/* Writes HDF5 below the layout: groups, attributes, datasets. */
#include <string.h>

#include "base/base.h"
#include "io/bytes.h"
#include "io/hdf5_file.h"

/* Creation properties without timestamps. */
static hid_t
timeless(hid_t kind)
{
    hid_t list = H5Pcreate(kind);
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0) return list;
    if (list >= 0) H5Pclose(list);
    return -1;
}

hid_t
koshu_hdf5_put_group(hid_t file, const char *name)
{
    hid_t list = timeless(H5P_GROUP_CREATE);
    if (list < 0) return -1;
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    return group;
}

static bool
put_attribute(hid_t group, const char *name, hid_t stored, hid_t type,
              hid_t space, const void *value)
{
    hid_t id = H5Acreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0) return false;
    bool good = H5Awrite(id, type, value) >= 0;
    return H5Aclose(id) >= 0 && good;
}

/* The type in the file for a native type: the same, little-endian. */
static hid_t
stored_type(hid_t type)
{
    if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0) return H5T_IEEE_F64LE;
    if (H5Tequal(type, H5T_NATIVE_UINT64) > 0) return H5T_STD_U64LE;
    if (H5Tequal(type, H5T_NATIVE_UINT32) > 0) return H5T_STD_U32LE;
    return H5T_STD_I32LE;
}

bool
koshu_hdf5_put_numbers(hid_t group, const char *name, hid_t type, hsize_t n,
                       const void *numbers)
{
    hid_t space =
            n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    if (space < 0) return false;
    bool good =
            put_attribute(group, name, stored_type(type), type, space, numbers);
    H5Sclose(space);
    return good;
}

bool
koshu_hdf5_put_number(hid_t group, const char *name, double number)
{
    return koshu_hdf5_put_numbers(group, name, H5T_NATIVE_DOUBLE, 1, &number);
}

/* A string type just long enough for the text. */
static hid_t
text_type(const char *text)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, length ? length : 1) >= 0 &&
        H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0) H5Tclose(type);
    return -1;
}

bool
koshu_hdf5_put_text(hid_t group, const char *name, const char *text)
{
    hid_t type = text_type(text), space = H5Screate(H5S_SCALAR);
    bool good = type >= 0 && space >= 0 &&
                put_attribute(group, name, type, type, space, text);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return good;
}

/* Chunks of equal size. The last one is stored at full size; this way it wastes
 * less than one row per chunk. */
static size_t
chunk_rows(size_t n)
{
    size_t n_chunks = (n + KOSHU_HDF5_ROWS - 1) / KOSHU_HDF5_ROWS;
    return (n + n_chunks - 1) / n_chunks;
}

/* A dataset in chunks with checksums; negative: failed. */
static hid_t
create_dataset(hid_t group, const char *name, hid_t type, int columns, size_t n)
{
    int dimensions = columns == 1 ? 1 : 2;
    const hsize_t size[2] = {n, (hsize_t)columns};
    const hsize_t chunk[2] = {chunk_rows(n), (hsize_t)columns};
    hid_t space = H5Screate_simple(dimensions, size, NULL);
    hid_t list = timeless(H5P_DATASET_CREATE), id = -1;
    if (space >= 0 && list >= 0 && H5Pset_chunk(list, dimensions, chunk) >= 0 &&
        H5Pset_fletcher32(list) >= 0 &&
        H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0)
        id = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list,
                        H5P_DEFAULT);
    if (space >= 0) H5Sclose(space);
    if (list >= 0) H5Pclose(list);
    return id;
}

bool
koshu_hdf5_put_long_text(hid_t group, const char *name, const char *text)
{
    hid_t type = text_type(text);
    if (type < 0) return false;
    hid_t id = create_dataset(group, name, type, 1, 1);
    bool good = id >= 0 &&
                H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (id >= 0) good = H5Dclose(id) >= 0 && good;
    H5Tclose(type);
    return good;
}

/* ---- rows ---------------------------------------------------------------- */

/* Converts columns of 8-byte numbers to rows. */
static void
gather(unsigned char *rows, size_t n, int columns, const void *const column[])
{
    for (int c = 0; c < columns; c++) {
        const uint64_t *from = column[c];
        for (size_t i = 0; i < n; i++)
            store_u64(rows + 8 * (i * (size_t)columns + (size_t)c), from[i],
                      false);
    }
}

/* HDF5's Fletcher-32: sums of 16-bit words, high byte first, modulo 65535. */
static uint32_t
fletcher32(const unsigned char *at, size_t words)
{
    enum { UNTIL_OVERFLOW = 360 };
    uint32_t sum = 0, of_sums = 0;
    while (words > 0) {
        const size_t n = words < UNTIL_OVERFLOW ? words : UNTIL_OVERFLOW;
        for (size_t i = 0; i < n; i++, at += 2) {
            sum += (uint32_t)at[0] << 8 | at[1];
            of_sums += sum;
        }
        sum = (sum & 0xffff) + (sum >> 16);
        of_sums = (of_sums & 0xffff) + (of_sums >> 16);
        words -= n;
    }
    sum = (sum & 0xffff) + (sum >> 16);
    of_sums = (of_sums & 0xffff) + (of_sums >> 16);
    return of_sums << 16 | sum;
}

/* A dataset being written. */
struct transfer {
    const struct koshu_rows *rows;
    int columns;
    const void *column[KOSHU_HDF5_COLUMNS];
    hid_t id;
    size_t at_once; /* rows per chunk */
};

struct chunk {
    size_t first, n; /* rows */
    const void *from[KOSHU_HDF5_COLUMNS];
    unsigned char *bytes; /* followed by its checksum */
    uint64_t *spare;      /* work space for its columns */
};

enum { MAX_CHUNKS = 64 };

static size_t
chunk_bytes(const struct transfer *t)
{
    return 8 * t->at_once * (size_t)t->columns;
}

/* Gets the columns of the chunk that begins with this row. */
static bool
get_columns(const struct transfer *t, size_t first, struct chunk *chunk)
{
    const size_t left = t->rows->total - first;
    chunk->first = first;
    chunk->n = left < t->at_once ? left : t->at_once;
    for (int c = 0; c < t->columns; c++)
        if (koshu_rows_get(t->rows, t->column[c], first, chunk->n,
                           chunk->spare + (size_t)c * chunk->n,
                           &chunk->from[c]) != KOSHU_OK)
            return false;
    return true;
}

/* Makes the bytes of a chunk as HDF5's filter would, which takes three times as
 * long. */
static void
fill_chunk(const struct transfer *t, const struct chunk *chunk)
{
    const size_t bytes = chunk_bytes(t),
                 filled = 8 * chunk->n * (size_t)t->columns;
    gather(chunk->bytes, chunk->n, t->columns, chunk->from);
    memset(chunk->bytes + filled, 0, bytes - filled);
    store_u32(chunk->bytes + bytes, fletcher32(chunk->bytes, bytes / 2), false);
}

static bool
write_chunk(const struct transfer *t, const struct chunk *chunk)
{
    const hsize_t offset[2] = {chunk->first, 0};
    return H5Dwrite_chunk(t->id, H5P_DEFAULT, 0, offset, chunk_bytes(t) + 4,
                          chunk->bytes) >= 0;
}

/* Each thread fills a chunk, which takes longer than the file system does. */
static bool
put_chunks(const struct transfer *t, size_t first, int n, struct chunk *chunk)
{
    bool good = true;
    for (int k = 0; k < n && good; k++)
        good = get_columns(t, first + (size_t)k * t->at_once, &chunk[k]);
    if (!good) return false;
#pragma omp parallel for num_threads(n)
    for (int k = 0; k < n; k++) fill_chunk(t, &chunk[k]);
    for (int k = 0; k < n && good; k++) good = write_chunk(t, &chunk[k]);
    return good;
}

static int
chunks_at_once(const struct transfer *t)
{
    const size_t n = (t->rows->total + t->at_once - 1) / t->at_once;
    const int threads = koshu_region_threads(t->rows->context, n > 1);
    const int max = threads < MAX_CHUNKS ? threads : MAX_CHUNKS;
    return n < (size_t)max ? (int)n : max;
}

static bool
put_all(const struct transfer *t)
{
    struct chunk chunk[MAX_CHUNKS];
    const size_t n = t->rows->total, numbers = chunk_bytes(t) / 8;
    const int at_once = n > 0 ? chunks_at_once(t) : 0;
    uint64_t *memory = koshu_alloc((size_t)at_once * (2 * numbers + 1), 8);
    if (!memory) koshu_hdf5_no_memory();
    for (int k = 0; k < at_once && memory; k++) {
        chunk[k].spare = memory + (size_t)k * (2 * numbers + 1);
        chunk[k].bytes = (unsigned char *)(chunk[k].spare + numbers);
    }
    bool good = memory != NULL;
    for (size_t i = 0; i < n && good; i += (size_t)at_once * t->at_once) {
        const size_t left = (n - i + t->at_once - 1) / t->at_once;
        good = put_chunks(t, i, left < (size_t)at_once ? (int)left : at_once,
                          chunk);
    }
    koshu_free(memory);
    return good;
}

bool
koshu_hdf5_put_rows(hid_t group, const struct koshu_hdf5_dataset *dataset,
                    const struct koshu_rows *rows,
                    const struct koshu_particle_view *view)
{
    const size_t n = rows->total;
    struct transfer t = {.rows = rows, .columns = dataset->columns};
    for (int c = 0; c < t.columns; c++)
        t.column[c] = koshu_particle_array(view, dataset->array + (unsigned)c);
    const hid_t type =
            dataset->kind == H5T_FLOAT ? H5T_IEEE_F64LE : H5T_STD_U64LE;
    t.id = create_dataset(group, dataset->name, type, t.columns, n);
    if (t.id < 0) return false;
    t.at_once = chunk_rows(n);
    bool good = put_all(&t);
    return H5Dclose(t.id) >= 0 && good;
}
