/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "check.h"
#include "particles/particles.h"

struct run
run_begin(struct koshu_context *context, size_t n,
          const struct koshu_solver_options *options, enum koshu_step_rule rule)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_integrator_options steps = koshu_integrator_options_default();
    struct run r = {0};
    model.n = n;
    steps.step_rule = rule;
    steps.eta = 0.01;
    assert_ok(context, koshu_initial_create(context, &model, &r.particles));
    assert_ok(context, koshu_solver_create(context, options, &r.solver));
    assert_ok(context, koshu_integrator_create(r.solver, r.particles, 0, &steps,
                                               &r.leapfrog));
    return r;
}

void
run_end(struct run *run)
{
    koshu_integrator_destroy(run->leapfrog);
    koshu_solver_destroy(run->solver);
    koshu_particles_destroy(run->particles);
}

static void
kick_first(struct koshu_context *context, struct koshu_particles *particles)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.vx[0] += 0.25;
}

void
run_steps(struct koshu_context *context, size_t n, enum koshu_step_rule rule,
          double *x)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_particle_view v;
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = 0.05;
    struct run r = run_begin(context, n, &options, rule);
    for (int k = 0; k < 20; k++) {
        assert_ok(context,
                  koshu_integrator_advance(r.leapfrog, 10, k % 2 == 0));
        if (k == 7) kick_first(context, r.particles);
    }
    assert_ok(context, koshu_particles_on_host(r.particles,
                                               KOSHU_FIELD_POSITION |
                                                       KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = v.x[i];
        x[2 * i + 1] = v.vx[i];
    }
    run_end(&r);
}
