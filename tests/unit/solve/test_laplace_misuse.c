/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r with points that cannot be distinguished or represented, with
 * invalid boxes, and with one object used by two threads. */
#include <math.h>
#include <pthread.h>

#include <koshu/laplace.h>

#define FIXTURE_BACKEND "cpu"
#include "fixture.h"

enum { N = 2000, THREADS = 2, SUMS = 20 };

static double x[N], y[N], z[N], charge[N];

static void
fill(double length)
{
    uint64_t state = 1;
    double *const to[] = {x, y, z, charge};
    for (size_t i = 0; i < N; i++)
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            to[k][i] = (k < 3 ? length : 1) * ((double)(state >> 11) * 0x1p-53);
        }
}

static struct koshu_laplace_points
points(void)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = N;
    p.x = x;
    p.y = y;
    p.z = z;
    p.charge = charge;
    return p;
}

static struct koshu_laplace *
laplace_of(double box)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.box = box;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

/* Smaller and larger ones would have squares that are 0 or infinite. */
static void
lengths_that_doubles_do_not_hold_are_refused(void **state)
{
    (void)state;
    static double potential[N];
    const double refused[] = {1e-310, 1e-170, 1e-91, 1e92, 1e160, 1e300};
    struct koshu_laplace *laplace = laplace_of(0);
    struct koshu_laplace_result r = koshu_laplace_result_default();
    const struct koshu_laplace_points p = points();
    r.potential = potential;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        fill(refused[k]);
        assert_fails(context, KOSHU_ERROR_NOT_FINITE, "another unit of length",
                     koshu_laplace_sums(laplace, &p, NULL, &r));
    }
    for (double length = 1e-88; length < 1e90; length *= 1e22) {
        fill(length);
        assert_ok(context, koshu_laplace_sums(laplace, &p, NULL, &r));
        for (size_t i = 0; i < N; i++)
            assert_true(isfinite(potential[i]) && potential[i] > 0);
    }
    koshu_laplace_destroy(laplace);
}

static void
boxes_that_are_none_are_refused(void **state)
{
    (void)state;
    const double edges[] = {-1, NAN, INFINITY, 1e-320, 1e-91, 1e91, 1e308};
    const double corners[] = {NAN, INFINITY, 1e300, -1e13};
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        o.box = edges[k];
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                     "box = ", koshu_laplace_create(context, &o, &laplace));
    }
    o.box = 1;
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        o.corner[1] = corners[k];
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "corner[1] = ",
                     koshu_laplace_create(context, &o, &laplace));
    }
}

/* One of the threads, and its results. */
struct user {
    pthread_t thread;
    struct koshu_laplace *laplace;
    double potential[N];
    size_t done, refused;
};

static void *
sum_often(void *of)
{
    struct user *u = of;
    struct koshu_laplace_result r = koshu_laplace_result_default();
    const struct koshu_laplace_points p = points();
    r.potential = u->potential;
    for (int k = 0; k < SUMS; k++) {
        const koshu_status status =
                koshu_laplace_sums(u->laplace, &p, NULL, &r);
        u->done += status == KOSHU_OK;
        u->refused += status == KOSHU_ERROR_INVALID_ARGUMENT;
    }
    return NULL;
}

/* One thread may be refused; results that are returned are right. */
static void
a_second_thread_is_refused(void **state)
{
    (void)state;
    static struct user user[THREADS], alone;
    alone.laplace = laplace_of(0);
    fill(1);
    sum_often(&alone);
    assert_int_equal(alone.done, SUMS);
    for (int k = 0; k < THREADS; k++) {
        user[k].laplace = alone.laplace;
        assert_int_equal(
                pthread_create(&user[k].thread, NULL, sum_often, &user[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(user[k].thread, NULL);
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(user[k].done + user[k].refused, SUMS);
        if (user[k].done > 0)
            assert_memory_equal(user[k].potential, alone.potential,
                                sizeof alone.potential);
    }
    sum_often(&alone);
    assert_int_equal(alone.done, 2 * SUMS);
    koshu_laplace_destroy(alone.laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(lengths_that_doubles_do_not_hold_are_refused),
            cmocka_unit_test(boxes_that_are_none_are_refused),
            cmocka_unit_test(a_second_thread_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
