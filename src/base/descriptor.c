/* SPDX-License-Identifier: MIT */
/* System calls that resume after a signal interrupts them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"

enum { WHERE_IT_STANDS = -1 };

bool
koshu_write_all_at(int fd, const void *bytes, size_t n, off_t at)
{
    const char *next = bytes;
    const char *end = next + n;
    while (next < end) {
        const size_t left = (size_t)(end - next);
        ssize_t written = TEMP_FAILURE_RETRY(
                at == WHERE_IT_STANDS ? write(fd, next, left)
                                      : pwrite(fd, next, left, at));
        if (written == 0) errno = EIO;
        if (written <= 0) return false;
        next += written;
        if (at != WHERE_IT_STANDS) at += written;
    }
    return true;
}

bool
koshu_write_all(int fd, const void *bytes, size_t n)
{
    return koshu_write_all_at(fd, bytes, n, WHERE_IT_STANDS);
}

int
koshu_sync(int fd)
{
    if (TEMP_FAILURE_RETRY(fsync(fd)) == 0) return 0;
    return errno == EINVAL || errno == ENOSYS ? 0 : errno;
}

int
koshu_close(int fd)
{
    return close(fd) == 0 || errno == EINTR ? 0 : errno;
}

DIR *
koshu_opendir(const char *path)
{
    DIR *directory;
    do directory = opendir(path);
    while (!directory && errno == EINTR);
    return directory;
}

/* ---- streams ------------------------------------------------------------ */

struct stream {
    int fd, *error;
};

static ssize_t
write_stream(void *cookie, const char *bytes, size_t n)
{
    const struct stream *s = cookie;
    if (koshu_write_all(s->fd, bytes, n)) return (ssize_t)n;
    if (!*s->error) *s->error = errno;
    return 0; /* 0 bytes written tells stdio of the failure */
}

static int
close_stream(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *
koshu_stream_on(int fd, int *error)
{
    static const cookie_io_functions_t functions = {.write = write_stream,
                                                    .close = close_stream};
    struct stream *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (struct stream){fd, error};
    FILE *stream = fopencookie(s, "w", functions);
    if (!stream) free(s);
    return stream;
}
