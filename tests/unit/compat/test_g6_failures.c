/* SPDX-License-Identifier: MIT */
/* Failures: one message line, return value -1, and NaN instead of forces. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grape.h"

enum { NJ = 5, NI = 2 };

static char last_line[512];
static int n_lines;

static void
keep(void *user, const char *line)
{
    (void)user;
    snprintf(last_line, sizeof last_line, "%s", line);
    n_lines++;
}

static int
listen(void **state)
{
    n_lines = 0;
    last_line[0] = '\0';
    koshu_g6_set_handler(keep, NULL);
    return grape_open(state);
}

/* g6calc_lasthalf2() with these arguments must fail with this message. */
static void
assert_no_forces(int nj, int ni, double eps2, const char *words)
{
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    for (int k = 0; k < NI; k++) {
        for (int d = 0; d < 3; d++) r.acc[k][d] = r.jerk[k][d] = 1;
        r.pot[k] = 1;
    }
    n_lines = 0;
    assert_int_equal(g6calc_firsthalf(0, nj, ni, i.index, i.x, i.v, NULL, NULL,
                                      NULL, eps2, i.h2),
                     -1);
    assert_int_equal(n_lines, 1);
    assert_non_null(strstr(last_line, words));
    assert_non_null(strstr(last_line, "cluster 0: "));
    assert_int_equal(g6calc_lasthalf2(0, nj, ni, i.index, i.x, i.v, eps2, i.h2,
                                      r.acc, r.jerk, r.pot, r.nearest),
                     -1);
    assert_non_null(strstr(last_line, words));
    for (int k = 0; k < ni; k++) {
        for (int d = 0; d < 3; d++)
            assert_true(isnan(r.acc[k][d]) && isnan(r.jerk[k][d]));
        assert_true(isnan(r.pot[k]));
        assert_int_equal(r.nearest[k], -1);
    }
    grape_i_free(&i);
    grape_result_free(&r);
}

static void
impossible_arguments(void **state)
{
    (void)state;
    struct grape_j *j = grape_j_make(NJ);
    double zero[3] = {0};
    grape_send(0, j, NJ);
    assert_no_forces(-1, NI, 0.01, "-1 j-particles on 2 i-particles");
    assert_no_forces(NJ, INT_MIN, 0.01, "i-particles: a number cannot be");
    assert_no_forces(NJ, NI, -1e-30, "eps2 = -1e-30");
    assert_no_forces(NJ, NI, NAN, "eps2 = nan");
    assert_no_forces(NJ, NI, INFINITY, "g6calc_");
    g6_set_ti(0, NAN);
    assert_no_forces(NJ, NI, 0.01, "time");
    g6_set_ti(0, 0);
    assert_int_equal(
            g6_set_j_particle(0, -1, 0, 0, 0, 1, zero, zero, zero, zero, zero),
            -1);
    assert_non_null(strstr(last_line, "address -1"));
    assert_int_equal(g6_setup_njdata(0, -1), -1);
    assert_non_null(strstr(last_line, "-1 j-particles"));
    /* the failure has no lasting effect */
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    grape_sum(0, NJ, &i, 0.01, &r);
    grape_i_free(&i);
    grape_result_free(&r);
    free(j);
}

/* The size of memory, here 64 MiB, is checked before it is allocated. */
static void
too_little_memory(void **state)
{
    (void)state;
    double zero[3] = {0}, x[3] = {1, 2, 3};
    struct grape_j *j = grape_j_make(NJ);
    setenv("KOSHU_MEMORY", "64M", 1);
    grape_send(0, j, NJ);
    assert_int_equal(g6_set_j_particle(0, 2000000000, 0, 0, 0, 1, zero, zero,
                                       zero, zero, x),
                     -1);
    assert_non_null(strstr(last_line, "a store of 2000000001 j-particles"));
    assert_non_null(strstr(last_line, "and KOSHU_MEMORY has 0.0"));
    assert_int_equal(g6_setup_njdata(0, INT_MAX), -1);
    assert_non_null(strstr(last_line, "GiB of memory needed"));
    assert_no_forces(INT_MAX, NI, 0.01, "GiB of memory needed");
    /* whatever fitted is still there, and nothing else */
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI),
                        expected = grape_result_make(NI);
    grape_sum(0, NJ, &i, 0.01, &r);
    grape_expect(j, NJ, 0, &i, 0.01, &expected);
    assert_near(grape_difference(&r, &expected, NI), 0.0, GRAPE_ROUNDING);
    unsetenv("KOSHU_MEMORY");
    grape_i_free(&i);
    grape_result_free(&r);
    grape_result_free(&expected);
    free(j);
}

enum { MANY = 600 }; /* enough pairs for two threads */

/* The return value of a sum. */
static int
sum_of_many(void)
{
    struct grape_i i = grape_i_make(MANY);
    struct grape_result r = grape_result_make(MANY);
    int failed = g6calc_lasthalf(0, MANY, MANY, i.index, i.x, i.v, 0.01, i.h2,
                                 r.acc, r.jerk, r.pot);
    failed = isnan(r.pot[0]) ? -1 : failed;
    grape_i_free(&i);
    grape_result_free(&r);
    return failed;
}

/* Children do not inherit the threads and must not wait for them. */
static void
children_of_fork(void **state)
{
    (void)state;
    setenv("KOSHU_G6_BACKEND", "cpu", 1);
    setenv("KOSHU_G6_THREADS", "2", 1);
    struct grape_j *j = grape_j_make(MANY);
    grape_send(0, j, MANY);
    assert_int_equal(sum_of_many(), 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(sum_of_many() == -1 && strstr(last_line, "child of one") ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(sum_of_many(), 0);
    free(j);
}

/* An i-particle that is not finite is reported; the others get their forces. */
static void
not_finite(void **state)
{
    (void)state;
    struct grape_j *j = grape_j_make(NJ);
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    grape_send(0, j, NJ);
    i.x[1][2] = NAN;
    assert_int_equal(g6calc_lasthalf2(0, NJ, NI, i.index, i.x, i.v, 0.01, i.h2,
                                      r.acc, r.jerk, r.pot, r.nearest),
                     -1);
    assert_non_null(strstr(last_line, "on i-particle 1 (index -2 at"));
    assert_true(isfinite(r.acc[0][0]) && r.nearest[0] >= 0);
    assert_true(isnan(r.acc[1][0]));
    grape_i_free(&i);
    grape_result_free(&r);
    free(j);
}

static void
arrays_that_are_null(void **state)
{
    (void)state;
    double x[3] = {1, 2, 3}, h2[1] = {0};
    int index[1] = {7}, length, list[1];
    double at[1][3] = {{0}}, got[2][3];
    assert_int_equal(
            g6_set_j_particle(0, 0, 1, 0, 0, 1, NULL, NULL, NULL, NULL, NULL),
            -1);
    assert_non_null(strstr(last_line, "the position is NULL"));
    assert_int_equal(
            g6_set_j_particle(0, 0, 1, 0, 0, 1, NULL, NULL, NULL, NULL, x), 0);
    assert_int_equal(g6calc_lasthalf2(0, 1, 1, NULL, at, at, 0, h2, NULL, NULL,
                                      NULL, NULL),
                     -1);
    assert_non_null(strstr(last_line, "i-particles is NULL"));
    assert_int_equal(g6calc_lasthalf2(0, 1, 1, index, at, at, 0, NULL, got,
                                      NULL, NULL, NULL),
                     0);
    assert_true(got[0][0] > 0);
    assert_int_equal(g6_get_neighbour_list(0, 0, 1, NULL, list), -1);
    assert_int_equal(g6_get_neighbour_list(0, 0, 1, &length, NULL), -1);
    assert_int_equal(g6_set_i_particle(0, 0, 1, NULL, NULL, 0, 0), -1);
    assert_int_equal(g6_set_i_particle(0, -1, 1, x, NULL, 0, 0), -1);
    assert_int_equal(g6_set_nip(0, -1), -1);
    assert_int_equal(g6_set_njp(0, -1), -1);
    assert_int_equal(g6_set_i_particle(0, 0, 1, x, NULL, 0, 0), 0);
    assert_int_equal(g6_set_i_particle(0, 1, 2, x, NULL, 1, 0), 0);
    assert_int_equal(g6_set_nip(0, 2), 0);
    got[0][0] = 7;
    assert_int_equal(g6_get_force(0, got, NULL, NULL, NULL), -1);
    assert_true(isnan(got[0][0]) && isnan(got[1][2]));
    assert_non_null(strstr(last_line, "have eps2 = 0 and 1"));
    assert_int_equal(g6_dump(NAN, 0, NULL, NULL, NULL), -1);
    assert_int_equal(g6_dump(1, 1, NULL, NULL, NULL), -1);
}

static void
no_lists_without_sums(void **state)
{
    (void)state;
    int list[1], length = 7;
    assert_int_equal(g6_open(0), 0);
    assert_int_equal(g6_read_neighbour_list(0), -1);
    assert_non_null(strstr(last_line, "there were no sums"));
    assert_int_equal(g6_get_neighbour_list(0, 0, 1, &length, list), -1);
    assert_int_equal(length, 0);
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    grape_sum(0, 0, &i, 0.01, &r);
    for (int pipe = -1; pipe <= NI; pipe += NI + 1) {
        assert_int_equal(g6_get_neighbour_list(0, pipe, 1, &length, list), -1);
        assert_non_null(strstr(last_line, "there were 2"));
    }
    assert_int_equal(g6_get_neighbour_list(0, 0, -1, &length, list), -1);
    grape_i_free(&i);
    grape_result_free(&r);
}

/* Collects what is written to stderr while f(arguments) runs. */
static void
catch_stderr(char *text, size_t size, void (*f)(void))
{
    int pipe_ends[2], terminal = dup(STDERR_FILENO);
    assert_int_equal(pipe(pipe_ends), 0);
    fflush(stderr);
    dup2(pipe_ends[1], STDERR_FILENO);
    f();
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    close(pipe_ends[1]);
    ssize_t n = read(pipe_ends[0], text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    close(pipe_ends[0]);
}

static void
fail_often(void)
{
    for (int k = 0; k < 100; k++) g6_setup_njdata(0, -1);
    for (int k = 0; k < 100; k++) g6_setup_njdata(0, -2);
}

static void
stderr_has_each_line_once(void **state)
{
    (void)state;
    char text[4096];
    koshu_g6_set_handler(NULL, NULL);
    catch_stderr(text, sizeof text, fail_often);
    assert_string_equal(
            text, "koshu-g6: cluster 0: g6_setup_njdata: -1 j-particles\n"
                  "koshu-g6: cluster 0: g6_setup_njdata: -2 j-particles\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, grape_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(impossible_arguments),      TEST(too_little_memory),
            TEST(children_of_fork),          TEST(not_finite),
            TEST(arrays_that_are_null),      TEST(no_lists_without_sums),
            TEST(stderr_has_each_line_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
