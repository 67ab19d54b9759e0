/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "locale_comma.h"
#include "scratch.h"
#include "simulation/simulation.h"

static struct koshu_context *context;

static const char header[] =
        "step,time,kinetic,potential,total,energy_error,virial_ratio,"
        "px,py,pz,lx,ly,lz,cx,cy,cz,r01,r05,r10,r25,r50,r75,r90\n";

static struct koshu_csv_log *
opened(bool keep, uint64_t step)
{
    struct koshu_csv_log *log;
    assert_ok(context,
              koshu_energy_log_open(context, "energy.csv", keep, step, &log));
    return log;
}

static const struct koshu_diagnostics some = {.kinetic = 0.25,
                                              .potential = -0.5,
                                              .total = -0.25,
                                              .virial_ratio = 0.1,
                                              .momentum = {1, 2, 3},
                                              .lagrangian_radius = {1e-300}};

static void
add_rows(struct koshu_csv_log *log, uint64_t first, uint64_t last)
{
    for (uint64_t step = first; step <= last; step += 8)
        assert_ok(context,
                  koshu_energy_log_append(log, step, 0.1 * (double)step,
                                          1.0 / 3, &some));
}

static const char row_of_step_8[] =
        "8,0.8,0.25,-0.5,-0.25,0.3333333333333333,0.1,1,2,3,0,0,0,0,0,0,"
        "1e-300,0,0,0,0,0,0\n";

static void
rows_are_shortest_and_exact(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = opened(false, 0);
    add_rows(log, 8, 8);
    koshu_csv_log_close(log);
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", header, row_of_step_8);
    scratch_expect("energy.csv", expected);
    scratch_leave();
}

/* A comma would be one more column. */
static void
rows_are_the_same_in_every_locale(void **state)
{
    (void)state;
    locale_comma();
    scratch_enter();
    struct koshu_csv_log *log = opened(false, 0);
    add_rows(log, 8, 8);
    koshu_csv_log_close(log);
    setlocale(LC_NUMERIC, "C");
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", header, row_of_step_8);
    scratch_expect("energy.csv", expected);
    scratch_leave();
}

/* What a restart makes of a log: the bytes that were there at that step. */
static void
rows_after_a_step_are_cut(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = opened(false, 0);
    add_rows(log, 0, 40);
    koshu_csv_log_close(log);
    size_t n, m;
    unsigned char *before = scratch_read("energy.csv", &n);

    log = opened(true, 17); /* rows 0, 8, 16 stay */
    unsigned char *cut = scratch_read("energy.csv", &m);
    assert_true(m < n);
    assert_memory_equal(before, cut, m);
    assert_null(strstr((char *)cut, "\n24,"));
    assert_non_null(strstr((char *)cut, "\n16,"));
    add_rows(log, 24, 40);
    koshu_csv_log_close(log);
    free(cut);
    unsigned char *after = scratch_read("energy.csv", &m);
    assert_int_equal(n, m);
    assert_memory_equal(before, after, n);
    free(before);
    free(after);
    scratch_leave();
}

static void
half_a_row_is_cut_too(void **state)
{
    (void)state;
    scratch_enter();
    char text[1024];
    snprintf(text, sizeof text, "%s8,1,2\n16,1,", header);
    scratch_write("energy.csv", text, strlen(text));
    koshu_csv_log_close(opened(true, 100));
    snprintf(text, sizeof text, "%s8,1,2\n", header);
    scratch_expect("energy.csv", text);
    scratch_leave();
}

static void
a_missing_log_begins_anew(void **state)
{
    (void)state;
    scratch_enter();
    koshu_csv_log_close(opened(true, 100));
    scratch_expect("energy.csv", header);
    koshu_csv_log_close(NULL);
    scratch_leave();
}

static void
what_is_no_log_is_left_alone(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log;
    scratch_write("energy.csv", "a,b\n1,2\n", 8);
    assert_fails(context, KOSHU_BAD_INPUT, "move it away",
                 koshu_energy_log_open(context, "energy.csv", true, 0, &log));
    assert_null(log);
    scratch_expect("energy.csv", "a,b\n1,2\n");
    assert_fails(
            context, KOSHU_IO, "none/energy.csv",
            koshu_energy_log_open(context, "none/energy.csv", true, 0, &log));
    scratch_leave();
}

static void
two_runs_do_not_share_a_log(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *first = opened(false, 0), *second;
    add_rows(first, 8, 8);
    assert_fails(
            context, KOSHU_BAD_INPUT, "another koshu is writing",
            koshu_energy_log_open(context, "energy.csv", false, 0, &second));
    koshu_csv_log_close(first);
    size_t n;
    unsigned char *bytes = scratch_read("energy.csv", &n);
    assert_true(n > sizeof header);
    free(bytes);
    scratch_leave();
}

/* The file may not grow by a whole row: none of it is left. */
static void
a_row_that_does_not_fit_leaves_nothing(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = opened(false, 0);
    struct rlimit old, few = {sizeof header + 20, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    few.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    koshu_status status = koshu_energy_log_append(log, 8, 1, 0, &some);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, KOSHU_IO);
    assert_non_null(strstr(koshu_context_message(context), "energy.csv"));
    scratch_expect("energy.csv", header);
    koshu_csv_log_close(log);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(rows_are_shortest_and_exact),
            cmocka_unit_test(rows_are_the_same_in_every_locale),
            cmocka_unit_test(rows_after_a_step_are_cut),
            cmocka_unit_test(half_a_row_is_cut_too),
            cmocka_unit_test(a_missing_log_begins_anew),
            cmocka_unit_test(what_is_no_log_is_left_alone),
            cmocka_unit_test(two_runs_do_not_share_a_log),
            cmocka_unit_test(a_row_that_does_not_fit_leaves_nothing),
    };
    context = test_context("ref", 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    return failed;
}
