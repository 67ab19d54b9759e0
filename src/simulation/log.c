/* SPDX-License-Identifier: MIT */
/*
 * Logs: a header line, then one row of numbers per entry, a step first. Rows
 * are written whole, at once, at the end of the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "simulation/simulation.h"

static const char energy_header[] =
        "step,time,kinetic,potential,total,energy_error,virial_ratio,"
        "px,py,pz,lx,ly,lz,cx,cy,cz,r01,r05,r10,r25,r50,r75,r90\n";

enum { ROW_SIZE = 1024 };

struct koshu_csv_log {
    struct koshu_context *context;
    int fd;
    const char *header;
    char path[KOSHU_PATH_SIZE];
};

static koshu_status
fail(struct koshu_csv_log *log)
{
    return koshu_fail_errno(log->context, KOSHU_IO, "cannot write '%s'",
                            log->path);
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

/* A partial row, as a full disk leaves it, is taken back. */
static koshu_status
append(struct koshu_csv_log *log, const char *text, size_t n)
{
    off_t end = lseek(log->fd, 0, SEEK_END);
    ssize_t written = end < 0 ? -1 : write(log->fd, text, n);
    if (written == (ssize_t)n) return KOSHU_OK;
    if (written >= 0) errno = ENOSPC;
    koshu_status status = fail(log);
    if (end >= 0 && ftruncate(log->fd, end) != 0)
        status = koshu_fail_errno(log->context, KOSHU_IO,
                                  "cannot take half a row back from '%s'",
                                  log->path);
    return status;
}

koshu_status
koshu_csv_log_append(struct koshu_csv_log *rows, uint64_t step, const double *x,
                     size_t n)
{
    char row[ROW_SIZE];
    size_t used =
            (size_t)snprintf(row, sizeof row, "%llu", (unsigned long long)step);
    locale_t users = koshu_plain_numbers();
    put_numbers(row, &used, x, n);
    koshu_users_numbers(users);
    row[used++] = '\n';
    return append(rows, row, used);
}

koshu_status
koshu_energy_log_append(struct koshu_csv_log *log, uint64_t step, double time,
                        double energy_error, const struct koshu_diagnostics *d)
{
    enum { ENERGIES = 6, VECTORS = 9 };
    double x[ENERGIES + VECTORS + KOSHU_LAGRANGIAN_COUNT] = {
            time,     d->kinetic,   d->potential,
            d->total, energy_error, d->virial_ratio};
    memcpy(x + ENERGIES, d->momentum, sizeof d->momentum);
    memcpy(x + ENERGIES + 3, d->angular_momentum, sizeof d->angular_momentum);
    memcpy(x + ENERGIES + 6, d->centre, sizeof d->centre);
    memcpy(x + ENERGIES + VECTORS, d->lagrangian_radius,
           sizeof d->lagrangian_radius);
    return koshu_csv_log_append(log, step, x, sizeof x / sizeof x[0]);
}

/* ---- opening ----------------------------------------------------------- */

static koshu_status
lock(struct koshu_csv_log *log)
{
    if (flock(log->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return KOSHU_OK; /* file systems without locks: no guard */
    return koshu_fail(log->context, KOSHU_BAD_INPUT,
                      "'%s': another koshu is writing to this directory; wait "
                      "for it, or choose another output.directory",
                      log->path);
}

static koshu_status
begin_anew(struct koshu_csv_log *log)
{
    if (ftruncate(log->fd, 0) != 0) return fail(log);
    return append(log, log->header, strlen(log->header));
}

/* Bytes of the whole rows up to that step. KOSHU_BAD_INPUT: not our header. */
static koshu_status
find_cut(struct koshu_csv_log *log, FILE *in, uint64_t step, off_t *cut)
{
    char row[ROW_SIZE];
    *cut = 0;
    if (!fgets(row, sizeof row, in) || strcmp(row, log->header) != 0)
        return koshu_fail(log->context, KOSHU_BAD_INPUT,
                          "'%s' does not begin as a log of koshu does; move "
                          "it away to go on",
                          log->path);
    do {
        *cut += (off_t)strlen(row);
        if (!fgets(row, sizeof row, in)) break;
    } while (strchr(row, '\n') && strtoull(row, NULL, 10) <= step);
    return KOSHU_OK;
}

static koshu_status
cut_after(struct koshu_csv_log *log, uint64_t step)
{
    struct stat info;
    if (fstat(log->fd, &info) != 0) return fail(log);
    if (info.st_size == 0) return begin_anew(log);
    int copy = dup(log->fd);
    FILE *in = copy < 0 ? NULL : fdopen(copy, "r");
    if (!in) {
        if (copy >= 0) close(copy);
        return fail(log);
    }
    off_t cut;
    koshu_status status = find_cut(log, in, step, &cut);
    fclose(in);
    if (status == KOSHU_OK && ftruncate(log->fd, cut) != 0) status = fail(log);
    return status;
}

koshu_status
koshu_csv_log_open(struct koshu_context *context, const char *path,
                   const char *header, bool keep, uint64_t step,
                   struct koshu_csv_log **log)
{
    *log = NULL;
    struct koshu_csv_log *l = calloc(1, sizeof *l);
    if (!l) return koshu_fail_memory(context, sizeof *l, "log");
    l->context = context;
    l->header = header;
    snprintf(l->path, sizeof l->path, "%s", path);
    l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    koshu_status status = l->fd < 0 ? fail(l) : lock(l);
    if (status == KOSHU_OK) status = keep ? cut_after(l, step) : begin_anew(l);
    if (status == KOSHU_OK)
        *log = l;
    else
        koshu_csv_log_close(l);
    return status;
}

koshu_status
koshu_energy_log_open(struct koshu_context *context, const char *path,
                      bool keep, uint64_t step, struct koshu_csv_log **log)
{
    return koshu_csv_log_open(context, path, energy_header, keep, step, log);
}

koshu_status
koshu_csv_log_sync(struct koshu_csv_log *log)
{
    return fdatasync(log->fd) == 0 || errno == EINVAL ? KOSHU_OK : fail(log);
}

void
koshu_csv_log_close(struct koshu_csv_log *log)
{
    if (!log) return;
    if (log->fd >= 0) close(log->fd);
    free(log);
}
