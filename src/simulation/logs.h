/* SPDX-License-Identifier: MIT */
/* The logs of a run: files of rows of numbers, on rank 0. */
#ifndef KOSHU_SIMULATION_LOGS_H
#define KOSHU_SIMULATION_LOGS_H

#include <koshu/diagnostics.h>
#include <koshu/solver.h>

struct koshu_run_lock;
struct koshu_simulation;

/* ---- log.c: rows of numbers -------------------------------------------- */

struct koshu_csv_log;

/* Where a log is, and the line that it begins with, which is kept by the
 * caller; the lock of its directory, or NULL. */
struct koshu_csv_log_file {
    struct koshu_context *context;
    struct koshu_run_lock *lock;
    const char *path, *header;
    /* Those of former versions, which a log keeps that has one: with other
     * names for the same columns, or without the last of them. Behind the last
     * is NULL; NULL: there are none. */
    const char *const *former;
};

/* A log with nothing but its header. KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_create(const struct koshu_csv_log_file *file,
                                  struct koshu_csv_log **rows);

/*
 * Opens a log to go on after that step, and changes nothing yet.
 * KOSHU_ERROR_NOT_FOUND; KOSHU_ERROR_BAD_INPUT: it is no such log;
 * KOSHU_ERROR_IO.
 */
koshu_status koshu_csv_log_open(const struct koshu_csv_log_file *file,
                                uint64_t step, struct koshu_csv_log **rows);

/* Rows that are there: of a log that was opened, those up to the step. */
uint64_t koshu_csv_log_count(const struct koshu_csv_log *rows);

/* Cuts off what is later than the step; an empty file gets its header.
 * KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_cut(struct koshu_csv_log *rows);

/*
 * The step, and n numbers, at most 40, but no more than the header has names.
 * KOSHU_ERROR_IO: nothing of the row is
 * left in the file. A file that another process has removed or replaced is
 * written again, with all its rows; what stands in its place is renamed. A
 * warning in the log tells of that, and of rows that were cut off.
 */
koshu_status koshu_csv_log_append(struct koshu_csv_log *rows, uint64_t step,
                                  const double *x, size_t n);

/* The same with a word behind the step; the columns that are left are empty. */
koshu_status koshu_csv_log_append_named(struct koshu_csv_log *rows,
                                        uint64_t step, const char *name,
                                        const double *x, size_t n);

/* To the disk, under its name, as above. KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_sync(struct koshu_csv_log *rows);
/* NULL is allowed. */
void koshu_csv_log_close(struct koshu_csv_log *rows);

/*
 * The header and a row, by one list of columns: a macro of COLUMN(name, value)
 * for each, a step being the first of all.
 */
#define KOSHU_CSV_NAME(name, value) "," #name
#define KOSHU_CSV_VALUE(name, value) value,
#define KOSHU_CSV_HEADER(COLUMNS) "step" COLUMNS(KOSHU_CSV_NAME) "\n"
#define KOSHU_CSV_ROW(COLUMNS)   \
    {                            \
        COLUMNS(KOSHU_CSV_VALUE) \
    }

/* ---- write.c: energy.csv ------------------------------------------------- */

/* In external fields, the last column is their energy; where stars merge, leave
 * or lose mass, there is one more, the energy that has gone with it. */
extern const char koshu_energy_header[], koshu_external_energy_header[],
        koshu_removed_energy_header[];
koshu_status koshu_energy_log_append(struct koshu_csv_log *log, uint64_t step,
                                     double time, double energy_error,
                                     double external, double removed,
                                     const struct koshu_diagnostics *d);

/* ---- tree_log.c: performance.csv, errors.csv ----------------------------- */

extern const char koshu_performance_header[], koshu_errors_header[];
extern const char *const koshu_performance_former[],
        *const koshu_errors_former[];

/* What they tell of a run with the tree or the FMM; {0} with direct sums. */
struct koshu_tree_log {
    struct koshu_tree_report before; /* solver's total at the last row */
    double stepping;                 /* seconds of steps since then */
    struct koshu_tree_errors last;   /* the newest; sample 0: none */
};

/* From here on steps are counted for rows. */
void koshu_tree_log_begin(struct koshu_simulation *simulation);

/* After a synchronised step: a row of the errors where it is due, and with
 * `row` one of what the steps since the last took. */
koshu_status
koshu_tree_log_write(struct koshu_simulation *simulation, bool row);

/* ---- cluster_log.c: cluster.csv ------------------------------------------ */

void koshu_cluster_log_header(const struct koshu_units *units, size_t size,
                              char *text);

/* A row, of the particles and their potentials as they are. Collective. */
koshu_status koshu_cluster_log_write(struct koshu_simulation *simulation);

/* The header of a log with its units, and those that it may have had: without
 * them, and those of former versions. */
enum { KOSHU_HEADER_SIZE = 2048, KOSHU_FORMER_HEADERS = 4 };
struct koshu_log_header {
    char text[KOSHU_HEADER_SIZE];
    const char *former[KOSHU_FORMER_HEADERS];
};

/* ---- logs.c: all of them, on rank 0 ------------------------------------- */

enum {
    KOSHU_ENERGY_LOG,
    KOSHU_PERFORMANCE_LOG,
    KOSHU_ERRORS_LOG,
    KOSHU_CLUSTER_LOG,
    KOSHU_EVENTS_LOG,
    KOSHU_LOGS
};

extern const char *const koshu_log_names[KOSHU_LOGS]; /* path.c */

/* Does the run have it? Are its rows to be made? Rank 0 has the files, all
 * ranks make the rows. In schedule.c. */
bool koshu_log_is_wanted(const struct koshu_simulation *simulation, int k);
bool koshu_log_is_due(const struct koshu_simulation *simulation, int k);

/* Those that the run has, with nothing but headers. KOSHU_ERROR_IO. */
koshu_status koshu_logs_create(struct koshu_simulation *simulation);

/*
 * Opens them to go on from the checkpoint that `kept` is. Rows and snapshots
 * that it has counted and that are not there are named (KOSHU_ERROR_BAD_INPUT),
 * and nothing is changed, or, with accept, are a warning in the log.
 * KOSHU_ERROR_IO.
 */
koshu_status koshu_logs_open(struct koshu_simulation *simulation, bool accept);

/* The rows there are, into `kept`. */
void koshu_logs_count(struct koshu_simulation *simulation);

koshu_status koshu_logs_sync(struct koshu_simulation *simulation);
void koshu_logs_close(struct koshu_simulation *simulation);

#endif
