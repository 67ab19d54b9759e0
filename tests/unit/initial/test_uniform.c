/* SPDX-License-Identifier: MIT */
/* Uniform sphere and cube, and the scaling of their velocities. */
#include "sampling.h"

static struct koshu_initial_options
options_with_ratio(enum koshu_model model, size_t n, double ratio)
{
    struct koshu_initial_options o = model_options(model, n, 11);
    o.virial_ratio = ratio;
    return o;
}

static double
cube_cdf(double x, double scale)
{
    double u = fmin(1, x / scale);
    return u * u * u;
}

static double
side_cdf(double x, double unused)
{
    (void)unused;
    return fmax(0, fmin(1, x + 0.5));
}

static void
the_sphere_is_filled_evenly(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            options_with_ratio(KOSHU_MODEL_SPHERE, 50000, 0);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_centred(&v);
    assert_isotropic(v.n, v.x, v.y, v.z);
    double *r = radii(&v);
    assert_distributed(r, v.n, cube_cdf, 1);
    assert_true(r[v.n - 1] < 1.01); /* 1, plus the shift of the centre */
    free(r);
    koshu_particles_destroy(p);
}

static void
the_cube_is_filled_evenly(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            options_with_ratio(KOSHU_MODEL_CUBE, 50000, 0);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_centred(&v);
    /* this sorts the coordinates, so it comes last */
    assert_distributed(v.x, v.n, side_cdf, 0);
    assert_distributed(v.y, v.n, side_cdf, 0);
    assert_distributed(v.z, v.n, side_cdf, 0);
    koshu_particles_destroy(p);
}

static void
virial_ratio_0_is_at_rest(void **state)
{
    (void)state;
    for (enum koshu_model m = KOSHU_MODEL_SPHERE; m <= KOSHU_MODEL_CUBE; m++) {
        struct koshu_initial_options o = options_with_ratio(m, 100, 0);
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        for (size_t i = 0; i < v.n; i++)
            assert_true(v.vx[i] == 0 && v.vy[i] == 0 && v.vz[i] == 0);
        koshu_particles_destroy(p);
    }
}

static void
the_virial_ratio_is_met_by_the_particles(void **state)
{
    (void)state;
    const double ratio[] = {0.05, 0.5, 2};
    for (enum koshu_model m = KOSHU_MODEL_SPHERE; m <= KOSHU_MODEL_CUBE; m++)
        for (int k = 0; k < 3; k++) {
            struct koshu_initial_options o =
                    options_with_ratio(m, 1000, ratio[k]);
            struct koshu_particle_view v;
            struct koshu_particles *p = make(&o, &v);
            struct energies e = energies_of(&v);
            /* rounding of sums over 1000 terms, and 1e6 pairs in W */
            assert_true(fabs(e.T / -e.W / ratio[k] - 1) < 1e-13);
            assert_centred(&v);
            koshu_particles_destroy(p);
        }
}

static void
many_particles_are_scaled_by_the_continuous_model(void **state)
{
    (void)state;
    size_t n = KOSHU_PAIR_SUM_LIMIT + 1;
    struct koshu_initial_options o =
            options_with_ratio(KOSHU_MODEL_SPHERE, n, 0.3);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    double T;
    assert_ok(context, koshu_initial_kinetic(p, &T));
    double expected = 0.3 * 0.6 * (1 - 1 / (double)n);
    assert_true(fabs(T / expected - 1) < 1e-13); /* rounding of the sums */
    koshu_particles_destroy(p);
}

static void
the_continuous_potential_is_that_of_the_particles(void **state)
{
    (void)state;
    const double W[] = {koshu_model_sphere.continuous_potential,
                        koshu_model_cube.continuous_potential};
    for (int k = 0; k < 2; k++) {
        struct koshu_initial_options o = options_with_ratio(
                (enum koshu_model)(KOSHU_MODEL_SPHERE + k), 8192, 0);
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        struct energies e = energies_of(&v);
        assert_true(fabs(e.W - W[k] * (1 - 1.0 / 8192)) < 4 * e.W_error);
        /* the scatter given in initial.h */
        assert_true(e.W_error * sqrt(8192) < 0.25 * -W[k]);
        koshu_particles_destroy(p);
    }
    /* the constant for the cube equals its formula */
    double formula = -(1 + sqrt(2) - 2 * sqrt(3)) / 5 + M_PI / 3 -
                     log((1 + sqrt(2)) * (2 + sqrt(3)));
    assert_true(fabs(W[1] - formula) < 1e-14);
}

static void
velocities_fill_a_ball(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            options_with_ratio(KOSHU_MODEL_CUBE, 20000, 0.5);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_isotropic(v.n, v.vx, v.vy, v.vz);
    double T;
    assert_ok(context, koshu_initial_kinetic(p, &T));
    /* <v^2> in a ball is 3/5 of its radius squared */
    double top = sqrt(5.0 / 3.0 * 2 * T);
    double *speed = speeds(&v);
    assert_distributed(speed, v.n, cube_cdf, top);
    free(speed);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_sphere_is_filled_evenly),
            cmocka_unit_test(the_cube_is_filled_evenly),
            cmocka_unit_test(virial_ratio_0_is_at_rest),
            cmocka_unit_test(the_virial_ratio_is_met_by_the_particles),
            cmocka_unit_test(many_particles_are_scaled_by_the_continuous_model),
            cmocka_unit_test(the_continuous_potential_is_that_of_the_particles),
            cmocka_unit_test(velocities_fill_a_ball),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
