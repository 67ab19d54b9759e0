/* SPDX-License-Identifier: MIT */
/* How a batch is divided: every pair once, in items of bounded size. */
#include <stdlib.h>
#include <string.h>

#include "backend/simd/plan.h"
#include "check.h"

static struct koshu_context *context;
static struct simd_plan plan;

/* AddressSanitizer ends a program that requests too much, unless told not
 * to. */
KOSHU_API const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* A plan depends on sizes only. */
static koshu_status
make(size_t n_sets, const size_t *i_offset, const size_t *j_offset)
{
    const struct koshu_force_batch batch = {
            .n_sets = n_sets,
            .i_offset = i_offset,
            .j_offset = j_offset,
            .i = {.n = i_offset[n_sets]},
            .j = {.n = j_offset[n_sets]},
    };
    return koshu_simd_plan_make(context, &plan, &batch, 4);
}

static koshu_status
make_one(size_t n_i, size_t n_j)
{
    const size_t i_offset[2] = {0, n_i}, j_offset[2] = {0, n_j};
    return make(1, i_offset, j_offset);
}

/* Items are ordered by i-particles and, for equal ones, by j-particles, and
 * leave nothing out. Chunks have separate places for their sums. */
static void
assert_whole(const size_t *i_offset, const size_t *j_offset, size_t n_sets)
{
    size_t i = 0, j = 0, partial = 0;
    for (size_t p = 0; p < plan.n_items; p++) {
        const struct simd_item *item = &plan.items[p];
        size_t n_j = j_offset[item->set + 1] - j_offset[item->set];
        assert_int_equal(item->i_first, i);
        assert_int_equal(item->j_first, j);
        assert_in_range(item->i_n, 1, SIMD_JOB_I);
        assert_in_range(i, i_offset[item->set],
                        i_offset[item->set + 1] - item->i_n);
        bool cut = item->j_first > 0 || item->j_last < n_j;
        if (cut) {
            assert_int_equal(item->j_first % SIMD_J_GRAIN, 0);
            assert_int_equal(item->partial, partial);
            partial += 4 * item->i_n;
        } else
            assert_true(item->partial == SIMD_NOT_CUT);
        j = item->j_last;
        if (j < n_j) continue;
        assert_int_equal(j, n_j);
        j = 0;
        i += item->i_n;
    }
    assert_int_equal(i, i_offset[n_sets]);
    assert_true(partial <= plan.capacity_partial);
}

static void
one_set_of_any_size(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {
            {1, 1},      {1, 0},       {1, 1000000},    {5, 4096},
            {5, 4097},   {64, 8192},   {100, 100},      {1000, 1000000},
            {100000, 3}, {4097, 4097}, {131072, 131072}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const size_t i_offset[2] = {0, sizes[k][0]};
        const size_t j_offset[2] = {0, sizes[k][1]};
        assert_ok(context, make(1, i_offset, j_offset));
        assert_whole(i_offset, j_offset, 1);
    }
}

static void
few_i_particles_are_enough_for_many_threads(void **state)
{
    (void)state;
    assert_ok(context, make_one(1, 1000000));
    assert_true(plan.n_items >= 32);
    assert_ok(context, make_one(2048, 2048));
    assert_true(plan.n_items >= 32);
    assert_int_equal(plan.at_once, 1);
    assert_false(plan.alone);
    assert_ok(context, make_one(100, 100));
    assert_true(plan.alone);
}

static void
small_sets_are_handed_out_together(void **state)
{
    (void)state;
    enum { N = 1000 };
    size_t i_offset[N + 1], j_offset[N + 1];
    for (size_t s = 0; s <= N; s++) {
        i_offset[s] = 4 * s;
        j_offset[s] = 30 * s;
    }
    assert_ok(context, make(N, i_offset, j_offset));
    assert_whole(i_offset, j_offset, N);
    assert_int_equal(plan.n_items, N);
    assert_true(plan.at_once > 8);
    /* walks: 64 i-particles against lists of some hundreds */
    for (size_t s = 0; s <= N; s++) {
        i_offset[s] = 64 * s;
        j_offset[s] = 800 * s;
    }
    assert_ok(context, make(N, i_offset, j_offset));
    assert_int_equal(plan.n_items, N);
    assert_int_equal(plan.at_once, 1);
}

static void
empty_sets_make_no_piece(void **state)
{
    (void)state;
    static const size_t i_offset[] = {0, 0, 3, 3, 5},
                        j_offset[] = {0, 7, 7, 9, 10000};
    assert_ok(context, make(4, i_offset, j_offset));
    assert_whole(i_offset, j_offset, 4);
    /* results without j-particles must still be set to zero */
    assert_int_equal(plan.items[0].set, 1);
    assert_ok(context, make(0, i_offset, j_offset));
    assert_int_equal(plan.n_items, 0);
}

/* Memory is kept for smaller plans and allocated only once. */
static void
memory_grows_and_may_run_out(void **state)
{
    (void)state;
    assert_ok(context, make_one(300, 100000));
    const void *items = plan.items, *partial = plan.partial;
    assert_ok(context, make_one(200, 90000));
    assert_ptr_equal(plan.items, items);
    assert_ptr_equal(plan.partial, partial);
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "list of work",
                 make_one((size_t)1 << 58, 1));
    assert_ok(context, make_one(300, 100000));
}

static int
set_up(void **state)
{
    (void)state;
    context = test_context("simd", 1);
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    koshu_simd_plan_free(&plan);
    koshu_context_destroy(context);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(one_set_of_any_size),
            cmocka_unit_test(few_i_particles_are_enough_for_many_threads),
            cmocka_unit_test(small_sets_are_handed_out_together),
            cmocka_unit_test(empty_sets_make_no_piece),
            cmocka_unit_test(memory_grows_and_may_run_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
