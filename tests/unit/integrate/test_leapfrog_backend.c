/* SPDX-License-Identifier: MIT */
/* A leapfrog on a backend that keeps the particles. */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "integrate/integrate.h"
#include "leapfrog_rig.h"
#include "particles/particles.h"

static struct {
    int forces, kicks, drifts, wraps;
    double kicked, drifted;
    int bad_force;   /* the evaluation that returns NaN; 0: none */
    bool cries_wolf; /* drift reports a bad particle although there is none */
} toy;

static koshu_status
toy_forces(struct koshu_backend *backend, const struct koshu_force_task *task,
           struct koshu_particles *particles, unsigned fields)
{
    (void)backend;
    (void)task;
    struct koshu_particle_view v;
    KOSHU_TRY(
            koshu_particles_on_host(particles, fields, KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.ax[i] = v.ay[i] = v.az[i] = 0;
    if (++toy.forces == toy.bad_force) v.ay[1] = NAN;
    return KOSHU_OK;
}

static koshu_status
toy_kick(struct koshu_backend *backend, struct koshu_particles *particles,
         double dt)
{
    (void)backend;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    toy.kicks++;
    toy.kicked += dt;
    return isnan(v.ay[1]) ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

static koshu_status
toy_drift(struct koshu_backend *backend, struct koshu_particles *particles,
          double dt)
{
    (void)backend;
    (void)particles;
    toy.drifts++;
    toy.drifted += dt;
    return toy.cries_wolf ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

static koshu_status
toy_wrap(struct koshu_backend *backend, struct koshu_particles *particles,
         const double corner[3], double edge)
{
    (void)backend;
    assert_int_equal(koshu_particles_count(particles), 2);
    assert_true(corner[0] == 0 && corner[1] == 0 && corner[2] == 0);
    assert_true(edge == 2);
    toy.wraps++;
    return KOSHU_OK;
}

static bool
toy_can(const struct koshu_backend *backend,
        const struct koshu_force_task *task)
{
    (void)backend;
    (void)task;
    return true;
}

static void
keep_toy(void *backend)
{
    (void)backend;
}

static struct rig
rig_on_toy(void)
{
    static const struct koshu_backend_ops ops = {.name = "toy",
                                                 .can = toy_can,
                                                 .force_store = toy_forces,
                                                 .kick = toy_kick,
                                                 .drift = toy_drift,
                                                 .wrap = toy_wrap};
    static struct koshu_backend backend = {.ops = &ops};
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, 0.25, 0);
    struct koshu_context *context = test_context(NULL, 1);
    backend.context = context;
    koshu_context_keep(context, &backend, keep_toy);
    memset(&toy, 0, sizeof toy);
    return rig_on(context, 2, 0, &options, 0);
}

static void
the_backend_kicks_and_drifts_where_it_can(void **state)
{
    (void)state;
    struct rig r = rig_on_toy();
    for (int k = 0; k < 4; k++) rig_step(&r, INFINITY);
    assert_int_equal(toy.forces, 5);
    assert_int_equal(toy.kicks, 8);
    assert_int_equal(toy.drifts, 4);
    assert_true(toy.kicked == 1 && toy.drifted == 1);
    struct koshu_backend *backend;
    assert_ok(r.context, koshu_backend_of(r.context, &backend));
    assert_ok(r.context, koshu_wrap(backend, r.particles, 2));
    assert_int_equal(toy.wraps, 1);
    rig_free(&r);
}

static void
a_bad_particle_on_the_backend_is_named(void **state)
{
    (void)state;
    struct rig r = rig_on_toy();
    toy.bad_force = 3; /* in the second step */
    rig_step(&r, INFINITY);
    assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                 "particle 1 (id 1): acceleration = (0, nan, 0) at step 2, "
                 "time 0.5",
                 koshu_integrator_advance(r.leapfrog, INFINITY, false));
    rig_free(&r);

    r = rig_on_toy();
    toy.cries_wolf = true;
    assert_fails(r.context, KOSHU_ERROR_INTERNAL, "toy",
                 koshu_integrator_advance(r.leapfrog, INFINITY, false));
    rig_free(&r);
}

/* A backend that does not keep particles: ref. */
static void
positions_are_wrapped_on_the_host(void **state)
{
    (void)state;
    struct rig r = rig_make(3, 0, NULL, 0);
    const double from[] = {-0.25, 2.25, 1}, to[] = {1.75, 0.25, 1};
    struct koshu_backend *backend;
    double *const x[] = {r.v.x, r.v.y, r.v.z};
    for (int k = 0; k < 9; k++) x[k / 3][(k + k / 3) % 3] = from[k % 3];
    assert_ok(r.context, koshu_backend_of(r.context, &backend));
    assert_ok(r.context, koshu_wrap(backend, r.particles, 2));
    for (int k = 0; k < 9; k++)
        assert_true(x[k / 3][(k + k / 3) % 3] == to[k % 3]);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_backend_kicks_and_drifts_where_it_can),
            cmocka_unit_test(a_bad_particle_on_the_backend_is_named),
            cmocka_unit_test(positions_are_wrapped_on_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
