/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "leapfrog_rig.h"
#include "reports.h"

/* ---- options ------------------------------------------------------------ */

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    const double inf = INFINITY;
    const struct {
        enum koshu_step_rule rule;
        double dt, eta, eps, time;
        const char *words;
    } wrong[] = {
            {KOSHU_STEP_RULE_FIXED, NAN, 1, 0, 0, "dt = nan"},
            {KOSHU_STEP_RULE_FIXED, inf, 1, 0, 0, "dt = inf"},
            {KOSHU_STEP_RULE_FIXED, 0.1, 1, 0, inf, "time = inf"},
            {KOSHU_STEP_RULE_ACCELERATION, -0.1, 1, 1, 0, "go back in time"},
            {KOSHU_STEP_RULE_ACCELERATION, 0.1, -1, 1, 0, "eta = -1"},
            {KOSHU_STEP_RULE_ACCELERATION, 0.1, NAN, 1, 0, "eta = nan"},
            {KOSHU_STEP_RULE_ACCELERATION, 0.1, 0.1, 0, 0, "softening = 0"},
            {KOSHU_STEP_RULE_BLOCK, 0.1, 0.1, 1, 0, "step rule 3"},
            {(enum koshu_step_rule)7, 0.1, 0.1, 1, 0, "step rule 7"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        const struct koshu_integrator_options options =
                leapfrog_options(wrong[k].rule, wrong[k].dt, wrong[k].eta);
        struct rig r = rig_make(2, wrong[k].eps, NULL, 0);
        struct koshu_integrator *l = r.leapfrog;
        assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, wrong[k].words,
                     koshu_integrator_create(r.solver, r.particles,
                                             wrong[k].time, &options, &l));
        assert_null(l);
        rig_free(&r);
    }
    koshu_integrator_destroy(NULL);
}

/* ---- the scheme --------------------------------------------------------- */

/* Two unit masses at x = +-1 at rest, h = 1/2: a = 1/4 towards each other, so
 * v = 1/16 after the half kick and x = 1 - 1/32 = 31/32 after the drift (both
 * exact); then a = 1 / (31/16)^2 = 256/961. */
static void
one_step_is_what_the_formula_says(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.5);
    assert_ok(r.context, koshu_integrator_advance(r.leapfrog, INFINITY, true));
    double a = 256.0 / 961.0;
    assert_true(r.v.x[0] == 31.0 / 32.0 && r.v.x[1] == -r.v.x[0]);
    /* 1 / sqrt and three products: 4 roundings of numbers below 1 */
    assert_near(r.v.ax[0], -a, 4 * DBL_EPSILON);
    assert_near(r.v.vx[0], -(1.0 / 16 + a / 4), 4 * DBL_EPSILON);
    assert_true(r.v.vx[1] == -r.v.vx[0]);
    assert_near(r.v.potential[0], -16.0 / 31.0, 4 * DBL_EPSILON);
    assert_true(rig_time(&r) == 0.5);
    rig_free(&r);
}

static void
a_step_costs_one_force_evaluation(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.01);
    assert_ok(r.context, koshu_integrator_evaluate(r.leapfrog));
    for (int k = 0; k < 10; k++) rig_step(&r, INFINITY);
    assert_int_equal(solver_interactions(r.solver), 11 * 2 * 2);
    rig_free(&r);
}

static void
the_potential_is_computed_on_request_and_changes_nothing(void **state)
{
    (void)state;
    struct rig with = rig_fixed(5, 0.01), without = rig_fixed(5, 0.01);
    rig_step(&with, INFINITY);
    rig_step(&without, INFINITY);
    for (size_t i = 0; i < 5; i++)
        with.v.potential[i] = without.v.potential[i] = NAN;
    for (int k = 0; k < 3; k++) {
        assert_ok(with.context,
                  koshu_integrator_advance(with.leapfrog, INFINITY, true));
        rig_step(&without, INFINITY);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(with.v.potential[i] < 0);
        assert_true(isnan(without.v.potential[i]));
    }
    assert_same_state(&with, &without);
    rig_free(&with);
    rig_free(&without);
}

static void
any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_ACCELERATION, 0.01, 0.1);
    struct rig one = rig_on(test_context("ref", 1), 4999, 0.1, &options, 0);
    struct rig three = rig_on(test_context("ref", 3), 4999, 0.1, &options, 0);
    for (int k = 0; k < 2; k++) {
        rig_step(&one, INFINITY);
        rig_step(&three, INFINITY);
    }
    assert_same_state(&one, &three);
    rig_free(&one);
    rig_free(&three);
}

/* ---- restart ------------------------------------------------------------ */

static void
copy_state(struct rig *to, const struct rig *from)
{
    double *const target[] = {to->v.x,  to->v.y,  to->v.z,  to->v.vx, to->v.vy,
                              to->v.vz, to->v.ax, to->v.ay, to->v.az};
    double *const source[] = {from->v.x,  from->v.y,  from->v.z,
                              from->v.vx, from->v.vy, from->v.vz,
                              from->v.ax, from->v.ay, from->v.az};
    for (size_t k = 0; k < sizeof target / sizeof target[0]; k++)
        memcpy(target[k], source[k], from->v.n * sizeof(double));
}

/* Stopped at 0.25, off the grid, and again some steps later, at a multiple of
 * dt after 0.25 but not after 0. */
static void
a_resumed_run_goes_on_bit_for_bit(void **state)
{
    (void)state;
    const double until = 0.95;
    for (int rule = KOSHU_STEP_RULE_FIXED; rule <= KOSHU_STEP_RULE_ACCELERATION;
         rule++) {
        struct koshu_integrator_options options =
                leapfrog_options((enum koshu_step_rule)rule, 0.1, 0.1);
        struct rig whole = rig_make(7, 0.1, &options, 0);
        while (rig_time(&whole) < 0.25) rig_step(&whole, 0.25);
        for (int k = 0; k < 3; k++) rig_step(&whole, until);

        struct rig resumed = rig_make(7, 0.1, &options, 0);
        struct koshu_integrator_clock clock = clock_of(whole.leapfrog);
        copy_state(&resumed, &whole);
        assert_ok(resumed.context,
                  koshu_integrator_resume(resumed.leapfrog, &clock));
        while (rig_time(&whole) < until) {
            rig_step(&whole, until);
            rig_step(&resumed, until);
            assert_same_state(&whole, &resumed);
        }
        /* the restart costs no evaluation */
        assert_int_equal(solver_interactions(resumed.solver),
                         7 * 7 * (steps_of(resumed.leapfrog) - clock.steps));
        rig_free(&whole);
        rig_free(&resumed);
    }
}

/* ---- numbers that are not finite ----------------------------------------- */

static void
a_bad_particle_is_named(void **state)
{
    (void)state;
    const double far = 1e308;
    struct rig r = rig_fixed(5, 4.0);
    r.v.id[3] = 77;

    r.v.z[3] = NAN; /* makes every acceleration NaN; the cause must be named */
    assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                 "particle 3 (id 77): position = (-2, 0, nan) at step 0",
                 koshu_integrator_evaluate(r.leapfrog));
    r.v.z[3] = 0;
    double *const speed[] = {&r.v.vx[3], &r.v.vy[3], &r.v.vz[3]};
    for (int k = 0; k < 3; k++) {
        assert_ok(r.context, koshu_integrator_evaluate(r.leapfrog));
        *speed[k] = INFINITY; /* noticed in the first kick */
        assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                     "particle 3 (id 77): velocity = (",
                     koshu_integrator_advance(r.leapfrog, INFINITY, false));
        *speed[k] = far; /* overflows in the drift */
        assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                     "particle 3 (id 77): position = (",
                     koshu_integrator_advance(r.leapfrog, INFINITY, false));
        assert_non_null(
                strstr(koshu_context_message(r.context), "at step 1, time 4;"));
        r.v.x[3] = -2;
        r.v.y[3] = r.v.z[3] = *speed[k] = 0;
    }
    assert_true(rig_time(&r) == 0 && steps_of(r.leapfrog) == 0);
    rig_free(&r);
}

/* 1e-150 apart without softening: 1 / r^3 overflows a double. */
static void
an_infinite_acceleration_is_named(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.1);
    r.v.x[0] = 1e-150;
    r.v.x[1] = 0;
    assert_fails(r.context, KOSHU_ERROR_NOT_FINITE,
                 "particle 0 (id 0): acceleration = (-inf",
                 koshu_integrator_advance(r.leapfrog, INFINITY, false));
    rig_free(&r);
}

static void
particles_that_a_caller_writes_are_refused(void **state)
{
    (void)state;
    struct rig r = rig_fixed(4, 0.125);
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(r.context,
              koshu_particles_acquire_write(r.particles, KOSHU_FIELD_VELOCITY,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the integrator: a view of the particles for writing",
                 koshu_integrator_advance(r.leapfrog, 1, false));
    koshu_particles_release_write(r.particles);
    rig_step(&r, 1);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(particles_that_a_caller_writes_are_refused),
            cmocka_unit_test(one_step_is_what_the_formula_says),
            cmocka_unit_test(a_step_costs_one_force_evaluation),
            cmocka_unit_test(
                    the_potential_is_computed_on_request_and_changes_nothing),
            cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
            cmocka_unit_test(a_resumed_run_goes_on_bit_for_bit),
            cmocka_unit_test(a_bad_particle_is_named),
            cmocka_unit_test(an_infinite_acceleration_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
