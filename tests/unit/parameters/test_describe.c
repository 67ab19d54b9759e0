/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parameters/parameters.h"

/* The printed file is itself a parameter file and states the defaults. */
static void
the_template_is_a_parameter_file(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("ref", 1);
    struct koshu_parameters *p, *defaults;
    assert_ok(context, koshu_parameters_create(context, &defaults));
    assert_ok(context, koshu_parameters_create(context, &p));
    char *text = koshu_parameters_template();
    assert_non_null(text);
    assert_ok(context, koshu_parameters_parse(p, "template", text));
    assert_ok(context, koshu_parameters_check(p));
    const char *a, *b;
    assert_null(koshu_parameters_conflict(defaults, p, false, &a, &b));
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        assert_non_null(strstr(text, koshu_key_name(koshu_keys[k].path)));
    free(text);
    koshu_parameters_destroy(p);
    koshu_parameters_destroy(defaults);
    koshu_context_destroy(context);
}

static void
lines_fit_a_terminal(void **state)
{
    (void)state;
    char *text = koshu_parameters_template();
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > 80) fail_msg("longer than 80: %s", line);
    free(text);
}

static void
the_page_has_every_key(void **state)
{
    (void)state;
    char *page = koshu_parameters_markdown();
    assert_non_null(page);
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        char cell[128];
        snprintf(cell, sizeof cell, "| `%s` |", koshu_keys[k].path);
        assert_non_null(strstr(page, cell));
    }
    assert_non_null(strstr(page, "`solver.walk`: now `solver.traversal`"));
    assert_non_null(strstr(page, "the smallest sqrt(eps/\\|a\\|), at most dt"));
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        int bars = 0;
        for (char *c = line; *c; c++)
            bars += *c == '|' && (c == line || c[-1] != '\\');
        assert_true(bars == 0 || bars == 6); /* five cells */
    }
    free(page);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_template_is_a_parameter_file),
            cmocka_unit_test(lines_fit_a_terminal),
            cmocka_unit_test(the_page_has_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
