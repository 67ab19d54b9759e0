/* SPDX-License-Identifier: MIT */
/* The tree walk on the device, compared with the walk on the CPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

/* Options of the next tree solver that is created. */
static struct koshu_tree_options tree;

static struct koshu_solver_options
tree_options(double theta)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_TREE;
    o.softening = 0.02;
    o.tree = &tree;
    tree = koshu_tree_options_default();
    tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    tree.theta = theta;
    return o;
}

static struct cloud
direct_forces(const struct cloud *c, double eps)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    struct cloud all = cloud_same(c);
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.softening = eps;
    cloud_forces_on("cpu", &o, &all);
    return all;
}

static struct deviation
deviation_of(const char *backend, const struct koshu_solver_options *o,
             const struct cloud *c, const struct cloud *direct)
{
    struct cloud by_tree = cloud_same(c);
    cloud_forces_on(backend, o, &by_tree);
    struct deviation d = cloud_deviation(&by_tree, direct, 0.01);
    cloud_free_results(&by_tree);
    return d;
}

/* Groups and leaves differ, and far cells act by series, so errors are similar
 * but not equal. The device's may be larger by a quarter; the largest, that of
 * a potential, by a factor of two. */
static void
errors_are_those_of_the_cpu(void **state)
{
    (void)state;
    struct cloud c = cloud_make(20000, 3, false);
    struct cloud direct = direct_forces(&c, 0.02);
    for (int variant = 0; variant < 16; variant++) {
        struct koshu_solver_options o = tree_options(variant & 1 ? 0.8 : 0.5);
        if (variant & 2) tree.multipole_order = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
        if (variant & 4) o.precision = KOSHU_PRECISION_MIXED;
        if (variant == 8 || variant == 11) o.fast = true;
        if (variant & 8) tree.n_crit = 23; /* some lanes are idle */
        struct deviation here = deviation_of("cuda", &o, &c, &direct);
        struct deviation there = deviation_of("cpu", &o, &c, &direct);
        if (!(here.rms < 1.25 * there.rms &&
              here.potential < 2 * there.potential))
            fail_msg("variant %d: %g and %g, on the CPU %g and %g", variant,
                     here.rms, here.potential, there.rms, there.potential);
    }
    cloud_free_results(&direct);
    cloud_free(&c);
}

/* All cells are opened, so all pairs are summed. In mixed precision positions
 * keep their digits; 1 / r^3 and the sums of a list are floats, and forces
 * cancel down to a hundredth of the largest: 1e-5. */
static void
any_number_of_particles_is_summed(void **state)
{
    (void)state;
    const size_t numbers[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 97, 129, 700};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        struct cloud c = cloud_make(numbers[k], 0, false);
        struct cloud direct = direct_forces(&c, 0.02);
        struct koshu_solver_options o = tree_options(1e-3);
        o.precision = KOSHU_PRECISION_MIXED;
        struct deviation d = deviation_of("cuda", &o, &c, &direct);
        if (!(d.max < 1e-5 && d.potential < 1e-5))
            fail_msg("%zu particles: %g, %g", numbers[k], d.max, d.potential);
        cloud_free_results(&direct);
        cloud_free(&c);
    }
}

static void
a_sum_is_the_same_to_the_last_bit(void **state)
{
    (void)state;
    /* groups that are shared, and that are not */
    for (size_t n = 5000; n <= 320000; n *= 8) {
        struct cloud a = cloud_make(n, 0, false);
        struct cloud b = cloud_same(&a);
        struct koshu_solver_options o = tree_options(0.7);
        cloud_forces_on("cuda", &o, &a);
        cloud_forces_on("cuda", &o, &b);
        assert_memory_equal(a.ax, b.ax, n * sizeof(double));
        assert_memory_equal(a.ay, b.ay, n * sizeof(double));
        assert_memory_equal(a.az, b.az, n * sizeof(double));
        assert_memory_equal(a.potential, b.potential, n * sizeof(double));
        cloud_free_results(&b);
        cloud_free(&a);
    }
}

/* Pairs 1e-9 apart without softening: the force between the two dominates.
 * Mixed precision keeps distances to 48 bits of the group's size, 1e-13 in the
 * halo: 1e-3. In single precision a pair is one point. */
static void
close_pairs_need_mixed_precision(void **state)
{
    (void)state;
    struct cloud c = cloud_make(4000, 0, false);
    for (size_t i = 1; i < c.n; i += 2) {
        c.x[i] = c.x[i - 1] + 1e-9;
        c.y[i] = c.y[i - 1];
        c.z[i] = c.z[i - 1];
    }
    struct cloud direct = direct_forces(&c, 0);
    struct koshu_solver_options o = tree_options(0.5);
    o.softening = 0;
    assert_false(deviation_of("cuda", &o, &c, &direct).rms < 0.1);
    o.precision = KOSHU_PRECISION_MIXED;
    struct deviation d = deviation_of("cuda", &o, &c, &direct);
    if (!(d.rms < 1e-3)) fail_msg("%g", d.rms);
    cloud_free_results(&direct);
    cloud_free(&c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_the_cpu),
        cmocka_unit_test(any_number_of_particles_is_summed),
        cmocka_unit_test(a_sum_is_the_same_to_the_last_bit),
        cmocka_unit_test(close_pairs_need_mixed_precision),
};

CUDA_MAIN(tests)
