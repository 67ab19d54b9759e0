/* SPDX-License-Identifier: MIT */
/* Reads files by offset, with checks against their size. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

enum { BUFFER = sizeof((struct koshu_reader *)NULL)->buffer };

static koshu_status
fail_read(const struct koshu_reader *r, koshu_status status)
{
    if (errno == ENOMEM) status = KOSHU_ERROR_OUT_OF_MEMORY;
    return koshu_fail_errno(r->context, status, "cannot read '%s'", r->path);
}

/* Opens a file that can be read, and finds its size. Does not block, so that a
 * pipe without a writer is refused instead of waited for. */
static koshu_status
open_regular(struct koshu_reader *r)
{
    r->fd = TEMP_FAILURE_RETRY(
            open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (r->fd < 0)
        return fail_read(r, errno == ENOENT || errno == ENOTDIR
                                    ? KOSHU_ERROR_NOT_FOUND
                                    : KOSHU_ERROR_IO);
    struct stat s;
    if (fstat(r->fd, &s) != 0) return fail_read(r, KOSHU_ERROR_IO);
    if (!S_ISREG(s.st_mode))
        return koshu_fail(r->context, KOSHU_ERROR_BAD_INPUT,
                          "cannot read '%s': it is a %s; name a file", r->path,
                          S_ISDIR(s.st_mode) ? "directory" : "device");
    if (s.st_size == 0)
        return koshu_fail(r->context, KOSHU_ERROR_BAD_INPUT,
                          "cannot read '%s': it is empty", r->path);
    r->size = (uint64_t)s.st_size;
    return KOSHU_OK;
}

koshu_status
koshu_reader_open(struct koshu_context *context, const char *path,
                  struct koshu_reader **reader)
{
    *reader = NULL;
    struct koshu_reader *r = calloc(1, sizeof *r);
    if (!r) return koshu_fail_memory(context, sizeof *r, "file");
    r->context = context;
    r->fd = -1;
    r->path = strdup(path);
    koshu_status status =
            r->path ? open_regular(r)
                    : koshu_fail_memory(context, strlen(path), "file name");
    if (status != KOSHU_OK) {
        koshu_reader_close(r);
        return status;
    }
    *reader = r;
    return KOSHU_OK;
}

void
koshu_reader_close(struct koshu_reader *reader)
{
    if (!reader) return;
    if (reader->fd >= 0) close(reader->fd);
    free(reader->path);
    free(reader);
}

koshu_status
koshu_reader_seek(struct koshu_reader *reader, uint64_t at)
{
    if (at > reader->size)
        return koshu_reader_fail(reader,
                                 "the file should go on to byte %llu, but "
                                 "ends at byte %llu; it is truncated",
                                 (unsigned long long)at,
                                 (unsigned long long)reader->size);
    reader->at = at;
    return KOSHU_OK;
}

koshu_status
koshu_reader_expect(const struct koshu_reader *reader, uint64_t count,
                    uint64_t size, const char *what)
{
    uint64_t left = koshu_reader_left(reader);
    if (size == 0 || count <= left / size) return KOSHU_OK;
    return koshu_reader_fail(reader,
                             "%s: expected %llu of %llu bytes each, but only "
                             "%llu bytes are left; the file is truncated, or "
                             "its counts are wrong",
                             what, (unsigned long long)count,
                             (unsigned long long)size,
                             (unsigned long long)left);
}

/* Reads n bytes of the file from offset `at` on. */
static koshu_status
fetch(struct koshu_reader *r, uint64_t at, unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t got = pread(r->fd, bytes, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_read(r, KOSHU_ERROR_IO);
        if (got == 0)
            return koshu_reader_fail(r, "the file became shorter while it "
                                        "was read");
        bytes += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return KOSHU_OK;
}

/* The next n bytes, or as many as the buffer has. */
static koshu_status
next_bytes(struct koshu_reader *r, size_t n, const unsigned char **from,
           size_t *there)
{
    if (r->at < r->held_at || r->at - r->held_at >= r->held) {
        const uint64_t left = koshu_reader_left(r);
        const size_t size = left < BUFFER ? (size_t)left : BUFFER;
        r->held = 0;
        KOSHU_TRY(fetch(r, r->at, r->buffer, size));
        r->held_at = r->at;
        r->held = size;
    }
    const size_t offset = (size_t)(r->at - r->held_at);
    *from = r->buffer + offset;
    *there = r->held - offset < n ? r->held - offset : n;
    return KOSHU_OK;
}

koshu_status
koshu_reader_read(struct koshu_reader *reader, void *bytes, size_t n,
                  const char *what)
{
    KOSHU_TRY(koshu_reader_expect(reader, n, 1, what));
    if (n >= BUFFER) {
        KOSHU_TRY(fetch(reader, reader->at, bytes, n));
        reader->at += n;
        return KOSHU_OK;
    }
    for (size_t done = 0, there; done < n; done += there) {
        const unsigned char *from;
        KOSHU_TRY(next_bytes(reader, n - done, &from, &there));
        memcpy((char *)bytes + done, from, there);
        reader->at += there;
    }
    return KOSHU_OK;
}

/* The bytes up to the end of the line, or of the file. */
static koshu_status
collect_line(struct koshu_reader *r, char *line, size_t size, size_t *length,
             bool *ended)
{
    *length = 0;
    *ended = false;
    while (!*ended && koshu_reader_left(r) > 0) {
        const unsigned char *from;
        size_t there;
        KOSHU_TRY(next_bytes(r, BUFFER, &from, &there));
        const unsigned char *end = memchr(from, '\n', there);
        size_t take = end ? (size_t)(end - from) : there;
        if (take >= size - *length)
            return koshu_reader_fail(r, "a line of more than %zu letters",
                                     size - 1);
        memcpy(line + *length, from, take);
        *length += take;
        *ended = end != NULL;
        r->at += take + (*ended ? 1 : 0);
    }
    return KOSHU_OK;
}

koshu_status
koshu_reader_line(struct koshu_reader *reader, char *line, size_t size,
                  bool *whole)
{
    size_t length;
    bool ended;
    if (koshu_reader_left(reader) == 0)
        return koshu_reader_fail(reader, "one more line is expected; the file "
                                         "is truncated");
    KOSHU_TRY(collect_line(reader, line, size, &length, &ended));
    if (ended && length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    if (strlen(line) != length)
        return koshu_reader_fail(reader, "a zero byte in the line before");
    if (whole) *whole = ended;
    return KOSHU_OK;
}

static koshu_status
read_text(struct koshu_reader *reader, const char *what, uint64_t max,
          char **text)
{
    const size_t size = (size_t)reader->size;
    if (reader->size > max)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                   "%zu bytes: a %s has at most %llu", size,
                                   what, (unsigned long long)max);
    *text = calloc(size + 1, 1);
    if (!*text) return koshu_fail_memory(reader->context, size, what);
    KOSHU_TRY(koshu_reader_read(reader, *text, size, what));
    if (strlen(*text) == size) return KOSHU_OK;
    return koshu_fail(reader->context, KOSHU_ERROR_BAD_INPUT,
                      "%s, byte %zu: a zero byte where text was expected",
                      reader->path, strlen(*text));
}

koshu_status
koshu_text_read(struct koshu_context *context, const char *path,
                const char *what, uint64_t max, char **text)
{
    struct koshu_reader *reader;
    *text = NULL;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = read_text(reader, what, max, text);
    koshu_reader_close(reader);
    if (status == KOSHU_OK) return KOSHU_OK;
    free(*text);
    *text = NULL;
    return status;
}

koshu_status
koshu_reader_fail(const struct koshu_reader *reader, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_fail(reader->context, KOSHU_ERROR_BAD_FORMAT,
                      "%s, byte %llu: %s", reader->path,
                      (unsigned long long)reader->at, text);
}

koshu_status
koshu_reader_refuse(const struct koshu_reader *reader, koshu_status status,
                    const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_fail(reader->context, status, "%s: %s", reader->path, text);
}
