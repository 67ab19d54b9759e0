/* SPDX-License-Identifier: MIT */
/* Forces by the tree and their errors, compared with direct sums. */
#ifndef KOSHU_TESTS_TREE_ERRORS_H
#define KOSHU_TESTS_TREE_ERRORS_H

#include <math.h>
#include <stdlib.h>

#include <koshu/initial.h>
#include <koshu/solver.h>

#include "on_backend.h"
#include "reports.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "particles/particles.h"

/* SPARSE: large systems are sampled, one particle in so many. The median and
 * the 99 % value are then those of about a thousand and of ten particles. */
enum { N = 3000, SPARSE = 16 };

/* Options of the next tree solver that is created. */
static struct koshu_tree_options tree;

static inline struct koshu_solver_options
tree_options(double theta, enum koshu_multipole_order order)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_TREE;
    o.softening = 0.02;
    o.tree = &tree;
    tree = koshu_tree_options_default();
    tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    tree.theta = theta;
    tree.multipole_order = order;
    tree.n_crit = 16;
    tree.traversal = on_host() ? KOSHU_TRAVERSAL_HOST : KOSHU_TRAVERSAL_AUTO;
    return o;
}

static inline struct koshu_particles *
model(enum koshu_model which, size_t n)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *p;
    o.model = which;
    o.n = n;
    assert_ok(context, koshu_initial_create(context, &o, &p));
    return p;
}

/* Accelerations and potentials of a store, NaN before; returns its view. */
static inline struct koshu_particle_view
forces(struct koshu_context *in, const struct koshu_solver_options *options,
       struct koshu_particles *p)
{
    struct koshu_particle_view v;
    struct koshu_solver *solver;
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    assert_ok(in, koshu_particles_on_host(p, fields, KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < v.n; i++)
        v.ax[i] = v.ay[i] = v.az[i] = v.potential[i] = NAN;
    assert_ok(in, koshu_solver_create(in, options, &solver));
    assert_ok(in, koshu_solver_forces(solver, p, fields));
    koshu_solver_destroy(solver);
    assert_ok(in, koshu_particles_on_host(p, KOSHU_FIELD_ALL, KOSHU_ACCESS_READ,
                                          &v));
    return v;
}

/* A copy of the values of particles 0, step, 2 * step ... */
struct copy {
    size_t n, step;
    double *a[3], *potential;
};

static inline struct copy
copy_create(size_t n, size_t step)
{
    struct copy c = {.n = (n + step - 1) / step, .step = step};
    double **const arrays[] = {&c.a[0], &c.a[1], &c.a[2], &c.potential};
    for (int k = 0; k < 4; k++) {
        *arrays[k] = calloc(c.n, sizeof(double));
        assert_non_null(*arrays[k]);
        for (size_t i = 0; i < c.n; i++) (*arrays[k])[i] = NAN;
    }
    return c;
}

static inline void
copy_free(struct copy *c)
{
    for (int k = 0; k < 3; k++) free(c->a[k]);
    free(c->potential);
}

/* A copy of the direct sums, in double. */
static inline struct copy
truth_of_every(struct koshu_particles *p, size_t step, double eps)
{
    struct koshu_force_options o = koshu_force_options_default();
    struct koshu_particle_view v;
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.softening = eps;
    assert_ok(context, koshu_particles_on_host(
                               p, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                               KOSHU_ACCESS_READ, &v));
    struct copy c = copy_create(v.n, step);
    double *place[3];
    int64_t *id = calloc(c.n, sizeof *id);
    assert_non_null(id);
    for (int k = 0; k < 3; k++) {
        const double *const from = k == 0 ? v.x : k == 1 ? v.y : v.z;
        place[k] = calloc(c.n, sizeof(double));
        assert_non_null(place[k]);
        for (size_t i = 0; i < c.n; i++) place[k][i] = from[i * step];
    }
    for (size_t i = 0; i < c.n; i++) id[i] = (int64_t)(i * step);
    const struct koshu_i_particles i = {
            .n = c.n, .x = place[0], .y = place[1], .z = place[2], .id = id};
    const struct koshu_j_particles j = {
            .n = v.n, .x = v.x, .y = v.y, .z = v.z, .mass = v.mass};
    const struct koshu_force_result result = {
            .ax = c.a[0], .ay = c.a[1], .az = c.a[2], .potential = c.potential};
    assert_ok(context, koshu_force_direct(context, &i, &j, &o, &result));
    for (int k = 0; k < 3; k++) free(place[k]);
    free(id);
    return c;
}

static inline struct copy
truth_of(struct koshu_particles *p, double eps)
{
    return truth_of_every(p, 1, eps);
}

static inline int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile `part` of the errors of particles with known forces; 0.5:
 * median. */
static inline double
error_of(const struct koshu_particle_view *v, const struct copy *truth,
         double part)
{
    double *error = calloc(truth->n, sizeof *error);
    assert_non_null(error);
    for (size_t k = 0; k < truth->n; k++) {
        const size_t i = k * truth->step;
        const double off[3] = {v->ax[i] - truth->a[0][k],
                               v->ay[i] - truth->a[1][k],
                               v->az[i] - truth->a[2][k]};
        double size =
                hypot(hypot(truth->a[0][k], truth->a[1][k]), truth->a[2][k]);
        error[k] = hypot(hypot(off[0], off[1]), off[2]) / size;
        if (isnan(error[k])) error[k] = INFINITY;
    }
    qsort(error, truth->n, sizeof *error, compare);
    double result = error[(size_t)(part * (double)(truth->n - 1))];
    free(error);
    return result;
}

#endif
