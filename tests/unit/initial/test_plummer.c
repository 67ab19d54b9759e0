/* SPDX-License-Identifier: MIT */
#include "sampling.h"

static const double a = 3 * M_PI / 16;

/* M(r) / M of the untruncated model, divided by the fraction that is kept. */
static double
mass_inside(double r, double kept)
{
    return pow(r * r / (r * r + a * a), 1.5) / kept;
}

static double
g(double q, double unused)
{
    (void)unused;
    return q * q * pow(1 - q * q, 3.5);
}

/* The integral of g over all speeds is 7 pi / 512. */
static double
slower_than(double q, double unused)
{
    (void)unused;
    return integral(0, q, 200, g, 0) / (7 * M_PI / 512);
}

static double
escape_speed(double r)
{
    return sqrt(2 / sqrt(r * r + a * a));
}

static void
radii_follow_the_mass_profile(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, 50000, 3);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_centred(&v);
    double *r = radii(&v);
    assert_distributed(r, v.n, mass_inside, o.mass_fraction);
    /* the outermost particle (r is sorted by now) is within the truncation
     * radius, up to the shift of the centre, about 1/sqrt(n) */
    double cut = a / sqrt(pow(o.mass_fraction, -2.0 / 3.0) - 1);
    assert_true(r[v.n - 1] < cut + 0.02);
    /* but not far within: 50 particles are expected in the last percent */
    assert_true(r[v.n - 1] > 0.8 * cut);
    free(r);
    koshu_particles_destroy(p);
}

/* The checks that all models use must notice slightly wrong particles. */
static void
planted_errors_are_found(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, 16384, 3);
    struct koshu_particle_view v;
    o.mass_fraction = 1;
    struct koshu_particles *p = make(&o, &v);
    double *r = radii(&v), bound = 2.23 / sqrt((double)v.n);
    for (size_t i = 0; i < v.n; i++) {
        r[i] *= 1.05;    /* another scale length */
        v.z[i] *= 0.9;   /* flattened */
        v.vx[i] *= 1.15; /* hotter, in one direction */
    }
    assert_true(ks_distance(r, v.n, mass_inside, 1) > bound);
    assert_true(anisotropy(v.n, v.x, v.y, v.z) > bound);
    assert_true(anisotropy(v.n, v.vx, v.vy, v.vz) > bound);
    struct energies e = energies_of(&v);
    assert_true(fabs(e.T - 0.25) > 4 * e.T_error);
    assert_true(fabs(e.W + 0.5) > 4 * e.W_error);
    free(r);
    koshu_particles_destroy(p);
}

static void
speeds_follow_g_and_stay_below_escape(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, 20000, 4);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    double *r = radii(&v), *q = speeds(&v);
    for (size_t i = 0; i < v.n; i++) {
        q[i] /= escape_speed(r[i]);
        /* centring changes a velocity by about 0.7/sqrt(n) = 0.005 */
        assert_true(q[i] < 1.02);
    }
    assert_distributed(q, v.n, slower_than, 0);
    free(q);
    free(r);
    koshu_particles_destroy(p);
}

static void
directions_are_isotropic(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, 20000, 5);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_isotropic(v.n, v.x, v.y, v.z);
    assert_isotropic(v.n, v.vx, v.vy, v.vz);
    koshu_particles_destroy(p);
}

static void
energy_is_that_of_henon_units(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, 8192, 6);
    struct koshu_particle_view v;
    o.mass_fraction = 1;
    struct koshu_particles *p = make(&o, &v);
    assert_energies(&v, 0.25, -0.5);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(radii_follow_the_mass_profile),
            cmocka_unit_test(planted_errors_are_found),
            cmocka_unit_test(speeds_follow_g_and_stay_below_escape),
            cmocka_unit_test(directions_are_isotropic),
            cmocka_unit_test(energy_is_that_of_henon_units),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
