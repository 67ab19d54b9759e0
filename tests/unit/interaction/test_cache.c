/* SPDX-License-Identifier: MIT */
/*
 * Where compiled interactions are kept, and what happens where they cannot be;
 * the compiler, and what happens where there is none. Each test has a cache of
 * its own, below a directory that is removed at the end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <koshu/interaction.h>

#include "backend/compiled/compiled.h"
#include "check.h"

static char base[4096];  /* of all that a test writes */
static char cache[4128]; /* its interactions */

static int
remove_one(const char *path, const struct stat *what, int kind, struct FTW *f)
{
    (void)what, (void)kind, (void)f;
    return remove(path);
}

static int
set_up(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(base, sizeof base, "%s/koshu-test-XXXXXX",
             parent ? parent : "/tmp");
    if (!mkdtemp(base)) return -1;
    snprintf(cache, sizeof cache, "%s/koshu/interactions", base);
    unsetenv("KOSHU_CC");
    return setenv("XDG_CACHE_HOME", base, 1);
}

static int
tear_down(void **state)
{
    (void)state;
    return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- helpers ------------------------------------------------------------- */

static const char text[] = "//! i: x\n//! j: x\n//! out: f\n"
                           "OUTPUT[0] += INPUT_I[0] * INPUT_J[0];\n";

/* Made, and right? */
static koshu_status
try_it(struct koshu_context *context)
{
    struct koshu_interaction *a;
    koshu_status status = koshu_interaction_create(context, text, NULL, &a);
    if (status != KOSHU_OK) return status;
    const double i = 3, j[2] = {1, 4};
    double out = 0;
    status = koshu_interaction_evaluate(a, 1, &i, 2, j, &out);
    koshu_interaction_destroy(a);
    return out == 15 ? status : KOSHU_INTERNAL;
}

/* Files of the cache that end so; the last one's path. */
static int
count_files(const char *directory, const char *end, char path[4608])
{
    int n = 0;
    DIR *d = opendir(directory);
    if (!d) return 0;
    for (struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name), tail = strlen(end);
        if (length < tail || strcmp(e->d_name + length - tail, end) != 0)
            continue;
        if (path) snprintf(path, 4608, "%s/%s", directory, e->d_name);
        n++;
    }
    closedir(d);
    return n;
}

/* A compiler that notes each run in `base`/runs, and then does `action`. */
static void
wrap_compiler(const char *action)
{
    char path[4160];
    snprintf(path, sizeof path, "%s/cc", base);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho run >>'%s/runs'\n%s\n", base, action);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("KOSHU_CC", path, 1);
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

/* ---- the cache ----------------------------------------------------------- */

static void
test_private(void **state)
{
    (void)state;
    struct stat found;
    char object[4608];
    struct koshu_context *context = test_context("simd", 1);
    assert_ok(context, try_it(context));
    assert_int_equal(stat(cache, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0700);
    assert_int_equal(count_files(cache, ".so", object), 1);
    assert_int_equal(count_files(cache, ".c", NULL), 1);
    assert_int_equal(stat(object, &found), 0);
    assert_int_equal(found.st_mode & 0077, 0);

    assert_int_equal(chmod(cache, 0770), 0);
    assert_fails(context, KOSHU_IO, "can be written by others",
                 try_it(context));
    assert_non_null(strstr(koshu_context_message(context), "chmod 700"));
    assert_int_equal(chmod(cache, 0755), 0);
    assert_ok(context, try_it(context));
    koshu_context_destroy(context);
}

static void
test_another_owner(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    assert_ok(context, try_it(context));
    if (geteuid() != 0 || chown(cache, 12345, (gid_t)-1) != 0) {
        print_message("only root can give a directory away: not tested\n");
    } else {
        assert_fails(context, KOSHU_IO, "belongs to another user",
                     try_it(context));
        assert_int_equal(chown(cache, 0, (gid_t)-1), 0);
    }
    koshu_context_destroy(context);
}

static void
test_no_directory(void **state)
{
    (void)state;
    char parent[4160];
    struct koshu_context *context = test_context("simd", 1);
    snprintf(parent, sizeof parent, "%s/koshu", base);
    assert_int_equal(mkdir(parent, 0700), 0);
    assert_int_equal(symlink("/tmp", cache), 0);
    assert_fails(context, KOSHU_IO, "is no directory", try_it(context));
    koshu_context_destroy(context);
}

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
    /* another compiler: compiled again */
    wrap_compiler("#\nexec cc \"$@\"");
    assert_ok(context, try_it(context));
    assert_true(count_runs() > runs);
    koshu_context_destroy(context);
}

/* A file of the cache, last used so many days ago. */
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

/* Files that were used longest ago go, when something new comes to too many:
 * neither those of today, nor what has been used again. */
static void
test_trim(void **state)
{
    (void)state;
    enum { OLD = KOSHU_CACHE_MOST };
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
    assert_ok(context, try_it(context)); /* there: used again */
    assert_int_equal(count_files(cache, ".old", NULL), OLD);
    wrap_compiler("exec cc \"$@\"");
    assert_ok(context, try_it(context)); /* new */
    /* but for today's, and the object and C file of two compilers */
    assert_int_equal(count_files(cache, ".old", NULL), KOSHU_CACHE_LEFT - 5);
    assert_true(is_kept("today") && is_kept("0.old"));
    assert_false(is_kept("1023.old"));
    assert_int_equal(count_files(cache, ".so", NULL), 2);
    assert_int_equal(access(object, F_OK), 0);
    koshu_context_destroy(context);
}

/* A damaged object is made again: cut, changed, or empty. */
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
        assert_false(koshu_cache_is_sealed(object));
        assert_ok(context, try_it(context));
        assert_true(koshu_cache_is_sealed(object));
    }
    koshu_context_destroy(context);
}

/* Several processes at once make the same thing. */
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

static void
keep_warning(void *user, enum koshu_log_level level, const char *message)
{
    if (level == KOSHU_LOG_WARNING) snprintf(user, 512, "%s", message);
}

/* Where nothing can be kept it works all the same, from a directory that is
 * gone afterwards. */
static void
test_no_home(void **state)
{
    (void)state;
    char warning[512] = "",
         *home = strdup(getenv("HOME") ? getenv("HOME") : "");
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *context;
    o.backend = "simd";
    o.log = keep_warning;
    o.log_user = warning;
    assert_int_equal(koshu_context_create(&o, &context), KOSHU_OK);
    setenv("TMPDIR", base, 1);
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    assert_ok(context, try_it(context));
    assert_non_null(strstr(warning, "cannot be kept in /proc/nowhere"));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_ok(context, try_it(context));
    assert_non_null(strstr(warning, "cannot be kept: set XDG_CACHE_HOME"));
    assert_int_equal(count_files(base, "", NULL), 2); /* . and .. */
    setenv("TMPDIR", "/proc/nowhere", 1);
    assert_fails(context, KOSHU_IO, "no directory for a compiled interaction",
                 try_it(context));
    unsetenv("TMPDIR");
    setenv("HOME", home, 1);
    free(home);
    koshu_context_destroy(context);
}

/* ---- the compiler -------------------------------------------------------- */

static void
test_no_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *path = strdup(getenv("PATH"));
    setenv("PATH", base, 1);
    assert_fails(context, KOSHU_EXTERNAL, "apt install gcc", try_it(context));
    setenv("PATH", path, 1);
    free(path);
    setenv("KOSHU_CC", "no-such-compiler", 1);
    assert_fails(context, KOSHU_EXTERNAL, "KOSHU_CC=no-such-compiler is no",
                 try_it(context));
    koshu_context_destroy(context);
}

/* What the compiler says about itself, not about the text. */
static void
test_broken_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    wrap_compiler("echo 'cc1: out of order' >&2; exit 3");
    assert_fails(context, KOSHU_EXTERNAL,
                 "failed (status 3): cc1: out of order", try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    wrap_compiler("exit 0");
    assert_fails(context, KOSHU_IO, "cannot be written", try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    koshu_context_destroy(context);
}

static void
test_run(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *said;
    int status;
    /* no shell: what a shell would do is not done */
    char *echo[] = {"/bin/echo", "$HOME;", "`id`", NULL};
    assert_ok(context, koshu_run(context, echo, 10, &status, &said));
    assert_int_equal(status, 0);
    assert_string_equal(said, "$HOME; `id`\n");
    free(said);
    /* the time limit, for all that was started */
    char *slow[] = {"/bin/sh", "-c", "sleep 30; true", NULL};
    assert_fails(context, KOSHU_EXTERNAL, "was stopped: it did not end within",
                 koshu_run(context, slow, 0.2, &status, &said));
    assert_null(said);
    /* more than is kept */
    char *much[] = {"/bin/sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x",
                    NULL};
    assert_ok(context, koshu_run(context, much, 10, &status, &said));
    assert_int_equal(strlen(said), 65536);
    free(said);
    char *none[] = {"/no/such/program", NULL};
    assert_fails(context, KOSHU_EXTERNAL, "/no/such/program cannot be run",
                 koshu_run(context, none, 10, &status, &said));
    koshu_context_destroy(context);
}

static void
test_errors(void **state)
{
    (void)state;
    const struct koshu_interaction_source source = {.name = "a", .n_lines = 9};
    char message[64];
    assert_true(koshu_compiler_error("x.c:1:2: note: a\n"
                                     "description: In function 'f':\n"
                                     "description:7:3: warning: b\n"
                                     "description:8:13: error: c, c\nmore\n",
                                     &source, message, sizeof message));
    assert_string_equal(message, "a:8: c, c");
    assert_true(koshu_compiler_error("description:12: fatal error: d", &source,
                                     message, sizeof message));
    assert_string_equal(message, "a:9: d");
    assert_false(koshu_compiler_error("koshu:7:3: error: e\n", &source, message,
                                      sizeof message));
    assert_false(koshu_compiler_error("description", &source, message, 64));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(test_concurrent),    TEST(test_private),
            TEST(test_another_owner), TEST(test_no_directory),
            TEST(test_warm),          TEST(test_trim),
            TEST(test_damaged),       TEST(test_no_home),
            TEST(test_no_compiler),   TEST(test_broken_compiler),
            TEST(test_run),           TEST(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
