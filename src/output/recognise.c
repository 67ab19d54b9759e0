/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "output/output.h"

/* Is a field of the line, which commas part and '\n' ends, this word, with a
 * unit behind it or without? */
static bool
has_field(const char *line, const char *word)
{
    size_t n = strlen(word);
    for (;;) {
        size_t length = strcspn(line, ",\r\n");
        const size_t name = strcspn(line, " [,\r\n");
        if (name == n && memcmp(line, word, n) == 0) return true;
        if (line[length] != ',') return false;
        line += length + 1;
    }
}

koshu_status
koshu_is_log(struct koshu_context *context, const char *path, bool *is_log)
{
    char head[4096] = "";
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open_snapshot(context, path, &reader));
    size_t n = sizeof head - 1;
    if (reader->size < n) n = (size_t)reader->size;
    koshu_status status = koshu_reader_read(reader, head, n, "first line");
    koshu_reader_close(reader);
    const char *line = head;
    while (line[0] == '#') {
        line += strcspn(line, "\n");
        line += line[0] == '\n';
    }
    /* snapshots have positions, and their time in another place */
    *is_log = has_field(line, "time") && !has_field(line, "x");
    return status;
}
