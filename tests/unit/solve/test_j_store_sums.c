/* SPDX-License-Identifier: MIT */
/* koshu_j_store_start() and _wait(): every status, and the order of calls. */
#include <math.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"
#include "one_store.h"

static void
times_are_finite(void **state)
{
    (void)state;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "= nan",
                 koshu_j_store_set_time(memory, NAN));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "= inf",
                 koshu_j_store_set_time(memory, INFINITY));
    struct koshu_j_particle p = particle(1, 1);
    p.v[0] = 2;
    set_one(0, p);
    assert_ok(context, koshu_j_store_set_time(memory, 0.5));
    assert_near(sum(1).potential, -1 / sqrt(4.25), 1e-15);
}

static void
impossible_sums(void **state)
{
    (void)state;
    struct koshu_j_store_start_options bad = options;
    static const double eps[] = {-0.1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        bad.softening = eps[k];
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                     "softening = ", rows_start(memory, &bad, 1, 1, &origin));
    }
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "10001 j-particles",
                 rows_start(memory, &options, CAPACITY + 1, 1, &origin));
}

/* More i-particles than memory can hold: none is read. */
static void
too_many_results(void **state)
{
    (void)state;
    const double x = 0;
    const struct koshu_i_particles many = {
            .n = SIZE_MAX / 8, .x = &x, .y = &x, .z = &x};
    struct koshu_jerk_result r;
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "i-particles and results",
                 koshu_j_store_start(memory, &many, 1, &options));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no sums were started",
                 rows_wait(memory, 1, true, &r));
    assert_true(sum(1).potential == 0);
}

static void
ends_follow_begins(void **state)
{
    (void)state;
    struct koshu_jerk_result r;
    uint64_t count;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no sums were started",
                 rows_wait(memory, 1, true, &r));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "none were",
                 koshu_j_store_neighbours(memory, 0, &count, NULL, NULL));
    sum(1);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no sums were started",
                 rows_wait(memory, 1, true, &r));
    assert_ok(context, koshu_j_store_neighbours(memory, 0, &count, NULL, NULL));
    struct koshu_j_store_start_options bad = {.size = sizeof bad,
                                              .softening = -1};
    assert_int_equal(rows_start(memory, &bad, 1, 1, &origin),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "none were",
                 koshu_j_store_neighbours(memory, 0, &count, NULL, NULL));
}

/* The results are those of the last start, with what was set before it. */
static void
begins_are_forgotten_and_sets_do_not_matter(void **state)
{
    (void)state;
    struct koshu_jerk_result r = {.potential = NAN};
    set_one(0, particle(1, 1));
    assert_ok(context, rows_start(memory, &options, 5, 1, &origin));
    assert_ok(context, rows_start(memory, &options, 1, 1, &origin));
    set_one(0, particle(1 << 20, 100));
    assert_ok(context, rows_wait(memory, 1, true, &r));
    assert_near(r.potential, -1 / sqrt(1.25), 1e-15);
    assert_int_equal(r.nearest, 0);
    uint64_t count, address = 99;
    bool overflow = true;
    assert_ok(context,
              koshu_j_store_neighbours(memory, 1, &count, &address, &overflow));
    assert_int_equal(count, 1);
    assert_int_equal(address, 0);
    assert_false(overflow);
    assert_true(sum(1).potential == 0); /* it now has the same id */
}

static void
sums_of_nothing(void **state)
{
    (void)state;
    struct koshu_jerk_result r[2] = {{.potential = NAN, .nearest = 5},
                                     {.potential = NAN, .nearest = 5}};
    const struct koshu_i_particle i[2] = {origin, origin};
    struct koshu_j_store_start_options plain = {.size = sizeof plain,
                                                .softening = 0};
    uint64_t count[2] = {9, 9};
    bool overflow = true;
    assert_ok(context, rows_start(memory, &plain, 0, 2, i));
    assert_ok(context, rows_wait(memory, 2, false, r));
    assert_true(r[1].potential == 0 && r[1].a[2] == 0 && r[1].jerk[2] == 0);
    assert_int_equal(r[1].nearest, 5); /* not requested */
    assert_ok(context,
              koshu_j_store_neighbours(memory, 0, count, NULL, &overflow));
    assert_true(count[0] == 0 && count[1] == 0 && !overflow);
    assert_ok(context, rows_start(memory, &options, 0, 2, i));
    assert_ok(context, rows_wait(memory, 2, true, r));
    assert_true(r[0].nearest == KOSHU_NO_INDEX && isinf(r[0].nearest_r2));
    assert_ok(context, rows_start(memory, &options, 1, 0, NULL));
    assert_ok(context, koshu_j_store_wait(memory, NULL));
    assert_ok(context,
              koshu_j_store_neighbours(memory, 0, NULL, NULL, &overflow));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(times_are_finite),
            TEST(impossible_sums),
            TEST(too_many_results),
            TEST(ends_follow_begins),
            TEST(begins_are_forgotten_and_sets_do_not_matter),
            TEST(sums_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
