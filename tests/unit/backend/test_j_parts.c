/* SPDX-License-Identifier: MIT */
/* A j-particle store divided into parts: which part has which index, and
 * combining the parts' results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/j_parts.h"
#include "check.h"

enum { MAX_PARTS = 7, MAX_N = 50 };

/* Each index is in one part, in ascending order, and the parts of the first n
 * differ in size by at most one. */
static void
every_index_is_in_one_part(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= MAX_PARTS; parts++)
        for (size_t n = 0; n <= MAX_N; n++) {
            int found[MAX_N] = {0};
            size_t all = 0;
            for (size_t p = 0; p < parts; p++) {
                const struct koshu_j_part part = {p, parts};
                const size_t count = koshu_j_part_count(part, n);
                assert_true(count == n / parts || count == n / parts + 1);
                for (size_t k = 0; k < count; k++) {
                    const uint64_t index = koshu_j_part_index(part, k);
                    assert_true(index < n);
                    assert_true(index % parts == p && index / parts == k);
                    found[index]++;
                }
                all += count;
            }
            assert_true(all == n);
            for (size_t k = 0; k < n; k++) assert_int_equal(found[k], 1);
        }
}

static struct koshu_jerk_result
result_of(double sum, double r2, uint64_t nearest)
{
    return (struct koshu_jerk_result){.a = {sum, 2 * sum, 3 * sum},
                                      .jerk = {-sum, 4 * sum, 5 * sum},
                                      .potential = -7 * sum,
                                      .nearest_r2 = r2,
                                      .nearest = nearest};
}

static void
results_are_added(void **state)
{
    (void)state;
    struct koshu_jerk_result sum = result_of(1, 3, 12), more, right;
    more = result_of(2, 4, 5); /* further away */
    koshu_jerk_result_add(&sum, &more);
    right = result_of(3, 3, 12);
    assert_memory_equal(&sum, &right, sizeof sum);
    more = result_of(4, 3, 13); /* equally near, with a higher index */
    koshu_jerk_result_add(&sum, &more);
    right = result_of(7, 3, 12);
    assert_memory_equal(&sum, &right, sizeof sum);
    more = result_of(8, 3, 11); /* equally near, with a lower index */
    koshu_jerk_result_add(&sum, &more);
    right = result_of(15, 3, 11);
    assert_memory_equal(&sum, &right, sizeof sum);
    more = result_of(16, 2, 40);
    koshu_jerk_result_add(&sum, &more);
    right = result_of(31, 2, 40);
    assert_memory_equal(&sum, &right, sizeof sum);
}

static void
without_neighbours_none_is_nearest(void **state)
{
    (void)state;
    const struct koshu_j_part part = {2, 3};
    struct koshu_jerk_result none = result_of(0, INFINITY, KOSHU_NO_INDEX);
    struct koshu_jerk_result sum = koshu_j_part_result(part, &none);
    assert_true(sum.nearest == KOSHU_NO_INDEX);
    koshu_jerk_result_add(&sum, &none);
    assert_true(sum.nearest == KOSHU_NO_INDEX && isinf(sum.nearest_r2));
    const struct koshu_jerk_result one = result_of(1, 1e300, 4);
    const struct koshu_jerk_result there = koshu_j_part_result(part, &one);
    koshu_jerk_result_add(&sum, &there);
    assert_int_equal(sum.nearest, 14);
}

/* The indices divisible by `by`, part by part. */
static void
check_merge(size_t parts, uint64_t by, uint64_t max)
{
    uint32_t k[MAX_PARTS][MAX_N];
    uint64_t index[MAX_N + 1], n = 0;
    struct koshu_j_part_list list[MAX_PARTS];
    for (size_t p = 0; p < parts; p++)
        list[p] = (struct koshu_j_part_list){k[p], 0};
    for (uint64_t j = 0; j < MAX_N; j += by, n++) {
        struct koshu_j_part_list *of = &list[j % parts];
        k[j % parts][of->n++] = (uint32_t)(j / parts);
    }
    for (size_t m = 0; m <= MAX_N; m++) index[m] = 12345;
    koshu_j_parts_merge(parts, parts, list, max, index);
    for (size_t m = 0; m <= MAX_N; m++)
        assert_true(index[m] == (m < n && m < max ? m * by : 12345));
}

static void
lists_are_merged(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= MAX_PARTS; parts++)
        for (uint64_t by = 1; by <= MAX_N; by++)
            for (uint64_t max = 0; max <= MAX_N; max++)
                check_merge(parts, by, max);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_index_is_in_one_part),
            cmocka_unit_test(results_are_added),
            cmocka_unit_test(without_neighbours_none_is_nearest),
            cmocka_unit_test(lists_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
