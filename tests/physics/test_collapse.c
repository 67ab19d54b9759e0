/* SPDX-License-Identifier: MIT */
/*
 * Cold collapse: a uniform sphere of radius R = 1 and mass M = 1 at rest.
 * Every shell falls alike,
 *
 *     r = r0 cos^2 xi,   t = t_ff (2 / pi) (xi + sin xi cos xi),
 *     t_ff = (pi / 2) sqrt(R^3 / (2 G M)) = 1.1107
 *
 * (Lin, Mestel & Shu 1965), until the graininess of the particles stops it
 * near t_ff.
 */
#include <math.h>

#include "integrator.h"
#include "system.h"

enum { HALF = 4 }; /* index in koshu_lagrangian_fractions */

static const double free_fall = 1.11072073453959156; /* pi / (2 sqrt 2) */
static const double half_mass_radius = 0.79370052598409974; /* 2^(-1/3) */
static const double eps = 1.0 / 16;

static struct system
sphere(double virial_ratio)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.model = KOSHU_MODEL_SPHERE;
    initial.n = 1024;
    initial.virial_ratio = virial_ratio;
    return system_create(&initial, KOSHU_PRECISION_SINGLE, eps);
}

/* t / t_ff when every shell is at cos^2 xi of its initial radius. */
static double
fallen(double xi)
{
    return 2 / M_PI * (xi + sin(xi) * cos(xi));
}

/* The half-mass radius at xi = pi / 4, relative to the initial one. */
static double
half_way_down(double virial_ratio)
{
    struct system s = sphere(virial_ratio);
    double start = system_diagnostics(&s).lagrangian_radius[HALF];
    system_run(&s, free_fall * fallen(M_PI / 4));
    double end = system_diagnostics(&s).lagrangian_radius[HALF];
    measured("sphere, Q = %g: half-mass radius at xi = pi/4: %.4f of %.4f, "
             "ratio %.4f\n",
             virial_ratio, end, start, end / start);
    system_destroy(&s);
    return end / start;
}

/* At xi = pi / 4, 0.818 of the free-fall time, each shell is half-way down. The
 * particles near the half-mass radius fall in the field of 512 others, whose
 * fluctuations of 1/23 change the radius by about 1 %; the tolerance is 4 %. */
static void
it_falls_as_every_shell_must(void **state)
{
    (void)state;
    assert_near(half_way_down(0), 0.5, 0.02);
    /* a sphere supported by velocities must fail the check */
    assert_true(half_way_down(0.5) > 0.7);
}

struct collapse {
    double time, radius; /* of the smallest half-mass radius */
    double energy_error;
    uint64_t steps;
};

static struct collapse
collapse_by(enum koshu_step_rule rule, double dt, double eta)
{
    struct system s = sphere(0);
    double start = system_diagnostics(&s).total;
    struct collapse c = {.radius = INFINITY};
    system_integrate_by(&s, rule, dt, eta, 0);
    while (system_time(&s) != 2) {
        system_step(&s, 2);
        struct koshu_diagnostics d = system_diagnostics(&s);
        c.energy_error = fmax(c.energy_error, fabs((d.total - start) / start));
        if (d.lagrangian_radius[HALF] >= c.radius) continue;
        c.radius = d.lagrangian_radius[HALF];
        c.time = system_time(&s);
    }
    c.steps = steps_of(s.leapfrog);
    measured("cold collapse, %s: %d steps, max |dE/E| = %.2e, smallest "
             "half-mass radius %.4f at t = %.4f\n",
             rule == KOSHU_STEP_RULE_FIXED ? "fixed step" : "acceleration rule",
             (int)c.steps, c.energy_error, c.radius, c.time);
    system_destroy(&s);
    return c;
}

static void
it_bounces_at_the_free_fall_time(void **state)
{
    (void)state;
    struct collapse c =
            collapse_by(KOSHU_STEP_RULE_ACCELERATION, 1.0 / 64, 0.05);
    /* Softening, and the graininess of the mass within, make the outer shells
     * pass the centre last: the bounce is some percent late, never early. */
    assert_true(c.time > free_fall && c.time < 1.1 * free_fall);
    /* Density fluctuations stop the sphere when it has shrunk by about
     * N^(1/3) = 10 (Aarseth, Lin & Papaloizou 1988); by 5 for certain. */
    assert_true(c.radius < half_mass_radius / 5);
}

/* The error of the energy comes from the bounce, where the accelerations are
 * a hundred times those of the beginning, and falls as eta^2; as many steps of
 * equal length do several times worse. */
static void
steps_from_the_acceleration_keep_the_energy(void **state)
{
    (void)state;
    struct collapse coarse =
            collapse_by(KOSHU_STEP_RULE_ACCELERATION, 1.0 / 64, 0.1);
    struct collapse fine =
            collapse_by(KOSHU_STEP_RULE_ACCELERATION, 1.0 / 64, 0.05);
    struct collapse fixed =
            collapse_by(KOSHU_STEP_RULE_FIXED, 2.0 / (double)fine.steps, 0);
    assert_near(fine.energy_error, 0, 1e-3);
    /* the largest of a few hundred samples, not of a smooth curve */
    assert_near(log2(coarse.energy_error / fine.energy_error), 2, 0.3);
    assert_true(fixed.energy_error > 3 * fine.energy_error);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(it_falls_as_every_shell_must),
            cmocka_unit_test(it_bounces_at_the_free_fall_time),
            cmocka_unit_test(steps_from_the_acceleration_keep_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
