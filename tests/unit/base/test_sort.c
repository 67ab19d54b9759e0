/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "check.h"

struct item {
    uint64_t key;
    uint32_t index;
};

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t
random_bits(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* By key, then by input order: the order of a stable sort. */
static int
compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Sorts keys that differ only in the bits of the mask; compares with
 * qsort(). */
static void
sort_beside_qsort(size_t n, uint64_t mask, int threads)
{
    struct item *item = calloc(n + 1, sizeof *item);
    uint64_t *key = calloc(2 * n + 2, sizeof *key), state = n + mask;
    uint32_t *index = calloc(2 * n + 2, sizeof *index);
    assert_true(item && key && index);
    for (size_t i = 0; i < n; i++) {
        key[i] = (random_bits(&state) & mask) |
                 (UINT64_C(0x1234567812345678) & ~mask);
        index[i] = (uint32_t)i;
        item[i] = (struct item){key[i], index[i]};
    }
    qsort(item, n, sizeof *item, compare);
    koshu_sort_keys(n, key, index, key + n + 1, index + n + 1, threads);
    for (size_t i = 0; i < n; i++)
        assert_true(key[i] == item[i].key && index[i] == item[i].index);
    free(item);
    free(key);
    free(index);
}

static void
sorts_as_qsort_does(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 63, 257, 16383, 16384, 40001};
    static const uint64_t masks[] = {UINT64_MAX, 0, 7, 0xff00,
                                     UINT64_C(7) << 60};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++)
            for (int threads = 1; threads <= 3; threads++)
                sort_beside_qsort(sizes[k], masks[m], threads);
}

/* More threads than have their own counters. */
static void
a_hundred_threads(void **state)
{
    (void)state;
    sort_beside_qsort(20000, UINT64_MAX, 100);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sorts_as_qsort_does),
            cmocka_unit_test(a_hundred_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
