/* SPDX-License-Identifier: MIT */
/*
 * All logs of a run: created for a new run or, for a restart, compared with
 * what the checkpoint has counted before anything is changed. On rank 0.
 */
#include <stddef.h>

#include "base/base.h"
#include "simulation/events.h"
#include "simulation/simulation.h"

/* The member of a checkpoint that counts the log's rows. */
#define AT(member) offsetof(struct koshu_checkpoint, member)
static const struct {
    const char *header;
    const char *const *former;
    size_t counted;
} logs[KOSHU_LOGS] = {
        [KOSHU_ENERGY_LOG] = {koshu_energy_header, NULL, AT(energy_rows)},
        [KOSHU_PERFORMANCE_LOG] = {koshu_performance_header,
                                   koshu_performance_former,
                                   AT(performance_rows)},
        [KOSHU_ERRORS_LOG] = {koshu_errors_header, koshu_errors_former,
                              AT(error_rows)},
        [KOSHU_CLUSTER_LOG] = {NULL, NULL, AT(cluster_rows)},
        [KOSHU_EVENTS_LOG] = {NULL, NULL, AT(event_rows)}};

static uint64_t *
rows_counted(struct koshu_simulation *s, int k)
{
    return (uint64_t *)((char *)&s->kept + logs[k].counted);
}

static const char *
energy_header(const struct koshu_simulation *s)
{
    if (koshu_energy_is_removed(s)) return koshu_removed_energy_header;
    return s->external ? koshu_external_energy_header : koshu_energy_header;
}

static void
make_header(struct koshu_simulation *s, int k)
{
    struct koshu_log_header *h = &s->header[k];
    if (k == KOSHU_CLUSTER_LOG) {
        koshu_cluster_log_header(&s->kept.units, sizeof h->text, h->text);
        return;
    }
    if (k == KOSHU_EVENTS_LOG) {
        koshu_events_log_header(&s->kept.units, sizeof h->text, h->text);
        return;
    }
    h->plain = k == KOSHU_ENERGY_LOG ? energy_header(s) : logs[k].header;
    koshu_header_with_units(h->plain, &s->kept.units,
                            koshu_is_comoving(s->values), sizeof h->text,
                            h->text);
}

/* Sets the path and *file of log k. */
static koshu_status
file_of(struct koshu_simulation *s, int k, char path[KOSHU_PATH_SIZE],
        struct koshu_csv_log_file *file)
{
    make_header(s, k);
    *file = (struct koshu_csv_log_file){.context = s->context,
                                        .lock = s->run.lock,
                                        .path = path,
                                        .header = s->header[k].text,
                                        .plain = s->header[k].plain,
                                        .former = logs[k].former};
    return koshu_output_path(s->context, s->values->directory,
                             koshu_log_names[k], path);
}

static koshu_status
create_log(struct koshu_simulation *s, int k)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(file_of(s, k, path, &file));
    return koshu_csv_log_create(&file, &s->log[k]);
}

koshu_status
koshu_logs_create(struct koshu_simulation *simulation)
{
    for (int k = 0; k < KOSHU_LOGS; k++)
        if (koshu_log_is_wanted(simulation, k))
            KOSHU_TRY(create_log(simulation, k));
    koshu_tree_log_begin(simulation);
    return KOSHU_OK;
}

/* ---- restarts ------------------------------------------------------------ */

/* Rows that must exist since the checkpoint was written. Checkpoints that
 * counted none are from koshu 0.1; each run begins with a row. */
static uint64_t
expected_rows(struct koshu_simulation *s, int k)
{
    const uint64_t counted = *rows_counted(s, k);
    if (counted != KOSHU_NOT_COUNTED) return counted;
    return k == KOSHU_ENERGY_LOG ? 1 : 0;
}

static koshu_status
open_log(struct koshu_simulation *s, int k, bool accept)
{
    char path[KOSHU_PATH_SIZE];
    struct koshu_csv_log_file file;
    KOSHU_TRY(file_of(s, k, path, &file));
    koshu_status status =
            koshu_csv_log_open(&file, s->kept.clock.steps, &s->log[k]);
    if (status != KOSHU_OK && status != KOSHU_ERROR_NOT_FOUND) return status;
    return koshu_run_check_rows(&s->run, s->log[k], path, s->kept.clock.steps,
                                expected_rows(s, k), accept);
}

static koshu_status
check_snapshots(struct koshu_simulation *s, bool accept)
{
    struct koshu_checkpoint *c = &s->kept;
    if (c->lost_snapshots == KOSHU_NOT_COUNTED) c->lost_snapshots = 0;
    return koshu_run_check_snapshots(&s->run, c->snapshots, &c->lost_snapshots,
                                     accept);
}

koshu_status
koshu_logs_open(struct koshu_simulation *s, bool accept)
{
    for (int k = 0; k < KOSHU_LOGS; k++)
        if (koshu_log_is_wanted(s, k)) KOSHU_TRY(open_log(s, k, accept));
    KOSHU_TRY(check_snapshots(s, accept));
    for (int k = 0; k < KOSHU_LOGS; k++)
        if (koshu_log_is_wanted(s, k))
            KOSHU_TRY(s->log[k] ? koshu_csv_log_cut(s->log[k])
                                : create_log(s, k));
    koshu_tree_log_begin(s);
    return KOSHU_OK;
}

/* ---- new runs and restarts ----------------------------------------------- */

void
koshu_logs_count(struct koshu_simulation *simulation)
{
    for (int k = 0; k < KOSHU_LOGS; k++)
        *rows_counted(simulation, k) = koshu_csv_log_count(simulation->log[k]);
}

koshu_status
koshu_logs_sync(struct koshu_simulation *simulation)
{
    for (int k = 0; k < KOSHU_LOGS; k++)
        if (simulation->log[k])
            KOSHU_TRY(koshu_csv_log_sync(simulation->log[k]));
    return KOSHU_OK;
}

void
koshu_logs_close(struct koshu_simulation *simulation)
{
    for (int k = 0; k < KOSHU_LOGS; k++)
        koshu_csv_log_close(simulation->log[k]);
}
