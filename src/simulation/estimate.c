/* SPDX-License-Identifier: MIT */
/* Estimates the cost of a run: steps and files are counted, memory is computed,
 * time is measured. */
#include <math.h>
#include <stdio.h>

#include "backend/backend.h"
#include "base/base.h"
#include "particles/particles.h"
#include "simulation/components.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/* ---- counting ---------------------------------------------------------- */

/* Converts to an integer, limited to the largest. */
static uint64_t
saturated(double x)
{
    return x < 0x1p63 ? (uint64_t)x : INT64_MAX;
}

/* Steps to a time that must be met exactly: a remainder of a thousandth of a
 * step is added to the last. */
static double
steps_within(double time, double dt)
{
    return fmax(1, ceil(time / dt - 1e-3));
}

/* Counts from one snapshot to the next, since each ends a step. */
static void
count_steps(const struct koshu_parameter_values *values,
            const struct koshu_schedule *snapshots, double dt,
            struct koshu_estimate *e)
{
    const double end = values->integrator.end;
    double time = e->begin;
    while (time != end && e->steps < INT64_MAX) {
        double next = koshu_schedule_next(snapshots, time);
        bool reached = (next - end) * snapshots->forward <= 0;
        if (!reached) next = end;
        e->steps += saturated(
                steps_within(koshu_time_between(values, time, next), dt));
        e->snapshots += reached || values->snapshot.last;
        time = next;
    }
}

void
koshu_estimate_count(const struct koshu_parameter_values *values, double dt,
                     struct koshu_estimate *e)
{
    struct koshu_schedule snapshots, log;
    koshu_schedules_of(values, e->begin, &snapshots, &log);
    const double time = fabs(values->integrator.end - e->begin),
                 max = koshu_is_comoving(values) ? 0
                                                 : time / snapshots.interval;
    e->snapshots = values->snapshot.first;
    if (snapshots.interval > 0 && max > 1e6) { /* may be off by one */
        e->snapshots += saturated(max);
        e->steps = saturated(
                max * steps_within(snapshots.forward * snapshots.interval, dt));
    } else
        count_steps(values, &snapshots, dt, e);
    e->log_rows = 1 + (log.interval > 0 ? saturated(time / log.interval)
                                        : e->steps / values->log.steps);
}

/* ---- memory -------------------------------------------------------------- */

/* Bytes for each particle. */
enum {
    SOLVER = 8,          /* self */
    BACKEND = 12 * 8,    /* packed positions and sums, in double at most */
    DIAGNOSTICS = 3 * 8, /* radii and their order */
    CHECKPOINT = 12 * 8,
    SNAPSHOT = 9 * 8, /* id, mass, x, v, potential */
    /* keys, order, sorted particles; cells with their moments, measured with
     * leaves of 8 */
    TREE_SORTED = 8 + 8 + 3 * 4 + 4 * 8,
    TREE = TREE_SORTED + 500,
    /* jerk, tick, step; the engine's particles; a block of all: ends, results,
     * j-particles; the schedule; the j-particle store */
    STEPS = 5 * 8,
    HERMITE = STEPS + 17 * 8 + 38 * 8 + 2 * 8 + 22 * 8,
    HERMITE_CHECKPOINT = 11 * 8, /* jerk, tick, step; x, v */
    DEVICE = 11 * 8              /* device copy of the store, without ids */
};

static bool
is_hermite(const struct koshu_parameter_values *values)
{
    return values->integrator.scheme == KOSHU_SCHEME_HERMITE;
}

/* The tree, or the FMM, which takes less memory. */
static bool
has_cells(const struct koshu_parameter_values *values)
{
    return koshu_method_has_cells(values->solver.method);
}

static void
count_bytes(const struct koshu_parameter_values *values,
            struct koshu_estimate *e)
{
    const bool floats = values->snapshot.format != KOSHU_FORMAT_HDF5 &&
                        values->snapshot.format != KOSHU_FORMAT_CSV;
    const bool hermite = is_hermite(values);
    e->bytes =
            e->n * (2 * KOSHU_PARTICLE_BYTES + /* files are made from a copy */
                    SOLVER + BACKEND + DIAGNOSTICS + (hermite ? HERMITE : 0) +
                    (has_cells(values) ? TREE : 0));
    e->snapshot_bytes = e->n * SNAPSHOT / (floats ? 2 : 1);
    e->checkpoint_bytes =
            e->n * (CHECKPOINT + (hermite ? HERMITE_CHECKPOINT : 0));
}

static koshu_status
require_device(struct koshu_context *context, struct koshu_backend *backend,
               size_t n)
{
    char purpose[64];
    const size_t max = koshu_slice_of(n, 0, koshu_context_ranks(context)).n;
    snprintf(purpose, sizeof purpose, "%zu particles on the GPU", n);
    return koshu_require_memory_of(
            context, backend->ops->memory(backend),
            max < UINT64_MAX / DEVICE ? max * DEVICE : UINT64_MAX, purpose,
            "take fewer, more GPUs (mpirun), or --backend cpu");
}

koshu_status
koshu_require_run(struct koshu_context *context,
                  const struct koshu_parameter_values *values, size_t n,
                  bool made)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    const bool on_device = backend->ops->memory;
    size_t each = made ? 0 : KOSHU_PARTICLE_BYTES;
    if (is_hermite(values)) each += STEPS;
    if (has_cells(values) && !on_device) each += TREE_SORTED;
    KOSHU_TRY(koshu_particles_require(context, n, each));
    return on_device ? require_device(context, backend, n) : KOSHU_OK;
}

/* ---- time ---------------------------------------------------------------- */

static koshu_status
estimate_leapfrog(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  struct koshu_particles *particles, struct koshu_estimate *e)
{
    struct koshu_measured m;
    const double n = (double)e->n;
    KOSHU_TRY(koshu_measure_leapfrog(context, values, particles, &m));
    if (has_cells(values))
        KOSHU_TRY(koshu_measure_tree(context, values, particles, n, &m));
    if (!koshu_is_comoving(values))
        KOSHU_TRY(koshu_suggest(values, particles, m.acceleration, e));
    koshu_estimate_count(values, m.dt, e);
    const double evaluations = (double)(e->steps + 1);
    e->interactions_per_s = m.interactions_per_s;
    e->seconds = has_cells(values) ? evaluations * m.tree_seconds
                                   : evaluations * n * n / m.interactions_per_s;
    return KOSHU_OK;
}

/* Counts synchronised steps like steps of the leapfrog; blocks are finer. */
static koshu_status
estimate_hermite(struct koshu_context *context,
                 const struct koshu_parameter_values *values,
                 struct koshu_particles *particles, struct koshu_estimate *e)
{
    struct koshu_measured m;
    const double time = fabs(values->integrator.end - e->begin);
    KOSHU_TRY(koshu_measure_hermite(context, values, particles, &m));
    koshu_estimate_count(values, values->integrator.dt, e);
    if (e->steps_are_a_guess) e->steps = saturated(ceil(time * m.blocks));
    const double particle_steps = time * m.particle_steps * (double)e->n;
    e->particle_steps = saturated(particle_steps);
    e->interactions_per_s = m.interactions_per_s;
    e->seconds = particle_steps * (double)e->n *
                 (double)values->integrator.iterations / m.interactions_per_s;
    return KOSHU_OK;
}

/* For a few bodies, extrapolates from their first step. */
static koshu_status
estimate_archain(struct koshu_context *context,
                 const struct koshu_parameters *parameters,
                 struct koshu_particles *particles, struct koshu_estimate *e)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    struct koshu_integrator_options o = koshu_integrator_options_default();
    struct koshu_solver *solver = NULL;
    struct koshu_integrator *i = NULL;
    koshu_status status = koshu_parameters_integrator(parameters, &o);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_solver_create(context, &v->solver, &solver));
    KOSHU_TRY_CLEANUP(
            koshu_integrator_create(solver, particles, e->begin, &o, &i));
    const double start = koshu_now();
    KOSHU_TRY_CLEANUP(koshu_integrator_advance(i, v->integrator.end, false));
    const double seconds = koshu_now() - start;
    koshu_estimate_count(v, v->integrator.dt, e);
    e->interactions_per_s = (double)i->work.interactions / seconds;
    e->seconds = (double)e->steps * seconds;
cleanup:
    koshu_integrator_destroy(i);
    koshu_solver_destroy(solver);
    return status;
}

static koshu_status
estimate_run(struct koshu_context *context,
             const struct koshu_parameters *parameters,
             struct koshu_particles *particles, struct koshu_estimate *e)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    switch (v->integrator.scheme) {
    case KOSHU_SCHEME_HERMITE:
        return estimate_hermite(context, v, particles, e);
    case KOSHU_SCHEME_ARCHAIN:
        return estimate_archain(context, parameters, particles, e);
    default: return estimate_leapfrog(context, v, particles, e);
    }
}

/* Makes the particles, or for a large model as many as the forces are measured
 * with. */
static koshu_status
make_sample(struct koshu_context *context, struct koshu_parameters *parameters,
            struct koshu_particles **particles, struct koshu_estimate *e)
{
    const struct koshu_parameter_values *values =
            koshu_parameters_values(parameters);
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(koshu_initial_particles(context, parameters,
                                      KOSHU_ESTIMATE_SAMPLE, particles, &info));
    size_t n = koshu_particles_count(*particles);
    if (!values->initial_file[0])
        KOSHU_TRY(koshu_initial_count(context, values, &n));
    e->n = n;
    e->begin = info.time;
    e->units = info.units;
    return KOSHU_OK;
}

/* Refuses a mass table that the run would refuse. */
static koshu_status
check_mass_table(struct koshu_context *context,
                 const struct koshu_parameter_values *values,
                 const struct koshu_units *units)
{
    struct koshu_mass_table *table;
    if (!values->stars.mass_table[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_mass_table_read(context, values->stars.mass_table, units,
                                    &table));
    koshu_mass_table_destroy(table);
    return KOSHU_OK;
}

koshu_status
koshu_simulation_estimate(struct koshu_context *context,
                          const struct koshu_parameters *parameters,
                          struct koshu_estimate *estimate)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, parameters);
    KOSHU_REQUIRE(context, estimate);
    struct koshu_parameters *copy = NULL; /* with our context */
    struct koshu_particles *particles = NULL;
    struct koshu_estimate found = {.size = sizeof found}, *e = &found;
    koshu_status status = koshu_parameters_copy(context, parameters, &copy);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_check_particles(context, copy));
    const struct koshu_parameter_values *values = koshu_parameters_values(copy);
    KOSHU_TRY_CLEANUP(make_sample(context, copy, &particles, e));
    KOSHU_TRY_CLEANUP(check_mass_table(context, values, &e->units));
    KOSHU_TRY_CLEANUP(koshu_check_end(context, copy, e->begin));
    KOSHU_TRY_CLEANUP(koshu_choose_solver_for(context, copy, e->n, particles,
                                              &e->offset));
    e->steps_are_a_guess = values->integrator.step != KOSHU_STEP_RULE_FIXED;
    KOSHU_TRY_CLEANUP(estimate_run(context, copy, particles, e));
    count_bytes(values, e);
    status = koshu_report_write(context, "koshu_estimate", estimate, e,
                                sizeof *e);
cleanup:
    koshu_particles_destroy(particles);
    koshu_parameters_destroy(copy);
    return status;
}
