/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "scratch.h"
#include "simulation/simulation.h"

static struct koshu_context *context;

static void
directories_are_made(void **state)
{
    (void)state;
    struct stat info;
    scratch_enter();
    assert_ok(context, koshu_output_make(context, "a/b/c"));
    assert_int_equal(stat("a/b/c", &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_ok(context, koshu_output_make(context, "a/b/c"));
    assert_ok(context, koshu_output_make(context, "."));
    scratch_write("file", "x", 1);
    assert_fails(context, KOSHU_IO, "file/sub",
                 koshu_output_make(context, "file/sub"));
    assert_int_equal(rmdir("a/b/c") + rmdir("a/b") + rmdir("a"), 0);
    scratch_leave();
}

static const char *const ours[] = {"energy.csv",         "snapshot_0000.hdf5",
                                   "snapshot_12345.csv", "checkpoint.hdf5",
                                   "checkpoint-12.hdf5", "checkpoint.new.hdf5",
                                   "errors.csv",         "performance.csv"};
static const char *const others[] = {
        "snapshot_1.hdf5",   "snapshot_0000",     "my_snapshot_0000.hdf5",
        "checkpoint.tar",    "checkpoints.hdf5",  "energy.csv.bak",
        "checkpoint-x.hdf5", "snapshot_0000.png", "snapshot_0000.hdf5.bak"};

static void
only_files_of_a_run_are_refused(void **state)
{
    (void)state;
    scratch_enter();
    assert_ok(context, koshu_output_refuse(context, "."));
    assert_ok(context, koshu_output_refuse(context, "not-there"));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        scratch_write(others[k], "x", 1);
    assert_ok(context, koshu_output_refuse(context, "."));
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
        scratch_write(ours[k], "x", 1);
        assert_fails(context, KOSHU_BAD_INPUT, ours[k],
                     koshu_output_refuse(context, "."));
        assert_int_equal(unlink(ours[k]), 0);
    }
    assert_fails(context, KOSHU_IO, "snapshot_0000",
                 koshu_output_refuse(context, "snapshot_0000"));
    scratch_leave();
}

static void
only_files_of_a_run_are_removed(void **state)
{
    (void)state;
    enum { N_OURS = sizeof ours / sizeof ours[0] };
    enum { N_OTHERS = sizeof others / sizeof others[0] };
    scratch_enter();
    for (size_t k = 0; k < N_OTHERS; k++) scratch_write(others[k], "x", 1);
    for (size_t k = 0; k < N_OURS; k++) scratch_write(ours[k], "x", 1);
    assert_ok(context, koshu_output_clear(context, "."));
    assert_int_equal(scratch_count(), N_OTHERS + 1); /* and the open log */
    scratch_expect("energy.csv", "x");
    scratch_leave();
}

static void
a_path_has_a_longest_length(void **state)
{
    (void)state;
    char directory[KOSHU_PATH_SIZE], path[KOSHU_PATH_SIZE];
    memset(directory, 'a', sizeof directory);
    directory[KOSHU_PATH_SIZE - 1] = '\0';
    assert_fails(context, KOSHU_BAD_INPUT, "output.directory",
                 koshu_output_path(context, directory, "x", path));
    assert_ok(context, koshu_output_path(context, "a", "b", path));
    assert_string_equal(path, "a/b");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(directories_are_made),
            cmocka_unit_test(only_files_of_a_run_are_refused),
            cmocka_unit_test(only_files_of_a_run_are_removed),
            cmocka_unit_test(a_path_has_a_longest_length),
    };
    context = test_context("ref", 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    return failed;
}
