/* SPDX-License-Identifier: MIT */
/* Settings from the environment. */
#include <math.h>

#include "grape.h"

static char last_line[512];
static int n_lines;

static void
keep(void *user, const char *line)
{
    assert_ptr_equal(user, &n_lines);
    snprintf(last_line, sizeof last_line, "%s", line);
    n_lines++;
}

static int
listen(void **state)
{
    n_lines = 0;
    last_line[0] = '\0';
    koshu_g6_set_handler(keep, &n_lines);
    return grape_open(state);
}

static void
pipelines(void **state)
{
    (void)state;
    assert_int_equal(g6_npipes(), 48);
    assert_int_equal(g6_open(0), 0);
    assert_int_equal(g6_npipes(), 48);
    setenv("KOSHU_G6_NPIPES", "2048", 1);
    assert_int_equal(g6_npipes(), 48); /* unchanged while a cluster is open */
    g6_close(0);
    assert_int_equal(g6_open(0), 0);
    assert_int_equal(g6_npipes(), 2048);
    g6_close(0);
    setenv("KOSHU_G6_NPIPES", "", 1); /* empty means not set */
    assert_int_equal(g6_open(0), 0);
    assert_int_equal(g6_npipes(), 48);
    assert_int_equal(n_lines, 0);
}

static void
impossible_values_are_named(void **state)
{
    (void)state;
    const char *const wrong[][3] = {
            {"KOSHU_G6_BACKEND", "gpu", "auto, cpu, cuda or ref"},
            {"KOSHU_G6_PRECISION", "quad", "single, mixed or double"},
            {"KOSHU_G6_THREADS", "-1", "a number from 0"},
            {"KOSHU_G6_THREADS", "4097", "from 0 to 4096"},
            {"KOSHU_G6_NPIPES", "0", "a number from 1"},
            {"KOSHU_G6_NPIPES", "48x", "a number from 1"},
            {"KOSHU_G6_NPIPES", "99999999999999999999", "a number from 1"},
            {"KOSHU_G6_CLUSTERS", "65", "from 1 to 64"},
            {"KOSHU_G6_VERBOSE", "yes", "from 0 to 1"},
    };
    struct grape_i i = grape_i_make(1);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        struct grape_result r = grape_result_make(1);
        char expected[64];
        snprintf(expected, sizeof expected, "%s=%s: expected", wrong[k][0],
                 wrong[k][1]);
        setenv(wrong[k][0], wrong[k][1], 1);
        n_lines = 0;
        assert_int_equal(g6_open(0), -1);
        assert_int_equal(n_lines, 1);
        assert_non_null(strstr(last_line, expected));
        assert_non_null(strstr(last_line, wrong[k][2]));
        /* the size for which clients allocate buffers */
        assert_int_equal(g6_npipes(), 48);
        r.pot[0] = 0;
        assert_int_equal(g6calc_lasthalf(0, 0, 1, i.index, i.x, i.v, 0, i.h2,
                                         r.acc, r.jerk, r.pot),
                         -1);
        assert_true(isnan(r.pot[0]));
        unsetenv(wrong[k][0]);
        setenv("KOSHU_G6_BACKEND", "ref", 1);
        assert_int_equal(g6_open(0), 0); /* opens all the same */
        g6_close(0);
        grape_result_free(&r);
    }
    grape_i_free(&i);
}

/* An error that is not the backend's fault. */
static void
impossible_devices_are_named(void **state)
{
    (void)state;
    setenv("KOSHU_DEVICES", "x", 1);
    assert_int_equal(g6_open(0), -1);
    assert_non_null(strstr(last_line, "KOSHU_DEVICES=x"));
    unsetenv("KOSHU_DEVICES");
    setenv("KOSHU_EXCHANGE", "y", 1);
    assert_int_equal(g6_open(0), -1);
    assert_non_null(strstr(last_line, "KOSHU_EXCHANGE=y"));
    unsetenv("KOSHU_EXCHANGE");
    assert_int_equal(g6_open(0), 0);
}

static void
says_what_it_opens(void **state)
{
    (void)state;
    setenv("KOSHU_G6_VERBOSE", "1", 1);
    assert_int_equal(g6_open(0), 0);
    assert_string_equal(last_line, "cluster 0: ref, scalar double precision, 1 "
                                   "thread, double precision, 48 pipelines");
}

/* Sums in each precision, with the errors stated in koshu/j_store.h. Uses the
 * default backend, which reports a precision it lacks. */
static void
each_precision(void **state)
{
    (void)state;
    enum { NJ = 300, NI = 20 };
    const struct {
        const char *name;
        double max;
    } precision[] = {
            /* positions of order 1, rounded to 6e-8, are 0.1 or more apart */
            {"single", 1e-5},
            /* 2e-8 and 2e-6 of the particle's own force, rms */
            {"mixed", 1e-6},
            {"double", GRAPE_ROUNDING},
            {"", 1e-6}, /* mixed */
    };
    struct grape_j *j = grape_j_make(NJ);
    struct grape_i i = grape_i_make(NI);
    struct grape_result got = grape_result_make(NI),
                        expected = grape_result_make(NI);
    grape_expect(j, NJ, 0.125, &i, 0.01, &expected);
    unsetenv("KOSHU_G6_BACKEND");
    for (int k = 0; k < 4; k++) {
        setenv("KOSHU_G6_PRECISION", precision[k].name, 1);
        assert_int_equal(g6_open(0), 0);
        grape_send(0, j, NJ);
        g6_set_ti(0, 0.125);
        grape_sum(0, NJ, &i, 0.01, &got);
        assert_near(grape_difference(&got, &expected, NI), 0.0,
                    precision[k].max);
        g6_close(0);
    }
    free(j);
    grape_i_free(&i);
    grape_result_free(&got);
    grape_result_free(&expected);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, grape_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(pipelines),
            TEST(impossible_values_are_named),
            TEST(impossible_devices_are_named),
            TEST(says_what_it_opens),
            TEST(each_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
