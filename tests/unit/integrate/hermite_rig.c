/* SPDX-License-Identifier: MIT */
#include "hermite_rig.h"
#include "particles/particles.h"

#include <math.h>
#include <string.h>

#include <koshu/initial.h>

static void
rig_view(struct rig *r)
{
    assert_ok(r->context,
              koshu_particles_on_host(r->particles,
                                      KOSHU_FIELD_ALL | KOSHU_FIELD_JERK |
                                              KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ_WRITE, &r->v));
}

struct rig
rig_make(size_t n, int threads, const struct koshu_integrator_options *options)
{
    struct rig r = {.context = test_context("ref", threads)};
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_solver_options solver = koshu_solver_options_default();
    initial.n = n;
    solver.precision = KOSHU_PRECISION_DOUBLE;
    solver.softening = rig_softening;
    assert_ok(r.context,
              koshu_initial_create(r.context, &initial, &r.particles));
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    rig_view(&r);
    double *const results[] = {r.v.ax, r.v.ay, r.v.az,       r.v.jx,
                               r.v.jy, r.v.jz, r.v.potential};
    for (int k = 0; k < 7; k++)
        for (size_t i = 0; i < n; i++) results[k][i] = NAN;
    assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0,
                                                 options, &r.hermite));
    return r;
}

void
rig_free(struct rig *r)
{
    koshu_integrator_destroy(r->hermite);
    koshu_particles_destroy(r->particles);
    koshu_solver_destroy(r->solver);
    koshu_context_destroy(r->context);
}

void
rig_run(struct rig *r, double until)
{
    while (koshu_integrator_time(r->hermite) != until)
        assert_ok(r->context,
                  koshu_integrator_advance(r->hermite, until, false));
}

struct koshu_integrator_options
blocks_of(uint64_t max)
{
    struct koshu_integrator_options o = hermite_options();
    o.dt = 1.0 / 8;
    o.max_block_steps = max;
    return o;
}

struct koshu_integrator_options
fixed(double dt)
{
    struct koshu_integrator_options o = hermite_options();
    o.step_rule = KOSHU_STEP_RULE_FIXED;
    o.dt = dt;
    return o;
}

void
assert_same_state(const struct rig *a, const struct rig *b)
{
    size_t bytes = a->v.n * sizeof(double);
    assert_memory_equal(a->v.x, b->v.x, bytes);
    assert_memory_equal(a->v.vy, b->v.vy, bytes);
    assert_memory_equal(a->v.az, b->v.az, bytes);
    assert_memory_equal(a->v.jx, b->v.jx, bytes);
    assert_memory_equal(a->v.tick, b->v.tick, bytes);
    assert_memory_equal(a->v.step, b->v.step, bytes);
    struct koshu_integrator_clock c = clock_of(a->hermite);
    struct koshu_integrator_clock d = clock_of(b->hermite);
    assert_memory_equal(&c, &d, sizeof c);
}

void
assert_commensurable(const struct rig *r)
{
    struct koshu_integrator_clock c = clock_of(r->hermite);
    size_t synchronised = 0;
    for (size_t i = 0; i < r->v.n; i++) {
        uint64_t tick = r->v.tick[i], step = r->v.step[i];
        assert_true(step > 0 && step <= KOSHU_TICKS);
        assert_int_equal(step & (step - 1), 0);
        assert_int_equal(tick % step, 0);
        assert_true(tick <= c.ticks && tick + step > c.ticks);
        synchronised += tick == c.ticks;
    }
    if (c.ticks % KOSHU_TICKS == 0) assert_int_equal(synchronised, r->v.n);
    assert_int_equal(c.synchronised == c.time, c.ticks % KOSHU_TICKS == 0);
}
