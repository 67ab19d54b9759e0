/* SPDX-License-Identifier: MIT */
/* Stellar masses and mass segregation, compared with their distributions. */
#include <stdio.h>
#include <unistd.h>

#include "stars.h"

enum { N = 20000 };

/* ---- mass functions ------------------------------------------------------ */

/* The mass functions as published, not normalised. */
static double
salpeter(double m, double unused)
{
    (void)unused;
    return pow(m, -2.35);
}

static double
kroupa(double m, double unused)
{
    (void)unused;
    if (m < 0.08) return pow(m / 0.08, -0.3);
    if (m < 0.5) return pow(m / 0.08, -1.3);
    return pow(0.5 / 0.08, -1.3) * pow(m / 0.5, -2.3);
}

/* Per dm. Table 1 of Chabrier 2003 is per d log10 m with 0.158 and 0.0443,
 * which agree at 1 to three digits only; these constants agree exactly. */
static double
chabrier(double m, double unused)
{
    (void)unused;
    const double l = log10(m / 0.079), at_one = log10(1 / 0.079);
    const double below = exp(-l * l / (2 * 0.69 * 0.69)) / m;
    return m < 1 ? below
                 : exp(-at_one * at_one / (2 * 0.69 * 0.69)) * pow(m, -2.3);
}

/* As a function of log m: m xi. */
static distribution *law;
static double
by_logarithm(double x, double parameter)
{
    return exp(x) * law(exp(x), parameter);
}

/* Simpson's rule needs smooth functions, so it is applied between the breaks;
 * accurate to 1e-6. */
static double
number_below(double m, double low)
{
    const double at[] = {low, 0.08, 0.5, 1, 1e3};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        const double from = fmax(low, at[k]), to = fmin(m, at[k + 1]);
        if (from < to) sum += integral(log(from), log(to), 40, by_logarithm, 0);
    }
    return sum;
}

static double limit_low, limit_high, of_all;
static double
mass_cdf(double m, double unused)
{
    (void)unused;
    return number_below(m, limit_low) / of_all;
}

static void
assert_masses(const struct koshu_initial_options *o, distribution *f)
{
    static double m[N];
    struct koshu_population p = population(o);
    law = f;
    limit_low = o->mass_min;
    limit_high = o->mass_max;
    of_all = number_below(limit_high, limit_low);
    for (size_t s = 0; s < N; s++) {
        m[s] = koshu_population_system(&p, s).mass[0];
        assert_true(m[s] >= limit_low && m[s] <= limit_high);
    }
    assert_distributed(m, N, mass_cdf, 0);
    koshu_population_free(&p);
}

static void
masses_follow_their_laws(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(N, 31);
    o.mass_min = 0.01; /* includes all three segments of Kroupa's */
    assert_masses(&o, kroupa);
    o.mass_function = KOSHU_MASS_FUNCTION_CHABRIER;
    assert_masses(&o, chabrier);
    o.mass_function = KOSHU_MASS_FUNCTION_SALPETER;
    o.mass_min = 0.1;
    assert_masses(&o, salpeter);
    /* the test must notice a slope that is off by 0.1 */
    struct koshu_population p = population(&o);
    p.masses.segment[0].power = -2.45;
    p.masses.segment[0].coefficient = 1;
    assert_true(koshu_distribution_limit(&p.masses, 0.1, 100));
    static double m[N];
    for (size_t s = 0; s < N; s++)
        m[s] = koshu_population_system(&p, s).mass[0];
    assert_true(ks_distance(m, N, mass_cdf, 0) > 2.23 / sqrt(N));
    koshu_population_free(&p);
}

static char *
write_table(const char *text)
{
    static char path[] = "masses-XXXXXX";
    snprintf(path, sizeof path, "masses-XXXXXX");
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* A power law through the table's two end points, cut at the limits. */
static void
a_table_is_powers_between_its_rows(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(N, 32);
    char text[256];
    snprintf(text, sizeof text, "mass,xi\n0.05,%.17g\n2,%.17g\n200,%.17g\n",
             3 * salpeter(0.05, 0), 3 * salpeter(2, 0), 3 * salpeter(200, 0));
    char *path = write_table(text);
    o.mass_function = KOSHU_MASS_FUNCTION_TABLE;
    o.mass_table = path;
    o.mass_min = 0.1;
    assert_masses(&o, salpeter);
    o.mass_min = 0.01;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the table of masses is from 0.05 to 200",
                 koshu_initial_mass(context, &o, &limit_low));
    unlink(path);
}

static void
masses_are_fractions_of_their_sum(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(3000, 33);
    struct koshu_particle_view v;
    struct koshu_population p = population(&o);
    struct koshu_particles *particles = make(&o, &v);
    double mass = 0;
    assert_ok(context, koshu_initial_mass(context, &o, &mass));
    assert_centred(&v);
    assert_true(mass == p.total);
    for (size_t i = 0; i < v.n; i++)
        assert_true(v.mass[i] ==
                    koshu_population_system(&p, i).mass[0] / p.total);
    /* equal masses keep the caller's value */
    o.mass_function = KOSHU_MASS_FUNCTION_EQUAL;
    o.mass_msun = 12;
    assert_ok(context, koshu_initial_mass(context, &o, &mass));
    assert_true(mass == 12);
    koshu_population_free(&p);
    koshu_particles_destroy(particles);
}

/* ---- mass segregation ---------------------------------------------------- */

/* The mass within r, for equal masses and for all stars. */
static double
plummer_mass(double r, double kept)
{
    const double a = 3 * M_PI / 16;
    return pow(1 + a * a / (r * r), -1.5) / kept;
}

struct sorted {
    double r, m;
};

static int
by_radius(const void *a, const void *b)
{
    const double x = ((const struct sorted *)a)->r,
                 y = ((const struct sorted *)b)->r;
    return (x > y) - (x < y);
}

/* The largest deviation of the mass within r from the model's, and the ratio of
 * mean masses inside and outside the half-mass radius. */
static double
mass_distance(const struct koshu_particle_view *v, double *contrast)
{
    struct sorted *s = malloc(v->n * sizeof *s);
    double *r = radii(v), inside = 0, largest = 0, number = 0;
    assert_non_null(s);
    for (size_t i = 0; i < v->n; i++) s[i] = (struct sorted){r[i], v->mass[i]};
    qsort(s, v->n, sizeof *s, by_radius);
    for (size_t i = 0; i < v->n; i++) {
        inside += s[i].m;
        if (inside < 0.5) number += 1;
        largest = fmax(largest, fabs(inside - plummer_mass(s[i].r, 0.999)));
    }
    *contrast = ((double)v->n - number) / number;
    free(s);
    free(r);
    return largest;
}

/* The scatter is the root of the sum of the squared masses, 1/sqrt(n) for equal
 * ones. It is less here because orbits are chosen evenly in energy. */
static void
segregation_keeps_the_mass_profile(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(20000, 39);
    double last = 0.9;
    o.mass_max = 10;
    for (int k = 0; k <= 2; k++) {
        struct koshu_particle_view v;
        double contrast, square_sum = 0;
        o.mass_segregation = k / 2.0;
        struct koshu_particles *particles = make(&o, &v);
        assert_centred(&v);
        for (size_t i = 0; i < v.n; i++) square_sum += v.mass[i] * v.mass[i];
        const double distance = mass_distance(&v, &contrast);
        assert_true(distance < 2.23 * sqrt(square_sum));
        /* heavier inside, the more so the larger S */
        assert_true(contrast > last);
        assert_true(k == 0 ? contrast < 1.1 : contrast > 1.3);
        last = contrast;
        koshu_particles_destroy(particles);
    }
}

/* With S = 1 the order by energy is the order by mass; but orbits are ordered
 * with a potential that scatters by 1/sqrt(N'). */
static void
the_heaviest_are_bound_most(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(2000, 40);
    struct koshu_particle_view v;
    o.mass_segregation = 1;
    struct koshu_particles *particles = make(&o, &v);
    const double a = 3 * M_PI / 16;
    double lowest_light = 0, highest_heavy = -2;
    for (size_t i = 0; i < v.n; i++) {
        const double r2 = v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i];
        const double v2 =
                v.vx[i] * v.vx[i] + v.vy[i] * v.vy[i] + v.vz[i] * v.vz[i];
        const double E = v2 / 2 - 1 / sqrt(r2 + a * a);
        const double m = v.mass[i] * 2000; /* in units of the mean */
        if (m < 0.3) lowest_light = fmin(lowest_light, E);
        if (m > 3) highest_heavy = fmax(highest_heavy, E);
    }
    assert_true(highest_heavy < lowest_light);
    koshu_particles_destroy(particles);
}

/* Each orbit is used by at most one star. */
static void
no_two_stars_share_an_orbit(void **state)
{
    (void)state;
    struct koshu_initial_options o = stars(5000, 41);
    o.mass_segregation = 0.7;
    struct koshu_population p = population(&o);
    assert_ok(context, koshu_segregate(context, &p, NULL));
    double orbit[5000];
    for (int s = 0; s < 5000; s++) orbit[s] = p.orbit[s];
    ks_distance(orbit, 5000, salpeter, 0); /* sorts them */
    for (int s = 1; s < 5000; s++) assert_true(orbit[s] > orbit[s - 1]);
    koshu_population_free(&p);
}

/* ---- invalid options ----------------------------------------------------- */

static void
refuse_table(const char *text, const char *words)
{
    struct koshu_initial_options o = stars(10, 1);
    char *path = write_table(text);
    double mass;
    o.mass_function = KOSHU_MASS_FUNCTION_TABLE;
    o.mass_table = path;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, words,
                 koshu_initial_mass(context, &o, &mass));
    unlink(path);
}

static void
wrong_tables_are_refused(void **state)
{
    (void)state;
    refuse_table("mass,xi\n1,1\n0.5,2\n", "row 2 of a mass function: masses "
                                          "must increase; sort the rows");
    refuse_table("mass,xi\n1,1\n", "two are needed");
    refuse_table("mass,xi\n1,1\n2,0\n", "must both be positive");
}

#define REFUSED(words, ...)                                        \
    do {                                                           \
        struct koshu_initial_options o = stars(100, 1);            \
        double mass;                                               \
        __VA_ARGS__;                                               \
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words, \
                     koshu_initial_mass(context, &o, &mass));      \
    } while (0)

static void
what_cannot_be_is_refused(void **state)
{
    (void)state;
    REFUSED("the mass function kroupa has no limits: set mass_min and mass_max",
            o.mass_max = 0);
    REFUSED("the second the larger", o.mass_max = 0.01);
    REFUSED("mass function table: set mass_table",
            o.mass_function = KOSHU_MASS_FUNCTION_TABLE);
    REFUSED("mass_function 99: there is no such law",
            o.mass_function = (enum koshu_mass_function)99);
    REFUSED("mass_segregation = 1.5: it must be in [0, 1]",
            o.mass_segregation = 1.5);
    REFUSED("the model cube is in no equilibrium", o.mass_segregation = 0.5,
            o.model = KOSHU_MODEL_CUBE);
    REFUSED("two-body has masses of its own", o.n = 2,
            o.model = KOSHU_MODEL_TWO_BODY);
    REFUSED("binary_fraction = 1.5: it is the part of all systems",
            o.binary_fraction = 1.5);
    REFUSED("the model needs a size", o.binary_fraction = 1, o.length_pc = 0);
    REFUSED("need the mass of all stars", o.binary_fraction = 1,
            o.mass_function = KOSHU_MASS_FUNCTION_EQUAL);
    REFUSED("period_min = 0", o.binary_fraction = 1, o.period_min = 0);
    REFUSED("the law kroupa has none there", o.binary_fraction = 1,
            o.period_law = KOSHU_PERIOD_LAW_KROUPA, o.period_max = 5);
    REFUSED("mass_ratio_min = 0", o.binary_fraction = 1, o.mass_ratio_min = 0);
    REFUSED("there is no such law", o.binary_fraction = 1,
            o.period_law = (enum koshu_period_law)7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(masses_follow_their_laws),
            cmocka_unit_test(a_table_is_powers_between_its_rows),
            cmocka_unit_test(masses_are_fractions_of_their_sum),
            cmocka_unit_test(segregation_keeps_the_mass_profile),
            cmocka_unit_test(the_heaviest_are_bound_most),
            cmocka_unit_test(no_two_stars_share_an_orbit),
            cmocka_unit_test(wrong_tables_are_refused),
            cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
