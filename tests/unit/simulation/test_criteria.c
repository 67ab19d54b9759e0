/* SPDX-License-Identifier: MIT */
/* stop.*: runs that end early. */
#include "runs.h"
#include "fixture.h"

/* A row every 8 of the 32 steps. */
static void
expect_stop(const char *const *settings, enum koshu_stop stop, uint64_t step)
{
    scratch_enter();
    struct koshu_simulation *s = started(context, settings);
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        advance(context, s, 1);
    assert_int_equal(koshu_simulation_stopped(s), stop);
    assert_int_equal(progress_of(s).step, step);
    complete(context, s);
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, step);
    scratch_leave();
}

static void
each_criterion_stops_a_run(void **state)
{
    (void)state;
    static const char *const energy[] = {"stop.energy_error", "1e-15", NULL},
                             *const core[] = {"stop.core_radius", "1", NULL},
                             *const apart[] = {"initial.model",
                                               "sphere",
                                               "initial.virial_ratio",
                                               "3",
                                               "stop.escaped_fraction",
                                               "1/2",
                                               NULL};
    expect_stop(energy, KOSHU_STOP_ENERGY, 8);
    expect_stop(core, KOSHU_STOP_CORE, 8);
    expect_stop(apart, KOSHU_STOP_ESCAPED, 8);
}

static void
what_is_not_met_stops_nothing(void **state)
{
    (void)state;
    static const char *const mild[] = {"stop.energy_error",
                                       "1/2",
                                       "stop.core_radius",
                                       "1e-3",
                                       "stop.escaped_fraction",
                                       "0.9",
                                       NULL};
    expect_stop(mild, KOSHU_STOP_END, 32);
}

/* A criterion may change at a restart. */
static void
a_run_goes_on_without_its_criterion(void **state)
{
    (void)state;
    static const char *const core[] = {"stop.core_radius", "1", NULL};
    scratch_enter();
    struct koshu_simulation *s = started(context, core);
    complete(context, s);
    struct koshu_parameters *p = parameters_of(context, NULL);
    assert_ok(context, koshu_simulation_restart(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    complete(context, s);
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 32);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_criterion_stops_a_run),
            cmocka_unit_test(what_is_not_met_stops_nothing),
            cmocka_unit_test(a_run_goes_on_without_its_criterion),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
