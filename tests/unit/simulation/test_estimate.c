/* SPDX-License-Identifier: MIT */
#include <math.h>

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

/* Steps and snapshots, compared with a run. */
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
    assert_int_equal(big.n, 1000000); /* estimated from a sample */
    assert_true(big.steps_are_a_guess);
    assert_true(big.seconds > small.seconds);
    /* a tree also stores cells */
    assert_true(big.bytes / 1000000 > small.bytes / 64);
    const struct koshu_estimate direct = estimated((const char *const[]){
            "initial.n", "1000", "solver.method", "direct", NULL});
    assert_true(direct.bytes / 1000 == small.bytes / 64);
    /* id, mass, x, v, potential in double */
    assert_int_equal(big.snapshot_bytes, 72000000);
}

/* The mean distance of particles determines the softening and so the step. For
 * a Plummer sphere of 64,000 particles, in its densest tenth: the density there
 * is at least 0.8 of the central 3 / (4 pi a^3), a = 0.59; from 16 neighbours
 * it has an error of a quarter, its cube root one of a tenth. */
static void
suggestions_follow_the_density(void **state)
{
    (void)state;
    static const char *const few[] = {"initial.n", "8000", NULL},
                             *const many[] = {"initial.n", "64000", NULL};
    const struct koshu_estimate a = estimated(few), b = estimated(many);
    const double spacing = cbrt(4 * M_PI / 3 / 64000) * 0.59;
    assert_true(b.softening > 0.75 * spacing / 1.75);
    assert_true(b.softening < 1.25 * spacing / 1.75);
    assert_true(fabs(a.softening / b.softening - 2) < 0.4);
    /* the given softening, 1/16, divided by twice a velocity of about 0.8 */
    assert_true(b.dt == 1.0 / 32);
    assert_true(estimated(NULL).softening > 0);
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
            cmocka_unit_test(suggestions_follow_the_density),
            cmocka_unit_test(sizes_grow_with_n_and_rates_are_positive),
            cmocka_unit_test(impossible_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
