/* SPDX-License-Identifier: MIT */
/* What all integrators have in common: options, names, clocks, reports. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/integrate.h"
#include "leapfrog_rig.h"

static void
names_are_found(void **state)
{
    (void)state;
    enum koshu_scheme scheme = KOSHU_SCHEME_LEAPFROG;
    enum koshu_step_rule rule = KOSHU_STEP_RULE_DEFAULT;
    struct koshu_context *context = test_context("ref", 1);
    for (unsigned k = 0; koshu_scheme_name(k); k++) {
        assert_ok(context,
                  koshu_scheme_find(context, koshu_scheme_name(k), &scheme));
        assert_int_equal(scheme, k);
        assert_int_equal(koshu_integrator_defaults(scheme).scheme, k);
    }
    assert_int_equal(scheme, KOSHU_SCHEME_ARCHAIN);
    for (unsigned k = 0; koshu_step_rule_name(k); k++) {
        assert_ok(context,
                  koshu_step_rule_find(NULL, koshu_step_rule_name(k), &rule));
        assert_int_equal(rule, k);
    }
    assert_int_equal(rule, KOSHU_STEP_RULE_BLOCK);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'hermite'",
                 koshu_scheme_find(context, "hermit", &scheme));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "'blocks' is not a step rule",
                 koshu_step_rule_find(context, "blocks", &rule));
    koshu_context_destroy(context);
}

static void
zeros_are_the_defaults_of_the_scheme(void **state)
{
    (void)state;
    struct rig r = rig_make(2, 0.1, NULL, 0);
    struct koshu_integrator_options o = {.size = sizeof o};
    assert_ok(r.context, koshu_integrator_options_of(r.leapfrog, &o));
    assert_int_equal(o.scheme, KOSHU_SCHEME_LEAPFROG);
    assert_int_equal(o.step_rule, KOSHU_STEP_RULE_FIXED);
    assert_true(o.dt == 1.0 / 256 && o.eta == 0.1);

    const struct koshu_integrator_options hermite = hermite_options();
    struct koshu_integrator *h;
    assert_ok(r.context,
              koshu_integrator_create(r.solver, r.particles, 0, &hermite, &h));
    assert_ok(r.context, koshu_integrator_options_of(h, &o));
    assert_int_equal(o.step_rule, KOSHU_STEP_RULE_BLOCK);
    assert_true(o.dt == 0.125 && o.eta == 0.002 && o.eta_start == 0.0005);
    assert_int_equal(o.iterations, 1);
    assert_true(o.tolerance == 1e-12 && o.perturbation == 1e-6);
    assert_true(o.radius == 0 && o.radius_mass == 1 && o.radius_exponent == 0);
    koshu_integrator_destroy(h);
    rig_free(&r);
}

static void
refused(const struct koshu_integrator_options *o, double time,
        const char *words)
{
    struct rig r = rig_make(2, 0.1, NULL, 0);
    struct koshu_integrator *none = r.leapfrog;
    assert_fails(
            r.context, KOSHU_ERROR_INVALID_ARGUMENT, words,
            koshu_integrator_create(r.solver, r.particles, time, o, &none));
    assert_null(none);
    rig_free(&r);
}

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    struct koshu_integrator_options o = koshu_integrator_options_default();
    refused(&o, NAN, "begins at a finite time");
    refused(&o, INFINITY, "begins at a finite time");
    const struct {
        double *option;
        double value;
        const char *words;
    } impossible[] = {
            {&o.dt, INFINITY, "dt = inf: a time step must be finite"},
            {&o.dt, NAN, "a time step must be finite"},
            {&o.eta, -1, "eta = -1: it must be finite and > 0"},
            {&o.eta, INFINITY, "eta = inf"},
            {&o.eta_start, -1, "eta_start = -1"},
            {&o.regularisation, -1, "expected a distance, finite and >= 0"},
            {&o.regularisation, INFINITY, "regularisation = inf"},
            {&o.perturbation, -1, "perturbation = -1"},
            {&o.perturbation, NAN, "perturbation = nan"},
            {&o.radius, -1, "expected the radius of a body"},
            {&o.radius, INFINITY, "radius = inf"},
            {&o.radius, 1, "use the Hermite scheme with regularisation > 0"},
            {&o.radius_exponent, NAN, "radius_exponent = nan"},
            {&o.radius_mass, -1, "radius_mass = -1"},
    };
    for (size_t k = 0; k < sizeof impossible / sizeof impossible[0]; k++) {
        const double before = *impossible[k].option;
        *impossible[k].option = impossible[k].value;
        refused(&o, 0, impossible[k].words);
        *impossible[k].option = before;
    }
    o.scheme = 99;
    refused(&o, 0, "scheme 99 is none of leapfrog, hermite and archain");
}

/* Options of a program compiled with fewer members, or with more. */
struct longer {
    struct koshu_integrator_options now;
    uint64_t later;
};

static void
options_may_be_shorter_or_longer(void **state)
{
    (void)state;
    struct rig r = rig_make(2, 0.1, NULL, 0);
    struct koshu_integrator *i;
    struct koshu_integrator_options o =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, 0.25, 0);
    struct longer longer = {.now = o};
    o.size = offsetof(struct koshu_integrator_options, eta);
    o.eta = NAN; /* beyond the stated size, so not read */
    assert_ok(r.context,
              koshu_integrator_create(r.solver, r.particles, 0, &o, &i));
    struct koshu_integrator_options used = {.size = sizeof used};
    assert_ok(r.context, koshu_integrator_options_of(i, &used));
    assert_true(used.dt == 0.25);
    koshu_integrator_destroy(i);

    longer.now.size = sizeof longer;
    assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0,
                                                 &longer.now, &i));
    koshu_integrator_destroy(i);
    longer.later = 1;
    assert_fails(
            r.context, KOSHU_ERROR_UNSUPPORTED, "koshu_integrator_options",
            koshu_integrator_create(r.solver, r.particles, 0, &longer.now, &i));
    o.size = 0;
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_integrator_create(r.solver, r.particles, 0, &o, &i));
    rig_free(&r);
}

static void
clocks_and_reports_need_a_size(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.25);
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "clock is NULL",
                 koshu_integrator_clock(r.leapfrog, NULL));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "clock is NULL",
                 koshu_integrator_resume(r.leapfrog, NULL));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "report is NULL",
                 koshu_integrator_report(r.leapfrog, NULL));
    struct koshu_integrator_clock clock = {.size = 0};
    struct koshu_integrator_report report = {.size = 0};
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_integrator_clock(r.leapfrog, &clock));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_integrator_resume(r.leapfrog, &clock));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_integrator_report(r.leapfrog, &report));
    report.size = sizeof report;
    assert_ok(r.context, koshu_integrator_report(r.leapfrog, &report));
    assert_string_equal(report.engine, "host");
    rig_free(&r);
}

/* For the schemes that report times: no more than the call took. */
static void
seconds_are_those_of_the_calls(void **state)
{
    (void)state;
    struct rig r = rig_make(2, 0, NULL, 0);
    for (unsigned k = 0; koshu_scheme_name(k); k++) {
        const struct koshu_integrator_options o =
                scheme_options(k, KOSHU_STEP_RULE_DEFAULT, 0, 0);
        struct koshu_integrator_report report = {.size = sizeof report};
        struct koshu_integrator *i;
        for (int d = 0; d < 2; d++) r.v.vy[d] = d ? -0.5 : 0.5;
        assert_ok(r.context,
                  koshu_integrator_create(r.solver, r.particles, 0, &o, &i));
        const double start = koshu_now();
        assert_ok(r.context, koshu_integrator_advance(i, 0.5, true));
        const double passed = koshu_now() - start;
        assert_ok(r.context, koshu_integrator_report(i, &report));
        assert_int_equal(report.seconds > 0, k != KOSHU_SCHEME_LEAPFROG);
        assert_true(report.seconds <= passed);
        koshu_integrator_destroy(i);
    }
    rig_free(&r);
}

static void
impossible_clocks_are_refused(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.25);
    struct koshu_integrator_clock clock = clock_of(r.leapfrog);
    clock.time = 1; /* the last synchronised time is 0 */
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "synchronised",
                 koshu_integrator_resume(r.leapfrog, &clock));
    clock.time = clock.synchronised = NAN;
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "must be finite",
                 koshu_integrator_resume(r.leapfrog, &clock));
    assert_true(rig_time(&r) == 0);
    rig_free(&r);
}

/* A clock with other steps: the grid starts where the caller evaluates. */
static void
an_evaluation_begins_a_grid(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.25);
    struct koshu_integrator_clock clock = clock_of(r.leapfrog);
    clock.time = clock.synchronised = 0.125; /* after one step of 1/8 */
    clock.steps = clock.synchronised_steps = 1;
    assert_ok(r.context, koshu_integrator_resume(r.leapfrog, &clock));
    assert_ok(r.context, koshu_integrator_evaluate(r.leapfrog));
    rig_step(&r, INFINITY);
    clock = clock_of(r.leapfrog);
    assert_true(clock.time == 0.375 && clock.origin_time == 0.125);
    assert_int_equal(clock.origin_steps, 1);
    assert_int_equal(clock.steps, 2);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(names_are_found),
            cmocka_unit_test(zeros_are_the_defaults_of_the_scheme),
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(options_may_be_shorter_or_longer),
            cmocka_unit_test(clocks_and_reports_need_a_size),
            cmocka_unit_test(seconds_are_those_of_the_calls),
            cmocka_unit_test(impossible_clocks_are_refused),
            cmocka_unit_test(an_evaluation_begins_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
