/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "scratch.h"
#include "simulation/simulation.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static void
directories_are_made(void **state)
{
    (void)state;
    struct stat info;
    size_t made;
    scratch_enter();
    assert_ok(context, koshu_output_make(context, "a/b/c", &made));
    assert_int_equal(made, 1);
    assert_int_equal(stat("a/b/c", &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_ok(context, koshu_output_make(context, "a/b/c", &made));
    assert_int_equal(made, 0);
    assert_ok(context, koshu_output_make(context, ".", &made));
    assert_int_equal(made, 0);
    scratch_write("file", "x", 1);
    assert_fails(context, KOSHU_ERROR_IO, "file/sub",
                 koshu_output_make(context, "file/sub", &made));
    scratch_write("a/b/c/file", "x", 1);
    koshu_output_unmake("a/b/c", 1);
    assert_int_equal(stat("a/b/c", &info), 0); /* not empty, so it stays */
    assert_int_equal(unlink("a/b/c/file"), 0);
    koshu_output_unmake("a/b//c/", 3);
    assert_int_equal(stat("a/b", &info), -1);
    koshu_output_unmake("a", 0); /* existed before */
    assert_int_equal(rmdir("a"), 0);
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
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, ours[k],
                     koshu_output_refuse(context, "."));
        assert_int_equal(unlink(ours[k]), 0);
    }
    assert_fails(context, KOSHU_ERROR_IO, "snapshot_0000",
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
    assert_int_equal(scratch_count(), N_OTHERS);
    scratch_leave();
}

/* Something that cannot be removed stands in for a crash of the machine. */
static void
stop_at(const char *name)
{
    assert_int_equal(unlink(name), 0);
    assert_int_equal(mkdir(name, 0777), 0);
    assert_fails(context, KOSHU_ERROR_IO, name,
                 koshu_output_clear(context, "."));
    assert_int_equal(rmdir(name), 0);
    scratch_write(name, "x", 1);
}

static void
checkpoints_are_removed_before_the_rest(void **state)
{
    (void)state;
    enum { N_OURS = sizeof ours / sizeof ours[0] };
    scratch_enter();
    for (size_t k = 0; k < N_OURS; k++) scratch_write(ours[k], "x", 1);
    /* the oldest goes first, and everything is still there */
    stop_at("checkpoint-12.hdf5");
    assert_int_equal(scratch_count(), N_OURS);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "go on with it (--restart)",
                 koshu_output_refuse(context, "."));
    /* the older one is gone, the fresh one must go last */
    stop_at("checkpoint.hdf5");
    assert_int_equal(access("checkpoint-12.hdf5", F_OK), -1);
    assert_int_equal(access("checkpoint.new.hdf5", F_OK), 0);
    stop_at("energy.csv");
    assert_int_equal(access("checkpoint.hdf5", F_OK), -1);
    assert_int_equal(access("checkpoint.new.hdf5", F_OK), -1);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "has no checkpoint to restart from",
                 koshu_output_refuse(context, "."));
    scratch_leave();
}

static void
snapshots_are_missed(void **state)
{
    (void)state;
    uint64_t missing, first;
    scratch_enter();
    assert_ok(context,
              koshu_output_find_snapshots(context, ".", 0, &missing, &first));
    assert_int_equal(missing, 0);
    scratch_write("snapshot_0000.hdf5", "x", 1);
    scratch_write("snapshot_0002.csv", "x", 1); /* the format may differ */
    scratch_write("snapshot_0002.hdf5", "x", 1);
    scratch_write("snapshot_0005.hdf5", "x", 1); /* later */
    scratch_write("snapshot_0001.png", "x", 1);
    assert_ok(context,
              koshu_output_find_snapshots(context, ".", 5, &missing, &first));
    assert_int_equal(missing, 3);
    assert_int_equal(first, 1);
    assert_ok(context,
              koshu_output_find_snapshots(context, ".", 1, &missing, &first));
    assert_int_equal(missing, 0);
    scratch_leave();
}

static void
snapshots_of_several_files_are_whole_or_missed(void **state)
{
    (void)state;
    uint64_t missing, first;
    scratch_enter();
    scratch_write("snapshot_0000.0.hdf5", "x", 1);
    scratch_write("snapshot_0000.1.hdf5", "x", 1);
    scratch_write("snapshot_0001.0.gad", "x", 1);
    scratch_write("snapshot_0001.2.gad", "x", 1);
    scratch_write("snapshot_0002.0.png", "x", 1);
    assert_ok(context,
              koshu_output_find_snapshots(context, ".", 2, &missing, &first));
    assert_int_equal(missing, 1);
    assert_int_equal(first, 1);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "earlier run",
                 koshu_output_refuse(context, "."));
    scratch_leave();
}

static void
files_of_another_division_are_removed(void **state)
{
    (void)state;
    static const char *const names[] = {
            "snapshot_0003.hdf5",   "snapshot_0003.0.hdf5",
            "snapshot_0003.1.hdf5", "snapshot_0003.2.hdf5",
            "snapshot_0004.2.hdf5", "snapshot_0003.png"};
    static const bool stays[2][6] = {{false, true, true, false, true, true},
                                     {true, false, false, false, true, true}};
    for (int k = 0; k < 2; k++) {
        scratch_enter();
        for (int f = 0; f < 6; f++) scratch_write(names[f], "x", 1);
        assert_ok(context,
                  koshu_output_remove_others(context, ".", 3, k == 0 ? 2 : 1));
        for (int f = 0; f < 6; f++)
            assert_int_equal(access(names[f], F_OK) == 0, stays[k][f]);
        scratch_leave();
    }
}

static void
a_path_has_a_longest_length(void **state)
{
    (void)state;
    char directory[KOSHU_PATH_SIZE], path[KOSHU_PATH_SIZE];
    memset(directory, 'a', sizeof directory);
    directory[KOSHU_PATH_SIZE - 1] = '\0';
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "output.directory",
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
            cmocka_unit_test(checkpoints_are_removed_before_the_rest),
            cmocka_unit_test(snapshots_are_missed),
            cmocka_unit_test(snapshots_of_several_files_are_whole_or_missed),
            cmocka_unit_test(files_of_another_division_are_removed),
            cmocka_unit_test(a_path_has_a_longest_length),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
