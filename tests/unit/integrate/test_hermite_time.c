/* SPDX-License-Identifier: MIT */
/* Where a run with block steps stops, and restarts. */
#include <math.h>
#include <string.h>

#include "hermite_rig.h"

/* ---- where a run stops -------------------------------------------------- */

static void
a_stop_on_the_grid_changes_no_bit(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    o.dt = 0.1;
    struct rig a = rig_make(32, 1, &o), b = rig_make(32, 1, &o);
    assert_true(0.3 != 3 * 0.1); /* only because of rounding */
    for (double t = 1; t <= 3; t++) rig_run(&a, t * 0.1);
    rig_run(&b, 0.3);
    assert_true(koshu_integrator_time(b.hermite) == 0.3);
    assert_memory_equal(a.v.x, b.v.x, a.v.n * sizeof(double));
    assert_memory_equal(a.v.jz, b.v.jz, a.v.n * sizeof(double));
    rig_free(&a);
    rig_free(&b);
}

/* Off the grid each particle takes a partial step; the error of the orbit is
 * that of the steps, here about 1e-8. */
static void
a_stop_off_the_grid_is_reached_by_all(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(3), fine = fixed(1.0 / 4096);
    struct rig a = rig_make(32, 1, &o), b = rig_make(32, 1, &fine);
    rig_run(&a, 0.3);
    struct koshu_integrator_clock c = clock_of(a.hermite);
    assert_true(c.time == 0.3 && c.synchronised == 0.3 && c.origin_time == 0.3);
    assert_int_equal(c.ticks, 0);
    assert_int_equal(c.origin_steps, 3); /* 1/8, 1/4, 0.3 */
    assert_commensurable(&a);
    rig_run(&b, 0.3);
    for (size_t i = 0; i < a.v.n; i++) assert_near(a.v.x[i], b.v.x[i], 1e-6);
    rig_run(&a, 0.3 + 0.125);
    assert_int_equal(clock_of(a.hermite).ticks, KOSHU_TICKS);
    assert_commensurable(&a);
    rig_free(&a);
    rig_free(&b);
}

/* A shortened step must not determine the next one, because differences over
 * almost no time are mostly rounding. */
static void
a_stop_soon_after_another_changes_no_step(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    struct rig r = rig_make(32, 1, &o);
    uint64_t step[32];
    rig_run(&r, 0.125);
    memcpy(step, r.v.step, sizeof step);
    rig_run(&r, 0.125 + 1e-9);
    assert_memory_equal(r.v.step, step, sizeof step);
    rig_free(&r);
}

static void
time_cannot_go_where_it_is_not(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    struct rig r = rig_make(8, 1, &o);
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_integrator_advance(r.hermite, 0, false));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_integrator_advance(r.hermite, -1, false));
    assert_ok(r.context, koshu_integrator_advance(r.hermite, INFINITY, false));
    struct koshu_integrator_clock clock = clock_of(r.hermite);
    clock.time = clock.synchronised = clock.origin_time = 1e18;
    assert_ok(r.context, koshu_integrator_resume(r.hermite, &clock));
    assert_fails(r.context, KOSHU_ERROR_BAD_INPUT,
                 "too small to advance the time",
                 koshu_integrator_advance(r.hermite, INFINITY, false));
    rig_free(&r);
}

/* ---- restarts ------------------------------------------------------------ */

/* A second store and integrator that continue from what a checkpoint keeps. */
static struct rig
rig_resumed(const struct rig *from, const struct koshu_integrator_options *o)
{
    struct rig r = rig_make(from->v.n, 1, o);
    const struct koshu_particle_view *a = &from->v, *b = &r.v;
    double *const old[] = {a->x,  a->y,  a->z,  a->vx, a->vy, a->vz,
                           a->ax, a->ay, a->az, a->jx, a->jy, a->jz};
    double *const new[] = {b->x,  b->y,  b->z,  b->vx, b->vy, b->vz,
                           b->ax, b->ay, b->az, b->jx, b->jy, b->jz};
    for (int k = 0; k < 12; k++) memcpy(new[k], old[k], a->n * sizeof(double));
    memcpy(b->tick, a->tick, a->n * sizeof *a->tick);
    memcpy(b->step, a->step, a->n * sizeof *a->step);
    struct koshu_integrator_clock clock = clock_of(from->hermite);
    assert_ok(r.context, koshu_integrator_resume(r.hermite, &clock));
    return r;
}

static void
a_run_resumes_bit_for_bit_after_any_block(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(1);
    o.iterations = 2;
    for (int blocks = 1; blocks < 300; blocks += 37) {
        struct rig a = rig_make(48, 1, &o);
        for (int k = 0; k < blocks; k++)
            assert_ok(a.context,
                      koshu_integrator_advance(a.hermite, 10, false));
        struct rig b = rig_resumed(&a, &o);
        rig_run(&a, 1);
        rig_run(&b, 1);
        assert_same_state(&a, &b);
        rig_free(&a);
        rig_free(&b);
    }
}

static void
with_another_dt_all_are_synchronised_first(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(1), other = blocks_of(1);
    other.dt = 0.07;
    struct rig a = rig_make(48, 1, &o);
    for (int k = 0; k < 50; k++)
        assert_ok(a.context, koshu_integrator_advance(a.hermite, 10, false));
    double time = koshu_integrator_time(a.hermite);
    assert_true(clock_of(a.hermite).synchronised != time);
    struct rig b = rig_resumed(&a, &other);
    assert_ok(b.context, koshu_integrator_evaluate(b.hermite));
    struct koshu_integrator_clock c = clock_of(b.hermite);
    assert_true(c.time == time && c.synchronised == time &&
                c.tick * (double)KOSHU_TICKS == 0.07);
    rig_run(&b, 1);
    rig_run(&a, 1);
    /* the error of the steps */
    for (size_t i = 0; i < a.v.n; i++) assert_near(a.v.x[i], b.v.x[i], 1e-5);
    rig_free(&a);
    rig_free(&b);
}

/* 64-bit ticks last for 2^24 synchronised steps; they restart long before. */
static void
ticks_are_wound_back_and_change_no_bit(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    struct rig a = rig_make(32, 1, &o), b = rig_make(32, 1, &o);
    rig_run(&a, 0.125);
    rig_run(&b, 0.125);
    struct koshu_integrator_clock clock = clock_of(b.hermite);
    const uint64_t steps = (UINT64_C(1) << 22) - 1; /* one is left */
    clock.ticks = steps * KOSHU_TICKS;
    clock.origin_time = 0.125 - (double)steps * o.dt;
    for (size_t i = 0; i < b.v.n; i++) b.v.tick[i] = clock.ticks;
    assert_ok(b.context, koshu_integrator_resume(b.hermite, &clock));
    rig_run(&b, 0.25);
    clock = clock_of(b.hermite);
    assert_int_equal(clock.ticks, 0);
    assert_int_equal(clock.origin_steps, steps + 1);
    assert_true(clock.origin_time == 0.25);
    rig_run(&a, 0.5);
    rig_run(&b, 0.5);
    assert_memory_equal(a.v.x, b.v.x, a.v.n * sizeof(double));
    assert_memory_equal(a.v.step, b.v.step, a.v.n * sizeof *a.v.step);
    rig_free(&a);
    rig_free(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_stop_on_the_grid_changes_no_bit),
            cmocka_unit_test(a_stop_off_the_grid_is_reached_by_all),
            cmocka_unit_test(a_stop_soon_after_another_changes_no_step),
            cmocka_unit_test(time_cannot_go_where_it_is_not),
            cmocka_unit_test(a_run_resumes_bit_for_bit_after_any_block),
            cmocka_unit_test(with_another_dt_all_are_synchronised_first),
            cmocka_unit_test(ticks_are_wound_back_and_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
