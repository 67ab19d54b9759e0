/* SPDX-License-Identifier: MIT */
/* What a run would take: counted where it can be, measured where not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "parameters/parameters.h"
#include "particles/particles.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

enum { SAMPLE_J = 65536, SAMPLE_I = 4096 };
static const double measured_seconds = 0.5;

/* ---- rate of the forces ------------------------------------------------ */

/* The first particles of a sample, as i- and j-particles. */
struct sample {
    struct koshu_context *context;
    struct koshu_force_options options;
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

static koshu_status
measure(const struct sample *sample, double *interactions_per_s)
{
    double seconds = 0, pairs = 0;
    for (int call = 0; seconds < measured_seconds; call++) {
        double start = koshu_now();
        KOSHU_TRY(koshu_force_direct(sample->context, &sample->i, &sample->j,
                                     &sample->options, &sample->result));
        if (call == 0) continue; /* threads start, pages are touched */
        seconds += koshu_now() - start;
        pairs += (double)sample->i.n * (double)sample->j.n;
    }
    *interactions_per_s = pairs / seconds;
    return KOSHU_OK;
}

/* The step that the rule would choose for the sample. */
static double
first_step(const struct koshu_parameter_values *values,
           const struct sample *sample)
{
    if (values->integrator.step == KOSHU_STEP_RULE_FIXED)
        return values->integrator.dt;
    const struct koshu_force_result *r = &sample->result;
    double a2 = 0;
    for (size_t i = 0; i < sample->i.n; i++)
        a2 = fmax(a2, r->ax[i] * r->ax[i] + r->ay[i] * r->ay[i] +
                              r->az[i] * r->az[i]);
    return fmin(values->integrator.dt,
                values->integrator.eta *
                        sqrt(values->solver.softening / sqrt(a2)));
}

/* Forces on the first particles of the store; the result goes into its own
 * arrays. */
static koshu_status
try_forces(struct koshu_context *context,
           const struct koshu_parameter_values *values,
           struct koshu_particles *particles, double *rate, double *dt)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    size_t nj = v.n < SAMPLE_J ? v.n : SAMPLE_J;
    size_t ni = v.n < SAMPLE_I ? v.n : SAMPLE_I;
    int64_t *id = koshu_alloc(ni, sizeof *id);
    if (!id) return koshu_fail_memory(context, ni * sizeof *id, "ids");
    for (size_t i = 0; i < ni; i++) id[i] = (int64_t)i;
    const struct sample sample = {
            .context = context,
            .options = {.size = sizeof sample.options,
                        .precision = values->solver.precision,
                        .softening = values->solver.softening,
                        .fast = values->solver.fast},
            .i = {.n = ni, .x = v.x, .y = v.y, .z = v.z, .id = id},
            .j = {.n = nj, .x = v.x, .y = v.y, .z = v.z, .mass = v.mass},
            .result = {.ax = v.ax, .ay = v.ay, .az = v.az},
    };
    koshu_status status = measure(&sample, rate);
    if (status == KOSHU_OK) *dt = first_step(values, &sample);
    koshu_free(id);
    return status;
}

/*
 * Seconds of a tree's forces on n particles, and the rate, from those on the
 * store's: the second of two evaluations, as n log n grows.
 */
static koshu_status
try_tree(struct koshu_context *context,
         const struct koshu_parameter_values *values,
         struct koshu_particles *particles, double n, double *rate,
         double *seconds)
{
    struct koshu_solver *solver;
    const double few = (double)koshu_particles_count(particles);
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_solver_create(context, &values->solver, &solver));
    for (int call = 0; call < 2 && status == KOSHU_OK; call++) {
        const double start = koshu_now();
        status = koshu_solver_forces(solver, particles,
                                     KOSHU_FIELD_ACCELERATION);
        *seconds = koshu_now() - start;
    }
    const struct koshu_tree_report r = koshu_solver_tree_last(solver);
    koshu_solver_destroy(solver);
    *rate = (double)r.interactions / *seconds;
    *seconds *= n * log(n + 1) / (few * log(few + 1));
    return status;
}

/* ---- counting ---------------------------------------------------------- */

/* More than can be counted are as many as can be. */
static uint64_t
saturated(double x)
{
    return x < 0x1p63 ? (uint64_t)x : INT64_MAX;
}

/* Steps to a time that must be met: a rest of a thousandth of a step is part of
 * the one before. */
static double
steps_within(double time, double dt)
{
    return fmax(1, ceil(time / dt - 1e-3));
}

/* Synchronised steps of dt and snapshots from begin to end: each snapshot ends
 * a step. */
static void
count(const struct koshu_parameter_values *values, double dt,
      struct koshu_estimate *e)
{
    struct koshu_schedule snapshots, log;
    koshu_schedules_of(values, e->begin, &snapshots, &log);
    double time = e->begin;
    double end = values->integrator.end;
    double max = fabs(end - e->begin) / snapshots.interval;
    e->snapshots = values->snapshot.first;
    if (snapshots.interval > 0 && max > 1e6) { /* the last may be off by one */
        e->snapshots += saturated(max);
        e->steps = saturated(
                max * steps_within(snapshots.forward * snapshots.interval, dt));
        time = end;
    }
    while (time != end && e->steps < INT64_MAX) {
        double next = koshu_schedule_next(&snapshots, time);
        bool reached = (next - end) * snapshots.forward <= 0;
        if (!reached) next = end;
        e->steps += saturated(steps_within(next - time, dt));
        e->snapshots += reached || values->snapshot.last;
        time = next;
    }
    e->log_rows = 1 + (log.interval > 0
                               ? saturated(fabs(end - e->begin) / log.interval)
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
    /* keys, order, sorted particles; and cells with their moments, as measured
       with leaves of 8 */
    TREE_SORTED = 8 + 8 + 3 * 4 + 4 * 8,
    TREE = TREE_SORTED + 500,
    /* jerk, tick, step; the engine's particles; a block of all: ends,
       results, what goes to the j-particle store; the schedule; that store */
    STEPS = 5 * 8,
    HERMITE = STEPS + 17 * 8 + 38 * 8 + 2 * 8 + 22 * 8,
    HERMITE_CHECKPOINT = 11 * 8, /* jerk, tick, step; x, v */
    DEVICE = 11 * 8              /* its copy of the store, without ids */
};

static bool
is_hermite(const struct koshu_parameter_values *values)
{
    return values->integrator.scheme == KOSHU_SCHEME_HERMITE;
}

static bool
is_tree(const struct koshu_parameter_values *values)
{
    return values->solver.method == KOSHU_METHOD_TREE;
}

static void
count_bytes(const struct koshu_parameter_values *values,
            struct koshu_estimate *e)
{
    const bool floats = values->snapshot.format != KOSHU_FORMAT_HDF5 &&
                        values->snapshot.format != KOSHU_FORMAT_CSV;
    const bool hermite = is_hermite(values);
    e->bytes = e->n * (KOSHU_PARTICLE_BYTES + SOLVER + BACKEND + DIAGNOSTICS +
                       (hermite ? HERMITE : 0) + (is_tree(values) ? TREE : 0));
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
    if (is_tree(values) && !on_device) each += TREE_SORTED;
    KOSHU_TRY(koshu_particles_require(context, n, each));
    return on_device ? require_device(context, backend, n) : KOSHU_OK;
}

static koshu_status
estimate_leapfrog(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  struct koshu_particles *particles, struct koshu_estimate *e)
{
    double dt = 0;
    KOSHU_TRY(try_forces(context, values, particles, &e->interactions_per_s,
                         &dt));
    count(values, dt, e);
    if (values->solver.method == KOSHU_METHOD_TREE) {
        double seconds;
        KOSHU_TRY(try_tree(context, values, particles, (double)e->n,
                           &e->interactions_per_s, &seconds));
        e->seconds = (double)(e->steps + 1) * seconds;
        return KOSHU_OK;
    }
    e->seconds = (double)(e->steps + 1) * (double)e->n * (double)e->n /
                 e->interactions_per_s;
    return KOSHU_OK;
}

/* Rounds are counted as steps of the leapfrog are; blocks are finer. */
static koshu_status
estimate_hermite(struct koshu_context *context,
                 const struct koshu_parameter_values *values,
                 struct koshu_particles *particles, struct koshu_estimate *e)
{
    struct koshu_hermite_estimate h;
    double time = fabs(values->integrator.end - e->begin);
    KOSHU_TRY(koshu_estimate_hermite(context, values, particles,
                                     measured_seconds, &h));
    count(values, values->integrator.dt, e);
    if (e->steps_are_a_guess) e->steps = saturated(ceil(time * h.blocks));
    double particle_steps = time * h.particle_steps * (double)e->n;
    e->particle_steps = saturated(particle_steps);
    e->interactions_per_s = h.interactions_per_s;
    e->seconds = particle_steps * (double)e->n *
                 (double)values->integrator.iterations / h.interactions_per_s;
    return KOSHU_OK;
}

/* The particles, or as many of a model as the forces are measured with. */
static koshu_status
make_sample(struct koshu_context *context,
            const struct koshu_parameter_values *values,
            struct koshu_particles **particles, struct koshu_estimate *e)
{
    struct koshu_parameter_values small = *values;
    struct koshu_snapshot_info info = {.size = sizeof info};
    if (small.initial.n > SAMPLE_J) small.initial.n = SAMPLE_J;
    KOSHU_TRY(koshu_initial_particles(context, &small, particles, &info));
    bool is_file = values->initial_file[0] != '\0';
    e->n = is_file ? koshu_particles_count(*particles) : values->initial.n;
    e->begin = info.time;
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
    struct koshu_parameters *copy = NULL; /* one of our context */
    struct koshu_particles *particles = NULL;
    struct koshu_estimate found = {.size = sizeof found}, *e = &found;
    koshu_status status = koshu_parameters_copy(context, parameters, &copy);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_parameters_check(copy));
    const struct koshu_parameter_values *values = koshu_parameters_values(copy);
    KOSHU_TRY_CLEANUP(make_sample(context, values, &particles, e));
    KOSHU_TRY_CLEANUP(koshu_check_end(context, copy, e->begin));
    e->steps_are_a_guess = values->integrator.step != KOSHU_STEP_RULE_FIXED;
    if (values->integrator.scheme == KOSHU_SCHEME_HERMITE)
        KOSHU_TRY_CLEANUP(estimate_hermite(context, values, particles, e));
    else
        KOSHU_TRY_CLEANUP(estimate_leapfrog(context, values, particles, e));
    count_bytes(values, e);
    status = koshu_report_write(context, "koshu_estimate", estimate, e,
                                sizeof *e);
cleanup:
    koshu_particles_destroy(particles);
    koshu_parameters_destroy(copy);
    return status;
}
