/* SPDX-License-Identifier: MIT */
#include "sampling.h"

static void
the_stream_is_philox_4x32_10(void **state)
{
    (void)state;
    /* Known answers from Random123 (kat_vectors): counter and key all zeros,
     * and all ones. */
    struct koshu_random zero = koshu_random_start(0, 0, 0);
    assert_true(koshu_random_uniform(&zero) ==
                ((double)(0xe169c58d6627e8d5u >> 12) + 0.5) * 0x1p-52);
    assert_true(koshu_random_uniform(&zero) ==
                ((double)(0x9b00dbd8bc57ac4cu >> 12) + 0.5) * 0x1p-52);
    struct koshu_random ones = {.seed = UINT64_MAX,
                                .particle = UINT64_MAX,
                                .purpose = UINT32_MAX,
                                .block = UINT32_MAX};
    assert_true(koshu_random_uniform(&ones) ==
                ((double)(0x41c83b0e408f276du >> 12) + 0.5) * 0x1p-52);
}

/* The first number of a stream. */
static double
first(uint64_t seed, uint64_t particle, enum koshu_purpose purpose)
{
    struct koshu_random r = koshu_random_start(seed, particle, purpose);
    return koshu_random_uniform(&r);
}

static void
seed_particle_and_purpose_make_streams_of_their_own(void **state)
{
    (void)state;
    const uint64_t high = 1ull << 32; /* both halves of a number matter */
    const double u[] = {
            first(1, 1, KOSHU_DRAW_POSITION),
            first(1, 1, KOSHU_DRAW_VELOCITY),
            first(2, 1, KOSHU_DRAW_POSITION),
            first(1 + high, 1, KOSHU_DRAW_POSITION),
            first(1, 2, KOSHU_DRAW_POSITION),
            first(1, 1 + high, KOSHU_DRAW_POSITION),
    };
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++) assert_true(u[a] != u[b]);
    assert_true(u[0] == first(1, 1, KOSHU_DRAW_POSITION));
}

static double
uniform_cdf(double x, double unused)
{
    (void)unused;
    return x;
}

static double
cube_cdf(double x, double unused)
{
    (void)unused;
    return x * x * x;
}

enum { N = 50000 };

static void
numbers_are_uniform_inside_one_stream_and_across(void **state)
{
    (void)state;
    double *inside = malloc(N * sizeof *inside);
    double *across = malloc(N * sizeof *across);
    struct koshu_random r = koshu_random_start(7, 0, KOSHU_DRAW_POSITION);
    for (uint64_t i = 0; i < N; i++) {
        inside[i] = koshu_random_uniform(&r);
        across[i] = first(7, i, KOSHU_DRAW_VELOCITY);
    }
    assert_distributed(inside, N, uniform_cdf, 0);
    assert_distributed(across, N, uniform_cdf, 0);
    assert_true(inside[0] > 0 && inside[N - 1] < 1);
    /* the extremes are half of 2^-52 above 0, and as much below 1 */
    assert_true(0.5 * 0x1p-52 > 0 &&
                ((double)(UINT64_MAX >> 12) + 0.5) * 0x1p-52 < 1);
    free(inside);
    free(across);
}

static void
the_ball_is_filled_evenly(void **state)
{
    (void)state;
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double *z = malloc(N * sizeof *z), *r = malloc(N * sizeof *r);
    for (uint64_t i = 0; i < N; i++) {
        struct koshu_random random =
                koshu_random_start(8, i, KOSHU_DRAW_POSITION);
        double p[3] = {NAN, NAN, NAN};
        koshu_random_ball(&random, p);
        x[i] = p[0];
        y[i] = p[1];
        z[i] = p[2];
        r[i] = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    assert_isotropic(N, x, y, z);
    assert_distributed(r, N, cube_cdf, 0);
    free(x);
    free(y);
    free(z);
    free(r);
}

static void
a_direction_has_its_length(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        struct koshu_random random =
                koshu_random_start(9, i, KOSHU_DRAW_POSITION);
        double v[3];
        koshu_random_direction(&random, 2.5, v);
        /* a few roundings */
        assert_true(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 2.5) <
                    1e-15 * 2.5);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_stream_is_philox_4x32_10),
            cmocka_unit_test(
                    seed_particle_and_purpose_make_streams_of_their_own),
            cmocka_unit_test(numbers_are_uniform_inside_one_stream_and_across),
            cmocka_unit_test(the_ball_is_filled_evenly),
            cmocka_unit_test(a_direction_has_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
