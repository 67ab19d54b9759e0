/* SPDX-License-Identifier: MIT */
/* Writes the log, snapshots and checkpoints of a flow. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/flow.h"

void
koshu_flow_file_add_number(struct koshu_flow_file *file, const char *name,
                           double value)
{
    file->number[file->n_numbers++] = (struct koshu_flow_number){name, value};
}

void
koshu_flow_file_add_array(struct koshu_flow_file *file, const char *name,
                          size_t n, size_t columns, double *data)
{
    file->array[file->n_arrays++] =
            (struct koshu_flow_array){name, columns, 1, {n}, data};
}

void
koshu_flow_file_add_grid(struct koshu_flow_file *file, const char *name,
                         size_t n, size_t columns, double *data)
{
    file->array[file->n_arrays++] =
            (struct koshu_flow_array){name, columns, 3, {n, n, n}, data};
}

/* ---- energy.csv --------------------------------------------------------- */

static koshu_status
log_file_of(const struct koshu_flow *f, char path[KOSHU_PATH_SIZE],
            struct koshu_csv_log_file *file)
{
    *file = (struct koshu_csv_log_file){.context = f->context,
                                        .lock = f->run.lock,
                                        .path = path,
                                        .header = f->ops->log_header};
    return koshu_output_path(f->context, f->values->directory,
                             koshu_log_names[KOSHU_ENERGY_LOG], path);
}

koshu_status
koshu_flow_create_log(struct koshu_flow *f)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(log_file_of(f, path, &file));
    return koshu_csv_log_create(&file, &f->log);
}

koshu_status
koshu_flow_open_log(struct koshu_flow *f, bool accept)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(log_file_of(f, path, &file));
    const koshu_status status = koshu_csv_log_open(&file, f->steps, &f->log);
    if (status != KOSHU_OK && status != KOSHU_ERROR_NOT_FOUND) return status;
    KOSHU_TRY(koshu_run_check_rows(&f->run, f->log, path, f->steps, f->rows,
                                   accept));
    KOSHU_TRY(koshu_run_check_snapshots(&f->run, f->snapshots,
                                        &f->lost_snapshots, accept));
    f->rows = koshu_csv_log_count(f->log);
    return f->log ? koshu_csv_log_cut(f->log)
                  : koshu_csv_log_create(&file, &f->log);
}

/* Distributes the status of what the first rank did with files to all ranks. */
static koshu_status
end_of_files(const struct koshu_flow *f, koshu_status status)
{
    return koshu_ranks_collective_status(f->context, status);
}

static bool
has_files(const struct koshu_flow *f)
{
    return koshu_is_first_rank(f->context);
}

static koshu_status
write_row(struct koshu_flow *f)
{
    size_t n;
    KOSHU_TRY(f->ops->log(f->state, f->row + 1, &n));
    f->row[0] = f->time;
    f->rows++;
    return end_of_files(f, has_files(f) ? koshu_csv_log_append(f->log, f->steps,
                                                               f->row, n + 1)
                                        : KOSHU_OK);
}

/* ---- snapshots ---------------------------------------------------------- */

static koshu_status
put_snapshot(struct koshu_flow *f, const struct koshu_flow_file *file)
{
    char name[64], path[KOSHU_PATH_SIZE], xdmf[KOSHU_PATH_SIZE];
    snprintf(name, sizeof name, "snapshot_%04llu.xdmf",
             (unsigned long long)f->snapshots);
    KOSHU_TRY(koshu_run_lock_check(f->run.lock));
    KOSHU_TRY(koshu_output_path(f->context, f->values->directory, name, xdmf));
    memcpy(strrchr(name, '.'), ".hdf5", sizeof ".hdf5");
    KOSHU_TRY(koshu_output_path(f->context, f->values->directory, name, path));
    KOSHU_TRY(koshu_flow_file_write(f->context, path, file));
    return koshu_flow_file_write_xdmf(f->context, xdmf, name, file);
}

static struct koshu_flow_file
file_of(const struct koshu_flow *f)
{
    return (struct koshu_flow_file){
            .time = f->time, .step = f->steps, .parameters = f->text};
}

static koshu_status
write_snapshot(struct koshu_flow *f)
{
    struct koshu_flow_file file = file_of(f);
    koshu_status status = f->ops->snapshot(f->state, &file);
    if (status == KOSHU_OK && has_files(f)) status = put_snapshot(f, &file);
    koshu_flow_file_free(&file);
    status = end_of_files(f, status);
    if (status == KOSHU_OK) status = koshu_flow_write_spectrum(f);
    if (status == KOSHU_OK) f->snapshots++;
    return status;
}

/* ---- checkpoints -------------------------------------------------------- */

static koshu_status
put_checkpoint(struct koshu_flow *f, const struct koshu_flow_file *file)
{
    char path[KOSHU_PATH_SIZE];
    if (!has_files(f)) return KOSHU_OK;
    KOSHU_TRY(koshu_csv_log_sync(f->log));
    KOSHU_TRY(koshu_run_lock_check(f->run.lock));
    KOSHU_TRY(koshu_rotation_begin(&f->run.rotation, path));
    KOSHU_TRY(koshu_flow_file_write(f->context, path, file));
    return koshu_rotation_end(&f->run.rotation);
}

koshu_status
koshu_flow_write_checkpoint(struct koshu_flow *f)
{
    struct koshu_flow_file file = file_of(f);
    file.is_checkpoint = true;
    koshu_flow_file_add_number(&file, "Snapshots", (double)f->snapshots);
    koshu_flow_file_add_number(&file, "LostSnapshots",
                               (double)f->lost_snapshots);
    koshu_flow_file_add_number(&file, "Rows", (double)f->rows);
    KOSHU_TRY(f->ops->keep(f->state, &file));
    KOSHU_TRY(end_of_files(f, put_checkpoint(f, &file)));
    f->run.wall_checkpoint = koshu_now();
    f->run.checkpoint_step = f->steps;
    return koshu_output_path(f->context, f->values->directory,
                             "checkpoint.hdf5", f->run.newest_checkpoint);
}

/* ---- all ---------------------------------------------------------------- */

koshu_status
koshu_flow_write_first(struct koshu_flow *f)
{
    KOSHU_TRY(write_row(f));
    if (f->values->snapshot.first) KOSHU_TRY(write_snapshot(f));
    return f->values->checkpoint.first ? koshu_flow_write_checkpoint(f)
                                       : KOSHU_OK;
}

koshu_status
koshu_flow_write_due(struct koshu_flow *f, double before)
{
    if (koshu_run_row_is_due(&f->run, before, f->time, f->steps))
        KOSHU_TRY(write_row(f));
    return koshu_run_snapshot_is_due(&f->run, before, f->time)
                   ? write_snapshot(f)
                   : KOSHU_OK;
}
