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
static int warnings;

static void
count_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)message;
    warnings += level == KOSHU_LOG_LEVEL_WARNING;
}

static const char header[] =
        "step,time,kinetic,potential,total,energy_error,virial_ratio,"
        "px,py,pz,lx,ly,lz,cx,cy,cz,r01,r05,r10,r25,r50,r75,r90\n";

static struct koshu_csv_log_file
the_log(void)
{
    return (struct koshu_csv_log_file){.context = context,
                                       .path = "energy.csv",
                                       .header = koshu_energy_header};
}

static struct koshu_csv_log *
created(void)
{
    const struct koshu_csv_log_file file = the_log();
    struct koshu_csv_log *log;
    assert_ok(context, koshu_csv_log_create(&file, &log));
    return log;
}

/* Opens the log to continue after that step. */
static struct koshu_csv_log *
opened(uint64_t step)
{
    const struct koshu_csv_log_file file = the_log();
    struct koshu_csv_log *log;
    assert_ok(context, koshu_csv_log_open(&file, step, &log));
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
                                          1.0 / 3, 0, 0, &some));
}

static const char row_of_step_8[] =
        "8,0.8,0.25,-0.5,-0.25,0.3333333333333333,0.1,1,2,3,0,0,0,0,0,0,"
        "1e-300,0,0,0,0,0,0\n";

static void
rows_are_shortest_and_exact(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = created();
    add_rows(log, 8, 8);
    koshu_csv_log_close(log);
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", header, row_of_step_8);
    scratch_expect("energy.csv", expected);
    scratch_leave();
}

/* A comma in a name would add a column. */
static void
rows_are_the_same_in_every_locale(void **state)
{
    (void)state;
    locale_comma();
    scratch_enter();
    struct koshu_csv_log *log = created();
    add_rows(log, 8, 8);
    koshu_csv_log_close(log);
    setlocale(LC_NUMERIC, "C");
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", header, row_of_step_8);
    scratch_expect("energy.csv", expected);
    scratch_leave();
}

/* A restart truncates a log to the bytes it had at that step. */
static void
rows_after_a_step_are_cut(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = created();
    add_rows(log, 0, 40);
    koshu_csv_log_close(log);
    size_t n, m;
    unsigned char *before = scratch_read("energy.csv", &n);

    log = opened(17); /* rows 0, 8, 16 stay */
    assert_int_equal(koshu_csv_log_count(log), 3);
    free(scratch_read("energy.csv", &m));
    assert_int_equal(m, n); /* nothing is changed yet */
    assert_ok(context, koshu_csv_log_cut(log));
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
    struct koshu_csv_log *log = opened(100);
    assert_int_equal(koshu_csv_log_count(log), 1);
    assert_ok(context, koshu_csv_log_cut(log));
    koshu_csv_log_close(log);
    snprintf(text, sizeof text, "%s8,1,2\n", header);
    scratch_expect("energy.csv", text);
    scratch_leave();
}

static void
a_missing_log_is_missed(void **state)
{
    (void)state;
    const struct koshu_csv_log_file file = the_log();
    struct koshu_csv_log *log;
    scratch_enter();
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "'energy.csv' is missing",
                 koshu_csv_log_open(&file, 100, &log));
    assert_null(log);
    assert_int_equal(scratch_count(), 0);
    assert_int_equal(koshu_csv_log_count(NULL), 0);
    koshu_csv_log_close(NULL);
    /* empty, as after a crash */
    scratch_write("energy.csv", "", 0);
    log = opened(100);
    assert_int_equal(koshu_csv_log_count(log), 0);
    assert_ok(context, koshu_csv_log_cut(log));
    koshu_csv_log_close(log);
    scratch_expect("energy.csv", header);
    scratch_leave();
}

static void
what_is_no_log_is_left_alone(void **state)
{
    (void)state;
    struct koshu_csv_log_file file = the_log();
    struct koshu_csv_log *log;
    scratch_enter();
    scratch_write("energy.csv", "a,b\n1,2\n", 8);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "move it away",
                 koshu_csv_log_open(&file, 0, &log));
    assert_null(log);
    scratch_expect("energy.csv", "a,b\n1,2\n");
    file.path = "none/energy.csv";
    assert_fails(context, KOSHU_ERROR_IO, "none/energy.csv",
                 koshu_csv_log_create(&file, &log));
    scratch_leave();
}

/* ---- changes by other programs ------------------------------------------- */

/* Writes three rows and does `harm` after the first; counts warnings. */
static void
write_through(void (*harm)(void))
{
    struct koshu_csv_log *log = created();
    warnings = 0;
    add_rows(log, 8, 8);
    harm();
    add_rows(log, 16, 24);
    assert_ok(context, koshu_csv_log_sync(log));
    koshu_csv_log_close(log);
}

static void
nothing(void)
{
}

static void
remove_log(void)
{
    assert_int_equal(unlink("energy.csv"), 0);
}

static void
move_log(void)
{
    assert_int_equal(rename("energy.csv", "moved.csv"), 0);
}

static void
replace_log(void)
{
    scratch_write("new.csv", "mine\n", 5);
    assert_int_equal(rename("new.csv", "energy.csv"), 0);
}

static void
cut_log(void)
{
    assert_int_equal(truncate("energy.csv", 0), 0);
}

static void
a_log_that_is_gone_is_written_again(void **state)
{
    (void)state;
    void (*const harm[])(void) = {remove_log, move_log, replace_log};
    size_t n;
    scratch_enter();
    write_through(nothing);
    assert_int_equal(warnings, 0);
    unsigned char *whole = scratch_read("energy.csv", &n);
    scratch_leave();
    for (int k = 0; k < 3; k++) {
        scratch_enter();
        scratch_write("energy.csv.1", "taken", 5);
        write_through(harm[k]);
        assert_int_equal(warnings, 1);
        scratch_expect("energy.csv", (char *)whole);
        scratch_expect("energy.csv.1", "taken");
        if (harm[k] == replace_log) scratch_expect("energy.csv.2", "mine\n");
        scratch_leave();
    }
    free(whole);
}

/* Also if no further row follows. */
static void
a_log_is_there_when_it_is_synced(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = created();
    remove_log();
    assert_ok(context, koshu_csv_log_sync(log));
    scratch_expect("energy.csv", header);
    koshu_csv_log_close(log);
    scratch_leave();
}

static void
rows_that_were_cut_off_are_missed(void **state)
{
    (void)state;
    scratch_enter();
    write_through(cut_log);
    assert_int_equal(warnings, 1);
    struct koshu_csv_log *log = opened(24);
    assert_int_equal(koshu_csv_log_count(log), 2); /* of three */
    koshu_csv_log_close(log);
    scratch_leave();
}

/* The file may not grow by a whole row: no partial row remains. */
static void
a_row_that_does_not_fit_leaves_nothing(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_csv_log *log = created();
    struct rlimit old, few = {sizeof header + 20, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    few.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    koshu_status status = koshu_energy_log_append(log, 8, 1, 0, 0, 0, &some);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, KOSHU_ERROR_IO);
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
            cmocka_unit_test(a_missing_log_is_missed),
            cmocka_unit_test(what_is_no_log_is_left_alone),
            cmocka_unit_test(a_log_that_is_gone_is_written_again),
            cmocka_unit_test(a_log_is_there_when_it_is_synced),
            cmocka_unit_test(rows_that_were_cut_off_are_missed),
            cmocka_unit_test(a_row_that_does_not_fit_leaves_nothing),
    };
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = 1;
    options.log = count_warning;
    if (koshu_context_create(&options, &context) != KOSHU_OK) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    return failed;
}
