/* SPDX-License-Identifier: MIT */
/* Names of the files of one snapshot. */
#include "io/file_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/format.h"

/* The ending, if it is one of a format; a number is not. */
static const char *
ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int f = 0; dot && f < KOSHU_FORMATS; f++)
        for (int e = 0; e < 3 && koshu_formats[f]->endings[e]; e++)
            if (strcasecmp(dot, koshu_formats[f]->endings[e]) == 0) return dot;
    return path + strlen(path);
}

struct koshu_file_name
koshu_file_name_of(const char *path)
{
    const char *ending = ending_of(path), *at = ending;
    while (at > path && at[-1] >= '0' && at[-1] <= '9') at--;
    const bool numbered = at < ending && at > path && at[-1] == '.';
    return (struct koshu_file_name){
            path, (size_t)((numbered ? at - 1 : ending) - path), numbered,
            ending};
}

koshu_status
koshu_file_name_make(struct koshu_context *context,
                     const struct koshu_file_name *name, uint64_t k,
                     char **path)
{
    if (asprintf(path, "%.*s.%llu%s", (int)name->stem, name->path,
                 (unsigned long long)k, name->ending) >= 0)
        return KOSHU_OK;
    *path = NULL;
    return koshu_fail_memory(context, name->stem, "file name");
}

/* The first file with this base name. If the base name has no ending, those of
 * all formats are tried. */
static koshu_status
find_first(struct koshu_context *context, const char *base, char **path)
{
    struct koshu_file_name name = koshu_file_name_of(base);
    KOSHU_TRY(koshu_file_name_make(context, &name, 0, path));
    for (int f = 0; f < KOSHU_FORMATS && !name.ending[0]; f++) {
        if (access(*path, F_OK) == 0) return KOSHU_OK;
        struct koshu_file_name other = name;
        other.ending = koshu_formats[f]->endings[0];
        free(*path);
        KOSHU_TRY(koshu_file_name_make(context, &other, 0, path));
    }
    return KOSHU_OK;
}

koshu_status
koshu_snapshot_find(struct koshu_context *context, const char *path,
                    char **found)
{
    *found = NULL;
    if (access(path, F_OK) != 0 && !koshu_file_name_of(path).numbered)
        KOSHU_TRY(find_first(context, path, found));
    if (*found && access(*found, F_OK) == 0) return KOSHU_OK;
    free(*found);
    *found = strdup(path);
    return *found ? KOSHU_OK
                  : koshu_fail_memory(context, strlen(path), "file name");
}

koshu_status
koshu_reader_open_snapshot(struct koshu_context *context, const char *path,
                           struct koshu_reader **reader)
{
    char *file;
    KOSHU_TRY(koshu_snapshot_find(context, path, &file));
    koshu_status status = koshu_reader_open(context, file, reader);
    free(file);
    return status;
}
