/* SPDX-License-Identifier: MIT */
/* Loads code from memory, so that exactly what was checked is run. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10U /* Linux 6.3 */
#endif

/* A nameless file that can no longer be changed; -1: not supported here. */
static int
make_read_only(const void *bytes, size_t n)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("koshu-interaction", flags | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) /* an older kernel */
        fd = memfd_create("koshu-interaction", flags);
    if (fd < 0) return -1;
    if (koshu_write_all(fd, bytes, n) &&
        fcntl(fd, F_ADD_SEALS,
              F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The loader identifies objects by name, here that of the descriptor: it stays
 * open as long as the object, so that no other object gets its number. */
static bool
load_read_only(const void *bytes, size_t n, struct koshu_image *image)
{
    char path[64];
    image->fd = make_read_only(bytes, n);
    if (image->fd < 0) return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", image->fd);
    image->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (image->object) return true;
    close(image->fd);
    image->fd = -1;
    return false;
}

/* If such files cannot be created or executed: loads the cached file by its
 * path; no other user can change it. */
static koshu_status
load_kept(struct koshu_context *context, const struct cache *cache,
          const char *name, struct koshu_image *image)
{
    char path[sizeof cache->directory + 64];
    snprintf(path, sizeof path, "%s/%s", cache->directory, name);
    image->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (image->object) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "a compiled interaction cannot be loaded: %s", dlerror());
}

koshu_status
koshu_image_load(struct koshu_context *context, const struct cache *cache,
                 const char *name, const void *bytes, size_t n,
                 struct koshu_image *image)
{
    *image = (struct koshu_image){.fd = -1};
    if (load_read_only(bytes, n, image)) return KOSHU_OK;
    return load_kept(context, cache, name, image);
}

void
koshu_image_unload(struct koshu_image *image)
{
    if (image->object) dlclose(image->object);
    if (image->object && image->fd >= 0) close(image->fd);
    *image = (struct koshu_image){.fd = -1};
}
