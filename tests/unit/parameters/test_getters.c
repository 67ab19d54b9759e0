/* SPDX-License-Identifier: MIT */
/* How callers get parameter values: by key, and as options. */
#include <stdlib.h>
#include <string.h>

#include "parsed.h"

static void
ignore(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

static void
expect_text(const struct koshu_parameters *p, const char *key, const char *text)
{
    const char *found;
    assert_ok(context, koshu_parameters_get(p, key, &found));
    assert_string_equal(found, text);
}

static void
values_are_read_by_their_keys(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole);
    const char *text;
    uint64_t n;
    double x;
    assert_int_equal(setenv("HOME", "/a/home", 1), 0);
    assert_ok(context, koshu_parameters_set(p, "output.directory", "~/out"));
    expect_text(p, "title", "a run");
    expect_text(p, "solver.softening", "1/64");
    expect_text(p, "solver.method", "auto");
    expect_text(p, "output.directory", "/a/home/out");
    expect_text(p, "output.snapshot.times", "[0, -1/4, -0.5]");
    assert_ok(context, koshu_parameters_set(p, "output.snapshot.times", "[]"));
    expect_text(p, "output.snapshot.times", "[]");
    assert_ok(context, koshu_parameters_get_real(p, "solver.softening", &x));
    assert_true(x == 1.0 / 64);
    assert_ok(context, koshu_parameters_get_whole(p, "initial.n", &n));
    assert_int_equal(n, 100);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'solver.theta'",
                 koshu_parameters_get(p, "solver.teta", &text));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND,
                 "'solver.order' has been renamed to solver.multipole_order",
                 koshu_parameters_get(p, "solver.order", &text));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "a whole number",
                 koshu_parameters_get_real(p, "initial.n", &x));
    koshu_parameters_destroy(p);
    p = parsed("initial: {model: two-body}\nintegrator: {scheme: hermite}\n");
    expect_text(p, "initial.n", "2");
    expect_text(p, "integrator.dt", "1/8");
    koshu_parameters_destroy(p);
}

static void
options_are_filled_in(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole);
    struct koshu_context_options c = koshu_context_options_default();
    struct koshu_initial_options i = koshu_initial_options_default();
    struct koshu_solver_options s = koshu_solver_options_default();
    struct koshu_integrator_options o = koshu_integrator_options_default();
    assert_ok(context, koshu_parameters_set(p, "solver.method", "tree"));
    assert_ok(context, koshu_parameters_set(p, "solver.theta", "1/4"));
    c.log = ignore;
    o.max_block_steps = 7;
    assert_ok(context, koshu_parameters_context(p, &c));
    assert_string_equal(c.backend, "ref");
    assert_int_equal(c.threads, 2);
    assert_true(c.log == ignore);
    assert_ok(context, koshu_parameters_initial(p, &i));
    assert_int_equal(i.model, KOSHU_MODEL_SPHERE);
    assert_int_equal(i.seed, 7);
    assert_ok(context, koshu_parameters_solver(p, &s));
    assert_int_equal(s.precision, KOSHU_PRECISION_MIXED);
    assert_true(s.softening == 1.0 / 64 && s.tree->theta == 0.25);
    assert_ok(context, koshu_parameters_integrator(p, &o));
    assert_int_equal(o.step_rule, KOSHU_STEP_RULE_FIXED);
    assert_true(o.dt == -1.0 / 256);
    assert_int_equal(o.max_block_steps, 7);
    o.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_parameters_integrator(p, &o));
    assert_ok(context, koshu_parameters_set(p, "run.exchange", "sideways"));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "sideways",
                 koshu_parameters_context(p, &c));
    koshu_parameters_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(values_are_read_by_their_keys),
            cmocka_unit_test(options_are_filled_in),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
