/* SPDX-License-Identifier: MIT */
/* The files of runs in an output directory: see run.h. */
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

/* A parsed snapshot name. */
struct snapshot_name {
    uint64_t number;
    bool divided;  /* one of several files, */
    uint64_t file; /* of which it is this one */
};

static bool
is_ending(const char *text)
{
    for (enum koshu_format f = 0; koshu_format_name(f); f++)
        if (strcmp(text, koshu_format_ending(f)) == 0) return true;
    return false;
}

/* "snapshot_", four or more digits, the number of one of several files, and the
 * ending of a format. Pictures of snapshots do not match. */
static bool
read_snapshot_name(const char *name, struct snapshot_name *s)
{
    static const char stem[] = "snapshot_", digits[] = "0123456789";
    const size_t n = sizeof stem - 1;
    if (strncmp(name, stem, n) != 0) return false;
    name += n;
    if (strspn(name, digits) < 4) return false;
    s->number = strtoull(name, NULL, 10);
    name += strspn(name, digits);
    const size_t length = name[0] == '.' ? strspn(name + 1, digits) : 0;
    s->divided = length > 0;
    s->file = s->divided ? strtoull(name + 1, NULL, 10) : 0;
    return is_ending(s->divided ? name + 1 + length : name);
}

/* Files that a flow writes beside a snapshot: snapshot_0000.xdmf,
 * spectrum_0000.csv */
static bool
is_beside(const char *name)
{
    static const char *const parts[][2] = {{"snapshot_", ".xdmf"},
                                           {"spectrum_", ".csv"}};
    for (size_t k = 0; k < 2; k++) {
        const size_t n = strlen(parts[k][0]);
        if (strncmp(name, parts[k][0], n) != 0) continue;
        const size_t digits = strspn(name + n, "0123456789");
        if (digits >= 4 && strcmp(name + n + digits, parts[k][1]) == 0)
            return true;
    }
    return false;
}

static bool
is_snapshot(const char *name)
{
    struct snapshot_name s;
    return read_snapshot_name(name, &s);
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
    for (int k = 0; k < KOSHU_LOGS; k++)
        if (strcmp(name, koshu_log_names[k]) == 0) return true;
    return false;
}

/* Iterates over the snapshots, checkpoints and logs of a directory. */
struct files {
    struct koshu_context *context;
    const char *directory;
    DIR *entries;               /* NULL: no more */
    const char *name;           /* of the current file */
    char path[KOSHU_PATH_SIZE]; /* "DIRECTORY/NAME" */
    koshu_status status;
};

static struct files
open_files(struct koshu_context *context, const char *directory)
{
    struct files f = {.context = context,
                      .directory = directory,
                      .entries = koshu_opendir(directory)};
    if (!f.entries && errno != ENOENT)
        f.status = koshu_fail_errno(context, KOSHU_ERROR_IO,
                                    "cannot read the output directory '%s'",
                                    directory);
    return f;
}

/* false: there are no more, or f->status says what failed. */
static bool
next_file(struct files *f)
{
    const struct dirent *entry = NULL;
    if (f->entries && f->status == KOSHU_OK) do
            entry = readdir(f->entries);
        while (entry && !is_log(entry->d_name) && !is_snapshot(entry->d_name) &&
               !is_checkpoint(entry->d_name) && !is_beside(entry->d_name));
    if (entry) {
        f->name = entry->d_name;
        f->status =
                koshu_output_path(f->context, f->directory, f->name, f->path);
    }
    if (entry && f->status == KOSHU_OK) return true;
    if (f->entries) closedir(f->entries);
    f->entries = NULL;
    return false;
}

/* ---- an earlier run ---------------------------------------------------- */

koshu_status
koshu_output_refuse(struct koshu_context *context, const char *directory)
{
    char first[KOSHU_PATH_SIZE] = ""; /* one of its files */
    bool has_checkpoint = false;
    struct files f = open_files(context, directory);
    while (next_file(&f)) {
        if (!first[0]) snprintf(first, sizeof first, "%s", f.path);
        has_checkpoint |= is_checkpoint(f.name);
    }
    if (f.status != KOSHU_OK || !first[0]) return f.status;
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            "'%s' is there from an earlier run%s overwrite it (--force), or "
            "choose another output.directory%s",
            first,
            has_checkpoint ? ": go on with it (--restart),"
                           : ", which has no checkpoint to restart from:",
            has_checkpoint ? "" : ", with a snapshot of it as initial.file");
}

/* Removes checkpoints first and syncs that to disk before removing the rest:
 * the remaining checkpoint of an interrupted call belongs to a run whose other
 * files still exist. */
koshu_status
koshu_output_clear(struct koshu_context *context, const char *directory)
{
    const struct koshu_rotation all = {context, directory, 0};
    KOSHU_TRY(koshu_rotation_remove(&all));
    KOSHU_TRY(koshu_directory_sync(context, directory));
    struct files f = open_files(context, directory);
    while (next_file(&f))
        if (unlink(f.path) != 0)
            f.status = koshu_fail_errno(context, KOSHU_ERROR_IO,
                                        "cannot remove '%s'", f.path);
    return f.status;
}

/* ---- snapshots that a checkpoint has counted ----------------------------- */

/* Files of a snapshot: the number found, and the least number expected. */
struct found {
    uint64_t files, end;
};

static void
note_snapshot(const char *name, uint64_t n, struct found *found)
{
    struct snapshot_name s;
    if (!read_snapshot_name(name, &s) || s.number >= n) return;
    struct found *f = &found[s.number];
    f->files++;
    if (s.file >= f->end) f->end = s.file + 1;
}

koshu_status
koshu_output_find_snapshots(struct koshu_context *context,
                            const char *directory, uint64_t n,
                            uint64_t *missing, uint64_t *first)
{
    *missing = *first = 0;
    if (n == 0) return KOSHU_OK;
    struct found *found = calloc(n, sizeof *found);
    if (!found)
        return koshu_fail_memory(context, n * sizeof *found, "snapshots");
    struct files f = open_files(context, directory);
    while (next_file(&f)) note_snapshot(f.name, n, found);
    for (uint64_t k = n; k-- > 0;)
        if (found[k].files == 0 || found[k].files < found[k].end) {
            ++*missing;
            *first = k;
        }
    free(found);
    return f.status;
}

koshu_status
koshu_output_remove_others(struct koshu_context *context, const char *directory,
                           uint64_t number, uint64_t n_files)
{
    struct files f = open_files(context, directory);
    while (next_file(&f)) {
        struct snapshot_name s;
        if (!read_snapshot_name(f.name, &s) || s.number != number ||
            (s.divided == (n_files > 1) && s.file < n_files))
            continue;
        if (unlink(f.path) != 0)
            f.status = koshu_fail_errno(context, KOSHU_ERROR_IO,
                                        "cannot remove '%s'", f.path);
    }
    return f.status;
}
