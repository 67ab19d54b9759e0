/* SPDX-License-Identifier: MIT */
/* The sums of force(). */
#include <math.h>
#include <stdlib.h>

#include <koshu-cunbody/cunbody.h>
#include <koshu-cunbody/force.h>

#include "bodies.h"

/* Tolerance: positions of order 1 are rounded to 6e-8, and most pairs are at
 * least 0.1 apart. */
#define SINGLE 1e-5

/* Checks force() of n_j random bodies on n_i others or, if n_i = 0, on each
 * other. */
static void
assert_forces(size_t n_i, size_t n_j, double eps2, double tolerance)
{
    bool own = n_i == 0;
    if (own) n_i = n_j;
    double(*xj)[3] = bodies_at_random(n_j, 1), *mj = bodies_masses(n_j);
    double(*xi)[3] = bodies_at_random(n_i, own ? 1 : 2);
    double(*a)[3] = bodies_poisoned(n_i), (*b)[3] = bodies_poisoned(n_i);
    bodies_expect(xj, mj, xi, eps2, b, n_i, n_j);
    force(xj, mj, xi, eps2, a, (int)n_i, (int)n_j);
    assert_near(bodies_difference(a, b, n_i), 0.0, tolerance);
    assert_true(isnan(a[n_i][0])); /* nothing written beyond the results */
    free(xj);
    free(mj);
    free(xi);
    free(a);
    free(b);
}

static void
sums(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1},    {1, 300},  {300, 1}, {7, 129},
                                      {64, 512}, {1025, 3}, {0, 1},   {0, 2},
                                      {0, 300},  {0, 1023}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        assert_forces(sizes[k][0], sizes[k][1], 0.01, SINGLE);
        assert_forces(sizes[k][0], sizes[k][1], 0, 10 * SINGLE);
    }
}

/* If sources and targets differ in a single bit they are no longer one set, and
 * the same forces are computed in another way. */
static void
a_set_on_itself_and_on_its_copy(void **state)
{
    (void)state;
    const size_t n = 12500;
    double(*x)[3] = bodies_at_random(n, 1), *m = bodies_masses(n);
    double(*copy)[3] = bodies_at_random(n, 1), (*other)[3];
    other = bodies_at_random(n, 1);
    other[n - 1][2] = nextafter(other[n - 1][2], 2);
    double(*a)[3] = bodies_poisoned(n), (*b)[3] = bodies_poisoned(n);
    double(*c)[3] = bodies_poisoned(n);
    force(x, m, x, 0.01, a, (int)n, (int)n);
    force(x, m, copy, 0.01, b, (int)n, (int)n);
    force(x, m, other, 0.01, c, (int)n, (int)n);
    assert_true(bodies_difference(a, b, n) == 0);
    assert_near(bodies_difference(c, a, n), 0.0, 1e-6);
    /* another softening, and other masses, for the same number */
    force(x, m, copy, 0.04, b, (int)n, (int)n);
    force(x, m, other, 0.04, c, (int)n, (int)n);
    assert_near(bodies_difference(c, b, n), 0.0, 1e-6);
    assert_true(bodies_difference(a, b, n) > 1e-3);
    for (size_t k = 0; k < n; k++) m[k] *= 2;
    force(x, m, x, 0.01, b, (int)n, (int)n);
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) b[k][d] /= 2;
    /* a factor of a power of two is exact */
    assert_true(bodies_difference(a, b, n) == 0);
    /* and another number of bodies */
    force(x + 1, m + 1, x + 1, 0.01, a, (int)n - 1, (int)n - 1);
    force(x + 1, m + 1, other + 1, 0.01, c, (int)n - 1, (int)n - 1);
    assert_near(bodies_difference(c, a, n - 1), 0.0, 1e-6);
    free(x);
    free(m);
    free(copy);
    free(other);
    free(a);
    free(b);
    free(c);
}

/* Where the paper's kernel returns NaN without softening. */
static void
pairs_at_no_distance_give_nothing(void **state)
{
    (void)state;
    double x[3][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 5}}, m[3] = {7, 8, 4};
    double a[3][3];
    for (double eps2 = 0; eps2 < 1; eps2 += 0.5) {
        force(x, m, x, eps2, a, 3, 3);
        double w = 2 / pow(4 + eps2, 1.5);
        for (int k = 0; k < 2; k++) assert_near(a[k][2], 4 * w, 1e-6);
        assert_near(a[2][2], -15 * w, 1e-6);
        for (int k = 0; k < 3; k++) assert_true(a[k][0] == 0 && a[k][1] == 0);
    }
    force(x, m, x, 0, a, 2, 2);
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 3; d++) assert_true(a[k][d] == 0);
}

static void
sums_of_nothing_and_on_nothing(void **state)
{
    (void)state;
    double x[2][3] = {{1, 2, 3}, {4, 5, 6}}, m[2] = {1, 1};
    double a[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    force(x, m, x, 0, a, 0, 2);
    force(x, m, NULL, 0, NULL, 0, 2);
    assert_true(isnan(a[0][0]));
    force(x, m, x, 0, a, 1, 0);
    force(NULL, NULL, x, 0, a, 1, 0);
    for (int d = 0; d < 3; d++) assert_true(a[0][d] == 0);
    assert_true(isnan(a[1][0]));
}

static void
results_may_take_the_place_of_positions(void **state)
{
    (void)state;
    enum { N = 100 };
    double(*x)[3] = bodies_at_random(N, 1), *m = bodies_masses(N);
    double(*y)[3] = bodies_at_random(N, 2), (*a)[3] = bodies_poisoned(N);
    force(x, m, y, 0.01, a, N, N);
    force(x, m, y, 0.01, y, N, N);
    assert_true(bodies_difference(y, a, N) == 0);
    force(x, m, x, 0.01, a, N, N);
    force(x, m, x, 0.01, x, N, N);
    assert_true(bodies_difference(x, a, N) == 0);
    free(x);
    free(m);
    free(y);
    free(a);
}

static void
fortran_name(void **state)
{
    (void)state;
    enum { N = 100 };
    double(*x)[3] = bodies_at_random(N, 1), *m = bodies_masses(N);
    double(*a)[3] = bodies_poisoned(N), (*b)[3] = bodies_poisoned(N);
    double eps2 = 0.25;
    int ni = N / 2, nj = N;
    force(x, m, x, eps2, a, ni, nj);
    force_(x, m, x, &eps2, b, &ni, &nj);
    assert_true(bodies_difference(a, b, N / 2) == 0);
    free(x);
    free(m);
    free(a);
    free(b);
}

static void
each_precision(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double max;
    } precision[] = {{"single", SINGLE},
                     /* 2e-8 of a particle's own force, rms */
                     {"mixed", 1e-6},
                     {"double", 1e-13}, /* rounding of 300 terms */
                     {"", SINGLE}};
    for (size_t k = 0; k < sizeof precision / sizeof precision[0]; k++) {
        setenv("KOSHU_CUNBODY_PRECISION", precision[k].name, 1);
        assert_forces(20, 300, 0.01, precision[k].max);
        koshu_cunbody_close(); /* the next call reads the settings again */
    }
    setenv("KOSHU_CUNBODY_PRECISION", "double", 1);
    assert_forces(20, 300, 0.01, 1e-13);
    /* ignored, as it is read only once */
    setenv("KOSHU_CUNBODY_PRECISION", "nonsense", 1);
    assert_forces(20, 300, 0.01, 1e-13);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, bodies_open, bodies_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(sums),
            TEST(a_set_on_itself_and_on_its_copy),
            TEST(pairs_at_no_distance_give_nothing),
            TEST(sums_of_nothing_and_on_nothing),
            TEST(results_may_take_the_place_of_positions),
            TEST(fortran_name),
            TEST(each_precision),
    };
    if (!bodies_are_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
