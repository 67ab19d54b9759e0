/* SPDX-License-Identifier: MIT */
/* Energy counters of machines faked by files of /sys, and of GPUs faked by a
 * library. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "performance/performance.h"

static char root[] = "/tmp/koshu-energy-XXXXXX";
static struct koshu_context *context;

static void
put(const char *zone, const char *file, const char *text)
{
    char path[256], command[300];
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s", root, zone);
    snprintf(command, sizeof command, "mkdir -p %s", path);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s/%s", root, zone,
             file);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", text);
    fclose(f);
}

static void
make_zone(const char *zone, const char *name, const char *energy)
{
    put(zone, "name", name);
    put(zone, "energy_uj", energy);
    put(zone, "max_energy_range_uj", "262143328850");
}

static void
begin_again(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s/*", root);
    assert_int_equal(system(command), 0);
}

static struct koshu_energy_meter
begin(void)
{
    const struct koshu_energy_sources sources = {.root = root};
    struct koshu_energy_meter m;
    memset(&m, 0x55, sizeof m);
    koshu_energy_begin(context, &sources, &m);
    return m;
}

static struct koshu_energy
read_energy(struct koshu_energy_meter *m)
{
    struct koshu_energy used = {-1, -1};
    koshu_energy_read(m, &used);
    return used;
}

/* Two packages; parts of a package, and a second view of one, do not count.
 * Microjoules are exact in double. */
static void
packages_are_added(void **state)
{
    (void)state;
    begin_again();
    make_zone("intel-rapl:0", "package-0", "1000000");
    make_zone("intel-rapl:0:0", "core", "500000");
    make_zone("intel-rapl:1", "package-1", "7000000");
    make_zone("intel-rapl-mmio:0", "package-0", "1000000");
    struct koshu_energy_meter m = begin();
    assert_string_equal(m.why_processors, "");
    assert_int_equal(m.n_packages, 2);
    assert_near(read_energy(&m).processors, 0, 0);
    put("intel-rapl:0", "energy_uj", "3000000");
    put("intel-rapl:0:0", "energy_uj", "900000000");
    put("intel-rapl:1", "energy_uj", "7250000");
    assert_near(read_energy(&m).processors, 2.25, 1e-12);
    assert_near(read_energy(&m).processors, 2.25, 1e-12);
    assert_near(read_energy(&m).gpus, 0, 0); /* the backend is a CPU */
}

static void
counters_begin_anew(void **state)
{
    (void)state;
    begin_again();
    make_zone("intel-rapl:0", "package-0", "262143000000");
    struct koshu_energy_meter m = begin();
    put("intel-rapl:0", "energy_uj", "1000000");
    assert_near(read_energy(&m).processors, 0.32885 + 1, 1e-9);
    put("intel-rapl:0", "energy_uj", "2000000");
    assert_near(read_energy(&m).processors, 0.32885 + 2, 1e-9);
}

static void
what_is_not_there_says_so(void **state)
{
    (void)state;
    begin_again();
    struct koshu_energy_meter m = begin();
    assert_non_null(strstr(m.why_processors, "shows no counters"));
    assert_true(isnan(read_energy(&m).processors));
    make_zone("intel-rapl:0", "package-0", "no number");
    m = begin();
    assert_non_null(strstr(m.why_processors, "for root alone"));
    assert_true(isnan(read_energy(&m).processors));
    make_zone("intel-rapl:0", "package-0", "1");
    m = begin();
    begin_again(); /* while a measurement is running */
    assert_true(isnan(read_energy(&m).processors));
}

static void
gpus_are_added(void **state)
{
    (void)state;
    static const char *const buses[] = {"0000:01:00.0", "0000:02:00.0"};
    const struct koshu_energy_sources sources = {
            .root = root, .nvml = FAKE_NVML, .buses = buses, .n_buses = 2};
    struct koshu_energy_meter m;
    koshu_energy_begin(context, &sources, &m);
    assert_string_equal(m.why_gpus, "");
    assert_int_equal(m.n_gpus, 2);
    assert_near(m.gpu_first[0], 1000, 0);
    assert_near(read_energy(&m).gpus, 15, 1e-9);
    assert_near(read_energy(&m).gpus, 30, 1e-9);
}

static void
unknown_gpus_say_so(void **state)
{
    (void)state;
    static const char *const buses[] = {"0000:09:00.0"};
    struct koshu_energy_sources sources = {
            .root = root, .nvml = FAKE_NVML, .buses = buses, .n_buses = 1};
    struct koshu_energy_meter m;
    koshu_energy_begin(context, &sources, &m);
    assert_non_null(strstr(m.why_gpus, "PCI addresses"));
    assert_true(isnan(read_energy(&m).gpus));
    sources.nvml = "/absent/libnvidia-ml.so";
    koshu_energy_begin(context, &sources, &m);
    assert_non_null(strstr(m.why_gpus, "cannot be loaded"));
    assert_true(isnan(read_energy(&m).gpus));
}

/* The real machine, whatever it has. */
static void
this_machine_is_asked(void **state)
{
    (void)state;
    struct koshu_energy_meter m;
    koshu_energy_begin(context, NULL, &m);
    const struct koshu_energy used = read_energy(&m);
    assert_int_equal(isnan(used.processors), m.why_processors[0] != '\0');
}

static int
make_root(void **state)
{
    (void)state;
    context = test_context("ref", 1);
    return !context || !mkdtemp(root);
}

static int
remove_root(void **state)
{
    (void)state;
    begin_again();
    koshu_context_destroy(context);
    return rmdir(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(packages_are_added),
            cmocka_unit_test(counters_begin_anew),
            cmocka_unit_test(what_is_not_there_says_so),
            cmocka_unit_test(gpus_are_added),
            cmocka_unit_test(unknown_gpus_say_so),
            cmocka_unit_test(this_machine_is_asked),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
