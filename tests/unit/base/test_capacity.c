/* SPDX-License-Identifier: MIT */
/* Memory limits of machines that are faked by files of /proc and /sys. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"

static const uint64_t gib = UINT64_C(1) << 30;

/* ---- fake machines ------------------------------------------------------- */

struct file {
    const char *path, *text;
};

static char root[] = "/tmp/koshu-capacity-XXXXXX";

static void
make_parents(char *path)
{
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/'));
         *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
}

static struct koshu_memory_limits
limits_of(const struct file *files, int processes)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", root);
    assert_int_equal(system(command), 0);
    for (; files->path; files++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s", root, files->path);
        make_parents(path);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(files->text, f);
        fclose(f);
    }
    return koshu_memory_limits(root, processes);
}

/* 64 GiB, of which 40 are free. */
#define MEMINFO                                                    \
    {                                                              \
        "/proc/meminfo", "MemTotal:       67108864 kB\n"           \
                         "MemFree:         1048576 kB\n"           \
                         "MemAvailable:   41943040 kB\n"           \
                         "SwapTotal:             0 kB\nSwapFree: " \
                         "            0 kB\n"                      \
    }
#define END      \
    {            \
        NULL, "" \
    }
#define CGROUP_2 "/sys/fs/cgroup"
#define CGROUP_1 "/sys/fs/cgroup/memory"
#define UNLIMITED_1 "9223372036854771712\n"

static void
expect(const struct file *files, uint64_t capacity, uint64_t available)
{
    const struct koshu_memory_limits l = limits_of(files, 1);
    assert_int_equal(l.capacity, capacity);
    assert_int_equal(l.available, available);
}

/* ---- tests --------------------------------------------------------------- */

static void
machine_alone(void **state)
{
    (void)state;
    expect((const struct file[]){MEMINFO, END}, 64 * gib, 40 * gib);
    /* swap counts as memory */
    expect((const struct file[]){{"/proc/meminfo", "MemTotal: 1048576 kB\n"
                                                   "MemAvailable: 524288 kB\n"
                                                   "SwapTotal: 2097152 kB\n"
                                                   "SwapFree: 1048576 kB\n"},
                                 END},
           3 * gib, gib + gib / 2);
    /* what the files do not state is unlimited */
    expect((const struct file[]){END}, UINT64_MAX, UINT64_MAX);
}

static void
groups_of_version_2(void **state)
{
    (void)state;
    /* the parent group allows less; 3 GiB of its 6 are cached files */
    expect(
            (const struct file[]){
                    MEMINFO,
                    {"/proc/self/cgroup", "0::/job/step\n"},
                    {CGROUP_2 "/job/step/memory.max", "max\n"},
                    {CGROUP_2 "/job/step/memory.current", "1073741824\n"},
                    {CGROUP_2 "/job/memory.max", "17179869184\n"},
                    {CGROUP_2 "/job/memory.current", "6442450944\n"},
                    {CGROUP_2 "/job/memory.stat",
                     "anon 0\ninactive_file 1073741824\n"
                     "active_file 2147483648\n"},
                    END},
            16 * gib, 13 * gib);
    /* a group may be allowed more than the machine has left */
    expect((const struct file[]){MEMINFO,
                                 {"/proc/self/cgroup", "0::/\n"},
                                 {CGROUP_2 "/memory.max", "53687091200\n"},
                                 {CGROUP_2 "/memory.current", "0\n"},
                                 END},
           50 * gib, 40 * gib);
}

static void
groups_of_version_1(void **state)
{
    (void)state;
    /* in a container the path is the host's, but the group is at the mount
     * point */
    expect(
            (const struct file[]){
                    MEMINFO,
                    {"/proc/self/cgroup",
                     "9:cpu:/\n4:memory:/docker/0123\n0::/\n"},
                    {CGROUP_1 "/memory.limit_in_bytes", "8589934592\n"},
                    {CGROUP_1 "/memory.usage_in_bytes", "4294967296\n"},
                    {CGROUP_1 "/memory.stat",
                     "cache 5\ntotal_inactive_file 1073741824\n"
                     "total_active_file 0\n"},
                    END},
            8 * gib, 5 * gib);
    expect(
            (const struct file[]){
                    MEMINFO,
                    {"/proc/self/cgroup", "4:memory:/a/b\n"},
                    {CGROUP_1 "/a/b/memory.limit_in_bytes", "4294967296\n"},
                    {CGROUP_1 "/a/b/memory.usage_in_bytes", "0\n"},
                    {CGROUP_1 "/a/memory.limit_in_bytes", UNLIMITED_1},
                    {CGROUP_1 "/memory.limit_in_bytes", UNLIMITED_1},
                    END},
            4 * gib, 4 * gib);
}

/* MemTotal is the memory it has now; only more than the limit is refused. */
static void
machine_that_grows(void **state)
{
    (void)state;
    expect((const struct file[]){MEMINFO,
                                 {"/proc/self/cgroup", "0::/\n"},
                                 {CGROUP_2 "/memory.max", "274877906944\n"},
                                 {CGROUP_2 "/memory.current", "6442450944\n"},
                                 END},
           256 * gib, 250 * gib);
}

/* A limit large enough for a sanitizer's shadow memory. */
static void
address_space(void **state)
{
    (void)state;
    const struct file files[] = {
            {"/proc/meminfo", "MemTotal: 1125899906842624 kB\n"
                              "MemAvailable: 1125899906842624 kB\n"},
            {"/proc/self/statm", "262144 10 10 10 0 10 0\n"},
            END};
    const uint64_t limit = UINT64_C(1) << 46;
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    const struct rlimit low = {limit, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    const struct koshu_memory_limits l = limits_of(files, 1);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    const uint64_t used = 262144 * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_int_equal(l.capacity, limit - used);
    assert_int_equal(l.available, limit - used);
    assert_non_null(strstr(l.owner, "ulimit"));
}

static void
ranks_share(void **state)
{
    (void)state;
    const struct file files[] = {
            MEMINFO,
            {"/proc/self/statm", "2097152 262144 10 10 0 10 0\n"},
            END};
    const uint64_t used = 262144 * (uint64_t)sysconf(_SC_PAGESIZE);
    const struct koshu_memory_limits l = limits_of(files, 4);
    /* the process's own use counts against its limit */
    assert_int_equal(l.capacity, 16 * gib - used);
    assert_int_equal(l.available, 10 * gib);
}

static void
environment_overrides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes; /* 0: not a valid number of bytes */
    } given[] = {{"1.5G", UINT64_C(3) << 29},
                 {"4096", 4096},
                 {"2T", 2048},
                 {"1K", 1024},
                 {"12X", 0},
                 {"G", 0},
                 {"-3", 0},
                 {"3GX", 0},
                 {"3GB", UINT64_C(3) << 30},
                 {"3 gib", UINT64_C(3) << 30}};
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++) {
        uint64_t bytes = given[k].bytes;
        if (strcmp(given[k].text, "2T") == 0) bytes *= gib;
        setenv("KOSHU_MEMORY", given[k].text, 1);
        expect((const struct file[]){MEMINFO, END}, bytes ? bytes : 64 * gib,
               bytes ? bytes : 40 * gib);
        assert_int_equal(koshu_check_memory_given(),
                         bytes ? KOSHU_OK : KOSHU_ERROR_BAD_INPUT);
    }
    unsetenv("KOSHU_MEMORY");
}

static char last_warning[512];

static void
keep_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)level;
    snprintf(last_warning, sizeof last_warning, "%s", message);
}

static void
refusals_and_warnings_have_numbers(void **state)
{
    (void)state;
    struct koshu_context *context;
    struct koshu_context_options options = koshu_context_options_default();
    options.log = keep_warning;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    const struct koshu_memory_limits l = {64 * gib, 40 * gib, "this machine"};
#define REQUIRE(bytes) \
    koshu_require_memory_of(context, l, (bytes), "a model", "take fewer")
    assert_ok(context, REQUIRE(40 * gib));
    assert_string_equal(last_warning, "");
    assert_ok(context, REQUIRE(64 * gib));
    assert_non_null(strstr(last_warning, "a model: 64 GiB"));
    assert_non_null(strstr(last_warning, "40 GiB is free"));
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY,
                 "a model: 65 GiB of memory needed, and this machine has 64 "
                 "GiB for it; take fewer",
                 REQUIRE(65 * gib));
    koshu_context_destroy(context);
}

static void
this_machine_has_memory(void **state)
{
    (void)state;
    const struct koshu_memory_limits l = koshu_memory_limits(NULL, 1);
    assert_true(l.available > 0 && l.available <= l.capacity);
    assert_true(l.capacity < UINT64_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(machine_alone),
            cmocka_unit_test(groups_of_version_2),
            cmocka_unit_test(groups_of_version_1),
            cmocka_unit_test(machine_that_grows),
            cmocka_unit_test(address_space),
            cmocka_unit_test(ranks_share),
            cmocka_unit_test(environment_overrides),
            cmocka_unit_test(refusals_and_warnings_have_numbers),
            cmocka_unit_test(this_machine_has_memory),
    };
    unsetenv("KOSHU_MEMORY");
    if (!mkdtemp(root)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) == 0 ? failed : 1;
}
