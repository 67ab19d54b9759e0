/* SPDX-License-Identifier: MIT */
/* The Taylor series of a cell's field, compared with the field. */
#include <math.h>

#include "check.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/quadrupole.h"
#include "kernels/series.h"

static const struct quadrupole_cell_f64 cell = {
        .mass = 1.3,
        .xx = 0.5,
        .xy = 0.1,
        .xz = -0.2,
        .yy = 0.7,
        .yz = 0.15,
        .zz = 0.3,
        .half_trace = (0.5 + 0.7 + 0.3) / 2,
};
static const double centre[3] = {1.1, -2.3, 1.7}; /* centre of mass */

static const struct quadrupole_cell_f64 point = {.mass = 1.3};

static struct gravity_sum_f64
field(const struct quadrupole_cell_f64 *of, const double y[3], double eps)
{
    const double dx = centre[0] - y[0], dy = centre[1] - y[1],
                 dz = centre[2] - y[2];
    struct gravity_sum_f64 s = {0};
    double r2 = gravity_r2_f64(dx, dy, dz, eps * eps);
    quadrupole_add_f64(&s, dx, dy, dz, of, 1 / sqrt(r2));
    return s;
}

static void
make_series(const struct quadrupole_cell_f64 *of, double eps,
            double c[SERIES_TERMS_f64])
{
    double r2 = gravity_r2_f64(centre[0], centre[1], centre[2], eps * eps);
    series_of_cell_f64(centre[0], centre[1], centre[2], of, 1 / sqrt(r2), c);
}

struct errors {
    double a, potential;
};

/* At distance h from the point, in some direction. */
static struct errors
errors_at(const struct quadrupole_cell_f64 *of, const double *c, double h,
          double eps)
{
    const double y[3] = {0.5 * h, 0.7 * h, -0.4 * h};
    const struct gravity_sum_f64 f = field(of, y, eps);
    struct gravity_sum_f64 s = {0};
    series_add_f64(&s, c, y[0], y[1], y[2]);
    return (struct errors){sqrt(pow(s.ax - f.ax, 2) + pow(s.ay - f.ay, 2) +
                                pow(s.az - f.az, 2)),
                           fabs(s.mr - f.mr)};
}

/* log2 of the reduction of the acceleration's error when h is halved */
static double
order(const struct quadrupole_cell_f64 *of, const double *c, double eps)
{
    return log2(errors_at(of, c, 0.1, eps).a / errors_at(of, c, 0.05, eps).a);
}

/* The first terms left out are of order h^n in the acceleration and h^(n + 1)
 * in the potential. At h = 0.1 and a distance of 3 the next ones are a
 * thirtieth of them, or twice as much where the first are small. A wrong term
 * would leave an error of its own order, at most n - 1. */
static void
check_order(const struct quadrupole_cell_f64 *of, int n, double eps)
{
    double c[SERIES_TERMS_f64];
    make_series(of, eps, c);
    assert_near(order(of, c, eps), n, 0.3);
    assert_near(log2(errors_at(of, c, 0.1, eps).potential /
                     errors_at(of, c, 0.05, eps).potential),
                n + 1, 0.3);
    for (int k = 1; k < SERIES_TERMS_f64; k++) {
        const double right = c[k];
        if (n == 3 && k >= 20) break; /* the last order is incomplete */
        c[k] += 1e-1;
        if (!(order(of, c, eps) < n - 0.5)) fail_msg("term %d", k);
        c[k] = right;
    }
}

static void
the_error_falls_with_the_order_of_the_series(void **state)
{
    (void)state;
    for (double eps = 0; eps < 3; eps += 0.9) {
        check_order(&point, 4, eps);
        check_order(&cell, 3, eps);
    }
}

/* At the expansion point the series equals the field, to rounding. */
static void
its_first_terms_are_the_field(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0};
    double c[SERIES_TERMS_f64];
    make_series(&cell, 0.3, c);
    const struct gravity_sum_f64 f = field(&cell, origin, 0.3);
    assert_near(c[0], f.mr, 1e-15);
    assert_near(c[1], f.ax, 1e-15);
    assert_near(c[2], f.ay, 1e-15);
    assert_near(c[3], f.az, 1e-15);
}

/* Without softening the field has no sources at the expansion point: the traces
 * of its second and third derivatives vanish, to about ten roundings of terms
 * of order 1. (1/3 or 35/3 as a float would leave 1e-8.) */
static void
unsoftened_fields_have_no_sources(void **state)
{
    (void)state;
    double c[SERIES_TERMS_f64];
    make_series(&cell, 0, c);
    assert_true(fabs(c[4]) > 1e-3 && fabs(c[10]) > 1e-3);
    assert_near(c[4] + c[7] + c[9], 0, 1e-15);
    assert_near(c[10] + c[13] + c[15], 0, 1e-15);
    assert_near(c[11] + c[16] + c[18], 0, 1e-15);
    assert_near(c[12] + c[17] + c[19], 0, 1e-15);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(unsoftened_fields_have_no_sources),
            cmocka_unit_test(the_error_falls_with_the_order_of_the_series),
            cmocka_unit_test(its_first_terms_are_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
