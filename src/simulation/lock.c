/* SPDX-License-Identifier: MIT */
/*
 * Allows one run at a time in an output directory. The run locks a file in it
 * before it reads anything else there, and holds the lock until it ends. The
 * holder removes the file at the end. A file left by a killed run is not
 * locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "simulation/simulation.h"

struct koshu_run_lock {
    struct koshu_context *context;
    char directory[KOSHU_PATH_SIZE], path[KOSHU_PATH_SIZE];
    size_t made; /* see koshu_output_make() */
    int fd;
    bool held; /* false: fd is a file locked by another run, or -1 */
    struct koshu_file_id folder, file;
};

bool
koshu_file_id_of(const char *path, struct koshu_file_id *id)
{
    struct stat info;
    *id = (struct koshu_file_id){0};
    if (stat(path, &info) != 0) return false;
    *id = (struct koshu_file_id){info.st_dev, info.st_ino};
    return true;
}

bool
koshu_file_id_same(const struct koshu_file_id *a, const struct koshu_file_id *b)
{
    return a->device == b->device && a->inode == b->inode;
}

/* ---- the file ---------------------------------------------------------- */

static koshu_status
fail_taken(const struct koshu_run_lock *lock)
{
    return koshu_fail(lock->context, KOSHU_ERROR_BAD_INPUT,
                      "another koshu is writing to '%s'; wait for it, or "
                      "choose another output.directory",
                      lock->directory);
}

/* Whether the locked file is still the one at the path. Its last holder may
 * have removed it between our opening and locking it. */
static bool
is_in_place(int fd, const char *path)
{
    struct stat here, there;
    return fstat(fd, &here) == 0 && stat(path, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

enum { TRIES = 100 };

/* KOSHU_ERROR_NOT_FOUND, without a message: the directory does not exist. */
static koshu_status
lock_file(struct koshu_run_lock *lock)
{
    lock->held = false;
    for (int k = 0; k < TRIES; k++) {
        if (lock->fd >= 0) close(lock->fd);
        lock->fd = TEMP_FAILURE_RETRY(open(
                lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
        if (lock->fd < 0 && errno == ENOENT) return KOSHU_ERROR_NOT_FOUND;
        if (lock->fd < 0)
            return koshu_fail_errno(lock->context, KOSHU_ERROR_IO,
                                    "cannot write in the output directory "
                                    "'%s': '%s'",
                                    lock->directory, lock->path);
        if (TEMP_FAILURE_RETRY(flock(lock->fd, LOCK_EX | LOCK_NB)) != 0 &&
            errno == EWOULDBLOCK)
            return fail_taken(lock);
        /* on file systems without locks, runs without protection */
        if (is_in_place(lock->fd, lock->path)) break;
    }
    lock->held = true;
    koshu_file_id_of(lock->path, &lock->file);
    return KOSHU_OK;
}

/* Repeats, because a run that fails at once may remove the directory that it
 * made, after we found it and before we created our file. */
static koshu_status
make_and_lock(struct koshu_run_lock *lock, bool make)
{
    koshu_status status = KOSHU_ERROR_NOT_FOUND;
    for (int k = 0; k < TRIES && status == KOSHU_ERROR_NOT_FOUND; k++) {
        size_t made = 0;
        if (make)
            KOSHU_TRY(koshu_output_make(lock->context, lock->directory, &made));
        if (made > 0) lock->made = made;
        status = lock_file(lock);
        if (!make) break;
    }
    if (status == KOSHU_ERROR_NOT_FOUND && make)
        return koshu_fail(lock->context, KOSHU_ERROR_IO,
                          "the output directory '%s' is removed as often as it "
                          "is made",
                          lock->directory);
    if (status == KOSHU_OK) koshu_file_id_of(lock->directory, &lock->folder);
    return status;
}

/* ---- the lock ---------------------------------------------------------- */

koshu_status
koshu_run_lock_take(struct koshu_context *context, const char *directory,
                    bool make, struct koshu_run_lock **lock)
{
    *lock = NULL;
    struct koshu_run_lock *l = calloc(1, sizeof *l);
    if (!l) return koshu_fail_memory(context, sizeof *l, "lock");
    l->context = context;
    l->fd = -1;
    koshu_status status =
            koshu_output_path(context, directory, ".koshu.lock", l->path);
    if (status == KOSHU_OK) {
        snprintf(l->directory, sizeof l->directory, "%s", directory);
        status = make_and_lock(l, make);
    }
    if (status == KOSHU_OK)
        *lock = l;
    else
        koshu_run_lock_release(l);
    return status;
}

static bool
is_our_folder(const struct koshu_run_lock *lock)
{
    struct koshu_file_id folder;
    koshu_file_id_of(lock->directory, &folder);
    return koshu_file_id_same(&folder, &lock->folder);
}

static koshu_status
fail_lost(struct koshu_context *context, const struct koshu_run_lock *lock)
{
    return koshu_fail(context, KOSHU_ERROR_IO,
                      "the output directory '%s' was removed, or another koshu "
                      "has taken it; this run writes nothing more there",
                      lock->directory);
}

koshu_status
koshu_run_lock_check(struct koshu_run_lock *lock)
{
    struct koshu_file_id file;
    if (!lock) return KOSHU_OK;
    koshu_file_id_of(lock->path, &file);
    if (koshu_file_id_same(&file, &lock->file)) return KOSHU_OK;
    /* only the lock file has been removed */
    if (is_our_folder(lock) && lock_file(lock) == KOSHU_OK) return KOSHU_OK;
    return fail_lost(lock->context, lock);
}

koshu_status
koshu_run_lock_check_folder(struct koshu_context *context,
                            const struct koshu_run_lock *lock)
{
    return !lock || is_our_folder(lock) ? KOSHU_OK : fail_lost(context, lock);
}

void
koshu_run_lock_release(struct koshu_run_lock *lock)
{
    if (!lock) return;
    if (lock->held && is_in_place(lock->fd, lock->path)) unlink(lock->path);
    if (lock->fd >= 0) close(lock->fd);
    if (lock->made > 0) koshu_output_unmake(lock->directory, lock->made);
    free(lock);
}
