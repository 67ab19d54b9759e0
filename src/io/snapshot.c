/* SPDX-License-Identifier: MIT */
#include <koshu/snapshot.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/format.h"
#include "io/io.h"
#include "particles/particles.h"

/* In the order in which a file is compared with them: CSV, which takes any
 * text, last. */
static const struct koshu_format_ops *const formats[] = {
        [KOSHU_FORMAT_HDF5] = &koshu_format_hdf5,
        [KOSHU_FORMAT_GADGET1] = &koshu_format_gadget1,
        [KOSHU_FORMAT_GADGET2] = &koshu_format_gadget2,
        [KOSHU_FORMAT_TIPSY] = &koshu_format_tipsy,
        [KOSHU_FORMAT_CSV] = &koshu_format_csv,
};
enum { N_FORMATS = sizeof formats / sizeof formats[0], HEAD = 512 };

enum {
    STORED = KOSHU_FIELD_ID | KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
             KOSHU_FIELD_VELOCITY | KOSHU_FIELD_POTENTIAL
};

/* ---- names ------------------------------------------------------------ */

const char *
koshu_format_name(enum koshu_format format)
{
    return (unsigned)format < N_FORMATS ? formats[format]->name : NULL;
}

const char *
koshu_format_ending(enum koshu_format format)
{
    return formats[format]->endings[0];
}

static void
name_formats(const char *names[N_FORMATS])
{
    for (int k = 0; k < N_FORMATS; k++) names[k] = formats[k]->name;
}

koshu_status
koshu_format_find(struct koshu_context *context, const char *name,
                  enum koshu_format *format)
{
    KOSHU_REQUIRE(context, name);
    KOSHU_REQUIRE(context, format);
    const char *names[N_FORMATS];
    unsigned value;
    name_formats(names);
    KOSHU_TRY(koshu_enum_find(context, "a snapshot format", names, N_FORMATS,
                              name, &value));
    *format = value;
    return KOSHU_OK;
}

static bool
ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

koshu_status
koshu_format_of_path(struct koshu_context *context, const char *path,
                     enum koshu_format *format)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, format);
    const char *all[N_FORMATS * 3];
    size_t n = 0;
    for (int k = 0; k < N_FORMATS; k++)
        for (int e = 0; e < 3 && formats[k]->endings[e]; e++) {
            all[n++] = formats[k]->endings[e];
            if (ends_with(path, formats[k]->endings[e])) {
                *format = (enum koshu_format)k;
                return KOSHU_OK;
            }
        }
    char endings[128];
    koshu_join_names(endings, sizeof endings, all, n);
    return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                      "'%s' has no ending that names a snapshot format; such "
                      "endings are %s",
                      path, endings);
}

/* ---- info ------------------------------------------------------------- */

void
koshu_snapshot_info_set_defaults(struct koshu_snapshot_info *info, size_t size)
{
    const struct koshu_snapshot_info defaults = {.format = KOSHU_FORMAT_HDF5,
                                                 .units = KOSHU_HENON_UNITS};
    koshu_options_write_defaults(info, size, &defaults, sizeof defaults);
}

/* ---- reading ---------------------------------------------------------- */

static koshu_status
format_of(struct koshu_reader *reader, enum koshu_format *format)
{
    unsigned char head[HEAD];
    uint64_t size = koshu_reader_size(reader);
    size_t n = size < HEAD ? (size_t)size : HEAD;
    KOSHU_TRY(koshu_reader_read(reader, head, n, "the first bytes"));
    KOSHU_TRY(koshu_reader_seek(reader, 0));
    for (int k = 0; k < N_FORMATS; k++)
        if (formats[k]->recognise(head, n, size)) {
            *format = (enum koshu_format)k;
            return KOSHU_OK;
        }
    const char *known[N_FORMATS];
    char names[128];
    name_formats(known);
    koshu_join_names(names, sizeof names, known, N_FORMATS);
    return koshu_reader_fail(reader,
                             "this is not the beginning of a snapshot that "
                             "koshu knows (%s)",
                             names);
}

koshu_status
koshu_format_of_file(struct koshu_context *context, const char *path,
                     enum koshu_format *format)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, format);
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = format_of(reader, format);
    koshu_reader_close(reader);
    return status;
}

static bool
valid_unit(double unit)
{
    return unit > 0 && isfinite(unit);
}

/* What is wrong with the numbers of an info; NULL: nothing. */
static const char *
fault_of(const struct koshu_snapshot_info *info)
{
    if (!isfinite(info->time)) return "the time is not a number";
    if (!isfinite(info->softening) || info->softening < 0)
        return "the softening is negative or not a number";
    if (!isfinite(info->box_size) || info->box_size < 0)
        return "the box size is negative or not a number";
    if (!valid_unit(info->units.length_cm) || !valid_unit(info->units.mass_g) ||
        !valid_unit(info->units.velocity_cm_s))
        return "a unit is not a positive number";
    return NULL;
}

/* Format and info of the file; the reader is at its beginning afterwards. */
static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info)
{
    *info = (struct koshu_snapshot_info){.units = KOSHU_HENON_UNITS};
    KOSHU_TRY(format_of(reader, &info->format));
    KOSHU_TRY(formats[info->format]->inspect(reader, info));
    const char *fault = info->n == 0 ? "it holds no particles" : fault_of(info);
    if (fault)
        return koshu_fail(koshu_reader_context(reader), KOSHU_ERROR_BAD_INPUT,
                          "%s: %s", koshu_reader_path(reader), fault);
    return koshu_reader_seek(reader, 0);
}

static koshu_status
report_info(struct koshu_context *context, struct koshu_snapshot_info *info,
            const struct koshu_snapshot_info *found)
{
    return koshu_report_write(context, "koshu_snapshot_info", info, found,
                              sizeof *found);
}

koshu_status
koshu_snapshot_inspect(struct koshu_context *context, const char *path,
                       struct koshu_snapshot_info *info)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, info);
    struct koshu_reader *reader;
    struct koshu_snapshot_info found;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = inspect(reader, &found);
    koshu_reader_close(reader);
    KOSHU_TRY(status);
    return report_info(context, info, &found);
}

koshu_status
koshu_snapshot_parameters(struct koshu_context *context, const char *path,
                          char **text)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, text);
    struct koshu_reader *reader;
    enum koshu_format format;
    *text = NULL;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = format_of(reader, &format);
    if (status == KOSHU_OK && formats[format]->parameters)
        status = formats[format]->parameters(reader, text);
    koshu_reader_close(reader);
    return status;
}

static koshu_status
check_column(const struct koshu_reader *reader, const char *name, size_t n,
             const double *values)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return koshu_fail(koshu_reader_context(reader),
                              KOSHU_ERROR_BAD_INPUT,
                              "%s: particle %zu: %s = %g",
                              koshu_reader_path(reader), i, name, values[i]);
    return KOSHU_OK;
}

koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values)
{
    struct koshu_reader *reader;
    struct koshu_snapshot_info info;
    koshu_status status;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    KOSHU_TRY_CLEANUP(inspect(reader, &info));
    if (info.n != n)
        status = koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                            "%s: the file changed while it was read", path);
    else if (formats[info.format]->column)
        status = formats[info.format]->column(reader, &info, name, values);
    else
        status = KOSHU_ERROR_NOT_FOUND;
    if (status == KOSHU_ERROR_NOT_FOUND)
        koshu_fail(context, status, "%s: not all particles have a '%s'", path,
                   name);
    if (status == KOSHU_OK) status = check_column(reader, name, n, values);
cleanup:
    koshu_reader_close(reader);
    return status;
}

static koshu_status
check_potential(struct koshu_context *context,
                const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (!isfinite(v->potential[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu (id %llu): potential = %g", i,
                              (unsigned long long)v->id[i], v->potential[i]);
    return KOSHU_OK;
}

static koshu_status
check_particles(struct koshu_particles *particles,
                const struct koshu_particle_view *view, bool potential)
{
    KOSHU_TRY(koshu_particles_check(particles));
    if (!potential) return KOSHU_OK;
    return check_potential(koshu_particles_context(particles), view);
}

/* Puts the file's name before the message of a check; the file is bad input,
 * whatever the particles would be elsewhere. */
static koshu_status
name_file(struct koshu_context *context, const char *path)
{
    char *message = strdup(koshu_context_message(context));
    koshu_status status =
            koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%s: %s", path,
                       message ? message : "a bad particle");
    free(message);
    return status;
}

koshu_status
koshu_snapshot_read_whole(struct koshu_context *context, const char *path,
                          struct koshu_snapshot_info *info,
                          struct koshu_particles **particles)
{
    struct koshu_reader *reader;
    struct koshu_particles *p = NULL;
    struct koshu_particle_view view;
    koshu_status status;
    *particles = NULL;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    KOSHU_TRY_CLEANUP(inspect(reader, info));
    const struct koshu_slice all = {0, (size_t)info->n};
    KOSHU_TRY_CLEANUP(koshu_particles_create_slice(context, all.n, all, &p));
    KOSHU_TRY_CLEANUP(
            koshu_particles_on_host(p, STORED, KOSHU_ACCESS_WRITE, &view));
    KOSHU_TRY_CLEANUP(formats[info->format]->read(reader, info, &view));
    status = check_particles(p, &view, info->has_potential);
    if (status != KOSHU_OK) status = name_file(context, path);

cleanup:
    koshu_reader_close(reader);
    if (status != KOSHU_OK) {
        koshu_particles_destroy(p);
        return status;
    }
    *particles = p;
    return KOSHU_OK;
}

koshu_status
koshu_snapshot_read(struct koshu_context *context, const char *path,
                    struct koshu_snapshot_info *info,
                    struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, particles);
    struct koshu_particles *whole = NULL;
    struct koshu_snapshot_info found = {.n = 0};
    koshu_status status = KOSHU_OK;
    *particles = NULL;
    if (info) KOSHU_TRY(report_info(context, info, &found));
    if (koshu_is_first_rank(context))
        status = koshu_snapshot_read_whole(context, path, &found, &whole);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_broadcast(context, 0, &found, sizeof found));
    KOSHU_TRY(koshu_distribute_particles(context, whole, particles));
    return info ? report_info(context, info, &found) : KOSHU_OK;
}

/* ---- writing ---------------------------------------------------------- */

static koshu_status
check_floats(struct koshu_context *context, const struct koshu_particle_view *v,
             const struct koshu_snapshot_info *info, const char *format)
{
    const struct {
        const char *name;
        const double *array;
    } field[] = {{"mass", v->mass}, {"x", v->x},
                 {"y", v->y},       {"z", v->z},
                 {"vx", v->vx},     {"vy", v->vy},
                 {"vz", v->vz},     {"potential", v->potential}};
    size_t n_fields = sizeof field / sizeof field[0];
    if (!info->has_potential) n_fields--;
    for (size_t k = 0; k < n_fields; k++)
        for (size_t i = 0; i < v->n; i++)
            if (!isfinite((float)field[k].array[i]))
                return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                                  "particle %zu (id %llu): %s = %g is too "
                                  "large for the single precision of %s; "
                                  "write hdf5 or csv",
                                  i, (unsigned long long)v->id[i],
                                  field[k].name, field[k].array[i], format);
    /* coordinates near 0 may become 0; without mass it is another system */
    for (size_t i = 0; i < v->n; i++)
        if (v->mass[i] > 0 && (float)v->mass[i] == 0)
            return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                              "particle %zu (id %llu): mass = %g is too small "
                              "for the single precision of %s; write hdf5 or "
                              "csv",
                              i, (unsigned long long)v->id[i], v->mass[i],
                              format);
    return KOSHU_OK;
}

/* Are info and particles something that a reader will take? */
static koshu_status
check_before_write(struct koshu_particles *particles,
                   const struct koshu_particle_view *view,
                   const struct koshu_snapshot_info *info)
{
    struct koshu_context *context = koshu_particles_context(particles);
    if ((unsigned)info->format >= N_FORMATS)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%d is no snapshot format", (int)info->format);
    const char *fault = fault_of(info);
    if (fault)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a snapshot cannot be written: %s", fault);
    KOSHU_TRY(check_particles(particles, view, info->has_potential));
    const struct koshu_format_ops *ops = formats[info->format];
    if (!ops->single) return KOSHU_OK;
    return check_floats(context, view, info, ops->name);
}

static koshu_status
write_file(struct koshu_context *context, const char *path,
           const struct koshu_rows *rows,
           const struct koshu_particle_view *view,
           const struct koshu_snapshot_info *info, const char *parameters)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(context, path, &file));
    koshu_status status =
            formats[info->format]->write(file, rows, view, info, parameters);
    if (status == KOSHU_OK) return koshu_file_commit(file);
    koshu_file_abandon(file);
    return status;
}

/* All particles, from all ranks. */
static koshu_status
fetch_all(const struct koshu_rows *rows, const struct koshu_particle_view *from,
          const struct koshu_particle_view *to)
{
    const struct {
        const void *from;
        void *to;
    } column[] = {{from->id, to->id},
                  {from->mass, to->mass},
                  {from->x, to->x},
                  {from->y, to->y},
                  {from->z, to->z},
                  {from->vx, to->vx},
                  {from->vy, to->vy},
                  {from->vz, to->vz},
                  {from->potential, to->potential}};
    for (size_t k = 0; k < sizeof column / sizeof column[0]; k++) {
        const void *at;
        KOSHU_TRY(koshu_rows_get(rows, column[k].from, 0, rows->total,
                                 column[k].to, &at));
        if (at != column[k].to) memcpy(column[k].to, at, rows->total * 8);
    }
    return KOSHU_OK;
}

/* For formats that need all particles in this rank's memory. */
static koshu_status
write_gathered(struct koshu_context *context, const char *path,
               const struct koshu_rows *rows,
               const struct koshu_particle_view *view,
               const struct koshu_snapshot_info *info, const char *parameters)
{
    const struct koshu_slice all = {0, rows->total};
    struct koshu_particles *whole;
    struct koshu_particle_view everything;
    KOSHU_TRY(koshu_particles_create_slice(context, all.n, all, &whole));
    koshu_status status = koshu_particles_on_host(
            whole, STORED, KOSHU_ACCESS_WRITE, &everything);
    if (status == KOSHU_OK) status = fetch_all(rows, view, &everything);
    if (status == KOSHU_OK)
        status = write_file(context, path, rows, &everything, info, parameters);
    koshu_particles_destroy(whole);
    return status;
}

/* Rank 0 writes, the others send what it requests. */
static koshu_status
write_on_ranks(struct koshu_context *context, const char *path,
               const struct koshu_rows *rows,
               const struct koshu_particle_view *view,
               const struct koshu_snapshot_info *info, const char *parameters)
{
    bool gather =
            koshu_context_ranks(context) > 1 && !formats[info->format]->by_rows;
    if (!koshu_is_first_rank(context)) return koshu_rows_serve(rows);
    koshu_status status =
            gather ? write_gathered(context, path, rows, view, info, parameters)
                   : write_file(context, path, rows, view, info, parameters);
    koshu_status ended = koshu_rows_end(rows);
    return status == KOSHU_OK ? ended : status;
}

koshu_status
koshu_snapshot_write(struct koshu_particles *particles, const char *path,
                     const struct koshu_snapshot_info *info,
                     const char *parameters)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, path);
    struct koshu_snapshot_info given = koshu_snapshot_info_default();
    KOSHU_TRY(koshu_options_read(context, "koshu_snapshot_info", info, &given,
                                 sizeof given));
    struct koshu_rows rows = koshu_rows_of(particles);
    struct koshu_particle_view view;
    unsigned fields = STORED & ~(unsigned)KOSHU_FIELD_POTENTIAL;
    if (given.has_potential) fields = STORED;
    koshu_status status = koshu_particles_on_host(particles, fields,
                                                  KOSHU_ACCESS_READ, &view);
    if (status == KOSHU_OK)
        status = check_before_write(particles, &view, &given);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    koshu_rows_add(&rows, &view);
    status = write_on_ranks(context, path, &rows, &view, &given, parameters);
    return koshu_ranks_collective_status(context, status);
}
