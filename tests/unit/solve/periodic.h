/* SPDX-License-Identifier: MIT */
/* Particles in a periodic box: forces by a solver, and by Ewald's sums. */
#ifndef KOSHU_TESTS_PERIODIC_H
#define KOSHU_TESTS_PERIODIC_H

#include <math.h>
#include <string.h>

#include <koshu/ewald.h>
#include <koshu/solver.h>

#include "fixture.h"

enum { MAX_N = 32768, MAX_PROBES = 512 };

static double x[MAX_N], y[MAX_N], z[MAX_N], mass[MAX_N];
static double got[4][MAX_N]; /* accelerations and potential */
static double is[4][MAX_PROBES];
static size_t probe[MAX_PROBES], n_probes;

static inline double
uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static inline void
put(size_t i, double px, double py, double pz, double m)
{
    x[i] = px;
    y[i] = py;
    z[i] = pz;
    mass[i] = m;
}

/* As dense towards the corner of the box as `power` says. */
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

static inline void
sum_by_ewald(size_t n, double box, double eps)
{
    static double at[3][MAX_PROBES];
    struct koshu_ewald_options o = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default(),
                                to = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    for (size_t k = 0; k < n_probes; k++) {
        at[0][k] = x[probe[k]];
        at[1][k] = y[probe[k]];
        at[2][k] = z[probe[k]];
    }
    o.box = box;
    o.softening = eps;
    from.n = n;
    from.x = x;
    from.y = y;
    from.z = z;
    from.charge = mass;
    to.n = n_probes;
    to.x = at[0];
    to.y = at[1];
    to.z = at[2];
    result.gradient_x = is[0];
    result.gradient_y = is[1];
    result.gradient_z = is[2];
    result.potential = is[3];
    assert_ok(context, koshu_ewald_sums(context, &from, &to, &o, &result));
    for (size_t k = 0; k < n_probes; k++) is[3][k] = -is[3][k];
}

static inline struct koshu_tree_options
in_box(double box)
{
    struct koshu_tree_options o = koshu_tree_options_default();
    o.box = box;
    return o;
}

/* Twice: the relative criterion takes the first accelerations. */
static inline void
sum_by(struct koshu_context *in, const struct koshu_solver_options *o, size_t n)
{
    const unsigned fields = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    const unsigned sums = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_particle_view v = {.size = sizeof v};
    struct koshu_particle_const_view r = {.size = sizeof r};
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    assert_ok(in, koshu_particles_create(in, n, &particles));
    assert_ok(in, koshu_particles_acquire_write(particles, fields,
                                                KOSHU_ACCESS_WRITE, &v));
    memcpy(v.x, x, n * sizeof *x);
    memcpy(v.y, y, n * sizeof *y);
    memcpy(v.z, z, n * sizeof *z);
    memcpy(v.mass, mass, n * sizeof *mass);
    koshu_particles_release_write(particles);
    assert_ok(in, koshu_solver_create(in, o, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(in, koshu_solver_forces(solver, particles, sums));
    assert_ok(in, koshu_particles_acquire_read(particles, sums, &r));
    memcpy(got[0], r.ax, n * sizeof *x);
    memcpy(got[1], r.ay, n * sizeof *x);
    memcpy(got[2], r.az, n * sizeof *x);
    memcpy(got[3], r.potential, n * sizeof *x);
    koshu_particles_release_read(particles);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
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

/* Of the probes' accelerations, relative to the rms of them all. */
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

/* Relative to the largest, or to M / L. */
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
