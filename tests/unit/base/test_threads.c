/* SPDX-License-Identifier: MIT */
/* Threads of parallel regions, and child processes after fork(). */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <koshu/force.h>
#include <koshu/j_store.h>
#include <koshu/koshu.h>

#include "base/base.h"
#include "check.h"

enum { N = 2048 }; /* enough pairs for several threads */

static double x[N], mass[N], result[4][N];
static struct koshu_context *several, *one;

static koshu_status
sum(struct koshu_context *context)
{
    const struct koshu_force_options options = koshu_force_options_default();
    const struct koshu_i_particles i = {.n = N, .x = x, .y = x, .z = x};
    const struct koshu_j_particles j = {
            .n = N, .x = x, .y = x, .z = x, .mass = mass};
    const struct koshu_force_result r = {.ax = result[0],
                                         .ay = result[1],
                                         .az = result[2],
                                         .potential = result[3]};
    return koshu_force_direct(context, &i, &j, &options, &r);
}

/* Sums with jerk, and then neighbours. */
static koshu_status
sum_with_jerk(struct koshu_context *context)
{
    static uint64_t count[N];
    const struct koshu_i_particles i = {.n = N, .x = x, .y = x, .z = x};
    const struct koshu_j_particles j = {
            .n = N, .x = x, .y = x, .z = x, .mass = mass};
    const struct koshu_force_result r = {.ax = result[0],
                                         .ay = result[1],
                                         .az = result[2],
                                         .potential = result[3]};
    struct koshu_j_store_options options = koshu_j_store_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    struct koshu_j_store *store = NULL;
    koshu_status status = koshu_j_store_create(context, N, &options, &store);
    if (status == KOSHU_OK) status = koshu_j_store_set(store, NULL, &j);
    if (status == KOSHU_OK) status = koshu_j_store_start(store, &i, N, NULL);
    if (status == KOSHU_OK) status = koshu_j_store_wait(store, &r);
    if (status == KOSHU_OK)
        status = koshu_j_store_neighbours(store, 0, count, NULL, NULL);
    koshu_j_store_destroy(store);
    return status;
}

static struct koshu_context *
context_of(int threads)
{
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *context = NULL;
    options.threads = threads;
    options.backend = "cpu";
    return koshu_context_create(&options, &context) == KOSHU_OK ? context
                                                                : NULL;
}

/* The exit status of a child that calls this; a child that hangs is killed. */
static int
in_child(int (*what)(void))
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(what());
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool
fails(struct koshu_context *context, koshu_status status)
{
    return status == KOSHU_ERROR_UNSUPPORTED &&
           strstr(koshu_context_message(context), "child of one that has");
}

static int
sums_work(void)
{
    struct koshu_context *context = context_of(2);
    return context && sum(context) == KOSHU_OK &&
                           sum_with_jerk(context) == KOSHU_OK
                   ? 0
                   : 1;
}

static int
sums_fail(void)
{
    if (!fails(several, sum(several))) return 1;
    if (!fails(several, sum_with_jerk(several))) return 2;
    struct koshu_context *here = context_of(2);
    if (!here || !fails(here, sum(here))) return 3;
    struct koshu_solver *solver = NULL;
    const struct koshu_solver_options options = koshu_solver_options_default();
    if (!fails(here, koshu_solver_create(here, &options, &solver))) return 4;
    return 0;
}

static int
sums_on_one_thread_work(void)
{
    struct koshu_context *here = context_of(1);
    return here && sum(here) == KOSHU_OK && sum(one) == KOSHU_OK &&
                           sum_with_jerk(one) == KOSHU_OK
                   ? 0
                   : 1;
}

static void *
call(void *status)
{
    *(int *)status = sums_work();
    return NULL;
}

static int
sums_in_a_new_thread_work(void)
{
    pthread_t thread;
    int status = 1;
    if (pthread_create(&thread, NULL, call, &status) != 0) return 2;
    pthread_join(thread, NULL);
    return status;
}

static int
grandchild(void)
{
    return in_child(sums_fail);
}

static void
children_of_a_parent_without_threads(void **state)
{
    (void)state;
    assert_int_equal(in_child(sums_work), 0);
    assert_ok(one, sum(one));
    assert_int_equal(in_child(sums_work), 0);
}

static void
children_of_a_parent_with_threads(void **state)
{
    (void)state;
    assert_ok(several, sum(several));
    assert_ok(several, sum_with_jerk(several));
    assert_int_equal(in_child(sums_fail), 0);
    assert_int_equal(in_child(sums_on_one_thread_work), 0);
    assert_int_equal(in_child(sums_in_a_new_thread_work), 0);
    assert_int_equal(in_child(grandchild), 0);
    assert_ok(several, sum(several)); /* the parent still has its threads */
}

static void
little_work_is_for_one(void **state)
{
    (void)state;
    assert_int_equal(koshu_region_threads(several, false), 1);
    assert_int_equal(koshu_region_threads(several, true), 2);
    assert_int_equal(koshu_region_threads(one, true), 1);
}

static void
threads_are_shared_fairly(void **state)
{
    (void)state;
    static const struct {
        int cores, total, processes;
        double quota;
        int threads;
    } cases[] = {
            {8, 8, 1, INFINITY, 8}, /* alone */
            {2, 8, 1, INFINITY, 2}, /* bound to cores */
            {8, 8, 4, INFINITY, 2}, /* not bound */
            {8, 8, 3, INFINITY, 2},    {1, 8, 8, INFINITY, 1},
            {32, 64, 8, INFINITY, 8},  /* four on each socket */
            {32, 64, 2, INFINITY, 32}, /* one on each */
            {2, 2, 4, INFINITY, 1},    /* more processes than cores */
            {64, 64, 1, 2, 2},         {64, 64, 1, 1.5, 2},
            {64, 64, 1, 0.2, 1},       {64, 64, 4, 8, 2},
            {4, 64, 1, 16, 4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_int_equal(koshu_fair_threads(cases[k].cores, cases[k].total,
                                            cases[k].processes, cases[k].quota),
                         cases[k].threads);
}

static void
put(const char *root, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        (void)mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The core quota on a machine with these cgroups and files. */
static double
quota_with(const char *groups, const char *(*files)[2], int n)
{
    char root[] = "/tmp/koshu-quota-XXXXXX", command[64];
    assert_non_null(mkdtemp(root));
    put(root, "/proc/self/cgroup", groups);
    for (int k = 0; k < n; k++) put(root, files[k][0], files[k][1]);
    const double quota = koshu_core_quota(root);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    return quota;
}

static void
quotas_of_control_groups(void **state)
{
    (void)state;
    const char *second[][2] = {
            {"/sys/fs/cgroup/job/cpu.max", "150000 100000\n"},
            {"/sys/fs/cgroup/job/step/cpu.max", "max 100000\n"}};
    const char *own[][2] = {{"/sys/fs/cgroup/cpu.max", "200000 100000\n"}};
    const char *first[][2] = {
            {"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "400000\n"},
            {"/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "50000\n"},
            {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"}};
    assert_true(quota_with("0::/job/step\n", second, 2) == 1.5);
    assert_true(quota_with("0::/of/the/host\n", own, 1) == 2);
    assert_true(quota_with("5:memory:/a\n4:cpu,cpuacct:/a/b\n", first, 3) == 8);
    assert_true(isinf(quota_with("4:cpuacct:/a\nnonsense\n\n", first, 3)));
    assert_true(isinf(quota_with("0::/\n", NULL, 0)));
    assert_true(isinf(koshu_core_quota("/does/not/exist")));
}

static int
threads_of_this_process(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *d; (d = readdir(tasks));)
        n += d->d_name[0] != '.';
    closedir(tasks);
    return n;
}

static void
preemption_is_recognised(void **state)
{
    (void)state;
    assert_false(koshu_is_preempted(0, 10));
    /* as measured on a quiet machine */
    assert_false(koshu_is_preempted(100, 10));
    assert_false(koshu_is_preempted(4, 0.01)); /* too early to tell */
    assert_true(koshu_is_preempted(8, 0.03));
    /* as measured on a busy machine */
    assert_true(koshu_is_preempted(70, 0.2));
}

/* More threads than cores are created, once, and sums stay the same. */
static void
waiting_threads_sleep(void **state)
{
    (void)state;
    static double before[N];
    if (omp_get_num_procs() > 256) skip(); /* it would need too many threads */
    assert_ok(several, sum(several));
    memcpy(before, result[0], sizeof before);
    const int threads = threads_of_this_process();
    setenv("OMP_WAIT_POLICY", "passive", 1);
    koshu_let_waiting_threads_sleep(2);
    /* the number that the environment sets */
    assert_int_equal(threads_of_this_process(), threads);
    unsetenv("OMP_WAIT_POLICY");
    koshu_let_waiting_threads_sleep(2);
    for (int k = 0; k < 6000 && threads_of_this_process() == threads; k++)
        usleep(10000);
    assert_true(threads_of_this_process() > threads);
    koshu_let_waiting_threads_sleep(2);
    assert_ok(several, sum(several));
    assert_memory_equal(before, result[0], sizeof before);
    assert_int_equal(in_child(sums_fail), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(children_of_a_parent_without_threads),
            cmocka_unit_test(children_of_a_parent_with_threads),
            cmocka_unit_test(little_work_is_for_one),
            cmocka_unit_test(threads_are_shared_fairly),
            cmocka_unit_test(quotas_of_control_groups),
            cmocka_unit_test(preemption_is_recognised),
            cmocka_unit_test(waiting_threads_sleep),
    };
    for (int k = 0; k < N; k++) {
        x[k] = k * 1e-3;
        mass[k] = 1;
    }
    several = context_of(2);
    one = context_of(1);
    return !several || !one || cmocka_run_group_tests(tests, NULL, NULL);
}
