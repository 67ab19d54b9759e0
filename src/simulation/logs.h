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

/* The path of a log and its header line, which the caller keeps; the lock of
 * its directory, or NULL. */
struct koshu_csv_log_file {
    struct koshu_context *context;
    struct koshu_run_lock *lock;
    const char *path, *header;
    const char *plain; /* the header without units, which an existing log keeps;
                          NULL: none */
    /* Headers of former versions, which an existing log keeps: with other names
     * for the same columns, or without the last ones. Ends with NULL; NULL:
     * none. */
    const char *const *former;
};

/* A log with nothing but its header. KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_create(const struct koshu_csv_log_file *file,
                                  struct koshu_csv_log **rows);

/*
 * Opens a log to continue after that step, without changing it yet.
 * KOSHU_ERROR_NOT_FOUND; KOSHU_ERROR_BAD_INPUT: it has another header;
 * KOSHU_ERROR_IO.
 */
koshu_status koshu_csv_log_open(const struct koshu_csv_log_file *file,
                                uint64_t step, struct koshu_csv_log **rows);

/* The number of rows; in a log that was opened, those up to the step. */
uint64_t koshu_csv_log_count(const struct koshu_csv_log *rows);

/* Cuts off rows later than the step; an empty file gets its header.
 * KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_cut(struct koshu_csv_log *rows);

/*
 * Appends the step and n numbers, at most 40 and at most as many as the header
 * has names. KOSHU_ERROR_IO: nothing of the row is in the file. If another
 * process has removed or replaced the file, it is written again with all its
 * rows, and what replaced it is renamed. The run's log warns of that, and of
 * rows that were cut off.
 */
koshu_status koshu_csv_log_append(struct koshu_csv_log *rows, uint64_t step,
                                  const double *x, size_t n);

/* The same with a word after the step; the remaining columns stay empty. */
koshu_status koshu_csv_log_append_named(struct koshu_csv_log *rows,
                                        uint64_t step, const char *name,
                                        const double *x, size_t n);

/* Syncs the log to disk under its name, as above. KOSHU_ERROR_IO. */
koshu_status koshu_csv_log_sync(struct koshu_csv_log *rows);
/* NULL is allowed. */
void koshu_csv_log_close(struct koshu_csv_log *rows);

/*
 * The header and a row from one list of columns: a macro that calls
 * COLUMN(name, value) for each; the step is always first.
 */
#define KOSHU_CSV_NAME(name, value) "," #name
#define KOSHU_CSV_VALUE(name, value) value,
#define KOSHU_CSV_HEADER(COLUMNS) "step" COLUMNS(KOSHU_CSV_NAME) "\n"
#define KOSHU_CSV_ROW(COLUMNS)   \
    {                            \
        COLUMNS(KOSHU_CSV_VALUE) \
    }

/* ---- write.c: energy.csv ------------------------------------------------- */

/* With external fields there is one more column, their energy; where stars
 * merge, leave or lose mass, another one, the energy removed with them. */
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

/* The state of these logs for a run with the tree or the FMM; {0} with direct
 * sums. */
struct koshu_tree_log {
    struct koshu_tree_report before; /* solver's total at the last row */
    double stepping;                 /* seconds of steps since then */
    struct koshu_tree_errors last;   /* the newest; sample 0: none */
};

/* Starts counting steps for rows. */
void koshu_tree_log_begin(struct koshu_simulation *simulation);

/* To be called after a synchronised step: writes a row of errors if one is due
 * and, with `row`, one of the cost of the steps since the last. */
koshu_status
koshu_tree_log_write(struct koshu_simulation *simulation, bool row);

/* ---- cluster_log.c: cluster.csv ------------------------------------------ */

void koshu_cluster_log_header(const struct koshu_units *units, size_t size,
                              char *text);

/* Writes a row from the present particles and potentials. Collective. */
koshu_status koshu_cluster_log_write(struct koshu_simulation *simulation);

/* The header of a log with units, and without them. */
enum { KOSHU_HEADER_SIZE = 2048 };
struct koshu_log_header {
    char text[KOSHU_HEADER_SIZE];
    const char *plain;
};

/* ---- logs.c: all logs, on rank 0 ----------------------------------------- */

enum {
    KOSHU_ENERGY_LOG,
    KOSHU_PERFORMANCE_LOG,
    KOSHU_ERRORS_LOG,
    KOSHU_CLUSTER_LOG,
    KOSHU_EVENTS_LOG,
    KOSHU_LOGS
};

extern const char *const koshu_log_names[KOSHU_LOGS]; /* path.c */

/* Whether the run has the log; whether a row is to be computed. Rank 0 has the
 * files, all ranks compute the rows. In schedule.c. */
bool koshu_log_is_wanted(const struct koshu_simulation *simulation, int k);
bool koshu_log_is_due(const struct koshu_simulation *simulation, int k);

/* Creates the run's logs with headers only. KOSHU_ERROR_IO. */
koshu_status koshu_logs_create(struct koshu_simulation *simulation);

/*
 * Opens them to continue from the checkpoint in `kept`. If rows or snapshots
 * that it has counted are missing, fails and names them (KOSHU_ERROR_BAD_INPUT)
 * without changing anything or, with accept, warns in the log. KOSHU_ERROR_IO.
 */
koshu_status koshu_logs_open(struct koshu_simulation *simulation, bool accept);

/* Stores the numbers of rows in `kept`. */
void koshu_logs_count(struct koshu_simulation *simulation);

koshu_status koshu_logs_sync(struct koshu_simulation *simulation);
void koshu_logs_close(struct koshu_simulation *simulation);

#endif
