/* SPDX-License-Identifier: MIT */
/*
 * HDF5 snapshots (hdf5_layout.h).
 *
 * The HDF5 library is not safe against damaged files: it may crash on them, and
 * leaks memory where it does not. So it reads in a child process, which passes
 * on what it read (child.h).
 */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/base.h"
#include "io/child.h"
#include "io/format.h"
#include "io/hdf5_layout.h"

static const unsigned char signature[] = {0x89, 'H',  'D',  'F',
                                          '\r', '\n', 0x1a, '\n'};

static bool
recognise(const unsigned char *head, size_t n)
{
    return n >= sizeof signature &&
           memcmp(head, signature, sizeof signature) == 0;
}

/* ---- reading ---------------------------------------------------------- */

/* What is to be read of a file. */
struct task {
    struct koshu_reader *reader;
    struct koshu_snapshot_info *info;
    struct koshu_snapshot_set *set; /* NULL: not to be read */
    char *parameters;               /* NULL: not to be read */
    /* 0: nothing that has n particles */
    uint64_t n;
    uint64_t first;                         /* the first particle to be read */
    const struct koshu_particle_view *view; /* into this, or */
    const char *column;                     /* a column of this name */
    double *values;
};

static koshu_status
read_text(const struct task *task, hid_t file)
{
    struct koshu_hdf5_place place;
    KOSHU_TRY(koshu_hdf5_enter(task->reader, file, "Parameters", &place));
    if (place.id < 0) return KOSHU_OK;
    return koshu_hdf5_long_text(&place, "Text", task->parameters,
                                KOSHU_HDF5_LONGEST_TEXT);
}

/* Hashes the parameters, by which files of two runs are told apart. */
static koshu_status
hash_text(const struct task *task, hid_t file)
{
    char *const text = calloc(KOSHU_HDF5_LONGEST_TEXT, 1);
    if (!text)
        return koshu_fail_memory(task->reader->context, KOSHU_HDF5_LONGEST_TEXT,
                                 "the parameters of a snapshot");
    const struct task of_text = {.reader = task->reader, .parameters = text};
    koshu_status status = read_text(&of_text, file);
    task->set->parameters = XXH64(text, strlen(text), 0);
    free(text);
    return status;
}

static koshu_status
read_opened(const struct task *task, hid_t file)
{
    struct koshu_hdf5_layout l = {.reader = task->reader, .file = file};
    if (task->parameters) return read_text(task, file);
    KOSHU_TRY(koshu_hdf5_read_layout(&l, task->info));
    if (task->set) *task->set = l.set;
    if (task->set && l.set.files > 1) KOSHU_TRY(hash_text(task, file));
    if (task->n == 0) return KOSHU_OK;
    if (task->n != task->info->n)
        return koshu_snapshot_fail_changed(task->reader);
    return task->column ? koshu_hdf5_read_column(&l, task->column, task->values)
                        : koshu_hdf5_read_types(&l, task->first, task->view);
}

static koshu_status
open_and_read(const struct task *task, const struct koshu_hdf5_errors *errors)
{
    struct koshu_hdf5_file file; /* the child's own, which vanishes with it */
    if (koshu_hdf5_open(task->reader, &file)) return read_opened(task, file.id);
    return koshu_reader_refuse(task->reader, KOSHU_ERROR_BAD_FORMAT,
                               "it begins as an HDF5 file, but is damaged or "
                               "truncated (HDF5: %s)",
                               errors->reason);
}

/* Runs in the child. */
static koshu_status
perform(void *argument)
{
    const struct task *task = argument;
    struct koshu_hdf5_errors errors;
    koshu_hdf5_keep_errors(&errors);
    return koshu_hdf5_status_of(&errors, task->reader,
                                open_and_read(task, &errors));
}

/* Initialises HDF5 once here, so that no child has to. */
static koshu_status
begin_library(const struct koshu_reader *reader)
{
    pthread_mutex_lock(&koshu_hdf5_lock);
    const bool ready = H5open() >= 0;
    pthread_mutex_unlock(&koshu_hdf5_lock);
    if (ready) return KOSHU_OK;
    return koshu_reader_refuse(reader, KOSHU_ERROR_OUT_OF_MEMORY,
                               "there is too little memory to begin with the "
                               "HDF5 library");
}

static koshu_status
perform_in_child(struct task *task, const struct koshu_region *regions,
                 size_t n_regions)
{
    const struct koshu_child_task child = {task, regions, n_regions};
    KOSHU_TRY(begin_library(task->reader));
    return koshu_child_run(task->reader, perform, &child, &koshu_hdf5_lock);
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info,
        struct koshu_snapshot_set *set)
{
    struct task task = {.reader = reader, .info = info, .set = set};
    const struct koshu_region regions[] = {{info, sizeof *info},
                                           {set, sizeof *set}};
    return perform_in_child(&task, regions, 2);
}

/* ---- particles -------------------------------------------------------- */

/* Particles that a child reads: it holds them until it has passed them on. Of
 * very many more, as a child takes longer to be created the more its parent
 * holds. */
static size_t
particles_of_child(const struct task *all)
{
    enum { LEAST = 1 << 22, CHILDREN = 4 }; /* for each thread */
    const int threads = koshu_region_threads(all->reader->context, true);
    return koshu_larger(LEAST, all->view->n / (size_t)(CHILDREN * threads));
}

struct chunk {
    struct task task;
    struct koshu_snapshot_info found;
    struct koshu_particle_view view;
    struct koshu_region regions[KOSHU_SNAPSHOT_ARRAYS];
};

static void
set_chunk(const struct task *all, size_t first, size_t n, struct chunk *p,
          struct koshu_child_task *child)
{
    const size_t arrays = koshu_snapshot_arrays(all->info);
    p->found = (struct koshu_snapshot_info){.units = all->info->units};
    p->view = koshu_snapshot_part(all->view, first, n);
    p->task = *all;
    p->task.info = &p->found;
    p->task.first += first;
    p->task.view = &p->view;
    for (size_t k = 0; k < arrays; k++)
        p->regions[k] = (struct koshu_region){koshu_particle_array(&p->view, k),
                                              n * KOSHU_ARRAY_ELEMENT};
    *child = (struct koshu_child_task){&p->task, p->regions, arrays};
}

/* Chunks, by several children at once. */
static koshu_status
read_chunks(const struct task *all, size_t n, size_t each, struct chunk *chunk,
            struct koshu_child_task *child)
{
    const size_t rows = all->view->n;
    if (!chunk || !child)
        return koshu_fail_memory(all->reader->context, n * sizeof *chunk,
                                 "reading HDF5");
    for (size_t k = 0; k < n; k++)
        set_chunk(all, k * each, koshu_smaller(rows - k * each, each),
                  &chunk[k], &child[k]);
    KOSHU_TRY(begin_library(all->reader));
    return koshu_children_run(all->reader, perform, n, child, &koshu_hdf5_lock);
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info, uint64_t first,
               const struct koshu_particle_view *v)
{
    struct koshu_snapshot_info known = *info;
    const struct task all = {.reader = reader,
                             .info = &known,
                             .n = info->n,
                             .first = first,
                             .view = v};
    const size_t each = particles_of_child(&all),
                 n = v->n > 0 ? (v->n - 1) / each + 1 : 1;
    struct chunk *chunk = calloc(n, sizeof *chunk);
    struct koshu_child_task *child = calloc(n, sizeof *child);
    const koshu_status status = read_chunks(&all, n, each, chunk, child);
    free(chunk);
    free(child);
    return status;
}

static koshu_status
read_one_column(struct koshu_reader *reader,
                const struct koshu_snapshot_info *info, const char *name,
                double *values)
{
    struct koshu_snapshot_info found = {.units = info->units};
    struct task task = {.reader = reader,
                        .info = &found,
                        .n = info->n,
                        .column = name,
                        .values = values};
    const struct koshu_region regions[] = {
            {values, (size_t)info->n * sizeof *values}};
    return perform_in_child(&task, regions, 1);
}

static koshu_status
read_parameters(struct koshu_reader *reader, char **text)
{
    struct task task = {.reader = reader,
                        .parameters = calloc(KOSHU_HDF5_LONGEST_TEXT, 1)};
    if (!task.parameters)
        return koshu_fail_memory(reader->context, KOSHU_HDF5_LONGEST_TEXT,
                                 "the parameters of a snapshot");
    const struct koshu_region regions[] = {
            {task.parameters, KOSHU_HDF5_LONGEST_TEXT}};
    koshu_status status = perform_in_child(&task, regions, 1);
    if (status == KOSHU_OK && task.parameters[0])
        *text = task.parameters;
    else
        free(task.parameters);
    return status;
}

/* ---- writing ---------------------------------------------------------- */

static koshu_status
write_particles(struct koshu_file *file, const struct koshu_snapshot *snapshot)
{
    return koshu_hdf5_write_snapshot(file, snapshot, NULL, NULL);
}

const struct koshu_format_ops koshu_format_hdf5 = {
        .name = "hdf5",
        .endings = {".hdf5", ".h5"},
        .by_rows = true,
        .in_files = true,
        .recognise = recognise,
        .inspect = inspect,
        .read = read_particles,
        .parameters = read_parameters,
        .column = read_one_column,
        .write = write_particles,
};
