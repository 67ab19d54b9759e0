/* SPDX-License-Identifier: MIT */
/* Removes the least recently used files from the cache. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"

/* A process that has read a file within this time may be about to load it. */
enum { SECONDS_OF_A_DAY = 86400 };

struct entry {
    struct timespec used;
    char name[128];
};

/* The time of last use is stored as that of the last change: few file systems
 * keep the time of the last reading. */
void
koshu_cache_used(const struct cache *cache, const char *name)
{
    utimensat(cache->fd, name, NULL, AT_SYMLINK_NOFOLLOW);
}

static int
by_use(const void *a, const void *b)
{
    const struct timespec *s = &((const struct entry *)a)->used,
                          *t = &((const struct entry *)b)->used;
    if (s->tv_sec != t->tv_sec) return s->tv_sec < t->tv_sec ? -1 : 1;
    return (s->tv_nsec > t->tv_nsec) - (s->tv_nsec < t->tv_nsec);
}

/* Lists regular files, to be freed; NULL: none, or out of memory. */
static struct entry *
list(DIR *directory, size_t *n)
{
    struct entry *all = NULL;
    struct stat found;
    *n = 0;
    for (struct dirent *d; (d = readdir(directory));) {
        if (strlen(d->d_name) >= sizeof all->name ||
            fstatat(dirfd(directory), d->d_name, &found, AT_SYMLINK_NOFOLLOW) !=
                    0 ||
            !S_ISREG(found.st_mode))
            continue;
        if ((*n & (*n - 1)) == 0) { /* full: double the capacity */
            struct entry *more = realloc(all, (2 * *n + 1) * sizeof *all);
            if (!more) break;
            all = more;
        }
        all[*n].used = found.st_mtim;
        strcpy(all[(*n)++].name, d->d_name);
    }
    return all;
}

void
koshu_cache_trim(const struct cache *cache)
{
    size_t n;
    if (!cache->kept) return;
    const int copy = openat(cache->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    if (!directory) return;
    struct entry *all = list(directory, &n);
    const time_t now = time(NULL);
    if (n > KOSHU_CACHE_MAX) {
        qsort(all, n, sizeof *all, by_use);
        for (size_t k = 0; k < n - KOSHU_CACHE_LEFT; k++)
            if (all[k].used.tv_sec < now - SECONDS_OF_A_DAY)
                unlinkat(dirfd(directory), all[k].name, 0);
    }
    free(all);
    closedir(directory);
}
