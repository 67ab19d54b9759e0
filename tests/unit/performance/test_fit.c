/* SPDX-License-Identifier: MIT */
/* Fits recover the constants from which data were made. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "performance/performance.h"

enum { POINTS = 10 };

/* n = 1, 4, 16 ...: t = a n + b + known, times 1 +- noise alternately. */
static void
make_line(struct koshu_fit_point *points, double a, double b, double known,
          double noise)
{
    double n = 1;
    for (int k = 0; k < POINTS; k++, n *= 4) {
        double t = a * n + b + known;
        points[k] = (struct koshu_fit_point){
                n, 1, known, t * (1 + (k % 2 ? noise : -noise))};
    }
}

static void
constants_come_back(void **state)
{
    (void)state;
    struct koshu_fit_point points[POINTS];
    struct koshu_fit fit;
    for (int known = 0; known < 2; known++) {
        make_line(points, 2.5e-9, 3e-6, known * 1e-6, 0);
        assert_int_equal(koshu_least_squares(points, POINTS, &fit), KOSHU_OK);
        /* sums of ten terms and one elimination: a few roundings */
        assert_near(fit.a / 2.5e-9, 1, 1e-12);
        assert_near(fit.b / 3e-6, 1, 1e-12);
        assert_near(fit.largest, 0, 1e-12);
    }
}

/* Deviations are relative: noise of up to 1 % changes no constant by much more,
 * although the times differ by a factor of hundreds. */
static void
noise_does_little(void **state)
{
    (void)state;
    const double noise = 0.01;
    struct koshu_fit_point points[POINTS];
    struct koshu_fit fit;
    make_line(points, 2.5e-9, 3e-6, 0, noise);
    assert_int_equal(koshu_least_squares(points, POINTS, &fit), KOSHU_OK);
    assert_near(fit.a / 2.5e-9, 1, 2 * noise);
    assert_near(fit.b / 3e-6, 1, 2 * noise);
    assert_true(fit.largest > noise / 2 && fit.largest < 2 * noise);
}

/* The best line would have b = -1 or a = -1; then the other is fitted alone. */
static void
nothing_is_negative(void **state)
{
    (void)state;
    const struct koshu_fit_point steep[] = {{2, 1, 0, 1}, {4, 1, 0, 3}};
    const struct koshu_fit_point falling[] = {{1, 1, 0, 3}, {2, 1, 0, 2}};
    const struct koshu_fit_point known[] = {{1, 1, 5, 2}, {2, 1, 5, 2}};
    struct koshu_fit fit;
    assert_int_equal(koshu_least_squares(steep, 2, &fit), KOSHU_OK);
    assert_true(fit.b == 0);
    /* P = 2, 4/3: (2 + 4/3) / (4 + 16/9) */
    assert_near(fit.a, 15.0 / 26.0, 1e-14);
    assert_int_equal(koshu_least_squares(falling, 2, &fit), KOSHU_OK);
    assert_true(fit.a == 0);
    /* Q = 1/3, 1/2: (5/6) / (13/36) */
    assert_near(fit.b, 30.0 / 13.0, 1e-14);
    assert_int_equal(koshu_least_squares(known, 2, &fit), KOSHU_OK);
    assert_true(fit.a == 0 && fit.b == 0);
    assert_near(fit.largest, 1.5, 1e-14);
}

/* A single point, or points with the same ratio of p and q. */
static void
what_cannot_be_told_apart_is_a(void **state)
{
    (void)state;
    const struct koshu_fit_point points[] = {{3, 1, 0, 6}, {9, 3, 0, 18}};
    struct koshu_fit fit;
    for (size_t n = 1; n <= 2; n++) {
        assert_int_equal(koshu_least_squares(points, n, &fit), KOSHU_OK);
        assert_near(fit.a, 2, 1e-14);
        assert_true(fit.b == 0);
        assert_near(fit.largest, 0, 1e-14);
    }
}

static void
impossible_points_are_refused(void **state)
{
    (void)state;
    const struct koshu_fit_point bad[] = {
            {1, 1, 0, 0},  {1, 1, 0, -1},       {1, 1, 0, NAN},
            {-1, 1, 0, 1}, {1, -1, 0, 1},       {NAN, 1, 0, 1},
            {0, 0, 0, 1},  {INFINITY, 1, 0, 1}, {1, 1, INFINITY, 1},
    };
    struct koshu_fit fit;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_int_equal(koshu_least_squares(&bad[k], 1, &fit),
                         KOSHU_ERROR_INVALID_ARGUMENT);
    assert_int_equal(koshu_least_squares(bad, 0, &fit),
                     KOSHU_ERROR_INVALID_ARGUMENT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(constants_come_back),
            cmocka_unit_test(noise_does_little),
            cmocka_unit_test(nothing_is_negative),
            cmocka_unit_test(what_cannot_be_told_apart_is_a),
            cmocka_unit_test(impossible_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
