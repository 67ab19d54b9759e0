/* SPDX-License-Identifier: MIT */
/*
 * Checkpoint rotation. checkpoint.hdf5 is the newest, checkpoint-1.hdf5 the one
 * before, and so on. A new one is written completely as checkpoint.new.hdf5;
 * then all are renamed up by one. Whenever the machine stops, the two newest
 * exist under one of these names, and the next restart or checkpoint completes
 * the renaming.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/io.h"
#include "simulation/simulation.h"

enum { FRESH = -1, MAX_KEPT = 100 };

static koshu_status
path_of(const struct koshu_rotation *r, int number, char path[KOSHU_PATH_SIZE])
{
    char name[64];
    if (number == FRESH)
        snprintf(name, sizeof name, "checkpoint.new.hdf5");
    else if (number == 0)
        snprintf(name, sizeof name, "checkpoint.hdf5");
    else
        snprintf(name, sizeof name, "checkpoint-%d.hdf5", number);
    return koshu_output_path(r->context, r->directory, name, path);
}

/* Renames a checkpoint to the next older name. */
static koshu_status
move_up(const struct koshu_rotation *r, int number)
{
    char from[KOSHU_PATH_SIZE], to[KOSHU_PATH_SIZE];
    KOSHU_TRY(path_of(r, number, from));
    KOSHU_TRY(path_of(r, number + 1, to));
    if (TEMP_FAILURE_RETRY(rename(from, to)) == 0) return KOSHU_OK;
    return koshu_fail_errno(r->context, KOSHU_ERROR_IO,
                            "cannot rename '%s' to '%s'", from, to);
}

/* Makes the fresh checkpoint the newest. Only names up to the first unused one,
 * or up to the oldest to be kept, are renamed; after an interrupted rotation
 * these are just the missing moves. */
static koshu_status
rotate(const struct koshu_rotation *r)
{
    char path[KOSHU_PATH_SIZE];
    int vacant = 0;
    for (; vacant < (int)r->keep - 1; vacant++) {
        KOSHU_TRY(path_of(r, vacant, path));
        if (access(path, F_OK) != 0) break;
    }
    for (int k = vacant - 1; k >= FRESH; k--) KOSHU_TRY(move_up(r, k));
    return KOSHU_OK;
}

/* Handles a fresh checkpoint left by an interrupted rotation: if it is complete
 * it is the newest; otherwise the next one will replace it. */
static koshu_status
rotate_leftover(const struct koshu_rotation *r)
{
    char path[KOSHU_PATH_SIZE];
    KOSHU_TRY(path_of(r, FRESH, path));
    if (access(path, F_OK) != 0 ||
        koshu_checkpoint_check(r->context, path) != KOSHU_OK)
        return KOSHU_OK;
    return rotate(r);
}

koshu_status
koshu_rotation_write(const struct koshu_rotation *rotation,
                     struct koshu_particles *particles,
                     const struct koshu_checkpoint *checkpoint,
                     const char *parameters)
{
    struct koshu_context *context = rotation->context;
    bool first = koshu_is_first_rank(context);
    char path[KOSHU_PATH_SIZE];
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(path_of(rotation, FRESH, path));
    if (first) status = rotate_leftover(rotation);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_checkpoint_write(particles, path, checkpoint, parameters));
    if (first) status = rotate(rotation);
    return koshu_ranks_collective_status(context, status);
}

koshu_status
koshu_rotation_remove(const struct koshu_rotation *rotation)
{
    for (int k = MAX_KEPT - 1; k >= FRESH; k--) {
        char path[KOSHU_PATH_SIZE];
        KOSHU_TRY(path_of(rotation, k, path));
        if (unlink(path) != 0 && errno != ENOENT)
            return koshu_fail_errno(rotation->context, KOSHU_ERROR_IO,
                                    "cannot remove '%s'", path);
    }
    return KOSHU_OK;
}

koshu_status
koshu_rotation_begin(const struct koshu_rotation *rotation,
                     char path[KOSHU_PATH_SIZE])
{
    KOSHU_TRY(path_of(rotation, FRESH, path));
    return rotate_leftover(rotation);
}

koshu_status
koshu_rotation_end(const struct koshu_rotation *rotation)
{
    return rotate(rotation);
}

/* Whether the file itself is damaged. If memory, processes or permission to
 * read it are lacking, it may be complete, and an older one must not be used
 * instead. */
static bool
is_damage(koshu_status status)
{
    return status == KOSHU_ERROR_BAD_FORMAT || status == KOSHU_ERROR_BAD_INPUT;
}

/* status: KOSHU_ERROR_NOT_FOUND, or why the oldest cannot be read. */
static koshu_status
fail_unread(const struct koshu_rotation *r, koshu_status status)
{
    if (status == KOSHU_ERROR_NOT_FOUND)
        return koshu_fail(r->context, KOSHU_ERROR_NOT_FOUND,
                          "there is no checkpoint in '%s'; begin with --force "
                          "in place of --restart, or name another "
                          "output.directory",
                          r->directory);
    return koshu_fail(r->context, KOSHU_ERROR_BAD_FORMAT,
                      "no checkpoint in '%s' can be read; begin again with "
                      "--force in place of --restart, or from a snapshot "
                      "(initial.file) in another output.directory",
                      r->directory);
}

koshu_status
koshu_rotation_find(const struct koshu_rotation *r, char path[KOSHU_PATH_SIZE])
{
    koshu_status status = KOSHU_ERROR_NOT_FOUND;
    KOSHU_TRY(rotate_leftover(r));
    for (int number = 0; number < MAX_KEPT; number++) {
        KOSHU_TRY(path_of(r, number, path));
        if (access(path, F_OK) != 0 && errno == ENOENT) continue;
        status = koshu_checkpoint_check(r->context, path);
        if (status == KOSHU_OK) return KOSHU_OK;
        if (!is_damage(status)) return status;
        koshu_log(r->context, KOSHU_LOG_LEVEL_WARNING, "%s",
                  koshu_context_message(r->context));
    }
    return fail_unread(r, status);
}

/* The number and path of the next existing checkpoint from *number on;
 * MAX_KEPT: none. Determined by rank 0 for all. Collective. */
static koshu_status
find_next(const struct koshu_rotation *r, int *number,
          char path[KOSHU_PATH_SIZE])
{
    struct koshu_context *context = r->context;
    koshu_status status = KOSHU_OK;
    for (; koshu_is_first_rank(context) && *number < MAX_KEPT; ++*number) {
        status = path_of(r, *number, path);
        if (status != KOSHU_OK || access(path, F_OK) == 0 || errno != ENOENT)
            break;
    }
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_broadcast(context, 0, number, sizeof *number));
    return koshu_broadcast(context, 0, path, KOSHU_PATH_SIZE);
}

/* Reads the newest complete checkpoint; returns its path and number. */
static koshu_status
read_newest(const struct koshu_rotation *r, int *number,
            char path[KOSHU_PATH_SIZE], struct koshu_particles **particles,
            struct koshu_checkpoint *checkpoint, char **parameters)
{
    koshu_status status = KOSHU_ERROR_NOT_FOUND;
    for (*number = FRESH;; ++*number) {
        KOSHU_TRY(find_next(r, number, path));
        if (*number == MAX_KEPT) return fail_unread(r, status);
        status = koshu_checkpoint_read(r->context, path, particles, checkpoint,
                                       parameters);
        if (status == KOSHU_OK) return KOSHU_OK;
        if (!is_damage(status)) return status;
        if (koshu_is_first_rank(r->context))
            koshu_log(r->context, KOSHU_LOG_LEVEL_WARNING, "%s",
                      koshu_context_message(r->context));
    }
}

/* Completes an interrupted rotation, which gives its newest checkpoint another
 * name. */
static koshu_status
end_rotation(const struct koshu_rotation *r, char path[KOSHU_PATH_SIZE])
{
    koshu_status status = KOSHU_OK;
    if (koshu_is_first_rank(r->context)) status = rotate(r);
    KOSHU_TRY(koshu_ranks_collective_status(r->context, status));
    return path_of(r, 0, path);
}

koshu_status
koshu_rotation_read(const struct koshu_rotation *rotation,
                    char path[KOSHU_PATH_SIZE],
                    struct koshu_particles **particles,
                    struct koshu_checkpoint *checkpoint, char **parameters)
{
    int number;
    *particles = NULL;
    *parameters = NULL;
    KOSHU_TRY(read_newest(rotation, &number, path, particles, checkpoint,
                          parameters));
    if (number != FRESH) return KOSHU_OK;
    const koshu_status status = end_rotation(rotation, path);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
