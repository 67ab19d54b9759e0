/* SPDX-License-Identifier: MIT */
/* The cache in use: by several processes, by one that is killed, over time. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <koshu/interaction.h>

#include "backend/compiled/compiled.h"
#include "check.h"
#include "own_cache.h"

/* ---- helpers ------------------------------------------------------------- */

/* Waits until no process holds the lock of a work directory, except of the one
 * with this name. */
static void
wait_until_free(const char *directory, const char *but)
{
    char path[4608];
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, "work-", 5) != 0 || strcmp(e->d_name, but) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/lock", directory, e->d_name);
        const int lock = open(path, O_RDWR);
        assert_true(lock >= 0);
        assert_int_equal(flock(lock, LOCK_EX), 0);
        close(lock);
    }
    closedir(d);
}

static int
count_runs(void)
{
    char path[4160];
    int n = 0;
    snprintf(path, sizeof path, "%s/runs", base);
    FILE *f = fopen(path, "r");
    for (int c; f && (c = getc(f)) != EOF;) n += c == '\n';
    if (f) fclose(f);
    return n;
}

/* ---- killed -------------------------------------------------------------- */

/* A process killed while its compiler has files open leaves these behind. The
 * next process that compiles removes them, but not those of a live one. */
static void
test_killed(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct cache alive;
    char go[4160], line[8] = "";
    snprintf(go, sizeof go, "%s/go", base);
    assert_int_equal(mkfifo(go, 0600), 0);
    /* as cc1 does; then it waits */
    wrap_compiler("echo x >\"$TMPDIR/ccabc.s\"; mkdir \"$TMPDIR/d\";\n"
                  "echo y >\"$TMPDIR/d/y\"; echo ready >\"${0%cc}go\";\n"
                  "read x <\"${0%cc}go\"");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(try_it(context) != KOSHU_OK);
    FILE *f = fopen(go, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(count_prefixed(cache, "work-"), 1);
    setenv("KOSHU_CC", "cc", 1);
    assert_ok(context, koshu_cache_open(context, &alive));
    assert_ok(context, koshu_cache_work(context, &alive));
    /* its compiler ends with it, though the test sends that no signal */
    wait_until_free(cache, alive.work.name);
    assert_ok(context, try_it(context));
    assert_int_equal(count_prefixed(cache, "work-"), 1);
    koshu_cache_close(&alive);
    assert_int_equal(count_prefixed(cache, "work-"), 0);
    koshu_context_destroy(context);
}

/* ---- in use -------------------------------------------------------------- */

/* The second time no compiler runs. */
static void
test_warm(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    wrap_compiler("exec cc \"$@\"");
    assert_ok(context, try_it(context));
    const int runs = count_runs();
    assert_true(runs > 0);
    assert_ok(context, try_it(context));
    assert_int_equal(count_runs(), runs);
    /* another compiler: must compile again */
    wrap_compiler("#\nexec cc \"$@\"");
    assert_ok(context, try_it(context));
    assert_true(count_runs() > runs);
    koshu_context_destroy(context);
}

/* A file of the cache that was last used this many days ago. */
static void
make_old(const char *name, int days)
{
    char path[4608];
    const struct timespec then = {.tv_sec = time(NULL) - 86400L * days};
    snprintf(path, sizeof path, "%s/%s", cache, name);
    int f = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(f >= 0);
    assert_int_equal(futimens(f, (const struct timespec[]){then, then}), 0);
    close(f);
}

static bool
is_kept(const char *name)
{
    char path[4608];
    snprintf(path, sizeof path, "%s/%s", cache, name);
    return access(path, F_OK) == 0;
}

/* When a new file makes the cache too large, the least recently used files are
 * removed, but none of today's and none that was used again. */
static void
test_trim(void **state)
{
    (void)state;
    enum { OLD = KOSHU_CACHE_MAX };
    char name[32], object[4608];
    struct koshu_context *context = test_context("simd", 1);
    assert_ok(context, try_it(context));
    assert_int_equal(count_files(cache, ".so", object), 1);
    const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, object, long_ago, 0), 0);
    make_old("today", 0);
    for (int k = 0; k < OLD; k++) {
        snprintf(name, sizeof name, "%d.old", k);
        make_old(name, 2 + k);
    }
    assert_ok(context, try_it(context)); /* already there: used again */
    assert_int_equal(count_files(cache, ".old", NULL), OLD);
    wrap_compiler("exec cc \"$@\"");
    assert_ok(context, try_it(context)); /* new */
    /* all but today's, and the object and C file of two compilers */
    assert_int_equal(count_files(cache, ".old", NULL), KOSHU_CACHE_LEFT - 5);
    assert_true(is_kept("today") && is_kept("0.old"));
    assert_false(is_kept("1023.old"));
    assert_int_equal(count_files(cache, ".so", NULL), 2);
    assert_int_equal(access(object, F_OK), 0);
    koshu_context_destroy(context);
}

static bool
is_whole(const char *object)
{
    struct cache c = {.fd = open(cache, O_RDONLY | O_DIRECTORY)};
    size_t n;
    char *bytes = koshu_cache_read(&c, strrchr(object, '/') + 1, &n);
    close(c.fd);
    free(bytes);
    return bytes != NULL;
}

/* A damaged object file is compiled again, whether truncated, changed or
 * empty. */
static void
test_damaged(void **state)
{
    (void)state;
    char object[4608];
    struct koshu_context *context = test_context("simd", 1);
    assert_ok(context, try_it(context));
    assert_int_equal(count_files(cache, ".so", object), 1);
    for (int damage = 0; damage < 3; damage++) {
        int f = open(object, O_RDWR);
        assert_true(f >= 0);
        if (damage == 2)
            assert_int_equal(pwrite(f, "x", 1, 2000), 1);
        else
            assert_int_equal(ftruncate(f, damage ? 0 : 5000), 0);
        close(f);
        assert_false(is_whole(object));
        assert_ok(context, try_it(context));
        assert_true(is_whole(object));
    }
    koshu_context_destroy(context);
}

/* Several processes compile the same source at once. */
static void
test_concurrent(void **state)
{
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    (void)state;
    for (int k = 0; k < PROCESSES; k++) {
        child[k] = fork();
        assert_true(child[k] >= 0);
        if (child[k] == 0) {
            struct koshu_context *context = NULL;
            struct koshu_context_options o = koshu_context_options_default();
            o.backend = "simd";
            o.threads = 1;
            if (koshu_context_create(&o, &context) != KOSHU_OK) _exit(2);
            koshu_status status = try_it(context);
            if (status != KOSHU_OK)
                fprintf(stderr, "%s\n", koshu_context_message(context));
            _exit(status != KOSHU_OK);
        }
    }
    for (int k = 0; k < PROCESSES; k++) {
        int status;
        assert_int_equal(waitpid(child[k], &status, 0), child[k]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_int_equal(count_files(cache, ".so", NULL), 1);
    assert_int_equal(count_files(cache, ".c", NULL), 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(test_concurrent), TEST(test_killed),  TEST(test_warm),
            TEST(test_trim),       TEST(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
