/* SPDX-License-Identifier: MIT */
/* What block time steps would take, from the forces at the beginning. */
#include <koshu/j_store.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

enum { MAX_J = 65536, MAX_I = 1024 };

/* The first particles of a store, the very first of them as i-particles. */
struct sample {
    struct koshu_j_particles j;
    struct koshu_i_particles i;
    int64_t *id;
    struct koshu_force_result result;
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
    const size_t nj = v.n < MAX_J ? v.n : MAX_J, ni = v.n < MAX_I ? v.n : MAX_I;
    double *a = koshu_alloc(ni, 6 * sizeof *a);
    *s = (struct sample){.j = {.n = nj,
                               .x = v.x,
                               .y = v.y,
                               .z = v.z,
                               .mass = v.mass,
                               .vx = v.vx,
                               .vy = v.vy,
                               .vz = v.vz},
                         .i = {.n = ni,
                               .x = v.x,
                               .y = v.y,
                               .z = v.z,
                               .vx = v.vx,
                               .vy = v.vy,
                               .vz = v.vz},
                         .id = koshu_alloc(ni, sizeof *s->id),
                         .result = {.ax = a}};
    if (!a || !s->id)
        return koshu_fail_memory(context, 7 * ni * sizeof *a, "a sample");
    s->result = (struct koshu_force_result){.ax = a,
                                            .ay = a + ni,
                                            .az = a + 2 * ni,
                                            .jx = a + 3 * ni,
                                            .jy = a + 4 * ni,
                                            .jz = a + 5 * ni};
    for (size_t k = 0; k < ni; k++) s->id[k] = (int64_t)k;
    s->i.id = s->id;
    return KOSHU_OK;
}

static void
free_sample(struct sample *s)
{
    koshu_free(s->id);
    koshu_free(s->result.ax);
}

static koshu_status
measure(struct koshu_j_store *store, double eps, double seconds,
        const struct sample *s, double *rate)
{
    struct koshu_j_store_start_options options =
            koshu_j_store_start_options_default();
    options.softening = eps;
    double spent = 0, pairs = 0;
    KOSHU_TRY(koshu_j_store_set(store, NULL, &s->j));
    for (int call = 0; spent < seconds; call++) {
        double start = koshu_now();
        KOSHU_TRY(koshu_j_store_start(store, &s->i, s->j.n, &options));
        KOSHU_TRY(koshu_j_store_wait(store, &s->result));
        if (call == 0) continue; /* threads start, pages are touched */
        spent += koshu_now() - start;
        pairs += (double)s->i.n * (double)s->j.n;
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
    for (size_t k = 0; k < s->i.n; k++) {
        const struct koshu_force_result *r = &s->result;
        double a = hypot(hypot(r->ax[k], r->ay[k]), r->az[k]);
        double jerk = hypot(hypot(r->jx[k], r->jy[k]), r->jz[k]);
        double allowed = sqrt(values->integrator.eta) * a / (3 * jerk);
        double step = longest;
        while (step > allowed && step > 1e-12 * longest) step /= 2;
        shortest = fmin(shortest, step);
        sum += 1 / step;
    }
    e->particle_steps = sum / (double)s->i.n;
    e->blocks = 1 / shortest;
}

koshu_status
koshu_estimate_hermite(struct koshu_context *context,
                       const struct koshu_parameter_values *values,
                       struct koshu_particles *particles, double seconds,
                       struct koshu_hermite_estimate *estimate)
{
    struct koshu_j_store *store = NULL;
    struct koshu_j_store_options options = koshu_j_store_options_default();
    options.precision = values->solver.precision;
    struct sample s = {0};
    koshu_status status = make_sample(context, particles, &s);
    KOSHU_TRY_CLEANUP(status);
    KOSHU_TRY_CLEANUP(koshu_j_store_create(context, s.j.n, &options, &store));
    KOSHU_TRY_CLEANUP(measure(store, values->solver.softening, seconds, &s,
                              &estimate->interactions_per_s));
    count_steps(values, &s, estimate);
    if (values->integrator.step == KOSHU_STEP_RULE_FIXED)
        estimate->particle_steps = estimate->blocks =
                1 / fabs(values->integrator.dt);
cleanup:
    koshu_j_store_destroy(store);
    free_sample(&s);
    return status;
}
