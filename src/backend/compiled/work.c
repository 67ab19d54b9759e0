/* SPDX-License-Identifier: MIT */
/* Directories for temporary files, and the removal of those whose processes
 * were killed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"

/* Locked as long as the process that made the directory, or a compiler that it
 * started, lives. */
static const char lock_name[] = "lock";

/* Empties a directory; gives up below a depth that no compiler creates. */
static void
empty(int fd, int depth)
{
    DIR *d = fdopendir(fd);
    if (!d) {
        close(fd);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            unlinkat(dirfd(d), e->d_name, 0) == 0 || depth == 0)
            continue;
        const int below =
                openat(dirfd(d), e->d_name,
                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below < 0) continue;
        empty(below, depth - 1);
        unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    }
    closedir(d);
}

static void
remove_directory(int parent, const char *name)
{
    const int fd = TEMP_FAILURE_RETRY(openat(
            parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (fd < 0) return;
    empty(fd, 8);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Locks a directory; -1: another process has the lock, or it is not ours.
 * Where locks are not supported, only the process that makes the directory
 * gets it. */
static int
take_lock(int directory, int flags)
{
    struct stat s;
    const int lock = TEMP_FAILURE_RETRY(
            openat(directory, lock_name,
                   O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
    if (lock < 0) return -1;
    const bool locked = TEMP_FAILURE_RETRY(flock(lock, LOCK_EX | LOCK_NB)) == 0;
    const bool none = !locked && errno != EWOULDBLOCK && (flags & O_CREAT);
    if ((locked || none) && fstat(lock, &s) == 0 && s.st_uid == geteuid() &&
        s.st_nlink > 0)
        return lock;
    close(lock);
    errno = EWOULDBLOCK;
    return -1;
}

/* Removes directories with this prefix whose process has ended. */
static void
remove_stale(int parent, const char *prefix)
{
    const int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0) continue;
        const int fd = openat(parent, e->d_name,
                              O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int lock = fd >= 0 ? take_lock(fd, 0) : -1;
        if (lock >= 0) {
            remove_directory(parent, e->d_name);
            close(lock);
        }
        if (fd >= 0) close(fd);
    }
    closedir(d);
}

/* Returns false if it cannot be created or, with errno EAGAIN, if another
 * process removed it before it was locked. */
static bool
make(struct cache_work *w)
{
    if (mkdirat(w->parent, w->name, 0700) != 0) return false;
    w->fd = TEMP_FAILURE_RETRY(
            openat(w->parent, w->name,
                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    w->lock = w->fd >= 0 ? take_lock(w->fd, O_CREAT | O_EXCL) : -1;
    if (w->lock >= 0) return true;
    const int error = errno == EWOULDBLOCK || errno == ENOENT ? EAGAIN : errno;
    if (w->fd >= 0) close(w->fd);
    unlinkat(w->parent, w->name, AT_REMOVEDIR);
    errno = error;
    return false;
}

bool
koshu_cache_make_work(int parent, const char *path, const char *prefix,
                      struct cache_work *w)
{
    remove_stale(parent, prefix);
    for (int attempt = 0; attempt < 16; attempt++) {
        unsigned long long number;
        if (getrandom(&number, sizeof number, 0) != sizeof number) break;
        w->parent = parent;
        snprintf(w->name, sizeof w->name, "%s%016llx", prefix, number);
        snprintf(w->path, sizeof w->path, "%s/%s", path, w->name);
        if (make(w)) return true;
        if (errno != EAGAIN && errno != EEXIST) break;
    }
    w->name[0] = '\0';
    return false;
}

void
koshu_cache_end_work(struct cache_work *w)
{
    if (!w->name[0]) return;
    remove_directory(w->parent, w->name);
    close(w->fd);
    close(w->lock);
    w->name[0] = '\0';
}
