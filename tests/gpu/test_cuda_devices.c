/* SPDX-License-Identifier: MIT */
/*
 * Stores on several devices, compared with ref and with one device. A single
 * device is named several times; then everything but the copies is the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "run.h"

static struct koshu_context *
context_of(const char *devices, enum koshu_exchange exchange)
{
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *context = NULL;
    options.backend = "cuda";
    options.devices = devices;
    options.exchange = exchange;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    return context;
}

/* A list of n device numbers, taken in turn from those present. */
static const char *
list_of(int n)
{
    static char text[64];
    const int there = koshu_backend_cuda.devices();
    char *end = text;
    for (int k = 0; k < n; k++)
        end += snprintf(end, 8, "%s%d", k ? "," : "", k % there);
    return text;
}

static struct koshu_solver_options
options_of(enum koshu_precision precision, double eps, bool fast)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = precision;
    options.softening = eps;
    options.fast = fast;
    return options;
}

/* Every kind of exchange, on 2 and on 5 devices. */
static void
check_store(size_t n, enum koshu_precision precision, double eps, bool fast,
            double tolerance)
{
    const struct koshu_solver_options options =
            options_of(precision, eps, fast);
    struct cloud truth = cloud_make(n, 0, precision == KOSHU_PRECISION_SINGLE);
    cloud_forces_on("ref", &options, &truth);
    for (enum koshu_exchange e = KOSHU_EXCHANGE_SEND_SYNC;
         e <= KOSHU_EXCHANGE_MUTUAL; e++)
        for (int devices = 2; devices <= 5; devices += 3) {
            struct koshu_context *context = context_of(list_of(devices), e);
            struct cloud test = cloud_same(&truth);
            cloud_forces(context, &options, &test);
            struct deviation d = cloud_deviation(&test, &truth, 0.1);
            if (!(d.max <= tolerance && d.potential <= tolerance))
                fail_msg("n %zu, %s on %d devices, %s, eps %g: a off by %.2g, "
                         "potential by %.2g",
                         n, koshu_exchange_name(e), devices,
                         koshu_precision_name(precision), eps, d.max,
                         d.potential);
            cloud_free_results(&test);
            koshu_context_destroy(context);
        }
    cloud_free(&truth);
}

static void
test_stores(void **state)
{
    (void)state;
    /* fewer particles than devices, and shapes and slices of every kind;
     * tolerances as on one device (test_cuda_stores.c) */
    const size_t sizes[] = {1, 2, 4, 33, 1000, 4097, 13001, 20000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        check_store(sizes[k], KOSHU_PRECISION_SINGLE, 0.1, false, 5e-7);
        check_store(sizes[k], KOSHU_PRECISION_DOUBLE, 0.01, false, 1e-13);
    }
    check_store(20000, KOSHU_PRECISION_SINGLE, 0.1, true, 6e-7);
    check_store(20000, KOSHU_PRECISION_MIXED, 0.01, false, 7e-7);
    check_store(25000, KOSHU_PRECISION_SINGLE, 0.1, false, 5e-7);
    check_store(13000, KOSHU_PRECISION_SINGLE, 0, false, 1e-6);
}

static void
assert_same_forces(const struct cloud *a, const struct cloud *b)
{
    size_t bytes = a->n * sizeof *a->ax;
    assert_memory_equal(a->ax, b->ax, bytes);
    assert_memory_equal(a->ay, b->ay, bytes);
    assert_memory_equal(a->az, b->az, bytes);
    assert_memory_equal(a->potential, b->potential, bytes);
}

/* Repeated calls for stores of several sizes. */
static void
test_reproducible(void **state)
{
    (void)state;
    const size_t counts[] = {3000, 20000};
    for (enum koshu_exchange e = KOSHU_EXCHANGE_SEND_SYNC;
         e <= KOSHU_EXCHANGE_MUTUAL; e++) {
        struct koshu_context *context = context_of(list_of(3), e);
        for (int p = 0; p < 3; p++)
            for (int k = 0; k < 2; k++) {
                const struct koshu_solver_options options =
                        options_of((enum koshu_precision)p, 0.01, false);
                struct cloud a = cloud_make(counts[k], 0, false);
                cloud_forces(context, &options, &a);
                for (int again = 0; again < 3; again++) {
                    struct cloud b = cloud_same(&a);
                    cloud_forces(context, &options, &b);
                    assert_same_forces(&a, &b);
                    cloud_free_results(&b);
                }
                cloud_free(&a);
            }
        koshu_context_destroy(context);
    }
}

/* Whether kernels write into the memory of other devices or data are copied,
 * the same numbers are added in the same order. */
static void
test_copies(void **state)
{
    (void)state;
    const struct koshu_solver_options options =
            options_of(KOSHU_PRECISION_SINGLE, 0.01, false);
    for (int devices = 2; devices <= 3; devices++) {
        struct koshu_context *direct =
                context_of(list_of(devices), KOSHU_EXCHANGE_MUTUAL);
        struct koshu_context *copies =
                context_of(list_of(devices), KOSHU_EXCHANGE_MUTUAL);
        struct cloud a = cloud_make(20011, 0, false), b = cloud_same(&a);
        cloud_forces(direct, &options, &a);
        assert_int_equal(setenv("KOSHU_PEERS", "off", 1), 0);
        cloud_forces(copies, &options, &b); /* opens the devices */
        assert_int_equal(unsetenv("KOSHU_PEERS"), 0);
        assert_same_forces(&a, &b);
        cloud_free_results(&b);
        cloud_free(&a);
        koshu_context_destroy(direct);
        koshu_context_destroy(copies);
    }
}

/* Particles stay on the devices; changes on the host reach them. */
static void
compare_steps(enum koshu_step_rule rule)
{
    const size_t n = 700;
    double *expected = poisoned(2 * n), *x = poisoned(2 * n);
    struct koshu_context *one = context_of("0", KOSHU_EXCHANGE_AUTO);
    run_steps(one, n, rule, expected);
    koshu_context_destroy(one);
    for (enum koshu_exchange e = KOSHU_EXCHANGE_SEND_SYNC;
         e <= KOSHU_EXCHANGE_MUTUAL; e++) {
        struct koshu_context *context = context_of(list_of(3), e);
        run_steps(context, n, rule, x);
        koshu_context_destroy(context);
        /* rounding over 20 steps, amplified by close encounters */
        for (size_t k = 0; k < 2 * n; k++)
            assert_true(fabs(x[k] - expected[k]) < 1e-12);
    }
    free(expected);
    free(x);
}

static void
test_leapfrog(void **state)
{
    (void)state;
    compare_steps(KOSHU_STEP_RULE_FIXED);
    compare_steps(KOSHU_STEP_RULE_ACCELERATION);
}

/* Contexts on one and on several devices, used alternately in one thread. */
static void
test_contexts_in_turns(void **state)
{
    (void)state;
    const struct koshu_solver_options options =
            options_of(KOSHU_PRECISION_DOUBLE, 0.01, false);
    struct koshu_context *context[2] = {
            context_of(list_of(2), KOSHU_EXCHANGE_AUTO),
            context_of("0", KOSHU_EXCHANGE_AUTO)};
    struct cloud truth = cloud_make(3000, 0, false);
    cloud_forces_on("ref", &options, &truth);
    for (int turn = 0; turn < 4; turn++) {
        struct cloud test = cloud_same(&truth);
        cloud_forces(context[turn % 2], &options, &test);
        assert_true(cloud_deviation(&test, &truth, 0.1).max < 1e-13);
        cloud_free_results(&test);
    }
    koshu_context_destroy(context[0]);
    koshu_context_destroy(context[1]);
    cloud_free(&truth);
}

static void
test_devices_that_are_not_there(void **state)
{
    (void)state;
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    struct koshu_context *context = context_of("0,63", KOSHU_EXCHANGE_AUTO);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "there is no GPU 63",
                 koshu_solver_create(context, &options, &solver));
    koshu_context_destroy(context);
    context = context_of("all", KOSHU_EXCHANGE_AUTO);
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    koshu_solver_destroy(solver);
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_leapfrog),
        cmocka_unit_test(test_contexts_in_turns),
        cmocka_unit_test(test_devices_that_are_not_there),
};

CUDA_MAIN(tests)
