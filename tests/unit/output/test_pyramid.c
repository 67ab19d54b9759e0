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
                double line[16];
                koshu_pyramid_merge(&p, line);
                assert_true(fabs(sum(p.level[0], 256) - 3) < rounding);
                koshu_pyramid_destroy(&p);
            }
}

/* Away from the edges the spread mass is centred where it came from: the kernel
 * is symmetric, and so is its bilinear part. */
static void
merging_keeps_the_centre(void **state)
{
    (void)state;
    struct koshu_pyramid p;
    double u = 0, v = 0, line[64];
    assert_true(koshu_pyramid_create(&p, 64, 3));
    koshu_pyramid_deposit(&p, 2, 0.47, 0.55, 1);
    koshu_pyramid_merge(&p, line);
    for (int r = 0; r < 64; r++)
        for (int c = 0; c < 64; c++) {
            u += p.level[0][64 * r + c] * (c + 0.5) / 64;
            v += p.level[0][64 * r + c] * (r + 0.5) / 64;
        }
    assert_true(fabs(u - 0.47) < rounding);
    assert_true(fabs(v - 0.55) < rounding);
    koshu_pyramid_destroy(&p);
}

/* A coarse cell becomes (1 4 6 4 1) / 16, and each of these cells (1 3 3 1) /
 * 8, in each dimension. */
static void
a_cell_is_smoothed_and_subdivided(void **state)
{
    (void)state;
    static const double filter[5] = {1, 4, 6, 4, 1}, split[4] = {1, 3, 3, 1};
    double expected[24] = {0}, line[24];
    for (int k = 0; k < 5; k++)
        for (int s = 0; s < 4; s++)
            expected[2 * (4 + k) - 1 + s] += filter[k] * split[s] / (16 * 8);
    struct koshu_pyramid p;
    assert_true(koshu_pyramid_create(&p, 24, 2));
    p.level[1][6 * 12 + 6] = 1;
    koshu_pyramid_merge(&p, line);
    for (int r = 0; r < 24; r++)
        for (int c = 0; c < 24; c++)
            assert_true(fabs(p.level[0][24 * r + c] -
                             expected[r] * expected[c]) < rounding);
    koshu_pyramid_destroy(&p);
}

/* What would cross an edge is reflected, so a uniform density stays uniform. */
static void
edges_reflect(void **state)
{
    (void)state;
    struct koshu_pyramid p;
    double line[16];
    assert_true(koshu_pyramid_create(&p, 16, 3));
    for (unsigned l = 0; l < 3; l++)
        for (size_t k = 0; k < (16u >> l) * (16u >> l); k++)
            p.level[l][k] = 1 << (2 * l); /* density 1 on each level */
    koshu_pyramid_merge(&p, line);
    for (int k = 0; k < 256; k++)
        assert_true(fabs(p.level[0][k] - 3) < rounding);
    koshu_pyramid_destroy(&p);
}

/* sample is the transpose of deposit: <sample at x, a> = <a, deposit at x>. */
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
    /* 16 cells of 1 on 9 pixels: 16/9 each. A third of the extra 16 lies below
     * the border at 1 in each dimension, two thirds above. */
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
            cmocka_unit_test(merging_keeps_the_centre),
            cmocka_unit_test(a_cell_is_smoothed_and_subdivided),
            cmocka_unit_test(edges_reflect),
            cmocka_unit_test(sampling_is_the_transpose_of_depositing),
            cmocka_unit_test(rebinning_shares_by_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
