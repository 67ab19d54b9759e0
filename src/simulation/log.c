/* SPDX-License-Identifier: MIT */
/*
 * CSV logs: a header line, then one row of numbers per entry, which begins with
 * the step. Rows are appended whole, in one write.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "simulation/simulation.h"

enum { ROW_SIZE = KOSHU_HEADER_SIZE };

struct koshu_csv_log {
    struct koshu_context *context;
    struct koshu_run_lock *lock;
    int fd;
    const char *header, *plain; /* see struct koshu_csv_log_file */
    const char *const *former;
    uint64_t n;              /* number of rows */
    off_t size;              /* bytes of header and rows */
    struct koshu_file_id id; /* of the file at path, when last written */
    char path[KOSHU_PATH_SIZE];
};

static koshu_status
fail(struct koshu_csv_log *log)
{
    return koshu_fail_errno(log->context, KOSHU_ERROR_IO, "cannot write '%s'",
                            log->path);
}

/* ---- the end of the file ----------------------------------------------- */

/* Appends text. A partial row, as on a full disk, is cut off again. */
static koshu_status
append(struct koshu_csv_log *log, const char *text, size_t n)
{
    off_t end = lseek(log->fd, 0, SEEK_END);
    if (end >= 0 && koshu_write_all(log->fd, text, n)) {
        log->size = end + (off_t)n;
        return KOSHU_OK;
    }
    koshu_status status = fail(log);
    if (end >= 0 && TEMP_FAILURE_RETRY(ftruncate(log->fd, end)) != 0)
        status = koshu_fail_errno(log->context, KOSHU_ERROR_IO,
                                  "cannot take half a row back from '%s'",
                                  log->path);
    return status;
}

static koshu_status
begin_anew(struct koshu_csv_log *log)
{
    if (TEMP_FAILURE_RETRY(ftruncate(log->fd, 0)) != 0) return fail(log);
    return append(log, log->header, strlen(log->header));
}

/* ---- a file that other programs move ------------------------------------- */

/* Renames what is found in place of the log to an unused name. */
static koshu_status
move_aside(struct koshu_csv_log *log, char path[KOSHU_PATH_SIZE])
{
    struct stat info;
    int n, k = 1;
    do n = snprintf(path, KOSHU_PATH_SIZE, "%s.%d", log->path, k++);
    while (n < KOSHU_PATH_SIZE && lstat(path, &info) == 0);
    if (TEMP_FAILURE_RETRY(rename(log->path, path)) == 0) return KOSHU_OK;
    return koshu_fail_errno(log->context, KOSHU_ERROR_IO,
                            "cannot rename '%s' to '%s'", log->path, path);
}

/* Copies all bytes of the open file to a new one at the path. */
static koshu_status
copy_rows(struct koshu_csv_log *log)
{
    char block[4096];
    struct koshu_file *file;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_file_begin(log->context, log->path, &file));
    for (off_t at = 0; status == KOSHU_OK;) {
        ssize_t n = pread(log->fd, block, sizeof block, at);
        if (n == 0) return koshu_file_commit(file);
        if (n > 0)
            status = koshu_file_write(file, block, (size_t)n);
        else if (errno != EINTR)
            status = koshu_fail_errno(log->context, KOSHU_ERROR_IO,
                                      "cannot read '%s'", log->path);
        at += n > 0 ? n : 0;
    }
    koshu_file_abandon(file);
    return status;
}

static koshu_status
write_again(struct koshu_csv_log *log)
{
    KOSHU_TRY(copy_rows(log));
    int fd = TEMP_FAILURE_RETRY(open(log->path, O_RDWR | O_CLOEXEC));
    if (fd < 0) return fail(log);
    close(log->fd);
    log->fd = fd;
    koshu_file_id_of(log->path, &log->id);
    return KOSHU_OK;
}

/* If the file was removed or replaced, its rows still exist while it is open.
 * Rows that were cut off are lost, which a restart will notice. */
static koshu_status
keep_in_place(struct koshu_csv_log *log)
{
    struct stat info;
    char aside[KOSHU_PATH_SIZE] = "";
    struct koshu_file_id id;
    if (fstat(log->fd, &info) != 0) return fail(log);
    if (info.st_size < log->size) {
        koshu_log(log->context, KOSHU_LOG_LEVEL_WARNING,
                  "'%s' was cut while the run was writing to it, from %lld to "
                  "%lld bytes: rows of it are lost",
                  log->path, (long long)log->size, (long long)info.st_size);
        log->size = info.st_size;
        if (info.st_size == 0) KOSHU_TRY(begin_anew(log));
    }
    bool there = koshu_file_id_of(log->path, &id);
    if (there && koshu_file_id_same(&id, &log->id)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(log->lock));
    if (there) KOSHU_TRY(move_aside(log, aside));
    KOSHU_TRY(write_again(log));
    koshu_log(
            log->context, KOSHU_LOG_LEVEL_WARNING,
            "'%s' was %s while the run was writing to it%s%s%s; it is written "
            "again, with all its rows",
            log->path, there ? "replaced" : "removed",
            there ? " (what replaced it is now '" : "", aside,
            there ? "')" : "");
    return KOSHU_OK;
}

/* ---- rows -------------------------------------------------------------- */

/* A comma and the shortest text that reads back as x. */
static int
put_number(char *text, size_t size, double x)
{
    for (int digits = 15;; digits++) {
        int n = snprintf(text, size, ",%.*g", digits, x);
        if (digits == 17 || strtod(text + 1, NULL) == x) return n;
    }
}

static void
put_numbers(char *text, size_t *used, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        *used += (size_t)put_number(text + *used, ROW_SIZE - *used, x[k]);
}

/* The number of columns in the header after the step. */
static size_t
count_columns(const struct koshu_csv_log *log)
{
    size_t n = 0;
    for (const char *c = log->header; *c; c++) n += *c == ',';
    return n;
}

/* name: column after the step, or NULL. */
static koshu_status
append_row(struct koshu_csv_log *rows, uint64_t step, const char *name,
           const double *x, size_t n)
{
    char row[ROW_SIZE];
    const size_t columns = count_columns(rows) - (name != NULL);
    if (n > columns) n = columns;
    KOSHU_TRY(keep_in_place(rows));
    size_t used = (size_t)snprintf(row, sizeof row, "%llu%s%s",
                                   (unsigned long long)step, name ? "," : "",
                                   name ? name : "");
    locale_t users = koshu_plain_numbers();
    put_numbers(row, &used, x, n);
    uselocale(users);
    for (; name && n < columns; n++) row[used++] = ',';
    row[used++] = '\n';
    KOSHU_TRY(append(rows, row, used));
    rows->n++;
    return KOSHU_OK;
}

koshu_status
koshu_csv_log_append(struct koshu_csv_log *rows, uint64_t step, const double *x,
                     size_t n)
{
    return append_row(rows, step, NULL, x, n);
}

koshu_status
koshu_csv_log_append_named(struct koshu_csv_log *rows, uint64_t step,
                           const char *name, const double *x, size_t n)
{
    return append_row(rows, step, name, x, n);
}

/* ---- opening ----------------------------------------------------------- */

static koshu_status
open_rows(const struct koshu_csv_log_file *file, int flags,
          struct koshu_csv_log **log)
{
    struct koshu_context *context = file->context;
    struct koshu_csv_log *l = *log = calloc(1, sizeof *l);
    if (!l) return koshu_fail_memory(context, sizeof *l, "log");
    *l = (struct koshu_csv_log){.context = context,
                                .lock = file->lock,
                                .header = file->header,
                                .plain = file->plain,
                                .former = file->former};
    snprintf(l->path, sizeof l->path, "%s", file->path);
    l->fd = TEMP_FAILURE_RETRY(open(l->path, O_RDWR | O_CLOEXEC | flags, 0666));
    if (l->fd < 0 && errno == ENOENT && !(flags & O_CREAT))
        return koshu_fail(context, KOSHU_ERROR_NOT_FOUND, "'%s' is missing",
                          l->path);
    if (l->fd < 0) return fail(l);
    koshu_file_id_of(l->path, &l->id);
    return KOSHU_OK;
}

/* Closes a log that could not be opened. */
static koshu_status
end_opening(koshu_status status, struct koshu_csv_log **log)
{
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_csv_log_close(*log);
    *log = NULL;
    return status;
}

koshu_status
koshu_csv_log_create(const struct koshu_csv_log_file *file,
                     struct koshu_csv_log **log)
{
    koshu_status status = open_rows(file, O_CREAT, log);
    if (status == KOSHU_OK) status = begin_anew(*log);
    return end_opening(status, log);
}

static koshu_status
fail_header(const struct koshu_csv_log *log)
{
    return koshu_fail(log->context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' does not begin with the columns that this run has: "
                      "it had other fields, or no stars that leave; move it "
                      "away to go on with another",
                      log->path);
}

static bool
is_header(const char *line, const char *header)
{
    const size_t n = strlen(line);
    return strncmp(line, header, n) == 0 && strcmp(header + n, "\n") == 0;
}

/* Finds the log's header among those it may have. */
static bool
find_header(struct koshu_csv_log *log, const char *line)
{
    const char *const *former = log->former;
    if (is_header(line, log->header)) return true;
    if (log->plain && is_header(line, log->plain)) {
        log->header = log->plain;
        return true;
    }
    while (former && *former && !is_header(line, *former)) former++;
    if (!former || !*former) return false;
    log->header = *former;
    return true;
}

/* Counts the complete rows up to that step, and their bytes.
 * KOSHU_ERROR_BAD_INPUT: another header; KOSHU_ERROR_IO: a read error, which
 * must not be taken for the end of the file. */
static koshu_status
count_rows(struct koshu_csv_log *log, struct koshu_reader *in, uint64_t step)
{
    char row[ROW_SIZE];
    bool whole;
    koshu_status status = koshu_reader_line(in, row, sizeof row, &whole);
    if (status == KOSHU_ERROR_BAD_FORMAT) return fail_header(log);
    KOSHU_TRY(status);
    if (!whole || !find_header(log, row)) return fail_header(log);
    log->size = (off_t)in->at;
    while (koshu_reader_left(in) > 0) {
        status = koshu_reader_line(in, row, sizeof row, &whole);
        if (status == KOSHU_ERROR_BAD_FORMAT)
            break; /* not a row: the rows end here */
        KOSHU_TRY(status);
        if (!whole || strtoull(row, NULL, 10) > step) break;
        log->size = (off_t)in->at;
        log->n++;
    }
    return KOSHU_OK;
}

static koshu_status
find_rows(struct koshu_csv_log *log, uint64_t step)
{
    struct stat info;
    struct koshu_reader *in;
    if (fstat(log->fd, &info) != 0) return fail(log);
    if (info.st_size == 0) return KOSHU_OK; /* as after a crash */
    KOSHU_TRY(koshu_reader_open(log->context, log->path, &in));
    koshu_status status = count_rows(log, in, step);
    koshu_reader_close(in);
    return status;
}

koshu_status
koshu_csv_log_open(const struct koshu_csv_log_file *file, uint64_t step,
                   struct koshu_csv_log **log)
{
    koshu_status status = open_rows(file, 0, log);
    if (status == KOSHU_OK) status = find_rows(*log, step);
    return end_opening(status, log);
}

uint64_t
koshu_csv_log_count(const struct koshu_csv_log *log)
{
    return log ? log->n : 0;
}

koshu_status
koshu_csv_log_cut(struct koshu_csv_log *log)
{
    if (log->size == 0) return begin_anew(log);
    const int cut = TEMP_FAILURE_RETRY(ftruncate(log->fd, log->size));
    return cut == 0 ? KOSHU_OK : fail(log);
}

koshu_status
koshu_csv_log_sync(struct koshu_csv_log *log)
{
    KOSHU_TRY(keep_in_place(log));
    const int synced = TEMP_FAILURE_RETRY(fdatasync(log->fd));
    return synced == 0 || errno == EINVAL ? KOSHU_OK : fail(log);
}

void
koshu_csv_log_close(struct koshu_csv_log *log)
{
    if (!log) return;
    if (log->fd >= 0) close(log->fd);
    free(log);
}
