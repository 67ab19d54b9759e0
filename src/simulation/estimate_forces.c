/* SPDX-License-Identifier: MIT */
/* Measures the speed of forces on the first particles of a run, and the steps
 * that the rule would choose there. */
#include <koshu/j_store.h>
#include <math.h>

#include "base/base.h"
#include "particles/particles.h"
#include "simulation/interaction.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

static const double measured_seconds = 0.5;

/* The first particles of a store, and the first of these as i-particles. */
struct sample {
    struct koshu_context *context;
    const struct koshu_parameter_values *values;
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result; /* one allocation */
    struct koshu_j_store *store; /* of the j-particles, for sums with jerk */
    struct koshu_interaction *interaction; /* instead of gravity; or NULL */
    struct koshu_interaction_sums *sums;   /* for the interaction */
};

static koshu_status
open_interaction(struct sample *s)
{
    KOSHU_TRY(koshu_interaction_of(s->context, s->values, &s->interaction));
    if (!s->interaction) return KOSHU_OK;
    return koshu_interaction_sums_create(s->context, s->interaction, &s->sums);
}

/* jerk: with velocities, and with jerks in the results. */
static koshu_status
take_sample(struct koshu_particles *particles, size_t max_i, bool jerk,
            struct sample *s)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &v));
    const size_t n_j =
            v.n < KOSHU_ESTIMATE_SAMPLE ? v.n : KOSHU_ESTIMATE_SAMPLE;
    const size_t n = v.n < max_i ? v.n : max_i;
    int64_t *id = koshu_alloc(n, sizeof *id);
    double *a = koshu_alloc(n, 6 * sizeof *a);
    s->i.id = id;
    s->result.ax = a;
    if (!id || !a)
        return koshu_fail_memory(s->context, 7 * n * sizeof *a, "a sample");
    s->i.n = n;
    s->j.n = n_j;
    s->j.mass = v.mass;
    s->i.x = s->j.x = v.x;
    s->i.y = s->j.y = v.y;
    s->i.z = s->j.z = v.z;
    s->i.vx = s->j.vx = v.vx;
    s->i.vy = s->j.vy = v.vy;
    s->i.vz = s->j.vz = v.vz;
    s->result = (struct koshu_force_result){.ax = a,
                                            .ay = a + n,
                                            .az = a + 2 * n,
                                            .jx = jerk ? a + 3 * n : NULL,
                                            .jy = jerk ? a + 4 * n : NULL,
                                            .jz = jerk ? a + 5 * n : NULL};
    for (size_t k = 0; k < n; k++) id[k] = (int64_t)k;
    return open_interaction(s);
}

static void
free_sample(struct sample *s)
{
    koshu_j_store_destroy(s->store);
    koshu_interaction_sums_destroy(s->sums);
    koshu_interaction_destroy(s->interaction);
    koshu_free((void *)s->i.id);
    koshu_free(s->result.ax);
}

/* Interactions per second, from repeated calls of `sum`. */
static koshu_status
measure(const struct sample *s, koshu_status (*sum)(const struct sample *s),
        double *rate)
{
    double seconds = 0, pairs = 0;
    for (int call = 0; seconds < measured_seconds; call++) {
        double start = koshu_now();
        KOSHU_TRY(sum(s));
        if (call == 0) continue; /* warm-up: threads, page faults */
        seconds += koshu_now() - start;
        pairs += (double)s->i.n * (double)s->j.n;
    }
    *rate = pairs / seconds;
    return KOSHU_OK;
}

static koshu_status
sum_interaction(const struct sample *s)
{
    const double eps = s->values->solver.softening;
    const struct koshu_force_result *r = &s->result;
    const struct koshu_interaction_inputs in = {s->j.x,    s->j.y,   s->j.z,
                                                s->j.vx,   s->j.vy,  s->j.vz,
                                                s->j.mass, eps * eps};
    const struct koshu_interaction_outputs out = {r->ax, r->ay, r->az, r->jx,
                                                  r->jy, r->jz, NULL};
    return koshu_interaction_sums_do(s->sums, s->i.n, s->j.n, &in, &out);
}

/* ---- leapfrog ------------------------------------------------------------ */

static koshu_status
sum_forces(const struct sample *s)
{
    struct koshu_force_options options = koshu_force_options_default();
    if (s->sums) return sum_interaction(s);
    options.precision = s->values->solver.precision;
    options.softening = s->values->solver.softening;
    options.fast = s->values->solver.fast;
    return koshu_force_direct(s->context, &s->i, &s->j, &options, &s->result);
}

static double
largest_acceleration(const struct sample *s)
{
    const struct koshu_force_result *r = &s->result;
    double a2 = 0;
    for (size_t i = 0; i < s->i.n; i++)
        a2 = fmax(a2, r->ax[i] * r->ax[i] + r->ay[i] * r->ay[i] +
                              r->az[i] * r->az[i]);
    return sqrt(a2);
}

/* The step that the rule would choose for the sample. */
static double
first_step(const struct koshu_parameter_values *v, double a)
{
    if (v->integrator.step == KOSHU_STEP_RULE_FIXED) return v->integrator.dt;
    if (koshu_is_comoving(v)) return v->integrator.dt; /* the longest */
    return fmin(v->integrator.dt,
                v->integrator.eta * sqrt(v->solver.softening / a));
}

koshu_status
koshu_measure_leapfrog(struct koshu_context *context,
                       const struct koshu_parameter_values *values,
                       struct koshu_particles *particles,
                       struct koshu_measured *measured)
{
    enum { MAX_I = 4096 };
    struct sample s = {.context = context, .values = values};
    koshu_status status = take_sample(particles, MAX_I, false, &s);
    if (status == KOSHU_OK)
        status = measure(&s, sum_forces, &measured->interactions_per_s);
    if (status == KOSHU_OK) {
        measured->acceleration = largest_acceleration(&s);
        measured->dt = first_step(values, measured->acceleration);
    }
    free_sample(&s);
    return status;
}

/* Typical theta of a run whose theta grows (comoving_theta.c). */
static const double usual_theta = 0.75;

koshu_status
koshu_measure_tree(struct koshu_context *context,
                   const struct koshu_parameter_values *values,
                   struct koshu_particles *particles, double n,
                   struct koshu_measured *measured)
{
    const struct koshu_opening usual = koshu_opening_of_all(usual_theta);
    struct koshu_solver *solver;
    const double few = (double)koshu_particles_count(particles);
    double seconds = 0;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_solver_create(context, &values->solver, &solver));
    if (values->theta_by_motion) koshu_solver_set_opening(solver, &usual);
    for (int call = 0; call < 2 && status == KOSHU_OK; call++) {
        const double start = koshu_now();
        status = koshu_solver_forces(solver, particles,
                                     KOSHU_FIELD_ACCELERATION);
        seconds = koshu_now() - start;
    }
    measured->interactions_per_s =
            (double)solver->tree_last.interactions / seconds;
    koshu_solver_destroy(solver);
    measured->tree_seconds = seconds * n * log(n + 1) / (few * log(few + 1));
    return status;
}

/* ---- Hermite ------------------------------------------------------------- */

static koshu_status
sum_with_jerk(const struct sample *s)
{
    struct koshu_j_store_start_options options =
            koshu_j_store_start_options_default();
    if (s->sums) return sum_interaction(s);
    options.softening = s->values->solver.softening;
    KOSHU_TRY(koshu_j_store_start(s->store, &s->i, s->j.n, &options));
    return koshu_j_store_wait(s->store, &s->result);
}

/* Aarseth's criterion with acceleration and jerk alone: the time scale is taken
 * as a third of |a| / |jerk|, as is typical of clusters. */
static double
block_step(const struct sample *s, size_t k, double longest)
{
    const struct koshu_force_result *r = &s->result;
    double a = hypot(hypot(r->ax[k], r->ay[k]), r->az[k]);
    double jerk = hypot(hypot(r->jx[k], r->jy[k]), r->jz[k]);
    double allowed = sqrt(s->values->integrator.eta) * a / (3 * jerk);
    double step = longest;
    while (step > allowed && step > 1e-12 * longest) step /= 2;
    return step;
}

static void
count_block_steps(const struct sample *s, struct koshu_measured *m)
{
    const double longest = fabs(s->values->integrator.dt);
    const bool fixed = s->values->integrator.step == KOSHU_STEP_RULE_FIXED;
    double shortest = longest, sum = 0;
    for (size_t k = 0; k < s->i.n; k++) {
        double step = fixed ? longest : block_step(s, k, longest);
        shortest = fmin(shortest, step);
        sum += 1 / step;
    }
    m->particle_steps = fixed ? 1 / longest : sum / (double)s->i.n;
    m->blocks = 1 / shortest;
}

koshu_status
koshu_measure_hermite(struct koshu_context *context,
                      const struct koshu_parameter_values *values,
                      struct koshu_particles *particles,
                      struct koshu_measured *measured)
{
    enum { MAX_I = 1024 };
    struct koshu_j_store_options options = koshu_j_store_options_default();
    options.precision = values->solver.precision;
    struct sample s = {.context = context, .values = values};
    koshu_status status = take_sample(particles, MAX_I, true, &s);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_j_store_create(context, s.j.n, &options, &s.store));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(s.store, NULL, &s.j));
    KOSHU_TRY_CLEANUP(
            measure(&s, sum_with_jerk, &measured->interactions_per_s));
    count_block_steps(&s, measured);
cleanup:
    free_sample(&s);
    return status;
}
