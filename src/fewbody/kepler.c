/* SPDX-License-Identifier: MIT */
/*
 * Keplerian motion for any energy, in the universal variable X with dt = r dX.
 * Symbols are those of Stumpff 1959 and Wisdom & Hernandez 2015 (MNRAS 453,
 * 3015): beta = 2 mu / r - v^2, G_k(X) = X^k c_k(beta X^2).
 */
#include <math.h>

#include "fewbody/pair.h"
#include "fewbody/stumpff.h"

/*
 * An orbit from a point on it, at distance r0 with radial velocity u0:
 *
 *     r = r0 + r0 u0 G1 + zeta G2,  t = r0 X + r0 u0 G2 + zeta G3
 *     x = (r0 - mu G2) P + (G1 + u0 G2) L
 *     v = (-mu G1 P + (G0 + u0 G1) L) / r
 *
 * zeta = mu - beta r0, P = x0 / r0, L = r0 v0. The point is the pericentre, for
 * which u0 = 0. Then terms have the same sign, except where the bodies'
 * coordinates themselves are near 0, and a pericentre keeps all digits from
 * wherever the orbit is known. A nearly circular orbit starts from the present
 * position.
 */
struct orbit {
    double mu, beta, r0, u0, zeta;
    double p[3], l[3];
    double g[4]; /* at the last X */
};

/* The time at X; *r: the distance there. */
static double
time_of(struct orbit *o, double x, double *r)
{
    double c[4], power = 1;
    const double eta = o->r0 * o->u0;
    koshu_stumpff(o->beta * x * x, c);
    for (int k = 0; k < 4; k++, power *= x) o->g[k] = power * c[k];
    *r = o->r0 + eta * o->g[1] + o->zeta * o->g[2];
    return o->r0 * x + eta * o->g[2] + o->zeta * o->g[3];
}

/* The X of a position, from the pericentre: x v = mu e G1, and mu e G0 = mu -
 * beta r. */
static double
find_place(const struct orbit *o, double r, double xv)
{
    const double root = sqrt(fabs(o->beta)), x = xv / o->zeta;
    if (o->beta > 0) return atan2(xv * root, o->mu - o->beta * r) / root;
    return root * fabs(x) < 1e-8 ? x : asinh(root * x) / root;
}

/* Uses the pericentre; towards: mu e in its direction. Returns the X of the
 * bodies' position. */
static double
take_pericentre(struct orbit *o, const double *x, const double *v,
                const double *towards)
{
    double normal[3];
    koshu_cross(x, v, normal);
    o->zeta = sqrt(koshu_dot(towards, towards));
    o->r0 = koshu_dot(normal, normal) / (o->mu + o->zeta);
    for (int d = 0; d < 3; d++) o->p[d] = towards[d] / o->zeta;
    koshu_cross(normal, o->p, o->l);
    return find_place(o, sqrt(koshu_dot(x, x)), koshu_dot(x, v));
}

static double
take_place(struct orbit *o, const double *x, const double *v)
{
    o->r0 = sqrt(koshu_dot(x, x));
    o->u0 = koshu_dot(x, v) / o->r0;
    o->zeta = o->mu - o->beta * o->r0;
    for (int d = 0; d < 3; d++) {
        o->p[d] = x[d] / o->r0;
        o->l[d] = o->r0 * v[d];
    }
    return 0;
}

/* *at: the X of the bodies' position. */
static struct orbit
orbit_of(double mu, const double *x, const double *v, double *at)
{
    const double round = 0.1; /* eccentricity below which it counts as
                                 circular */
    const double r = sqrt(koshu_dot(x, x)), v2 = koshu_dot(v, v),
                 xv = koshu_dot(x, v);
    struct orbit o = {.mu = mu, .beta = 2 * mu / r - v2};
    double towards[3];
    for (int d = 0; d < 3; d++) towards[d] = (v2 - mu / r) * x[d] - xv * v[d];
    *at = koshu_dot(towards, towards) > round * round * mu * mu
                  ? take_pericentre(&o, x, v, towards)
                  : take_place(&o, x, v);
    return o;
}

/* A bound of |X|, using that the time grows with X. */
static double
find_bound(struct orbit *o, double t)
{
    double r, bound = 1;
    if (o->beta > 0) return 2 * acos(-1) / sqrt(o->beta); /* one revolution */
    while (fabs(time_of(o, copysign(bound, t), &r)) < fabs(t)) bound *= 2;
    return bound;
}

/* Newton's method, with bisection when a step leaves the bounds. */
static double
solve(struct orbit *o, double t)
{
    enum { TRIES = 200 };
    const double bound = find_bound(o, t);
    double low = t < 0 ? -bound : 0, high = t < 0 ? 0 : bound,
           x = low + (high - low) / 2;
    for (int k = 0; k < TRIES; k++) {
        double r;
        const double late = time_of(o, x, &r) - t, before = x;
        if (late > 0)
            high = x;
        else
            low = x;
        x -= late / r;
        if (!(x >= low && x <= high)) x = low + (high - low) / 2;
        if (fabs(x - before) <= 2e-16 * fabs(x)) break;
    }
    return x;
}

/* Reduces the time by whole revolutions, to half a one or less. */
static double
shorten(const struct orbit *o, double t)
{
    if (!(o->beta > 0)) return t;
    return remainder(t, 2 * acos(-1) * o->mu / (o->beta * sqrt(o->beta)));
}

void
koshu_kepler_move(double mu, double dt, double x[3], double v[3])
{
    double at, r;
    if (dt == 0) return;
    struct orbit o = orbit_of(mu, x, v, &at);
    const double t = shorten(&o, time_of(&o, at, &r) + dt);
    (void)time_of(&o, solve(&o, t), &r);
    const double *g = o.g;
    for (int d = 0; d < 3; d++) {
        x[d] = (o.r0 - mu * g[2]) * o.p[d] + (g[1] + o.u0 * g[2]) * o.l[d];
        v[d] = (-mu * g[1] * o.p[d] + (g[0] + o.u0 * g[1]) * o.l[d]) / r;
    }
}
