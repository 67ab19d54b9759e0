/* SPDX-License-Identifier: MIT */
/* Block steps with groups: what is known of the nearest neighbour. */
#include "integrate/subsystem_engine.h"

#include <math.h>
#include <string.h>

#include "block_arrays.h"
#include "fixture.h"

/* ---- when it must be found again ----------------------------------------- */

/* Is a step of this length that ends at this tick clear of the nearest
 * neighbour, if at tick 1000 it took `half_way` to get half-way to it? */
static bool
is_clear(double half_way, uint64_t length, uint64_t end)
{
    struct koshu_clearance clearance[2] = {{0}, {1000, half_way}};
    uint64_t member = 1, steps[2] = {0, length};
    bool knows = false;
    struct koshu_subsystem_engine e = {
            .p = {.step = steps},
            .step = {.n = 1, .members = &member, .knows_nearest = &knows},
            .clearance = clearance};
    koshu_subsystem_look_back(&e, end);
    return knows;
}

static void
neighbours_are_known_for_a_while(void **state)
{
    (void)state;
    assert_false(is_clear(0, 10, 1010));
    assert_true(is_clear(100, 10, 1010));
    /* then a step of 64 is clear, by 84 */
    assert_true(is_clear(100, 32, 1032));
    assert_false(is_clear(100, 64, 1064));
    assert_true(is_clear(100, 2, 1050));
    assert_false(is_clear(100, 2, 1052)); /* a faster particle may be there */
    assert_false(is_clear(50, 24, 1010));
}

/* ---- sums ---------------------------------------------------------------- */

enum { N = 700 };

struct particles {
    struct koshu_block_particles p;
    double mass[N], real[13][N];
    uint64_t tick[N], step[N];
};

static void
fill(struct particles *s)
{
    s->p = block_arrays(N, s->mass, s->real[0], N, s->tick, s->step);
    for (size_t k = 0; k < N; k++) {
        s->mass[k] = 1.0 / N;
        for (size_t d = 0; d < 6; d++)
            s->real[d][k] = fmod(0.618034 * (double)((d + 1) * (k + 1)) +
                                         0.01 * (double)(k % 7),
                                 1);
    }
}

/* Sums on all particles; every third knows its nearest neighbour, or none
 * does. */
static void
sum(struct koshu_block_step *step, const struct particles *s, bool some)
{
    double time[N] = {0};
    koshu_block_step_take_all(step, N);
    for (size_t m = 0; m < N; m++) {
        step->dt[m] = 0;
        step->knows_nearest[m] = some && m % 3 == 0;
    }
    assert_ok(context, koshu_block_step_load(step, &s->p, time));
    assert_ok(context, koshu_block_step_make(step, &s->p, 0));
}

/* Sums and neighbours are the same, bit for bit. */
static void
who_knows_changes_nothing_for_others(void **state)
{
    (void)state;
    static struct particles s;
    static struct koshu_jerk_result all[N];
    const struct koshu_block_task task = {.precision = KOSHU_PRECISION_DOUBLE,
                                          .nearest = true,
                                          .iterations = 1};
    struct koshu_backend *backend;
    struct koshu_block_step step;
    fill(&s);
    assert_ok(context, koshu_backend_of(context, &backend));
    assert_ok(context, koshu_block_step_create(backend, &task, N, &step));
    sum(&step, &s, false);
    memcpy(all, step.result, sizeof all);
    sum(&step, &s, true);
    for (size_t m = 0; m < N; m++) {
        const struct koshu_jerk_result *r = &step.result[m];
        for (int d = 0; d < 3; d++) {
            assert_true(r->a[d] == all[m].a[d]);
            assert_true(r->jerk[d] == all[m].jerk[d]);
        }
        assert_true(r->potential == all[m].potential);
        assert_true(all[m].nearest < N && all[m].nearest != m);
        if (m % 3 == 0) continue;
        assert_true(r->nearest == all[m].nearest);
        assert_true(r->nearest_r2 == all[m].nearest_r2);
    }
    koshu_block_step_destroy(&step);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(neighbours_are_known_for_a_while),
            cmocka_unit_test(who_knows_changes_nothing_for_others),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
