/* SPDX-License-Identifier: MIT */
/* The force of a cell, compared with that of its particles one by one. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/quadrupole.h"

enum { N = 20 };

/* An asymmetric cell of this size about its centre of mass, the origin. */
static double place[N][3], mass[N];

static struct quadrupole_cell_f64
make_cell(double size)
{
    struct quadrupole_cell_f64 c;
    double centre[3] = {0, 0, 0};
    memset(&c, 0, sizeof c);
    for (int k = 0; k < N; k++) {
        mass[k] = 1 + k % 5;
        place[k][0] = size * sin(3.1 * k);
        place[k][1] = 0.6 * size * sin(1.7 * k * k + 1);
        place[k][2] = 0.8 * size * cos(0.7 * k);
        c.mass += mass[k];
        for (int a = 0; a < 3; a++) centre[a] += mass[k] * place[k][a];
    }
    for (int k = 0; k < N; k++) {
        double *x = place[k], m = 3 * mass[k];
        for (int a = 0; a < 3; a++) x[a] -= centre[a] / c.mass;
        c.xx += m * x[0] * x[0];
        c.xy += m * x[0] * x[1];
        c.xz += m * x[0] * x[2];
        c.yy += m * x[1] * x[1];
        c.yz += m * x[1] * x[2];
        c.zz += m * x[2] * x[2];
    }
    c.half_trace = (c.xx + c.yy + c.zz) / 2;
    return c;
}

static struct gravity_sum_f64
of_cell(const struct quadrupole_cell_f64 *c, const double at[3], double eps)
{
    struct gravity_sum_f64 s = {0};
    double r2 = gravity_r2_f64(-at[0], -at[1], -at[2], eps * eps);
    quadrupole_add_f64(&s, -at[0], -at[1], -at[2], c, 1 / sqrt(r2));
    return s;
}

static struct gravity_sum_f64
of_particles(const double at[3], double eps)
{
    struct gravity_sum_f64 s = {0};
    for (int k = 0; k < N; k++) {
        const double dx = place[k][0] - at[0], dy = place[k][1] - at[1],
                     dz = place[k][2] - at[2];
        double r2 = gravity_r2_f64(dx, dy, dz, eps * eps);
        gravity_add_f64(&s, dx, dy, dz, mass[k], 1 / sqrt(r2));
    }
    return s;
}

static double
relative_error(double size, double eps)
{
    const double at[3] = {0.8, -0.5, 0.3}; /* at a distance of about 1 */
    const struct quadrupole_cell_f64 c = make_cell(size);
    const struct gravity_sum_f64 a = of_cell(&c, at, eps),
                                 b = of_particles(at, eps);
    return sqrt(pow(a.ax - b.ax, 2) + pow(a.ay - b.ay, 2) +
                pow(a.az - b.az, 2)) /
           sqrt(b.ax * b.ax + b.ay * b.ay + b.az * b.az);
}

/* The first moment that is left out is the third, so a cell of half the size
 * has an eighth of the error, whatever the softening. The fourth moment, which
 * falls to a sixteenth, makes the ratio a little larger than 8; the bound is
 * 10. */
static void
the_error_falls_with_the_third_power_of_the_size(void **state)
{
    (void)state;
    for (double eps = 0; eps < 2; eps += 0.4) {
        double coarse = relative_error(0.02, eps),
               fine = relative_error(0.01, eps);
        assert_true(coarse < 1e-4);
        if (!(coarse / fine > 6.5 && coarse / fine < 10))
            fail_msg("eps = %g: errors %g and %g", eps, coarse, fine);
    }
}

/* a = -grad pot by second-order differences: errors of h^2 and 1e-16/h. */
static void
the_acceleration_is_the_gradient_of_the_potential(void **state)
{
    (void)state;
    const double h = 1e-5;
    const struct quadrupole_cell_f64 c = make_cell(0.5);
    for (double eps = 0; eps < 2; eps += 0.9) {
        const double at[3] = {0.9, 0.7, -0.4};
        const struct gravity_sum_f64 s = of_cell(&c, at, eps);
        const double a[3] = {s.ax, s.ay, s.az};
        for (int k = 0; k < 3; k++) {
            double up[3], down[3];
            memcpy(up, at, sizeof up);
            memcpy(down, at, sizeof down);
            up[k] += h;
            down[k] -= h;
            double slope =
                    (of_cell(&c, up, eps).mr - of_cell(&c, down, eps).mr) /
                    (2 * h);
            assert_near(a[k], slope, 1e-7 * c.mass);
        }
    }
}

/* The reduced form gives the same field to rounding: 1e-13. */
static void
a_reduced_cell_acts_as_the_cell(void **state)
{
    (void)state;
    const double at[3] = {0.9, 0.7, -0.4};
    const struct quadrupole_cell_f64 c = make_cell(0.5);
    for (double eps = 0; eps < 2; eps += 0.9) {
        const struct reduced_cell_f64 reduced =
                quadrupole_reduce_f64(&c, eps * eps);
        const struct gravity_sum_f64 s = of_cell(&c, at, eps);
        struct gravity_sum_f64 t = {1, 2, 3, 4}; /* earlier sums must be kept */
        double r2 = gravity_r2_f64(at[0], at[1], at[2], eps * eps);
        quadrupole_add_reduced_f64(&t, -at[0], -at[1], -at[2], &reduced,
                                   1 / sqrt(r2));
        assert_near(t.ax - 1, s.ax, 1e-13 * c.mass);
        assert_near(t.ay - 2, s.ay, 1e-13 * c.mass);
        assert_near(t.az - 3, s.az, 1e-13 * c.mass);
        assert_near(t.mr - 4, s.mr, 1e-13 * c.mass);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_error_falls_with_the_third_power_of_the_size),
            cmocka_unit_test(the_acceleration_is_the_gradient_of_the_potential),
            cmocka_unit_test(a_reduced_cell_acts_as_the_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
