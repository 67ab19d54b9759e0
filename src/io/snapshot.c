/* SPDX-License-Identifier: MIT */
/* Reads snapshots of any format. */
#include <koshu/snapshot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/format.h"
#include "io/io.h"
#include "io/snapshot_files.h"
#include "particles/particles.h"

/* ---- reading ---------------------------------------------------------- */

static koshu_status
report_info(struct koshu_context *context, struct koshu_snapshot_info *info,
            const struct koshu_snapshot_info *found)
{
    return koshu_report_write(context, "koshu_snapshot_info", info, found,
                              sizeof *found);
}

koshu_status
koshu_format_of_file(struct koshu_context *context, const char *path,
                     enum koshu_format *format)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, format);
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open_snapshot(context, path, &reader));
    koshu_status status = koshu_format_recognise(reader, format);
    koshu_reader_close(reader);
    return status;
}

koshu_status
koshu_snapshot_inspect(struct koshu_context *context, const char *path,
                       struct koshu_snapshot_info *info)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, info);
    struct koshu_snapshot_files files;
    KOSHU_TRY(koshu_snapshot_files_open(context, path, &files));
    koshu_snapshot_files_close(&files);
    return report_info(context, info, &files.info);
}

/* ---- parameters -------------------------------------------------------- */

koshu_status
koshu_snapshot_parameters(struct koshu_context *context, const char *path,
                          char **text)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, text);
    /* all files of a snapshot have the same parameters */
    struct koshu_reader *reader;
    enum koshu_format format;
    *text = NULL;
    KOSHU_TRY(koshu_reader_open_snapshot(context, path, &reader));
    koshu_status status = koshu_format_recognise(reader, &format);
    if (status == KOSHU_OK && koshu_formats[format]->parameters)
        status = koshu_formats[format]->parameters(reader, text);
    koshu_reader_close(reader);
    return status;
}

/* ---- columns ----------------------------------------------------------- */

struct column {
    const char *name;
    double *values;
};

static koshu_status
check_column(const struct koshu_reader *reader, const struct column *c,
             size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++)
        if (!isfinite(c->values[i]))
            return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                       "particle %zu: %s = %g", i, c->name,
                                       c->values[i]);
    return KOSHU_OK;
}

/* KOSHU_ERROR_NOT_FOUND comes without a message. */
static koshu_status
read_column(struct koshu_reader *reader, const struct koshu_snapshot_info *info,
            uint64_t first, void *argument)
{
    const struct column *c = argument;
    const struct koshu_format_ops *ops = koshu_formats[info->format];
    if (!ops->column) return KOSHU_ERROR_NOT_FOUND;
    KOSHU_TRY(ops->column(reader, info, c->name, c->values + first));
    return check_column(reader, c, (size_t)first, (size_t)info->n);
}

koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values)
{
    struct koshu_snapshot_files files;
    struct column c = {name, values};
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_snapshot_files_open(context, path, &files));
    if (files.info.n != n)
        status = koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                            "%s: the file changed while it was read", path);
    if (status == KOSHU_OK)
        status = koshu_snapshot_files_visit(
                context, &files, (struct koshu_slice){0, n}, read_column, &c);
    koshu_snapshot_files_close(&files);
    if (status == KOSHU_ERROR_NOT_FOUND)
        return koshu_fail(context, status, "%s: not all particles have a '%s'",
                          path, name);
    return status;
}

/* ---- particles --------------------------------------------------------- */

/* The particles to be read: those from `first` on, of all files. */
struct wanted {
    struct koshu_particle_view view;
    uint64_t first;
};

static koshu_status
read_file(struct koshu_reader *reader, const struct koshu_snapshot_info *info,
          uint64_t first, void *argument)
{
    const struct wanted *w = argument;
    const struct koshu_slice all = {(size_t)first, (size_t)info->n};
    uint64_t row;
    const struct koshu_particle_view part =
            koshu_snapshot_group(&w->view, w->first, all, &row);
    locale_t users = koshu_plain_numbers();
    koshu_status status =
            koshu_formats[info->format]->read(reader, info, row, &part);
    uselocale(users);
    return status;
}

/* Reads the particles of this rank's slice, which may be empty. */
static koshu_status
read_slice(struct koshu_context *context,
           const struct koshu_snapshot_files *files,
           struct koshu_particles *particles)
{
    struct wanted w = {.first = koshu_particles_first(particles)};
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_SNAPSHOT_FIELDS,
                                      KOSHU_ACCESS_WRITE, &w.view));
    const struct koshu_slice slice = {(size_t)w.first, w.view.n};
    KOSHU_TRY(koshu_snapshot_files_visit(context, files, slice, read_file, &w));
    if (koshu_snapshot_check(particles, &w.view, &files->info) == KOSHU_OK)
        return KOSHU_OK;
    /* to the caller any bad number is bad input, whatever status the check
     * has */
    char message[1024];
    snprintf(message, sizeof message, "%s", koshu_context_message(context));
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%s: %s", files->path,
                      message);
}

/* Each rank reads its own particles, so that none needs memory for others'. */
static koshu_status
read_particles(struct koshu_context *context,
               const struct koshu_snapshot_files *files,
               struct koshu_particles *particles)
{
    koshu_status status = read_slice(context, files, particles);
    if (status == KOSHU_ERROR_NOT_FOUND && !koshu_is_first_rank(context))
        status = koshu_fail(context, status,
                            "'%s' is not there, where rank 0 has it: each rank "
                            "reads its particles; put it where all hosts see "
                            "it",
                            files->path);
    return koshu_ranks_collective_status(context, status);
}

static koshu_status
read_files(struct koshu_context *context, struct koshu_snapshot_files *files,
           struct koshu_particles **particles)
{
    KOSHU_TRY(koshu_snapshot_files_broadcast(context, files));
    koshu_status status =
            koshu_particles_create(context, (size_t)files->info.n, particles);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return read_particles(context, files, *particles);
}

/* Warnings, because wrong factors of a and h are a common cause of wrong
 * results, as is a universe that is taken for none. */
static void
report_conversion(struct koshu_context *context, const char *path,
                  const struct koshu_snapshot_info *info)
{
    if (!koshu_is_first_rank(context)) return;
    if (info->inconsistent[0])
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: not taken for a universe: %s; correct one of them", path,
                  info->inconsistent);
    if (info->converted[0])
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: converted to GADGET's factors of a and h: %s", path,
                  info->converted);
}

koshu_status
koshu_snapshot_read(struct koshu_context *context, const char *path,
                    struct koshu_snapshot_info *info,
                    struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, particles);
    struct koshu_snapshot_files files = {.path = NULL};
    koshu_status status = KOSHU_OK;
    *particles = NULL;
    if (info) KOSHU_TRY(report_info(context, info, &files.info));
    if (koshu_is_first_rank(context))
        status = koshu_snapshot_files_open(context, path, &files);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = read_files(context, &files, particles);
    koshu_snapshot_files_close(&files);
    if (status == KOSHU_OK) report_conversion(context, path, &files.info);
    if (status == KOSHU_OK)
        return info ? report_info(context, info, &files.info) : KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
