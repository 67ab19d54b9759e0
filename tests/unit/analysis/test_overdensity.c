/* SPDX-License-Identifier: MIT */
/* Spherical overdensities in known profiles, and the potential minimum. */
#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/centre.h"
#include "base/base.h"
#include "fixture.h"

enum { N = 20000 };
static const double box = 20;
static double mass[N], x[3][N], place[4 * N];
static const struct koshu_particle_const_view view = {.size = sizeof view,
                                                      .n = N,
                                                      .mass = mass,
                                                      .x = x[0],
                                                      .y = x[1],
                                                      .z = x[2]};

/* Near a corner of the box. */
static const double centre[3] = {0.1, 19.9, 0.2};

/* M(r) of total mass 1 within r = 4: r / 4 for an isothermal sphere; m(r) /
 * m(4) for NFW with scale radius 1. */
static double
nfw(double r)
{
    return (log(1 + r) - r / (1 + r)) / (log(5) - 0.8);
}

static double
isothermal(double r)
{
    return r / 4;
}

/* The radius at which f equals y, by bisection. */
static double
solve(double (*f)(double), double y)
{
    double low = 0, high = 4;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (f(middle) < y)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void
fill(double (*profile)(double))
{
    unsigned short state[3] = {1, 2, 3};
    for (size_t i = 0; i < N; i++) {
        const double r = solve(profile, erand48(state));
        const double c = 2 * erand48(state) - 1, s = sqrt(1 - c * c);
        const double phi = 2 * M_PI * erand48(state);
        const double d[3] = {r * s * cos(phi), r * s * sin(phi), r * c};
        mass[i] = 1. / N;
        place[4 * i + 3] = mass[i];
        for (int a = 0; a < 3; a++) {
            x[a][i] = centre[a] + d[a];
            place[4 * i + (size_t)a] = d[a];
        }
    }
}

/* The sphere about the centre, searched first within a guessed radius. */
static struct koshu_fof_sphere
sphere_of(double density, double guess)
{
    struct koshu_linked_cells cells;
    struct koshu_fof_sphere found[KOSHU_GROUP_SPHERES] = {{0}};
    const struct koshu_fof_group group = {
            .mass = density * pow(guess / koshu_sphere_guess(1, 1), 3),
            .minimum = {centre[0], centre[1], centre[2]}};
    assert_ok(context, koshu_linked_cells_create(context, &view, box, &cells));
    assert_ok(context,
              koshu_spheres_of_groups(
                      context, &cells, 1, &group, (double[]){density, 0},
                      (struct koshu_fof_sphere *[]){&found[0], &found[1]}));
    koshu_linked_cells_free(&cells);
    assert_true(found[1].mass == 0);
    return found[0];
}

/*
 * rho(<R) = M(R) / (4 pi / 3 R^3) at R = 1.5. m = M(1.5) contains n = N m
 * particles, with an error of sqrt(n (1 - m)); the error of M200 is larger by 1
 * / (1 - d ln M / d ln r / 3), here less than 2.
 */
static void
check(double (*profile)(double), double guess)
{
    const double radius = 1.5, m = profile(radius);
    const double density = 3 * m / (4 * M_PI * radius * radius * radius);
    const double error = 2 * sqrt((1 - m) / (N * m));
    fill(profile);
    const struct koshu_fof_sphere sphere = sphere_of(density, guess);
    assert_near(sphere.mass / m, 1, 3 * error);
    assert_near(sphere.radius / radius, 1, error);
    assert_near(sphere.mass, 4 * M_PI / 3 * pow(sphere.radius, 3) * density,
                1e-12);
}

static void
test_spheres_of_known_profiles(void **state)
{
    (void)state;
    check(isothermal, 1.7);
    check(isothermal, 0.3); /* the guess must not matter */
    check(nfw, 1.7);
    check(nfw, 9);
}

static void
test_what_is_not_dense_has_no_sphere(void **state)
{
    (void)state;
    fill(isothermal);
    const struct koshu_fof_sphere sphere = sphere_of(1e12, 1);
    assert_true(sphere.mass == 0 && sphere.radius == 0);
}

/* With few particles all are compared, with many those in the fullest cells.
 * Both find the centre, where the potential of an isothermal sphere has its
 * cusp. */
static void
test_the_lowest_potential_is_in_the_middle(void **state)
{
    (void)state;
    size_t lowest;
    for (size_t n = 2000; n <= N; n += N - 2000) {
        fill(isothermal);
        assert_ok(NULL, koshu_lowest_potential(n, place, 1e-3, &lowest));
        const double *p = place + 4 * lowest;
        assert_true(lowest < n);
        assert_true(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 0.05 * 0.05);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_spheres_of_known_profiles),
            cmocka_unit_test(test_what_is_not_dense_has_no_sphere),
            cmocka_unit_test(test_the_lowest_potential_is_in_the_middle),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
