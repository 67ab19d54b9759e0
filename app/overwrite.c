/* SPDX-License-Identifier: MIT */
/* The rule, for all commands, for what they may overwrite. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app.h"

/* Would a file's content be lost? Anything but a file is refused later, with a
 * reason, by the function that writes. */
static bool
holds_something(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
}

/* Recognises a picture by how the file begins: PNG, PDF, or XML with an SVG
 * element soon after. */
static bool
is_picture(const char *path)
{
    char head[257] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t n = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    return (n > 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0) ||
           strncmp(head, "%PDF-", 5) == 0 ||
           (strncmp(head, "<?xml", 5) == 0 && strstr(head, "<svg"));
}

koshu_status
refuse_to_overwrite(struct koshu_context *context, const char *path, bool force)
{
    char *file; /* or the first of several files */
    koshu_status status = KOSHU_OK;
    if (force) return KOSHU_OK;
    KOSHU_TRY(koshu_snapshot_find(context, path, &file));
    if (holds_something(file))
        status = koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                            "'%s' is there already: overwrite it (--force), or "
                            "choose another name",
                            file);
    free(file);
    return status;
}

koshu_status
refuse_to_draw_over(struct koshu_context *context, const char *path, bool force)
{
    if (force || !holds_something(path) || is_picture(path)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' is there already, and is no picture: overwrite "
                      "it (--force), or choose another name",
                      path);
}

bool
same_file(const char *a, const char *b)
{
    struct stat s, t;
    return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_ino == t.st_ino &&
           s.st_dev == t.st_dev;
}
