/* SPDX-License-Identifier: MIT */
/* Files that are written completely or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

enum { STREAM_BUFFER = 1 << 18, NAME_TRIES = 100 };

static void
destroy(struct koshu_file *file)
{
    if (file->stream) fclose(file->stream);
    if (file->fd >= 0) close(file->fd);
    if (file->lock >= 0) close(file->lock);
    free(file->target);
    free(file->directory);
    free(file->temporary);
    free(file);
}

static koshu_status
fail_write(const struct koshu_file *file, int error)
{
    errno = error;
    return koshu_fail_errno(file->context, KOSHU_ERROR_IO, "cannot write '%s'",
                            file->target);
}

/* Keeps the first failure, which the commit reports. */
static koshu_status
note_failure(struct koshu_file *file)
{
    if (!file->error) file->error = errno;
    return fail_write(file, file->error);
}

/* Checks what a rename would not respect: it would replace a file that its
 * owner has made read-only, or put a file in the place of a dangling link. */
static koshu_status
check_target(struct koshu_context *context, const char *path, bool exists,
             const struct stat *old)
{
    struct stat link;
    if (exists && !S_ISREG(old->st_mode))
        return koshu_fail(context, KOSHU_ERROR_IO,
                          "cannot write '%s': it is a %s; name a file", path,
                          S_ISDIR(old->st_mode) ? "directory" : "device");
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return koshu_fail_errno(context, KOSHU_ERROR_IO, "cannot write '%s'",
                                path);
    if (!exists && lstat(path, &link) == 0)
        return koshu_fail(context, KOSHU_ERROR_IO,
                          "cannot write '%s': it is a link to a file that is "
                          "not there; name that file",
                          path);
    return KOSHU_OK;
}

/* Sets target, directory and mode. */
static koshu_status
find_target(struct koshu_file *file, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    KOSHU_TRY(check_target(file->context, path, exists, &old));
    if (exists) file->mode = old.st_mode & 07777;
    file->target = exists ? realpath(path, NULL) : strdup(path);
    char *copy = file->target ? strdup(file->target) : NULL;
    file->directory = copy ? strdup(dirname(copy)) : NULL;
    free(copy);
    if (!file->directory)
        return koshu_fail_memory(file->context, strlen(path), "file name");
    return KOSHU_OK;
}

/* ---- temporary files ----------------------------------------------------- */

/* A writer holds a lock on its temporary file until the file is renamed. So one
 * that can be locked belongs to no process: a killed program left it. */

/* Locks a temporary file that was just created, so that no other process
 * removes it. Returns a descriptor to be closed once the file is renamed. -1
 * with EEXIST: the file was already removed; with another errno: no descriptor
 * is free. */
static int
lock_temporary(int fd)
{
    struct stat s;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return -1;
    /* without support for locks, a file system's temporary files are never
     * swept either */
    const bool taken =
            TEMP_FAILURE_RETRY(flock(copy, LOCK_EX | LOCK_NB)) != 0 &&
            errno == EWOULDBLOCK;
    const bool removed = fstat(copy, &s) == 0 && s.st_nlink == 0;
    if (!taken && !removed) return copy;
    close(copy);
    errno = EEXIST;
    return -1;
}

void
koshu_temporary_prefix(char prefix[KOSHU_TEMPORARY_PREFIX])
{
    struct utsname system = {.nodename = ""};
    uname(&system);
    snprintf(prefix, KOSHU_TEMPORARY_PREFIX, ".koshu-%.64s-", system.nodename);
}

/* Is the name of this form: ".koshu-HOST-4711-0.tmp"? */
static bool
is_temporary(const char *name, const char *prefix)
{
    const size_t n = strlen(prefix);
    int end = 0;
    return strncmp(name, prefix, n) == 0 &&
           sscanf(name + n, "%*d-%*u.tmp%n", &end) == 0 && end > 0 &&
           name[n + (size_t)end] == '\0';
}

static void
remove_orphan(int directory, const char *name)
{
    int fd = openat(directory, name,
                    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (TEMP_FAILURE_RETRY(flock(fd, LOCK_EX | LOCK_NB)) == 0)
        unlinkat(directory, name, 0);
    close(fd);
}

void
koshu_temporaries_sweep(const char *directory)
{
    char prefix[KOSHU_TEMPORARY_PREFIX];
    DIR *d = koshu_opendir(directory);
    if (!d) return;
    koshu_temporary_prefix(prefix);
    for (struct dirent *e; (e = readdir(d));)
        if (is_temporary(e->d_name, prefix)) remove_orphan(dirfd(d), e->d_name);
    closedir(d);
}

/* ---- beginning ----------------------------------------------------------- */

/* Tries one name; -1: see errno. */
static int
open_name(struct koshu_file *file, const char *name, mode_t mode)
{
    int fd = TEMP_FAILURE_RETRY(
            open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode));
    if (fd < 0) return -1;
    file->lock = lock_temporary(fd);
    if (file->lock >= 0) return fd;
    /* another process took it for one that was left behind */
    if (errno != EEXIST) unlink(name);
    close(fd);
    return -1;
}

/* Creates a file in the target's directory. Its name does not contain that of
 * the target, which may be as long as names can be. */
static koshu_status
make_temporary(struct koshu_file *file, mode_t mode)
{
    static atomic_uint counter;
    char prefix[KOSHU_TEMPORARY_PREFIX];
    koshu_temporary_prefix(prefix);
    for (int k = 0; k < NAME_TRIES && file->fd < 0; k++) {
        free(file->temporary);
        if (asprintf(&file->temporary, "%s/%s%ld-%u.tmp", file->directory,
                     prefix, (long)getpid(),
                     atomic_fetch_add(&counter, 1)) < 0) {
            file->temporary = NULL;
            return koshu_fail_memory(file->context, 64, "file name");
        }
        file->fd = open_name(file, file->temporary, mode);
        if (file->fd < 0 && errno != EEXIST) break;
    }
    return file->fd < 0 ? fail_write(file, errno) : KOSHU_OK;
}

/* Sets the permissions of the existing file, whatever the umask is. */
static koshu_status
open_temporary(struct koshu_file *file)
{
    const mode_t mode = file->mode ? file->mode : 0666;
    KOSHU_TRY(make_temporary(file, mode));
    file->stream = koshu_stream_on(file->fd, &file->error);
    if (!file->stream) {
        unlink(file->temporary);
        return koshu_fail_memory(file->context, STREAM_BUFFER, "file");
    }
    setvbuf(file->stream, NULL, _IOFBF, STREAM_BUFFER);
    /* some file systems have no permissions to set */
    int unset = file->mode ? TEMP_FAILURE_RETRY(fchmod(file->fd, mode)) : 0;
    (void)unset;
    return KOSHU_OK;
}

koshu_status
koshu_file_begin(struct koshu_context *context, const char *path,
                 struct koshu_file **file)
{
    *file = NULL;
    struct koshu_file *f = calloc(1, sizeof *f);
    if (!f) return koshu_fail_memory(context, sizeof *f, "file");
    f->context = context;
    f->fd = f->lock = -1;
    koshu_status status = find_target(f, path);
    if (status == KOSHU_OK) koshu_temporaries_sweep(f->directory);
    if (status == KOSHU_OK) status = open_temporary(f);
    if (status == KOSHU_OK)
        *file = f;
    else
        destroy(f);
    return status;
}

koshu_status
koshu_file_write(struct koshu_file *file, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, file->stream) == n) return KOSHU_OK;
    return note_failure(file);
}

koshu_status
koshu_file_write_at(struct koshu_file *file, uint64_t at, const void *bytes,
                    size_t n)
{
    if (koshu_write_all_at(file->fd, bytes, n, (off_t)at)) return KOSHU_OK;
    return note_failure(file);
}

size_t
koshu_file_read_at(struct koshu_file *file, uint64_t at, void *bytes, size_t n)
{
    ssize_t got = TEMP_FAILURE_RETRY(pread(file->fd, bytes, n, (off_t)at));
    if (got < 0 && !file->error) file->error = errno;
    return got > 0 ? (size_t)got : 0;
}

koshu_status
koshu_file_resize(struct koshu_file *file, uint64_t size)
{
    if (TEMP_FAILURE_RETRY(ftruncate(file->fd, (off_t)size)) == 0)
        return KOSHU_OK;
    return note_failure(file);
}

/* Writes everything to the disk; 0 or an errno. */
static int
flush(struct koshu_file *file)
{
    const bool whole = fflush(file->stream) == 0 && !ferror(file->stream);
    if (file->error) return file->error;
    if (!whole) return EIO;
    int error = koshu_sync(file->fd);
    int closed = koshu_close(file->fd);
    file->fd = -1;
    return error ? error : closed;
}

/* Makes a new name in a directory durable; 0 or an errno. */
static int
sync_directory(const char *directory)
{
    int fd = TEMP_FAILURE_RETRY(
            open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd < 0) return 0; /* a directory may be writable, but not readable */
    int error = koshu_sync(fd);
    close(fd);
    return error;
}

koshu_status
koshu_directory_sync(struct koshu_context *context, const char *directory)
{
    errno = sync_directory(directory);
    if (!errno) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "cannot sync '%s'",
                            directory);
}

koshu_status
koshu_file_commit(struct koshu_file *file)
{
    int error = flush(file);
    if (!error &&
        TEMP_FAILURE_RETRY(rename(file->temporary, file->target)) != 0)
        error = errno;
    if (error) {
        koshu_status status = fail_write(file, error);
        koshu_file_abandon(file);
        return status;
    }
    koshu_status status = KOSHU_OK;
    error = sync_directory(file->directory);
    if (error) status = fail_write(file, error);
    destroy(file);
    return status;
}

void
koshu_file_abandon(struct koshu_file *file)
{
    if (!file) return;
    unlink(file->temporary);
    destroy(file);
}

koshu_status
koshu_file_end(struct koshu_file *file, koshu_status status)
{
    if (status == KOSHU_OK) return koshu_file_commit(file);
    koshu_file_abandon(file);
    return status;
}

koshu_status
koshu_file_write_whole(struct koshu_context *context, const char *path,
                       const void *bytes, size_t n)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(context, path, &file));
    return koshu_file_end(file, koshu_file_write(file, bytes, n));
}
