/* SPDX-License-Identifier: MIT */
/* theta of the FMM in a periodic box: by how far particles have moved. */
#include <math.h>

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

/* Box of 500 Mpc/h, where a grid's particles have moved by 2.8e-4 of it at z =
 * 49, and by a hundredth today. */
static void
test_a_box_of_500_begins_with_a_small_theta(void **state)
{
    (void)state;
    assert_true(koshu_theta_of_motion(2.8e-4) == 0.6);
    assert_true(koshu_theta_of_motion(1.1e-2) == 0.75);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_theta_grows_with_the_motion),
            cmocka_unit_test(test_a_box_of_500_begins_with_a_small_theta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
