/* SPDX-License-Identifier: MIT */
/* Forces that nearly cancel, in single precision on the cuda backend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

enum { ALL_RESULTS = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL };

/* force.h promises an error below 5e-7 for every particle of every sphere, also
 * where forces cancel. The reference is the device's own double precision,
 * which other tests compare with ref. */
static void
check_every_particle(struct koshu_context *context, size_t n, uint64_t seed)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.softening = 0.1;
    struct cloud test = cloud_from(seed, n, 0, true);
    struct cloud truth = cloud_same(&test);
    options.precision = KOSHU_PRECISION_DOUBLE;
    cloud_forces(context, &options, &truth);
    options.precision = KOSHU_PRECISION_SINGLE;
    const unsigned fields[] = {KOSHU_FIELD_ACCELERATION, ALL_RESULTS};
    for (int k = 0; k < 2; k++) {
        cloud_fields(context, &options, fields[k], &test);
        double error = cloud_largest_error(&test, &truth, n);
        if (!(error < 5e-7))
            fail_msg("n %zu, seed %d, fields %u: %.2e", n, (int)seed, fields[k],
                     error);
    }
    cloud_free_results(&truth);
    cloud_free(&test);
}

static void
test_every_particle(void **state)
{
    (void)state;
    /* Sizes around those where kernels change, and sizes where one particle in
     * a few spheres would exceed the bound if it were not summed again. */
    const struct {
        size_t n;
        uint64_t seeds;
    } spheres[] = {{300, 4},   {2048, 4},  {2049, 40}, {3000, 40}, {4096, 40},
                   {6000, 40}, {8191, 40}, {8192, 20}, {12287, 4}, {12289, 4},
                   {16384, 4}, {33000, 4}, {131072, 4}};
    struct koshu_context *context = test_context("cuda", 0);
    for (size_t k = 0; k < sizeof spheres / sizeof spheres[0]; k++)
        for (uint64_t seed = 1; seed <= spheres[k].seeds; seed++)
            check_every_particle(context, spheres[k].n, seed);
    koshu_context_destroy(context);
}

/* A hollow sphere of equal masses, with `inside` massless particles in it,
 * which come first: there the forces cancel and only noise remains. */
static struct cloud
make_shell(size_t n, size_t inside)
{
    struct cloud c = cloud_make(n, 0, true);
    for (size_t k = 0; k < n; k++) {
        bool in = k < inside;
        double r = hypot(hypot(c.x[k], c.y[k]), c.z[k]);
        double to = in ? 0.4 * r / (1 + r) : 1;
        c.x[k] = (float)(c.x[k] / r * to);
        c.y[k] = (float)(c.y[k] / r * to);
        c.z[k] = (float)(c.z[k] / r * to);
        c.mass[k] = in ? 0 : 1 / (double)n;
    }
    return c;
}

/* Every particle inside is summed again in double precision. The rounding
 * error, 2^-53 sqrt(n), is amplified by the cancellation, a factor of 1e2 to
 * 1e4. In float the error would be more than 1e-7. */
static const double recomputed = 1e-10;

/* Sizes for direct() and for mutual(). */
static const struct {
    size_t n, inside;
} shells[] = {{2049, 1},    {3000, 40}, {4096, 3},  {6000, 3},    {9000, 40},
              {12000, 300}, {17000, 1}, {17000, 3}, {17000, 5000}};
enum { SHELLS = sizeof shells / sizeof shells[0] };

static void
check_hollow_store(size_t n, size_t inside)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.softening = 0.05;
    struct cloud truth = make_shell(n, inside);
    struct cloud test = cloud_same(&truth), again = cloud_same(&truth);
    const size_t bytes = n * sizeof *test.ax;
    cloud_forces_on("ref", &options, &truth);
    cloud_forces_on("cuda", &options, &test);
    cloud_forces_on("cuda", &options, &again);
    assert_true(cloud_largest_error(&test, &truth, inside) < recomputed);
    for (size_t i = 0; i < inside; i++)
        assert_near(test.potential[i], truth.potential[i], 1e-13);
    assert_memory_equal(test.ax, again.ax, bytes);
    assert_memory_equal(test.potential, again.potential, bytes);
    /* "fast" does not sum again, so the check must notice */
    options.fast = true;
    cloud_forces_on("cuda", &options, &test);
    assert_true(cloud_largest_error(&test, &truth, inside) > recomputed);
    cloud_free_results(&test);
    cloud_free_results(&again);
    cloud_free(&truth);
}

static void
test_hollow_stores(void **state)
{
    (void)state;
    for (int k = 0; k < SHELLS; k++)
        check_hollow_store(shells[k].n, shells[k].inside);
}

/* The same particles as the second of three sets. */
static void
check_hollow_batch(size_t n, size_t inside)
{
    const size_t i_offset[] = {0, 0, inside, inside + 1};
    const size_t j_offset[] = {0, 1, n, n}; /* without 0, massless */
    struct koshu_force_options options = koshu_force_options_default();
    options.softening = 0.05;
    struct cloud truth = make_shell(n, inside);
    struct cloud test = cloud_same(&truth);
    cloud_forces_of_sets("ref", &options, 3, i_offset, j_offset, NULL, &truth);
    cloud_forces_of_sets("cuda", &options, 3, i_offset, j_offset, NULL, &test);
    assert_true(cloud_largest_error(&test, &truth, inside) < recomputed);
    assert_true(test.ax[inside] == 0); /* there are no j-particles */
    cloud_free_results(&test);
    cloud_free(&truth);
}

static void
test_hollow_batches(void **state)
{
    (void)state;
    for (int k = 0; k < SHELLS; k++)
        check_hollow_batch(shells[k].n, shells[k].inside);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_particle),
        cmocka_unit_test(test_hollow_stores),
        cmocka_unit_test(test_hollow_batches),
};

CUDA_MAIN(tests)
