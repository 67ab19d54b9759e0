/* SPDX-License-Identifier: MIT */
/* The core of a cluster, and the fraction that has escaped. */
#include <math.h>

#include <koshu/initial.h>
#include <koshu/solver.h>

#include "check.h"
#include "output/output.h"
#include "particles/particles.h"
#include "fixture.h"

static struct koshu_particles *
plummer_sphere(size_t n)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *p;
    o.model = KOSHU_MODEL_PLUMMER;
    o.n = n;
    o.mass_fraction = 1;
    assert_ok(context, koshu_initial_create(context, &o, &p));
    return p;
}

/* Moves the whole cluster. */
static void
shift(struct koshu_particles *p, double by)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.x[i] += by, v.y[i] += by;
}

/* In a Plummer sphere sum rho^2 r^2 / sum rho^2 = 0.3 a^2, with a = 3 pi / 16.
 * With 4096 densities from six neighbours about 200 particles carry half of the
 * weight, so the radius has an error of some percent. */
static void
a_plummer_sphere_has_its_core_radius(void **state)
{
    (void)state;
    const double expected = sqrt(0.3) * 3 * M_PI / 16;
    struct koshu_particles *p = plummer_sphere(4096);
    double centre[3], radius, moved[3], again;
    assert_ok(context, koshu_core(p, centre, &radius));
    assert_true(fabs(radius / expected - 1) < 0.15);
    for (int c = 0; c < 3; c++) assert_true(fabs(centre[c]) < 0.1);
    shift(p, 16);
    assert_ok(context, koshu_core(p, moved, &again));
    assert_true(fabs(again - radius) < 1e-9);
    assert_true(fabs(moved[0] - centre[0] - 16) < 1e-9);
    assert_true(fabs(moved[1] - centre[1] - 16) < 1e-9);
    assert_true(fabs(moved[2] - centre[2]) < 1e-9);
    koshu_particles_destroy(p);
}

/* The densest six of seven in a row and a distant particle, by hand: the
 * neighbours of the first are the other six, r_6 = 100. */
static void
densities_are_those_of_six_neighbours(void **state)
{
    (void)state;
    enum { N = 7 };
    static const double x[N] = {0, 1, 2, 3, 4, 5, 100};
    struct koshu_particle_view v;
    struct koshu_particles *p;
    assert_ok(context, koshu_particles_create(context, N, &p));
    assert_ok(context, koshu_particles_on_host(
                               p, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                               KOSHU_ACCESS_WRITE, &v));
    double weight = 0, sum = 0, squares = 0, weights = 0, rho[N];
    for (int i = 0; i < N; i++) {
        v.mass[i] = 1 + i;
        v.x[i] = x[i];
        v.y[i] = v.z[i] = 0;
    }
    for (int i = 0; i < N;
         i++) { /* the sixth is the farthest, and is not counted */
        const double r6 = i < 6 ? 100 - x[i] : 100;
        const double mass = 28 - (1 + i) - (i < 6 ? 7 : 1);
        rho[i] = mass / (4 * M_PI / 3 * r6 * r6 * r6);
        weight += rho[i];
        sum += rho[i] * x[i];
    }
    for (int i = 0; i < N; i++) {
        squares += rho[i] * rho[i] * pow(x[i] - sum / weight, 2);
        weights += rho[i] * rho[i];
    }
    double centre[3], radius;
    assert_ok(context, koshu_core(p, centre, &radius));
    assert_true(fabs(centre[0] - sum / weight) < 1e-12);
    assert_true(fabs(radius - sqrt(squares / weights)) < 1e-12);
    koshu_particles_destroy(p);
    p = plummer_sphere(6);
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "it takes 7 at least",
                 koshu_core(p, centre, &radius));
    koshu_particles_destroy(p);
}

/* Compares all points by comparing all distances; some points coincide. */
static void
neighbours_are_the_nearest(void **state)
{
    (void)state;
    enum { N = 700, K = 20 };
    struct koshu_particles *p = plummer_sphere(N);
    struct koshu_particle_view v;
    struct koshu_neighbour_tree *tree;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (int i = 300; i < 340; i++) v.x[i] = v.y[i] = v.z[i] = 0.25;
    const double *const x[3] = {v.x, v.y, v.z};
    assert_ok(context, koshu_neighbour_tree_create(context, N, x, &tree));
    for (size_t i = 0; i < N; i += 7) {
        struct koshu_neighbours near = {.n = K};
        size_t nearer = 0;
        koshu_neighbours_find(tree, i, &near);
        for (int k = 0; k < K; k++) {
            const size_t j = near.index[k];
            const double r2 = pow(v.x[j] - v.x[i], 2) +
                              pow(v.y[j] - v.y[i], 2) + pow(v.z[j] - v.z[i], 2);
            assert_true(j != i && fabs(r2 - near.r2[k]) <= 1e-15);
            assert_true(k == 0 || near.r2[k] >= near.r2[k - 1]);
        }
        for (size_t j = 0; j < N; j++)
            nearer += j != i && pow(v.x[j] - v.x[i], 2) +
                                                pow(v.y[j] - v.y[i], 2) +
                                                pow(v.z[j] - v.z[i], 2) <
                                        near.r2[K - 1] * (1 - 1e-12);
        assert_true(nearer < K);
    }
    koshu_neighbour_tree_destroy(tree);
    koshu_particles_destroy(p);
}

static void
what_is_fast_has_escaped(void **state)
{
    (void)state;
    enum { N = 1000, FAST = 100 };
    struct koshu_particles *p = plummer_sphere(N);
    struct koshu_solver *solver;
    struct koshu_particle_view v;
    double fraction;
    assert_ok(context, koshu_solver_create(context, NULL, &solver));
    assert_ok(context, koshu_solver_forces(solver, p,
                                           KOSHU_FIELD_ACCELERATION |
                                                   KOSHU_FIELD_POTENTIAL));
    assert_ok(context, koshu_escaped_fraction(p, &fraction));
    assert_true(fraction < 0.02); /* the potential of particles is not smooth */
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (int i = 0; i < FAST; i++) v.vx[i] = i % 2 ? 10 : -10;
    /* a common velocity must not matter */
    for (int i = 0; i < N; i++) v.vy[i] += 1000;
    assert_ok(context, koshu_escaped_fraction(p, &fraction));
    assert_true(fraction >= 0.1 && fraction < 0.12);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_plummer_sphere_has_its_core_radius),
            cmocka_unit_test(densities_are_those_of_six_neighbours),
            cmocka_unit_test(neighbours_are_the_nearest),
            cmocka_unit_test(what_is_fast_has_escaped),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
