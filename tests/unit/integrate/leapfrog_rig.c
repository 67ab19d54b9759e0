/* SPDX-License-Identifier: MIT */
#include "leapfrog_rig.h"
#include "particles/particles.h"

#include <math.h>
#include <string.h>

static void
fill(struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++) {
        double r = (double)(i / 2 + 1);
        v->mass[i] = 1;
        v->x[i] = i % 2 ? -r : r;
        v->ax[i] = v->ay[i] = v->az[i] = v->potential[i] = NAN;
    }
}

struct rig
rig_on(struct koshu_context *context, size_t n, double eps,
       const struct koshu_integrator_options *options, double time)
{
    struct rig r = {.context = context};
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_PRECISION_DOUBLE;
    solver.softening = eps;
    assert_ok(context, koshu_solver_create(context, &solver, &r.solver));
    assert_ok(context, koshu_particles_create(context, n, &r.particles));
    assert_ok(context, koshu_particles_on_host(r.particles, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &r.v));
    fill(&r.v);
    assert_ok(context, koshu_integrator_create(r.solver, r.particles, time,
                                               options, &r.leapfrog));
    return r;
}

struct rig
rig_make(size_t n, double eps, const struct koshu_integrator_options *options,
         double time)
{
    return rig_on(test_context("ref", 2), n, eps, options, time);
}

struct rig
rig_fixed(size_t n, double dt)
{
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, dt, 0);
    return rig_make(n, 0, &options, 0);
}

void
rig_free(struct rig *r)
{
    koshu_integrator_destroy(r->leapfrog);
    koshu_particles_destroy(r->particles);
    koshu_solver_destroy(r->solver);
    koshu_context_destroy(r->context);
}

void
rig_step(struct rig *r, double until)
{
    assert_ok(r->context, koshu_integrator_advance(r->leapfrog, until, false));
}

double
rig_time(const struct rig *r)
{
    return koshu_integrator_time(r->leapfrog);
}

void
assert_same_state(const struct rig *a, const struct rig *b)
{
    size_t bytes = a->v.n * sizeof(double);
    assert_memory_equal(a->v.x, b->v.x, bytes);
    assert_memory_equal(a->v.y, b->v.y, bytes);
    assert_memory_equal(a->v.z, b->v.z, bytes);
    assert_memory_equal(a->v.vx, b->v.vx, bytes);
    assert_memory_equal(a->v.vy, b->v.vy, bytes);
    assert_memory_equal(a->v.vz, b->v.vz, bytes);
    assert_memory_equal(a->v.ax, b->v.ax, bytes);
    assert_true(rig_time(a) == rig_time(b));
    assert_true(steps_of(a->leapfrog) == steps_of(b->leapfrog));
}
