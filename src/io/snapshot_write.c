/* SPDX-License-Identifier: MIT */
/* Writes snapshots of any format. */
#include <koshu/snapshot.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/file_names.h"
#include "io/format.h"
#include "particles/particles.h"

/* Coordinates near 0 may be rounded to 0, but masses may not. */
static bool
fits_float(double value, enum koshu_array array)
{
    return isfinite((float)value) &&
           (array != KOSHU_ARRAY_MASS || value == 0 || (float)value != 0);
}

static koshu_status
check_floats(const struct koshu_particles *particles,
             const struct koshu_particle_view *v, size_t n_arrays,
             const char *format)
{
    for (size_t k = KOSHU_ARRAY_MASS; k < n_arrays; k++) {
        const double *values = koshu_particle_array(v, k);
        for (size_t i = 0; i < v->n; i++) {
            char what[128];
            if (fits_float(values[i], (enum koshu_array)k)) continue;
            snprintf(what, sizeof what,
                     " is too %s for the single precision of %s; write hdf5 or "
                     "csv",
                     fabs(values[i]) < 1 ? "small" : "large", format);
            return koshu_particles_fail(particles, v, i, k,
                                        KOSHU_ERROR_UNSUPPORTED, what);
        }
    }
    return KOSHU_OK;
}

/* Will a reader accept info and particles? */
static koshu_status
check_before_write(struct koshu_particles *particles,
                   const struct koshu_particle_view *view,
                   const struct koshu_snapshot_info *info)
{
    struct koshu_context *context = koshu_particles_context(particles);
    if ((unsigned)info->format >= KOSHU_FORMATS)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%d is not a snapshot format", (int)info->format);
    const char *fault = koshu_snapshot_fault(info);
    if (fault)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a snapshot cannot be written: %s", fault);
    const struct koshu_format_ops *ops = koshu_formats[info->format];
    if (info->files > 1 && !ops->in_files)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "%s has no snapshots of several files; write hdf5 or "
                          "gadget2",
                          ops->name);
    KOSHU_TRY(koshu_snapshot_check(particles, view, info));
    if (!ops->single) return KOSHU_OK;
    return check_floats(particles, view, koshu_snapshot_arrays(info),
                        ops->name);
}

static koshu_status
write_file(struct koshu_context *context, const char *path,
           const struct koshu_snapshot *snapshot)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(context, path, &file));
    locale_t users = koshu_plain_numbers();
    koshu_status status =
            koshu_formats[snapshot->info->format]->write(file, snapshot);
    uselocale(users);
    return koshu_file_end(file, status);
}

/* For formats that need all particles in this rank's memory. */
static koshu_status
write_gathered(struct koshu_context *context, const char *path,
               const struct koshu_snapshot *snapshot)
{
    const struct koshu_slice all = {0, snapshot->rows->total};
    struct koshu_particles *whole;
    struct koshu_particle_view view;
    struct koshu_snapshot gathered = *snapshot;
    gathered.view = &view;
    KOSHU_TRY(koshu_particles_create_slice(context, all.n, all, &whole));
    koshu_status status = koshu_particles_on_host(whole, KOSHU_SNAPSHOT_FIELDS,
                                                  KOSHU_ACCESS_WRITE, &view);
    if (status == KOSHU_OK)
        status = koshu_rows_gather(snapshot->rows, snapshot->view, &view);
    if (status == KOSHU_OK) status = write_file(context, path, &gathered);
    koshu_particles_destroy(whole);
    return status;
}

static koshu_status
write_any(struct koshu_context *context, const char *path, const void *content)
{
    const struct koshu_snapshot *snapshot = content;
    const bool by_rows = koshu_formats[snapshot->info->format]->by_rows;
    return by_rows || koshu_context_ranks(context) == 1
                   ? write_file(context, path, snapshot)
                   : write_gathered(context, path, snapshot);
}

koshu_status
koshu_file_from_ranks(struct koshu_context *context, const char *path,
                      const struct koshu_rows *rows, koshu_write_file *write,
                      const void *content)
{
    koshu_status status;
    if (koshu_is_first_rank(context)) {
        status = write(context, path, content);
        koshu_status ended = koshu_rows_end(rows);
        if (status == KOSHU_OK) status = ended;
    } else {
        status = koshu_rows_serve(rows);
    }
    return koshu_ranks_collective_status(context, status);
}

/* ---- what the file has of masses and velocities ------------------------- */

/* Divides n numbers by a factor. */
static void
divide(size_t n, double factor, const double *from, double *to)
{
    for (size_t i = 0; i < n; i++) to[i] = from[i] / factor;
}

/* Replaces masses and velocities of the view by a copy divided by the factors.
 * *copy is to be freed; NULL where the factors are 1. */
static koshu_status
divide_factors(struct koshu_particles *particles,
               struct koshu_file_factors factors,
               struct koshu_particle_view *view, double **copy)
{
    *copy = NULL;
    if (factors.mass == 1 && factors.velocity == 1) return KOSHU_OK;
    const size_t n = view->n;
    *copy = koshu_alloc(n, 4 * sizeof **copy);
    if (!*copy && n > 0)
        return koshu_fail_memory(koshu_particles_context(particles),
                                 4 * n * sizeof **copy,
                                 "masses and velocities of a snapshot");
    double **const of[] = {&view->mass, &view->vx, &view->vy, &view->vz};
    for (size_t k = 0; k < 4; k++) {
        divide(n, k == 0 ? factors.mass : factors.velocity, *of[k],
               *copy + k * n);
        *of[k] = *copy + k * n;
    }
    return KOSHU_OK;
}

koshu_status
koshu_snapshot_write(struct koshu_particles *particles, const char *path,
                     const struct koshu_snapshot_info *info,
                     const char *parameters)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, path);
    struct koshu_snapshot_info given;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_snapshot_info, info, &given));
    return koshu_snapshot_write_divided(particles, path, &given, parameters,
                                        (struct koshu_file_factors){1, 1});
}

/* ---- several files ------------------------------------------------------- */

/* Writes one file of a group, with the rows `of`; path: of the snapshot. */
static koshu_status
write_part(const struct koshu_snapshot *group, const char *path, uint64_t file,
           struct koshu_slice of)
{
    struct koshu_context *context = group->rows->context;
    const struct koshu_file_name name = koshu_file_name_of(path);
    struct koshu_rows rows = *group->rows;
    struct koshu_particle_view view = *group->view;
    struct koshu_snapshot snapshot = *group;
    snapshot.rows = &rows;
    snapshot.view = &view;
    /* which happens only if all rows are of one rank */
    if (of.n < rows.total) {
        view = koshu_snapshot_part(group->view, of.first, of.n);
        rows.total = rows.slice.n = of.n;
    }
    koshu_rows_add(&rows, &view);
    char *own = NULL;
    if (group->set.files > 1)
        KOSHU_TRY(koshu_file_name_make(context, &name, file, &own));
    koshu_status status = koshu_file_from_ranks(context, own ? own : path,
                                                &rows, write_any, &snapshot);
    free(own);
    return status;
}

/* Writes the files of a group, one after the other. */
static koshu_status
write_files(const struct koshu_snapshot *group, const char *path,
            struct koshu_slice files)
{
    for (size_t k = 0; k < files.n; k++) {
        const struct koshu_slice of =
                koshu_slice_of(group->rows->total, (int)k, (int)files.n);
        KOSHU_TRY(write_part(group, path, files.first + k, of));
    }
    return KOSHU_OK;
}

/* All groups write their files; snapshot: without rows. */
static koshu_status
write_groups(struct koshu_particles *particles, const char *path,
             struct koshu_snapshot *snapshot)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_writers writers;
    KOSHU_TRY(koshu_writers_begin(context, koshu_particles_total(particles),
                                  snapshot->info->files, &writers));
    const struct koshu_rows rows = koshu_writers_rows(&writers, particles);
    snapshot->rows = &rows;
    snapshot->set = (struct koshu_snapshot_set){.files = writers.n_files,
                                                .n = writers.total};
    const koshu_status status = koshu_writers_status(
            &writers, write_files(snapshot, path, writers.files));
    koshu_writers_end(&writers);
    return status;
}

/* A view of this rank's particles that can be written, with masses and
 * velocities divided by the factors; *copy is to be freed. Collective. */
static koshu_status
begin_write(struct koshu_particles *particles,
            const struct koshu_snapshot_info *info,
            struct koshu_file_factors factors, struct koshu_particle_view *view,
            double **copy)
{
    struct koshu_context *context = koshu_particles_context(particles);
    unsigned fields = KOSHU_SNAPSHOT_FIELDS;
    *copy = NULL;
    if (!info->has_potential) fields &= ~(unsigned)KOSHU_FIELD_POTENTIAL;
    koshu_status status =
            koshu_particles_on_host(particles, fields, KOSHU_ACCESS_READ, view);
    if (status == KOSHU_OK)
        status = divide_factors(particles, factors, view, copy);
    if (status == KOSHU_OK) status = check_before_write(particles, view, info);
    return koshu_ranks_collective_status(context, status);
}

koshu_status
koshu_snapshot_write_divided(struct koshu_particles *particles,
                             const char *path,
                             const struct koshu_snapshot_info *info,
                             const char *parameters,
                             struct koshu_file_factors factors)
{
    double *copy;
    struct koshu_particle_view view;
    struct koshu_snapshot snapshot = {
            .view = &view, .info = info, .parameters = parameters};
    koshu_status status = begin_write(particles, info, factors, &view, &copy);
    if (status == KOSHU_OK) status = write_groups(particles, path, &snapshot);
    koshu_free(copy);
    return status;
}

koshu_status
koshu_snapshot_write_group(struct koshu_particles *particles, const char *path,
                           const struct koshu_snapshot_info *info,
                           const char *parameters,
                           struct koshu_file_factors factors,
                           const struct koshu_writers *writers)
{
    double *copy;
    struct koshu_particle_view view;
    const struct koshu_rows rows = koshu_rows_of(particles);
    const struct koshu_snapshot group = {&rows,
                                         &view,
                                         info,
                                         parameters,
                                         {writers->n_files, writers->total, 0}};
    koshu_status status = begin_write(particles, info, factors, &view, &copy);
    if (status == KOSHU_OK) status = write_files(&group, path, writers->files);
    koshu_free(copy);
    return status;
}
