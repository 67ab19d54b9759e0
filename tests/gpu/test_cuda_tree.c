/* SPDX-License-Identifier: MIT */
/* A tree on the device moves the store's particles: they stay who they are, and
 * results depend on nothing but where they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

enum { N = 20000 };

/* A solver and its store; what it computes is compared bit by bit. */
struct system {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
};

static struct system
begin(size_t n, double theta, enum koshu_criterion criterion)
{
    struct system s = {.context = test_context("cuda", 0)};
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    model.n = n;
    options.method = KOSHU_METHOD_TREE;
    options.softening = 0.02;
    options.tree.theta = theta;
    options.tree.criterion = criterion;
    options.tree.alpha = 0.002;
    options.tree.walk = KOSHU_WALK_DEVICE;
    assert_ok(s.context, koshu_initial_create(s.context, &model, &s.particles));
    assert_ok(s.context, koshu_solver_create(s.context, &options, &s.solver));
    return s;
}

static void
end(struct system *s)
{
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_context_destroy(s->context);
}

static struct koshu_particle_view
forces(struct system *s)
{
    const unsigned fields = KOSHU_ACCELERATION | KOSHU_POTENTIAL;
    struct koshu_particle_view v;
    assert_ok(s->context, koshu_solver_forces(s->solver, s->particles, fields));
    assert_ok(s->context,
              koshu_particles_acquire(s->particles, KOSHU_ALL_FIELDS,
                                      KOSHU_READ, &v));
    return v;
}

static double *
copy_of(const double *x, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, x, n * sizeof *copy);
    return copy;
}

/* Every second particle at a place that another has, or as good as: the order
 * of those of one key is what could differ. */
static void
pair_up(struct system *s)
{
    struct koshu_particle_view v;
    assert_ok(s->context, koshu_particles_acquire(s->particles, KOSHU_POSITION,
                                                  KOSHU_READ_WRITE, &v));
    for (size_t i = 1; i < v.n; i += 2) {
        v.x[i] = v.x[i - 1] + (i % 4 == 1 ? 0 : 1e-13);
        v.y[i] = v.y[i - 1];
        v.z[i] = v.z[i - 1];
    }
}

/* The second time the particles lie in the order of the tree, the third time
 * in that of another tree. */
static void
the_same_bits_from_any_order(void **state)
{
    (void)state;
    struct system s = begin(N, 0.5, KOSHU_CRITERION_GEOMETRIC);
    struct koshu_particle_view v;
    pair_up(&s);
    v = forces(&s);
    double *const a = copy_of(v.ax, N), *const x = copy_of(v.x, N);
    double *const potential = copy_of(v.potential, N);
    v = forces(&s);
    assert_memory_equal(v.ax, a, N * sizeof *a);
    assert_memory_equal(v.potential, potential, N * sizeof *a);
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) v.x[i] = -x[i] * 0.7;
    forces(&s);
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    memcpy(v.x, x, N * sizeof *x);
    v = forces(&s);
    assert_memory_equal(v.ax, a, N * sizeof *a);
    assert_memory_equal(v.potential, potential, N * sizeof *a);
    free(a);
    free(x);
    free(potential);
    end(&s);
}

/* What the host reads and writes is each particle's own, wherever the device
 * has it. */
static void
particles_stay_who_they_are(void **state)
{
    (void)state;
    struct system s = begin(N, 0.5, KOSHU_CRITERION_RELATIVE);
    struct koshu_backend *backend;
    struct koshu_particle_view v;
    assert_ok(s.context, koshu_backend_of(s.context, &backend));
    assert_ok(s.context,
              koshu_particles_acquire(s.particles, KOSHU_MASS | KOSHU_VELOCITY,
                                      KOSHU_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) {
        v.mass[i] = (1 + (double)(i % 7)) / N;
        v.vx[i] = (double)i;
    }
    v = forces(&s);
    double *const x = copy_of(v.x, N), *const a = copy_of(v.ax, N);
    assert_ok(s.context, backend->ops->kick(backend, s.particles, 0.5));
    assert_ok(s.context, backend->ops->drift(backend, s.particles, 0.25));
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_VELOCITY,
                                                 KOSHU_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) {
        assert_true(v.vx[i] == (double)i + a[i] * 0.5);
        v.vx[i] = -(double)i;
    }
    assert_ok(s.context, backend->ops->drift(backend, s.particles, 1));
    v = forces(&s);
    for (size_t i = 0; i < N; i++) {
        const double once = x[i] + ((double)i + a[i] * 0.5) * 0.25;
        assert_true(v.mass[i] == (1 + (double)(i % 7)) / N);
        /* the drift's product and sum are one operation, or two */
        assert_near(v.x[i], once - (double)i, 1e-15 * (double)N);
    }
    free(x);
    free(a);
    end(&s);
}

/* A potential that is not asked for is not another particle's: the host has not
 * read it yet when the particles are moved again. */
static void
old_potentials_move_along(void **state)
{
    (void)state;
    const unsigned fields = KOSHU_ACCELERATION | KOSHU_POTENTIAL;
    struct system plain = begin(N, 0.6, KOSHU_CRITERION_GEOMETRIC);
    struct system s = begin(N, 0.6, KOSHU_CRITERION_GEOMETRIC);
    const struct koshu_particle_view expected = forces(&plain);
    struct koshu_particle_view v;
    assert_ok(s.context, koshu_solver_forces(s.solver, s.particles, fields));
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) v.y[i] = -v.y[i];
    assert_ok(s.context,
              koshu_solver_forces(s.solver, s.particles, KOSHU_ACCELERATION));
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POTENTIAL,
                                                 KOSHU_READ, &v));
    assert_memory_equal(v.potential, expected.potential,
                        N * sizeof *v.potential);
    end(&s);
    end(&plain);
}

/* A particle without mass that escapes: all others then share a key, and their
 * forces are what they were. */
static void
an_escaper_changes_nothing(void **state)
{
    (void)state;
    struct system s = begin(N, 0.3, KOSHU_CRITERION_GEOMETRIC);
    struct koshu_particle_view v;
    double mass = 0, worst = 0;
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_MASS,
                                                 KOSHU_READ_WRITE, &v));
    v.mass[7] = 0;
    for (size_t i = 0; i < N; i++) mass += v.mass[i];
    v = forces(&s);
    double *const a = copy_of(v.ax, N);
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    v.x[7] = 1e13;
    v = forces(&s);
    for (size_t i = 0; i < N; i++)
        if (i != 7) worst = fmax(worst, fabs(v.ax[i] - a[i]));
    /* other cells: some 1e-4 of forces of about 1 */
    assert_true(worst < 2e-3);
    /* floats; the cluster is not at the origin to 1e-13 of that */
    assert_near(v.ax[7], -mass * 1e-26, 1e-31);
    free(a);
    end(&s);
}

static void
what_is_not_finite_is_named(void **state)
{
    (void)state;
    struct system s = begin(1000, 0.5, KOSHU_CRITERION_RELATIVE);
    struct koshu_particle_view v = forces(&s);
    double *const a = copy_of(v.ax, 1000);
    const double z = v.z[123];
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    v.z[123] = NAN;
    assert_fails(
            s.context, KOSHU_NOT_FINITE, "particle 123",
            koshu_solver_forces(s.solver, s.particles, KOSHU_ACCELERATION));
    /* no acceleration is left: the criterion is that of a first step again */
    assert_ok(s.context, koshu_particles_acquire(s.particles, KOSHU_POSITION,
                                                 KOSHU_READ_WRITE, &v));
    v.z[123] = z;
    v = forces(&s);
    assert_memory_equal(v.ax, a, 1000 * sizeof *a);
    free(a);
    end(&s);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_from_any_order),
        cmocka_unit_test(particles_stay_who_they_are),
        cmocka_unit_test(old_potentials_move_along),
        cmocka_unit_test(an_escaper_changes_nothing),
        cmocka_unit_test(what_is_not_finite_is_named),
};

CUDA_MAIN(tests)
