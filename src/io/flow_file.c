/* SPDX-License-Identifier: MIT */
/* Writes and reads files of flows. */
#include "io/flow_file.h"

#include <string.h>

#include <koshu/version.h>

#include "base/base.h"
#include "io/checkpoint_trailer.h"
#include "io/hdf5_file.h"

size_t
koshu_flow_array_points(const struct koshu_flow_array *array)
{
    size_t n = 1;
    for (size_t k = 0; k < array->rank; k++) n *= array->dims[k];
    return n;
}

/* ---- order -------------------------------------------------------------- */

/* Where numbers lie: how many columns, y, z and x there are, and the steps from
 * one to the next. Particles count as points along x. */
struct order {
    size_t count[4], memory[4], file[4];
};

static struct order
order_of(const struct koshu_flow_array *a)
{
    const size_t n = koshu_flow_array_points(a), m = a->columns, x = a->dims[0],
                 y = a->dims[1], z = a->dims[2];
    if (a->rank == 1)
        return (struct order){{m, 1, 1, n}, {n, 0, 0, 1}, {1, 0, 0, m}};
    return (struct order){
            {m, y, z, x}, {n, z, 1, y * z}, {1, x * m, y * x * m, m}};
}

/* A few x at a time, whose lines stay in the cache for all z. */
enum { TILE = 8 };

static void
copy_tile(const struct order *o, size_t x0, const double *memory, double *file)
{
    const size_t end = x0 + TILE < o->count[3] ? x0 + TILE : o->count[3];
    for (size_t z = 0; z < o->count[2]; z++)
        for (size_t x = x0; x < end; x++)
            file[z * o->file[2] + x * o->file[3]] =
                    memory[z * o->memory[2] + x * o->memory[3]];
}

static void
copy(const struct order *o, const double *memory, double *file)
{
    for (size_t c = 0; c < o->count[0]; c++)
        for (size_t y = 0; y < o->count[1]; y++)
            for (size_t x = 0; x < o->count[3]; x += TILE)
                copy_tile(o, x, memory + c * o->memory[0] + y * o->memory[1],
                          file + c * o->file[0] + y * o->file[1]);
}

/* Converts from the order in memory to that in the file, or back; the result is
 * to be freed. */
static double *
reorder(const struct koshu_flow_array *a, const double *from, bool back)
{
    const struct order o = order_of(a);
    const struct order inverse = {
            {o.count[0], o.count[1], o.count[2], o.count[3]},
            {o.file[0], o.file[1], o.file[2], o.file[3]},
            {o.memory[0], o.memory[1], o.memory[2], o.memory[3]}};
    const size_t n = koshu_flow_array_points(a) * a->columns;
    double *to = koshu_alloc(n, sizeof *to);
    if (to)
        copy(back ? &inverse : &o, from, to);
    else
        koshu_hdf5_no_memory();
    return to;
}

/* ---- writing ------------------------------------------------------------ */

static int
shape_of(const struct koshu_flow_array *a, hsize_t size[4])
{
    for (size_t k = 0; k < a->rank; k++) size[k] = a->dims[a->rank - 1 - k];
    size[a->rank] = a->columns;
    return (int)a->rank + (a->columns > 1);
}

static bool
put_rows(hid_t group, const struct koshu_flow_array *a, const double *rows)
{
    hsize_t size[4];
    const int rank = shape_of(a, size);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE),
          space = H5Screate_simple(rank, size, NULL), id = -1;
    if (list >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        id = H5Dcreate2(group, a->name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                        list, H5P_DEFAULT);
    bool good = id >= 0 && H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                                    H5P_DEFAULT, rows) >= 0;
    if (id >= 0) good = H5Dclose(id) >= 0 && good;
    if (list >= 0) H5Pclose(list);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool
put_array(hid_t group, const struct koshu_flow_array *a)
{
    if (a->columns == 1 && a->rank == 1) return put_rows(group, a, a->data);
    double *rows = reorder(a, a->data, false);
    const bool good = rows && put_rows(group, a, rows);
    koshu_free(rows);
    return good;
}

static bool
put_header(hid_t file, const struct koshu_flow_file *f)
{
    hid_t header = koshu_hdf5_put_group(file, "Header"),
          code = koshu_hdf5_put_group(file, "Code");
    return header >= 0 && code >= 0 &&
           koshu_hdf5_put_number(header, "Time", f->time) &&
           koshu_hdf5_put_number(header, "BoxSize", f->box) &&
           koshu_hdf5_put_numbers(header, "Step", H5T_NATIVE_UINT64, 1,
                                  &f->step) &&
           koshu_hdf5_put_text(code, "Code", "koshu") &&
           koshu_hdf5_put_text(code, "Version", koshu_version()) &&
           koshu_hdf5_put_text(code, "GitCommit", koshu_version_commit());
}

static bool
has_grid(const struct koshu_flow_file *f)
{
    return f->n_arrays > 0 && f->array[0].rank == 3;
}

static bool
put_flow(hid_t file, const struct koshu_flow_file *f)
{
    hid_t flow = koshu_hdf5_put_group(file, "Flow"), parameters = -1;
    bool good = flow >= 0 && koshu_hdf5_put_text(flow, "Kind", f->kind);
    if (has_grid(f)) good = good && koshu_hdf5_put_text(flow, "Order", "zyx");
    for (size_t k = 0; k < f->n_numbers; k++)
        good = good && koshu_hdf5_put_number(flow, f->number[k].name,
                                             f->number[k].value);
    for (size_t k = 0; k < f->n_arrays; k++)
        good = good && put_array(flow, &f->array[k]);
    if (!f->parameters) return good;
    parameters = koshu_hdf5_put_group(file, "Parameters");
    return good && parameters >= 0 &&
           koshu_hdf5_put_long_text(parameters, "Text", f->parameters);
}

static koshu_status
write_hdf5(struct koshu_file *to, const struct koshu_flow_file *f)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file hdf5;
    koshu_hdf5_begin(&errors);
    bool good = koshu_hdf5_create(to, &hdf5) && put_header(hdf5.id, f) &&
                put_flow(hdf5.id, f);
    good = koshu_hdf5_close(&hdf5) && good;
    koshu_hdf5_end(&errors);
    if (good) return KOSHU_OK;
    if (errors.no_memory)
        return koshu_fail(to->context, KOSHU_ERROR_OUT_OF_MEMORY,
                          "too little memory to write a flow");
    return koshu_fail(to->context, KOSHU_ERROR_EXTERNAL,
                      "HDF5 could not write a flow: %s",
                      errors.reason[0] ? errors.reason : "unknown reason");
}

koshu_status
koshu_flow_file_write(struct koshu_context *context, const char *path,
                      const struct koshu_flow_file *f)
{
    struct koshu_file *to;
    KOSHU_TRY(koshu_file_begin(context, path, &to));
    koshu_status status = write_hdf5(to, f);
    if (status == KOSHU_OK && f->is_checkpoint)
        status = koshu_checkpoint_put_trailer(to);
    return koshu_file_end(to, status);
}

/* ---- reading ------------------------------------------------------------ */

static koshu_status
read_number(const struct koshu_hdf5_place *place, const char *name,
            double *value)
{
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, H5T_NATIVE_DOUBLE, value, 1, &n));
    return n == 1 ? KOSHU_OK : koshu_hdf5_fail(place, name, "is missing");
}

/* Has the dataset the rank and columns of the array? Sets the array's dims. */
static bool
read_shape(hid_t id, struct koshu_flow_array *a)
{
    hsize_t size[8] = {0};
    hid_t space = H5Dget_space(id);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool good = rank == (int)a->rank + (a->columns > 1) &&
                H5Sget_simple_extent_dims(space, size, NULL) >= 0 &&
                (a->columns == 1 || size[a->rank] == a->columns);
    for (size_t k = 0; k < a->rank; k++) a->dims[k] = size[a->rank - 1 - k];
    if (space >= 0) H5Sclose(space);
    return good;
}

/* The file must be large enough for the data. */
static bool
fits(const struct koshu_hdf5_place *place, const struct koshu_flow_array *a)
{
    double bytes = 8.0 * (double)a->columns;
    for (size_t k = 0; k < a->rank; k++) bytes *= (double)a->dims[k];
    return bytes <= (double)place->reader->size;
}

static koshu_status
read_rows(const struct koshu_hdf5_place *place, hid_t id,
          struct koshu_flow_array *a)
{
    if (!read_shape(id, a) || !fits(place, a))
        return koshu_hdf5_fail(place, a->name, "has another shape");
    const size_t n = koshu_flow_array_points(a) * a->columns;
    double *rows = koshu_alloc(n, sizeof *rows);
    if (!rows)
        return koshu_fail_memory(place->reader->context, 8 * n, "a flow");
    const bool good = H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                              H5P_DEFAULT, rows) >= 0;
    a->data = good ? reorder(a, rows, true) : NULL;
    koshu_free(rows);
    return a->data ? KOSHU_OK : koshu_hdf5_fail_library(place, a->name);
}

static koshu_status
read_array(const struct koshu_hdf5_place *place, struct koshu_flow_array *a)
{
    if (!koshu_hdf5_has(place->id, a->name))
        return koshu_hdf5_fail(place, a->name, "is missing");
    hid_t id = H5Dopen2(place->id, a->name, H5P_DEFAULT);
    if (id < 0) return koshu_hdf5_fail_library(place, a->name);
    const koshu_status status = read_rows(place, id, a);
    H5Dclose(id);
    return status;
}

/* Files of grids without the attribute were written while koshu was developed,
 * in the order of memory. */
static koshu_status
check_order(struct koshu_reader *reader, const struct koshu_hdf5_place *flow,
            const struct koshu_flow_file *f)
{
    char order[8];
    koshu_hdf5_text(flow, "Order", order, sizeof order);
    if (!has_grid(f) || strcmp(order, "zyx") == 0) return KOSHU_OK;
    return koshu_reader_refuse(
            reader, KOSHU_ERROR_BAD_FORMAT,
            "its grid is not in the order z, y, x (attribute "
            "Order of /Flow): write it again with this koshu");
}

static koshu_status
read_groups(struct koshu_reader *reader, hid_t file, struct koshu_flow_file *f)
{
    struct koshu_hdf5_place header, flow;
    double step;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Flow", &flow));
    if (flow.id < 0)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                                   "it has no group Flow: it is not a flow's");
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Header", &header));
    if (header.id < 0) return koshu_hdf5_fail(&header, "", "is missing");
    KOSHU_TRY(read_number(&header, "Time", &f->time));
    KOSHU_TRY(read_number(&header, "BoxSize", &f->box));
    KOSHU_TRY(read_number(&header, "Step", &step));
    f->step = (uint64_t)step;
    koshu_hdf5_text(&flow, "Kind", f->kind, sizeof f->kind);
    KOSHU_TRY(check_order(reader, &flow, f));
    for (size_t k = 0; k < f->n_numbers; k++)
        KOSHU_TRY(read_number(&flow, f->number[k].name, &f->number[k].value));
    for (size_t k = 0; k < f->n_arrays; k++)
        KOSHU_TRY(read_array(&flow, &f->array[k]));
    return KOSHU_OK;
}

static koshu_status
read_hdf5(struct koshu_reader *reader, struct koshu_flow_file *f)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file file;
    koshu_hdf5_begin(&errors);
    const koshu_status status =
            koshu_hdf5_open(reader, &file)
                    ? read_groups(reader, file.id, f)
                    : koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                                          "HDF5 cannot open it");
    const bool closed = koshu_hdf5_close(&file);
    (void)closed; /* there is nothing to lose */
    koshu_hdf5_end(&errors);
    return koshu_hdf5_status_of(&errors, reader, status);
}

koshu_status
koshu_flow_file_read(struct koshu_context *context, const char *path,
                     struct koshu_flow_file *f)
{
    struct koshu_reader *reader;
    for (size_t k = 0; k < f->n_arrays; k++) f->array[k].data = NULL;
    if (f->is_checkpoint) KOSHU_TRY(koshu_checkpoint_check(context, path));
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    const koshu_status status = read_hdf5(reader, f);
    koshu_reader_close(reader);
    return status;
}

void
koshu_flow_file_free(struct koshu_flow_file *f)
{
    for (size_t k = 0; k < f->n_arrays; k++) {
        koshu_free(f->array[k].data);
        f->array[k].data = NULL;
    }
}
