/* SPDX-License-Identifier: MIT */
/* Particles in a periodic box: forces by a solver, and by Ewald sums. */
#ifndef KOSHU_TESTS_PERIODIC_H
#define KOSHU_TESTS_PERIODIC_H

#include <koshu/solver.h>

#include "probes.h"

static double got[4][MAX_N]; /* accelerations and potential */

static inline void
put(size_t i, double px, double py, double pz, double m)
{
    x[i] = px;
    y[i] = py;
    z[i] = pz;
    charge[i] = m;
}

/* Places n particles, denser towards a corner of the box by this power. */
static inline void
fill(size_t n, double power)
{
    for (size_t i = 0; i < n; i++)
        put(i, pow(uniform(), power), pow(uniform(), power),
            pow(uniform(), power), (0.5 + uniform()) / (double)n);
}

static inline void
choose_probes(size_t n, size_t count)
{
    n_probes = count;
    for (size_t k = 0; k < count; k++) probe[k] = k * n / count;
}

/* Accelerations and gravitational potentials. */
static inline void
sum_by_ewald(size_t n, double box, double eps)
{
    sum_at_probes(n, box, eps);
    for (size_t k = 0; k < n_probes; k++) is[3][k] = -is[3][k];
}

static inline struct koshu_tree_options
in_box(double box)
{
    struct koshu_tree_options o = koshu_tree_options_default();
    o.box = box;
    return o;
}

/* A store with the first n particles, at rest, without accelerations. */
static inline struct koshu_particles *
particles_of(struct koshu_context *in, size_t n)
{
    const unsigned fields = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    struct koshu_particle_view v = {.size = sizeof v};
    struct koshu_particles *particles;
    assert_ok(in, koshu_particles_create(in, n, &particles));
    assert_ok(in, koshu_particles_acquire_write(particles, fields,
                                                KOSHU_ACCESS_WRITE, &v));
    memcpy(v.x, x, n * sizeof *x);
    memcpy(v.y, y, n * sizeof *y);
    memcpy(v.z, z, n * sizeof *z);
    memcpy(v.mass, charge, n * sizeof *charge);
    koshu_particles_release_write(particles);
    return particles;
}

/* Copies results to `got` and destroys the store. */
static inline void
take_sums(struct koshu_context *in, struct koshu_particles *particles)
{
    const unsigned sums = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_particle_const_view r = {.size = sizeof r};
    assert_ok(in, koshu_particles_acquire_read(particles, sums, &r));
    memcpy(got[0], r.ax, r.n * sizeof *x);
    memcpy(got[1], r.ay, r.n * sizeof *x);
    memcpy(got[2], r.az, r.n * sizeof *x);
    memcpy(got[3], r.potential, r.n * sizeof *x);
    koshu_particles_release_read(particles);
    koshu_particles_destroy(particles);
}

/* Evaluates twice, because the relative criterion needs accelerations. */
static inline void
sum_by(struct koshu_context *in, const struct koshu_solver_options *o, size_t n)
{
    const unsigned sums = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_particles *particles = particles_of(in, n);
    struct koshu_solver *solver;
    assert_ok(in, koshu_solver_create(in, o, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(in, koshu_solver_forces(solver, particles, sums));
    koshu_solver_destroy(solver);
    take_sums(in, particles);
}

static inline void
sum_by_tree(size_t n, const struct koshu_tree_options *tree, double eps)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_TREE;
    o.softening = eps;
    o.tree = tree;
    sum_by(context, &o, n);
}

/* Error of the probes' accelerations, relative to the rms of all. */
static inline double
rms_error(void)
{
    double off = 0, all = 0;
    for (size_t k = 0; k < n_probes; k++)
        for (int d = 0; d < 3; d++) {
            off += pow(got[d][probe[k]] - is[d][k], 2);
            all += pow(is[d][k], 2);
        }
    return sqrt(off / all);
}

/* Relative to the largest potential, or to M / L. */
static inline double
potential_error(void)
{
    double off = 0, all = 1;
    for (size_t k = 0; k < n_probes; k++) {
        off = fmax(off, fabs(got[3][probe[k]] - is[3][k]));
        all = fmax(all, fabs(is[3][k]));
    }
    return off / all;
}

#endif
