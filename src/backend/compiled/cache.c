/* SPDX-License-Identifier: MIT */
/* The directory of compiled interactions, and its files with their checksum
 * trailers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

/* ---- the directory ------------------------------------------------------- */

/* $XDG_CACHE_HOME, else ~/.cache; false: there is none. */
static bool
cache_home(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *below = "";
    if (!cache || cache[0] != '/') { /* XDG: relative paths are ignored */
        cache = getenv("HOME");
        below = "/.cache";
    }
    if (!cache || cache[0] != '/') return false;
    int n = snprintf(path, size, "%s%s/koshu/interactions", cache, below);
    return n > 0 && (size_t)n < size;
}

static bool
open_home(struct cache *cache, const char *home, char *why)
{
    cache->kept = true;
    cache->fd = koshu_private_open(home, true, cache->directory, why);
    if (cache->fd < 0) return false;
    if (faccessat(cache->fd, ".", W_OK | X_OK, AT_EACCESS) == 0) return true;
    snprintf(why, KOSHU_PRIVATE_WHY, "%s: %s", home, strerror(errno));
    close(cache->fd);
    return false;
}

/* If the cache is only temporary, its directory is also the work directory. */
static koshu_status
open_temporary(struct koshu_context *context, struct cache *cache)
{
    char real[PATH_MAX], why[KOSHU_PRIVATE_WHY];
    const char *parent = getenv("TMPDIR");
    if (!parent || parent[0] != '/') parent = "/tmp";
    cache->kept = false;
    const int fd = koshu_private_open(parent, false, real, why);
    if (fd >= 0) {
        if (koshu_cache_make_work(fd, real, "koshu-interaction-",
                                  &cache->work)) {
            snprintf(cache->directory, sizeof cache->directory, "%s",
                     cache->work.path);
            cache->fd = cache->work.fd;
            return KOSHU_OK;
        }
        snprintf(why, sizeof why, "%.200s: %s", parent, strerror(errno));
        close(fd);
    }
    return koshu_fail(context, KOSHU_ERROR_IO,
                      "no directory for a compiled interaction: neither a "
                      "cache (XDG_CACHE_HOME, HOME) nor a temporary one can "
                      "be used: %s",
                      why);
}

koshu_status
koshu_cache_open(struct koshu_context *context, struct cache *cache)
{
    char home[PATH_MAX], why[KOSHU_PRIVATE_WHY] = "";
    const bool is_home = cache_home(home, sizeof home);
    *cache = (struct cache){.fd = -1};
    if (is_home && open_home(cache, home, why)) return KOSHU_OK;
    koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
              "compiled interactions cannot be kept%s%s%s%s: set "
              "XDG_CACHE_HOME to a directory that you alone can write to",
              is_home ? " in " : "", is_home ? home : "", is_home ? ": " : "",
              why);
    return open_temporary(context, cache);
}

koshu_status
koshu_cache_work(struct koshu_context *context, struct cache *cache)
{
    if (cache->work.name[0] ||
        koshu_cache_make_work(cache->fd, cache->directory, "work-",
                              &cache->work))
        return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "%s cannot be written to",
                            cache->directory);
}

void
koshu_cache_close(struct cache *cache)
{
    const int other = cache->kept ? cache->fd : cache->work.parent;
    koshu_cache_end_work(&cache->work);
    close(other);
}

/* ---- keys ---------------------------------------------------------------- */

void
koshu_cache_key(const char *const *texts, size_t n,
                char key[KOSHU_CACHE_KEY + 1])
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t k = 0; k < n; k++)
        XXH3_128bits_update(&state, texts[k], strlen(texts[k]) + 1);
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(key, KOSHU_CACHE_KEY + 1, "%016llx%016llx",
             (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

/* ---- files --------------------------------------------------------------- */

/* What follows the last byte of a cached file. */
struct trailer {
    char magic[8];
    XXH128_canonical_t sum;
};

static const char trailer_magic[8] = "koshu-i1";

static struct trailer
trailer_of(const char *bytes, size_t size)
{
    struct trailer trailer;
    memcpy(trailer.magic, trailer_magic, sizeof trailer.magic);
    XXH128_canonicalFromHash(&trailer.sum, XXH3_128bits(bytes, size));
    return trailer;
}

/* Writes a new file, with a trailer if there is one. */
static koshu_status
write_file(struct koshu_context *context, const struct cache_work *work,
           const char *name, const void *bytes, size_t n,
           const struct trailer *trailer)
{
    int file = TEMP_FAILURE_RETRY(
            openat(work->fd, name,
                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    bool done = file >= 0 && koshu_write_all(file, bytes, n) &&
                (!trailer || koshu_write_all(file, trailer, sizeof *trailer));
    int error = errno;
    if (file >= 0 && koshu_close(file) != 0 && done) {
        done = false;
        error = errno;
    }
    if (done) return KOSHU_OK;
    errno = error;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "%s/%s cannot be written",
                            work->path, name);
}

koshu_status
koshu_cache_write(struct koshu_context *context, struct cache *cache,
                  const char *name, const void *bytes, size_t n)
{
    KOSHU_TRY(koshu_cache_work(context, cache));
    return write_file(context, &cache->work, name, bytes, n, NULL);
}

char *
koshu_read_private(int directory, const char *name, size_t *size)
{
    struct stat found;
    char *bytes = NULL;
    int file = TEMP_FAILURE_RETRY(
            openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file < 0) return NULL;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_uid == geteuid() && !(found.st_mode & (S_IWGRP | S_IWOTH)) &&
        (bytes = malloc((size_t)found.st_size + 1))) {
        size_t n = 0;
        for (ssize_t got; n < (size_t)found.st_size; n += (size_t)got) {
            got = TEMP_FAILURE_RETRY(
                    read(file, bytes + n, (size_t)found.st_size - n));
            if (got <= 0) break;
        }
        *size = n;
    }
    close(file);
    return bytes;
}

char *
koshu_cache_read(const struct cache *cache, const char *name, size_t *size)
{
    size_t n = 0;
    char *bytes = koshu_read_private(cache->fd, name, &n);
    if (bytes && n > sizeof(struct trailer)) {
        *size = n - sizeof(struct trailer);
        const struct trailer trailer = trailer_of(bytes, *size);
        if (memcmp(bytes + *size, &trailer, sizeof trailer) == 0) return bytes;
    }
    free(bytes);
    return NULL;
}

koshu_status
koshu_cache_keep(struct koshu_context *context, struct cache *cache,
                 const char *name, const void *bytes, size_t n)
{
    static const char made[] = "made";
    const struct trailer trailer = trailer_of(bytes, n);
    KOSHU_TRY(koshu_cache_work(context, cache));
    KOSHU_TRY(write_file(context, &cache->work, made, bytes, n, &trailer));
    if (renameat(cache->work.fd, made, cache->fd, name) == 0) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "%s/%s cannot be written",
                            cache->directory, name);
}
