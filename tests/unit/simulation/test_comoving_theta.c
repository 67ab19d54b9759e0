/* SPDX-License-Identifier: MIT */
/* theta of the FMM in a periodic box depends on how far particles have
 * moved. */
#include <math.h>

#include "integrate/integrate.h"
#include "kernels/opening.h"
#include "simulation/simulation.h"

#include "fixture.h"

static void
test_theta_grows_with_the_motion(void **state)
{
    (void)state;
    double last = koshu_theta_of_motion(0);
    assert_true(last == 0.5);
    for (double motion = 1e-6; motion < 1; motion *= 1.01) {
        const double theta = koshu_theta_of_motion(motion);
        assert_true(theta >= last && theta <= 0.8);
        last = theta;
    }
    assert_true(last == 0.8);
    assert_true(koshu_theta_of_motion(NAN) == 0.5);
}

/* A box of 500 Mpc/h, whose particles have moved from their grid by 2.8e-4 of
 * it at z = 49 and by a hundredth today. */
static void
test_a_box_of_500_begins_with_a_small_theta(void **state)
{
    (void)state;
    assert_true(koshu_theta_of_motion(2.8e-4) == 0.6);
    assert_true(koshu_theta_of_motion(1.1e-2) == 0.75);
}

/* 1024^3 particles there: cells have those of boxes of four times their size,
 * down to cells of 64^3 particles. The diagonal of a cell is the sum of the
 * radii of two. */
static void
test_smaller_cells_have_a_larger_theta(void **state)
{
    (void)state;
    static const double edge = 500, expected[] = {0.6,  0.6,  0.6, 0.6, 0.65,
                                                  0.65, 0.65, 0.7, 0.75};
    const struct koshu_opening all = koshu_opening_of_motion(2.8e-4, 1024,
                                                             edge),
                               few = koshu_opening_of_motion(2.8e-4, 64, edge);
    for (int k = 0; k < 9; k++) {
        const double both = sqrt(3) * edge / (1 << k);
        assert_int_equal(koshu_opening_size(&all, both), k);
        assert_int_equal(koshu_opening_size(&all, 0.51 * both), k);
        assert_true(koshu_opening_theta(&all, both) == expected[k]);
        assert_true(koshu_opening_theta(&few, both) == 0.6);
    }
    assert_true(koshu_opening_theta(&all, 0) == 0.75);
    assert_true(koshu_opening_theta(&all, 2 * edge) == 0.6);
    assert_true(koshu_opening_of_small(&all) == 0.75);
}

/* In a matter-only universe f = 1 and H = H0 a^(-3/2): peculiar velocities are
 * a H psi in each of three axes, which give T; drift: of all of them. */
static double
motion_of(size_t edge, double a, double psi, double drift)
{
    static const double box = 10, mass = 7, hubble0 = 100;
    const double p[3] = {0, mass * a * drift, 0};
    const double u = a * hubble0 * pow(a, -1.5) * psi;
    struct koshu_integrator integrator = {
            .clock = {.time = a},
            .expansion = {.cosmology = {.omega_m = 1, .hubble0 = hubble0}}};
    struct koshu_simulation s = {.integrator = &integrator,
                                 .kinetic =
                                         mass * (3 * u * u + drift * drift) / 2,
                                 .kept = {.box_size = box}};
    assert_ok(context, koshu_particles_create(context, edge * edge * edge,
                                              &s.particles));
    const double motion = koshu_universe_motion(&s, mass, p);
    koshu_particles_destroy(s.particles);
    return motion;
}

static void
test_motion_is_that_of_the_growing_mode(void **state)
{
    (void)state;
    assert_near(motion_of(64, 0.02, 0.03, 0), 3e-3, 1e-12);
    assert_near(motion_of(80, 0.5, 0.03, 50), 3e-3, 1e-12);
    assert_near(motion_of(16, 0.1, 0.03, 0), 3e-3 / 4, 1e-12);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_theta_grows_with_the_motion),
            cmocka_unit_test(test_a_box_of_500_begins_with_a_small_theta),
            cmocka_unit_test(test_smaller_cells_have_a_larger_theta),
            cmocka_unit_test(test_motion_is_that_of_the_growing_mode),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
