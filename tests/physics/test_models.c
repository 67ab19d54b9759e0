/* SPDX-License-Identifier: MIT */
/* Models in equilibrium stay in equilibrium: mass radii over ten crossing
 * times, with and without mass segregation. */
#include <math.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>
#include <koshu/integrator.h>

#define FIXTURE_THREADS 0
#include "fixture.h"

enum { N = 2048, RADII = KOSHU_LAGRANGIAN_COUNT };

static struct koshu_initial_options
options_of(enum koshu_model model)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    o.model = model;
    o.n = N;
    o.seed = 3;
    /* then every model has a crossing time of 2 sqrt 2 */
    o.exact_virial = true;
    o.mass_fraction = 0.99;
    return o;
}

static void
radii_of(struct koshu_particles *particles, double radius[RADII])
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_diagnostics_compute(particles, &d));
    for (int k = 0; k < RADII; k++) radius[k] = d.lagrangian_radius[k];
}

/* The largest change of ln r of the radii of 10 to 75 % of the mass, averaged
 * over the last five crossing times. With N particles radii scatter by about 1
 * / sqrt(N f), 7 % at 10 % of the mass; the average scatters by a fifth of
 * that. */
static double
change(const struct koshu_initial_options *o)
{
    const double crossing = 2 * sqrt(2);
    struct koshu_particles *p;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    struct koshu_solver_options s = koshu_solver_options_default();
    struct koshu_integrator_options i = koshu_integrator_options_default();
    double before[RADII], now[RADII], mean[RADII] = {0}, largest = 0;
    s.softening = 0.02;
    i.dt = 1.0 / 64;
    assert_ok(context, koshu_initial_create(context, o, &p));
    assert_ok(context, koshu_solver_create(context, &s, &solver));
    assert_ok(context, koshu_integrator_create(solver, p, 0, &i, &integrator));
    assert_ok(context, koshu_integrator_evaluate(integrator));
    radii_of(p, before);
    for (int k = 1; k <= 20; k++) {
        const double until = crossing * k / 2;
        while (koshu_integrator_time(integrator) != until)
            assert_ok(context,
                      koshu_integrator_advance(integrator, until, true));
        radii_of(p, now);
        for (int r = 0; k > 10 && r < RADII; r++) mean[r] += log(now[r]) / 10;
    }
    for (int r = 2; r <= 5; r++)
        largest = fmax(largest, fabs(mean[r] - log(before[r])));
    koshu_integrator_destroy(integrator);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    return largest;
}

static void
models_stay_in_equilibrium(void **state)
{
    (void)state;
    const enum koshu_model models[] = {KOSHU_MODEL_PLUMMER, KOSHU_MODEL_DEHNEN,
                                       KOSHU_MODEL_NFW, KOSHU_MODEL_EFF};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        const struct koshu_initial_options o = options_of(models[m]);
        const double largest = change(&o);
        print_message("%s: %.3f\n", koshu_model_name(models[m]), largest);
        assert_true(largest < 0.1);
    }
}

/* Masses between one and four, for which relaxation is small over this time. */
static void
segregated_clusters_stay_in_equilibrium(void **state)
{
    (void)state;
    struct koshu_initial_options o = options_of(KOSHU_MODEL_PLUMMER);
    o.mass_function = KOSHU_MASS_FUNCTION_SALPETER;
    o.mass_min = 0.5;
    o.mass_max = 2;
    for (int k = 1; k <= 2; k++) {
        o.mass_segregation = k / 2.0;
        const double largest = change(&o);
        print_message("S = %g: %.3f\n", o.mass_segregation, largest);
        assert_true(largest < 0.1);
    }
}

/* A model with too small velocities must fail the check. */
static void
what_is_no_equilibrium_is_seen(void **state)
{
    (void)state;
    struct koshu_initial_options o = options_of(KOSHU_MODEL_SPHERE);
    o.exact_virial = false;
    o.virial_ratio = 0.3;
    assert_true(change(&o) > 0.15);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(models_stay_in_equilibrium),
            cmocka_unit_test(segregated_clusters_stay_in_equilibrium),
            cmocka_unit_test(what_is_no_equilibrium_is_seen),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
