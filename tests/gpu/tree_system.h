/* SPDX-License-Identifier: MIT */
/* A solver with a tree on the device, and its store. */
#ifndef KOSHU_TESTS_TREE_SYSTEM_H
#define KOSHU_TESTS_TREE_SYSTEM_H

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "particles/particles.h"

enum { N = 20000 };

/* A solver and its store, whose results are compared bit by bit. */
struct system {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
};

static inline struct system
begin_with(enum koshu_model model, size_t n, struct koshu_tree_options tree)
{
    struct system s = {.context = test_context("cuda", 0)};
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    initial.model = model;
    initial.n = n;
    options.method = KOSHU_METHOD_TREE;
    options.softening = 0.02;
    tree.traversal = KOSHU_TRAVERSAL_DEVICE;
    options.tree = &tree;
    assert_ok(s.context,
              koshu_initial_create(s.context, &initial, &s.particles));
    assert_ok(s.context, koshu_solver_create(s.context, &options, &s.solver));
    return s;
}

static inline struct system
begin(size_t n, double theta, enum koshu_opening_criterion criterion)
{
    struct koshu_tree_options tree = koshu_tree_options_default();
    tree.theta = theta;
    tree.opening_criterion = criterion;
    tree.alpha = 0.002;
    return begin_with(KOSHU_MODEL_PLUMMER, n, tree);
}

static inline void
end(struct system *s)
{
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_context_destroy(s->context);
}

static inline struct koshu_particle_view
forces(struct system *s)
{
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_particle_view v;
    assert_ok(s->context, koshu_solver_forces(s->solver, s->particles, fields));
    assert_ok(s->context, koshu_particles_on_host(s->particles, KOSHU_FIELD_ALL,
                                                  KOSHU_ACCESS_READ, &v));
    return v;
}

static inline double *
copy_of(const double *x, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, x, n * sizeof *copy);
    return copy;
}

/* Moves every second particle to the place of another, or almost: only the
 * order of particles with equal keys could then differ. */
static inline void
pair_up(struct system *s)
{
    struct koshu_particle_view v;
    assert_ok(s->context,
              koshu_particles_on_host(s->particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 1; i < v.n; i += 2) {
        v.x[i] = v.x[i - 1] + (i % 4 == 1 ? 0 : 1e-13);
        v.y[i] = v.y[i - 1];
        v.z[i] = v.z[i - 1];
    }
}

#endif
