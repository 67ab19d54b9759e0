/* SPDX-License-Identifier: MIT */
/* A link of a chain as a two-body system. */
#ifndef KOSHU_FEWBODY_PAIR_H
#define KOSHU_FEWBODY_PAIR_H

#include <math.h>

#include "fewbody/fewbody.h"

struct koshu_pair {
    double mass;                   /* m1 + m2 */
    double x[3], v[3];             /* of the second relative to the first */
    double centre[3], velocity[3]; /* of its centre of mass */
    double energy; /* of the relative motion, per reduced mass; < 0: bound */
};

static inline double
koshu_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void
koshu_cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* x, v: of the chain's bodies, by body number. */
static inline struct koshu_pair
koshu_pair_of(const struct koshu_chain *c, size_t k, double (*x)[3],
              double (*v)[3])
{
    struct koshu_pair p = {.mass = c->mass[k] + c->mass[k + 1]};
    const double part = c->mass[k + 1] / p.mass;
    const size_t half = koshu_chain_half(c);
    for (size_t d = 0; d < 3; d++) {
        p.x[d] = koshu_sum_value(c->y[3 * k + d]);
        p.v[d] = koshu_sum_value(c->y[half + 3 * k + d]);
        p.centre[d] = x[c->body[k]][d] + part * p.x[d];
        p.velocity[d] = v[c->body[k]][d] + part * p.v[d];
    }
    p.energy = koshu_dot(p.v, p.v) / 2 - p.mass / sqrt(koshu_dot(p.x, p.x));
    return p;
}

/* The position and velocity of another body relative to the pair's centre. */
static inline void
koshu_pair_see(const struct koshu_pair *p, const double *x, const double *v,
               double *to, double *rate)
{
    for (size_t d = 0; d < 3; d++) {
        to[d] = x[d] - p->centre[d];
        rate[d] = v[d] - p->velocity[d];
    }
}

#endif
