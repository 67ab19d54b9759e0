/* SPDX-License-Identifier: MIT */
/* A handful of bodies in plain arrays or in a koshu_fewbody object, for
 * tests. */
#ifndef KOSHU_TESTS_FEW_BODIES_H
#define KOSHU_TESTS_FEW_BODIES_H

#include <math.h>

#include <koshu/fewbody.h>

#include "check.h"

enum { FEW = 8 };

struct few_bodies {
    size_t n;
    double mass[FEW], x[3][FEW], v[3][FEW];
};

/* Masses 3, 4 and 5 at rest in the corners of a triangle (Burrau 1913). */
static inline struct few_bodies
pythagorean(void)
{
    return (struct few_bodies){
            .n = 3, .mass = {3, 4, 5}, .x = {{1, -2, 1}, {3, -1, -1}}};
}

/* An orbit: total mass, semi-major axis, eccentricity, inclination to the plane
 * z = 0 about the x axis, argument of the pericentre, eccentric anomaly. */
struct elements {
    double mass, a, e, inclination, pericentre, anomaly;
};

static inline void
few_orbit(const struct elements *o, double x[3], double v[3])
{
    const double b = sqrt(1 - o->e * o->e), n = sqrt(o->mass / pow(o->a, 3));
    const double c = cos(o->anomaly), s = sin(o->anomaly),
                 rate = n / (1 - o->e * c);
    const double in_plane[2][2] = {{o->a * (c - o->e), o->a * b * s},
                                   {-o->a * rate * s, o->a * b * rate * c}};
    for (int k = 0; k < 2; k++) {
        const double *p = in_plane[k];
        double *to = k ? v : x;
        const double across =
                sin(o->pericentre) * p[0] + cos(o->pericentre) * p[1];
        to[0] = cos(o->pericentre) * p[0] - sin(o->pericentre) * p[1];
        to[1] = across * cos(o->inclination);
        to[2] = across * sin(o->inclination);
    }
}

/* Bodies of masses m1 and m2 on that orbit about their centre of mass; if m3 >
 * 0, a third body orbits the pair. */
static inline struct few_bodies
few_triple(double m1, double m2, double m3, const struct elements *inner,
           const struct elements *outer)
{
    struct few_bodies b = {.n = m3 > 0 ? 3 : 2, .mass = {m1, m2, m3}};
    double x[3], v[3], far[3] = {0}, rate[3] = {0};
    few_orbit(inner, x, v);
    if (m3 > 0) few_orbit(outer, far, rate);
    for (int d = 0; d < 3; d++) {
        b.x[d][0] = -m2 / (m1 + m2) * x[d];
        b.x[d][1] = m1 / (m1 + m2) * x[d];
        b.x[d][2] = far[d];
        b.v[d][0] = -m2 / (m1 + m2) * v[d];
        b.v[d][1] = m1 / (m1 + m2) * v[d];
        b.v[d][2] = rate[d];
    }
    return b;
}

/* A binary of masses 1/4 and 3/4, at apocentre. */
static inline struct few_bodies
few_binary(double a, double e)
{
    const struct elements orbit = {1, a, e, 0.5, 1, acos(-1)};
    return few_triple(0.25, 0.75, 0, &orbit, NULL);
}

static inline struct koshu_fewbody *
few_create(struct koshu_context *context, const struct few_bodies *b,
           const struct koshu_fewbody_options *options)
{
    const struct koshu_particle_const_view v = {.n = b->n,
                                                .mass = b->mass,
                                                .x = b->x[0],
                                                .y = b->x[1],
                                                .z = b->x[2],
                                                .vx = b->v[0],
                                                .vy = b->v[1],
                                                .vz = b->v[2]};
    struct koshu_fewbody *f = NULL;
    assert_ok(context, koshu_fewbody_create(context, &v, options, &f));
    return f;
}

/* The bodies' present state; whatever is not written stays NaN. */
static inline struct few_bodies
few_now(struct koshu_context *context, const struct koshu_fewbody *f, size_t n)
{
    struct few_bodies b = {.n = n};
    for (int d = 0; d < 3; d++)
        for (size_t k = 0; k < FEW; k++) b.x[d][k] = b.v[d][k] = NAN;
    const struct koshu_particle_view v = {.n = n,
                                          .mass = b.mass,
                                          .x = b.x[0],
                                          .y = b.x[1],
                                          .z = b.x[2],
                                          .vx = b.v[0],
                                          .vy = b.v[1],
                                          .vz = b.v[2]};
    assert_ok(context, koshu_fewbody_bodies(f, &v));
    return b;
}

static inline struct koshu_fewbody_report
few_report(const struct koshu_fewbody *f)
{
    struct koshu_fewbody_report r = {.size = sizeof r};
    assert_int_equal(koshu_fewbody_report(f, &r), KOSHU_OK);
    return r;
}

/* The largest difference of any coordinate or velocity component. */
static inline double
few_apart(const struct few_bodies *a, const struct few_bodies *b)
{
    double largest = 0;
    for (int d = 0; d < 3; d++)
        for (size_t k = 0; k < a->n; k++) {
            const double x = fabs(a->x[d][k] - b->x[d][k]),
                         v = fabs(a->v[d][k] - b->v[d][k]);
            if (!(x <= largest)) largest = x;
            if (!(v <= largest)) largest = v;
        }
    return largest;
}

#endif
