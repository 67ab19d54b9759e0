/* SPDX-License-Identifier: MIT */
/*
 * Where compiled interactions are kept, and what happens where they cannot be;
 * the compiler, and what happens where there is none. Each test has a cache of
 * its own, below a directory that is removed at the end.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

static char warning[8192]; /* the last */

static void
keep_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level == KOSHU_LOG_LEVEL_WARNING)
        snprintf(warning, sizeof warning, "%s", message);
}

/* One whose warnings are kept. */
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
    status = koshu_interaction_evaluate(a, 1, 2, &i, j, &out);
    koshu_interaction_destroy(a);
    return out == 15 ? status : KOSHU_ERROR_INTERNAL;
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

static int
count_prefixed(const char *directory, const char *prefix)
{
    int n = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
    closedir(d);
    return n;
}

/* Until no process holds the lock of the work directory that is not called so.
 */
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

    koshu_context_destroy(context);
}

/* Another directory, which is gone afterwards; and it says why. */
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

/* Whoever can change a name on the way to the cache can put a directory with
 * code of theirs there. */
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
    assert_int_equal(chmod(base, 0777), 0); /* that of the temporary one, too */
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

/* A link leads where it leads: that is checked. No user can lead it elsewhere
 * meanwhile, as each name is opened in a directory that is open. */
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
    /* to no file, to a file, to /tmp, which is not ours alone */
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

/* What has been checked is what runs, whatever becomes of the file between the
 * two, or of the descriptor's bytes. */
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
    /* here another file takes the place of the one that was right */
    compile_object("int answer(void) { return 666; }\n", path);
    theirs = koshu_read_private(AT_FDCWD, path, &n_theirs);
    assert_non_null(theirs);
    assert_ok(context, koshu_cache_keep(context, &c, "a.so", theirs, n_theirs));
    assert_ok(context, koshu_image_load(context, &c, "a.so", bytes, n, &one));
    assert_int_equal(answer_of(&one), 42);
    /* two at a time are two */
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

/* From here on memfd_create() fails in this process, as in old kernels. */
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

/* Where files in memory cannot be had, that of the cache is loaded. */
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
    if (WEXITSTATUS(status) == 77) skip(); /* a system without such filters */
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(count_files(cache, "", NULL), 4); /* ., .., .c and .so */
}

/* ---- killed -------------------------------------------------------------- */

/* One that is killed while its compiler has files open leaves them, and the
 * next one to compile takes them away; not those of one that lives. */
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
    /* its compiler, which gets no signal, was killed with it */
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
        assert_false(is_whole(object));
        assert_ok(context, try_it(context));
        assert_true(is_whole(object));
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

/* Where nothing can be kept it works all the same, from a directory that is
 * gone afterwards. */
static void
test_no_home(void **state)
{
    (void)state;
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "");
    struct koshu_context *context = listening();
    setenv("TMPDIR", base, 1);
    setenv("XDG_CACHE_HOME", "/proc/missing", 1);
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

/* ---- the compiler -------------------------------------------------------- */

static void
test_no_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *path = strdup(getenv("PATH"));
    setenv("PATH", base, 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "apt install gcc",
                 try_it(context));
    setenv("PATH", path, 1);
    free(path);
    setenv("KOSHU_CC", "no-such-compiler", 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "KOSHU_CC=no-such-compiler is no", try_it(context));
    koshu_context_destroy(context);
}

/* What the compiler says about itself, not about the text. */
static void
test_broken_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    wrap_compiler("echo 'cc1: out of order' >&2; exit 3");
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "failed (status 3): cc1: out of order", try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    wrap_compiler("exit 0");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "left no object",
                 try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    koshu_context_destroy(context);
}

static void
test_run(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *output;
    int status;
    /* no shell: what a shell would do is not done */
    char *echo[] = {"/bin/echo", "$HOME;", "`id`", NULL};
    assert_ok(context, koshu_run(context, echo, NULL, 10, &status, &output));
    assert_int_equal(status, 0);
    assert_string_equal(output, "$HOME; `id`\n");
    free(output);
    /* the time limit, for all that was started */
    char *slow[] = {"/bin/sh", "-c", "sleep 30; true", NULL};
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "was stopped: it did not end within",
                 koshu_run(context, slow, NULL, 0.2, &status, &output));
    assert_null(output);
    /* more than is kept */
    char *much[] = {"/bin/sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x",
                    NULL};
    assert_ok(context, koshu_run(context, much, NULL, 10, &status, &output));
    assert_int_equal(strlen(output), 65536);
    free(output);
    char *none[] = {"/no/such/program", NULL};
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "/no/such/program cannot be run",
                 koshu_run(context, none, NULL, 10, &status, &output));
    koshu_context_destroy(context);
}

static void
test_errors(void **state)
{
    (void)state;
    const struct koshu_interaction_source source = {.name = "a", .n_lines = 9};
    char message[64];
    assert_true(koshu_compiler_error("x.c:1:2: note: a\n"
                                     "kernel: In function 'f':\n"
                                     "kernel:7:3: warning: b\n"
                                     "kernel:8:13: error: c, c\nmore\n",
                                     &source, message, sizeof message));
    assert_string_equal(message, "a:8: c, c");
    assert_true(koshu_compiler_error("kernel:12: fatal error: d", &source,
                                     message, sizeof message));
    assert_string_equal(message, "a:9: d");
    assert_false(koshu_compiler_error("koshu:7:3: error: e\n", &source, message,
                                      sizeof message));
    assert_false(koshu_compiler_error("kernel", &source, message, 64));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(test_concurrent),
            TEST(test_private),
            TEST(test_another_owner),
            TEST(test_writable_by_others),
            TEST(test_links),
            TEST(test_swapped),
            TEST(test_no_memory_files),
            TEST(test_killed),
            TEST(test_warm),
            TEST(test_trim),
            TEST(test_damaged),
            TEST(test_no_home),
            TEST(test_no_compiler),
            TEST(test_broken_compiler),
            TEST(test_run),
            TEST(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
