/* SPDX-License-Identifier: MIT */
/* Primordial binaries, compared with the distributions they are drawn from. */
#include <koshu/units.h>

#include "stars.h"

enum { N = 20000 };

static double
normal_cdf(double l, double law_of)
{
    const double mean = law_of == 0 ? 5.03 : 4.8,
                 sigma = law_of == 0 ? 2.28 : 2.3;
#define BELOW(x) (erf(((x)-mean) / sigma / sqrt(2)))
    return (BELOW(l) - BELOW(0)) / (BELOW(8) - BELOW(0));
#undef BELOW
}

/* Kroupa 1995: 2.5 (l - 1) / (45 + (l - 1)^2), here up to l = 8. */
static double
birth_cdf(double l, double unused)
{
    (void)unused;
    return log(1 + (l - 1) * (l - 1) / 45) / log(1 + 49.0 / 45);
}

static double
share(double x, double all)
{
    return x / all;
}

static double
square(double x, double unused)
{
    (void)unused;
    return x * x;
}

static void
periods_follow_their_laws(void **state)
{
    (void)state;
    static double l[N];
    distribution *const laws[] = {normal_cdf, normal_cdf, birth_cdf, share};
    const double parameter[] = {0, 1, 0, 8};
    struct koshu_initial_options o = stars(2 * N, 34);
    o.binary_fraction = 1;
    for (int k = 0; koshu_period_law_name((enum koshu_period_law)k); k++) {
        o.period_law = (enum koshu_period_law)k;
        struct koshu_population p = population(&o);
        assert_int_equal(p.n_binaries, N);
        for (size_t s = 0; s < N; s++) {
            struct koshu_system pair = koshu_population_system(&p, s);
            l[s] = log10(koshu_population_binary(&p, s, &pair).period);
        }
        assert_distributed(l, N, laws[k], parameter[k]);
        koshu_population_free(&p);
    }
}

/* e / e_max(P) of all binaries that are not circular. */
static void
eccentricities_follow_their_laws(void **state)
{
    (void)state;
    static double e[N];
    struct koshu_initial_options o = stars(2 * N, 35);
    o.binary_fraction = 1;
    for (int k = 0; k < 3; k++) {
        size_t n = 0;
        o.eccentricity_law = (enum koshu_eccentricity_law)k;
        struct koshu_population p = population(&o);
        for (size_t s = 0; s < N; s++) {
            struct koshu_system pair = koshu_population_system(&p, s);
            struct koshu_binary b = koshu_population_binary(&p, s, &pair);
            const double max = 1 - pow(b.period / 2, -2.0 / 3);
            if (max <= 0 || k == KOSHU_ECCENTRICITY_LAW_CIRCULAR)
                assert_true(b.eccentricity == 0);
            else
                e[n++] = b.eccentricity / max;
        }
        if (k == KOSHU_ECCENTRICITY_LAW_THERMAL)
            assert_distributed(e, n, square, 0);
        if (k == KOSHU_ECCENTRICITY_LAW_UNIFORM)
            assert_distributed(e, n, share, 1);
        koshu_population_free(&p);
    }
}

/* The mass function between 0.08 and 100. */
static double
salpeter_cdf(double m, double unused)
{
    (void)unused;
    return (pow(0.08, -1.35) - pow(m, -1.35)) /
           (pow(0.08, -1.35) - pow(100, -1.35));
}

/* The distribution above the smallest ratio, mass_min / m for the lightest. */
static void
mass_ratios_follow_their_laws(void **state)
{
    (void)state;
    static double q[N];
    struct koshu_initial_options o = stars(2 * N, 36);
    o.binary_fraction = 1;
    struct koshu_population p = population(&o);
    for (size_t s = 0; s < N; s++) {
        struct koshu_system pair = koshu_population_system(&p, s);
        const double low = fmax(0.1, 0.08 / pair.mass[0]);
        assert_true(pair.mass[1] >= 0.08);
        q[s] = (pair.mass[1] / pair.mass[0] - low) / (1 - low);
    }
    assert_distributed(q, N, share, 1);
    koshu_population_free(&p);

    o.mass_ratio_law = KOSHU_MASS_RATIO_LAW_EQUAL;
    p = population(&o);
    struct koshu_system twins = koshu_population_system(&p, 7);
    assert_true(twins.mass[0] == twins.mass[1]);
    koshu_population_free(&p);

    /* if pairs are random, each star follows the mass function */
    o.mass_ratio_law = KOSHU_MASS_RATIO_LAW_RANDOM;
    o.mass_function = KOSHU_MASS_FUNCTION_SALPETER;
    p = population(&o);
    static double m[2 * N];
    for (size_t s = 0; s < N; s++) {
        struct koshu_system pair = koshu_population_system(&p, s);
        assert_true(pair.mass[0] >= pair.mass[1]);
        m[2 * s] = pair.mass[0];
        m[2 * s + 1] = pair.mass[1];
    }
    assert_distributed(m, (size_t)2 * N, salpeter_cdf, 0);
    koshu_population_free(&p);
}

/* Kepler's third law in solar masses, parsecs and days, with orbital elements
 * computed from the particles. */
static void
pairs_have_the_orbits_that_were_drawn(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(2000, 37);
    struct koshu_particle_view v;
    struct koshu_units units;
    o.binary_fraction = 0.5;
    o.length_pc = 0.7;
    struct koshu_population p = population(&o);
    struct koshu_particles *particles = make(&o, &v);
    assert_ok(context, koshu_units_find(context, "pc, Msun, d", &units));
    const double G = koshu_units_gravitational_constant(&units);
    assert_int_equal(p.n_binaries, 667); /* 2000 / 3 */
    assert_int_equal(p.n_systems, 1333);
    for (size_t s = 0; s < p.n_binaries; s++) {
        const size_t i = 2 * s, j = i + 1;
        struct koshu_system pair = koshu_population_system(&p, s);
        struct koshu_binary b = koshu_population_binary(&p, s, &pair);
        const double x[3] = {v.x[j] - v.x[i], v.y[j] - v.y[i], v.z[j] - v.z[i]};
        const double u[3] = {v.vx[j] - v.vx[i], v.vy[j] - v.vy[i],
                             v.vz[j] - v.vz[i]};
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        const double v2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        const double M = v.mass[i] + v.mass[j];
        const double rv = x[0] * u[0] + x[1] * u[1] + x[2] * u[2];
        const double a = 1 / (2 / r - v2 / M);
        const double e = hypot(1 - r / a, rv / sqrt(M * a));
        const double pc = a * o.length_pc, msun = M * p.total;
        const double period = 2 * M_PI * sqrt(pc * pc * pc / (G * msun));
        /* pairs at a distance of 1 from the origin, as close as 1e-7: positions
         * are rounded to 1e-16, and 1 - r / a loses as much again */
        assert_true(fabs(period / b.period - 1) < 1e-6);
        assert_true(fabs(e - b.eccentricity) < 1e-6);
    }
    koshu_population_free(&p);
    koshu_particles_destroy(particles);
}

/* The centres of mass are distributed like as many single stars. */
static void
binaries_are_in_the_place_of_single_stars(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(3000, 38);
    struct koshu_particle_view v;
    double T, W;
    o.binary_fraction = 0.5;
    o.exact_virial = true;
    struct koshu_particles *particles = make(&o, &v);
    struct koshu_population p = population(&o);
    assert_centred(&v);
    for (size_t s = 0; s < p.n_binaries; s++) {
        double *const all[] = {v.x, v.y, v.z, v.vx, v.vy, v.vz};
        const size_t i = 2 * s, j = i + 1;
        const double M = v.mass[i] + v.mass[j];
        for (int k = 0; k < 6; k++)
            all[k][i] = all[k][j] =
                    (v.mass[i] * all[k][i] + v.mass[j] * all[k][j]) / M;
    }
    /* coincident stars contribute nothing to W */
    assert_ok(context, koshu_initial_kinetic(particles, &T));
    assert_ok(context, koshu_initial_potential(particles, &W));
    assert_true(fabs(T - 0.25) < 1e-9 && fabs(W + 0.5) < 1e-9);
    koshu_population_free(&p);
    koshu_particles_destroy(particles);
}

static void
names_lead_to_laws_and_back(void **state)
{
    (void)state;
    enum koshu_mass_function f;
    enum koshu_period_law p;
    enum koshu_mass_ratio_law q;
    enum koshu_eccentricity_law e;
    assert_ok(context, koshu_mass_function_find(context, "chabrier", &f));
    assert_int_equal(f, KOSHU_MASS_FUNCTION_CHABRIER);
    assert_ok(context, koshu_period_law_find(context, "opik", &p));
    assert_int_equal(p, KOSHU_PERIOD_LAW_OPIK);
    assert_ok(context, koshu_mass_ratio_law_find(context, "random", &q));
    assert_int_equal(q, KOSHU_MASS_RATIO_LAW_RANDOM);
    assert_ok(context, koshu_eccentricity_law_find(context, "thermal", &e));
    assert_int_equal(e, KOSHU_ECCENTRICITY_LAW_THERMAL);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'kroupa'",
                 koshu_mass_function_find(context, "krupa", &f));
    assert_string_equal(koshu_mass_function_name(KOSHU_MASS_FUNCTION_EQUAL),
                        "equal");
    assert_null(koshu_mass_ratio_law_name((enum koshu_mass_ratio_law)3));
    assert_null(koshu_eccentricity_law_name((enum koshu_eccentricity_law)3));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(periods_follow_their_laws),
            cmocka_unit_test(eccentricities_follow_their_laws),
            cmocka_unit_test(mass_ratios_follow_their_laws),
            cmocka_unit_test(pairs_have_the_orbits_that_were_drawn),
            cmocka_unit_test(binaries_are_in_the_place_of_single_stars),
            cmocka_unit_test(names_lead_to_laws_and_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
