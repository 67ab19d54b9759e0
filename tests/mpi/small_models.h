/* SPDX-License-Identifier: MIT */
/* A few particles, distributed over all ranks or on one. */
#ifndef KOSHU_TESTS_MPI_SMALL_MODELS_H
#define KOSHU_TESTS_MPI_SMALL_MODELS_H

#include <koshu/initial.h>
#include <koshu/integrator.h>

#include "difference.h"

static inline struct koshu_particles *
model(struct koshu_context *c, size_t n)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *p;
    options.model = n == 2 ? KOSHU_MODEL_TWO_BODY : KOSHU_MODEL_PLUMMER;
    options.n = n;
    assert_ok(c, koshu_initial_create(c, &options, &p));
    return p;
}

static inline struct columns
compared(const struct koshu_particle_view *v)
{
    return (struct columns){6, {v->x, v->y, v->z, v->vx, v->vy, v->vz}};
}

/* The largest difference of a position or velocity; both must be at the same
 * time. */
static inline double
difference(struct koshu_particles *p, struct koshu_particles *whole)
{
    return largest_difference(p, whole, compared);
}

/* Expects equal steps, and particles that differ only by rounding; destroys
 * both. */
static inline void
assert_same_way(const struct koshu_integrator_clock *a,
                const struct koshu_integrator_clock *b,
                struct koshu_particles *p, struct koshu_particles *whole,
                double tolerance)
{
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->particle_steps, b->particle_steps);
    assert_near(difference(p, whole), 0, tolerance);
    koshu_particles_destroy(p);
    koshu_particles_destroy(whole);
}

/* This rank's array element for particle k of all; NULL if another rank has
 * it. */
static inline double *
coordinate_of(struct koshu_particles *p, size_t k, unsigned field)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    size_t i = k - koshu_particles_first(p);
    if (i >= v.n) return NULL;
    return field == KOSHU_FIELD_POSITION ? &v.x[i] : &v.vx[i];
}

#endif
