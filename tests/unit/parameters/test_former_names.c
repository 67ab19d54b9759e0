/* SPDX-License-Identifier: MIT */
/* Keys under their names in earlier versions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parameters/parameters.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

struct warnings {
    int n;
    char last[256];
};

static void
count_warning(void *user, enum koshu_log_level level, const char *message)
{
    struct warnings *w = user;
    assert_int_equal(level, KOSHU_LOG_LEVEL_WARNING);
    snprintf(w->last, sizeof w->last, "%s", message);
    w->n++;
}

static struct koshu_context *
listening(struct warnings *warnings)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *c;
    o.log = count_warning;
    o.log_user = warnings;
    assert_int_equal(koshu_context_create(&o, &c), KOSHU_OK);
    return c;
}

static void
keys_of_koshu_0_1_are_read_with_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *former, *value, *now;
    } names[] = {
            {"solver.order", "monopole", "solver.multipole_order"},
            {"solver.criterion", "geometric", "solver.opening_criterion"},
            {"solver.curve", "hilbert", "solver.space_filling_curve"},
            {"solver.walk", "host", "solver.traversal"},
            {"solver.resort", "3", "solver.reorder"},
    };
    struct warnings heard = {0};
    struct koshu_context *c = listening(&heard);
    struct koshu_parameters *p, *copy;
    const char *text;
    char words[128], *kept;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        assert_ok(c, koshu_parameters_create(c, &p));
        assert_ok(c, koshu_parameters_set(p, names[k].former, names[k].value));
        assert_int_equal(heard.n, (int)k + 1);
        snprintf(words, sizeof words, "%s has been renamed to %s",
                 names[k].former, names[k].now);
        assert_non_null(strstr(heard.last, words));
        assert_ok(c, koshu_parameters_get(p, names[k].now, &text));
        assert_string_equal(text, names[k].value);
        /* it is written and copied under its new name, without a message */
        assert_ok(c, koshu_parameters_copy(c, p, &copy));
        assert_ok(c, koshu_parameters_text(copy, &kept));
        assert_non_null(strstr(kept, strchr(names[k].now, '.') + 1));
        assert_int_equal(heard.n, (int)k + 1);
        free(kept);
        koshu_parameters_destroy(copy);
        koshu_parameters_destroy(p);
    }
    koshu_context_destroy(c);
}

static void
a_file_has_the_former_name_or_the_new_one(void **state)
{
    (void)state;
    static const char *const both[] = {
            "solver:\n  walk: host\n  traversal: host\n",
            "solver:\n  traversal: host\n  walk: host\n"};
    struct koshu_parameters *p;
    assert_ok(context, koshu_parameters_create(context, &p));
    for (int k = 0; k < 2; k++)
        assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                     "run.yaml:3: solver.walk is the former name of "
                     "solver.traversal: both are given, in lines 2 and 3",
                     koshu_parameters_parse(p, "run.yaml", both[k]));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "solver.walk is given twice, first in line 2",
                 koshu_parameters_parse(
                         p, "x", "solver:\n  walk: host\n  walk: auto\n"));
    koshu_parameters_destroy(p);
}

static void
a_checkpoint_may_have_former_names(void **state)
{
    (void)state;
    struct warnings heard = {0};
    struct koshu_context *c = listening(&heard);
    struct koshu_parameters *p;
    const char *text;
    assert_ok(c, koshu_parameters_create(c, &p));
    assert_ok(c, koshu_parameters_parse_checkpoint(
                         p, "checkpoint.hdf5",
                         "solver: {method: tree, walk: host}\n"));
    assert_int_equal(heard.n, 0);
    assert_ok(c, koshu_parameters_get(p, "solver.traversal", &text));
    assert_string_equal(text, "host");
    koshu_parameters_destroy(p);
    koshu_context_destroy(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(keys_of_koshu_0_1_are_read_with_a_warning),
            cmocka_unit_test(a_file_has_the_former_name_or_the_new_one),
            cmocka_unit_test(a_checkpoint_may_have_former_names),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
