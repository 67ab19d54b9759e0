/* SPDX-License-Identifier: MIT */
/* The model of sums over ranks: Miki13's own numbers, and stages by hand. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "performance/performance.h"

enum { SIZES = 7 };

static int
log4_down(int n)
{
    int k = 0;
    for (; n >= 4; n /= 4) k++;
    return k;
}

/* Miki13 eqs. 8 and 9: the efficiency P(N; n) / (P(N/n; 1) n) of n devices that
 * are not full, for n a power of two >= 4, from t_sync(n) / t_calc(N/n; 1).
 * (Logarithms of base 4 are integers, as in the paper's own numbers.) */
static double
two_stream_efficiency(int n, double sync_by_calc)
{
    double powers = 0, power = 1; /* sum of 4^i */
    for (int i = 0; i <= log4_down(n / 2); i++, power *= 4) powers += power;
    bool power_of_four = (1 << 2 * log4_down(n)) == n;
    double calc = power_of_four ? 2 * powers : 1 + powers; /* eq. 9, eq. 8 */
    return n / (calc + sync_by_calc * log4_down(n));
}

/* The paper's section 6.2: efficiencies of 4, 8, ..., 256 devices for t_sync =
 * 0 and for t_sync = 2 t_calc, printed with three digits. */
static void
the_papers_limits(void **state)
{
    (void)state;
    static const double upper[SIZES] = {2.0, 1.33, 1.6, 1.45, 1.52, 1.49, 1.51};
    static const double lower[SIZES] = {1.0, 1.0, 1.14, 1.23, 1.33, 1.39, 1.44};
    for (int k = 0; k < SIZES; k++) {
        assert_near(two_stream_efficiency(4 << k, 0), upper[k], 0.005);
        assert_near(two_stream_efficiency(4 << k, 2), lower[k], 0.005);
    }
}

/* The Tesla M2090 of HA-PACS: Miki13 sections 5 and 6, Tables 2 and 3. */
static struct koshu_rank_costs
ha_pacs(void)
{
    return (struct koshu_rank_costs){.pair = 28.4 / 0x1p40,
                                     .full = 9120,
                                     .sync = 6.2e-5,
                                     .sync_doubling = 4.6e-6,
                                     .streams = 2,
                                     .capacity = SIZE_MAX};
}

/* The predicted stages follow eqs. 6 and 7 for devices that are not full; they
 * must give the same as eqs. 8 and 9 with the same constants. */
static void
stages_are_the_papers_equations(void **state)
{
    (void)state;
    struct koshu_rank_costs c = ha_pacs();
    for (int ranks = 4; ranks <= 256; ranks *= 2) {
        struct koshu_rank_estimate e;
        size_t own = 2048;
        double calc = koshu_rank_calc(&c, (double)own, (double)own);
        koshu_rank_predict(&c, own * (size_t)ranks, ranks, &e);
        assert_near(
                calc * ranks / e.seconds,
                two_stream_efficiency(ranks, koshu_rank_sync(&c, ranks) / calc),
                1e-12); /* a few roundings */
    }
}

/* 255.5 TFlop/s on 256 devices with 2^20 particles each, at 26 operations an
 * interaction: the paper's efficiency is 99.1 %; the rest is not modelled. */
static void
the_papers_largest_run(void **state)
{
    (void)state;
    struct koshu_rank_costs c = ha_pacs();
    struct koshu_rank_estimate e;
    size_t n = (size_t)1 << 28;
    koshu_rank_predict(&c, n, 256, &e);
    assert_int_equal(e.stages, 8);
    assert_int_equal(e.rings, 0);
    assert_near(26 * 0x1p56 / e.seconds / 255.5e12, 1, 0.01);
}

/* One second for 1000 pairs, transfers of 2 s plus 0.1 s a particle, 12
 * particles on 6 ranks whose arrays hold two slices: own sums 2 x 2, a first
 * transfer of 2, then a ring of 3 groups of 4 particles. */
static void
stages_by_hand(void **state)
{
    (void)state;
    const struct koshu_rank_costs c = {.pair = 1e-3,
                                       .call = 1,
                                       .message = 2,
                                       .particle = 0.1,
                                       .sync = 0.25,
                                       .sync_doubling = 0,
                                       .streams = 1,
                                       .capacity = 4};
    struct koshu_rank_estimate e;
    koshu_rank_predict(&c, 12, 6, &e);
    assert_int_equal(e.group, 2);
    assert_int_equal(e.stages, 1);
    assert_int_equal(e.rings, 2);
    assert_int_equal(e.per_rank, 2);
    /* sums of 2, 2, 4 and 4 particles on 2 */
    assert_near(e.sums, 4 + 24e-3, 1e-12);
    /* transfers of 2.2, 2.4, 2.4 overlap sums of 1.004, 1.004, 1.008 */
    assert_near(e.waits, 2.2 + 2.4 + 2.4 - 3.016, 1e-12);
    assert_near(e.sync, 0.25, 0);
    assert_near(e.seconds, e.sums + e.waits + e.sync, 1e-12);
    assert_near(e.alone, 1 + 144e-3, 1e-12);
    koshu_rank_predict(&c, 12, 1, &e);
    assert_near(e.seconds, e.alone, 0);
    assert_int_equal(e.stages + e.rings, 0);
    koshu_rank_predict(&c, 13, 7, &e); /* a ring of all ranks */
    assert_int_equal(e.rings, 6);
}

/* Fits recover known constants, with and without a size below which a rank is
 * not full (searched in steps of 9 %). */
static void
fits(void **state)
{
    (void)state;
    static const double full[] = {0, 4096};
    for (int k = 0; k < 2; k++) {
        const struct koshu_rank_costs truth = {
                .pair = 2e-10, .call = 3e-6, .full = full[k]};
        struct koshu_rank_point points[8];
        struct koshu_rank_costs found = {.pair = NAN};
        double largest;
        for (int i = 0; i < 8; i++) {
            points[i].n = (size_t)256 << i;
            points[i].seconds = koshu_rank_calc(&truth, (double)points[i].n,
                                                (double)points[i].n);
        }
        assert_int_equal(koshu_rank_fit_sums(points, 8, &found, &largest),
                         KOSHU_OK);
        assert_near(found.pair / truth.pair, 1, 1e-6);
        assert_near(found.full, truth.full, 1e-3 * truth.full);
        assert_true(largest < 1e-6);
        points[3].seconds *= 1.5; /* a point that does not fit is noticed */
        assert_int_equal(koshu_rank_fit_sums(points, 8, &found, &largest),
                         KOSHU_OK);
        assert_true(largest > 0.1);
        points[3].seconds = 0;
        assert_int_equal(koshu_rank_fit_sums(points, 8, &found, &largest),
                         KOSHU_ERROR_INVALID_ARGUMENT);
    }
}

/* Short sums that are faster than the model, as measured on an H200, must not
 * distort the long ones. */
static void
the_longest_sums_count(void **state)
{
    (void)state;
    static const struct koshu_rank_point points[] = {
            {4096, 1.8596e-05},   {8192, 5.0556e-05},   {16384, 1.2305e-04},
            {32768, 4.6830e-04},  {65536, 1.7424e-03},  {100000, 4.0109e-03},
            {131072, 6.7969e-03}, {200000, 1.5915e-02}, {262144, 2.6933e-02},
            {524288, 1.0753e-01}};
    enum { N = sizeof points / sizeof points[0] };
    struct koshu_rank_costs found;
    double largest;
    assert_int_equal(koshu_rank_fit_sums(points, N, &found, &largest),
                     KOSHU_OK);
    for (int k = N - 4; k < N; k++) {
        const double n = (double)points[k].n;
        /* their own rates differ by 1.7 % */
        assert_near(koshu_rank_calc(&found, n, n) / points[k].seconds, 1, 0.01);
    }
    assert_true(largest < 0.25);
}

/* GPUs that divide all pairs: each gets all positions and then the others'
 * contributions to the forces on its own particles, twice as much data. */
static void
shares_by_hand(void **state)
{
    (void)state;
    const struct koshu_rank_costs c = {.pair = 1e-12,
                                       .full = 5000,
                                       .call = 1e-5,
                                       .sync = 1e-6,
                                       .sync_doubling = 2e-6,
                                       .message = 1e-4,
                                       .particle = 1e-9,
                                       .streams = 1,
                                       .shared = true};
    struct koshu_rank_estimate e;
    koshu_rank_predict(&c, 40000, 1, &e);
    assert_near(e.seconds, 1e-5 + 1e-12 * 40000. * 40000., 1e-15);
    assert_near(e.alone, e.seconds, 1e-15);
    koshu_rank_predict(&c, 40000, 4, &e);
    assert_int_equal(e.per_rank, 10000);
    assert_near(e.sums, 1e-5 + 1e-12 * 10000. * 40000., 1e-15);
    assert_near(e.waits, 2e-4 + 1e-9 * (30000 + 60000), 1e-15);
    assert_near(e.sync, 5e-6, 1e-15);
    assert_near(e.seconds, e.sums + e.waits + e.sync, 1e-15);
    koshu_rank_predict(&c, 8000, 4, &e); /* none is full */
    assert_near(e.sums, 1e-5 + 1e-12 * 5000. * 8000., 1e-15);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_papers_limits),
            cmocka_unit_test(stages_are_the_papers_equations),
            cmocka_unit_test(the_papers_largest_run),
            cmocka_unit_test(stages_by_hand),
            cmocka_unit_test(shares_by_hand),
            cmocka_unit_test(fits),
            cmocka_unit_test(the_longest_sums_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
