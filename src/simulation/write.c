/* SPDX-License-Identifier: MIT */
/* Writes snapshots and rows of the log after a synchronised step. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/* Whether the next synchronised step ends, or might end, at or past this
 * time. */
static bool
may_reach(const struct koshu_simulation *s, double time)
{
    /* a step is extended to a time that it would miss by a thousandth */
    double dt = s->values->integrator.dt;
    double latest = koshu_time_after(
            s->values, s->integrator->clock.synchronised, 1.01 * dt);
    return (latest - time) * copysign(1, dt) >= 0;
}

bool
koshu_output_needs_potential(const struct koshu_simulation *s)
{
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    double time = now->synchronised;
    if (may_reach(s, s->values->integrator.end) ||
        may_reach(s, koshu_schedule_next(&s->run.snapshot_schedule, time)))
        return true;
    if (s->values->log.interval == 0)
        return (now->synchronised_steps + 1) % s->values->log.steps == 0;
    return may_reach(s, koshu_schedule_next(&s->run.log_schedule, time));
}

/* ---- snapshots --------------------------------------------------------- */

static koshu_status
put_snapshot(struct koshu_particles *particles, struct koshu_job *job)
{
    struct koshu_context *context = koshu_particles_context(particles);
    koshu_status status = koshu_run_lock_check_folder(context, job->lock);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    if (job->writers)
        return koshu_snapshot_write_group(particles, job->path, &job->info,
                                          job->parameters, job->factors,
                                          job->writers);
    return koshu_snapshot_write_divided(particles, job->path, &job->info,
                                        job->parameters, job->factors);
}

static koshu_status
end_snapshot(struct koshu_simulation *s, const struct koshu_job *job)
{
    (void)job;
    s->part_snapshots++;
    return KOSHU_OK;
}

/* Removes files of this snapshot from before a restart, which may have been
 * divided otherwise. */
static koshu_status
make_place(struct koshu_simulation *s)
{
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(s->run.lock));
    return koshu_output_remove_others(s->context, s->values->directory,
                                      s->kept.snapshots, s->snapshot_files);
}

static koshu_status
write_snapshot(struct koshu_simulation *s)
{
    struct koshu_job job = {.work = put_snapshot, .end = end_snapshot};
    char name[64];
    snprintf(name, sizeof name, "snapshot_%04llu%s",
             (unsigned long long)s->kept.snapshots,
             koshu_format_ending(s->values->snapshot.format));
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory, name,
                                job.path));
    KOSHU_TRY(koshu_ranks_collective_status(s->context, make_place(s)));
    job.lock = s->run.lock;
    job.parameters = s->text;
    job.factors = (struct koshu_file_factors){s->kept.mass_factor,
                                              koshu_velocity_factor(s)};
    job.info = (struct koshu_snapshot_info){
            .size = sizeof job.info,
            .format = s->values->snapshot.format,
            .time = s->integrator->clock.time,
            .softening = s->solver->options.softening,
            .box_size = s->kept.box_size,
            .units = s->kept.units,
            .has_potential = true,
            .step = s->integrator->clock.steps,
            .files = s->snapshot_files,
            .omega_m = s->kept.omega_m,
            .omega_lambda = s->kept.omega_lambda,
            .hubble = s->kept.hubble,
    };
    job.files = s->snapshot_files;
    s->kept.snapshots++;
    return koshu_writer_do(s, &job);
}

/* ---- energy.csv: the diagnostics of a run ------------------------------- */

/* The columns, with values from the function's arguments. */
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

#define EXTERNAL_COLUMNS(COLUMN) COLUMNS(COLUMN) COLUMN(external, external)

#define REMOVED_COLUMNS(COLUMN) \
    EXTERNAL_COLUMNS(COLUMN) COLUMN(removed, removed)

const char koshu_energy_header[] = KOSHU_CSV_HEADER(COLUMNS);
const char koshu_external_energy_header[] = KOSHU_CSV_HEADER(EXTERNAL_COLUMNS);
const char koshu_removed_energy_header[] = KOSHU_CSV_HEADER(REMOVED_COLUMNS);

koshu_status
koshu_energy_log_append(struct koshu_csv_log *log, uint64_t step, double time,
                        double energy_error, double external, double removed,
                        const struct koshu_diagnostics *d)
{
    const double row[] = KOSHU_CSV_ROW(REMOVED_COLUMNS);
    return koshu_csv_log_append(log, step, row, sizeof row / sizeof row[0]);
}

enum {
    ROW_FIELDS = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                 KOSHU_FIELD_VELOCITY | KOSHU_FIELD_POTENTIAL
};

static koshu_status
compute_row(struct koshu_particles *particles, struct koshu_job *job)
{
    job->diagnostics.size = sizeof job->diagnostics;
    KOSHU_TRY(koshu_diagnostics_compute(particles, &job->diagnostics));
    if (job->external) {
        KOSHU_TRY(koshu_external_energy(job->external, particles,
                                        &job->external_energy));
        job->diagnostics.total += job->external_energy;
    }
    return job->comoving
                   ? koshu_universe_energies(particles, job->time, job->outward,
                                             &job->diagnostics)
                   : KOSHU_OK;
}

bool
koshu_errors_are_of_kinetic(const struct koshu_simulation *s)
{
    return s->kept.box_size > 0 || koshu_is_comoving(s->values);
}

/*
 * The scale of energy errors. In a periodic box the potential is relative to a
 * uniform background, so its mean and the total energy may have either sign and
 * pass through 0. There, and in comoving coordinates, the scale is the kinetic
 * energy.
 */
static double
energy_scale(const struct koshu_simulation *s,
             const struct koshu_diagnostics *d, double time)
{
    const double kinetic =
            koshu_is_comoving(s->values) ? time * d->kinetic : d->kinetic;
    const double scale = koshu_errors_are_of_kinetic(s)
                                 ? kinetic
                                 : fabs(s->kept.initial_energy);
    return scale > 0 ? scale : 1;
}

static koshu_status
append_row(struct koshu_simulation *s, const struct koshu_job *job)
{
    struct koshu_diagnostics d = job->diagnostics;
    const double change = koshu_universe_invariant(s, job->time, d.total) +
                          job->removed_energy - s->kept.initial_energy;
    s->kept.energy_error = change / energy_scale(s, &d, job->time);
    koshu_diagnostics_without_g(&d, s->kept.mass_factor);
    koshu_status status = KOSHU_OK;
    if (koshu_is_first_rank(s->context))
        status = koshu_energy_log_append(
                s->log[KOSHU_ENERGY_LOG], job->step, job->time,
                s->kept.energy_error,
                job->external_energy / s->kept.mass_factor,
                job->removed_energy / s->kept.mass_factor, &d);
    s->part_rows++;
    return koshu_ranks_collective_status(s->context, status);
}

/* The first row has the energy that errors are measured against. */
static koshu_status
append_first_row(struct koshu_simulation *s, const struct koshu_job *job)
{
    s->kept.initial_energy =
            koshu_universe_invariant(s, job->time, job->diagnostics.total);
    return append_row(s, job);
}

static struct koshu_job
row_of(const struct koshu_simulation *s)
{
    return (struct koshu_job){.work = compute_row,
                              .fields = KOSHU_FIELD_ID | ROW_FIELDS,
                              .end = append_row,
                              .comoving = koshu_is_comoving(s->values),
                              .outward = s->integrator->expansion.background,
                              .external = s->external,
                              .removed_energy = s->kept.removed_energy,
                              .step = s->integrator->clock.steps,
                              .time = s->integrator->clock.time};
}

/* Not if a device sums its particles, which takes less time than a copy of
 * them. */
static bool
is_beside(const struct koshu_simulation *s)
{
    void *device;
    return s->rows_beside &&
           !koshu_particles_device_sums(s->particles, ROW_FIELDS, &device);
}

static koshu_status
write_row(struct koshu_simulation *s)
{
    const struct koshu_job job = row_of(s);
    if (!is_beside(s)) return koshu_job_do(s, &job);
    s->row_pending = true;
    return koshu_writer_do(s, &job);
}

static koshu_status
write_first_row(struct koshu_simulation *s)
{
    struct koshu_job job = row_of(s);
    job.end = append_first_row;
    return koshu_job_do(s, &job);
}

static koshu_status
write_cluster(struct koshu_simulation *s)
{
    return koshu_log_is_wanted(s, KOSHU_CLUSTER_LOG)
                   ? koshu_stage_run(s, KOSHU_STAGE_LOG,
                                     koshu_cluster_log_write)
                   : KOSHU_OK;
}

/* Waits for steps that a device has not finished, so that their time counts as
 * steps. */
static koshu_status
wait_for_steps(struct koshu_simulation *s)
{
    return koshu_ranks_collective_status(s->context,
                                         koshu_solver_wait(s->solver));
}

koshu_status
koshu_output_write(struct koshu_simulation *s, double before)
{
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    const bool row = koshu_run_row_is_due(&s->run, before, now->time,
                                          now->synchronised_steps),
               snapshot = koshu_run_snapshot_is_due(&s->run, before, now->time);
    if (row || snapshot) KOSHU_TRY(wait_for_steps(s));
    if (snapshot)
        KOSHU_TRY(koshu_stage_run(s, KOSHU_STAGE_SNAPSHOTS, write_snapshot));
    KOSHU_TRY(koshu_tree_log_write(s, row));
    if (!row) return KOSHU_OK;
    KOSHU_TRY(koshu_stage_run(s, KOSHU_STAGE_LOG, write_row));
    KOSHU_TRY(write_cluster(s));
    return koshu_stage_run(s, KOSHU_STAGE_LOG, koshu_check_criteria);
}

/* Scheduled times are after the beginning, so a snapshot at the beginning is
 * treated here. */
static bool
begins_with_snapshot(const struct koshu_simulation *s)
{
    const struct koshu_schedule *schedule = &s->run.snapshot_schedule;
    for (size_t k = 0; k < schedule->times.n; k++)
        if (koshu_schedule_time(schedule, k) == s->kept.begin) return true;
    return s->values->snapshot.first;
}

koshu_status
koshu_output_begin(struct koshu_simulation *s)
{
    if (begins_with_snapshot(s))
        KOSHU_TRY(koshu_stage_run(s, KOSHU_STAGE_SNAPSHOTS, write_snapshot));
    KOSHU_TRY(koshu_stage_run(s, KOSHU_STAGE_LOG, write_first_row));
    KOSHU_TRY(write_cluster(s));
    return koshu_tree_log_write(s, false);
}
