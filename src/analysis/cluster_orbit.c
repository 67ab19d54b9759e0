/* SPDX-License-Identifier: MIT */
/* The orbit of two bodies, and the body that replaces a pair. */
#include <math.h>

#include "analysis/cluster.h"

static double
dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The length of e = v x h / (G m) - r / |r|. For small e, 1 - h^2 / (G m a)
 * would lose its digits. */
static double
eccentricity_of(double gm, const double x[3], double r, const double v[3],
                const double h[3])
{
    double e[3];
    cross(v, h, e);
    for (int k = 0; k < 3; k++) e[k] = e[k] / gm - x[k] / r;
    return sqrt(dot(e, e));
}

bool
koshu_cluster_orbit_of(const struct koshu_cluster_options *o,
                       const struct koshu_cluster_body *a,
                       const struct koshu_cluster_body *b,
                       struct koshu_cluster_pair *p, double unit[3])
{
    const double mass = a->mass + b->mass,
                 gm = o->gravitational_constant * mass;
    double x[3], v[3], h[3];
    for (int k = 0; k < 3; k++) {
        x[k] = b->x[k] - a->x[k];
        v[k] = b->v[k] - a->v[k];
    }
    const double r = sqrt(dot(x, x)), v2 = dot(v, v);
    const double soft = gm / sqrt(r * r + o->softening * o->softening);
    if (!(r > 0) || !(a->mass > 0) || !(b->mass > 0) || !(soft > v2 / 2))
        return false;
    cross(x, v, h);
    const double length = sqrt(dot(h, h));
    for (int k = 0; k < 3; k++) unit[k] = length > 0 ? h[k] / length : 0;
    *p = (struct koshu_cluster_pair){
            .id = {a->id, b->id},
            .inner = {a->pair, b->pair},
            .outer = -1,
            .mass = {a->mass, b->mass},
            .separation = r,
            .semi_major_axis = 1 / (2 / r - v2 / gm),
            .eccentricity = eccentricity_of(gm, x, r, v, h),
            .energy = a->mass * b->mass / mass * (soft - v2 / 2)};
    p->period = 2 * M_PI * sqrt(pow(p->semi_major_axis, 3) / gm);
    return true;
}

struct koshu_cluster_body
koshu_cluster_body_of(const struct koshu_cluster_options *o,
                      const struct koshu_cluster_body *a,
                      const struct koshu_cluster_body *b)
{
    struct koshu_cluster_body c = {.mass = a->mass + b->mass,
                                   .id = a->id < b->id ? a->id : b->id};
    double r2 = o->softening * o->softening;
    for (int k = 0; k < 3; k++) {
        const double d = b->x[k] - a->x[k];
        r2 += d * d;
        c.x[k] = a->x[k] + b->mass / c.mass * d;
        c.v[k] = a->v[k] + b->mass / c.mass * (b->v[k] - a->v[k]);
    }
    /* removes their mutual potential */
    const double inner = o->gravitational_constant / sqrt(r2);
    c.phi = (a->mass * (a->phi + inner * b->mass) +
             b->mass * (b->phi + inner * a->mass)) /
            c.mass;
    return c;
}

bool
koshu_hierarchy_is_stable(const struct koshu_cluster_pair *inner,
                          const struct koshu_cluster_pair *outer,
                          double mass_in, double mass_out, double inclination)
{
    const double e = outer->eccentricity;
    if (!(e < 1)) return false;
    const double least =
            2.8 * inner->semi_major_axis *
            pow((1 + mass_out / mass_in) * (1 + e) / sqrt(1 - e), 0.4) *
            (1 - 0.3 * inclination / M_PI);
    return outer->semi_major_axis * (1 - e) > least;
}
