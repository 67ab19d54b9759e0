/* SPDX-License-Identifier: MIT */
/* Reads the particles of koshu interact from snapshots and tables. */
#include "interact_set.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/snapshot.h>

#include "app.h"

struct interact_file {
    const char *path;
    size_t n;
    struct koshu_table table; /* without columns: it is a snapshot */
    struct koshu_particles *particles;
    struct koshu_particle_view view;
    bool has_potential;
};

/* ---- files -------------------------------------------------------------- */

static koshu_status
read_snapshot(struct koshu_context *context, struct interact_file *f)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(koshu_snapshot_read(context, f->path, &info, &f->particles));
    KOSHU_TRY(koshu_particles_on_host(f->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &f->view));
    f->has_potential = info.has_potential;
    f->n = f->view.n;
    return KOSHU_OK;
}

static koshu_status
read_one(struct koshu_context *context, struct interact_file *f)
{
    enum koshu_format format;
    KOSHU_TRY(koshu_format_of_file(context, f->path, &format));
    if (format != KOSHU_FORMAT_CSV) return read_snapshot(context, f);
    KOSHU_TRY(koshu_table_read(context, f->path, KOSHU_TABLE_DATA, &f->table));
    f->n = f->table.n_rows;
    return KOSHU_OK;
}

koshu_status
interact_set_read(struct koshu_context *context, size_t n_files,
                  const char *const *paths, struct interact_set *set)
{
    *set = (struct interact_set){.context = context,
                                 .files = calloc(n_files, sizeof *set->files)};
    if (!set->files) return koshu_fail_memory(context, 0, "names of files");
    for (size_t k = 0; k < n_files; k++) {
        struct interact_file *f = &set->files[set->n_files++];
        f->path = paths[k];
        KOSHU_TRY(read_one(context, f));
        if (k > 0 && f->n != set->n)
            return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                              "'%s' has %zu rows and '%s' %zu; columns beside "
                              "each other have the same number",
                              paths[0], set->n, f->path, f->n);
        set->n = f->n;
    }
    return KOSHU_OK;
}

void
interact_set_free(struct interact_set *set)
{
    for (size_t k = 0; k < set->n_files; k++) {
        koshu_table_free(&set->files[k].table);
        koshu_particles_destroy(set->files[k].particles);
    }
    free(set->files);
    *set = (struct interact_set){0};
}

/* ---- columns ------------------------------------------------------------ */

/* The numbers of a column: values[k * stride], or ids. */
struct column {
    const char *name;
    const double *values;
    const uint64_t *ids;
    size_t stride;
};

/* Finds column c of the file; false: there is none. */
static bool
column_at(const struct interact_file *f, size_t c, struct column *column)
{
    if (f->particles) {
        if (c >=
            (f->has_potential ? KOSHU_SNAPSHOT_ARRAYS : KOSHU_ARRAY_POTENTIAL))
            return false;
        const void *array = koshu_particle_array(&f->view, c);
        *column =
                (struct column){koshu_particle_arrays[c].name, array, NULL, 1};
        if (c == KOSHU_ARRAY_ID) column->ids = array;
        return true;
    }
    if (c >= f->table.n_columns) return false;
    *column = (struct column){f->table.names[c], f->table.values + c, NULL,
                              f->table.n_columns};
    return true;
}

static bool
find_column(const struct interact_set *set, const char *name,
            struct column *column)
{
    for (size_t k = 0; k < set->n_files; k++)
        for (size_t c = 0; column_at(&set->files[k], c, column); c++)
            if (strcmp(column->name, name) == 0) return true;
    return false;
}

/* Lists the columns there are: "a, b in 'FILE', c in 'FILE'". */
static void
list_columns(const struct interact_set *set, char *text, size_t size)
{
    struct column column;
    size_t used = 0;
    for (size_t k = 0; k < set->n_files; k++) {
        for (size_t c = 0; column_at(&set->files[k], c, &column); c++)
            if (used < size)
                used += (size_t)snprintf(text + used, size - used, "%s%s",
                                         used ? ", " : "", column.name);
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, " in '%s'",
                                     set->files[k].path);
    }
}

/* The names of datasets in HDF5 snapshots of gas: GADGET-4's and SWIFT's. */
static const char *const datasets[][3] = {
        {"h", "SmoothingLength", "SmoothingLengths"},
        {"density", "Density", "Densities"},
        {"pressure", "Pressure", "Pressures"}};
enum { N_DATASETS = sizeof datasets / sizeof datasets[0] };

/* Reads another dataset of the snapshot, by this name or an equivalent one. */
static koshu_status
read_dataset(struct koshu_context *context, const struct interact_file *f,
             const char *name, double *values)
{
    koshu_status status =
            koshu_snapshot_column(context, f->path, name, f->n, values);
    for (size_t k = 0; k < N_DATASETS; k++)
        for (int c = 1; c < 3 && strcmp(name, datasets[k][0]) == 0; c++)
            if (status == KOSHU_ERROR_NOT_FOUND)
                status = koshu_snapshot_column(context, f->path, datasets[k][c],
                                               f->n, values);
    return status;
}

/* KOSHU_ERROR_NOT_FOUND: no file has such a dataset. */
static koshu_status
copy_dataset(const struct interact_set *set, const char *name, size_t stride,
             double *to)
{
    double *values = calloc(set->n, sizeof *values);
    if (!values)
        return koshu_fail_memory(set->context, set->n * sizeof *values, name);
    koshu_status status = KOSHU_ERROR_NOT_FOUND;
    for (size_t k = 0; status == KOSHU_ERROR_NOT_FOUND && k < set->n_files; k++)
        if (set->files[k].particles)
            status = read_dataset(set->context, &set->files[k], name, values);
    for (size_t i = 0; status == KOSHU_OK && i < set->n; i++)
        to[i * stride] = values[i];
    free(values);
    return status;
}

static koshu_status
copy_column(const struct interact_set *set, const struct column *column,
            size_t stride, double *to)
{
    for (size_t k = 0; k < set->n; k++) {
        to[k * stride] = column->ids ? (double)column->ids[k]
                                     : column->values[k * column->stride];
        if (column->ids && column->ids[k] > (uint64_t)1 << 53)
            return koshu_fail(set->context, KOSHU_ERROR_BAD_INPUT,
                              "the id of particle %zu, %llu, is larger than "
                              "2^53: as a number it would lose digits",
                              k, (unsigned long long)column->ids[k]);
    }
    return KOSHU_OK;
}

static struct interact_setting *
find_setting(struct interact_settings settings, const char *name)
{
    for (size_t k = 0; k < settings.n; k++)
        if (strcmp(settings.setting[k].name, name) == 0)
            return &settings.setting[k];
    return NULL;
}

static koshu_status
fill_column(const struct interact_set *set, const char *name,
            struct interact_setting *setting, size_t stride, double *to)
{
    struct column column;
    char there[512];
    if (setting) {
        for (size_t k = 0; k < set->n; k++) to[k * stride] = setting->value;
        setting->used = true;
        return KOSHU_OK;
    }
    if (find_column(set, name, &column))
        return copy_column(set, &column, stride, to);
    koshu_status status = copy_dataset(set, name, stride, to);
    if (status != KOSHU_ERROR_NOT_FOUND) return status;
    list_columns(set, there, sizeof there);
    return koshu_fail(set->context, KOSHU_ERROR_BAD_INPUT,
                      "there is no column '%s'; there are %s (--set %s=VALUE "
                      "gives all particles the same)",
                      name, there, name);
}

koshu_status
interact_set_rows(const struct interact_set *set, size_t n_names,
                  const char *const *names, struct interact_settings settings,
                  double **rows)
{
    *rows = calloc(set->n, n_names * sizeof **rows);
    if (!*rows)
        return koshu_fail_memory(set->context, set->n * n_names * sizeof **rows,
                                 "the particles' numbers");
    koshu_status status = KOSHU_OK;
    for (size_t c = 0; status == KOSHU_OK && c < n_names; c++)
        status = fill_column(set, names[c], find_setting(settings, names[c]),
                             n_names, *rows + c);
    if (status == KOSHU_OK) return status;
    free(*rows);
    *rows = NULL;
    return status;
}
