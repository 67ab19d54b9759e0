/* SPDX-License-Identifier: MIT */
/* The table of keys: complete, without duplicates, each key where it is
 * declared. */
#include <string.h>

#include "check.h"
#include "parameters/parameters.h"

static void
the_table_is_whole(void **state)
{
    (void)state;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        assert_non_null(key->path);
        assert_non_null(key->value);
        assert_true(strlen(key->meaning) > 10);
        assert_int_equal(koshu_key_find(key->path), k); /* no duplicates */
        assert_int_equal(koshu_section_find(key->path), -1);
        assert_true(key->choice || key->type != KOSHU_KEY_CHOICE);
    }
    assert_int_equal(koshu_key_find("solver.softning"), -1);
}

static void
every_key_is_in_a_section(void **state)
{
    (void)state;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        char section[64];
        const char *path = koshu_keys[k].path;
        size_t length = koshu_key_section_length(path);
        snprintf(section, sizeof section, "%.*s", (int)length, path);
        assert_true(length == 0 || koshu_section_find(section) >= 0);
        assert_true(koshu_key_is_below(path, section));
        assert_false(koshu_key_is_below(path, "sol"));
    }
}

/* Two keys stored at one place of the struct would overwrite each other. */
static void
no_two_keys_share_a_place(void **state)
{
    (void)state;
    for (int a = 0; a < KOSHU_N_KEYS; a++)
        for (int b = 0; b < a; b++)
            assert_true(koshu_keys[a].offset != koshu_keys[b].offset);
}

static void
expectations_say_type_and_range(void **state)
{
    (void)state;
    static const struct {
        const char *path, *words;
    } known[] = {
            {"initial.n", "a whole number >= 1"},
            {"initial.mass_fraction", "a number in (0, 1]"},
            {"initial.eccentricity", "a number in [0, 1)"},
            {"integrator.dt",
             "a number, not 0, with or without a unit of time"},
            {"integrator.eta", "a number > 0"},
            {"checkpoint.interval",
             "a number >= 0, with or without a unit of time"},
            {"initial.virial_ratio", "a number >= 0"},
            {"units.mass", "a unit of mass"},
            {"solver.precision", "one of single, mixed, double"},
            {"solver.method", "one of direct, tree, fmm, interaction, auto"},
            {"solver.fast", "true or false"},
            {"title", "a text"},
            {"output.snapshot.times",
             "a list of numbers, [0, 1, 5/2], with or without a unit of time"},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char text[256];
        koshu_key_expectation(&koshu_keys[koshu_key_find(known[k].path)], text,
                              sizeof text);
        assert_string_equal(text, known[k].words);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_table_is_whole),
            cmocka_unit_test(every_key_is_in_a_section),
            cmocka_unit_test(no_two_keys_share_a_place),
            cmocka_unit_test(expectations_say_type_and_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
