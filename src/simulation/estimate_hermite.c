/* SPDX-License-Identifier: MIT */
/* What block time steps would take, from the forces at the beginning. */
#include <koshu/j_store.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

enum { MOST_J = 65536, MOST_I = 1024 };

struct sample {
    size_t ni, nj;
    struct koshu_j_particle *j;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

static koshu_status
make_sample(struct koshu_context *context, struct koshu_particles *particles,
            struct sample *s)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, &v));
    s->nj = v.n < MOST_J ? v.n : MOST_J;
    s->ni = v.n < MOST_I ? v.n : MOST_I;
    s->j = calloc(s->nj, sizeof *s->j);
    s->i = calloc(s->ni, sizeof *s->i);
    s->result = calloc(s->ni, sizeof *s->result);
    if (!s->j || !s->i || !s->result)
        return koshu_fail_memory(context, s->nj * sizeof *s->j, "a sample");
    for (size_t k = 0; k < s->nj; k++)
        s->j[k] = (struct koshu_j_particle){.id = (int64_t)k,
                                            .mass = v.mass[k],
                                            .x = {v.x[k], v.y[k], v.z[k]},
                                            .v = {v.vx[k], v.vy[k], v.vz[k]}};
    for (size_t k = 0; k < s->ni; k++)
        s->i[k] = (struct koshu_i_particle){.id = (int64_t)k,
                                            .x = {v.x[k], v.y[k], v.z[k]},
                                            .v = {v.vx[k], v.vy[k], v.vz[k]}};
    return KOSHU_OK;
}

static void
free_sample(struct sample *s)
{
    free(s->j);
    free(s->i);
    free(s->result);
}

static koshu_status
measure(struct koshu_j_store *memory, double eps, double seconds,
        const struct sample *s, double *rate)
{
    const struct koshu_jerk_options options = {.softening = eps};
    double spent = 0, pairs = 0;
    KOSHU_TRY(koshu_j_store_set(memory, s->nj, NULL, s->j));
    for (int call = 0; spent < seconds; call++) {
        double start = koshu_now();
        KOSHU_TRY(koshu_j_store_start(memory, &options, s->nj, s->ni, s->i));
        KOSHU_TRY(koshu_j_store_wait(memory, s->result));
        if (call == 0) continue; /* threads start, pages are touched */
        spent += koshu_now() - start;
        pairs += (double)s->ni * (double)s->nj;
    }
    *rate = pairs / spent;
    return KOSHU_OK;
}

/* Aarseth's criterion, where only the acceleration and the jerk are known: the
 * time scale is a third of |a| / |jerk|, as it is in clusters. */
static void
count_steps(const struct koshu_parameter_values *values, const struct sample *s,
            struct koshu_hermite_estimate *e)
{
    double longest = fabs(values->integrator.dt), shortest = longest, sum = 0;
    for (size_t k = 0; k < s->ni; k++) {
        const struct koshu_jerk_result *r = &s->result[k];
        double a = hypot(hypot(r->a[0], r->a[1]), r->a[2]);
        double jerk = hypot(hypot(r->jerk[0], r->jerk[1]), r->jerk[2]);
        double allowed = sqrt(values->integrator.eta) * a / (3 * jerk);
        double step = longest;
        while (step > allowed && step > 1e-12 * longest) step /= 2;
        shortest = fmin(shortest, step);
        sum += 1 / step;
    }
    e->particle_steps = sum / (double)s->ni;
    e->blocks = 1 / shortest;
}

koshu_status
koshu_estimate_hermite(struct koshu_context *context,
                       const struct koshu_parameter_values *values,
                       struct koshu_particles *particles, double seconds,
                       struct koshu_hermite_estimate *estimate)
{
    struct koshu_j_store *memory = NULL;
    struct sample s = {0};
    koshu_status status = make_sample(context, particles, &s);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_j_store_create(context, values->solver.precision,
                                           s.nj, &memory));
    KOSHU_TRY_CLEANUP(measure(memory, values->solver.softening, seconds, &s,
                              &estimate->interactions_per_s));
    count_steps(values, &s, estimate);
    if (values->integrator.step == KOSHU_STEP_RULE_FIXED)
        estimate->particle_steps = estimate->blocks =
                1 / fabs(values->integrator.dt);
cleanup:
    koshu_j_store_destroy(memory);
    free_sample(&s);
    return status;
}
