/* SPDX-License-Identifier: MIT */
/*
 * Where compiled interactions are stored, and what happens if they cannot be.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"
#include "check.h"
#include "own_cache.h"

static char warning[8192]; /* the last one */

static void
keep_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level == KOSHU_LOG_LEVEL_WARNING)
        snprintf(warning, sizeof warning, "%s", message);
}

/* A context that stores its warnings. */
static struct koshu_context *
listening(void)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *context;
    o.backend = "simd";
    o.threads = 1;
    o.log = keep_warning;
    assert_int_equal(koshu_context_create(&o, &context), KOSHU_OK);
    return context;
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

    koshu_context_destroy(context);
}

/* Another directory is used and removed afterwards; a warning says why. */
static void
assert_not_kept(struct koshu_context *context, const char *why)
{
    struct cache c;
    char temporary[4160];
    snprintf(temporary, sizeof temporary, "%s/tmp", base);
    mkdir(temporary, 0700);
    warning[0] = '\0';
    setenv("TMPDIR", temporary, 1);
    assert_ok(context, koshu_cache_open(context, &c));
    unsetenv("TMPDIR");
    assert_false(c.kept);
    assert_int_equal(count_prefixed(temporary, "koshu-interaction-"), 1);
    koshu_cache_close(&c);
    if (!strstr(warning, why)) fail_msg("no '%s' in '%s'", why, warning);
    assert_non_null(strstr(warning, "cannot be kept"));
    assert_int_equal(count_files(temporary, "", NULL), 2); /* . and .. */
}

static void
assert_kept(struct koshu_context *context)
{
    struct cache c;
    warning[0] = '\0';
    assert_ok(context, koshu_cache_open(context, &c));
    assert_true(c.kept);
    koshu_cache_close(&c);
    assert_string_equal(warning, "");
}

/* Anyone who can rename a directory on the way to the cache could put their own
 * directory, with their own code, in its place. */
static void
test_writable_by_others(void **state)
{
    (void)state;
    char parent[4160];
    struct koshu_context *context = listening();
    snprintf(parent, sizeof parent, "%s/koshu", base);
    assert_kept(context);
    assert_int_equal(chmod(cache, 0770), 0);
    assert_not_kept(context, "can be written by others");
    assert_non_null(strstr(warning, "chmod 700"));
    assert_int_equal(chmod(cache, 0755), 0);
    assert_int_equal(chmod(parent, 0707), 0);
    assert_not_kept(context, "/koshu can be written by others");
    assert_non_null(strstr(warning, "chmod go-w"));
    assert_int_equal(chmod(parent, 0755), 0);
    assert_int_equal(chmod(base, 0777), 0); /* the temporary directory's, too */
    setenv("TMPDIR", base, 1);
    struct cache c;
    assert_fails(context, KOSHU_ERROR_IO, "can be written by others",
                 koshu_cache_open(context, &c));
    unsetenv("TMPDIR");
    assert_int_equal(chmod(base, 01777), 0); /* as /tmp is */
    assert_kept(context);
    koshu_context_destroy(context);
}

static void
test_another_owner(void **state)
{
    (void)state;
    char parent[4160];
    struct koshu_context *context = listening();
    snprintf(parent, sizeof parent, "%s/koshu", base);
    assert_kept(context);
    if (geteuid() != 0 || chown(cache, 12345, (gid_t)-1) != 0) {
        print_message("only root can give a directory away: not tested\n");
    } else {
        assert_not_kept(context, "interactions belongs to another user");
        assert_int_equal(chown(cache, 0, (gid_t)-1), 0);
        assert_int_equal(chown(parent, 12345, (gid_t)-1), 0);
        assert_not_kept(context, "/koshu belongs to another user");
        assert_int_equal(chown(parent, 0, (gid_t)-1), 0);
    }
    koshu_context_destroy(context);
}

/* A symbolic link is followed and its target checked. No user can redirect it
 * meanwhile, because each name is opened relative to an open directory. */
static void
test_links(void **state)
{
    (void)state;
    char parent[4608], elsewhere[4160], real[PATH_MAX], why[KOSHU_PRIVATE_WHY];
    struct koshu_context *context = listening();
    snprintf(parent, sizeof parent, "%s/koshu", base);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", base);
    assert_int_equal(mkdir(elsewhere, 0700), 0);
    assert_int_equal(symlink(elsewhere, parent), 0);
    int fd = koshu_private_open(cache, true, real, why);
    assert_true(fd >= 0);
    close(fd);
    snprintf(parent, sizeof parent, "%s/interactions", elsewhere);
    assert_string_equal(real, parent);
    assert_kept(context);
    assert_int_equal(chmod(elsewhere, 0777), 0);
    assert_not_kept(context, "/elsewhere can be written by others");
    assert_int_equal(chmod(elsewhere, 0700), 0);
    /* to a missing file, to a file, to /tmp, which others can write */
    static const char *const to[] = {"missing", "/etc/passwd", "/tmp"};
    for (size_t k = 0; k < sizeof to / sizeof to[0]; k++) {
        setenv("XDG_CACHE_HOME", elsewhere, 1);
        snprintf(parent, sizeof parent, "%s/koshu", elsewhere);
        mkdir(parent, 0700);
        snprintf(parent, sizeof parent, "%s/koshu/interactions", elsewhere);
        assert_int_equal(symlink(to[k], parent), 0);
        assert_not_kept(context, k == 0 ? "koshu/interactions: " : to[k]);
        assert_int_equal(unlink(parent), 0);
    }
    koshu_context_destroy(context);
}

/* ---- what is loaded ------------------------------------------------------ */

static void
compile_object(const char *c, char *path)
{
    char source[4160], command[13000];
    snprintf(source, sizeof source, "%s/other.c", base);
    snprintf(path, 4160, "%s/other.so", base);
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    fputs(c, f);
    fclose(f);
    snprintf(command, sizeof command, "cc -shared -fPIC -o %s %s", path,
             source);
    assert_int_equal(system(command), 0);
}

static int
answer_of(const struct koshu_image *image)
{
    int (*answer)(void);
    void *symbol = dlsym(image->object, "answer");
    assert_non_null(symbol);
    memcpy(&answer, &symbol, sizeof answer);
    return answer();
}

/* What was checked is what runs, whatever happens afterwards to the file or to
 * the descriptor's bytes. */
static void
test_swapped(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct cache c;
    struct koshu_image one, other;
    char path[4160], *bytes, *theirs;
    size_t n, n_theirs;
    assert_ok(context, koshu_cache_open(context, &c));
    compile_object("int answer(void) { return 42; }\n", path);
    bytes = koshu_read_private(AT_FDCWD, path, &n);
    assert_non_null(bytes);
    assert_ok(context, koshu_cache_keep(context, &c, "a.so", bytes, n));
    free(bytes);
    bytes = koshu_cache_read(&c, "a.so", &n);
    assert_non_null(bytes);
    /* now another file takes the place of the correct one */
    compile_object("int answer(void) { return 666; }\n", path);
    theirs = koshu_read_private(AT_FDCWD, path, &n_theirs);
    assert_non_null(theirs);
    assert_ok(context, koshu_cache_keep(context, &c, "a.so", theirs, n_theirs));
    assert_ok(context, koshu_image_load(context, &c, "a.so", bytes, n, &one));
    assert_int_equal(answer_of(&one), 42);
    /* two loaded at once stay separate */
    assert_ok(context,
              koshu_image_load(context, &c, "a.so", theirs, n_theirs, &other));
    assert_int_equal(answer_of(&other), 666);
    assert_int_equal(answer_of(&one), 42);
    assert_int_equal(pwrite(one.fd, "x", 1, 0), -1);
    assert_int_equal(ftruncate(one.fd, 0), -1);
    koshu_image_unload(&one);
    koshu_image_unload(&other);
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "cannot be loaded",
                 koshu_image_load(context, &c, "none", "no object", 9, &one));
    free(bytes);
    free(theirs);
    koshu_cache_close(&c);
    koshu_context_destroy(context);
}

/* From now on memfd_create() fails in this process, as with old kernels. */
static bool
forbid_memory_files(void)
{
    struct sock_filter rules[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                     offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {4, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Without files in memory, the cache's file is loaded. */
static void
test_no_memory_files(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!forbid_memory_files()) _exit(77);
        _exit(try_it(context) == KOSHU_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    koshu_context_destroy(context);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) skip(); /* this system has no such filters */
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(count_files(cache, "", NULL), 4); /* ., .., .c and .so */
}

/* ---- in use -------------------------------------------------------------- */

/* If nothing can be stored it still works, from a directory that is removed
 * afterwards. */
static void
test_no_home(void **state)
{
    (void)state;
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "");
    struct koshu_context *context = listening();
    setenv("TMPDIR", base, 1);
    setenv("XDG_CACHE_HOME", "/proc/missing", 1);
    setenv("CCACHE_DISABLE", "1", 1); /* if cc is ccache, it writes files too */
    assert_ok(context, try_it(context));
    assert_non_null(strstr(warning, "cannot be kept in /proc/missing"));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_ok(context, try_it(context));
    assert_non_null(strstr(warning, "cannot be kept: set XDG_CACHE_HOME"));
    assert_int_equal(count_files(base, "", NULL), 2); /* . and .. */
    setenv("TMPDIR", "/proc/missing", 1);
    assert_fails(context, KOSHU_ERROR_IO,
                 "no directory for a compiled interaction", try_it(context));
    unsetenv("TMPDIR");
    setenv("HOME", home, 1);
    free(home);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(test_private),
            TEST(test_another_owner),
            TEST(test_writable_by_others),
            TEST(test_links),
            TEST(test_swapped),
            TEST(test_no_memory_files),
            TEST(test_no_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
