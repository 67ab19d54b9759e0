/* SPDX-License-Identifier: MIT */
/* A run that is stopped and restarted writes the same bytes as one that is
 * not. */
#include "runs.h"
#include "same_files.h"

/* Runs to the end; and stops after `steps`, having made `lost` further steps
 * that no checkpoint has, as after a crash. */
static void
stop_and_go_on(const char *const *settings, int steps, int lost)
{
    struct files whole = files_of_a_whole_run(settings);
    scratch_enter();
    struct koshu_simulation *s = started(context, settings);
    advance(context, s, steps);
    assert_ok(context, koshu_simulation_checkpoint(s));
    advance(context, s, lost);
    koshu_simulation_destroy(s);
    s = restarted(settings);
    assert_int_equal(progress_of(s).step, steps);
    complete(context, s);
    assert_files(&whole);
    scratch_leave();
}

static void
a_restart_is_bit_for_bit(void **state)
{
    (void)state;
    stop_and_go_on(NULL, 13, 0);
    stop_and_go_on(NULL, 16, 0); /* just after a snapshot and a row */
    stop_and_go_on(NULL, 13, 9); /* a snapshot and rows are lost */
    stop_and_go_on(NULL, 31, 0);
}

static void
with_other_step_rules_too(void **state)
{
    (void)state;
    static const char *const acceleration[] = {"integrator.step",
                                               "acceleration",
                                               "integrator.eta",
                                               "0.05",
                                               "solver.precision",
                                               "mixed",
                                               NULL};
    static const char *const off_the_grid[] = {"output.snapshot.interval",
                                               "0.3",
                                               "output.log.interval",
                                               "0.07",
                                               "integrator.dt",
                                               "0.01",
                                               NULL};
    static const char *const back[] = {"integrator.dt", "-1/32",
                                       "integrator.end", "-1", NULL};
    static const char *const sorted[] = {"solver.method",
                                         "tree",
                                         "solver.n_crit",
                                         "8",
                                         "solver.reorder",
                                         "3",
                                         "output.errors.steps",
                                         "3", /* one or two of 64 particles */
                                         "output.errors.sample",
                                         "64",
                                         NULL};
    /* sorted before the stop and within the lost steps */
    stop_and_go_on(sorted, 10, 4);
    stop_and_go_on(acceleration, 11, 3);
    stop_and_go_on(off_the_grid, 31, 2);
    stop_and_go_on(back, 9, 0);
}

static const char *const blocks[] = {"integrator.scheme",
                                     "hermite",
                                     "integrator.dt",
                                     "1/8",
                                     "solver.softening",
                                     "1/64",
                                     NULL};

/* A run with block steps, stopped between synchronised times: its first advance
 * makes fewer block steps than a synchronised step contains. */
static struct koshu_simulation *
stopped_between(const char *const *settings)
{
    struct koshu_simulation *s = started(context, settings);
    advance(context, s, 1);
    double time = progress_of(s).time;
    assert_true(time > 0 && time < 0.125);
    assert_ok(context, koshu_simulation_finish(s));
    return s;
}

static void
block_steps_are_restarted_between_synchronised_times(void **state)
{
    (void)state;
    static const char *const off_the_grid[] = {"integrator.scheme",
                                               "hermite",
                                               "output.snapshot.interval",
                                               "0.3",
                                               "output.log.interval",
                                               "0.17",
                                               NULL};
    static const char *const back[] = {"integrator.scheme",
                                       "hermite",
                                       "integrator.dt",
                                       "-1/8",
                                       "integrator.end",
                                       "-1/2",
                                       NULL};
    const char *const *const runs[] = {blocks, off_the_grid, back};
    for (int k = 0; k < 3; k++) {
        scratch_enter();
        complete(context, started(context, runs[k]));
        struct files whole = collect();
        scratch_leave();
        scratch_enter();
        struct koshu_simulation *s = started(context, runs[k]);
        for (int stop = 0; stop < 3; stop++) {
            advance(context, s, 1);
            assert_ok(context, koshu_simulation_finish(s));
            koshu_simulation_destroy(s);
            s = restarted(runs[k]);
        }
        complete(context, s);
        assert_files(&whole);
        scratch_leave();
    }
}

static void
other_physics_begin_where_all_are_synchronised(void **state)
{
    (void)state;
    static const char *const finer[] = {"integrator.scheme",
                                        "hermite",
                                        "integrator.dt",
                                        "1/16",
                                        "solver.softening",
                                        "1/32",
                                        NULL};
    static const char *const leapfrog[] = {"solver.softening", "1/64", NULL};
    scratch_enter();
    koshu_simulation_destroy(stopped_between(blocks));
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, leapfrog);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "between two synchronised times",
                 koshu_simulation_restart(context, p, &force, &s));
    koshu_parameters_destroy(p);
    p = parameters_of(context, finer);
    assert_ok(context, koshu_simulation_restart(context, p, &force, &s));
    complete(context, s);
    koshu_parameters_destroy(p);
    scratch_leave();
}

static void
a_run_can_be_restarted_again_and_again(void **state)
{
    (void)state;
    struct files whole = files_of_a_whole_run(NULL);
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    for (int k = 0; k < 4; k++) {
        advance(context, s, 7);
        assert_ok(context, koshu_simulation_finish(s));
        koshu_simulation_destroy(s);
        s = restarted(NULL);
    }
    complete(context, s);
    /* already at its end: nothing changes */
    complete(context, restarted(NULL));
    assert_files(&whole);
    scratch_leave();
}

static void
a_spoilt_newest_checkpoint_costs_no_bytes(void **state)
{
    (void)state;
    struct files whole = files_of_a_whole_run(NULL);
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    advance(context, s, 10);
    assert_ok(context, koshu_simulation_checkpoint(s));
    advance(context, s, 10);
    assert_ok(context, koshu_simulation_checkpoint(s));
    koshu_simulation_destroy(s);
    scratch_write("checkpoint.hdf5", "nonsense", 8);
    s = restarted(NULL);
    assert_int_equal(progress_of(s).step, 10);
    assert_string_equal(progress_of(s).newest_checkpoint,
                        "./checkpoint-1.hdf5");
    complete(context, s);
    assert_files(&whole);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_restart_is_bit_for_bit),
            cmocka_unit_test(with_other_step_rules_too),
            cmocka_unit_test(
                    block_steps_are_restarted_between_synchronised_times),
            cmocka_unit_test(other_physics_begin_where_all_are_synchronised),
            cmocka_unit_test(a_run_can_be_restarted_again_and_again),
            cmocka_unit_test(a_spoilt_newest_checkpoint_costs_no_bytes),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
