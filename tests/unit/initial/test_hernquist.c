/* SPDX-License-Identifier: MIT */
#include "sampling.h"

static double
mass_inside(double r, double kept)
{
    return r * r / ((1 + r) * (1 + r)) / kept;
}

/* v^2 f(E) at radius r: Hernquist's eq. 17 without constant factors. */
static double
speed_density(double v, double r)
{
    double q2 = fmax(0, 1 / (1 + r) - v * v / 2), q = sqrt(q2);
    double f = pow(1 - q2, -2.5) *
               (3 * asin(q) +
                q * sqrt(1 - q2) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3));
    return v * v * f;
}

static double
slower_than(double v, double r)
{
    double escape = sqrt(2 / (1 + r));
    return integral(0, fmin(v, escape), 200, speed_density, r) /
           integral(0, escape, 200, speed_density, r);
}

static double
uniform_cdf(double u, double unused)
{
    (void)unused;
    return u;
}

static void
radii_follow_the_mass_profile(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_HERNQUIST, 50000, 21);
    /* the outer parts would move the centre a long way */
    o.mass_fraction = 0.9;
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_centred(&v);
    assert_isotropic(v.n, v.x, v.y, v.z);
    assert_isotropic(v.n, v.vx, v.vy, v.vz);
    double *r = radii(&v);
    assert_distributed(r, v.n, mass_inside, 0.9);
    double cut = sqrt(0.9) / (1 - sqrt(0.9));
    /* the truncation radius, and the shift of the centre by about 4/sqrt(n) */
    assert_true(r[v.n - 1] < cut + 0.05 && r[v.n - 1] > 0.98 * cut);
    free(r);
    koshu_particles_destroy(p);
}

/* Uses the model's draw() directly, because the shift of the centre would blur
 * the distribution near the centre, where it is steepest. */
static void
speeds_follow_the_distribution_function(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double u[N];
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_HERNQUIST, N, 22);
    for (uint64_t i = 0; i < N; i++) {
        struct koshu_body b = koshu_draw_body(&o, NULL, i);
        double r = sqrt(b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2]);
        double v = sqrt(b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2]);
        assert_true(v < sqrt(2 / (1 + r)));
        u[i] = slower_than(v, r);
    }
    assert_distributed(u, N, uniform_cdf, 0);
}

static double
h_slope(double q, double unused)
{
    (void)unused;
    return 128 * q * q * q * q * pow(1 - q * q, 1.5);
}

static void
h_is_the_integral_of_its_derivative(void **state)
{
    (void)state;
    const double q[] = {1e-4, 0.0099, 0.0101, 0.3, 0.6, 0.9};
    for (int k = 0; k < 6; k++) {
        /* tolerance 1e-8: below q = 0.01 the next term of the series, above it
         * the cancellation of terms of size q to 26 q^5 */
        double expected = integral(0, q[k], 2000, h_slope, 0);
        assert_true(fabs(koshu_hernquist_h(q[k]) / expected - 1) < 1e-8);
    }
    assert_true(koshu_hernquist_h(0) == 0);
    assert_true(fabs(koshu_hernquist_h(1) - 1.5 * M_PI) < 1e-15 * 10);
}

/* Hernquist 1990: W = -1/6, and T = 1/12 in equilibrium. */
static void
the_whole_model_is_in_virial_equilibrium(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_HERNQUIST, 8192, 23);
    o.mass_fraction = 1;
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_energies(&v, 1.0 / 12, -1.0 / 6);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(radii_follow_the_mass_profile),
            cmocka_unit_test(speeds_follow_the_distribution_function),
            cmocka_unit_test(h_is_the_integral_of_its_derivative),
            cmocka_unit_test(the_whole_model_is_in_virial_equilibrium),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
