/* SPDX-License-Identifier: MIT */
/* Structure functions of velocities with known formulas. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fixture.h"
#include "flow/flow.h"

enum { N = 24 };
static const double box = 3;
static double u[3 * N * N * N];
static struct koshu_structure s[KOSHU_STRUCTURE_MAX];

/* u_a = sin(k x_a) + sin(2 k x_a) / 2 plus cos(k x_b) of the next axis, a
 * transverse wave. */
static void
fill(double along, double across)
{
    const double h = 2 * M_PI / N;
    for (size_t p = 0; p < N * N * N; p++) {
        const double at[3] = {h * (double)(p / N / N), h * (double)(p / N % N),
                              h * (double)(p % N)};
        for (size_t a = 0; a < 3; a++)
            u[a * N * N * N + p] = along * (sin(at[a]) + sin(2 * at[a]) / 2) +
                                   across * cos(at[(a + 1) % 3]);
    }
}

static size_t
find(void)
{
    size_t n = 77;
    memset(s, 0xff, sizeof s);
    assert_ok(context, koshu_flow_structure(context, N, box, u, s, &n));
    return n;
}

/* With r = k times the separation: d = A cos + B cos 2, A = 2 sin(r / 2), B =
 * sin r; the transverse wave contributes to half of the transverse
 * components. */
static void
known_waves(void **state)
{
    (void)state;
    static const double steps[] = {1, 2, 3, 4, 6, 8, 12};
    fill(1, 0.7);
    assert_int_equal(find(), 7);
    for (size_t k = 0; k < 7; k++) {
        const double r = 2 * M_PI * steps[k] / N, a = 2 * sin(r / 2),
                     b = sin(r);
        assert_near(s[k].r, box * steps[k] / N, 1e-14);
        assert_near(s[k].longitudinal, (a * a + b * b) / 2, 1e-13);
        assert_near(s[k].third, 3 * a * a * b / 4, 1e-13);
        assert_near(s[k].transverse, 0.49 * a * a / 2 / 2, 1e-13);
    }
    fill(-1, 0);
    find();
    assert_near(s[0].third,
                -3 * pow(2 * sin(M_PI / N), 2) * sin(2 * M_PI / N) / 4, 1e-13);
    assert_near(s[3].transverse, 0, 1e-25);
}

static void
threads_change_no_bit(void **state)
{
    (void)state;
    struct koshu_structure one[7];
    fill(1, 0.3);
    find();
    memcpy(one, s, sizeof one);
    struct koshu_context *first = context;
    context = test_context(NULL, 3);
    find();
    koshu_context_destroy(context);
    context = first;
    assert_memory_equal(one, s, sizeof one);
}

static void
one_point_has_none(void **state)
{
    (void)state;
    size_t n = 77;
    assert_ok(context, koshu_flow_structure(context, 1, box, u, s, &n));
    assert_int_equal(n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(known_waves),
            cmocka_unit_test(threads_change_no_bit),
            cmocka_unit_test(one_point_has_none),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
