/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "simulation/simulation.h"

koshu_status
koshu_output_make(struct koshu_context *context, const char *directory,
                  size_t *made)
{
    char path[KOSHU_PATH_SIZE];
    *made = 0;
    KOSHU_TRY(koshu_output_path(context, directory, "", path));
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) == 0) {
            if (*made == 0) *made = strlen(path);
        } else if (errno != EEXIST) {
            koshu_status status = koshu_fail_errno(
                    context, KOSHU_ERROR_IO,
                    "cannot make the output directory '%s'", path);
            koshu_output_unmake(path, *made);
            return status;
        }
        *slash = '/';
    }
    return KOSHU_OK;
}

void
koshu_output_unmake(const char *directory, size_t made)
{
    char path[KOSHU_PATH_SIZE];
    snprintf(path, sizeof path, "%s", directory);
    for (size_t n = strlen(path); made > 0 && n >= made;) {
        if (rmdir(path) != 0 && errno != ENOENT) return;
        while (n > 0 && path[n - 1] == '/') n--;
        while (n > 0 && path[n - 1] != '/') n--;
        while (n > 0 && path[n - 1] == '/') n--;
        path[n] = '\0';
    }
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
is_log(const char *name)
{
    return strcmp(name, "energy.csv") == 0 || strcmp(name, "errors.csv") == 0 ||
           strcmp(name, "performance.csv") == 0;
}

/* What to do with each snapshot, checkpoint and log of the directory; path is
 * "DIRECTORY/NAME". */
typedef koshu_status on_file(struct koshu_context *context, const char *path,
                             const char *name, void *user);

static koshu_status
each_file(struct koshu_context *context, const char *directory, on_file *act,
          void *user)
{
    DIR *entries = koshu_opendir(directory);
    if (!entries && errno == ENOENT) return KOSHU_OK;
    if (!entries)
        return koshu_fail_errno(context, KOSHU_ERROR_IO,
                                "cannot read the output directory '%s'",
                                directory);
    koshu_status status = KOSHU_OK;
    struct dirent *entry;
    while (status == KOSHU_OK && (entry = readdir(entries))) {
        char path[KOSHU_PATH_SIZE];
        if (!is_log(entry->d_name) && !is_snapshot(entry->d_name) &&
            !is_checkpoint(entry->d_name))
            continue;
        status = koshu_output_path(context, directory, entry->d_name, path);
        if (status == KOSHU_OK)
            status = act(context, path, entry->d_name, user);
    }
    closedir(entries);
    return status;
}

/* ---- an earlier run ---------------------------------------------------- */

struct earlier_run {
    char path[KOSHU_PATH_SIZE]; /* a file of it; "": there is none */
    bool has_checkpoint;
};

static koshu_status
note_file(struct koshu_context *context, const char *path, const char *name,
          void *user)
{
    struct earlier_run *earlier = user;
    (void)context;
    if (!earlier->path[0])
        snprintf(earlier->path, sizeof earlier->path, "%s", path);
    if (is_checkpoint(name)) earlier->has_checkpoint = true;
    return KOSHU_OK;
}

koshu_status
koshu_output_refuse(struct koshu_context *context, const char *directory)
{
    struct earlier_run earlier = {.path = ""};
    KOSHU_TRY(each_file(context, directory, note_file, &earlier));
    if (!earlier.path[0]) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' is there from an earlier run%s overwrite it "
                      "(--force), or choose another output.directory",
                      earlier.path,
                      earlier.has_checkpoint
                              ? ": go on with it (--restart),"
                              : ", which has no checkpoint to restart from:");
}

static koshu_status
remove_file(struct koshu_context *context, const char *path, const char *name,
            void *user)
{
    (void)name;
    (void)user;
    if (unlink(path) == 0) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "cannot remove '%s'",
                            path);
}

/* Checkpoints first, and that to the disk before the rest: one that is left is
 * of a run whose other files are all there. */
koshu_status
koshu_output_clear(struct koshu_context *context, const char *directory)
{
    KOSHU_TRY(koshu_rotation_remove(context, directory));
    KOSHU_TRY(koshu_directory_sync(context, directory));
    return each_file(context, directory, remove_file, NULL);
}

/* ---- what a checkpoint has counted ------------------------------------- */

struct snapshot_search {
    uint64_t n;
    bool *found; /* [n] */
};

static koshu_status
note_snapshot(struct koshu_context *context, const char *path, const char *name,
              void *user)
{
    struct snapshot_search *search = user;
    (void)context;
    (void)path;
    if (!is_snapshot(name)) return KOSHU_OK;
    uint64_t number = strtoull(name + strlen("snapshot_"), NULL, 10);
    if (number < search->n) search->found[number] = true;
    return KOSHU_OK;
}

koshu_status
koshu_output_find_snapshots(struct koshu_context *context,
                            const char *directory, uint64_t n,
                            uint64_t *missing, uint64_t *first)
{
    *missing = *first = 0;
    if (n == 0) return KOSHU_OK;
    struct snapshot_search search = {n, calloc(n, sizeof(bool))};
    if (!search.found) return koshu_fail_memory(context, n, "snapshots");
    koshu_status status = each_file(context, directory, note_snapshot, &search);
    for (uint64_t k = n; k-- > 0;)
        if (!search.found[k]) {
            ++*missing;
            *first = k;
        }
    free(search.found);
    return status;
}
