/* SPDX-License-Identifier: MIT */
/* What a pair adds to accelerations and jerks, in each form of the kernel,
 * compared with the formulas of kernels/gravity.h and kernels/jerk.h. */
#include <math.h>

#include "check.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/jerk.h"

static const double d[3] = {0.3, -0.5, 0.7}, w[3] = {1.1, -0.4, 2.3},
                    eps2 = 0.04, mass = 1.7, other_mass = 0.6;

/* The value of all sums before the pair. */
static const double before = 0.25;
static const struct gravity_sum_f64 accelerations = {0.25, 0.25, 0.25, 0.25};
static const struct jerk_sum_f64 jerks = {0.25, 0.25, 0.25, 0.25,
                                          0.25, 0.25, 0.25};

static double
r2_of_pair(void)
{
    return gravity_r2_f64(d[0], d[1], d[2], eps2);
}

/* m d_k / r^3, and its rate of change. */
static void
expect(double m, double sign, const double a[3], const double *jerk, double mr,
       double error)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps2,
                 r = sqrt(r2), dw = d[0] * w[0] + d[1] * w[1] + d[2] * w[2];
    for (int k = 0; k < 3; k++) {
        assert_near(a[k], sign * m * d[k] / (r2 * r), error);
        if (jerk)
            assert_near(jerk[k],
                        sign * m * (w[k] - 3 * dw / r2 * d[k]) / (r2 * r),
                        error);
    }
    assert_near(mr, m / r, error);
}

static void
expect_gravity(double m, double sign, const struct gravity_sum_f64 *s,
               double factor, double error)
{
    const double a[3] = {factor * (s->ax - before), factor * (s->ay - before),
                         factor * (s->az - before)};
    expect(m, sign, a, NULL, s->mr - before, error);
}

static void
expect_jerk(double m, double sign, const struct jerk_sum_f64 *s, double factor,
            double error)
{
    const double a[3] = {factor * (s->ax - before), factor * (s->ay - before),
                         factor * (s->az - before)},
                 jerk[3] = {factor * (s->jx - before),
                            factor * (s->jy - before),
                            factor * (s->jz - before)};
    expect(m, sign, a, jerk, s->mr - before, error);
}

static void
accelerations_of_one(void **state)
{
    (void)state;
    struct gravity_sum_f64 s = accelerations;
    gravity_add_f64(&s, d[0], d[1], d[2], mass, 1 / sqrt(r2_of_pair()));
    expect_gravity(mass, 1, &s, 1, 4e-15);
    assert_near(gravity_distance2_f64(d[0], d[1], d[2]) + eps2, r2_of_pair(),
                4e-15);
}

static void
jerks_of_one(void **state)
{
    (void)state;
    struct jerk_sum_f64 s = jerks;
    jerk_add_f64(&s, d[0], d[1], d[2], w[0], w[1], w[2], mass,
                 1 / sqrt(r2_of_pair()));
    expect_jerk(mass, 1, &s, 1, 4e-15);
}

/* With e = 1 - r2 y^2 the error is 15 / 8 e^2 in 1 / r^3, and e in what is only
 * as accurate as the estimate. */
static void
estimates_are_put_right(void **state)
{
    (void)state;
    const double off = 1e-4, y = (1 + off) / sqrt(r2_of_pair());
    struct gravity_sum_f64 s = accelerations;
    struct jerk_sum_f64 j = jerks;
    s.mr += mass / sqrt(r2_of_pair()); /* this kernel does not change it */
    gravity_add_estimate_f64(&s, d[0], d[1], d[2], r2_of_pair(), mass, y);
    expect_gravity(mass, 1, &s, KOSHU_GRAVITY_ESTIMATE_SCALE, 2e-7);
    jerk_add_estimate_f64(&j, d[0], d[1], d[2], w[0], w[1], w[2], r2_of_pair(),
                          mass, y);
    j.mr -= off * mass / sqrt(r2_of_pair());
    expect_jerk(mass, 1, &j, KOSHU_GRAVITY_ESTIMATE_SCALE, 3e-3);
    j = jerks;
    jerk_add_estimate_f64(&j, d[0], d[1], d[2], w[0], w[1], w[2], r2_of_pair(),
                          mass, 1 / sqrt(r2_of_pair()));
    expect_jerk(mass, 1, &j, KOSHU_GRAVITY_ESTIMATE_SCALE, 2e-7);
}

static void
both_of_a_pair(void **state)
{
    (void)state;
    const double rinv = 1 / sqrt(r2_of_pair()), cube = gravity_cube_f64(rinv);
    struct gravity_sum_f64 i = accelerations, j = accelerations;
    struct jerk_sum_f64 ji = jerks, jj = jerks;
    assert_near(cube * pow(r2_of_pair(), 1.5), 1, 4e-15);
    gravity_add_both_f64(&i, &j, d[0], d[1], d[2], other_mass, mass, rinv,
                         cube);
    expect_gravity(mass, 1, &i, 1, 4e-15);
    expect_gravity(other_mass, -1, &j, 1, 4e-15);
    jerk_add_both_f64(&ji, &jj, d[0], d[1], d[2], w[0], w[1], w[2], other_mass,
                      mass, rinv, cube);
    expect_jerk(mass, 1, &ji, 1, 4e-15);
    expect_jerk(other_mass, -1, &jj, 1, 4e-15);
}

static void
the_cube_of_an_estimate(void **state)
{
    (void)state;
    const double y = (1 + 1e-4) / sqrt(r2_of_pair());
    assert_near(KOSHU_GRAVITY_ESTIMATE_SCALE *
                        gravity_cube_estimate_f64(r2_of_pair(), y) *
                        pow(r2_of_pair(), 1.5),
                1, 2e-7);
}

/* Numbers in two parts: digits that a single float of each would lose. */
static void
differences_of_two_parts(void **state)
{
    (void)state;
    assert_near(gravity_difference_f64(5, 0.25, 2, 0.125), 3.125, 4e-15);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(accelerations_of_one),
            cmocka_unit_test(jerks_of_one),
            cmocka_unit_test(estimates_are_put_right),
            cmocka_unit_test(both_of_a_pair),
            cmocka_unit_test(the_cube_of_an_estimate),
            cmocka_unit_test(differences_of_two_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
