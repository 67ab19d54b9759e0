/* SPDX-License-Identifier: MIT */
#include "output/pyramid.h"

#include <math.h>

#include "check.h"

static double
sum(const double *a, size_t n)
{
    double s = 0;
    for (size_t k = 0; k < n; k++) s += a[k];
    return s;
}

/* Sums of about 1e3 numbers of order 1, each rounded: 1e3 * 1.1e-16. */
static const double rounding = 1e-12;

static void
coarsening_sums_blocks_of_four(void **state)
{
    (void)state;
    struct koshu_pyramid p;
    assert_true(koshu_pyramid_create(&p, 4, 3));
    for (int k = 0; k < 16; k++) p.level[0][k] = k;
    koshu_pyramid_coarsen(&p);
    assert_true(p.level[1][0] == 0 + 1 + 4 + 5);
    assert_true(p.level[1][1] == 2 + 3 + 6 + 7);
    assert_true(p.level[1][2] == 8 + 9 + 12 + 13);
    assert_true(p.level[2][0] == 120);
    koshu_pyramid_destroy(&p);
}

static void
a_deposit_stays_whole_on_every_level_and_at_every_edge(void **state)
{
    (void)state;
    static const double places[] = {0, 1e-9, 0.1, 0.5, 0.77, 1 - 1e-9};
    enum { N = sizeof places / sizeof places[0] };
    for (unsigned l = 0; l < 3; l++)
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++) {
                struct koshu_pyramid p;
                assert_true(koshu_pyramid_create(&p, 16, 3));
                koshu_pyramid_deposit(&p, l, places[a], places[b], 3);
                koshu_pyramid_refine(&p);
                assert_true(fabs(sum(p.level[0], 256) - 3) < rounding);
                koshu_pyramid_destroy(&p);
            }
}

/* Away from the edges the mean place of what is spread is where it came from:
 * the kernel is symmetric about it, and so is its bilinear part. */
static void
refinement_keeps_the_centre(void **state)
{
    (void)state;
    struct koshu_pyramid p;
    assert_true(koshu_pyramid_create(&p, 32, 3));
    koshu_pyramid_deposit(&p, 2, 0.47, 0.55, 1);
    koshu_pyramid_refine(&p);
    double u = 0, v = 0;
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < 32; c++) {
            u += p.level[0][32 * r + c] * (c + 0.5) / 32;
            v += p.level[0][32 * r + c] * (r + 0.5) / 32;
        }
    assert_true(fabs(u - 0.47) < rounding);
    assert_true(fabs(v - 0.55) < rounding);
    koshu_pyramid_destroy(&p);
}

/* Two subdivisions of one coarse cell, by hand: (1 3 3 1) / 8, and that again:
 * (1 3 6 10 12 12 10 6 3 1) / 64 in each dimension. */
static void
subdivision_is_that_of_the_quadratic_spline(void **state)
{
    (void)state;
    static const double line[10] = {1, 3, 6, 10, 12, 12, 10, 6, 3, 1};
    struct koshu_pyramid p;
    assert_true(koshu_pyramid_create(&p, 20, 3));
    p.level[2][5 * 2 + 2] = 1; /* the middle of 5 x 5 */
    koshu_pyramid_refine(&p);
    for (int r = 0; r < 20; r++)
        for (int c = 0; c < 20; c++) {
            double expected = 0;
            if (r >= 5 && r < 15 && c >= 5 && c < 15)
                expected = line[r - 5] * line[c - 5] / (64 * 64);
            assert_true(fabs(p.level[0][20 * r + c] - expected) < rounding);
        }
    koshu_pyramid_destroy(&p);
}

/* sample is deposit's transpose: <sample at x, a> = <a, deposit at x>. */
static void
sampling_is_the_transpose_of_depositing(void **state)
{
    (void)state;
    struct koshu_pyramid a, d;
    assert_true(koshu_pyramid_create(&a, 8, 1));
    for (int k = 0; k < 64; k++) a.level[0][k] = sin(k * k);
    static const double places[] = {0, 0.03, 0.31, 0.5, 0.96, 1 - 1e-9};
    for (int k = 0; k < 36; k++) {
        double u = places[k % 6], v = places[k / 6], product = 0;
        assert_true(koshu_pyramid_create(&d, 8, 1));
        koshu_pyramid_deposit(&d, 0, u, v, 1);
        for (int c = 0; c < 64; c++) product += d.level[0][c] * a.level[0][c];
        double sampled = koshu_pyramid_sample(&a, 0, u, v);
        assert_true(fabs(sampled - product) < rounding);
        koshu_pyramid_destroy(&d);
    }
    koshu_pyramid_destroy(&a);
}

static void
rebinning_shares_by_area(void **state)
{
    (void)state;
    struct koshu_pyramid p;
    double scratch[3 * 4], out[9];
    assert_true(koshu_pyramid_create(&p, 4, 1));
    for (int k = 0; k < 16; k++) p.level[0][k] = 1;
    p.level[0][5] = 17; /* row 1, column 1: pixels 0.75 ... 1.5 of 3 */
    koshu_pyramid_rebin(&p, 3, scratch, out);
    /* 16 cells of 1 on 9 pixels: 16/9 each; a third of the extra 16 lies below
     * the border at 1 in each dimension, two thirds above it */
    assert_true(fabs(out[8] - 16.0 / 9) < rounding);
    assert_true(fabs(out[0] - 16.0 / 9 - 16.0 / 9) < rounding);
    assert_true(fabs(out[1] - 16.0 / 9 - 32.0 / 9) < rounding);
    assert_true(fabs(out[4] - 16.0 / 9 - 64.0 / 9) < rounding);
    assert_true(fabs(sum(out, 9) - 32) < rounding);
    koshu_pyramid_destroy(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(coarsening_sums_blocks_of_four),
            cmocka_unit_test(
                    a_deposit_stays_whole_on_every_level_and_at_every_edge),
            cmocka_unit_test(refinement_keeps_the_centre),
            cmocka_unit_test(subdivision_is_that_of_the_quadratic_spline),
            cmocka_unit_test(sampling_is_the_transpose_of_depositing),
            cmocka_unit_test(rebinning_shares_by_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
