/* SPDX-License-Identifier: MIT */
/* Properties of star clusters: models compared with their theory. */
#include <math.h>
#include <string.h>

#include "cluster.h"

/* ---- a Plummer sphere ---------------------------------------------------- */

enum { N = 8192 };
static const double scale = 3 * M_PI / 16;

static double
mass_within(double r)
{
    return pow(1 + scale * scale / (r * r), -1.5);
}

/* The sample gives the fraction f within a radius an error of sqrt(f (1 - f) /
 * N). The tolerance is 5 of them, plus 0.01 because the density centre is up to
 * 0.05 a from the model's. */
static void
radii_are_those_of_the_model(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(N);
    struct koshu_cluster_summary s;
    struct koshu_cluster *c = measured(p, NULL, &s);
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++) {
        const double f = koshu_lagrangian_fractions[k];
        assert_true(fabs(mass_within(s.lagrangian_radius[k]) - f) <
                    5 * sqrt(f * (1 - f) / N) + 0.01);
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(s.centre[k]) < 0.05 * scale);
    /* sum rho^2 r^2 / sum rho^2 = 0.3 a^2; see test_core */
    assert_true(fabs(s.core_radius / (sqrt(0.3) * scale) - 1) < 0.15);
    assert_true(fabs(s.core_mass - mass_within(s.core_radius)) < 0.03);
    assert_true(s.n == N && s.n_bound > 0.98 * N);
    assert_true(fabs(s.mass - 1) < 1e-12 && s.bound_mass <= s.mass);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* Hénon units: E = -1/4 with an error of 0.35 / sqrt(N). Five of these are 8 %
 * of E, and as much of a time; the binding energy of a few chance pairs is
 * less. */
static void
times_are_those_of_henon_units(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(N);
    struct koshu_cluster_summary s;
    struct koshu_cluster *c = measured(p, NULL, &s);
    const double n = (double)s.n_bound, r = s.lagrangian_radius[4];
    assert_true(fabs(s.virial_ratio - 0.5) < 0.04);
    assert_true(fabs(s.virial_radius - 1) < 0.08);
    assert_true(fabs(s.crossing_time / (2 * sqrt(2)) - 1) < 0.12);
    assert_true(fabs(s.velocity_dispersion / sqrt(1 / 6.) - 1) < 0.04);
    assert_true(fabs(s.kt * 6 * N - 1) < 0.08); /* T = 1/4 = 3/2 N kT */
    assert_true(fabs(s.relaxation_time /
                             (0.138 * n * sqrt(pow(r, 3) / s.bound_mass) /
                              log(0.11 * n)) -
                     1) < 1e-12);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* sigma^2 = 1 / (6 sqrt(r^2 + a^2)): n stars give sigma to a relative 1 /
 * sqrt(6 n), and beta to sqrt(3 / n); the tolerance is 5 of each. The outermost
 * shell is left out because it spans too wide a range. */
static void
profiles_are_those_of_the_model(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(N);
    struct koshu_cluster_summary s;
    struct koshu_cluster *c = measured(p, NULL, &s);
    const struct koshu_cluster_shell *shell;
    size_t n, stars = 0;
    shell = koshu_cluster_shells(c, &n);
    assert_int_equal(n, 20);
    for (size_t k = 0; k < n; k++) {
        const struct koshu_cluster_shell *q = &shell[k];
        const double m = (double)q->n, expected = mass_within(q->outer);
        stars += q->n;
        assert_true(fabs(q->mass_within - expected) <
                    5 * sqrt(0.25 / N) + 0.01);
        assert_true(q->radius > q->inner && q->radius < q->outer);
        assert_true(fabs(q->anisotropy) < 5 * sqrt(3 / m));
        if (k + 1 == n) continue;
        const double sigma =
                sqrt(1 / (6 * sqrt(q->radius * q->radius + scale * scale)));
        assert_true(fabs(q->velocity_dispersion / sigma - 1) <
                    5 / sqrt(6 * m) + 0.01);
        assert_true(fabs(q->density * 4 * M_PI / 3 *
                                 (pow(q->outer, 3) - pow(q->inner, 3)) /
                                 q->mass -
                         1) < 1e-12);
        assert_true(fabs(q->radial_velocity) < 5 * sigma / sqrt(m));
    }
    assert_int_equal(stars, s.n_bound);
    assert_true(fabs(s.anisotropy) < 5 * sqrt(3. / N));
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* Radial orbits only, with the same speeds. */
static void
radial_orbits_have_anisotropy_1(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(1024);
    struct koshu_particle_view v;
    struct koshu_cluster_summary s;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        const double r = sqrt(v.x[i] * v.x[i] + v.y[i] * v.y[i] +
                              v.z[i] * v.z[i]),
                     u = (i % 2 ? 1 : -1) * 0.3 / r;
        v.vx[i] = u * v.x[i];
        v.vy[i] = u * v.y[i];
        v.vz[i] = u * v.z[i];
    }
    struct koshu_cluster *c = measured(p, NULL, &s);
    /* about the density centre, some hundredths from the origin */
    assert_true(s.anisotropy > 0.95 && s.anisotropy <= 1);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* ---- segregation --------------------------------------------------------- */

/* Six stars on a line, bound by a given potential and too fast to be pairs. A
 * spanning tree on a line is as long as its ends are apart. The mean length
 * over the 20 sets of three is 3.5, compared with the three heavy stars at 0,
 * 1, 2. */
static void
lambda_is_a_ratio_of_lengths(void **state)
{
    (void)state;
    static const double at[6] = {0, 1, 2, 4, 7, 11};
    double row[6][7] = {{0}}, mean = 0;
    for (int i = 0; i < 6; i++) {
        row[i][0] = i < 3 ? 2 : 1;
        row[i][1] = at[i];
        row[i][5] = i % 2 ? 50 : -50;
        row[i][6] = i % 3 ? 40 : -40;
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) mean += (at[i] - at[k]) / 20;
    }
    struct koshu_particles *p = bodies(6, row);
    struct koshu_particle_view v;
    struct koshu_cluster_options o = koshu_cluster_options_default();
    struct koshu_cluster_summary s;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POTENTIAL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (int i = 0; i < 6; i++) v.potential[i] = -1e6;
    o.n_massive = 3;
    o.n_samples = 40000;
    struct koshu_cluster *c = measured(p, &o, &s);
    assert_int_equal(s.n_systems, 6);
    /* 5 standard errors of the mean over the samples */
    assert_true(fabs(s.segregation - mean / 2) <
                5 * s.segregation_error / sqrt(40000));
    assert_true(s.segregation_error > 0.5 && s.segregation_error < 3);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

static void
heavy_stars_in_the_centre_are_segregated(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(1024);
    struct koshu_particle_view v;
    struct koshu_cluster_summary s;
    struct koshu_cluster *c = measured(p, NULL, &s);
    /* equal masses: any ten stars count as the most massive */
    assert_true(fabs(s.segregation - 1) < 4 * s.segregation_error);
    koshu_cluster_destroy(c);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++)
        if (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i] < 0.02)
            v.mass[i] *= 4;
    c = measured(p, NULL, &s);
    assert_true(s.segregation > 3);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* ---- escapers ------------------------------------------------------------ */

/* Every tenth star escapes, while the whole cluster moves. */
static void
what_is_fast_is_not_bound(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer_sphere(1000);
    struct koshu_particle_view v;
    struct koshu_cluster_summary s;
    struct koshu_cluster *c = measured(p, NULL, &s);
    const double before = s.bound_mass;
    koshu_cluster_destroy(c);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        if (i % 10 == 0) v.vx[i] = i % 20 ? 30 : 20; /* more to one side */
        v.vy[i] += 100;
    }
    c = measured(p, NULL, &s);
    assert_true(s.bound_mass <= 0.9 + 1e-12 && s.bound_mass > before - 0.11);
    assert_true(fabs(s.velocity[0]) < 0.1 && fabs(s.velocity[1] - 100) < 0.1);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* ---- limits, refusals ---------------------------------------------------- */

static void
few_stars_are_a_cluster_too(void **state)
{
    (void)state;
    static const double row[8][7] = {{1, 1, 2, 3, 4, 5, 6}, {0, 9}};
    for (size_t n = 1; n <= 2; n++) {
        struct koshu_particles *p = bodies(n, row);
        struct koshu_cluster_summary s;
        struct koshu_cluster *c = measured(p, NULL, &s);
        size_t pairs = 9, shells = 9;
        (void)koshu_cluster_pairs(c, &pairs);
        (void)koshu_cluster_shells(c, &shells);
        assert_true(pairs == 0 && shells == 0 && s.n == n);
        assert_true(s.centre[2] == 3 && s.velocity[2] == 6);
        assert_true(s.core_radius == 0 && s.relaxation_time == 0);
        koshu_cluster_destroy(c);
        koshu_particles_destroy(p);
    }
}

static void
assert_refused(struct koshu_particles *p, const struct koshu_cluster_options *o,
               koshu_status status, const char *says)
{
    struct koshu_cluster *c = (void *)1;
    assert_int_equal(koshu_cluster_create(p, o, &c), status);
    assert_null(c);
    assert_non_null(strstr(koshu_context_message(context), says));
}

static void
mistakes_are_refused(void **state)
{
    (void)state;
    static const double row[3][7] = {{1, 1}, {1, 2}, {0, 3}};
    struct koshu_cluster_options o = koshu_cluster_options_default();
    struct koshu_particles *p = bodies(3, row), *light = bodies(1, &row[2]);
    assert_refused(p, NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                   "every potential is 0: the stars are at one place");
    assert_refused(light, NULL, KOSHU_ERROR_BAD_INPUT, "give masses to them");
    add_potentials(p);
    o.gravitational_constant = 0;
    assert_refused(p, &o, KOSHU_ERROR_INVALID_ARGUMENT, "above 0");
    o = koshu_cluster_options_default();
    o.softening = -1;
    assert_refused(p, &o, KOSHU_ERROR_INVALID_ARGUMENT, "0 or more");
    o = koshu_cluster_options_default();
    o.n_massive = 1;
    assert_refused(p, &o, KOSHU_ERROR_INVALID_ARGUMENT, "2 to 1000 massive");
    koshu_particles_destroy(p);
    koshu_particles_destroy(light);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(radii_are_those_of_the_model),
            cmocka_unit_test(times_are_those_of_henon_units),
            cmocka_unit_test(profiles_are_those_of_the_model),
            cmocka_unit_test(radial_orbits_have_anisotropy_1),
            cmocka_unit_test(lambda_is_a_ratio_of_lengths),
            cmocka_unit_test(heavy_stars_in_the_centre_are_segregated),
            cmocka_unit_test(what_is_fast_is_not_bound),
            cmocka_unit_test(few_stars_are_a_cluster_too),
            cmocka_unit_test(mistakes_are_refused)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
