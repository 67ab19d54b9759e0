/* SPDX-License-Identifier: MIT */
/* Combining the partial sums of ranks. */
#include "check.h"
#include "integrate/partial_sums.h"

enum { MEMBERS = 3, RANKS = 4, OF_EACH = 10 };

/* Rank r has member m's nearest neighbour at r2[r][m], its own particle r + m;
 * the last rank has no particles. */
static const double r2[RANKS - 1][MEMBERS] = {{4, 2, 5}, {3, 2, 6}, {9, 7, 1}};

static void
take(int r, struct koshu_partial_sums *to)
{
    struct koshu_jerk_result result[MEMBERS];
    koshu_partial_sums_none(MEMBERS, result);
    for (int m = 0; r < RANKS - 1 && m < MEMBERS; m++)
        result[m] = (struct koshu_jerk_result){.a = {r, m, 1},
                                               .jerk = {1, r, m},
                                               .potential = -1,
                                               .nearest_r2 = r2[r][m],
                                               .nearest = (uint64_t)(r + m)};
    koshu_partial_sums_take(MEMBERS, result, (size_t)(r * OF_EACH), to);
}

/* Of two equally near neighbours, that of the lower rank. */
static void
the_nearest_is_that_of_all_ranks(void **state)
{
    (void)state;
    static const uint64_t nearest[MEMBERS] = {OF_EACH + 1, 1, 2 * OF_EACH + 4};
    struct koshu_partial_sums all[RANKS * MEMBERS];
    struct koshu_jerk_result result[MEMBERS];
    for (int r = 0; r < RANKS; r++) take(r, all + r * MEMBERS);
    koshu_partial_sums_add(MEMBERS, RANKS, all, result);
    for (int m = 0; m < MEMBERS; m++) {
        assert_int_equal(result[m].nearest, nearest[m]);
        assert_true(result[m].nearest_r2 == 3 - m);
        assert_true(result[m].a[0] == 3 && result[m].a[1] == 3 * m);
        assert_true(result[m].jerk[1] == 3 && result[m].potential == -3);
    }
}

static void
without_particles_none_is_nearest(void **state)
{
    (void)state;
    struct koshu_partial_sums all[2 * MEMBERS];
    struct koshu_jerk_result result[MEMBERS];
    for (int r = 0; r < 2; r++) take(RANKS - 1, all + r * MEMBERS);
    koshu_partial_sums_add(MEMBERS, 2, all, result);
    for (int m = 0; m < MEMBERS; m++) {
        assert_true(result[m].nearest == KOSHU_NO_INDEX);
        assert_true(isinf(result[m].nearest_r2) && result[m].a[0] == 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_nearest_is_that_of_all_ranks),
            cmocka_unit_test(without_particles_none_is_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
