/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "simulation/simulation.h"

koshu_status
koshu_output_path(struct koshu_context *context, const char *directory,
                  const char *name, char path[KOSHU_PATH_SIZE])
{
    int n = snprintf(path, KOSHU_PATH_SIZE, "%s/%s", directory, name);
    if (n < KOSHU_PATH_SIZE) return KOSHU_OK;
    return koshu_fail(context, KOSHU_BAD_INPUT,
                      "output.directory: %zu characters; a path has at most "
                      "%d",
                      strlen(directory), KOSHU_PATH_SIZE - 1);
}

koshu_status
koshu_output_make(struct koshu_context *context, const char *directory)
{
    char path[KOSHU_PATH_SIZE];
    KOSHU_TRY(koshu_output_path(context, directory, "", path));
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return koshu_fail_errno(context, KOSHU_IO,
                                    "cannot make the output directory '%s'",
                                    path);
        *slash = '/';
    }
    return KOSHU_OK;
}

/* ---- files of a run ---------------------------------------------------- */

/* "snapshot_", four or more digits, the ending of a format: a picture of a
 * snapshot is none. */
static bool
is_snapshot(const char *name)
{
    static const char stem[] = "snapshot_";
    size_t n = sizeof stem - 1;
    if (strncmp(name, stem, n) != 0) return false;
    size_t digits = strspn(name + n, "0123456789");
    if (digits < 4) return false;
    for (enum koshu_format f = 0; koshu_format_name(f); f++)
        if (strcmp(name + n + digits, koshu_format_ending(f)) == 0) return true;
    return false;
}

/* checkpoint.hdf5, checkpoint-1.hdf5, ..., checkpoint.new.hdf5 */
static bool
is_checkpoint(const char *name)
{
    static const char stem[] = "checkpoint";
    size_t n = sizeof stem - 1;
    if (strncmp(name, stem, n) != 0) return false;
    name += n;
    if (*name == '-') name += 1 + strspn(name + 1, "0123456789");
    return strcmp(name, ".hdf5") == 0 || strcmp(name, ".new.hdf5") == 0;
}

static bool
is_tree_log(const char *name)
{
    return strcmp(name, "errors.csv") == 0 ||
           strcmp(name, "performance.csv") == 0;
}

/* What to do with each snapshot, checkpoint and log of the directory. is_log:
 * energy.csv, which every run has. */
typedef koshu_status
on_file(struct koshu_context *context, const char *path, bool is_log);

static koshu_status
each_file(struct koshu_context *context, const char *directory, on_file *act)
{
    DIR *entries = opendir(directory);
    if (!entries && errno == ENOENT) return KOSHU_OK;
    if (!entries)
        return koshu_fail_errno(context, KOSHU_IO,
                                "cannot read the output directory '%s'",
                                directory);
    koshu_status status = KOSHU_OK;
    struct dirent *entry;
    while (status == KOSHU_OK && (entry = readdir(entries))) {
        char path[KOSHU_PATH_SIZE];
        bool is_log = strcmp(entry->d_name, "energy.csv") == 0;
        if (!is_log && !is_tree_log(entry->d_name) &&
            !is_snapshot(entry->d_name) && !is_checkpoint(entry->d_name))
            continue;
        status = koshu_output_path(context, directory, entry->d_name, path);
        if (status == KOSHU_OK) status = act(context, path, is_log);
    }
    closedir(entries);
    return status;
}

static koshu_status
refuse_file(struct koshu_context *context, const char *path, bool is_log)
{
    (void)is_log;
    return koshu_fail(context, KOSHU_BAD_INPUT,
                      "'%s' is there from an earlier run: go on with it "
                      "(--restart), overwrite it (--force), or choose another "
                      "output.directory",
                      path);
}

koshu_status
koshu_output_refuse(struct koshu_context *context, const char *directory)
{
    return each_file(context, directory, refuse_file);
}

/* The log stays: it is open, and locked. */
static koshu_status
remove_file(struct koshu_context *context, const char *path, bool is_log)
{
    if (is_log || unlink(path) == 0) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_IO, "cannot remove '%s'", path);
}

koshu_status
koshu_output_clear(struct koshu_context *context, const char *directory)
{
    return each_file(context, directory, remove_file);
}
