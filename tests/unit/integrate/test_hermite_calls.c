/* SPDX-License-Identifier: MIT */
/* Where calls of block steps end on a machine that is busy with other work. */
#include "hermite_rig.h"

/* Each reading of the clock is ten seconds after the last one. */
double __wrap_koshu_now(void);
double
__wrap_koshu_now(void)
{
    static double now;
    return now += 10;
}

/* A call ends at each of the eight multiples of dt, and the first one after 16
 * block steps. 10^6 interactions of 32 particles are 976. */
static void
calls_of_few_particles_ignore_the_clock(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    struct rig r = rig_make(32, 1, &o);
    int calls = 0;
    for (; koshu_integrator_time(r.hermite) < 1; calls++)
        assert_ok(r.context, koshu_integrator_advance(r.hermite, 1, false));
    assert_true(clock_of(r.hermite).steps > 100);
    assert_int_equal(calls, 8 + 1);
    rig_free(&r);
}

/* 4096 particles are worth a look at signals after each. */
static void
calls_of_many_particles_are_short(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(0);
    struct rig r = rig_make(4096, 2, &o);
    assert_ok(r.context, koshu_integrator_advance(r.hermite, 1, false));
    const uint64_t steps = clock_of(r.hermite).steps;
    assert_ok(r.context, koshu_integrator_advance(r.hermite, 1, false));
    assert_int_equal(clock_of(r.hermite).steps, steps + 1);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(calls_of_few_particles_ignore_the_clock),
            cmocka_unit_test(calls_of_many_particles_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
