/* SPDX-License-Identifier: MIT */
/* Fields compared with their potentials, sums of fields, and refusals. */
#include <math.h>

#include "domain/domain.h"
#include "every_field.h"
#include "external/external.h"
#include "fixture.h"
#include "kernels/external.h"
#include "particles/particles.h"

/* Places off all axes and planes, near the centre and far from it. */
static const double places[][3] = {
        {0.3, -0.2, 0.1}, {1.1, 0.7, -0.9}, {-4, 7, 3}, {0.002, 0.001, -0.003}};
enum { N_PLACES = sizeof places / sizeof places[0] };
static const double velocity[3] = {0.4, -0.3, 0.5};

static double
potential_at(const struct koshu_external *e, const double x[3])
{
    double potential;
    assert_ok(context,
              koshu_external_evaluate(e, 1, x, NULL, NULL, NULL, &potential));
    return potential;
}

static double
size_of(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Central differences of fourth order: with step h the error is h^4 of the
 * fifth derivative, about (h / scale)^4, and rounding adds 1e-16 / h. */
static double
derivative(const double f[4], double h)
{
    return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h);
}
static const double offsets[4] = {-2, -1, 1, 2};

static void
accelerations_are_the_gradient(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_KINDS; kind++) {
        struct koshu_external *e = make_field(context, kind);
        for (int p = 0; p < N_PLACES; p++) {
            double a[3];
            const double h = 1e-3 * size_of(places[p]);
            assert_ok(context, koshu_external_evaluate(e, 1, places[p], NULL, a,
                                                       NULL, NULL));
            const double scale =
                    size_of(a) + 1e-3 * fabs(potential_at(e, places[p])) /
                                         size_of(places[p]);
            for (int k = 0; k < 3; k++) {
                double f[4];
                for (int o = 0; o < 4; o++) {
                    double x[3] = {places[p][0], places[p][1], places[p][2]};
                    x[k] += offsets[o] * h;
                    f[o] = potential_at(e, x);
                }
                assert_near(a[k], -derivative(f, h), 1e-9 * scale);
            }
        }
        koshu_external_destroy(e);
    }
}

/* Differences along a path with the acceleration that the jerk assumes; in a
 * rotating frame the jerk includes that of the Coriolis force. */
static void
jerks_are_the_change_of_accelerations(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_KINDS; kind++) {
        struct koshu_external *e = make_field(context, kind);
        for (int p = 0; p < N_PLACES; p++) {
            double a[3], jerk[3], f[3][4];
            const double h = 1e-3 * size_of(places[p]);
            assert_ok(context,
                      koshu_external_evaluate(e, 1, places[p], velocity, a,
                                              jerk, NULL));
            for (int o = 0; o < 4; o++) {
                double x[3], v[3], at[3];
                for (int k = 0; k < 3; k++) {
                    x[k] = places[p][k] + velocity[k] * offsets[o] * h;
                    v[k] = velocity[k] + a[k] * offsets[o] * h;
                }
                assert_ok(context,
                          koshu_external_evaluate(e, 1, x, v, at, NULL, NULL));
                for (int k = 0; k < 3; k++) f[k][o] = at[k];
            }
            const double scale =
                    size_of(jerk) + size_of(a) / size_of(places[p]);
            for (int k = 0; k < 3; k++)
                assert_near(jerk[k], derivative(f[k], h), 1e-9 * scale);
        }
        koshu_external_destroy(e);
    }
}

/* The mass within a sphere in a spherical field, by Gauss's theorem. */
static double
mass_inside(const struct koshu_external *e, double r)
{
    const double x[3] = {0.6 * r, 0, 0.8 * r};
    double a[3];
    assert_ok(context, koshu_external_evaluate(e, 1, x, NULL, a, NULL, NULL));
    return size_of(a) * r * r;
}

static void
masses_are_those_given(void **state)
{
    (void)state;
    struct koshu_external *e = make_field(context, KOSHU_EXTERNAL_KIND_NFW);
    assert_near(mass_inside(e, 5 * 0.7), 3, 1e-14); /* c a */
    koshu_external_destroy(e);
    e = make_field(context, KOSHU_EXTERNAL_KIND_PLUMMER);
    assert_near(mass_inside(e, 1e6), 3, 1e-11);
    koshu_external_destroy(e);
    e = make_field(context, KOSHU_EXTERNAL_KIND_MIYAMOTO_NAGAI);
    assert_near(mass_inside(e, 1e6), 3, 1e-5); /* short by a / r */
    koshu_external_destroy(e);
    /* the series must meet the formula, whose rounding is 1e-12 */
    const double x = 0.01;
    assert_near(koshu_field_nfw_mass(x) / (log1p(x) - x / (1 + x)), 1, 1e-11);
}

/* 3 Omega^2 and Omega^2 for a point mass, as in Hill's problem; 2 Omega^2 for a
 * flat rotation curve. */
static void
a_tide_is_that_of_the_galaxy(void **state)
{
    (void)state;
    double outward, vertical;
    struct koshu_external_field f = field_of(KOSHU_EXTERNAL_KIND_TIDE);
    const double omega2 = 0.36; /* (1.2 / 2)^2 */
    f.slope = -0.5;
    f.density = 0;
    koshu_external_tide_of(&f, &outward, &vertical);
    assert_near(outward, 3 * omega2, 1e-15);
    assert_near(vertical, omega2, 1e-15);
    f.slope = 0;
    f.density = -1; /* negative: of a spherical galaxy */
    koshu_external_tide_of(&f, &outward, &vertical);
    assert_near(outward, 2 * omega2, 1e-15);
    assert_near(vertical, omega2, 1e-15);
    /* for a flat rotation curve, rho = Omega^2 / (4 pi) gives the same by
     * Poisson */
    f.density = omega2 / (4 * M_PI);
    koshu_external_tide_of(&f, &outward, &vertical);
    assert_near(vertical, omega2, 1e-15);
}

static void
several_fields_are_added(void **state)
{
    (void)state;
    struct koshu_external_field f[N_KINDS];
    struct koshu_external *all, *one;
    double sum[7] = {0}, a[3], jerk[3], potential;
    for (int k = 0; k < N_KINDS; k++) {
        f[k] = field_of(k);
        assert_ok(context, koshu_external_create(context, 1, &f[k], &one));
        const struct koshu_field_sum s =
                koshu_external_at(one, places[1], velocity);
        for (int c = 0; c < 3; c++) sum[c] += s.a[c];
        for (int c = 0; c < 3; c++) sum[3 + c] += s.jerk[c];
        sum[6] += s.potential;
        koshu_external_destroy(one);
    }
    koshu_field_coriolis(0.6, velocity, sum, sum + 3);
    assert_ok(context, koshu_external_create(context, N_KINDS, f, &all));
    assert_ok(context, koshu_external_evaluate(all, 1, places[1], velocity, a,
                                               jerk, &potential));
    for (int c = 0; c < 3; c++) assert_near(a[c], sum[c], 1e-14);
    for (int c = 0; c < 3; c++) assert_near(jerk[c], sum[3 + c], 1e-14);
    assert_near(potential, sum[6], 1e-14);
    assert_near(koshu_external_rotation(all), 0.6, 1e-16);
    koshu_external_destroy(all);
}

static void
a_centre_moves_the_field(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_KINDS; kind++) {
        struct koshu_external_field f = field_of(kind);
        struct koshu_external *here = make_field(context, kind), *there;
        double moved[3];
        for (int k = 0; k < 3; k++) {
            f.centre[k] = k - 1.5;
            moved[k] = places[1][k] + f.centre[k];
        }
        assert_ok(context, koshu_external_create(context, 1, &f, &there));
        assert_near(potential_at(there, moved), potential_at(here, places[1]),
                    1e-14);
        koshu_external_destroy(here);
        koshu_external_destroy(there);
    }
}

/* Half a period of the Coriolis force reverses v, a whole one restores it. */
static void
a_drift_that_turns_is_a_circle(void **state)
{
    (void)state;
    const double omega = 0.35, v0 = 1.2, radius = v0 / (2 * omega);
    double x[3] = {0}, v[3] = {v0, 0, 0.5};
    koshu_field_drift(omega, M_PI / (2 * omega), x, v);
    assert_near(v[0], -v0, 1e-15);
    assert_near(v[1], 0, 1e-15);
    assert_near(x[0], 0, 1e-15);
    assert_near(x[1], -2 * radius, 1e-14);
    assert_near(x[2], 0.5 * M_PI / (2 * omega), 1e-15);
    koshu_field_drift(omega, -M_PI / (2 * omega), x, v);
    for (int k = 0; k < 3; k++) assert_near(x[k], 0, 1e-14);
}

static void
energies_are_sums_of_potentials(void **state)
{
    (void)state;
    struct koshu_external *e = make_field(context, KOSHU_EXTERNAL_KIND_NFW);
    struct koshu_particles *p;
    struct koshu_particle_view v;
    double energy, sum = 0;
    assert_ok(context, koshu_particles_create(context, N_PLACES, &p));
    assert_ok(context, koshu_particles_on_host(
                               p, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                               KOSHU_ACCESS_WRITE, &v));
    for (int i = 0; i < N_PLACES; i++) {
        v.mass[i] = i + 1;
        v.x[i] = places[i][0];
        v.y[i] = places[i][1];
        v.z[i] = places[i][2];
        sum += v.mass[i] * potential_at(e, places[i]);
    }
    assert_ok(context, koshu_external_energy(e, p, &energy));
    assert_near(energy, sum, 1e-14);
    koshu_particles_destroy(p);
    koshu_external_destroy(e);
}

#define REFUSED(kind_, words, ...)                                             \
    do {                                                                       \
        struct koshu_external_field f = field_of(KOSHU_EXTERNAL_KIND_##kind_); \
        struct koshu_external *e;                                              \
        __VA_ARGS__;                                                           \
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words,             \
                     koshu_external_create(context, 1, &f, &e));               \
        assert_null(e);                                                        \
    } while (0)

static void
what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    REFUSED(PLUMMER, "plummer: mass = 0: it must be finite and positive",
            f.mass = 0);
    REFUSED(PLUMMER, "plummer: a = -1", f.a = -1);
    REFUSED(MIYAMOTO_NAGAI, "miyamoto-nagai: b = 0", f.b = 0);
    REFUSED(LOGARITHMIC, "a = -1: it must be finite, and not negative",
            f.a = -1);
    REFUSED(LOGARITHMIC, "q = 0", f.q = 0);
    REFUSED(NFW, "concentration = 0", f.concentration = 0);
    REFUSED(UNIFORM, "a coordinate", f.acceleration[1] = INFINITY);
    REFUSED(TIDE, "speed = 0: it must be finite and not 0", f.speed = 0);
    REFUSED(TIDE, "radius = 0", f.radius = 0);
    REFUSED(TIDE, "slope = -2: it must be -1 or more", f.slope = -2);
    REFUSED(TIDE, "there is no such kind",
            f.kind = (enum koshu_external_kind)99);
    struct koshu_external_field two[2] = {field_of(KOSHU_EXTERNAL_KIND_TIDE),
                                          field_of(KOSHU_EXTERNAL_KIND_TIDE)};
    struct koshu_external *e;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "two tides",
                 koshu_external_create(context, 2, two, &e));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "n = 0",
                 koshu_external_create(context, 0, two, &e));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(accelerations_are_the_gradient),
            cmocka_unit_test(jerks_are_the_change_of_accelerations),
            cmocka_unit_test(masses_are_those_given),
            cmocka_unit_test(a_tide_is_that_of_the_galaxy),
            cmocka_unit_test(several_fields_are_added),
            cmocka_unit_test(a_centre_moves_the_field),
            cmocka_unit_test(a_drift_that_turns_is_a_circle),
            cmocka_unit_test(energies_are_sums_of_potentials),
            cmocka_unit_test(what_is_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
