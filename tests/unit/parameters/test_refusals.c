/* SPDX-License-Identifier: MIT */
/* Files and settings that are refused, and the message for each. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "integrate/integrate.h"
#include "parameters/parameters.h"
#include "scratch.h"
#include "parsed.h"

/* Writing out a default is not a change. */
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
             "accuracy, method, interaction, constants, precision, softening"},
            {"solver:\n  softening: soft\n",
             "run.yaml:2: solver.softening: expected a number >= 0, with or "
             "without a unit of length, got 'soft'"},
            {"solver:\n  softening: -1\n",
             "expected a number >= 0, with or without "
             "a unit of length, got '-1'"},
            {"solver:\n  softening: nan\n", "got 'nan'"},
            {"solver:\n  softening:\n", "expected a number >= 0, with or "
                                        "without a unit of length, got ''"},
            {"solver:\n  softening: [1]\n",
             "run.yaml:2: solver.softening: expected a number >= 0, with or "
             "without a unit of length, got a list"},
            {"initial:\n  n: 0\n", "expected a whole number >= 1, got '0'"},
            {"initial:\n  n: 1.5\n", "got '1.5'"},
            {"initial: {model: plumer}", "expected one of plummer, sphere"},
            {"solver: {fast: maybe}", "expected true or false, got 'maybe'"},
            {"run: {backend: gpu}", "one of auto, cpu, simd, cuda, ref"},
            {"output: {snapshot: {times: 3}}", "a list of numbers"},
            {"output:\n snapshot:\n  times:\n  - 1\n  - x\n",
             "run.yaml:3: output.snapshot.times: expected a list of numbers, "
             "[0, 1, 5/2], with or without a unit of time, got '[1, x]'"},
            {"output: {snapshot: {times: [[1]]}}", "itself a list"},
            {"title: a\n\ntitle: b\n",
             "run.yaml:3: title is given twice, first in line 1"},
            {"run: {threads: 1}\nrun: {threads: 2}\n",
             "run.yaml:2: run is given twice, first in line 1"},
            {"solver: fast\n",
             "run.yaml:1: solver: expected keys (accuracy, "
             "method, interaction, constants, precision, softening"},
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

/* A complete file, one more setting, and the resulting error. */
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
            {"integrator.end", "1 Myr",
             "set integrator.end=1 Myr: integrator.end: '1 Myr' has a unit, "
             "but the run is in Hénon units"},
            {"units.length", "pc",
             "units.length: 'pc': there is not a unit of "
             "mass"},
            {"integrator.step", "block",
             "set integrator.step=block: integrator.step: block needs "
             "integrator.scheme: hermite"},
            {"output.snapshot.interval", "1e-9", "less than a millionth"},
            {"output.snapshot.times", "[1]",
             "output.snapshot.interval is there too"},
            {"output.log.interval", "1", "output.log.steps is there too"},
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
    assert_ok(context,
              koshu_parameters_parse(p, "run.yaml", "output: {directory: ''}"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "run.yaml:1: output.directory: is empty",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
    p = parsed(base);
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
stars_that_lack_something_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *message;
    } bad[] = {
            {"initial.mass_function", "kroupa",
             "set initial.mass_function=kroupa: initial.mass_function: it has "
             "no limits: give initial.mass_min and initial.mass_max"},
            {"initial.mass_function", "table",
             "table needs initial.mass_table"},
            {"initial.binaries.fraction", "0.5",
             "periods of binaries are in days, but the run is in Hénon units"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_parameters *p = parsed("initial: {model: plummer}\n"
                                            "solver: {softening: 0}\n"
                                            "integrator: {end: 1}\n");
        assert_ok(context, koshu_parameters_set(p, bad[k].key, bad[k].value));
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_parameters_check(p));
        koshu_parameters_destroy(p);
    }
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
                 "solver.softening is missing: expected a number >= 0, with or "
                 "without a unit of length, for "
                 "example solver.softening=1/64",
                 koshu_parameters_check(p));
    assert_ok(context, koshu_parameters_set(p, "solver.softening", "0"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "integrator.end is missing",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
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

/* Randomly damaged files are refused with a message or accepted, but never
 * cause a crash, an endless loop or a leak (which the sanitizers would
 * report). */
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

/* A text repeated n times between two others. */
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

/* Texts that would take libyaml or koshu a time quadratic in their length,
 * hours for the longest: refused before that. */
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
    /* the most that is allowed */
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
            cmocka_unit_test(conflicts_are_of_values_in_force),
            cmocka_unit_test(each_mistake_is_named_with_its_line),
            cmocka_unit_test(a_refused_file_changes_nothing),
            cmocka_unit_test(bad_settings_are_refused_alike),
            cmocka_unit_test(values_that_do_not_go_together_are_refused),
            cmocka_unit_test(stars_that_lack_something_are_refused),
            cmocka_unit_test(missing_keys_are_named),
            cmocka_unit_test(conflicts_of_a_restart_are_found),
            cmocka_unit_test(mangled_files_do_no_harm),
            cmocka_unit_test(texts_without_end_are_refused),
            cmocka_unit_test(files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
