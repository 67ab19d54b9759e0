/* SPDX-License-Identifier: MIT */
/* koshu_j_store_*: every status, and the bookkeeping before the backend is
 * called; tests/conformance tests the sums. */
#include <math.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"
#include "one_store.h"

/* ---- create and reserve -------------------------------------------------- */

static void
impossible_memories(void **state)
{
    (void)state;
    struct koshu_j_store *m = memory;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "capacity",
                 rows_create(context, KOSHU_PRECISION_DOUBLE, 0, &m));
    assert_null(m);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "unknown precision 3",
                 rows_create(context, (enum koshu_precision)3, 1, &m));
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "j-particles",
                 rows_create(context, KOSHU_PRECISION_DOUBLE, SIZE_MAX, &m));
    assert_null(m);
    koshu_j_store_destroy(NULL);
}

/* A backend without stores. */
static void
unsupported(void **state)
{
    (void)state;
    struct koshu_context *other = test_context("ref", 1);
    struct koshu_backend *backend;
    assert_int_equal(koshu_backend_of(other, &backend), KOSHU_OK);
    struct koshu_backend_ops without = *backend->ops;
    without.j_store = NULL;
    backend->ops = &without;
    struct koshu_j_store *m;
    assert_fails(other, KOSHU_ERROR_UNSUPPORTED,
                 "backend ref has no j-particle store",
                 rows_create(other, KOSHU_PRECISION_DOUBLE, 1, &m));
    koshu_context_destroy(other);
}

static void
capacity_only_grows(void **state)
{
    (void)state;
    set_one(3, particle(77, 1));
    assert_ok(context, koshu_j_store_reserve(memory, 5));
    assert_int_equal(koshu_j_store_capacity(memory), CAPACITY);
    assert_ok(context, koshu_j_store_reserve(memory, CAPACITY + 5));
    assert_int_equal(koshu_j_store_capacity(memory), CAPACITY + 5);
    assert_int_equal(koshu_j_store_id(memory, 3), 77);
    assert_int_equal(koshu_j_store_id(memory, CAPACITY + 4), CAPACITY + 4);
    assert_true(sum(CAPACITY + 5).a[0] > 0);
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "j-particles",
                 koshu_j_store_reserve(memory, SIZE_MAX));
    assert_int_equal(koshu_j_store_capacity(memory), CAPACITY + 5);
    assert_true(sum(CAPACITY + 5).a[0] > 0);
}

/* ---- set ----------------------------------------------------------------- */

static void
empty_indices(void **state)
{
    (void)state;
    assert_int_equal(koshu_j_store_id(memory, 0), 0);
    assert_int_equal(koshu_j_store_id(memory, CAPACITY - 1), CAPACITY - 1);
    struct koshu_jerk_result r = sum(CAPACITY);
    assert_true(r.a[0] == 0 && r.jerk[0] == 0 && r.potential == 0);
}

static void
addresses_beyond_the_capacity(void **state)
{
    (void)state;
    static struct koshu_j_particle p[CAPACITY + 1];
    const uint64_t address[2] = {1, CAPACITY};
    p[0] = particle(55, 1);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "index[1] = 10000 is beyond the capacity 10000",
                 rows_set(memory, 2, address, p));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "10001 j-particles for a store of capacity 10000",
                 rows_set(memory, CAPACITY + 1, NULL, p));
    assert_int_equal(koshu_j_store_id(memory, 0), 0); /* nothing was set */
    assert_int_equal(koshu_j_store_id(memory, 1), 1);
    assert_true(sum(CAPACITY).a[0] == 0);
}

/* One at a time in descending order, more than are buffered. */
static void
single_particles_are_collected(void **state)
{
    (void)state;
    for (size_t k = CAPACITY; k-- > 0;)
        set_one(k, particle((int64_t)k + 100, k % 2 ? 1 : -1));
    struct koshu_jerk_result r = sum(CAPACITY);
    double pair = 1 / sqrt(1 + 0.25);
    assert_near(r.a[0], 0, 1e-12 * CAPACITY); /* rounding of so many terms */
    assert_near(r.potential, -CAPACITY * pair, 1e-12 * CAPACITY);
    assert_int_equal(r.nearest, 0);
    assert_int_equal(koshu_j_store_id(memory, CAPACITY - 1), CAPACITY + 99);
    assert_near(sum(1).a[0], -pair * pair * pair, 1e-15);
}

static void
of_several_for_an_index_the_last(void **state)
{
    (void)state;
    struct koshu_j_particle p[4] = {particle(1, 5), particle(2, 6),
                                    particle(3, 7), particle(4, 1)};
    const uint64_t address[4] = {2, 9, 2, 2};
    assert_ok(context, rows_set(memory, 4, address, p));
    assert_int_equal(koshu_j_store_id(memory, 2), 4);
    struct koshu_jerk_result r = sum(3);
    assert_near(r.potential, -1 / sqrt(1.25), 1e-15);
    set_one(2, particle(4, 2));
    set_one(2, particle(4, 3));
    assert_near(sum(3).potential, -1 / sqrt(9.25), 1e-15);
}

/* Without addresses, fewer and more than are buffered. */
static void
sets_of_the_first_indices(void **state)
{
    (void)state;
    static struct koshu_j_particle p[CAPACITY];
    for (size_t k = 0; k < CAPACITY; k++) p[k] = particle((int64_t)k, 1);
    /* overwritten by those that follow */
    set_one(CAPACITY - 1, particle(7, 50));
    assert_ok(context, rows_set(memory, CAPACITY, NULL, p));
    double pair = 1 / sqrt(1.25);
    assert_near(sum(CAPACITY).potential, -CAPACITY * pair, 1e-12 * CAPACITY);
    for (size_t k = 0; k < 10; k++) p[k].mass = 3;
    assert_ok(context, rows_set(memory, 10, NULL, p));
    assert_near(sum(10).potential, -30 * pair, 1e-12);
    assert_ok(context, rows_set(memory, 0, NULL, NULL));
}

/* Squares of these overflow a float. */
static void
softenings_that_float_cannot_hold(void **state)
{
    (void)state;
    struct koshu_context *simd = test_context("simd", 1);
    static const double eps[] = {1e-40, 1e20};
    for (int p = KOSHU_PRECISION_SINGLE; p <= KOSHU_PRECISION_DOUBLE; p++)
        for (int k = 0; k < 2; k++) {
            struct koshu_j_store *m;
            const struct koshu_j_store_start_options o = {.size = sizeof o,
                                                          .softening = eps[k]};
            assert_int_equal(rows_create(simd, (enum koshu_precision)p, 1, &m),
                             KOSHU_OK);
            if (p == KOSHU_PRECISION_DOUBLE)
                assert_int_equal(rows_start(m, &o, 1, 1, &origin), KOSHU_OK);
            else
                assert_fails(simd, KOSHU_ERROR_UNSUPPORTED,
                             "take double precision",
                             rows_start(m, &o, 1, 1, &origin));
            koshu_j_store_destroy(m);
        }
    koshu_context_destroy(simd);
}

/* Structures of arrays: required arrays, and those that default to 0. */
static void
arrays_of_particles(void **state)
{
    (void)state;
    const double one[2] = {1, 1}, two[2] = {2, 2};
    const int64_t id[2] = {-1, 5};
    struct koshu_j_particles j = {.n = 2, .x = one, .y = one, .z = one};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "j-particles is NULL",
                 koshu_j_store_set(memory, NULL, &j));
    j.mass = one;
    j.vx = one; /* without vy and vz */
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "j-particles is NULL",
                 koshu_j_store_set(memory, NULL, &j));
    j.vx = NULL;
    j.id = id;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "id[0] = -1 of the j-particles",
                 koshu_j_store_set(memory, NULL, &j));
    assert_int_equal(koshu_j_store_id(memory, 1), 1); /* nothing was set */
    j.id = NULL;
    const uint64_t index[2] = {8, 3};
    assert_ok(context, koshu_j_store_set(memory, index, &j));
    assert_int_equal(koshu_j_store_id(memory, 8), 8);

    const int64_t i_id[2] = {3, KOSHU_NO_ID};
    double a[3][2], potential[2];
    struct koshu_i_particles i = {.n = 2, .x = two, .y = one, .z = one};
    const struct koshu_force_result result = {
            .ax = a[0], .ay = a[1], .az = a[2], .potential = potential};
    i.id = i_id;
    assert_ok(context, koshu_j_store_set_time(memory, 100)); /* at rest */
    assert_ok(context, koshu_j_store_start(memory, &i, 9, NULL));
    assert_ok(context, koshu_j_store_wait(memory, &result));
    assert_true(potential[0] == -1 && potential[1] == -2);
    assert_true(a[0][1] == -2 && a[1][1] == 0);
    i.id = NULL;
    assert_ok(context, koshu_j_store_start(memory, &i, 9, NULL));
    assert_ok(context, koshu_j_store_wait(memory, &result));
    assert_true(potential[0] == -2);
}

static void
bad_arrays_of_i_particles_and_results(void **state)
{
    (void)state;
    const double x[1] = {0};
    const int64_t id[1] = {-2};
    double a[4];
    struct koshu_i_particles i = {.n = 1, .x = x, .y = x, .z = x, .id = id};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "id[0] = -2 of the i-particles",
                 koshu_j_store_start(memory, &i, 1, NULL));
    i.id = NULL;
    i.z = NULL;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "i-particles is NULL",
                 koshu_j_store_start(memory, &i, 1, NULL));
    i.z = x;
    struct koshu_j_store_start_options sizeless = options;
    sizeless.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "its size is not set",
                 koshu_j_store_start(memory, &i, 1, &sizeless));
    assert_ok(context, koshu_j_store_start(memory, &i, 1, NULL));
    struct koshu_force_result result = {.ax = a, .ay = a + 1};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "result is NULL",
                 koshu_j_store_wait(memory, &result));
    result.az = a + 2;
    result.nearest_r2 = a + 3;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "started without nearest neighbours",
                 koshu_j_store_wait(memory, &result));
    result.nearest_r2 = NULL;
    assert_ok(context, koshu_j_store_wait(memory, &result));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(impossible_memories),
            TEST(unsupported),
            TEST(capacity_only_grows),
            TEST(empty_indices),
            TEST(addresses_beyond_the_capacity),
            TEST(single_particles_are_collected),
            TEST(of_several_for_an_index_the_last),
            TEST(sets_of_the_first_indices),
            TEST(softenings_that_float_cannot_hold),
            TEST(arrays_of_particles),
            TEST(bad_arrays_of_i_particles_and_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
