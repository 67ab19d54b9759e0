/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/solver.h>

#include "base/base.h"
#include "check.h"
#define FIXTURE_BACKEND "ref"
#define FIXTURE_THREADS 2
#include "fixture.h"
#include "particles/particles.h"

static struct koshu_particles *
make(size_t n, struct koshu_particle_view *v)
{
    struct koshu_particles *p = NULL;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, v));
    return p;
}

static struct koshu_diagnostics
compute(struct koshu_particles *p)
{
    struct koshu_diagnostics d;
    memset(&d, 0xff, sizeof d); /* NaN */
    d.size = sizeof d;
    assert_ok(koshu_particles_context(p), koshu_diagnostics_compute(p, &d));
    return d;
}

/* Random numbers in [0, 1), the same in each run. */
static double
uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Masses 3 and 1 at x = 1 and x = -3, with speeds 1/2 and -3/2 along y and the
 * potential of each in the other's field: every value is exact. */
static void
two_bodies_by_hand(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = make(2, &v);
    v.mass[0] = 3, v.x[0] = 1, v.vy[0] = 0.5, v.potential[0] = -0.25;
    v.mass[1] = 1, v.x[1] = -3, v.vy[1] = -1.5, v.potential[1] = -0.75;
    v.vz[0] = v.vz[1] = 2; /* a common motion along z */
    struct koshu_diagnostics d = compute(p);
    assert_true(d.mass == 4);
    assert_true(d.kinetic == 0.5 * (3 * 4.25 + 6.25));
    assert_true(d.potential == -0.75);
    assert_true(d.total == d.kinetic - 0.75);
    assert_true(d.virial_ratio == d.kinetic / 0.75);
    assert_true(d.momentum[0] == 0 && d.momentum[1] == 0);
    assert_true(d.momentum[2] == 8);
    assert_true(d.angular_momentum[0] == 0 && d.angular_momentum[1] == 0);
    assert_true(d.angular_momentum[2] == 3 * 0.5 + 3 * 1.5);
    assert_true(d.centre[0] == 0 && d.centre[1] == 0 && d.centre[2] == 0);
    /* the heavier particle is nearer to the centre and holds 75 % of the
     * mass */
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++)
        assert_true(d.lagrangian_radius[k] ==
                    (koshu_lagrangian_fractions[k] <= 0.75 ? 1 : 3));
    koshu_particles_destroy(p);
}

/* Pairs of particles at distance k + 1 in opposite directions from a centre
 * that is not the origin but the centre of mass (exactly, because all
 * coordinates are small integers). */
static void
lagrangian_radii_count_from_the_centre_of_mass(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = make(200, &v);
    for (size_t i = 0; i < 200; i++) {
        size_t k = (37 * i + 11) % 200; /* out of order */
        double r = (double)(k / 2 + 1);
        v.mass[i] = 0.7; /* two of them are less than 0.01 times 140 */
        v.x[i] = 64, v.y[i] = -32, v.z[i] = 16;
        double *const axis[] = {v.x, v.y, v.z};
        axis[k / 2 % 3][i] += k % 2 ? r : -r;
        v.potential[i] = -1; /* computed */
    }
    struct koshu_diagnostics d = compute(p);
    /* sums of 200 terms of size 6.4: exact to a few roundings */
    assert_near(d.centre[0], 64, 64 * 4 * DBL_EPSILON);
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++)
        assert_near(d.lagrangian_radius[k], 100 * koshu_lagrangian_fractions[k],
                    64 * 8 * DBL_EPSILON);
    koshu_particles_destroy(p);
}

static void
nothing_divides_by_zero(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = make(3, &v);
    v.x[1] = 5;
    struct koshu_diagnostics d = compute(p); /* no mass, no potential */
    assert_true(d.mass == 0 && d.total == 0 && d.virial_ratio == 0);
    assert_true(d.centre[0] == 0 && d.lagrangian_radius[0] == 0);
    koshu_particles_destroy(p);

    p = make(1, &v);
    v.mass[0] = 2, v.x[0] = 7, v.vx[0] = 1;
    d = compute(p);
    assert_true(d.kinetic == 1 && d.virial_ratio == 0 && d.centre[0] == 7);
    assert_true(d.lagrangian_radius[6] == 0);
    koshu_particles_destroy(p);
}

/* A lattice within the unit sphere, of mass 1: W = -3/5, and T = 3/10 w^2 v0^2
 * for the velocity field v = w x. */
static void
a_uniform_sphere_has_the_energies_of_the_textbook(void **state)
{
    (void)state;
    enum { CELLS = 20 };
    const double w = 2;
    struct koshu_particle_view v;
    size_t n = 0;
    struct koshu_particles *p = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) p = make(n, &v);
        n = 0;
        for (int c = 0; c < CELLS * CELLS * CELLS; c++) {
            double x = (2 * (c % CELLS) + 1.0) / CELLS - 1;
            double y = (2 * (c / CELLS % CELLS) + 1.0) / CELLS - 1;
            double z = (2 * (c / CELLS / CELLS) + 1.0) / CELLS - 1;
            if (x * x + y * y + z * z > 1) continue;
            if (pass == 1) {
                v.x[n] = x, v.y[n] = y, v.z[n] = z;
                v.vx[n] = -w * y, v.vy[n] = w * x; /* rotates about z */
            }
            n++;
        }
    }
    for (size_t i = 0; i < n; i++) v.mass[i] = 1.0 / (double)n;
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver = NULL;
    options.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context, koshu_solver_forces(solver, p,
                                           KOSHU_FIELD_ACCELERATION |
                                                   KOSHU_FIELD_POTENTIAL));
    struct koshu_diagnostics d = compute(p);
    /* The stepped surface, 20 cells across, changes mass and moments from a
     * sphere's by a fraction of about (1/20)^(3/2); 2 % is twice that. */
    assert_near(d.potential, -0.6, 0.6 * 0.02);
    assert_near(d.kinetic, 0.2 * w * w, 0.2 * w * w * 0.02);
    assert_near(d.angular_momentum[2], 0.4 * w, 0.4 * w * 0.02);
    for (int k = 3; k < KOSHU_LAGRANGIAN_COUNT; k++)
        assert_near(d.lagrangian_radius[k], cbrt(koshu_lagrangian_fractions[k]),
                    0.02);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

static struct koshu_particles *
random_particles(struct koshu_particle_view *v, size_t n)
{
    struct koshu_particles *p = make(n, v);
    uint64_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        double *const array[] = {v->x, v->y, v->z, v->vx, v->vy, v->vz};
        for (int k = 0; k < 6; k++) array[k][i] = uniform(&seed) - 0.5;
        v->mass[i] = uniform(&seed);
        v->potential[i] = -uniform(&seed);
    }
    return p;
}

/* A quarter turn about z, (x, y) -> (-y, x), rotates every vector and keeps
 * scalars, bit for bit except for the order of adding three squares. */
static void
a_rotation_turns_the_vectors(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = random_particles(&v, 3000);
    struct koshu_diagnostics before = compute(p);
    for (size_t i = 0; i < v.n; i++) {
        double x = v.x[i], vx = v.vx[i];
        v.x[i] = -v.y[i], v.y[i] = x;
        v.vx[i] = -v.vy[i], v.vy[i] = vx;
    }
    struct koshu_diagnostics after = compute(p);
    assert_true(after.potential == before.potential);
    assert_near(after.kinetic, before.kinetic,
                8 * DBL_EPSILON * before.kinetic);
    const double *const vectors[][2] = {
            {before.momentum, after.momentum},
            {before.angular_momentum, after.angular_momentum},
            {before.centre, after.centre}};
    for (int k = 0; k < 3; k++) {
        const double *b = vectors[k][0], *a = vectors[k][1];
        /* 3000 terms below 1, each rounded */
        double rounding = 3000 * DBL_EPSILON;
        assert_near(a[0], -b[1], rounding);
        assert_near(a[1], b[0], rounding);
        assert_near(a[2], b[2], rounding);
    }
    koshu_particles_destroy(p);
}

/* Large terms cancel: a naive sum loses the small ones. */
static void
sums_are_compensated(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct koshu_particle_view v;
    struct koshu_particles *p = make(N, &v);
    double naive = 0;
    for (size_t i = 0; i < N; i++) {
        v.mass[i] = 1;
        v.vx[i] = i < N / 2 ? 1e16 : -1e16;
        v.vy[i] = i % 2 ? 0.1 : 1e16 * ((i / 2) % 2 ? 1 : -1);
        naive += v.vy[i];
        v.potential[i] = -1; /* computed */
    }
    struct koshu_diagnostics d = compute(p);
    assert_true(d.momentum[0] == 0);
    /* 2500 times 0.1, kept in the remainder, which is rounded 2500 times */
    assert_near(d.momentum[1], 250, 2500 * 250 * DBL_EPSILON);
    assert_true(fabs(naive - 250) > 1); /* the naive sum must fail */
    koshu_particles_destroy(p);
}

static void
any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    struct koshu_context *kept = context;
    struct koshu_diagnostics d[3];
    const int threads[] = {1, 2, 5};
    for (int k = 0; k < 3; k++) {
        struct koshu_particle_view v;
        context = test_context("ref", threads[k]);
        struct koshu_particles *p = random_particles(&v, 10 * 1024 + 7);
        d[k] = compute(p);
        koshu_particles_destroy(p);
        koshu_context_destroy(context);
    }
    context = kept;
    assert_memory_equal(&d[0], &d[1], sizeof d[0]);
    assert_memory_equal(&d[0], &d[2], sizeof d[0]);
}

static void
a_bad_particle_or_struct_is_named(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = random_particles(&v, 2000);
    struct koshu_diagnostics d = {.size = 0};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "struct koshu_diagnostics: its size is not set",
                 koshu_diagnostics_compute(p, &d));
    d.size = sizeof d;
    v.id[1500] = 42;
    v.potential[1500] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE,
                 "particle 1500 (id 42): potential = nan",
                 koshu_diagnostics_compute(p, &d));
    v.vy[1500] = -INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE,
                 "particle 1500 (id 42): vy = -inf",
                 koshu_diagnostics_compute(p, &d));
    v.potential[1500] = 0;
    v.vy[1500] = 1e200; /* finite, but its square is not */
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "range of double",
                 koshu_diagnostics_compute(p, &d));
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(two_bodies_by_hand),
            cmocka_unit_test(lagrangian_radii_count_from_the_centre_of_mass),
            cmocka_unit_test(nothing_divides_by_zero),
            cmocka_unit_test(a_uniform_sphere_has_the_energies_of_the_textbook),
            cmocka_unit_test(a_rotation_turns_the_vectors),
            cmocka_unit_test(sums_are_compensated),
            cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
            cmocka_unit_test(a_bad_particle_or_struct_is_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
