/* SPDX-License-Identifier: MIT */
#include <koshu/snapshot.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/format.h"
#include "io/io.h"
#include "particles/particles.h"

/* ---- info ------------------------------------------------------------- */

KOSHU_DEFINE_DEFAULT(koshu_snapshot_info, .format = KOSHU_FORMAT_HDF5,
                     .units = KOSHU_HENON_UNITS)

/* ---- reading ---------------------------------------------------------- */

static bool
valid_unit(double unit)
{
    return unit > 0 && isfinite(unit);
}

const char *
koshu_snapshot_fault(const struct koshu_snapshot_info *info)
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
    KOSHU_TRY(koshu_format_recognise(reader, &info->format));
    locale_t users = koshu_plain_numbers();
    koshu_status status = koshu_formats[info->format]->inspect(reader, info);
    uselocale(users);
    KOSHU_TRY(status);
    const char *fault =
            info->n == 0 ? "it holds no particles" : koshu_snapshot_fault(info);
    if (fault)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT, "%s", fault);
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
    koshu_status status = koshu_format_recognise(reader, &format);
    if (status == KOSHU_OK && koshu_formats[format]->parameters)
        status = koshu_formats[format]->parameters(reader, text);
    koshu_reader_close(reader);
    return status;
}

static koshu_status
check_column(const struct koshu_reader *reader, const char *name, size_t n,
             const double *values)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                       "particle %zu: %s = %g", i, name,
                                       values[i]);
    return KOSHU_OK;
}

/* KOSHU_ERROR_NOT_FOUND: without a message. */
static koshu_status
read_column(struct koshu_reader *reader, const char *name, size_t n,
            double *values)
{
    struct koshu_snapshot_info info;
    KOSHU_TRY(inspect(reader, &info));
    if (info.n != n)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                   "the file changed while it was read");
    if (!koshu_formats[info.format]->column) return KOSHU_ERROR_NOT_FOUND;
    KOSHU_TRY(koshu_formats[info.format]->column(reader, &info, name, values));
    return check_column(reader, name, n, values);
}

koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values)
{
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = read_column(reader, name, n, values);
    koshu_reader_close(reader);
    if (status == KOSHU_ERROR_NOT_FOUND)
        return koshu_fail(context, status, "%s: not all particles have a '%s'",
                          path, name);
    return status;
}

koshu_status
koshu_snapshot_check(struct koshu_particles *particles,
                     const struct koshu_particle_view *view,
                     const struct koshu_snapshot_info *info)
{
    KOSHU_TRY(koshu_particles_check(particles));
    return koshu_particles_check_finite(particles, view, KOSHU_ARRAY_POTENTIAL,
                                        koshu_snapshot_arrays(info));
}

/* All particles of the file; the reader is at its beginning. */
static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info,
               struct koshu_particles *particles)
{
    struct koshu_particle_view view;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_SNAPSHOT_FIELDS,
                                      KOSHU_ACCESS_WRITE, &view));
    locale_t users = koshu_plain_numbers();
    koshu_status status =
            koshu_formats[info->format]->read(reader, info, &view);
    uselocale(users);
    KOSHU_TRY(status);
    if (koshu_snapshot_check(particles, &view, info) == KOSHU_OK)
        return KOSHU_OK;
    /* bad input, whatever the particles would be elsewhere */
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT, "%s",
                               koshu_context_message(reader->context));
}

koshu_status
koshu_snapshot_read_whole(struct koshu_context *context, const char *path,
                          struct koshu_snapshot_info *info,
                          struct koshu_particles **particles)
{
    struct koshu_reader *reader;
    struct koshu_slice all = {0, 0};
    koshu_status status;
    *particles = NULL;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    KOSHU_TRY_CLEANUP(inspect(reader, info));
    all.n = (size_t)info->n;
    KOSHU_TRY_CLEANUP(
            koshu_particles_create_slice(context, all.n, all, particles));
    KOSHU_TRY_CLEANUP(read_particles(reader, info, *particles));
cleanup:
    koshu_reader_close(reader);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
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
