/* SPDX-License-Identifier: MIT */
/* Forces by the tree: refusals, order of the error, threads. */
#include <math.h>
#include <string.h>

#include <koshu/initial.h>
#include <koshu/solver.h>

#include "on_backend.h"
#include "reports.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "particles/particles.h"
#include "tree_errors.h"

static struct copy
copy_of(const struct koshu_particle_view *v)
{
    struct copy c = copy_create(v->n, 1);
    const double *const from[] = {v->ax, v->ay, v->az, v->potential};
    double *const to[] = {c.a[0], c.a[1], c.a[2], c.potential};
    for (int k = 0; k < 4; k++) memcpy(to[k], from[k], v->n * sizeof(double));
    return c;
}

static void
bad_options_are_refused(void **state)
{
    (void)state;
    struct koshu_solver *solver;
    struct koshu_solver_options o;
#define REFUSED(member, value, status, words)                \
    o = tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE); \
    member = (value);                                        \
    assert_fails(context, status, words,                     \
                 koshu_solver_create(context, &o, &solver)); \
    assert_null(solver)
    REFUSED(tree.theta, 0, KOSHU_ERROR_INVALID_ARGUMENT, "theta = 0");
    REFUSED(tree.theta, 1.1, KOSHU_ERROR_INVALID_ARGUMENT, "theta = 1.1");
    REFUSED(tree.theta, NAN, KOSHU_ERROR_INVALID_ARGUMENT, "theta = nan");
    REFUSED(tree.alpha, 0, KOSHU_ERROR_INVALID_ARGUMENT, "alpha = 0");
    REFUSED(tree.alpha, INFINITY, KOSHU_ERROR_INVALID_ARGUMENT, "alpha = inf");
    REFUSED(tree.multipole_order, (enum koshu_multipole_order)7,
            KOSHU_ERROR_INVALID_ARGUMENT, "order 7");
    REFUSED(tree.opening_criterion, (enum koshu_opening_criterion)7,
            KOSHU_ERROR_INVALID_ARGUMENT, "criterion 7");
    REFUSED(tree.space_filling_curve, (enum koshu_space_filling_curve)7,
            KOSHU_ERROR_INVALID_ARGUMENT, "curve 7");
    REFUSED(tree.traversal, (enum koshu_traversal)7,
            KOSHU_ERROR_INVALID_ARGUMENT, "traversal 7");
    REFUSED(o.precision, KOSHU_PRECISION_DOUBLE, KOSHU_ERROR_UNSUPPORTED,
            "double precision");
    REFUSED(o.method, (enum koshu_method)7, KOSHU_ERROR_INVALID_ARGUMENT,
            "method 7");
}

static void
places_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    const struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 100);
    struct koshu_particle_view v;
    struct koshu_solver *solver;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.z[7] = NAN;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 7",
                 koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

static void
particles_that_a_caller_holds_are_refused(void **state)
{
    (void)state;
    const struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 100);
    struct koshu_particle_view v = {.size = sizeof v};
    struct koshu_particle_const_view w = {.size = sizeof w};
    struct koshu_solver *solver;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context,
              koshu_particles_acquire_write(p, KOSHU_FIELD_POSITION,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_solver_forces(): a view of the particles for writing",
                 koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    struct koshu_tree_errors errors = {.size = sizeof errors};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_solver_tree_errors(): a view of the particles",
                 koshu_solver_tree_errors(solver, p, 10, &errors));
    koshu_particles_release_write(p);
    assert_ok(context,
              koshu_particles_acquire_read(p, KOSHU_FIELD_POSITION, &w));
    assert_ok(context,
              koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_solver_reorder(): a view of the particles for reading",
                 koshu_solver_reorder(solver, p));
    koshu_particles_release_read(p);
    assert_ok(context, koshu_solver_reorder(solver, p));
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

/* docs/tree.md: with theta = 0.5, quadrupoles and groups of 64, the median is
 * below 2e-4 and 99 % are below 1e-3. */
static void
errors_are_as_promised(void **state)
{
    (void)state;
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 20000);
    struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    tree.n_crit = 64;
    struct copy truth = truth_of_every(p, SPARSE, o.softening);
    for (int fast = 0; fast < 2; fast++) {
        o.fast = fast;
        const struct koshu_particle_view v = forces(context, &o, p);
        assert_true(error_of(&v, &truth, 0.5) < 2e-4);
        assert_true(error_of(&v, &truth, 0.99) < 1e-3);
    }
    copy_free(&truth);
    koshu_particles_destroy(p);
}

/* The error of the first omitted moment is theta^p of the cell's force, and the
 * errors of many cells add up randomly. Measured exponents are a little above 2
 * and 3, because most cells are further away than the criterion requires.
 * Halving theta must reduce the error by at least 2^1.7 and 2^2.7. */
static void
errors_fall_as_the_order_says(void **state)
{
    (void)state;
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 16384);
    struct copy truth = truth_of_every(p, SPARSE, 0.02);
    for (int order = 0; order < 2; order++) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            const struct koshu_solver_options o = tree_options(
                    ldexp(0.8, -k), (enum koshu_multipole_order)order);
            const struct koshu_particle_view v = forces(context, &o, p);
            error[k] = error_of(&v, &truth, 0.5);
        }
        const double gain = order == KOSHU_MULTIPOLE_ORDER_MONOPOLE ? 1.7 : 2.7;
        for (int k = 0; k < 2; k++)
            if (!(error[k] > pow(2, gain) * error[k + 1]))
                fail_msg("order %d: errors %g %g %g", order, error[0], error[1],
                         error[2]);
    }
    copy_free(&truth);
    koshu_particles_destroy(p);
}

/* Lists with all particles give the direct sum. Positions are in single
 * precision relative to each group: 1e-6 of the force, more where forces
 * cancel. */
static void
a_tiny_theta_is_the_direct_sum(void **state)
{
    (void)state;
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct copy truth = truth_of(p, 0.02);
    struct koshu_solver_options o =
            tree_options(1e-9, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    for (int mixed = 0; mixed < 2; mixed++) {
        o.precision = mixed ? KOSHU_PRECISION_MIXED : KOSHU_PRECISION_SINGLE;
        const struct koshu_particle_view v = forces(context, &o, p);
        assert_true(error_of(&v, &truth, 0.99) < 1e-6);
        for (size_t i = 0; i < v.n; i++)
            assert_near(v.potential[i], truth.potential[i],
                        1e-6 * fabs(truth.potential[i]));
    }
    copy_free(&truth);
    koshu_particles_destroy(p);
}

/* The error is roughly below alpha for any distribution; from the first
 * evaluation on, whose accelerations are found by the way (by the geometric
 * criterion lists would be half as long again). */
static void
the_relative_criterion_bounds_errors(void **state)
{
    (void)state;
    struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particles *p = model(KOSHU_MODEL_HERNQUIST, 20000);
    struct copy truth = truth_of_every(p, SPARSE, o.softening);
    struct koshu_solver *solver;
    struct koshu_particle_view v;
    tree.opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ACCELERATION,
                                               KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.ax[i] = v.ay[i] = v.az[i] = 0;
    double length[2];
    for (int k = 0; k < 2; k++) {
        assert_ok(context,
                  koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
        length[k] = (double)tree_report_of(solver).interactions;
        assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ACCELERATION,
                                                   KOSHU_ACCESS_READ, &v));
        assert_true(error_of(&v, &truth, 0.99) < 1e-3);
    }
    assert_near(length[0], length[1], 0.01 * length[1]);
    koshu_solver_destroy(solver);
    copy_free(&truth);
    koshu_particles_destroy(p);
}

static void
same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {2, 5};
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 20000);
    struct koshu_solver_options o =
            tree_options(0.7, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particle_view v = forces(context, &o, p);
    struct copy first = copy_of(&v);
    for (int k = 0; k < 2; k++) {
        struct koshu_context *other = test_context(FIXTURE_BACKEND, threads[k]);
        struct koshu_particles *q;
        struct koshu_initial_options i = koshu_initial_options_default();
        i.n = 20000;
        assert_ok(other, koshu_initial_create(other, &i, &q));
        v = forces(other, &o, q);
        assert_memory_equal(v.ax, first.a[0], v.n * sizeof *v.ax);
        assert_memory_equal(v.az, first.a[2], v.n * sizeof *v.ax);
        assert_memory_equal(v.potential, first.potential, v.n * sizeof *v.ax);
        koshu_particles_destroy(q);
        koshu_context_destroy(other);
    }
    copy_free(&first);
    koshu_particles_destroy(p);
}

/* The error of all accelerations together. */
static double
l2_of(const struct koshu_particle_view *v, const struct copy *truth)
{
    const double *const got[3] = {v->ax, v->ay, v->az};
    double off2 = 0, all2 = 0;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < truth->n; i++) {
            off2 += pow(got[c][i] - truth->a[c][i], 2);
            all2 += pow(truth->a[c][i], 2);
        }
    return sqrt(off2 / all2);
}

/* The sampled errors are those of their particles, Barnes-Hut lists are
 * shorter, and a wrong force is noticed. */
static void
errors_are_measured(void **state)
{
    (void)state;
    struct koshu_solver_options o =
            tree_options(0.6, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct copy truth = truth_of(p, o.softening);
    struct koshu_particle_view v = forces(context, &o, p);
    struct koshu_solver *solver;
    struct koshu_tree_errors e = {.size = sizeof e};
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context, koshu_solver_tree_errors(solver, p, 2 * N, &e));
    assert_int_equal(e.sample, N);
    assert_near(e.median, error_of(&v, &truth, 0.5), 1e-9);
    assert_near(e.p90, error_of(&v, &truth, 0.9), 1e-9);
    assert_near(e.p99, error_of(&v, &truth, 0.99), 1e-9);
    assert_near(e.max, error_of(&v, &truth, 1), 1e-9);
    assert_true(e.rms > e.median && e.rms < e.max);
    assert_near(e.l2, l2_of(&v, &truth), 1e-9);
    assert_ok(context,
              koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    const struct koshu_tree_report r = tree_report_of(solver);
    const double length = (double)r.interactions / N;
    assert_true(e.barnes_hut_length > 50 && e.barnes_hut_length < length);
    assert_int_equal(tree_total_of(solver).interactions, r.interactions);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ACCELERATION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.ay[0] += 1;
    assert_ok(context, koshu_solver_tree_errors(solver, p, 10, &e));
    assert_true(e.sample == 10 && e.max > 1e-2 && e.median < 1e-2);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no sample",
                 koshu_solver_tree_errors(solver, p, 0, &e));
    koshu_solver_destroy(solver);
    o.method = KOSHU_METHOD_DIRECT; /* rounding only */
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context,
              koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    e.barnes_hut_length = NAN;
    assert_ok(context, koshu_solver_tree_errors(solver, p, 2 * N, &e));
    assert_true(e.rms > 0 && e.max < 1e-4 && e.barnes_hut_length == 0);
    assert_int_equal(tree_total_of(solver).evaluations, 0);
    koshu_solver_destroy(solver);
    copy_free(&truth);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(bad_options_are_refused),
            cmocka_unit_test(places_that_are_no_numbers_are_refused),
            cmocka_unit_test(particles_that_a_caller_holds_are_refused),
            cmocka_unit_test(errors_are_as_promised),
            cmocka_unit_test(errors_fall_as_the_order_says),
            cmocka_unit_test(a_tiny_theta_is_the_direct_sum),
            cmocka_unit_test(the_relative_criterion_bounds_errors),
            cmocka_unit_test(same_bits_for_any_number_of_threads),
            cmocka_unit_test(errors_are_measured),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
