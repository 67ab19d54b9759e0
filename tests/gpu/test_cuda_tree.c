/* SPDX-License-Identifier: MIT */
/* A tree on the device reorders the store's particles: their identity is kept,
 * and results depend only on their positions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "integrate/integrate.h"
#include "particles/particles.h"
#include "reports.h"
#include "tree_system.h"

/* The second time the particles are in the order of the tree, the third time in
 * that of another tree. */
static void
the_same_bits_from_any_order(void **state)
{
    (void)state;
    struct system s = begin(N, 0.5, KOSHU_OPENING_CRITERION_GEOMETRIC);
    struct koshu_particle_view v;
    pair_up(&s);
    v = forces(&s);
    double *const a = copy_of(v.ax, N), *const x = copy_of(v.x, N);
    double *const potential = copy_of(v.potential, N);
    v = forces(&s);
    assert_memory_equal(v.ax, a, N * sizeof *a);
    assert_memory_equal(v.potential, potential, N * sizeof *a);
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) v.x[i] = -x[i] * 0.7;
    forces(&s);
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    memcpy(v.x, x, N * sizeof *x);
    v = forces(&s);
    assert_memory_equal(v.ax, a, N * sizeof *a);
    assert_memory_equal(v.potential, potential, N * sizeof *a);
    free(a);
    free(x);
    free(potential);
    end(&s);
}

/* What the host reads and writes belongs to the right particle, wherever the
 * device holds it. */
static void
particles_stay_who_they_are(void **state)
{
    (void)state;
    struct system s = begin(N, 0.5, KOSHU_OPENING_CRITERION_RELATIVE);
    struct koshu_backend *backend;
    struct koshu_particle_view v;
    assert_ok(s.context, koshu_backend_of(s.context, &backend));
    assert_ok(s.context,
              koshu_particles_on_host(s.particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) {
        v.mass[i] = (1 + (double)(i % 7)) / N;
        v.vx[i] = (double)i;
    }
    v = forces(&s);
    double *const x = copy_of(v.x, N), *const a = copy_of(v.ax, N);
    assert_ok(s.context, backend->ops->kick(backend, s.particles, 0.5));
    assert_ok(s.context, backend->ops->drift(backend, s.particles, 0.25));
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) {
        assert_true(v.vx[i] == (double)i + a[i] * 0.5);
        v.vx[i] = -(double)i;
    }
    assert_ok(s.context, backend->ops->drift(backend, s.particles, 1));
    v = forces(&s);
    for (size_t i = 0; i < N; i++) {
        const double once = x[i] + ((double)i + a[i] * 0.5) * 0.25;
        assert_true(v.mass[i] == (1 + (double)(i % 7)) / N);
        /* the drift's multiply and add may be fused */
        assert_near(v.x[i], once - (double)i, 1e-15 * (double)N);
    }
    free(x);
    free(a);
    end(&s);
}

/* A potential that was not requested must not move to another particle: the
 * host has not read it yet when the particles are reordered again. */
static void
old_potentials_move_along(void **state)
{
    (void)state;
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct system plain = begin(N, 0.6, KOSHU_OPENING_CRITERION_GEOMETRIC);
    struct system s = begin(N, 0.6, KOSHU_OPENING_CRITERION_GEOMETRIC);
    const struct koshu_particle_view expected = forces(&plain);
    struct koshu_particle_view v;
    assert_ok(s.context, koshu_solver_forces(s.solver, s.particles, fields));
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) v.y[i] = -v.y[i];
    assert_ok(s.context, koshu_solver_forces(s.solver, s.particles,
                                             KOSHU_FIELD_ACCELERATION));
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POTENTIAL,
                                      KOSHU_ACCESS_READ, &v));
    assert_memory_equal(v.potential, expected.potential,
                        N * sizeof *v.potential);
    end(&s);
    end(&plain);
}

/* A massless particle escapes so far that all others share one key; their
 * forces must stay right. */
static void
an_escaper_changes_nothing(void **state)
{
    (void)state;
    struct system s = begin(N, 0.3, KOSHU_OPENING_CRITERION_GEOMETRIC);
    struct koshu_particle_view v;
    double mass = 0, worst = 0;
    assert_ok(s.context, koshu_particles_on_host(s.particles, KOSHU_FIELD_MASS,
                                                 KOSHU_ACCESS_READ_WRITE, &v));
    v.mass[7] = 0;
    for (size_t i = 0; i < N; i++) mass += v.mass[i];
    v = forces(&s);
    double *const a = copy_of(v.ax, N);
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    v.x[7] = 1e13;
    v = forces(&s);
    for (size_t i = 0; i < N; i++)
        if (i != 7) worst = fmax(worst, fabs(v.ax[i] - a[i]));
    /* other cells: differences of 1e-4 in forces of about 1 */
    assert_true(worst < 2e-3);
    /* float; the cluster is at the origin within 1e-13 of that distance */
    assert_near(v.ax[7], -mass * 1e-26, 1e-31);
    free(a);
    end(&s);
}

/* Uniform particles such that most octants of one level have a few more than
 * fit in a leaf: leaves are enlarged, and memory stays within what was
 * promised. A requested leaf size is kept. */
static void
memory_is_bounded(void **state)
{
    (void)state;
    const size_t n = 36 << 15; /* 36 in each octant of level 5 */
    struct koshu_tree_options tree = koshu_tree_options_default();
    tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    tree.theta = 1;
    for (tree.n_leaf = 0; tree.n_leaf <= 32; tree.n_leaf += 32) {
        struct system s = begin_with(KOSHU_MODEL_CUBE, n, tree);
        forces(&s);
        const struct koshu_tree_report r = tree_report_of(s.solver);
        if (tree.n_leaf == 0)
            assert_true(r.n_leaf > 32 && r.bytes <= 110 * n);
        else
            assert_true(r.n_leaf == 32 && r.bytes > 110 * n);
        end(&s);
    }
}

/* More particles than one range of an array that is brought in the host's order
 * (particles/store.cu), to the host and back. */
static void
long_arrays_keep_their_order(void **state)
{
    (void)state;
    enum { MANY = (1 << 24) + 5 };
    struct koshu_particle_view v;
    struct koshu_backend *backend;
    struct system s =
            begin_with(KOSHU_MODEL_CUBE, MANY, koshu_tree_options_default());
    assert_ok(s.context, koshu_backend_of(s.context, &backend));
    double *const x = copy_of(forces(&s).x, MANY);
    for (int turn = 0; turn < 2; turn++) {
        /* only the device has positions then */
        assert_ok(s.context, koshu_drift(backend, s.particles, 0));
        assert_ok(s.context,
                  koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                          KOSHU_ACCESS_READ_WRITE, &v));
        assert_memory_equal(v.x, x, MANY * sizeof *x);
    }
    free(x);
    end(&s);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_from_any_order),
        cmocka_unit_test(particles_stay_who_they_are),
        cmocka_unit_test(old_potentials_move_along),
        cmocka_unit_test(an_escaper_changes_nothing),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(long_arrays_keep_their_order),
};

CUDA_MAIN(tests)
