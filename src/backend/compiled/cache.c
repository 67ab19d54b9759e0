/* SPDX-License-Identifier: MIT */
/* The directory of compiled interactions, and the seal of its files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
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

/* $XDG_CACHE_HOME, else ~/.cache; false: there is no such place. */
static bool
cache_home(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *below = "";
    if (!cache || cache[0] != '/') { /* the XDG rule: others do not count */
        cache = getenv("HOME");
        below = "/.cache";
    }
    if (!cache || cache[0] != '/') return false;
    int n = snprintf(path, size, "%s%s/koshu/interactions", cache, below);
    return n > 0 && (size_t)n < size;
}

/* Makes what is missing of the path, for us alone. */
static bool
make_path(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Another user who can write there could have code of theirs run by us. */
static koshu_status
check_private(struct koshu_context *context, const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0)
        return koshu_fail_errno(context, KOSHU_IO, "%s", path);
    if (!S_ISDIR(found.st_mode))
        return koshu_fail(context, KOSHU_IO,
                          "%s is no directory; it is where compiled "
                          "interactions are kept: remove it, or set "
                          "XDG_CACHE_HOME",
                          path);
    if (found.st_uid != geteuid())
        return koshu_fail(context, KOSHU_IO,
                          "%s belongs to another user, and what it holds would "
                          "be run: set XDG_CACHE_HOME to a directory of yours",
                          path);
    if (found.st_mode & (S_IWGRP | S_IWOTH))
        return koshu_fail(context, KOSHU_IO,
                          "%s can be written by others, and what it holds "
                          "would be run: chmod 700 %s",
                          path, path);
    return KOSHU_OK;
}

static koshu_status
open_temporary(struct koshu_context *context, struct cache *cache)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || parent[0] != '/') parent = "/tmp";
    int n = snprintf(cache->directory, sizeof cache->directory,
                     "%s/koshu-XXXXXX", parent);
    cache->kept = false;
    if (n < (int)sizeof cache->directory && mkdtemp(cache->directory))
        return KOSHU_OK;
    cache->directory[0] = '\0';
    return koshu_fail_errno(context, KOSHU_IO,
                            "no directory for a compiled interaction: neither "
                            "a cache (XDG_CACHE_HOME, HOME) nor a temporary "
                            "one in %s can be written",
                            parent);
}

koshu_status
koshu_cache_open(struct koshu_context *context, struct cache *cache)
{
    bool home = cache_home(cache->directory, sizeof cache->directory);
    cache->kept = true;
    if (home && make_path(cache->directory)) {
        KOSHU_TRY(check_private(context, cache->directory));
        if (access(cache->directory, W_OK | X_OK) == 0) return KOSHU_OK;
    }
    koshu_log(context, KOSHU_LOG_WARNING,
              "compiled interactions cannot be kept%s%s: set XDG_CACHE_HOME to "
              "a directory that can be written",
              home ? " in " : "", home ? cache->directory : "");
    return open_temporary(context, cache);
}

/* A temporary directory goes, with its files. */
void
koshu_cache_close(struct cache *cache)
{
    if (cache->kept || !cache->directory[0]) return;
    DIR *directory = opendir(cache->directory);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(cache->directory);
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

void
koshu_cache_own_name(char *name, size_t size)
{
    static atomic_uint count;
    snprintf(name, size, "%ld-%u", (long)getpid(), atomic_fetch_add(&count, 1));
}

/* ---- files --------------------------------------------------------------- */

static bool
write_all(int file, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        ssize_t wrote = write(file, at, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        at += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

koshu_status
koshu_cache_write(struct koshu_context *context, const char *path,
                  const void *bytes, size_t n)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool done = file >= 0 && write_all(file, bytes, n);
    int error = errno;
    if (file >= 0 && close(file) != 0 && done) {
        done = false;
        error = errno;
    }
    if (done) return KOSHU_OK;
    errno = error;
    return koshu_fail_errno(context, KOSHU_IO, "%s cannot be written", path);
}

/* What stands behind the last byte of an object; loaders do not look there. */
struct seal {
    char magic[8];
    XXH128_canonical_t sum;
};

static const char seal_magic[8] = "koshu-i1";

/* The whole file, to be freed; NULL: it cannot be read, is not ours, or is not
 * a file. */
static char *
read_file(const char *path, size_t *size)
{
    struct stat found;
    char *bytes = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return NULL;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_uid == geteuid() && !(found.st_mode & (S_IWGRP | S_IWOTH)) &&
        (bytes = malloc((size_t)found.st_size + 1))) {
        size_t n = 0;
        for (ssize_t got; n < (size_t)found.st_size; n += (size_t)got) {
            got = read(file, bytes + n, (size_t)found.st_size - n);
            if (got <= 0) break;
        }
        *size = n;
    }
    close(file);
    return bytes;
}

static struct seal
seal_of(const char *bytes, size_t size)
{
    struct seal seal;
    memcpy(seal.magic, seal_magic, sizeof seal.magic);
    XXH128_canonicalFromHash(&seal.sum, XXH3_128bits(bytes, size));
    return seal;
}

koshu_status
koshu_cache_seal(struct koshu_context *context, const char *path)
{
    size_t size = 0;
    bool done = chmod(path, 0700) == 0;
    char *bytes = done ? read_file(path, &size) : NULL;
    int file = bytes ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (file >= 0) {
        const struct seal seal = seal_of(bytes, size);
        done = write_all(file, &seal, sizeof seal);
        done = close(file) == 0 && done;
    }
    free(bytes);
    if (file >= 0 && done) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_IO, "%s cannot be written", path);
}

char *
koshu_cache_read(const char *path, size_t *size)
{
    size_t n = 0;
    char *bytes = read_file(path, &n);
    if (bytes && n > sizeof(struct seal)) {
        *size = n - sizeof(struct seal);
        const struct seal seal = seal_of(bytes, *size);
        if (memcmp(bytes + *size, &seal, sizeof seal) == 0) return bytes;
    }
    free(bytes);
    return NULL;
}

bool
koshu_cache_is_sealed(const char *path)
{
    size_t size;
    char *bytes = koshu_cache_read(path, &size);
    free(bytes);
    return bytes != NULL;
}

koshu_status
koshu_cache_keep(struct koshu_context *context, const char *path,
                 const void *bytes, size_t n)
{
    char own[64], temporary[4352];
    koshu_cache_own_name(own, sizeof own);
    snprintf(temporary, sizeof temporary, "%s.%s", path, own);
    KOSHU_TRY(koshu_cache_write(context, temporary, bytes, n));
    koshu_status status = koshu_cache_seal(context, temporary);
    if (status == KOSHU_OK && rename(temporary, path) != 0)
        status = koshu_fail_errno(context, KOSHU_IO, "%s cannot be written",
                                  path);
    if (status != KOSHU_OK) unlink(temporary);
    return status;
}
