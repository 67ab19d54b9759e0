/* SPDX-License-Identifier: MIT */
/* Stores on the cuda backend, compared with ref, for every precision and
 * shape. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

static void
check_store(size_t n, enum koshu_precision precision, double eps, bool fast,
            double tolerance)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = precision;
    options.softening = eps;
    options.fast = fast;
    struct cloud truth = cloud_make(n, 0, precision == KOSHU_PRECISION_SINGLE);
    struct cloud test = cloud_same(&truth);
    cloud_forces_on("ref", &options, &truth);
    cloud_forces_on("cuda", &options, &test);
    /* relative to at least a tenth of the largest acceleration: near the centre
     * forces cancel, float errors do not */
    struct deviation d = cloud_deviation(&test, &truth, 0.1);
    if (d.max > tolerance || d.potential > tolerance)
        fail_msg("n %zu, %s, eps %g: a off by %.2g, potential by %.2g", n,
                 koshu_precision_name(precision), eps, d.max, d.potential);
    cloud_free_results(&test);
    cloud_free(&truth);
}

/* Sizes around those where shapes change (tuning.cuh), and odd blocks. */
static const size_t sizes[] = {
        1,    2,    3,    31,   32,   33,   129,   255,   257,   1000,  1024,
        1025, 4097, 8191, 8192, 8193, 9000, 12287, 12289, 13000, 16384, 20000};

static void
test_stores(void **state)
{
    (void)state;
    /* float: a few roundings of 2^-24 per pair, and those of a close pair do
     * not average out; double: 2^-53 sqrt(n) */
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        check_store(sizes[k], KOSHU_PRECISION_SINGLE, 0.1, false, 5e-7);
        check_store(sizes[k], KOSHU_PRECISION_SINGLE, 0.1, true, 6e-7);
        check_store(sizes[k], KOSHU_PRECISION_MIXED, 0.01, false, 7e-7);
        check_store(sizes[k], KOSHU_PRECISION_DOUBLE, 0.01, false, 1e-13);
    }
}

static void
test_stores_without_softening(void **state)
{
    (void)state;
    const size_t few[] = {2, 1000, 13000};
    for (size_t k = 0; k < sizeof few / sizeof few[0]; k++)
        for (int e = 0; e < 2; e++) {
            double eps = e == 0 ? 0 : 1e-30;
            /* rounded positions of close pairs differ in few bits */
            check_store(few[k], KOSHU_PRECISION_SINGLE, eps, false, 1e-6);
            check_store(few[k], KOSHU_PRECISION_MIXED, eps, false, 6e-7);
            check_store(few[k], KOSHU_PRECISION_DOUBLE, e == 0 ? 0 : 1e-120,
                        false, 1e-12);
        }
}

/* Particles at one place: no acceleration on each other, and the potential of
 * the softening, or none. */
static void
test_coincident(void **state)
{
    (void)state;
    const size_t counts[] = {5, 300, 13000};
    const enum koshu_precision precisions[] = {KOSHU_PRECISION_SINGLE,
                                               KOSHU_PRECISION_MIXED,
                                               KOSHU_PRECISION_DOUBLE};
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 3; e++) {
                size_t n = counts[k];
                double eps = e == 0 ? 0 : e == 1 ? 0.5 : 1e-20;
                struct koshu_solver_options options =
                        koshu_solver_options_default();
                options.precision = precisions[p];
                options.softening = eps;
                struct cloud c = cloud_make(n, 0, true);
                for (size_t i = 0; i < n; i++)
                    c.x[i] = 3, c.y[i] = -7, c.z[i] = 1e-3, c.mass[i] = 2;
                cloud_forces_on("cuda", &options, &c);
                double expected = eps > 0 ? -2.0 * (double)(n - 1) / eps : 0;
                double worst = 0;
                for (size_t i = 0; i < n; i++) {
                    assert_true(c.ax[i] == 0 && c.ay[i] == 0 && c.az[i] == 0);
                    worst = fmax(worst, fabs(c.potential[i] - expected));
                }
                /* equal terms are rounded alike, by up to 2^-25 for each of the
                 * 256 of a partial sum, half of that on average */
                if (worst > 4e-6 * fabs(expected))
                    fail_msg("n %zu, %s, eps %g: potential off by %g of %g", n,
                             koshu_precision_name(precisions[p]), eps, worst,
                             expected);
                cloud_free(&c);
            }
}

static void
test_off_centre(void **state)
{
    (void)state;
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = KOSHU_PRECISION_MIXED;
    options.softening = 0.01;
    const size_t counts[] = {4096, 16384};
    for (int k = 0; k < 2; k++) {
        struct cloud truth = cloud_make(counts[k], 1e4, false);
        struct cloud test = cloud_same(&truth);
        cloud_forces_on("ref", &options, &truth);
        cloud_forces_on("cuda", &options, &test);
        struct deviation d = cloud_deviation(&test, &truth, 0);
        assert_true(d.rms < 4e-8); /* float rounding, averaged over n */
        cloud_free_results(&test);
        cloud_free(&truth);
    }
}

static void
test_reproducible(void **state)
{
    (void)state;
    const size_t counts[] = {3000, 20000, 40000};
    for (int k = 0; k < 3; k++)
        for (int p = 0; p < 3; p++) {
            struct koshu_solver_options options =
                    koshu_solver_options_default();
            options.precision = (enum koshu_precision)p;
            options.softening = 0.01;
            struct cloud a = cloud_make(counts[k], 0, false);
            struct cloud b = cloud_same(&a);
            cloud_forces_on("cuda", &options, &a);
            cloud_forces_on("cuda", &options, &b);
            size_t bytes = a.n * sizeof *a.ax;
            assert_memory_equal(a.ax, b.ax, bytes);
            assert_memory_equal(a.ay, b.ay, bytes);
            assert_memory_equal(a.az, b.az, bytes);
            assert_memory_equal(a.potential, b.potential, bytes);
            cloud_free_results(&b);
            cloud_free(&a);
        }
}

/* ---- selectable shapes --------------------------------------------------- */

/* All shapes of a set, on a number of particles that fills no block. */
static void
check_shapes(enum koshu_shape_set set, enum koshu_precision precision, size_t n,
             double tolerance)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = precision;
    options.softening = 0.1;
    options.fast = set == KOSHU_SHAPES_FAST;
    struct cloud truth = cloud_make(n, 0, true), test = cloud_same(&truth);
    cloud_forces_on("ref", &options, &truth);
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_backend *backend;
    const struct koshu_shape *shape;
    assert_ok(context, koshu_backend_of(context, &backend));
    size_t k = 0;
    for (; (shape = backend->ops->shape_at(set, k)); k++) {
        char name[KOSHU_SHAPE_NAME];
        koshu_shape_name(shape, name);
        const int shared_memory = k % 2 == 0 ? -1 : 100;
        backend->ops->select_shape(backend, set, koshu_size_class(n), k,
                                   shared_memory);
        for (size_t i = 0; i < n; i++) test.ax[i] = NAN;
        cloud_forces(context, &options, &test);
        struct deviation d = cloud_deviation(&test, &truth, 0.1);
        if (!(d.max <= tolerance && d.potential <= tolerance))
            fail_msg("%s, n %zu: a off by %.2g, potential by %.2g", name, n,
                     d.max, d.potential);
    }
    assert_true(k > 0);
    koshu_context_destroy(context);
    cloud_free_results(&test);
    cloud_free(&truth);
}

static void
test_shapes(void **state)
{
    (void)state;
    /* tolerances as in test_stores() */
    check_shapes(KOSHU_SHAPES_FAST, KOSHU_PRECISION_SINGLE, 5003, 6e-7);
    check_shapes(KOSHU_SHAPES_SINGLE, KOSHU_PRECISION_SINGLE, 5003, 5e-7);
    check_shapes(KOSHU_SHAPES_MIXED, KOSHU_PRECISION_MIXED, 16421, 7e-7);
    check_shapes(KOSHU_SHAPES_DOUBLE, KOSHU_PRECISION_DOUBLE, 5003, 1e-13);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_stores_without_softening),
        cmocka_unit_test(test_coincident),
        cmocka_unit_test(test_off_centre),
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_shapes),
};

CUDA_MAIN(tests)
