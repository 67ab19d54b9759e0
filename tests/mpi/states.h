/* SPDX-License-Identifier: MIT */
/* Particle distributions: uniform, clustered, in one point, or far from the
 * origin. */
#ifndef KOSHU_TESTS_MPI_STATES_H
#define KOSHU_TESTS_MPI_STATES_H

#include <math.h>

#include <koshu/initial.h>

#include "particles/particles.h"
#include "ranks.h"

enum state { PLUMMER, CUBE, TWO_CLUSTERS, ONE_POINT, FAR_FROM_HERE, STATES };

/* Draws a particle of a Plummer sphere. */
static inline void
change(enum state state, size_t k, double x[3])
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int c = 0; c < 3; c++) {
        if (state == CUBE) x[c] = tanh(x[c]);
        if (state == TWO_CLUSTERS) x[c] *= k % 3 == 0 ? 0.02 : 1;
        if (state == ONE_POINT) x[c] = 0.5;
        if (state == FAR_FROM_HERE) x[c] = 0.1 * x[c] / (0.1 + r) + 1000 * c;
    }
    if (state == TWO_CLUSTERS && k % 3 == 0) x[0] += 4;
}

/* The model with a seed this much above the default. */
static inline struct koshu_particles *
another_model(struct koshu_context *c, enum state state, size_t n,
              unsigned seed)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *p;
    struct koshu_particle_view v;
    options.n = n;
    options.seed += seed;
    assert_ok(c, koshu_initial_create(c, &options, &p));
    assert_ok(c, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                         KOSHU_ACCESS_READ_WRITE, &v));
    assert_int_equal(koshu_particles_total(p), n);
    assert_int_equal(koshu_particles_count(p), v.n);
    for (size_t i = 0; i < v.n; i++) {
        assert_int_equal(v.id[i], koshu_particles_first(p) + i);
        double x[3] = {v.x[i], v.y[i], v.z[i]};
        change(state, koshu_particles_first(p) + i, x);
        v.x[i] = x[0], v.y[i] = x[1], v.z[i] = x[2];
        v.mass[i] *= 1 + (double)((koshu_particles_first(p) + i) % 5);
    }
    return p;
}

static inline struct koshu_particles *
model(struct koshu_context *c, enum state state, size_t n)
{
    return another_model(c, state, n, 0);
}

/* A Plummer sphere without forces. */
static inline struct koshu_particles *
poisoned(struct koshu_context *c, size_t n)
{
    struct koshu_particles *p = model(c, PLUMMER, n);
    struct koshu_particle_view v;
    assert_ok(c, koshu_particles_on_host(
                         p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL,
                         KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < v.n; i++)
        v.ax[i] = v.ay[i] = v.az[i] = v.potential[i] = NAN;
    return p;
}

#endif
