/* SPDX-License-Identifier: MIT */
/* Refusals, failures and warnings of the Hermite integrator. */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "hermite_rig.h"

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    struct koshu_integrator_options good = hermite_options(), o;
    struct rig r = rig_make(4, 1, &good);
    struct koshu_integrator *h;
#define REFUSED(words, member, value)                                        \
    o = good;                                                                \
    o.member = value;                                                        \
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, words,             \
                 koshu_integrator_create(r.solver, r.particles, 0, &o, &h)); \
    assert_null(h)
    REFUSED("step rule 2", step_rule, KOSHU_STEP_RULE_ACCELERATION);
    REFUSED("dt = inf", dt, INFINITY);
    REFUSED("scheme 3", scheme, (enum koshu_scheme)3);
    REFUSED("eta = nan", eta, NAN);
    REFUSED("eta_start = -1", eta_start, -1);
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "time = inf",
                 koshu_integrator_create(r.solver, r.particles, INFINITY, &good,
                                         &h));
    rig_free(&r);
}

static void
a_backend_without_jerks_is_refused(void **state)
{
    (void)state;
    struct koshu_integrator_options o = hermite_options();
    struct rig r = rig_make(4, 1, &o);
    struct koshu_backend *backend;
    struct koshu_integrator *h;
    assert_ok(r.context, koshu_backend_of(r.context, &backend));
    const struct koshu_backend_ops *whole = backend->ops;
    struct koshu_backend_ops without = *whole;
    without.j_store = NULL;
    backend->ops = &without;
    assert_fails(r.context, KOSHU_ERROR_UNSUPPORTED, "cannot sum jerks",
                 koshu_integrator_create(r.solver, r.particles, 0, &o, &h));
    backend->ops = whole;
    rig_free(&r);
}

/* Two bodies on an orbit without softening that are close at pericentre. They
 * start at apocentre with this speed; a tick is dt / 2^40. */
static struct rig
rig_orbit(double speed, double dt)
{
    struct koshu_integrator_options o = blocks_of(0);
    struct rig r = rig_make(2, 1, &o);
    koshu_integrator_destroy(r.hermite);
    koshu_solver_destroy(r.solver);
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_PRECISION_DOUBLE;
    o.dt = dt;
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0, &o,
                                                 &r.hermite));
    for (size_t i = 0; i < 2; i++) {
        r.v.id[i] = 7;
        r.v.mass[i] = 1;
        r.v.x[i] = i ? 1 : -1;
        r.v.vy[i] = r.v.x[i] * speed;
        r.v.y[i] = r.v.z[i] = r.v.vx[i] = r.v.vz[i] = 0;
    }
    return r;
}

static void
a_step_below_a_tick_names_the_particle(void **state)
{
    (void)state;
    const char *words = "(id 7) needs a step shorter than dt / 2^40";
    /* at pericentre, after 2.2: ticks of 1e-4 are too long */
    struct rig r = rig_orbit(0.05, 1e-4 * 0x1p40);
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK)
        status = koshu_integrator_advance(r.hermite, INFINITY, false);
    assert_int_equal(status, KOSHU_ERROR_BAD_INPUT);
    assert_non_null(strstr(koshu_context_message(r.context), words));
    assert_non_null(strstr(koshu_context_message(r.context), "after time 2.2"));
    rig_free(&r);
    /* from the start */
    r = rig_orbit(0.5, 0x1p40);
    assert_fails(r.context, KOSHU_ERROR_BAD_INPUT, words,
                 koshu_integrator_evaluate(r.hermite));
    rig_free(&r);
}

static void
a_particle_that_is_not_finite_is_named(void **state)
{
    (void)state;
    struct koshu_integrator_options o = fixed(1);
    struct rig r = rig_make(4, 1, &o);
    r.v.vy[0] = 1e308; /* exceeds the largest double in the second step */
    r.v.id[0] = 42;
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK)
        status = koshu_integrator_advance(r.hermite, INFINITY, false);
    assert_int_equal(status, KOSHU_ERROR_NOT_FINITE);
    assert_non_null(
            strstr(koshu_context_message(r.context), "particle 0 (id 42)"));
    rig_free(&r);
    r = rig_make(4, 1, &o);
    r.v.x[1] = NAN;
    assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                 "particle 1 (id 1): position",
                 koshu_integrator_evaluate(r.hermite));
    rig_free(&r);
}

static void
count_warnings(void *user, enum koshu_log_level level, const char *message)
{
    int *n = user;
    *n += level == KOSHU_LOG_LEVEL_WARNING &&
          strstr(message, "single precision");
}

static void
single_precision_is_warned_of(void **state)
{
    (void)state;
    int n = 0;
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = "ref";
    options.log = count_warnings;
    options.log_user = &n;
    struct rig r = {0};
    assert_int_equal(koshu_context_create(&options, &r.context), KOSHU_OK);
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_integrator_options o = hermite_options();
    assert_ok(r.context, koshu_particles_create(r.context, 2, &r.particles));
    for (int p = KOSHU_PRECISION_SINGLE; p <= KOSHU_PRECISION_DOUBLE; p++) {
        solver.precision = (enum koshu_precision)p;
        assert_ok(r.context,
                  koshu_solver_create(r.context, &solver, &r.solver));
        assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0,
                                                     &o, &r.hermite));
        assert_int_equal(n, 1); /* only the first one warns */
        koshu_integrator_destroy(r.hermite);
        koshu_solver_destroy(r.solver);
    }
    koshu_particles_destroy(r.particles);
    koshu_context_destroy(r.context);
}

static void
particles_that_a_caller_writes_are_refused(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = fixed(0.125);
    struct rig r = rig_make(4, 1, &o);
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(r.context,
              koshu_particles_acquire_write(r.particles, KOSHU_FIELD_VELOCITY,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the integrator: a view of the particles for writing",
                 koshu_integrator_advance(r.hermite, 1, false));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the integrator: a view of the particles for writing",
                 koshu_integrator_evaluate(r.hermite));
    koshu_particles_release_write(r.particles);
    rig_run(&r, 0.125);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(particles_that_a_caller_writes_are_refused),
            cmocka_unit_test(a_backend_without_jerks_is_refused),
            cmocka_unit_test(a_step_below_a_tick_names_the_particle),
            cmocka_unit_test(a_particle_that_is_not_finite_is_named),
            cmocka_unit_test(single_precision_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
