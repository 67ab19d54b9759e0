/* SPDX-License-Identifier: MIT */
/* The files of a snapshot: finding, checking and reading them. */
#include "io/snapshot_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- one file ------------------------------------------------------------ */

/* The format, info and set of a file; leaves the reader at its beginning. */
static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info,
        struct koshu_snapshot_set *set)
{
    *info = (struct koshu_snapshot_info){.units = KOSHU_HENON_UNITS,
                                         .files = 1};
    *set = (struct koshu_snapshot_set){.files = 1};
    KOSHU_TRY(koshu_format_recognise(reader, &info->format));
    locale_t users = koshu_plain_numbers();
    koshu_status status =
            koshu_formats[info->format]->inspect(reader, info, set);
    uselocale(users);
    KOSHU_TRY(status);
    const char *fault = info->n == 0 && set->n == 0
                                ? "it holds no particles"
                                : koshu_snapshot_fault(info);
    if (fault)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT, "%s", fault);
    return koshu_reader_seek(reader, 0);
}

static koshu_status
inspect_path(struct koshu_context *context, struct koshu_snapshot_files *f)
{
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open(context, f->path, &reader));
    koshu_status status = inspect(reader, &f->info, &f->set);
    koshu_reader_close(reader);
    return status;
}

/* ---- one of several ------------------------------------------------------ */

static koshu_status
fail_missing(struct koshu_context *context,
             const struct koshu_snapshot_files *f, const char *path)
{
    return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                      "'%s' is missing: '%s' is one of the %" PRIu64
                      " files of a snapshot, which are read together",
                      path, f->path, f->set.files);
}

/* What this file does not have in common with the others; NULL: nothing. */
static const char *
difference(const struct koshu_snapshot_files *f,
           const struct koshu_snapshot_info *info,
           const struct koshu_snapshot_set *set)
{
    const struct koshu_snapshot_info *a = &f->info;
    const struct koshu_units *u = &a->units, *v = &info->units;
    if (set->files != f->set.files) return "number of files";
    if (set->n != f->set.n) return "number of particles in all files";
    if (info->time != a->time) return "time";
    if (info->step != a->step) return "step";
    if (info->box_size != a->box_size) return "box size";
    if (info->softening != a->softening) return "softening";
    if (info->format != a->format) return "format";
    if (set->parameters != f->set.parameters) return "parameter file";
    if (info->has_units != a->has_units || u->length_cm != v->length_cm ||
        u->mass_g != v->mass_g || u->velocity_cm_s != v->velocity_cm_s)
        return "units";
    return strcmp(info->program, a->program) == 0 ? NULL : "program";
}

static koshu_status
check_same(struct koshu_reader *reader, const struct koshu_snapshot_files *f,
           const struct koshu_snapshot_info *info,
           const struct koshu_snapshot_set *set)
{
    const char *other = difference(f, info, set);
    if (!other) return KOSHU_OK;
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                               "it is of another snapshot than '%s': its %s "
                               "differs",
                               f->path, other);
}

/* Opens the k-th file, with its info. */
static koshu_status
open_file(struct koshu_context *context, const struct koshu_snapshot_files *f,
          uint64_t k, struct koshu_reader **reader,
          struct koshu_snapshot_info *info)
{
    struct koshu_snapshot_set set;
    char *path = NULL;
    if (f->set.files > 1)
        KOSHU_TRY(koshu_file_name_make(context, &f->name, k, &path));
    koshu_status status =
            koshu_reader_open(context, path ? path : f->path, reader);
    if (status == KOSHU_ERROR_NOT_FOUND && path)
        status = fail_missing(context, f, path);
    free(path);
    KOSHU_TRY(status);
    *info = f->info;
    if (f->set.files == 1) return KOSHU_OK;
    status = inspect(*reader, info, &set);
    if (status == KOSHU_OK) status = check_same(*reader, f, info, &set);
    if (status != KOSHU_OK) koshu_reader_close(*reader);
    return status;
}

/* Opens a file whose first particle is number `first` of all. */
static koshu_status
visit_file(struct koshu_context *context, const struct koshu_snapshot_files *f,
           uint64_t k, uint64_t first, koshu_visit_file *visit, void *argument)
{
    struct koshu_reader *reader;
    struct koshu_snapshot_info info;
    KOSHU_TRY(open_file(context, f, k, &reader, &info));
    info.has_potential = f->info.has_potential;
    koshu_status status = info.n == f->n[k]
                                  ? visit(reader, &info, first, argument)
                                  : koshu_snapshot_fail_changed(reader);
    koshu_reader_close(reader);
    return status;
}

koshu_status
koshu_snapshot_files_visit(struct koshu_context *context,
                           const struct koshu_snapshot_files *files,
                           struct koshu_slice of, koshu_visit_file *visit,
                           void *argument)
{
    struct koshu_slice file = {.first = 0};
    for (uint64_t k = 0; k < files->set.files; k++, file.first += file.n) {
        file.n = (size_t)files->n[k];
        if (koshu_slice_common(file, of).n > 0)
            KOSHU_TRY(
                    visit_file(context, files, k, file.first, visit, argument));
    }
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
add_file(struct koshu_context *context, const struct koshu_snapshot_files *f,
         uint64_t k, struct koshu_snapshot_info *all)
{
    struct koshu_reader *reader;
    struct koshu_snapshot_info info;
    KOSHU_TRY(open_file(context, f, k, &reader, &info));
    koshu_reader_close(reader);
    f->n[k] = info.n;
    all->n += info.n;
    all->single |= info.single;
    if (info.n > 0) all->has_potential &= info.has_potential;
    if (info.n_types > all->n_types) all->n_types = info.n_types;
    return KOSHU_OK;
}

/* Does the file's name have a number, and does the last file exist? The first
 * file, which may be damaged, says how many files there are. */
static koshu_status
find_all(struct koshu_context *context, struct koshu_snapshot_files *f)
{
    char *path = NULL;
    f->name = koshu_file_name_of(f->path);
    if (!f->name.numbered)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: it is one of the %" PRIu64
                          " files of a snapshot, but its name has no number "
                          "before the ending, as NAME.0.hdf5 has",
                          f->path, f->set.files);
    KOSHU_TRY(koshu_file_name_make(context, &f->name, f->set.files - 1, &path));
    const koshu_status status =
            access(path, F_OK) == 0 ? KOSHU_OK : fail_missing(context, f, path);
    free(path);
    return status;
}

static koshu_status
add_all(struct koshu_context *context, struct koshu_snapshot_files *f)
{
    struct koshu_snapshot_info all = f->info;
    all.n = 0;
    all.n_types = 0;
    all.has_potential = true;
    for (uint64_t k = 0; k < f->set.files; k++)
        KOSHU_TRY(add_file(context, f, k, &all));
    all.files = f->set.files;
    if (all.n == f->set.n) {
        f->info = all;
        return KOSHU_OK;
    }
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: the %" PRIu64 " files of this snapshot have %" PRIu64
                      " particles, but by their headers it is %" PRIu64
                      "; one is of another snapshot",
                      f->path, f->set.files, all.n, f->set.n);
}

static koshu_status
make_counts(struct koshu_context *context, struct koshu_snapshot_files *f)
{
    const size_t n = (size_t)f->set.files;
    f->n = calloc(n, sizeof *f->n);
    return f->n ? KOSHU_OK
                : koshu_fail_memory(context, n * sizeof *f->n,
                                    "the files of a snapshot");
}

koshu_status
koshu_snapshot_files_open(struct koshu_context *context, const char *path,
                          struct koshu_snapshot_files *files)
{
    *files = (struct koshu_snapshot_files){.path = NULL};
    KOSHU_TRY(koshu_snapshot_find(context, path, &files->path));
    koshu_status status = inspect_path(context, files);
    if (status == KOSHU_OK && files->set.files > 1)
        status = find_all(context, files);
    if (status == KOSHU_OK) status = make_counts(context, files);
    if (status == KOSHU_OK && files->set.files > 1)
        status = add_all(context, files);
    else if (status == KOSHU_OK)
        files->n[0] = files->info.n;
    if (status != KOSHU_OK) koshu_snapshot_files_close(files);
    return status;
}

/* ---- on all ranks -------------------------------------------------------- */

static koshu_status
make_memory(struct koshu_context *context, struct koshu_snapshot_files *f,
            size_t path)
{
    if (koshu_is_first_rank(context)) return KOSHU_OK;
    f->path = calloc(path, 1);
    if (!f->path) return koshu_fail_memory(context, path, "file name");
    return make_counts(context, f);
}

koshu_status
koshu_snapshot_files_broadcast(struct koshu_context *context,
                               struct koshu_snapshot_files *files)
{
    struct koshu_snapshot_files *f = files;
    size_t path = f->path ? strlen(f->path) + 1 : 0;
    if (koshu_context_ranks(context) == 1) return KOSHU_OK;
    KOSHU_TRY(koshu_broadcast(context, 0, &path, sizeof path));
    KOSHU_TRY(koshu_broadcast(context, 0, &f->set, sizeof f->set));
    KOSHU_TRY(koshu_broadcast(context, 0, &f->info, sizeof f->info));
    const koshu_status status = make_memory(context, f, path);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_broadcast(context, 0, f->path, path));
    KOSHU_TRY(koshu_broadcast(context, 0, f->n, f->set.files * sizeof *f->n));
    f->name = koshu_file_name_of(f->path);
    return KOSHU_OK;
}

/* ---- names --------------------------------------------------------------- */

/* By their names, may they be files of one snapshot? */
static bool
may_be_one(const char *a, const char *b)
{
    const struct koshu_file_name x = koshu_file_name_of(a),
                                 y = koshu_file_name_of(b);
    return x.numbered && y.numbered && x.stem == y.stem &&
           strncmp(a, b, x.stem) == 0 && strcmp(x.ending, y.ending) == 0;
}

/* Other faults of the file are reported by its reader later. */
static bool
is_one_of_several(struct koshu_context *context, const char *path)
{
    struct koshu_snapshot_files f = {.path = (char *)path};
    return inspect_path(context, &f) == KOSHU_OK && f.set.files > 1;
}

size_t
koshu_snapshot_names_once(struct koshu_context *context, size_t n,
                          const char **paths)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        bool known = false;
        for (size_t j = 0; j < kept && !known; j++)
            known = may_be_one(paths[j], paths[k]) &&
                    is_one_of_several(context, paths[k]);
        if (!known) paths[kept++] = paths[k];
    }
    return kept;
}

void
koshu_snapshot_files_close(struct koshu_snapshot_files *files)
{
    free(files->path);
    free(files->n);
    files->path = NULL;
    files->n = NULL;
}
