/* SPDX-License-Identifier: MIT */
/* What is written after a synchronised step: snapshots and rows of the log. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "domain/domain.h"
#include "simulation/simulation.h"

/* The next synchronised step ends at or past this time, or might. */
static bool
may_reach(const struct koshu_simulation *s, double time)
{
    /* A step is drawn out to a time that it misses by a thousandth. */
    double dt = s->values->integrator.dt;
    double latest = s->integrator->clock.synchronised + 1.01 * dt;
    return (latest - time) * copysign(1, dt) >= 0;
}

static bool
logs_by_steps(const struct koshu_simulation *s)
{
    return s->values->log.interval == 0;
}

bool
koshu_output_needs_potential(const struct koshu_simulation *s)
{
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    double time = now->synchronised;
    if (may_reach(s, s->values->integrator.end) ||
        may_reach(s, koshu_schedule_next(&s->snapshot_schedule, time)))
        return true;
    if (logs_by_steps(s))
        return (now->synchronised_steps + 1) % s->values->log.steps == 0;
    return may_reach(s, koshu_schedule_next(&s->log_schedule, time));
}

/* ---- snapshots --------------------------------------------------------- */

static koshu_status
write_snapshot(struct koshu_simulation *s)
{
    char name[64], path[KOSHU_PATH_SIZE];
    snprintf(name, sizeof name, "snapshot_%04llu%s",
             (unsigned long long)s->kept.snapshots,
             koshu_format_ending(s->values->snapshot.format));
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory, name, path));
    KOSHU_TRY(koshu_ranks_collective_status(s->context,
                                            koshu_run_lock_check(s->lock)));
    const struct koshu_snapshot_info info = {
            .size = sizeof info,
            .format = s->values->snapshot.format,
            .time = s->integrator->clock.time,
            .softening = s->values->solver.softening,
            .box_size = s->kept.box_size,
            .units = s->kept.units,
            .has_potential = true,
            .step = s->integrator->clock.steps,
    };
    KOSHU_TRY(koshu_snapshot_write(s->particles, path, &info, s->text));
    s->kept.snapshots++;
    s->part_snapshots++;
    return KOSHU_OK;
}

static bool
snapshot_is_due(const struct koshu_simulation *s, double before, double now)
{
    return (s->values->snapshot.last && now == s->values->integrator.end) ||
           koshu_schedule_passed(&s->snapshot_schedule, before, now);
}

/* ---- energy.csv: the diagnostics of a run ------------------------------- */

/* What stands in each column, of the function's arguments. */
#define COLUMNS(COLUMN)                   \
    COLUMN(time, time)                    \
    COLUMN(kinetic, d->kinetic)           \
    COLUMN(potential, d->potential)       \
    COLUMN(total, d->total)               \
    COLUMN(energy_error, energy_error)    \
    COLUMN(virial_ratio, d->virial_ratio) \
    COLUMN(px, d->momentum[0])            \
    COLUMN(py, d->momentum[1])            \
    COLUMN(pz, d->momentum[2])            \
    COLUMN(lx, d->angular_momentum[0])    \
    COLUMN(ly, d->angular_momentum[1])    \
    COLUMN(lz, d->angular_momentum[2])    \
    COLUMN(cx, d->centre[0])              \
    COLUMN(cy, d->centre[1])              \
    COLUMN(cz, d->centre[2])              \
    COLUMN(r01, d->lagrangian_radius[0])  \
    COLUMN(r05, d->lagrangian_radius[1])  \
    COLUMN(r10, d->lagrangian_radius[2])  \
    COLUMN(r25, d->lagrangian_radius[3])  \
    COLUMN(r50, d->lagrangian_radius[4])  \
    COLUMN(r75, d->lagrangian_radius[5])  \
    COLUMN(r90, d->lagrangian_radius[6])

const char koshu_energy_header[] = KOSHU_CSV_HEADER(COLUMNS);

koshu_status
koshu_energy_log_append(struct koshu_csv_log *log, uint64_t step, double time,
                        double energy_error, const struct koshu_diagnostics *d)
{
    const double row[] = KOSHU_CSV_ROW(COLUMNS);
    return koshu_csv_log_append(log, step, row, sizeof row / sizeof row[0]);
}

static koshu_status
write_row(struct koshu_simulation *s, const struct koshu_diagnostics *d)
{
    double scale =
            s->kept.initial_energy != 0 ? fabs(s->kept.initial_energy) : 1;
    s->kept.energy_error = (d->total - s->kept.initial_energy) / scale;
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    koshu_status status = KOSHU_OK;
    if (koshu_is_first_rank(s->context))
        status = koshu_energy_log_append(s->log[KOSHU_ENERGY_LOG], now->steps,
                                         now->time, s->kept.energy_error, d);
    s->part_rows++;
    return koshu_ranks_collective_status(s->context, status);
}

static bool
row_is_due(const struct koshu_simulation *s, double before, double now)
{
    if (now == s->values->integrator.end) return true;
    if (logs_by_steps(s))
        return s->integrator->clock.synchronised_steps % s->values->log.steps ==
               0;
    return koshu_schedule_passed(&s->log_schedule, before, now);
}

koshu_status
koshu_output_write(struct koshu_simulation *s, double before)
{
    double now = s->integrator->clock.time;
    if (snapshot_is_due(s, before, now)) KOSHU_TRY(write_snapshot(s));
    bool row = row_is_due(s, before, now);
    KOSHU_TRY(koshu_tree_log_write(s, row));
    if (!row) return KOSHU_OK;
    struct koshu_diagnostics d = {.size = sizeof d};
    KOSHU_TRY(koshu_diagnostics_compute(s->particles, &d));
    return write_row(s, &d);
}

/* Times past the beginning are the schedule's; this is the beginning. */
static bool
begins_with_snapshot(const struct koshu_simulation *s)
{
    const struct koshu_times *times = &s->values->snapshot.times;
    for (size_t k = 0; k < times->n; k++)
        if (times->time[k] == s->kept.begin) return true;
    return s->values->snapshot.first;
}

koshu_status
koshu_output_begin(struct koshu_simulation *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    KOSHU_TRY(koshu_diagnostics_compute(s->particles, &d));
    s->kept.initial_energy = d.total;
    if (begins_with_snapshot(s)) KOSHU_TRY(write_snapshot(s));
    KOSHU_TRY(write_row(s, &d));
    return koshu_tree_log_write(s, false);
}
