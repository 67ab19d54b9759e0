/* SPDX-License-Identifier: MIT */
/* What must be conserved: momentum, angular momentum, energy, an
 * equilibrium. */
#include <math.h>

#include "system.h"

static double
change(const double a[3], const double b[3])
{
    return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}

/* A cluster that moves and rotates, so that P and L are of order 1: symmetry
 * cannot hide an error. */
static void
set_in_motion(struct system *s)
{
    struct koshu_particle_view v = system_view(s);
    for (size_t i = 0; i < v.n; i++) {
        double x = v.x[i], y = v.y[i];
        v.vx[i] += 1 - y / 4;
        v.vy[i] += x / 4 - 2;
        v.vz[i] += 0.5;
        v.x[i] += 3;
    }
    assert_ok(s->context, koshu_integrator_evaluate(s->leapfrog));
}

struct drift {
    double momentum, angular_momentum;
};

/* The drift over one time unit of 256 steps. Before each, push is added to the
 * acceleration of one particle and of no other. */
static struct drift
drift_of_momenta(enum koshu_precision precision, double push)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = 512;
    struct system s = system_create(&initial, precision, 1.0 / 32);
    set_in_motion(&s);
    struct koshu_diagnostics start = system_diagnostics(&s);
    while (system_time(&s) < 1) {
        system_view(&s).ax[0] += push;
        system_step(&s, 1);
    }
    struct koshu_diagnostics end = system_diagnostics(&s);
    struct drift drift = {change(start.momentum, end.momentum),
                          change(start.angular_momentum, end.angular_momentum)};
    measured("%s%s: change of P %.2e, of L %.2e\n",
             koshu_precision_name(precision), push ? ", pushed" : "",
             drift.momentum, drift.angular_momentum);
    system_destroy(&s);
    return drift;
}

/*
 * The forces of a pair are equal and opposite and act along the line between
 * the two, so neither kicks nor drifts change P or L, except by rounding. In
 * double precision each of 256 steps rounds v and x of each particle three
 * times, by 2^-53 of values below 8. At worst, if nothing cancels, this makes 3
 * * 256 * 8 * 2^-53 = 7e-13 for P, and 4 times as much (|x|) for L.
 */
static const double rounding = 3 * 256 * 8 * 0x1p-53;

static void
momenta_change_by_rounding_only(void **state)
{
    (void)state;
    struct drift drift = drift_of_momenta(KOSHU_PRECISION_DOUBLE, 0);
    assert_near(drift.momentum, 0, rounding);
    assert_near(drift.angular_momentum, 0, 4 * rounding);
}

/*
 * In single precision an acceleration, of order 1, is the sum of 512 terms,
 * each rounded by 6e-8 of its size: its error is 6e-8 / sqrt(512). If the
 * errors persisted for one time unit, P would change by the mean of 512 of
 * them, 1e-10; they persist for a fraction of it. The bounds are ten times as
 * large, and another 4 times (|x|) for L.
 */
static void
momenta_in_single_precision(void **state)
{
    (void)state;
    struct drift drift = drift_of_momenta(KOSHU_PRECISION_SINGLE, 0);
    assert_near(drift.momentum, 0, 1e-9);
    assert_near(drift.angular_momentum, 0, 4e-9);
}

/* The check must notice 1e-8 of one acceleration without its reaction. */
static void
a_force_without_its_reaction_is_found_out(void **state)
{
    (void)state;
    struct drift drift = drift_of_momenta(KOSHU_PRECISION_DOUBLE, 1e-8);
    /* half of each kick is lost when the step computes the new acceleration */
    assert_near(drift.momentum, 0.5 * 1e-8 / 512, 1e-13);
    assert_true(drift.momentum > rounding);
}

/*
 * A Plummer sphere is an equilibrium. The number of particles within the
 * half-mass radius is a matter of chance: of 2048, 1024 +- 23, which is 1.5 %
 * of the radius at either time. 6 % is three times the scatter of the
 * difference, as is 0.03 in Q. A sphere set up or integrated wrongly shrinks or
 * expands by more within these two time units, most of a crossing time (2.8).
 * The energy error comes from close encounters, of speed 1 at a distance of eps
 * = 4 dt, and was 5e-6; the bound is larger, since any change of rounding
 * leads to other encounters.
 */
static void
a_plummer_sphere_stays_as_it_is(void **state)
{
    (void)state;
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = 2048;
    struct system s = system_create(&initial, KOSHU_PRECISION_SINGLE, 1.0 / 64);
    struct koshu_diagnostics start = system_diagnostics(&s);
    double error = system_run(&s, 2);
    struct koshu_diagnostics end = system_diagnostics(&s);
    measured("Plummer, N = 2048, eps = 1/64, dt = 1/256, single: "
             "max |dE/E| = %.2e in 2 time units; Q %.4f to %.4f; "
             "half-mass radius %.4f to %.4f\n",
             error, start.virial_ratio, end.virial_ratio,
             start.lagrangian_radius[4], end.lagrangian_radius[4]);
    assert_near(error, 0, 2e-5);
    assert_near(end.virial_ratio, 0.5, 0.03);
    assert_near(end.lagrangian_radius[4] / start.lagrangian_radius[4], 1, 0.06);
    system_destroy(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(momenta_change_by_rounding_only),
            cmocka_unit_test(momenta_in_single_precision),
            cmocka_unit_test(a_force_without_its_reaction_is_found_out),
            cmocka_unit_test(a_plummer_sphere_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
