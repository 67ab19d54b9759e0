/* SPDX-License-Identifier: MIT */
/* Looking up the indices that hold an id, compared with a linear search. */
#include <string.h>

#include "backend/simd/ids.h"
#include "check.h"

enum { N = 300 };

static struct koshu_context *context;
static struct simd_ids ids;

/* AddressSanitizer ends a program that requests too much, unless told not
 * to. */
KOSHU_API const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Looks an id up among all indices, among the first n, and among none. */
static void
assert_found(const int64_t id[], size_t n_stored, int64_t wanted)
{
    const size_t limits[] = {n_stored, n_stored / 3, 1, 0};
    for (int l = 0; l < 4; l++) {
        size_t found[2 * N], expected = 0;
        size_t n = koshu_simd_ids_find(&ids, wanted, limits[l], found);
        assert_int_equal(n, koshu_simd_ids_find(&ids, wanted, limits[l], NULL));
        for (size_t k = 0; k < limits[l]; k++)
            if (id[k] == wanted) {
                assert_true(expected < n);
                assert_int_equal(found[expected++], k);
            }
        assert_int_equal(n, expected);
    }
}

static void
new_indices_hold_their_numbers(void **state)
{
    (void)state;
    int64_t id[2 * N];
    for (size_t k = 0; k < 2 * N; k++) id[k] = (int64_t)k;
    for (int64_t k = -2; k < N + 2; k++) assert_found(id, N, k);
    koshu_simd_ids_set(&ids, 7, -5);
    id[7] = -5;
    assert_ok(context, koshu_simd_ids_reserve(&ids, context, 2 * N));
    for (int64_t k = -5; k < 2 * N + 2; k++) assert_found(id, 2 * N, k);
}

/* Ids come and go, and many indices share one. */
static void
any_ids_at_any_indices(void **state)
{
    (void)state;
    int64_t id[N];
    for (size_t k = 0; k < N; k++) id[k] = (int64_t)k;
    uint32_t bits = 1;
    for (int round = 0; round < 20000; round++) {
        bits = bits * 1664525 + 1013904223;
        size_t index = (bits >> 8) % N;
        id[index] = (int64_t)(bits >> 20) % 40 * INT32_MAX - 7;
        if (round < 10000) id[index] = (int64_t)(bits >> 20) % 400;
        koshu_simd_ids_set(&ids, index, id[index]);
        if (round % 50 == 0) assert_found(id, N, id[(index + 1) % N]);
    }
    for (int64_t k = 0; k < 400; k++) assert_found(id, N, k);
    for (int64_t k = 0; k < 40; k++) assert_found(id, N, k * INT32_MAX - 7);
}

static void
the_ends_of_the_range(void **state)
{
    (void)state;
    int64_t id[N];
    for (size_t k = 0; k < N; k++) {
        id[k] = k % 2 ? INT64_MAX : INT64_MIN;
        koshu_simd_ids_set(&ids, k, id[k]);
    }
    assert_found(id, N, INT64_MAX);
    assert_found(id, N, INT64_MIN);
    assert_found(id, N, 0);
}

static void
out_of_memory_changes_nothing(void **state)
{
    (void)state;
    int64_t id[N];
    for (size_t k = 0; k < N; k++) id[k] = (int64_t)k;
    static const size_t too_many[] = {SIZE_MAX / 16, SIZE_MAX};
    for (int k = 0; k < 2; k++)
        assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "ids of j-particles",
                     koshu_simd_ids_reserve(&ids, context, too_many[k]));
    assert_found(id, N, 5);
}

static int
set_up(void **state)
{
    (void)state;
    context = test_context("simd", 1);
    ids = (struct simd_ids){0};
    return koshu_simd_ids_reserve(&ids, context, N);
}

static int
tear_down(void **state)
{
    (void)state;
    koshu_simd_ids_free(&ids);
    koshu_context_destroy(context);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(new_indices_hold_their_numbers),
            TEST(any_ids_at_any_indices),
            TEST(the_ends_of_the_range),
            TEST(out_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
