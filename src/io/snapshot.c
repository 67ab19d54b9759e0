/* SPDX-License-Identifier: MIT */
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
    struct koshu_reader *reader; /* all of several files have them */
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
    size_t n, done;
    double *values;
};

static koshu_status
check_column(const struct koshu_reader *reader, const struct column *c,
             size_t n)
{
    for (size_t i = c->done; i < c->done + n; i++)
        if (!isfinite(c->values[i]))
            return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                       "particle %zu: %s = %g", i, c->name,
                                       c->values[i]);
    return KOSHU_OK;
}

static koshu_status
fail_changed(const struct koshu_reader *reader)
{
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                               "the file changed while it was read");
}

/* KOSHU_ERROR_NOT_FOUND: without a message. */
static koshu_status
read_column(struct koshu_reader *reader, const struct koshu_snapshot_info *info,
            void *argument)
{
    struct column *c = argument;
    const struct koshu_format_ops *ops = koshu_formats[info->format];
    const size_t n = (size_t)info->n;
    if (n > c->n - c->done) return fail_changed(reader);
    if (!ops->column) return KOSHU_ERROR_NOT_FOUND;
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(ops->column(reader, info, c->name, c->values + c->done));
    KOSHU_TRY(check_column(reader, c, n));
    c->done += n;
    return KOSHU_OK;
}

koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values)
{
    struct koshu_snapshot_files files;
    struct column c = {.name = name, .n = n, .values = values};
    KOSHU_TRY(koshu_snapshot_files_open(context, path, &files));
    koshu_status status =
            koshu_snapshot_files_visit(context, &files, read_column, &c);
    koshu_snapshot_files_close(&files);
    if (status == KOSHU_OK && c.done != n)
        status = koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                            "%s: the file changed while it was read", path);
    if (status == KOSHU_ERROR_NOT_FOUND)
        return koshu_fail(context, status, "%s: not all particles have a '%s'",
                          path, name);
    return status;
}

/* ---- particles --------------------------------------------------------- */

/* What the files have read so far, into which view. */
struct reading {
    struct koshu_particle_view view;
    size_t done;
};

static koshu_status
read_file(struct koshu_reader *reader, const struct koshu_snapshot_info *info,
          void *argument)
{
    struct reading *r = argument;
    const size_t n = (size_t)info->n;
    if (n > r->view.n - r->done) return fail_changed(reader);
    if (n == 0) return KOSHU_OK;
    const struct koshu_particle_view part =
            koshu_snapshot_part(&r->view, r->done, n);
    locale_t users = koshu_plain_numbers();
    koshu_status status =
            koshu_formats[info->format]->read(reader, info, &part);
    uselocale(users);
    r->done += n;
    return status;
}

/* All particles of all files. */
static koshu_status
read_particles(struct koshu_context *context,
               const struct koshu_snapshot_files *files,
               struct koshu_particles *particles)
{
    struct reading r = {.done = 0};
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_SNAPSHOT_FIELDS,
                                      KOSHU_ACCESS_WRITE, &r.view));
    KOSHU_TRY(koshu_snapshot_files_visit(context, files, read_file, &r));
    if (r.done != r.view.n)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: the file changed while it was read",
                          files->path);
    if (koshu_snapshot_check(particles, &r.view, &files->info) == KOSHU_OK)
        return KOSHU_OK;
    /* bad input, whatever the particles would be elsewhere */
    char message[1024];
    snprintf(message, sizeof message, "%s", koshu_context_message(context));
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%s: %s", files->path,
                      message);
}

koshu_status
koshu_snapshot_read_whole(struct koshu_context *context, const char *path,
                          struct koshu_snapshot_info *info,
                          struct koshu_particles **particles)
{
    struct koshu_snapshot_files files;
    *particles = NULL;
    KOSHU_TRY(koshu_snapshot_files_open(context, path, &files));
    *info = files.info;
    const struct koshu_slice all = {0, (size_t)info->n};
    koshu_status status =
            koshu_particles_create_slice(context, all.n, all, particles);
    if (status == KOSHU_OK)
        status = read_particles(context, &files, *particles);
    koshu_snapshot_files_close(&files);
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
