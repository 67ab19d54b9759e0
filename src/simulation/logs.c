/* SPDX-License-Identifier: MIT */
/*
 * The logs of a run, together: made for a new run, or, for one that goes on,
 * held against what its checkpoint has counted before anything is changed.
 * On rank 0.
 */
#include <stdio.h>

#include "base/base.h"
#include "simulation/simulation.h"

enum { N_LOGS = 3 };

/* A log that this run has or, wanted = false, has not. */
struct log_entry {
    const char *name, *header, *former;
    struct koshu_csv_log **rows;
    uint64_t *counted; /* in a checkpoint */
    bool wanted;
};

static void
list_logs(struct koshu_simulation *s, struct log_entry entries[N_LOGS])
{
    struct koshu_checkpoint *c = &s->kept;
    bool tree = s->values->solver.method == KOSHU_METHOD_TREE;
    const struct log_entry all[N_LOGS] = {
            {"energy.csv", koshu_energy_header, NULL, &s->log, &c->energy_rows,
             true},
            {"performance.csv", koshu_performance_header,
             koshu_performance_former, &s->tree_log.performance,
             &c->performance_rows, tree},
            {"errors.csv", koshu_errors_header, koshu_errors_former,
             &s->tree_log.errors, &c->error_rows,
             tree && s->values->errors.steps > 0}};
    for (int k = 0; k < N_LOGS; k++) entries[k] = all[k];
}

/* Where it lies: path, and *file with it. */
static koshu_status
file_of(struct koshu_simulation *s, const struct log_entry *entry,
        char path[KOSHU_PATH_SIZE], struct koshu_csv_log_file *file)
{
    *file = (struct koshu_csv_log_file){.context = s->context,
                                        .lock = s->lock,
                                        .path = path,
                                        .header = entry->header,
                                        .former = entry->former};
    return koshu_output_path(s->context, s->values->directory, entry->name,
                             path);
}

static koshu_status
create_log(struct koshu_simulation *s, const struct log_entry *entry)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(file_of(s, entry, path, &file));
    return koshu_csv_log_create(&file, entry->rows);
}

koshu_status
koshu_logs_create(struct koshu_simulation *simulation)
{
    struct log_entry entries[N_LOGS];
    list_logs(simulation, entries);
    for (int k = 0; k < N_LOGS; k++)
        if (entries[k].wanted) KOSHU_TRY(create_log(simulation, &entries[k]));
    koshu_tree_log_begin(simulation);
    return KOSHU_OK;
}

/* ---- going on ---------------------------------------------------------- */

/* Something is not there: the loss is accepted, or it ends the restart. */
static koshu_status
miss(struct koshu_simulation *s, bool accept, const char *what)
{
    if (accept) {
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s; the run goes on without", what);
        return KOSHU_OK;
    }
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%s; put back what is missing, or go on without it "
                      "(--restart --force)",
                      what);
}

/* Rows that a checkpoint must have been written after. Those that counted
 * none are of koshu 0.1: each run begins with a row. */
static uint64_t
expected_rows(const struct log_entry *entry)
{
    if (*entry->counted != KOSHU_NOT_COUNTED) return *entry->counted;
    return entry->header == koshu_energy_header ? 1 : 0;
}

static koshu_status
check_rows(struct koshu_simulation *s, const struct log_entry *entry,
           const char *path, uint64_t step, bool accept)
{
    char what[2 * KOSHU_PATH_SIZE + 128];
    uint64_t expected = expected_rows(entry),
             n = koshu_csv_log_count(*entry->rows);
    if (n >= expected) return KOSHU_OK;
    if (*entry->rows)
        snprintf(what, sizeof what,
                 "'%s' has %llu rows up to step %llu, '%s' has counted %llu",
                 path, (unsigned long long)n, (unsigned long long)step,
                 s->newest_checkpoint, (unsigned long long)expected);
    else
        snprintf(what, sizeof what,
                 "'%s' is missing, '%s' has counted %llu rows of it", path,
                 s->newest_checkpoint, (unsigned long long)expected);
    return miss(s, accept, what);
}

static koshu_status
open_log(struct koshu_simulation *s, const struct log_entry *entry,
         uint64_t step, bool accept)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(file_of(s, entry, path, &file));
    koshu_status status = koshu_csv_log_open(&file, step, entry->rows);
    if (status != KOSHU_OK && status != KOSHU_ERROR_NOT_FOUND) return status;
    return check_rows(s, entry, path, step, accept);
}

/* Those whose loss was accepted once are not missed again. */
static koshu_status
check_snapshots(struct koshu_simulation *s, bool accept)
{
    struct koshu_checkpoint *c = &s->kept;
    char what[2 * KOSHU_PATH_SIZE + 128];
    const char *directory = s->values->directory;
    uint64_t lost =
            c->lost_snapshots == KOSHU_NOT_COUNTED ? 0 : c->lost_snapshots;
    uint64_t missing, first;
    KOSHU_TRY(koshu_output_find_snapshots(s->context, directory, c->snapshots,
                                          &missing, &first));
    c->lost_snapshots = missing;
    if (missing <= lost) return KOSHU_OK;
    snprintf(what, sizeof what,
             "'%s/snapshot_%04llu' is missing, and %llu in all of the %llu "
             "snapshots that '%s' has counted",
             directory, (unsigned long long)first, (unsigned long long)missing,
             (unsigned long long)c->snapshots, s->newest_checkpoint);
    return miss(s, accept, what);
}

koshu_status
koshu_logs_open(struct koshu_simulation *simulation, bool accept)
{
    struct koshu_simulation *s = simulation;
    struct log_entry entries[N_LOGS];
    list_logs(s, entries);
    for (int k = 0; k < N_LOGS; k++)
        if (entries[k].wanted)
            KOSHU_TRY(open_log(s, &entries[k], s->kept.clock.steps, accept));
    KOSHU_TRY(check_snapshots(s, accept));
    for (int k = 0; k < N_LOGS; k++)
        if (entries[k].wanted)
            KOSHU_TRY(*entries[k].rows ? koshu_csv_log_cut(*entries[k].rows)
                                       : create_log(s, &entries[k]));
    koshu_tree_log_begin(s);
    return KOSHU_OK;
}

/* ---- both -------------------------------------------------------------- */

void
koshu_logs_count(struct koshu_simulation *simulation)
{
    struct log_entry entries[N_LOGS];
    list_logs(simulation, entries);
    for (int k = 0; k < N_LOGS; k++)
        *entries[k].counted = koshu_csv_log_count(*entries[k].rows);
}

koshu_status
koshu_logs_sync(struct koshu_simulation *simulation)
{
    struct log_entry entries[N_LOGS];
    list_logs(simulation, entries);
    for (int k = 0; k < N_LOGS; k++)
        if (*entries[k].rows) KOSHU_TRY(koshu_csv_log_sync(*entries[k].rows));
    return KOSHU_OK;
}

void
koshu_logs_close(struct koshu_simulation *simulation)
{
    koshu_csv_log_close(simulation->log);
    koshu_csv_log_close(simulation->tree_log.performance);
    koshu_csv_log_close(simulation->tree_log.errors);
}
