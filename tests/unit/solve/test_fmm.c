/* SPDX-License-Identifier: MIT */
/* Gravity by the fast multipole method, compared with direct sums. */
#include <string.h>

#include <koshu/ewald.h>

#include "tree_errors.h"

static struct koshu_laplace_options expansions;

static struct koshu_solver_options
fmm_options(unsigned order, enum koshu_precision precision)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_FMM;
    o.precision = precision;
    o.fmm = &expansions;
    expansions = koshu_laplace_options_default();
    expansions.tolerance = 0;
    expansions.multipole_order = order;
    expansions.n_leaf = 32; /* small leaves make more levels */
    return o;
}

#define REFUSED(member, value, status, words)                    \
    do {                                                         \
        struct koshu_solver_options o =                          \
                fmm_options(8, KOSHU_PRECISION_SINGLE);          \
        struct koshu_solver *solver;                             \
        member = (value);                                        \
        assert_fails(context, status, words,                     \
                     koshu_solver_create(context, &o, &solver)); \
        assert_null(solver);                                     \
    } while (0)

static void
bad_options_are_refused(void **state)
{
    (void)state;
    REFUSED(expansions.multipole_order, 0, KOSHU_ERROR_INVALID_ARGUMENT,
            "multipole order 0: it must be from 1 to 20");
    REFUSED(expansions.theta, 1, KOSHU_ERROR_INVALID_ARGUMENT, "theta = 1");
    REFUSED(expansions.tolerance, 1e-30, KOSHU_ERROR_INVALID_ARGUMENT,
            "tolerance = 1e-30");
    REFUSED(o.method, (enum koshu_method)7, KOSHU_ERROR_INVALID_ARGUMENT,
            "unknown solver method 7");
}

/* (sum |a - a_direct|^2 / sum |a_direct|^2)^(1/2), and the same for the
 * potential. */
static void
expect_errors(const struct koshu_particle_view *v, const struct copy *truth,
              double a_bound, double potential_bound)
{
    double off[2] = {0}, all[2] = {0};
    const double *const a[3] = {v->ax, v->ay, v->az};
    for (size_t i = 0; i < v->n; i++) {
        for (int k = 0; k < 3; k++) {
            off[0] += pow(a[k][i] - truth->a[k][i], 2);
            all[0] += pow(truth->a[k][i], 2);
        }
        off[1] += pow(v->potential[i] - truth->potential[i], 2);
        all[1] += pow(truth->potential[i], 2);
    }
    const double e[2] = {sqrt(off[0] / all[0]), sqrt(off[1] / all[1])};
    print_message("fmm: a %.2e, potential %.2e\n", e[0], e[1]);
    assert_true(e[0] < a_bound && e[1] < potential_bound);
}

/* Bounds measured for src/solve/fmm_choose.c with other particles; potentials
 * have smaller errors. */
static void
forces_are_those_of_direct_sums(void **state)
{
    (void)state;
    static const struct {
        unsigned order;
        double bound;
    } of[] = {{4, 1e-3}, {8, 2e-5}, {16, 6e-8}};
    for (int m = 0; m < 2; m++) {
        struct koshu_particles *p =
                model(m ? KOSHU_MODEL_CUBE : KOSHU_MODEL_PLUMMER, N);
        struct copy truth = truth_of(p, 0);
        for (size_t k = 0; k < 3; k++) {
            const struct koshu_solver_options o =
                    fmm_options(of[k].order, KOSHU_PRECISION_DOUBLE);
            const struct koshu_particle_view v = forces(context, &o, p);
            expect_errors(&v, &truth, of[k].bound, of[k].bound);
        }
        copy_free(&truth);
        koshu_particles_destroy(p);
    }
}

/* With a softening far below the size of leaves (a tenth), near it, and beyond
 * the whole system: errors remain those of the order, as src/solve/fmm_soften.c
 * promises. Also for a cube, whose forces nearly cancel. */
static void
softened_forces_are_those_of_direct_sums(void **state)
{
    (void)state;
    static const double eps[] = {1e-3, 1e-2, 5e-2, 0.2, 3};
    static const struct {
        unsigned order;
        double bound;
    } of[] = {{4, 1e-3}, {8, 2e-5}, {12, 1e-6}};
    for (size_t k = 0; k < sizeof eps / sizeof eps[0]; k++) {
        struct koshu_particles *p =
                model(k % 2 ? KOSHU_MODEL_CUBE : KOSHU_MODEL_PLUMMER, N);
        struct copy truth = truth_of(p, eps[k]);
        for (size_t m = 0; m < 3; m++) {
            struct koshu_solver_options o =
                    fmm_options(of[m].order, KOSHU_PRECISION_DOUBLE);
            o.softening = eps[k];
            const struct koshu_particle_view v = forces(context, &o, p);
            expect_errors(&v, &truth, of[m].bound, of[m].bound);
        }
        copy_free(&truth);
        koshu_particles_destroy(p);
    }
}

/* More coincident particles than a leaf may have. */
static void
particles_in_one_point_do_not_act_on_themselves(void **state)
{
    (void)state;
    const size_t coincident = 500;
    struct koshu_solver_options o = fmm_options(12, KOSHU_PRECISION_DOUBLE);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct koshu_particle_view x;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &x));
    for (size_t i = 1; i < coincident; i++)
        x.x[i] = x.x[0], x.y[i] = x.y[0], x.z[i] = x.z[0];
    o.softening = 0.01;
    struct copy truth = truth_of(p, o.softening);
    const struct koshu_particle_view v = forces(context, &o, p);
    /* a particle's own potential would add 4e-3 */
    expect_errors(&v, &truth, 4e-6, 1e-6);
    copy_free(&truth);
    koshu_particles_destroy(p);
}

static void
same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    struct koshu_solver_options o = fmm_options(6, KOSHU_PRECISION_SINGLE);
    o.softening = 0.01;
    struct koshu_context *two = test_context(on_backend("cpu"), 2);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct koshu_particle_view v = forces(context, &o, p);
    double *ax = malloc(N * sizeof *ax);
    assert_non_null(ax);
    memcpy(ax, v.ax, N * sizeof *ax);
    v = forces(two, &o, p);
    assert_memory_equal(ax, v.ax, N * sizeof *ax);
    free(ax);
    koshu_particles_destroy(p);
    koshu_context_destroy(two);
}

/* Reports, errors, and the order of particles from the tree. */
static void
a_solver_tells_what_it_did(void **state)
{
    (void)state;
    const struct koshu_solver_options o =
            fmm_options(6, KOSHU_PRECISION_SINGLE);
    const unsigned fields = KOSHU_FIELD_ACCELERATION;
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct koshu_solver_options used = {.size = sizeof used};
    struct koshu_tree_errors e = {.size = sizeof e}, after = e;
    struct koshu_solver *solver;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context, koshu_solver_options_of(solver, &used));
    assert_int_equal(used.fmm->multipole_order, 6);
    for (int k = 0; k < 2; k++)
        assert_ok(context, koshu_solver_forces(solver, p, fields));
    const struct koshu_tree_report last = tree_report_of(solver),
                                   total = tree_total_of(solver);
    assert_int_equal(last.particles, N);
    assert_true(last.cells > N / 32 && last.translations > last.cells);
    assert_int_equal(last.n_leaf, 32);
    assert_true(last.interactions > N && last.interactions < (size_t)N * N);
    assert_int_equal(total.evaluations, 2);
    assert_int_equal(total.translations, 2 * last.translations);
    assert_ok(context, koshu_solver_tree_errors(solver, p, N, &e));
    assert_true(e.sample == N && e.median > 0 && e.rms < 1e-2);
    assert_true(e.barnes_hut_length == 0);
    assert_ok(context, koshu_solver_reorder(solver, p));
    assert_ok(context, koshu_solver_tree_errors(solver, p, N, &after));
    /* the sums are taken in another order */
    assert_near(after.rms, e.rms, 1e-6);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

/* A few particles beside a face of a large, full cell, far from each other:
 * their leaf is as wide as the cell, and all of it is near to them. */
static struct koshu_particles *
cube_with_a_rest(size_t n)
{
    enum { FEW = 7 };
    struct koshu_particles *p = model(KOSHU_MODEL_CUBE, n);
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context, koshu_particles_acquire_write(
                               p, KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS,
                               KOSHU_ACCESS_READ_WRITE, &v));
    /* the first one makes the root this large */
    for (size_t k = 0; k < FEW; k++) {
        v.x[k] = k == 0 ? 1.5 : 0.52;
        v.y[k] = k == 0 ? 1.5 : 0.15 * (double)k - 0.5;
        v.z[k] = k == 0 ? 1.5 : 0.4 - 0.13 * (double)k;
        v.mass[k] *= 100;
    }
    koshu_particles_release_write(p);
    return p;
}

static void
a_leaf_may_be_near_all(void **state)
{
    (void)state;
    static const enum koshu_precision of[] = {KOSHU_PRECISION_SINGLE,
                                              KOSHU_PRECISION_MIXED,
                                              KOSHU_PRECISION_DOUBLE};
    static const double eps[] = {0, 0.01};
    struct koshu_particles *p = cube_with_a_rest(12000);
    for (size_t m = 0; m < 2; m++) {
        struct copy truth = truth_of(p, eps[m]);
        for (size_t k = 0; k < 3; k++) {
            struct koshu_solver_options o = fmm_options(8, of[k]);
            o.softening = eps[m];
            expansions.n_leaf = 8;
            const struct koshu_particle_view v = forces(context, &o, p);
            expect_errors(&v, &truth, 6e-5, 6e-5);
        }
        copy_free(&truth);
    }
    koshu_particles_destroy(p);
}

/* Ewald sums at the particles, which include those with their own images. */
static void
sum_by_ewald(const struct koshu_particle_view *v, double box, double eps,
             double *potential)
{
    struct koshu_ewald_options options = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default(), to;
    struct koshu_laplace_result r = koshu_laplace_result_default();
    options.box = box;
    options.softening = eps;
    from.n = v->n;
    from.x = v->x, from.y = v->y, from.z = v->z;
    from.charge = v->mass;
    to = from;
    to.charge = NULL;
    r.potential = potential;
    assert_ok(context, koshu_ewald_sums(context, &from, &to, &options, &r));
}

/* In a box of 16 the sum over near images is 8, which the background cancels to
 * some 0.1; a particle's softened potential of itself would be 50. */
static void
two_in_a_box_keep_their_digits(void **state)
{
    (void)state;
    static const double eps = 0.013, mass[] = {0.37, 0.63};
    struct koshu_solver_options o = fmm_options(10, KOSHU_PRECISION_SINGLE);
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, 2);
    struct koshu_particle_view v;
    double potential[2];
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    memcpy(v.mass, mass, sizeof mass);
    o.softening = eps;
    expansions.box = 16;
    v = forces(context, &o, p);
    sum_by_ewald(&v, expansions.box, eps, potential);
    for (int i = 0; i < 2; i++)
        if (!(fabs(v.potential[i] + potential[i]) < 4e-6))
            fail_msg("particle %d: %.7f, by Ewald sums %.7f", i, v.potential[i],
                     -potential[i]);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(bad_options_are_refused),
            cmocka_unit_test(forces_are_those_of_direct_sums),
            cmocka_unit_test(softened_forces_are_those_of_direct_sums),
            cmocka_unit_test(particles_in_one_point_do_not_act_on_themselves),
            cmocka_unit_test(a_leaf_may_be_near_all),
            cmocka_unit_test(two_in_a_box_keep_their_digits),
            cmocka_unit_test(same_bits_for_any_number_of_threads),
            cmocka_unit_test(a_solver_tells_what_it_did),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
