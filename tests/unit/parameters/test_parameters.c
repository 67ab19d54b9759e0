/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <koshu/integrator.h>

#include "check.h"
#include "integrate/integrate.h"
#include "parameters/parameters.h"
#include "scratch.h"
#include "parsed.h"

/* ---- paths ------------------------------------------------------------- */

static void
expect_directory(const char *text, const char *path)
{
    struct koshu_parameters *p = fresh();
    assert_ok(context, koshu_parameters_set(p, "output.directory", text));
    assert_string_equal(koshu_parameters_values(p)->directory, path);
    koshu_parameters_destroy(p);
}

static void
refuse_text(const char *key, const char *text, const char *message)
{
    struct koshu_parameters *p = fresh();
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, message,
                 koshu_parameters_set(p, key, text));
    koshu_parameters_destroy(p);
}

static void
a_tilde_is_the_home_directory(void **state)
{
    (void)state;
    assert_int_equal(setenv("HOME", "/a/home", 1), 0);
    expect_directory("~", "/a/home");
    expect_directory("~/out", "/a/home/out");
    expect_directory("./~/out", "./~/out");
    expect_directory("a~b", "a~b");
    expect_directory("~root/out", "/root/out");
    refuse_text("output.directory", "~no-user-of-this-name/x",
                "there is no user 'no-user-of-this-name'; "
                "'./~no-user-of-this-name/x' is a file");
    struct koshu_parameters *copy, *p = parsed("initial: {file: ~/ics.hdf5}\n");
    assert_ok(context, koshu_parameters_copy(context, p, &copy));
    koshu_parameters_destroy(p);
    assert_string_equal(koshu_parameters_values(copy)->initial_file,
                        "/a/home/ics.hdf5");
    char *text; /* the text as given: the same bytes for every user */
    assert_ok(context, koshu_parameters_text(copy, &text));
    assert_non_null(strstr(text, "~/ics.hdf5"));
    free(text);
    koshu_parameters_destroy(copy);
}

/* A directory named $SCRATCH would be a mistake. */
static void
variables_are_refused(void **state)
{
    (void)state;
    refuse_text("output.directory", "$SCRATCH/out",
                "set output.directory=$SCRATCH/out: output.directory: "
                "'$SCRATCH/out': $ stands for nothing in a parameter file");
    refuse_text("initial.file", "a/${X}.hdf5", "$ stands for nothing");
    refuse_text("run.stop_file", "stop-$JOB", "$ stands for nothing");
    struct koshu_parameters *p = fresh();
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "run.yaml:2: output.directory: '$X': $ stands",
                 koshu_parameters_parse(p, "run.yaml",
                                        "title: $5\noutput: {directory: "
                                        "$X}\n"));
    koshu_parameters_destroy(p);
}

/* It is looked for there, whatever its name suggests. */
static void
a_stop_file_lies_in_the_output_directory(void **state)
{
    (void)state;
    static const char message[] = "the name of a file in the output directory";
    refuse_text("run.stop_file", "/tmp/stop", message);
    refuse_text("run.stop_file", "~/stop", message);
    struct koshu_parameters *p = fresh();
    assert_ok(context, koshu_parameters_set(p, "run.stop_file", "~stop"));
    assert_string_equal(koshu_parameters_values(p)->stop_file, "~stop");
    koshu_parameters_destroy(p);
}

/* ---- files ------------------------------------------------------------- */

static void
a_file_is_taken_over_the_defaults(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole);
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_string_equal(v->title, "a run");
    assert_int_equal(v->initial.model, KOSHU_MODEL_SPHERE);
    assert_int_equal(v->initial.n, 100);
    assert_int_equal(v->initial.seed, 7);
    assert_true(v->solver.softening == 1.0 / 64);
    assert_int_equal(v->solver.precision, KOSHU_PRECISION_MIXED);
    assert_true(v->integrator.dt == -1.0 / 256);
    assert_true(v->integrator.end == -1);
    assert_int_equal(v->snapshot.times.n, 3);
    assert_true(v->snapshot.times.time[1] == -0.25);
    assert_false(v->snapshot.first);
    assert_true(v->snapshot.last);
    assert_string_equal(v->backend, "ref");
    assert_int_equal(v->threads, 2);
    assert_string_equal(v->stop_file, "stop");
    assert_ok(context, koshu_parameters_check(p));
    koshu_parameters_destroy(p);
}

/* The table's defaults equal those of the options' own functions. */
static void
defaults_agree_with_the_modules(void **state)
{
    (void)state;
    struct koshu_parameters *p = fresh();
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    struct koshu_initial_options i = koshu_initial_options_default();
    const struct koshu_integrator_options l =
            koshu_integrator_defaults(KOSHU_SCHEME_LEAPFROG);
    struct koshu_solver_options s = koshu_solver_options_default();
    assert_int_equal(v->initial.model, i.model);
    assert_int_equal(v->initial.n, i.n);
    assert_int_equal(v->initial.seed, i.seed);
    assert_true(v->initial.mass_fraction == i.mass_fraction);
    assert_true(v->initial.virial_ratio == i.virial_ratio);
    assert_true(v->initial.king_w0 == i.king_w0);
    assert_true(v->initial.eccentricity == i.eccentricity);
    assert_true(v->initial.two_body_mass == i.two_body_mass);
    assert_true(v->initial.exact_virial == i.exact_virial);
    assert_int_equal(v->integrator.step, l.step_rule);
    assert_true(v->integrator.dt == l.dt);
    assert_true(v->integrator.eta == l.eta);
    assert_int_equal(v->solver.method, s.method);
    assert_int_equal(v->solver.precision, s.precision);
    assert_int_equal(v->solver.fast, s.fast);
    koshu_parameters_destroy(p);
}

/* Some defaults depend on the scheme. Given values stay, in any order. */
static void
defaults_follow_the_scheme(void **state)
{
    (void)state;
    const struct koshu_integrator_options h =
            koshu_integrator_defaults(KOSHU_SCHEME_HERMITE);
    struct koshu_parameters *p = parsed("integrator: {eta: 1/50}\n");
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_set(p, "integrator.scheme", "hermite"));
    assert_int_equal(v->integrator.scheme, KOSHU_SCHEME_HERMITE);
    assert_int_equal(v->integrator.step, h.step_rule);
    assert_true(v->integrator.dt == h.dt);
    assert_true(v->integrator.eta == 1.0 / 50);
    assert_true(v->integrator.eta_start == h.eta_start);
    assert_int_equal(v->integrator.iterations, h.iterations);
    assert_int_equal(v->solver.precision, KOSHU_PRECISION_MIXED);
    assert_ok(context, koshu_parameters_set(p, "solver.precision", "single"));
    assert_int_equal(v->solver.precision, KOSHU_PRECISION_SINGLE);
    assert_ok(context,
              koshu_parameters_set(p, "integrator.scheme", "leapfrog"));
    assert_true(v->integrator.dt == 1.0 / 256);
    assert_int_equal(v->integrator.step, KOSHU_STEP_RULE_FIXED);
    koshu_parameters_destroy(p);
    p = parsed("integrator: {scheme: hermite}\n");
    assert_true(koshu_parameters_values(p)->integrator.eta == h.eta);
    koshu_parameters_destroy(p);
}

static void
settings_go_over_the_file(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole);
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_set(p, "solver.softening", "1/32"));
    assert_ok(context, koshu_parameters_set(p, "title", "it's: {a} # run"));
    assert_ok(context,
              koshu_parameters_set(p, "output.snapshot.times", "[1, 3/2]"));
    assert_true(v->solver.softening == 1.0 / 32);
    assert_string_equal(v->title, "it's: {a} # run");
    assert_int_equal(v->snapshot.times.n, 2);
    assert_true(v->snapshot.times.time[1] == 1.5);
    assert_int_equal(v->initial.n, 100);
    koshu_parameters_destroy(p);
}

/* The text stored in snapshots states what was simulated, not where; parsing it
 * again gives the same text. */
static void
the_text_is_canonical(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole), *q;
    char *text, *again;
    assert_ok(context, koshu_parameters_text(p, &text));
    assert_string_equal(text, "title: a run\n"
                              "initial:\n"
                              "  model: sphere\n"
                              "  n: 100\n"
                              "  seed: 7\n"
                              "solver:\n"
                              "  accuracy: 0\n"
                              "  method: auto\n"
                              "  precision: mixed\n"
                              "  softening: 1/64\n"
                              "  fast: false\n"
                              "  boundary: isolated\n"
                              "integrator:\n"
                              "  coordinates: physical\n"
                              "  scheme: leapfrog\n"
                              "  step: fixed\n"
                              "  dt: -1/256\n"
                              "  eta: 0.1\n"
                              "  end: -1\n"
                              "stars:\n"
                              "  escape_distance: 0\n"
                              "  tidal_radius: 0\n"
                              "output:\n"
                              "  snapshot:\n"
                              "    times: [0, -1/4, -0.5]\n"
                              "    first: no\n");
    q = parsed(text);
    assert_ok(context, koshu_parameters_text(q, &again));
    assert_string_equal(text, again);
    free(text);
    free(again);
    koshu_parameters_destroy(p);
    koshu_parameters_destroy(q);
}

/* Comoving runs have their own defaults, as the texts in files state them. */
static void
defaults_of_comoving_runs_are_used(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("initial: {file: universe.hdf5}\n"
                   "solver: {method: fmm, softening: 0.1}\n"
                   "integrator: {coordinates: comoving}\n"
                   "output: {directory: .}\n");
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_true(v->tree.theta == 0.5 && v->fmm.theta == 0.55);
    assert_true(!v->theta_by_motion && v->expansion_order == 10);
    assert_true(v->integrator.dt == 1.0 / 64 && v->integrator.eta == 0.025);
    koshu_parameters_destroy(p);
}

/* A run's text names all values in force, so that its forces and steps stay the
 * same if a later koshu has other defaults; and it is still a valid file. */
static void
the_text_holds_the_defaults_in_force(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *held, *not_held;
    } runs[] = {
            {"solver: {method: tree}", "  opening_criterion: relative\n",
             "iterations"},
            {"solver: {method: tree}", "  alpha: 0.002\n", "iterations"},
            {"solver: {method: tree}", "  theta: 0.5\n", "iterations"},
            {"solver: {method: tree, opening_criterion: geometric}",
             "  n_crit: 64\n", "alpha"},
            {"integrator: {scheme: hermite}", "  dt: 1/8\n", "theta"},
            {"integrator: {scheme: hermite}", "  iterations: 1\n", "alpha"},
            {"integrator: {scheme: hermite}", "  precision: mixed\n", "alpha"},
    };
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        struct koshu_parameters *p = parsed("initial: {model: plummer}"), *q;
        const char *a, *b;
        char *text;
        assert_ok(context, koshu_parameters_parse(p, "s", runs[k].settings));
        assert_ok(context, koshu_parameters_set(p, "solver.softening", "1/64"));
        assert_ok(context, koshu_parameters_set(p, "integrator.end", "1"));
        assert_ok(context, koshu_parameters_text(p, &text));
        assert_non_null(strstr(text, runs[k].held));
        assert_null(strstr(text, runs[k].not_held));
        q = parsed(text);
        assert_ok(context, koshu_parameters_check(q));
        assert_null(koshu_parameters_conflict(p, q, false, &a, &b));
        free(text);
        koshu_parameters_destroy(p);
        koshu_parameters_destroy(q);
    }
}

/* An alias that contains itself ends with the table of keys. */
static void
aliases_are_followed(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("solver: {softening: &s 1/8}\nintegrator: {end: *s}\n");
    assert_true(koshu_parameters_values(p)->integrator.end == 0.125);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "run.yaml:1",
                 koshu_parameters_parse(p, "run.yaml",
                                        "output: &o {snapshot: *o}\n"));
    koshu_parameters_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(defaults_of_comoving_runs_are_used),
            cmocka_unit_test(a_tilde_is_the_home_directory),
            cmocka_unit_test(variables_are_refused),
            cmocka_unit_test(a_stop_file_lies_in_the_output_directory),
            cmocka_unit_test(a_file_is_taken_over_the_defaults),
            cmocka_unit_test(defaults_agree_with_the_modules),
            cmocka_unit_test(defaults_follow_the_scheme),
            cmocka_unit_test(settings_go_over_the_file),
            cmocka_unit_test(the_text_is_canonical),
            cmocka_unit_test(the_text_holds_the_defaults_in_force),
            cmocka_unit_test(aliases_are_followed),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
