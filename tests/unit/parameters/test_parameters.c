/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <koshu/integrator.h>

#include "check.h"
#include "integrate/integrate.h"
#include "parameters/parameters.h"
#include "scratch.h"

static struct koshu_context *context;

static struct koshu_parameters *
fresh(void)
{
    struct koshu_parameters *p;
    assert_ok(context, koshu_parameters_create(context, &p));
    return p;
}

static struct koshu_parameters *
parsed(const char *text)
{
    struct koshu_parameters *p = fresh();
    assert_ok(context, koshu_parameters_parse(p, "run.yaml", text));
    return p;
}

static const char whole[] = "title: a run\n"
                            "initial: {model: sphere, n: 100, seed: 7}\n"
                            "solver:\n"
                            "  softening: 1/64\n"
                            "  precision: mixed\n"
                            "integrator: {dt: -1/256, end: -1}\n"
                            "output:\n"
                            "  snapshot:\n"
                            "    times: [0, -1/4,\n"
                            "            -0.5]\n"
                            "    first: no\n"
                            "run: {backend: ref, threads: 2}\n";

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
    char *text; /* as it was written: the same bytes for every user */
    assert_ok(context, koshu_parameters_text(copy, &text));
    assert_non_null(strstr(text, "~/ics.hdf5"));
    free(text);
    koshu_parameters_destroy(copy);
}

/* A directory named $SCRATCH is an accident. */
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

/* It is looked for there, wherever its name seems to point. */
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

/* The defaults of the table are those of the options' own functions. */
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

/* Some defaults are another scheme's. What is given stays, in any order. */
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

/* A default that is written out is no change. */
static void
conflicts_are_of_values_in_force(void **state)
{
    (void)state;
    const char *a, *b;
    struct koshu_parameters *p = parsed("integrator: {scheme: hermite}\n");
    struct koshu_parameters *q = parsed("integrator: {scheme: hermite, "
                                        "dt: 0.125, step: block}\n");
    assert_null(koshu_parameters_conflict(p, q, false, &a, &b));
    assert_ok(context, koshu_parameters_set(q, "integrator.dt", "1/256"));
    const struct koshu_key *key =
            koshu_parameters_conflict(p, q, false, &a, &b);
    assert_string_equal(key->path, "integrator.dt");
    assert_string_equal(a, "1/8");
    koshu_parameters_destroy(p);
    koshu_parameters_destroy(q);
}

static void
each_mistake_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
            {"title: x\nsolver:\n  softning: 0.1\n",
             "run.yaml:3: unknown key 'solver.softning'; did you mean "
             "'softening'?"},
            {"softening: 0.1\n", "run.yaml:1: unknown key 'softening'; did "
                                 "you mean 'solver.softening'?"},
            {"solver: {xyzzy: 1}\n",
             "run.yaml:1: unknown key 'solver.xyzzy'; the keys of solver are "
             "method, precision, softening, fast"},
            {"solver:\n  softening: soft\n",
             "run.yaml:2: solver.softening: expected a number >= 0, got "
             "'soft'"},
            {"solver:\n  softening: -1\n", "expected a number >= 0, got '-1'"},
            {"solver:\n  softening: nan\n", "got 'nan'"},
            {"solver:\n  softening:\n", "expected a number >= 0, got ''"},
            {"solver:\n  softening: [1]\n",
             "run.yaml:2: solver.softening: expected a number >= 0, got a "
             "list"},
            {"initial:\n  n: 0\n", "expected a whole number >= 1, got '0'"},
            {"initial:\n  n: 1.5\n", "got '1.5'"},
            {"initial: {model: plumer}", "expected one of plummer, sphere"},
            {"solver: {fast: maybe}", "expected true or false, got 'maybe'"},
            {"run: {backend: gpu}", "one of auto, cpu, simd, cuda, ref"},
            {"output: {snapshot: {times: 3}}", "a list of numbers"},
            {"output:\n snapshot:\n  times:\n  - 1\n  - x\n",
             "run.yaml:3: output.snapshot.times: expected a list of numbers, "
             "[0, 1, 5/2], got '[1, x]'"},
            {"output: {snapshot: {times: [[1]]}}", "itself a list"},
            {"title: a\n\ntitle: b\n",
             "run.yaml:3: title is given twice, first in line 1"},
            {"run: {threads: 1}\nrun: {threads: 2}\n",
             "run.yaml:2: run is given twice, first in line 1"},
            {"solver: fast\n", "run.yaml:1: solver: expected keys (method, "
                               "precision, softening, fast, multipole_order"},
            {"solver:\n", "got nothing"},
            {"- title\n", "a parameter file: expected keys"},
            {"? [a]\n: b\n", "a key must be a word"},
            {"title: \"a\nrun: {\n", "not YAML"},
            {"title: 'a'\n  b: c\n", "run.yaml:2: not YAML"},
            {"title: a\n---\ntitle: b\n", "run.yaml:3: a second YAML document"},
    };
    struct koshu_parameters *p = fresh();
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_parameters_parse(p, "run.yaml", bad[k].text));
    koshu_parameters_destroy(p);
}

static void
a_refused_file_changes_nothing(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed("title: before\n");
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "initial.n",
                 koshu_parameters_parse(p, "run.yaml",
                                        "title: after\ninitial: {n: 0}\n"));
    assert_string_equal(koshu_parameters_values(p)->title, "before");
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

static void
bad_settings_are_refused_alike(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *message;
    } bad[] = {
            {"solver.softning", "1",
             "set solver.softning=1: unknown key 'solver.softning'; did you "
             "mean 'softening'?"},
            {"initial.n", "many",
             "set initial.n=many: initial.n: expected a whole number >= 1, "
             "got 'many'"},
            {"solver", "1", "expected keys"},
            {"title.x", "1", "title: expected a text, got a section"},
            {"", "1", "KEY=VALUE"},
            {"a\"b", "1", "KEY=VALUE"},
            {"title", "a\nrun: x", "KEY=VALUE"},
            {"output.snapshot.times", "[1, 2", "not YAML"},
            {"output.snapshot.times", "1", "a list of numbers"},
    };
    struct koshu_parameters *p = fresh();
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_parameters_set(p, bad[k].key, bad[k].value));
    koshu_parameters_destroy(p);
}

/* A whole file, one setting more, and what is then wrong. */
static void
values_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    static const char base[] = "initial: {model: plummer}\n"
                               "solver: {softening: 0}\n"
                               "integrator: {end: 1}\n"
                               "output: {snapshot: {interval: 1}, log: "
                               "{steps: 1}}\n";
    static const struct {
        const char *key, *value, *message;
    } bad[] = {
            {"initial.file", "x.hdf5",
             "run.yaml:1: initial.model: means nothing beside initial.file"},
            {"integrator.step", "acceleration", "needs a solver.softening"},
            {"initial.king_w0", "5",
             "set initial.king_w0=5: initial.king_w0: means nothing for the "
             "model plummer"},
            {"integrator.step", "block",
             "set integrator.step=block: integrator.step: block needs "
             "integrator.scheme: hermite"},
            {"integrator.iterations", "2",
             "integrator.iterations: means nothing for the scheme leapfrog"},
            {"output.snapshot.interval", "1e-9", "less than a millionth"},
            {"output.snapshot.times", "[1]",
             "output.snapshot.interval is there too"},
            {"output.log.interval", "1", "output.log.steps is there too"},
            {"output.directory", "",
             "set output.directory=: output.directory: is empty"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_parameters *p = parsed(base);
        assert_ok(context, koshu_parameters_check(p));
        assert_ok(context, koshu_parameters_set(p, bad[k].key, bad[k].value));
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_parameters_check(p));
        koshu_parameters_destroy(p);
    }
    struct koshu_parameters *p = parsed(base);
    assert_ok(context, koshu_parameters_set(p, "solver.fast", "true"));
    assert_ok(context, koshu_parameters_check(p));
    assert_ok(context, koshu_parameters_set(p, "solver.precision", "double"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "solver.fast",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
    p = parsed(base);
    assert_ok(context, koshu_parameters_set(p, "integrator.scheme", "hermite"));
    assert_ok(context, koshu_parameters_check(p));
    assert_ok(context,
              koshu_parameters_set(p, "integrator.step", "acceleration"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "acceleration is leapfrog's",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
}

static void
missing_keys_are_named(void **state)
{
    (void)state;
    struct koshu_parameters *p = fresh();
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "initial.model is missing",
                 koshu_parameters_check(p));
    assert_ok(context, koshu_parameters_set(p, "initial.model", "two-body"));
    assert_int_equal(koshu_parameters_values(p)->initial.n, 2);
    assert_ok(context, koshu_parameters_set(p, "initial.model", "cube"));
    assert_int_equal(koshu_parameters_values(p)->initial.n, 16384);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "solver.softening is missing: expected a number >= 0, for "
                 "example solver.softening=1/64",
                 koshu_parameters_check(p));
    assert_ok(context, koshu_parameters_set(p, "solver.softening", "0"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "integrator.end is missing",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
}

/* What is kept in snapshots says what was simulated, not where; read again
 * it gives the same text. */
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
                              "  method: direct\n"
                              "  precision: mixed\n"
                              "  softening: 1/64\n"
                              "  fast: false\n"
                              "integrator:\n"
                              "  scheme: leapfrog\n"
                              "  step: fixed\n"
                              "  dt: -1/256\n"
                              "  eta: 0.1\n"
                              "  end: -1\n"
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

/* The forces and the steps of a run are the same where a later koshu has other
 * defaults: its text names all that are in force, and is no worse a file. */
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

static void
conflicts_of_a_restart_are_found(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole), *q = parsed(whole);
    const char *a, *b;
    assert_ok(context, koshu_parameters_set(q, "solver.softening", "0.015625"));
    assert_ok(context, koshu_parameters_set(q, "integrator.end", "-2"));
    assert_ok(context, koshu_parameters_set(q, "run.threads", "1"));
    assert_null(koshu_parameters_conflict(p, q, false, &a, &b));
    assert_ok(context, koshu_parameters_set(q, "solver.precision", "double"));
    const struct koshu_key *key =
            koshu_parameters_conflict(p, q, false, &a, &b);
    assert_string_equal(key->path, "solver.precision");
    assert_string_equal(a, "mixed");
    assert_string_equal(b, "double");
    assert_null(koshu_parameters_conflict(p, q, true, &a, &b));
    assert_ok(context, koshu_parameters_set(q, "initial.n", "101"));
    key = koshu_parameters_conflict(p, q, true, &a, &b);
    assert_string_equal(key->path, "initial.n");
    koshu_parameters_destroy(p);
    koshu_parameters_destroy(q);
}

/* Files that someone has mangled: refused with a message, or taken; never a
 * crash, an endless loop or a leak (the sanitizers look on). */
static void
mangled_files_do_no_harm(void **state)
{
    (void)state;
    static const char spice[] = ":{}[],&*!|>'\"%@`#-?~ \n\t<\\01a";
    struct koshu_parameters *p = fresh();
    uint64_t random = 1;
    int refused = 0;
    for (int k = 0; k < 3000; k++) {
        char text[sizeof whole];
        memcpy(text, whole, sizeof whole);
        for (int slips = 0; slips < 1 + k % 3; slips++) {
            /* Knuth's MMIX generator */
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t at = (random >> 33) % (sizeof whole - 1);
            text[at] = spice[(random >> 20) % (sizeof spice - 1)];
        }
        koshu_status status = koshu_parameters_parse(p, "mangled", text);
        assert_true(status == KOSHU_OK || status == KOSHU_ERROR_BAD_INPUT);
        if (status == KOSHU_OK) continue;
        refused++;
        assert_non_null(strstr(koshu_context_message(context), "mangled"));
    }
    assert_true(refused > 1000);
    koshu_parameters_destroy(p);
}

/* An alias that contains itself ends where the table of keys ends. */
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

/* n times a text between two others. */
static char *
repeated(const char *begin, const char *word, size_t n, const char *end)
{
    const size_t length = strlen(word);
    char *text = calloc(strlen(begin) + n * length + strlen(end) + 1, 1);
    assert_non_null(text);
    char *at = stpcpy(text, begin);
    for (size_t k = 0; k < n; k++) at = stpcpy(at, word);
    strcpy(at, end);
    return text;
}

/* Texts that take libyaml or koshu a time that grows with the square of their
 * lengths, hours for the longest: refused for what they are, before. */
static void
texts_without_end_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *word;
        size_t n;
        const char *end, *message;
    } bad[] = {
            {"initial:\n  ", "[", 500000, "\n",
             "run.yaml:2: sections and lists"},
            {"initial: ", "{a: ", 100000, "1",
             "run.yaml:1: sections and lists"},
            {"a:\n", "- ", 100000, "x\n", "run.yaml:2: sections and lists"},
            {"", "? ", 100000, "x\n", "run.yaml:1: sections and lists"},
            {"a: [", "b,\n", 20000, "b]\n", "run.yaml:19998: more than 20000"},
            {"", "k: 1\n", 100000, "", "run.yaml:10000: more than 20000"},
            {"a: &b [x]\nc: [", "*b, ", 30000, "*b]\n",
             "run.yaml:2: more than 20000"},
            {"", "%TAG !a! tag:x,1:\n", 40000, "---\na: b\n",
             "run.yaml:1: a parameter file has no %TAG"},
            {"title: ", "x", 1 << 20, "", "a parameter file has at most"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_parameters *p = fresh();
        char *text = repeated(bad[k].begin, bad[k].word, bad[k].n, bad[k].end);
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_parameters_parse(p, "run.yaml", text));
        free(text);
        koshu_parameters_destroy(p);
    }
    /* as much as there may be */
    char *text = repeated("output: {snapshot: {times: [", "1, ", 19000, "1]}}");
    koshu_parameters_destroy(parsed(text));
    free(text);
}

static void
files_are_read_or_refused(void **state)
{
    (void)state;
    struct koshu_parameters *p = fresh();
    scratch_enter();
    scratch_write("run.yaml", whole, sizeof whole - 1);
    scratch_write("zero.yaml", "title: a\0b\n", 11);
    scratch_write("hash.yaml", "# nothing\n", 10);
    assert_ok(context, koshu_parameters_read(p, "run.yaml"));
    assert_int_equal(koshu_parameters_values(p)->initial.n, 100);
    assert_ok(context, koshu_parameters_read(p, "hash.yaml"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "zero.yaml, byte 8: a zero byte",
                 koshu_parameters_read(p, "zero.yaml"));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "none.yaml",
                 koshu_parameters_read(p, "none.yaml"));
    scratch_leave();
    koshu_parameters_destroy(p);
    koshu_parameters_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_tilde_is_the_home_directory),
            cmocka_unit_test(variables_are_refused),
            cmocka_unit_test(a_stop_file_lies_in_the_output_directory),
            cmocka_unit_test(a_file_is_taken_over_the_defaults),
            cmocka_unit_test(defaults_agree_with_the_modules),
            cmocka_unit_test(defaults_follow_the_scheme),
            cmocka_unit_test(conflicts_are_of_values_in_force),
            cmocka_unit_test(each_mistake_is_named_with_its_line),
            cmocka_unit_test(a_refused_file_changes_nothing),
            cmocka_unit_test(settings_go_over_the_file),
            cmocka_unit_test(bad_settings_are_refused_alike),
            cmocka_unit_test(values_that_do_not_go_together_are_refused),
            cmocka_unit_test(missing_keys_are_named),
            cmocka_unit_test(the_text_is_canonical),
            cmocka_unit_test(the_text_holds_the_defaults_in_force),
            cmocka_unit_test(conflicts_of_a_restart_are_found),
            cmocka_unit_test(mangled_files_do_no_harm),
            cmocka_unit_test(aliases_are_followed),
            cmocka_unit_test(texts_without_end_are_refused),
            cmocka_unit_test(files_are_read_or_refused),
    };
    context = test_context("ref", 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    return failed;
}
