/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check.h"
#include "scratch.h"
#include "simulation/simulation.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static struct koshu_run_lock *
taken(const char *directory, bool make)
{
    struct koshu_run_lock *lock;
    assert_ok(context, koshu_run_lock_take(context, directory, make, &lock));
    return lock;
}

static void
refused(const char *directory)
{
    struct koshu_run_lock *lock;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "another koshu is writing to",
                 koshu_run_lock_take(context, directory, true, &lock));
    assert_null(lock);
}

static void
a_directory_has_one_run(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_run_lock *lock = taken(".", true);
    refused(".");
    refused("./"); /* by any name */
    assert_ok(context, koshu_run_lock_check(lock));
    assert_int_equal(access(".koshu.lock", F_OK), 0);
    koshu_run_lock_release(lock);
    assert_int_equal(access(".koshu.lock", F_OK), -1);
    koshu_run_lock_release(taken(".", false));
    koshu_run_lock_release(NULL);
    assert_ok(context, koshu_run_lock_check(NULL));
    scratch_leave();
}

/* A killed run leaves its lock file, but no process holds the lock. */
static void
a_file_alone_locks_no_run_out(void **state)
{
    (void)state;
    scratch_enter();
    scratch_write(".koshu.lock", "", 0);
    koshu_run_lock_release(taken(".", true));
    assert_int_equal(access(".koshu.lock", F_OK), -1);
    scratch_leave();
}

static void
what_was_made_for_nothing_goes(void **state)
{
    (void)state;
    struct stat info;
    struct koshu_run_lock *lock;
    scratch_enter();
    assert_int_equal(koshu_run_lock_take(context, "a/b", false, &lock),
                     KOSHU_ERROR_NOT_FOUND);
    assert_null(lock);
    assert_int_equal(mkdir("a", 0777), 0);
    lock = taken("a/b//c/", true);
    assert_int_equal(stat("a/b/c", &info), 0);
    refused("a/b/c"); /* does not remove it */
    assert_ok(context, koshu_run_lock_check(lock));
    koshu_run_lock_release(lock);
    assert_int_equal(stat("a/b", &info), -1);
    assert_int_equal(stat("a", &info), 0); /* existed before */

    lock = taken("a/b", true);
    scratch_write("a/b/kept", "", 0);
    koshu_run_lock_release(lock);
    assert_int_equal(unlink("a/b/kept") + rmdir("a/b") + rmdir("a"), 0);

    scratch_write("file", "x", 1);
    assert_fails(context, KOSHU_ERROR_IO, "file/sub",
                 koshu_run_lock_take(context, "file/sub", true, &lock));
    scratch_leave();
}

static void
a_directory_that_is_another_is_noticed(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_run_lock *first = taken("out", true), *second;
    /* if only the file was deleted, it is created again */
    assert_int_equal(unlink("out/.koshu.lock"), 0);
    assert_ok(context, koshu_run_lock_check(first));
    refused("out");

    assert_int_equal(rename("out", "old"), 0);
    assert_fails(context, KOSHU_ERROR_IO, "'out' was removed, or another koshu",
                 koshu_run_lock_check(first));
    second = taken("out", true);
    assert_fails(context, KOSHU_ERROR_IO, "'out' was removed, or another koshu",
                 koshu_run_lock_check(first));
    koshu_run_lock_release(first);
    /* the second holder's file stays */
    assert_ok(context, koshu_run_lock_check(second));
    koshu_run_lock_release(second);

    /* deleted, and taken by another process before the first noticed */
    first = taken("old", true);
    assert_int_equal(unlink("old/.koshu.lock"), 0);
    second = taken("old", true);
    assert_fails(context, KOSHU_ERROR_IO, "another koshu has taken it",
                 koshu_run_lock_check(first));
    koshu_run_lock_release(first);
    refused("old");
    koshu_run_lock_release(second);
    assert_int_equal(rmdir("old"), 0);
    scratch_leave();
}

enum { PROCESSES = 4, TURNS = 400 };

/* Takes the lock when it can, and must then be the only holder. Returns 0 if it
 * always was. */
static int
take_turns(void)
{
    for (int k = 0; k < TURNS; k++) {
        struct koshu_run_lock *lock;
        if (koshu_run_lock_take(context, "out", true, &lock) != KOSHU_OK)
            continue;
        int fd = open("inside", O_CREAT | O_EXCL, 0666);
        if (fd < 0) return 1;
        close(fd);
        if (unlink("inside") != 0) return 1;
        koshu_run_lock_release(lock);
    }
    return 0;
}

/* Also while the last holder removes the file and the directory. */
static void
no_run_is_let_in_beside_another(void **state)
{
    (void)state;
    scratch_enter();
    for (int k = 0; k < PROCESSES; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(take_turns());
    }
    int failed = 0, how;
    for (int k = 0; k < PROCESSES; k++) {
        assert_true(wait(&how) > 0);
        failed += how != 0;
    }
    assert_int_equal(failed, 0);
    /* created by one, taken by another: an empty one may remain */
    rmdir("out");
    assert_int_equal(scratch_count(), 0);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_directory_has_one_run),
            cmocka_unit_test(a_file_alone_locks_no_run_out),
            cmocka_unit_test(what_was_made_for_nothing_goes),
            cmocka_unit_test(a_directory_that_is_another_is_noticed),
            cmocka_unit_test(no_run_is_let_in_beside_another),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
