/* SPDX-License-Identifier: MIT */
/* Keys that have no effect beside others, and resetting keys. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "parameters/parameters.h"

enum { MAX_NOTES = 4 };

struct notes {
    int n;
    char text[MAX_NOTES][256];
};

static void
keep_note(void *user, enum koshu_log_level level, const char *message)
{
    struct notes *notes = user;
    assert_int_equal(level, KOSHU_LOG_LEVEL_WARNING);
    assert_true(notes->n < MAX_NOTES);
    snprintf(notes->text[notes->n++], sizeof notes->text[0], "%s", message);
}

static struct koshu_context *
listening(struct notes *notes)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *c;
    o.log = keep_note;
    o.log_user = notes;
    assert_int_equal(koshu_context_create(&o, &c), KOSHU_OK);
    return c;
}

static const char base[] = "initial: {model: king, king_w0: 5}\n"
                           "solver:\n"
                           "  method: tree\n"
                           "  theta: 0.4\n"
                           "  softening: 1/8\n"
                           "integrator: {end: 1}\n";

static struct koshu_parameters *
parsed(struct koshu_context *c)
{
    struct koshu_parameters *p;
    assert_ok(c, koshu_parameters_create(c, &p));
    assert_ok(c, koshu_parameters_parse(p, "run.yaml", base));
    return p;
}

/* Sets one key on top of the file; what is then reported as ignored? */
static void
keys_of_others_are_ignored_with_a_note(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *note;
    } over[] = {
            {"solver.softening", "1/4", NULL},
            {"solver.method", "direct",
             "run.yaml:4: solver.theta is ignored: it means nothing for the "
             "method direct"},
            {"solver.method", "auto",
             "run.yaml:4: solver.theta is ignored: solver.method: auto chooses "
             "it; name the method"},
            {"initial.model", "plummer",
             "run.yaml:1: initial.king_w0 is ignored: it means nothing for the "
             "model plummer"},
            {"integrator.iterations", "2",
             "set integrator.iterations=2: integrator.iterations is ignored: "
             "it means nothing for the scheme leapfrog"},
    };
    for (size_t k = 0; k < sizeof over / sizeof over[0]; k++) {
        struct notes notes = {0};
        struct koshu_context *c = listening(&notes);
        struct koshu_parameters *p = parsed(c);
        assert_ok(c, koshu_parameters_set(p, over[k].key, over[k].value));
        assert_int_equal(notes.n, 0);
        assert_ok(c, koshu_parameters_check(p));
        assert_int_equal(notes.n, over[k].note ? 1 : 0);
        if (over[k].note) assert_string_equal(notes.text[0], over[k].note);
        koshu_parameters_destroy(p);
        koshu_context_destroy(c);
    }
}

/* Keys for particles only; a flow's step is unaffected. */
static void
keys_of_particles_are_ignored_by_flows_with_a_note(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
    } over[] = {{"initial.n", "8"},
                {"stars.mass_table", "none.csv"},
                {"stars.escape_distance", "3"},
                {"external.fields", "[]"},
                {"integrator.scheme", "hermite"},
                {"integrator.coordinates", "comoving"},
                {"integrator.eta", "0.5"},
                {"domain.grid", "[2, 1, 1]"},
                {"output.log.cluster", "true"},
                {"output.errors.steps", "3"},
                {"output.snapshot.format", "tipsy"},
                {"output.snapshot.files", "2"},
                {"output.snapshot.redshifts", "[1]"}};
    for (size_t k = 0; k < sizeof over / sizeof over[0]; k++) {
        struct notes notes = {0};
        struct koshu_context *c = listening(&notes);
        struct koshu_parameters *p;
        char expected[256];
        const char *dt;
        assert_ok(c, koshu_parameters_create(c, &p));
        assert_ok(c, koshu_parameters_parse(p, "flow.yaml",
                                            "flow: {method: vortex}\n"
                                            "output: {log: {steps: 2}}\n"
                                            "integrator: {end: 1}\n"));
        assert_ok(c, koshu_parameters_set(p, over[k].key, over[k].value));
        assert_ok(c, koshu_parameters_check(p));
        snprintf(expected, sizeof expected,
                 "set %s=%s: %s is ignored: it means nothing for a flow "
                 "(flow.method)",
                 over[k].key, over[k].value, over[k].key);
        assert_int_equal(notes.n, 1);
        assert_string_equal(notes.text[0], expected);
        assert_ok(c, koshu_parameters_get(p, "integrator.dt", &dt));
        assert_string_equal(dt, "1/256");
        koshu_parameters_destroy(p);
        koshu_context_destroy(c);
    }
}

static void
an_empty_value_takes_a_key_back(void **state)
{
    (void)state;
    struct notes notes = {0};
    struct koshu_context *c = listening(&notes);
    struct koshu_parameters *p = parsed(c);
    const char *text;
    assert_ok(c, koshu_parameters_set(p, "solver.method", "direct"));
    assert_ok(c, koshu_parameters_set(p, "solver.theta", ""));
    assert_ok(c, koshu_parameters_check(p));
    assert_int_equal(notes.n, 0);
    assert_ok(c, koshu_parameters_get(p, "solver.theta", &text));
    assert_string_equal(text, "0.5");
    assert_ok(c, koshu_parameters_set(p, "integrator.scheme", "hermite"));
    assert_ok(c, koshu_parameters_set(p, "integrator.scheme", ""));
    assert_ok(c, koshu_parameters_get(p, "integrator.dt", &text));
    assert_string_equal(text, "1/256"); /* the leapfrog's again */
    assert_ok(c, koshu_parameters_set(p, "solver.softening", ""));
    assert_fails(c, KOSHU_ERROR_BAD_INPUT, "solver.softening is missing",
                 koshu_parameters_check(p));
    assert_fails(c, KOSHU_ERROR_BAD_INPUT, "unknown key 'solver.softning'",
                 koshu_parameters_set(p, "solver.softning", ""));
    koshu_parameters_destroy(p);
    koshu_context_destroy(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(keys_of_others_are_ignored_with_a_note),
            cmocka_unit_test(
                    keys_of_particles_are_ignored_by_flows_with_a_note),
            cmocka_unit_test(an_empty_value_takes_a_key_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
