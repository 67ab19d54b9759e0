/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "io/io.h"
#include "fixture.h"

static struct koshu_file *
begin(const char *path)
{
    struct koshu_file *file = NULL;
    assert_ok(context, koshu_file_begin(context, path, &file));
    return file;
}

static void
a_file_appears_only_when_committed(void **state)
{
    (void)state;
    struct koshu_file *file = begin("a.txt");
    assert_ok(context, koshu_file_write(file, "ab", 2));
    fprintf(file->stream, "c%d", 4);
    assert_int_not_equal(access("a.txt", F_OK), 0);
    assert_ok(context, koshu_file_commit(file));
    scratch_expect("a.txt", "abc4");
    assert_int_equal(scratch_count(), 1);
}

static void
an_abandoned_file_leaves_nothing(void **state)
{
    (void)state;
    scratch_write("a.txt", "old", 3);
    struct koshu_file *file = begin("a.txt");
    assert_ok(context, koshu_file_write(file, "new", 3));
    koshu_file_abandon(file);
    koshu_file_abandon(NULL);
    scratch_expect("a.txt", "old");
    assert_int_equal(scratch_count(), 1);
}

/* A child that has the file open and locked until it is killed. */
static pid_t
writer_in(const char *directory)
{
    int ready[2];
    char c;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct koshu_file *file;
        if (chdir(directory) != 0 ||
            koshu_file_begin(context, "b.txt", &file) != KOSHU_OK)
            _exit(1);
        c = '!';
        if (write(ready[1], &c, 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void
what_a_killed_writer_left_is_removed(void **state)
{
    (void)state;
    char prefix[KOSHU_TEMPORARY_PREFIX], left[KOSHU_TEMPORARY_PREFIX + 16];
    koshu_temporary_prefix(prefix);
    snprintf(left, sizeof left, "%s1-0.tmp", prefix);
    scratch_write(".koshu-elsewhere-1-0.tmp", "mine", 4);
    scratch_write(".koshu-1-0.tmpx", "mine", 4);
    scratch_write(left, "left", 4);
    pid_t child = writer_in("."); /* removes the file left by the first */
    assert_int_equal(scratch_count(), 3);
    koshu_temporaries_sweep("./");
    assert_int_equal(scratch_count(), 3); /* it is still being written */
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    koshu_file_abandon(begin("a.txt"));
    assert_int_equal(scratch_count(), 2);
    unlink(".koshu-1-0.tmpx");
    unlink(".koshu-elsewhere-1-0.tmp");
}

static void
bytes_go_where_they_are_sent(void **state)
{
    (void)state;
    struct koshu_file *file = begin("a.txt");
    assert_ok(context, koshu_file_write_at(file, 3, "def", 3));
    assert_ok(context, koshu_file_write_at(file, 0, "abc", 3));
    assert_ok(context, koshu_file_commit(file));
    scratch_expect("a.txt", "abcdef");
}

static void
two_writers_do_not_meet(void **state)
{
    (void)state;
    struct koshu_file *one = begin("a.txt"), *two = begin("a.txt");
    assert_ok(context, koshu_file_write(one, "one", 3));
    assert_ok(context, koshu_file_write(two, "two", 3));
    assert_ok(context, koshu_file_commit(two));
    scratch_expect("a.txt", "two");
    assert_ok(context, koshu_file_commit(one));
    scratch_expect("a.txt", "one");
    assert_int_equal(scratch_count(), 1);
}

static void
links_are_followed_and_permissions_kept(void **state)
{
    (void)state;
    scratch_write("a.txt", "old", 3);
    assert_int_equal(chmod("a.txt", 0640), 0);
    assert_int_equal(symlink("a.txt", "b.txt"), 0);
    assert_ok(context, koshu_file_commit(begin("b.txt")));
    struct stat s;
    assert_int_equal(lstat("b.txt", &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_int_equal(stat("a.txt", &s), 0);
    assert_int_equal(s.st_size, 0);
    assert_int_equal(s.st_mode & 07777, 0640);

    mode_t mask = umask(022);
    assert_ok(context, koshu_file_commit(begin("c.txt")));
    assert_int_equal(stat("c.txt", &s), 0);
    assert_int_equal(s.st_mode & 07777, 0644);
    /* a file shared with others stays shared, whatever the umask */
    assert_int_equal(chmod("c.txt", 0666), 0);
    assert_ok(context, koshu_file_commit(begin("c.txt")));
    umask(mask);
    assert_int_equal(stat("c.txt", &s), 0);
    assert_int_equal(s.st_mode & 07777, 0666);
}

/* Root may write to every file, so the test drops root rights for a while. */
static void
a_file_that_is_write_protected_is_refused(void **state)
{
    (void)state;
    enum { OTHER_USER = 65534 };
    bool root = geteuid() == 0;
    struct koshu_file *file = NULL;
    scratch_write("a.txt", "old", 3);
    assert_int_equal(chmod("a.txt", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    if (root) assert_int_equal(seteuid(OTHER_USER), 0);
    koshu_status status = koshu_file_begin(context, "a.txt", &file);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_fails(context, KOSHU_ERROR_IO, "a.txt': Permission denied", status);
    assert_null(file);
    scratch_expect("a.txt", "old");
}

static void
a_link_to_nothing_is_refused(void **state)
{
    (void)state;
    struct koshu_file *file = NULL;
    assert_int_equal(symlink("none.txt", "b.txt"), 0);
    assert_fails(context, KOSHU_ERROR_IO, "a link to a file that is not there",
                 koshu_file_begin(context, "b.txt", &file));
    assert_null(file);
    assert_int_equal(scratch_count(), 1);
}

static void
what_is_no_file_is_refused(void **state)
{
    (void)state;
    struct koshu_file *file = NULL;
    assert_fails(context, KOSHU_ERROR_IO, "'.': it is a directory",
                 koshu_file_begin(context, ".", &file));
    assert_fails(context, KOSHU_ERROR_IO, "'/dev/null': it is a device",
                 koshu_file_begin(context, "/dev/null", &file));
    assert_fails(context, KOSHU_ERROR_IO, "No such file or directory",
                 koshu_file_begin(context, "none/a.txt", &file));
    assert_null(file);
}

/* Simulates a full disk: files may not grow beyond this many bytes. */
static void
limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
a_full_disk_loses_nothing(void **state)
{
    (void)state;
    static const char block[1 << 16];
    struct koshu_file *file;
    signal(SIGXFSZ, SIG_IGN);
    scratch_write("a.txt", "old", 3);
    limit_file_size(4096);

    /* noticed when the buffer is flushed at the commit */
    file = begin("a.txt");
    fprintf(file->stream, "%5000d", 1);
    assert_fails(context, KOSHU_ERROR_IO, "a.txt': File too large",
                 koshu_file_commit(file));
    file = begin("a.txt"); /* noticed while writing, and not forgotten */
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < 100 && status == KOSHU_OK; k++)
        status = koshu_file_write(file, block, sizeof block);
    assert_int_equal(status, KOSHU_ERROR_IO);
    assert_fails(context, KOSHU_ERROR_IO, "a.txt': File too large",
                 koshu_file_commit(file));
    file = begin("a.txt");
    assert_fails(context, KOSHU_ERROR_IO, "a.txt': File too large",
                 koshu_file_write_at(file, 4000, block, 200));
    assert_int_equal(koshu_file_commit(file), KOSHU_ERROR_IO);

    limit_file_size(RLIM_INFINITY);
    scratch_expect("a.txt", "old");
    assert_int_equal(scratch_count(), 1);
}

static void
a_target_that_turned_into_a_directory_fails(void **state)
{
    (void)state;
    struct koshu_file *file = begin("a.txt");
    assert_int_equal(mkdir("a.txt", 0777), 0);
    assert_fails(context, KOSHU_ERROR_IO, "Is a directory",
                 koshu_file_commit(file));
    assert_int_equal(scratch_count(), 1);
    assert_int_equal(rmdir("a.txt"), 0);
}

#define in_scratch(test) \
    cmocka_unit_test_setup_teardown(test, scratch_begin, scratch_end)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            in_scratch(a_file_appears_only_when_committed),
            in_scratch(an_abandoned_file_leaves_nothing),
            in_scratch(what_a_killed_writer_left_is_removed),
            in_scratch(bytes_go_where_they_are_sent),
            in_scratch(two_writers_do_not_meet),
            in_scratch(links_are_followed_and_permissions_kept),
            in_scratch(a_file_that_is_write_protected_is_refused),
            in_scratch(a_link_to_nothing_is_refused),
            in_scratch(what_is_no_file_is_refused),
            in_scratch(a_full_disk_loses_nothing),
            in_scratch(a_target_that_turned_into_a_directory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
