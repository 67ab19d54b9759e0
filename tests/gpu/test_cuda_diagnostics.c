/* SPDX-License-Identifier: MIT */
/* Diagnostics of particles on the device, compared with the host's. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/solver.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "particles/particles.h"

enum { FORCES = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL };
enum {
    SUMMED = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY |
             KOSHU_FIELD_POTENTIAL
};

static uint64_t
next(uint64_t *seed)
{
    return *seed = *seed * 6364136223846793005u + 1442695040888963407u;
}

/* A random number in (-1/2, 1/2). */
static double
uniform(uint64_t *seed)
{
    return (double)(next(seed) >> 11) * 0x1p-53 - 0.5;
}

/* A system away from the origin, and much denser inside. */
static struct koshu_particles *
make(struct koshu_context *context, size_t n)
{
    struct koshu_particle_view v;
    struct koshu_particles *p;
    uint64_t seed = 5;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < n; i++) {
        const double r = pow(uniform(&seed) + 0.5, 4);
        v.x[i] = 3 + r * uniform(&seed);
        v.y[i] = -2 + r * uniform(&seed);
        v.z[i] = 1 + r * uniform(&seed);
        v.vx[i] = uniform(&seed);
        v.vy[i] = uniform(&seed);
        v.vz[i] = uniform(&seed);
        v.mass[i] = i % 7 == 3 ? 0 : 0.6 + uniform(&seed);
    }
    return p;
}

static struct koshu_diagnostics
compute(struct koshu_particles *p)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(koshu_particles_context(p), koshu_diagnostics_compute(p, &d));
    return d;
}

/* A sum of n terms that nearly vanishes is accurate to so many roundings of one
 * term. */
static void
compare(const struct koshu_diagnostics *a, const struct koshu_diagnostics *b)
{
    const double rounding = 64 * DBL_EPSILON * a->mass;
    assert_near(a->mass, b->mass, 4 * DBL_EPSILON * a->mass);
    assert_near(a->kinetic, b->kinetic, 4 * DBL_EPSILON * a->kinetic);
    assert_near(a->potential, b->potential,
                4 * DBL_EPSILON * fabs(a->potential));
    for (int c = 0; c < 3; c++) {
        assert_near(a->momentum[c], b->momentum[c], rounding);
        assert_near(a->angular_momentum[c], b->angular_momentum[c], rounding);
        assert_near(a->centre[c], b->centre[c], 64 * DBL_EPSILON);
    }
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++)
        assert_near(a->lagrangian_radius[k], b->lagrangian_radius[k],
                    64 * DBL_EPSILON);
}

/* Then the particles are read on the host, and everything is repeated. */
static void
both_sides(size_t n, enum koshu_method method)
{
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_particles *p = make(context, n);
    struct koshu_particle_view v;
    struct koshu_solver *solver;
    void *device;
    options.method = method;
    options.softening = 0.01;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context, koshu_solver_forces(solver, p, FORCES));
    assert_ok(context, koshu_particles_on_device(p, SUMMED, KOSHU_ACCESS_READ));
    assert_non_null(koshu_particles_device_sums(p, SUMMED, &device));
    const struct koshu_diagnostics there = compute(p), again = compute(p);
    assert_memory_equal(&there, &again, sizeof there);
    assert_ok(context,
              koshu_particles_on_host(p, SUMMED, KOSHU_ACCESS_READ_WRITE, &v));
    assert_null(koshu_particles_device_sums(p, SUMMED, &device));
    const struct koshu_diagnostics here = compute(p);
    compare(&here, &there);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    koshu_context_destroy(context);
}

static void
test_few(void **state)
{
    (void)state;
    both_sides(2, KOSHU_METHOD_DIRECT);
    both_sides(700, KOSHU_METHOD_DIRECT);
}

static void
test_many(void **state)
{
    (void)state;
    both_sides(100003, KOSHU_METHOD_DIRECT);
}

/* The device has the particles in its own order. */
static void
test_tree(void **state)
{
    (void)state;
    both_sides(300007, KOSHU_METHOD_TREE);
}

static void
test_bad_particle(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_diagnostics d = {.size = sizeof d};
    struct koshu_particles *p = make(context, 2000);
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_particle_view v;
    struct koshu_solver *solver;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.vy[1500] = INFINITY;
    assert_ok(context, koshu_solver_forces(solver, p, FORCES));
    assert_ok(context, koshu_particles_on_device(p, SUMMED, KOSHU_ACCESS_READ));
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 1500",
                 koshu_diagnostics_compute(p, &d));
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_bad_particle),
};

CUDA_MAIN(tests)
