/* SPDX-License-Identifier: MIT */
/*
 * Temporary files that a killed program left behind. The writer of one holds a
 * lock on it until it has its name; so one that can be locked belongs to no
 * process.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

int
koshu_temporary_lock(int fd)
{
    struct stat s;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return -1;
    /* file systems without locks have none that could be swept, either */
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

/* ".koshu-HOST-4711-0.tmp" */
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
