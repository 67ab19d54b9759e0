/* SPDX-License-Identifier: MIT */
/* The public list of devices. */
#include <stdlib.h>
#include <string.h>

#include <koshu/device.h>

#include "check.h"

static struct koshu_context *context;

static int
set_up(void **state)
{
    (void)state;
    context = test_context(NULL, 1);
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    unsetenv("KOSHU_ISA");
    unsetenv("KOSHU_MEMORY");
    koshu_context_destroy(context);
    return 0;
}

static struct koshu_device
device_at(size_t k)
{
    struct koshu_device device;
    memset(&device, 0xff, sizeof device);
    device.size = sizeof device;
    assert_ok(context, koshu_device_get(context, k, &device));
    assert_int_equal(device.size, sizeof device);
    return device;
}

/* The first device of a backend. */
static struct koshu_device
device_of(const char *backend)
{
    const size_t n = koshu_device_count(context);
    for (size_t k = 0; k < n; k++) {
        const struct koshu_device device = device_at(k);
        if (strcmp(device.backend, backend) == 0) return device;
    }
    fail_msg("no device of backend %s in the list", backend);
    return (struct koshu_device){0};
}

/* Each device can be named in a context's options, and is then used. */
static void
usable_devices_open(void **state)
{
    (void)state;
    const size_t n = koshu_device_count(context);
    /* cuda, simd and ref, each available or with the reason why not */
    assert_true(n >= 3);
    for (size_t k = 0; k < n; k++) {
        const struct koshu_device device = device_at(k);
        assert_true(device.usable == (device.reason[0] == '\0'));
        assert_true(!device.usable || device.name[0] != '\0');
        assert_true(device.number >= -1);
        struct koshu_context *named = test_context(device.backend, 1);
        koshu_context_destroy(named);
    }
}

static void
cpus_are_described(void **state)
{
    (void)state;
    setenv("KOSHU_MEMORY", "3G", 1);
    const struct koshu_device simd = device_of("simd"), ref = device_of("ref");
    assert_true(simd.usable && ref.usable);
    assert_int_equal(simd.number, -1);
    assert_true(simd.memory > 0 && simd.memory <= (uint64_t)3 << 30);
    assert_true(ref.memory > 0);
    assert_string_equal(ref.name, "scalar, double precision");
    setenv("KOSHU_ISA", "base", 1);
    assert_true(device_of("simd").usable);
    setenv("KOSHU_ISA", "abacus", 1);
    const struct koshu_device none = device_of("simd");
    assert_false(none.usable);
    assert_non_null(strstr(none.reason, "KOSHU_ISA=abacus"));
}

static void
gpus_are_described(void **state)
{
    (void)state;
    const struct koshu_device gpu = device_of("cuda");
    if (gpu.usable) {
        assert_int_equal(gpu.number, 0);
        assert_true(gpu.memory > 0);
    } else {
        assert_true(strlen(gpu.reason) > 5);
    }
}

static void
misuse_is_refused(void **state)
{
    (void)state;
    struct koshu_device device = {.size = sizeof device};
    const size_t n = koshu_device_count(context);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, ", from 0",
                 koshu_device_get(context, n, &device));
    device.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_device_get(context, 0, &device));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_setup_teardown(usable_devices_open, set_up,
                                            tear_down),
            cmocka_unit_test_setup_teardown(cpus_are_described, set_up,
                                            tear_down),
            cmocka_unit_test_setup_teardown(gpus_are_described, set_up,
                                            tear_down),
            cmocka_unit_test_setup_teardown(misuse_is_refused, set_up,
                                            tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
