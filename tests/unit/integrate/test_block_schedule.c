/* SPDX-License-Identifier: MIT */
/* The schedule of block steps, compared with a search through all particles. */
#include <koshu/context.h>

#include "check.h"
#include "integrate/block_schedule.h"

enum { N = 500, LONGEST = 1 << 12 };

/* Random numbers, the same in each run. */
static uint64_t
draw(uint64_t *bits)
{
    *bits = *bits * 6364136223846793005u + 1442695040888963407u;
    return *bits >> 33;
}

static uint64_t
search_next(const uint64_t *tick, const uint64_t *step)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < N; i++)
        if (tick[i] + step[i] < next) next = tick[i] + step[i];
    return next;
}

/* The block's members are the particles whose steps end, in ascending order. */
static void
assert_members(const uint64_t *tick, const uint64_t *step, uint64_t end,
               const uint64_t *members, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < N; i++)
        if (tick[i] + step[i] == end) {
            assert_true(m < n);
            assert_int_equal(members[m++], i);
        }
    assert_int_equal(m, n);
}

/* Half the step, the same or, if the time allows, twice the step. */
static uint64_t
any_step(uint64_t step, uint64_t end, uint64_t *bits)
{
    uint64_t way = draw(bits) % 3;
    if (way == 0 && step > 1) return step / 2;
    if (way == 1 && step < LONGEST && end % (2 * step) == 0) return 2 * step;
    return step;
}

static void
blocks_are_those_of_a_search(void **state)
{
    (void)state;
    struct koshu_context *context = test_context(NULL, 1);
    struct koshu_block_schedule schedule;
    uint64_t tick[N] = {0}, step[N], members[N], bits = 1, now = 0;
    for (size_t i = 0; i < N; i++) step[i] = UINT64_C(1) << draw(&bits) % 13;
    assert_ok(context,
              koshu_block_schedule_create(context, N, step, &schedule));
    size_t synchronised = 0;
    for (int block = 0; block < 20000; block++) {
        uint64_t end = koshu_block_next(&schedule, now);
        assert_int_equal(end, search_next(tick, step));
        size_t n = koshu_block_take(&schedule, end, members);
        assert_members(tick, step, end, members, n);
        for (size_t m = 0; m < n; m++) {
            size_t i = members[m];
            tick[i] = end;
            step[i] = any_step(step[i], end, &bits);
        }
        koshu_block_give(&schedule, n, members, step);
        synchronised += n == N;
        assert_int_equal(n == N, end % LONGEST == 0);
        now = end;
    }
    assert_true(synchronised > 1);
    koshu_block_schedule_destroy(&schedule);
    koshu_context_destroy(context);
}

/* A start in the middle of a run, as after a restart: a particle's step
 * determines its time. */
static void
a_schedule_can_begin_between_synchronised_times(void **state)
{
    (void)state;
    struct koshu_context *context = test_context(NULL, 1);
    struct koshu_block_schedule schedule;
    const uint64_t step[] = {8, 2, 4, 2};
    uint64_t members[4];
    assert_ok(context,
              koshu_block_schedule_create(context, 4, step, &schedule));
    assert_int_equal(koshu_block_next(&schedule, 26), 28);
    assert_int_equal(koshu_block_take(&schedule, 28, members), 3);
    assert_int_equal(members[0], 1);
    assert_int_equal(members[1], 2);
    assert_int_equal(members[2], 3);
    koshu_block_schedule_destroy(&schedule);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(blocks_are_those_of_a_search),
            cmocka_unit_test(a_schedule_can_begin_between_synchronised_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
