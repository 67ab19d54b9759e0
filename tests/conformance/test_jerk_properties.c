/* SPDX-License-Identifier: MIT */
/* Properties that sums with jerk must have whatever their values are. */
#include <math.h>
#include <stdlib.h>

#include "cluster.h"
#include "subject.h"
#include "system.h"

enum { N = 500, N_PRECISIONS = 3 };

/* Positions and velocities on a grid of 2^-12, shifted and boosted by whole
 * numbers: they remain floats, and their differences are exact. */
static struct cluster *
grid(double shift, double boost)
{
    struct cluster *c = cluster_create_self(N, N, 0);
    c->eps = 0.02;
    for (size_t j = 0; j < N; j++)
        for (int k = 0; k < 3; k++) {
            double x = rint(c->j[j].x[k] * 4096) / 4096;
            double v = rint(c->j[j].v[k] * 4096) / 4096;
            c->j[j].x[k] = x + (k == 1 ? -shift : shift);
            c->j[j].v[k] = v + (k == 2 ? -boost : boost);
        }
    cluster_match(c);
    return c;
}

/* How far sum m a and sum m jerk are from zero, in units of the bound tolerance
 * * scale summed over the terms; the larger of both. */
static double
imbalance(const struct cluster *c, const struct sums *s,
          const struct sums *scale, double tolerance)
{
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        double a = 0, jerk = 0, bound_a = 0, bound_jerk = 0;
        for (size_t i = 0; i < N; i++) {
            double m = c->j[i].mass;
            a += m * s->of[i].a[k];
            jerk += m * s->of[i].jerk[k];
            bound_a += tolerance * m * scale->scale_a[i];
            bound_jerk += tolerance * m * scale->scale_jerk[i];
        }
        worst = fmax(worst, fmax(fabs(a) / bound_a, fabs(jerk) / bound_jerk));
    }
    return worst;
}

static void
newtons_third_law(void **state)
{
    (void)state;
    struct cluster *c = grid(0, 0);
    struct sums *scale = cluster_definition(c, false);
    for (int w = 0; w < N_PRECISIONS; w++) {
        double tolerance = variants[w].tolerance;
        struct sums *s =
                cluster_sums(subject_context(), c, variants[w].precision);
        assert_true(imbalance(c, s, scale, tolerance) <= 1);
        for (size_t i = 0; i < N; i++) /* a planted error */
            s->of[i].jerk[1] += 2.5 * tolerance * scale->scale_jerk[i];
        assert_true(imbalance(c, s, scale, tolerance) > 1);
        sums_destroy(s);
    }
    sums_destroy(scale);
    cluster_destroy(c);
}

static void
expect_same_bits(const struct cluster *a, const struct cluster *b)
{
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct sums *here =
                cluster_sums(subject_context(), a, variants[w].precision);
        struct sums *there =
                cluster_sums(subject_context(), b, variants[w].precision);
        assert_true(sums_identical(here, there));
        sums_destroy(here);
        sums_destroy(there);
    }
}

static void
translation_changes_no_bit(void **state)
{
    (void)state;
    struct cluster *here = grid(0, 0), *there = grid(64, 0);
    expect_same_bits(here, there);
    cluster_destroy(here);
    cluster_destroy(there);
}

/* At time 0, and at time 1/2, where predicted positions need a finer grid. */
static void
galilean_boost_changes_no_bit(void **state)
{
    (void)state;
    struct cluster *rest = grid(0, 0), *moving = grid(0, 32);
    expect_same_bits(rest, moving);
    rest->time = moving->time = 0.5;
    cluster_match(rest);
    cluster_match(moving);
    expect_same_bits(rest, moving);
    cluster_destroy(rest);
    cluster_destroy(moving);
}

static void
doubled_masses_double_the_sums(void **state)
{
    (void)state;
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct cluster *c = grid(0, 0);
        struct sums *a =
                cluster_sums(subject_context(), c, variants[w].precision);
        for (size_t j = 0; j < N; j++) c->j[j].mass *= 2;
        struct sums *b =
                cluster_sums(subject_context(), c, variants[w].precision);
        for (size_t i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++) {
                a->of[i].a[k] *= 2;
                a->of[i].jerk[k] *= 2;
            }
            a->of[i].potential *= 2;
        }
        /* scaling by powers of two is exact */
        assert_true(sums_identical(a, b));
        sums_destroy(a);
        sums_destroy(b);
        cluster_destroy(c);
    }
}

/* Compares the jerk with the difference of the accelerations at t - h and t + h
 * of particles that move uniformly. */
static double
largest_deviation(struct cluster *c, const struct sums *jerk, double h)
{
    struct sums *a[2];
    for (int side = 0; side < 2; side++) {
        c->time = side ? h : -h;
        cluster_match(c);
        a[side] = cluster_sums(subject_context(), c, KOSHU_PRECISION_DOUBLE);
    }
    double worst = 0;
    for (size_t i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            double slope = (a[1]->of[i].a[k] - a[0]->of[i].a[k]) / (2 * h);
            double off =
                    fabs(slope - jerk->of[i].jerk[k]) / jerk->scale_jerk[i];
            worst = fmax(worst, off);
        }
    sums_destroy(a[0]);
    sums_destroy(a[1]);
    return worst;
}

/* The truncation error is (w h / eps)^2 / 6 times a number near 10: 1e-6 with w
 * = 2, h = 1e-4, eps = 0.3. Rounding adds 1e-15 / h = 1e-11. */
static void
jerk_is_the_slope_of_the_acceleration(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(N, N, 0);
    c->eps = 0.3;
    struct sums *jerk = cluster_definition(c, false);
    assert_true(largest_deviation(c, jerk, 1e-4) < 2e-6);
    /* a fourth of it at half the step: the difference is of second order */
    assert_true(largest_deviation(c, jerk, 1e-3) >
                3.5 * largest_deviation(c, jerk, 5e-4));
    jerk->of[7].jerk[1] += 4e-6 * jerk->scale_jerk[7]; /* a planted error */
    assert_true(largest_deviation(c, jerk, 1e-4) > 2e-6);
    sums_destroy(jerk);
    cluster_destroy(c);
}

/* Whole blocks, and few i-particles with many j-particles. */
static void
any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 20000}, {5, 9000}, {700, 3000}};
    static const int threads[] = {1, 3, 5};
    for (int k = 0; k < 3; k++) {
        struct cluster *c = cluster_create_self(sizes[k][0], sizes[k][1], 0);
        c->time = 0.3;
        cluster_match(c);
        for (int w = 0; w < N_PRECISIONS; w++) {
            struct sums *s =
                    cluster_sums(subject_context(), c, variants[w].precision);
            for (int t = 0; t < 3; t++) {
                struct koshu_context *other = subject_context_with(threads[t]);
                struct sums *same =
                        cluster_sums(other, c, variants[w].precision);
                assert_true(sums_identical(s, same));
                sums_destroy(same);
                koshu_context_destroy(other);
            }
            sums_destroy(s);
        }
        cluster_destroy(c);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(newtons_third_law),
        cmocka_unit_test(translation_changes_no_bit),
        cmocka_unit_test(galilean_boost_changes_no_bit),
        cmocka_unit_test(doubled_masses_double_the_sums),
        cmocka_unit_test(jerk_is_the_slope_of_the_acceleration),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
};

SUBJECT_MAIN(tests)
