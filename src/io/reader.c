/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

struct koshu_reader {
    struct koshu_context *context;
    FILE *stream;
    char *path;
    uint64_t size, at;
};

/* A file that can be read, with its size. Opened without waiting, so that a
 * pipe nobody writes to is refused and not waited for. */
static koshu_status
open_regular(struct koshu_reader *r)
{
    int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return koshu_fail_errno(r->context,
                                errno == ENOENT || errno == ENOTDIR
                                        ? KOSHU_NOT_FOUND
                                        : KOSHU_IO,
                                "cannot read '%s'", r->path);
    struct stat s;
    r->stream = fdopen(fd, "r");
    if (!r->stream || fstat(fd, &s) != 0) {
        if (!r->stream) close(fd);
        return koshu_fail_errno(r->context, KOSHU_IO, "cannot read '%s'",
                                r->path);
    }
    if (!S_ISREG(s.st_mode))
        return koshu_fail(r->context, KOSHU_BAD_INPUT,
                          "cannot read '%s': it is a %s; name a file", r->path,
                          S_ISDIR(s.st_mode) ? "directory" : "device");
    if (s.st_size == 0)
        return koshu_fail(r->context, KOSHU_BAD_INPUT,
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
    if (reader->stream) fclose(reader->stream);
    free(reader->path);
    free(reader);
}

const char *
koshu_reader_path(const struct koshu_reader *reader)
{
    return reader->path;
}

struct koshu_context *
koshu_reader_context(const struct koshu_reader *reader)
{
    return reader->context;
}

uint64_t
koshu_reader_size(const struct koshu_reader *reader)
{
    return reader->size;
}

uint64_t
koshu_reader_at(const struct koshu_reader *reader)
{
    return reader->at;
}

uint64_t
koshu_reader_left(const struct koshu_reader *reader)
{
    return reader->size - reader->at;
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
    if (fseeko(reader->stream, (off_t)at, SEEK_SET) != 0)
        return koshu_fail_errno(reader->context, KOSHU_IO, "cannot read '%s'",
                                reader->path);
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

koshu_status
koshu_reader_read(struct koshu_reader *reader, void *bytes, size_t n,
                  const char *what)
{
    KOSHU_TRY(koshu_reader_expect(reader, n, 1, what));
    size_t got = fread(bytes, 1, n, reader->stream);
    if (got != n) {
        if (ferror(reader->stream))
            return koshu_fail_errno(reader->context, KOSHU_IO,
                                    "cannot read '%s'", reader->path);
        return koshu_reader_fail(reader,
                                 "%s: the file became shorter while "
                                 "it was read",
                                 what);
    }
    reader->at += n;
    return KOSHU_OK;
}

koshu_status
koshu_reader_fail(const struct koshu_reader *reader, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_fail(reader->context, KOSHU_BAD_FORMAT, "%s, byte %llu: %s",
                      reader->path, (unsigned long long)reader->at, text);
}
