/* SPDX-License-Identifier: MIT */
#include "runs.h"
#include "fixture.h"

static struct koshu_estimate
estimated(const char *const *settings)
{
    struct koshu_estimate e = {.size = sizeof e};
    struct koshu_parameters *p = parameters_of(context, settings);
    scratch_enter();
    assert_ok(context, koshu_simulation_estimate(context, p, &e));
    assert_int_equal(scratch_count(), 0); /* writes nothing */
    scratch_leave();
    koshu_parameters_destroy(p);
    return e;
}

/* Steps and snapshots, against a run. */
static void
counts_are_those_of_the_run(void **state)
{
    (void)state;
    static const char *const odd[] = {"integrator.dt",
                                      "0.011",
                                      "output.snapshot.interval",
                                      "0.13",
                                      "output.snapshot.first",
                                      "false",
                                      NULL};
    const char *const *const runs[] = {NULL, odd};
    for (int k = 0; k < 2; k++) {
        struct koshu_estimate e = estimated(runs[k]);
        scratch_enter();
        struct koshu_simulation *s = started(context, runs[k]);
        while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
            advance(context, s, 1);
        struct koshu_progress p = progress_of(s);
        assert_int_equal(e.steps, p.steps);
        assert_int_equal(e.snapshots, p.snapshots);
        assert_int_equal(e.n, 64);
        assert_true(e.begin == 0);
        assert_false(e.steps_are_a_guess);
        complete(context, s);
        scratch_leave();
    }
}

static void
sizes_grow_with_n_and_rates_are_positive(void **state)
{
    (void)state;
    static const char *const large[] = {
            "initial.n", "1000000", "integrator.step", "acceleration", NULL};
    struct koshu_estimate small = estimated(NULL), big = estimated(large);
    assert_true(small.interactions_per_s > 0 && small.seconds > 0);
    assert_int_equal(big.n, 1000000); /* of which a sample was made */
    assert_true(big.steps_are_a_guess);
    assert_true(big.seconds > small.seconds);
    assert_true(big.bytes / 1000000 == small.bytes / 64);
    /* id, mass, x, v, potential in double */
    assert_int_equal(big.snapshot_bytes, 72000000);
}

static void
impossible_runs_are_refused(void **state)
{
    (void)state;
    static const char *const behind[] = {"integrator.end", "-1", NULL};
    struct koshu_estimate e = {.size = sizeof e};
    struct koshu_parameters *p = parameters_of(context, behind);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "does not lie ahead",
                 koshu_simulation_estimate(context, p, &e));
    koshu_parameters_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(counts_are_those_of_the_run),
            cmocka_unit_test(sizes_grow_with_n_and_rates_are_positive),
            cmocka_unit_test(impossible_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
