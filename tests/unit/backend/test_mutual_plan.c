/* SPDX-License-Identifier: MIT */
/* Several devices divide the pairs of blocks: each pair is summed once, and the
 * sums for a block are found by the device that adds them up. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "host_plan.h"

enum { MAX_BLOCKS = 40, MAX_TILES = 8, DISTRIBUTIONS = 400 };

static unsigned summed[MAX_BLOCKS * MAX_BLOCKS * MAX_TILES],
        found[MAX_BLOCKS * MAX_BLOCKS * MAX_TILES];

/* The number of pairs of block and tile that are not summed exactly once, or
 * whose sum is not found. A block with itself leaves no row. */
static size_t
count_wrong(const struct host_distribution *distribution, size_t left_out)
{
    const size_t n = distribution->blocks, tiles = distribution->tiles;
    size_t wrong = 0;
    memset(summed, 0, sizeof summed);
    memset(found, 0, sizeof found);
    assert_true(host_plan_distribute(distribution, left_out, summed, found));
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (size_t t = 0; t < tiles; t++) {
                const size_t one = (a * n + b) * tiles + t;
                const size_t other = (b * n + a) * tiles + t;
                if (a == b)
                    wrong += summed[one] != 1 || found[one] != 0;
                else
                    wrong += summed[one] + summed[other] != 1 ||
                             found[one] != summed[one];
            }
    return wrong;
}

static size_t
some(size_t least, size_t max)
{
    return least + (size_t)rand() % (max - least + 1);
}

/* Few blocks and many, rows in one range and in several, equal and unequal
 * devices, also more devices than work. */
static struct host_distribution
any_distribution(void)
{
    struct host_distribution distribution = {.blocks = some(1, MAX_BLOCKS),
                                             .tiles = some(1, MAX_TILES),
                                             .max_rows = some(1, MAX_BLOCKS),
                                             .chunks_each = some(1, 4),
                                             .n_devices = some(1, 8)};
    for (size_t k = 0; k < distribution.n_devices; k++)
        distribution.units[k] = some(1, 9);
    return distribution;
}

static void
test_each_pair_once(void **state)
{
    (void)state;
    srand(1);
    for (int k = 0; k < DISTRIBUTIONS; k++) {
        const struct host_distribution distribution = any_distribution();
        assert_int_equal(count_wrong(&distribution, distribution.n_devices), 0);
    }
}

/* If one device is left out, its pairs must be missed. */
static void
test_no_other_sums_them(void **state)
{
    (void)state;
    const struct host_distribution distribution = {.blocks = 20,
                                                   .tiles = 8,
                                                   .max_rows = 5,
                                                   .chunks_each = 3,
                                                   .n_devices = 3,
                                                   .units = {4, 4, 4}};
    for (size_t k = 0; k < distribution.n_devices; k++)
        assert_true(count_wrong(&distribution, k) > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_each_pair_once),
            cmocka_unit_test(test_no_other_sums_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
