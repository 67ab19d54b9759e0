/* SPDX-License-Identifier: MIT */
/* Solvers that divide space into domains: the tree and the FMM, in free space
 * and in periodic boxes. */
#ifndef KOSHU_TESTS_MPI_METHODS_H
#define KOSHU_TESTS_MPI_METHODS_H

#include <math.h>

#include <koshu/force.h>
#include <koshu/solver.h>

#include "kernels/opening.h"
#include "ranks.h"
#include "solve/solve.h"

static const double eps = 1.0 / 64;

struct method {
    enum koshu_method of;
    double box; /* edge length; 0: free space */
    bool mixed, monopole, geometric;
    enum koshu_transport transport;
    /* Of an FMM: its multipole order, 0: chosen from the tolerance; whether it
     * runs in double precision; whether without softening (bare). */
    int order;
    bool in_double, bare;
    bool by_size; /* theta is smaller for larger cells */
};
static const struct method methods[] = {{.of = KOSHU_METHOD_TREE},
                                        {.of = KOSHU_METHOD_FMM},
                                        {KOSHU_METHOD_TREE, .box = 16},
                                        {KOSHU_METHOD_FMM, .box = 16}};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* Other options. A device has separate operators for low orders, for high
 * orders and for double precision. */
static const struct method variants[] = {
        {.of = KOSHU_METHOD_TREE, .mixed = true},
        {.of = KOSHU_METHOD_TREE, .monopole = true},
        {.of = KOSHU_METHOD_TREE, .geometric = true},
        {.of = KOSHU_METHOD_FMM, .order = 4},
        {.of = KOSHU_METHOD_FMM, .order = 12},
        {.of = KOSHU_METHOD_FMM, .order = 8, .in_double = true},
        {.of = KOSHU_METHOD_FMM, .bare = true},
        {.of = KOSHU_METHOD_FMM, .order = 8, .by_size = true}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* From that theta for the largest cells on. */
static inline void
set_theta_by_size(struct koshu_solver *solver, double theta)
{
    struct koshu_opening o = {.per_largest = 1.0 / 16};
    for (int k = 0; k < KOSHU_OPENING_SIZES; k++)
        o.theta[k] = fmin(theta * pow(1.06, k), 0.8);
    koshu_solver_set_opening(solver, &o);
}

/* KOSHU_ERROR_UNSUPPORTED: the transport is not available here. */
static inline koshu_status
make_solver(struct koshu_context *c, const struct method *method,
            struct koshu_solver **solver)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_tree_options tree = koshu_tree_options_default();
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    options.method = method->of;
    options.transport = method->transport;
    options.softening = method->bare ? 0 : eps;
    options.tree = &tree;
    options.fmm = &fmm;
    tree.box = fmm.box = method->box;
    if (method->mixed) options.precision = KOSHU_PRECISION_MIXED;
    if (method->monopole) tree.multipole_order = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    if (method->geometric)
        tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    if (method->of == KOSHU_METHOD_DIRECT)
        options.precision = KOSHU_PRECISION_DOUBLE;
    if (method->in_double) fmm.precision = KOSHU_PRECISION_DOUBLE;
    if (method->order > 0) {
        fmm.tolerance = 0;
        fmm.multipole_order = (unsigned)method->order;
    }
    KOSHU_TRY(koshu_solver_create(c, &options, solver));
    if (method->by_size) set_theta_by_size(*solver, fmm.theta);
    return KOSHU_OK;
}

static inline struct koshu_solver *
solver_of(struct koshu_context *c, const struct method *method)
{
    struct koshu_solver *solver;
    assert_ok(c, make_solver(c, method, &solver));
    return solver;
}

static inline void
sum(struct koshu_context *c, struct koshu_solver *solver,
    struct koshu_particles *p)
{
    assert_ok(c, koshu_solver_forces(solver, p,
                                     KOSHU_FIELD_ACCELERATION |
                                             KOSHU_FIELD_POTENTIAL));
}

#endif
