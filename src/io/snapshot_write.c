/* SPDX-License-Identifier: MIT */
/* Snapshots of any format, written. */
#include <koshu/snapshot.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/format.h"
#include "particles/particles.h"

/* Coordinates near 0 may become 0; without mass it is another system. */
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

/* Are info and particles something that a reader will take? */
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
    KOSHU_TRY(koshu_snapshot_check(particles, view, info));
    const struct koshu_format_ops *ops = koshu_formats[info->format];
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

/* All particles, from all ranks. */
static koshu_status
fetch_all(const struct koshu_rows *rows, const struct koshu_particle_view *from,
          const struct koshu_particle_view *to)
{
    for (size_t k = 0; k < KOSHU_SNAPSHOT_ARRAYS; k++) {
        void *array = koshu_particle_array(to, k);
        const void *at;
        KOSHU_TRY(koshu_rows_get(rows, koshu_particle_array(from, k), 0,
                                 rows->total, array, &at));
        if (at != array) memcpy(array, at, rows->total * KOSHU_ARRAY_ELEMENT);
    }
    return KOSHU_OK;
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
        status = fetch_all(snapshot->rows, snapshot->view, &view);
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

/* Masses over g in place of those of the view; *mass, to be freed: NULL where
 * they are the same. */
static koshu_status
divide_masses(struct koshu_particles *particles, double g,
              struct koshu_particle_view *view, double **mass)
{
    *mass = NULL;
    if (g == 1) return KOSHU_OK;
    *mass = koshu_alloc(view->n, sizeof **mass);
    if (!*mass && view->n > 0)
        return koshu_fail_memory(koshu_particles_context(particles),
                                 view->n * sizeof **mass,
                                 "the masses of a snapshot");
    for (size_t i = 0; i < view->n; i++) (*mass)[i] = view->mass[i] / g;
    view->mass = *mass;
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
    return koshu_snapshot_write_without_g(particles, path, &given, parameters,
                                          1);
}

koshu_status
koshu_snapshot_write_without_g(struct koshu_particles *particles,
                               const char *path,
                               const struct koshu_snapshot_info *info,
                               const char *parameters, double g)
{
    struct koshu_context *context = koshu_particles_context(particles);
    double *mass = NULL;
    struct koshu_rows rows = koshu_rows_of(particles);
    struct koshu_particle_view view;
    const struct koshu_snapshot snapshot = {&rows, &view, info, parameters};
    unsigned fields = KOSHU_SNAPSHOT_FIELDS;
    if (!info->has_potential) fields &= ~(unsigned)KOSHU_FIELD_POTENTIAL;
    koshu_status status = koshu_particles_on_host(particles, fields,
                                                  KOSHU_ACCESS_READ, &view);
    if (status == KOSHU_OK) status = divide_masses(particles, g, &view, &mass);
    if (status == KOSHU_OK) status = check_before_write(particles, &view, info);
    status = koshu_ranks_collective_status(context, status);
    koshu_rows_add(&rows, &view);
    if (status == KOSHU_OK)
        status = koshu_file_from_ranks(context, path, &rows, write_any,
                                       &snapshot);
    koshu_free(mass);
    return status;
}
