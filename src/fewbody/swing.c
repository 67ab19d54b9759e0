/* SPDX-License-Identifier: MIT */
/*
 * The swing of a pair: the energy that tides take from it in one part of a
 * revolution and return in another. With T the tidal tensor, and energies per
 * reduced mass,
 *
 *     W = - x T x / 2,   d(E / kappa + W) / dt = - x T' x / 2
 *
 * in a revolution that stands for kappa. If T changes little in it,
 *
 *     E = <E> - kappa S1 - kappa^2 S2,
 *     S1 = - T : D / 2,   S2 = T' : F / 2
 *
 * with D = x x - <x x>, and F its integral over time in a revolution with kappa
 * = 1, with mean 0. Unequal masses add to S1 the third power of x less its
 * mean. A change of kappa should preserve <E>, so the orbit is then made larger
 * or smaller by the change of the swing. Otherwise <E> would jump by that
 * change; and as steps end at some phases more often than at others, the jumps
 * would add up.
 */
#include <math.h>

#include "fewbody/pair.h"

/* A symmetric tensor in the plane of an orbit: components along the axes x
 * (towards the pericentre) and y, and between them. */
struct plane {
    double xx, yy, xy;
};

struct orbit {
    double x[3], y[3]; /* the axes */
    double a, b, e, n; /* semi-axes a and b, eccentricity, mean motion */
    double cos, sin;   /* of the eccentric anomaly */
};

/* odd: sum m / R^4 ((5 (x n)^3 - 3 x^2 (x n)) / 2 - its mean), n being the
 * direction of a mass. */
struct tides {
    struct plane value, rate;
    double odd;
};

static double
product(const struct plane *a, const struct plane *b)
{
    return a->xx * b->xx + a->yy * b->yy + 2 * a->xy * b->xy;
}

/* ---- the orbit ---------------------------------------------------------- */

static void
scale_to_one(double *v)
{
    const double length = sqrt(koshu_dot(v, v));
    for (size_t d = 0; d < 3; d++) v[d] /= length;
}

/* Of a bound pair; for a circle the present position counts as the
 * pericentre. */
static struct orbit
orbit_of(const struct koshu_pair *p)
{
    const double a = -p->mass / (2 * p->energy), round = 1e-8;
    struct orbit o = {.a = a, .n = sqrt(p->mass / a) / a};
    double h[3], e[3];
    koshu_cross(p->x, p->v, h);
    koshu_cross(p->v, h, e);
    const double r = sqrt(koshu_dot(p->x, p->x));
    for (size_t d = 0; d < 3; d++) e[d] = e[d] / p->mass - p->x[d] / r;
    o.e = sqrt(koshu_dot(e, e));
    o.b = a * sqrt(1 - o.e * o.e);
    for (size_t d = 0; d < 3; d++) o.x[d] = o.e > round ? e[d] : p->x[d];
    scale_to_one(o.x);
    koshu_cross(h, o.x, o.y);
    scale_to_one(o.y);
    o.cos = koshu_dot(p->x, o.x) / a + o.e;
    o.sin = koshu_dot(p->x, o.y) / o.b;
    return o;
}

/* The tensor D. */
static struct plane
deviation(const struct orbit *o)
{
    const double x = o->a * (o->cos - o->e), y = o->b * o->sin;
    return (struct plane){x * x - o->a * o->a * (0.5 + 2 * o->e * o->e),
                          y * y - o->b * o->b / 2, x * y};
}

/* The tensor F: integrals of D (1 - e cos E) dE / n. */
static struct plane
integral(const struct orbit *o)
{
    const double c = o->cos, s = o->sin, e = o->e, e2 = e * e, s3 = s * s * s,
                 mean = -(1 + e2) / 4 - 5 * e2 / 8;
    return (struct plane){
            o->a * o->a / o->n *
                    ((0.5 + e2) * s * c + e * s3 / 3 + (e2 - 2.5) * e * s),
            o->b * o->b / o->n * (e * s / 2 - s * c / 2 - e * s3 / 3),
            o->a * o->b / o->n *
                    (e * c - (1 + e2) * c * c / 2 + e * c * c * c / 3 - mean)};
}

/* ---- tides -------------------------------------------------------------- */

/* The third-order term of a mass in direction n, less its mean (see
 * mean_pair.c). */
static double
third_power(const struct orbit *o, double nx, double ny)
{
    const double x = o->a * (o->cos - o->e), y = o->b * o->sin,
                 xn = x * nx + y * ny, e2 = o->e * o->e, u = o->e * nx,
                 w2 = (1 - e2) * (1 - nx * nx - ny * ny),
                 mean = 5.0 / 16 * u * (24 * e2 - 3 - 35 * u * u + 15 * w2);
    return xn * (5 * xn * xn - 3 * (x * x + y * y)) / 2 -
           o->a * o->a * o->a * mean;
}

/* The tidal tensor of a mass at r with velocity v: m (3 r r / r^5 - 1 /
 * r^3). */
static void
add_mass(const struct orbit *o, double mass, const double *r, const double *v,
         struct tides *t)
{
    const double r2 = koshu_dot(r, r), m = mass / (r2 * r2 * sqrt(r2)),
                 rv = koshu_dot(r, v), fall = 5 * rv / r2;
    const double x = koshu_dot(r, o->x), y = koshu_dot(r, o->y),
                 vx = koshu_dot(v, o->x), vy = koshu_dot(v, o->y);
    t->value.xx += m * (3 * x * x - r2);
    t->value.yy += m * (3 * y * y - r2);
    t->value.xy += m * 3 * x * y;
    t->rate.xx += 3 * m * (2 * x * vx + rv - fall * x * x);
    t->rate.yy += 3 * m * (2 * y * vy + rv - fall * y * y);
    t->rate.xy += 3 * m * (x * vy + y * vx - fall * x * y);
    const double far = sqrt(r2);
    t->odd += mass / (r2 * r2) * third_power(o, x / far, y / far);
}

/* The tidal tensor of a field, from differences of accelerations across the
 * pair. It changes too slowly for its rate to matter. */
static void
add_field(const struct orbit *o, const struct koshu_perturbers *of, double time,
          const double *centre, struct tides *t)
{
    double x[4][3], f[4][3] = {{0}}, along_x[3], along_y[3];
    for (size_t d = 0; d < 3; d++) {
        x[0][d] = centre[d] + o->a * o->x[d];
        x[1][d] = centre[d] - o->a * o->x[d];
        x[2][d] = centre[d] + o->a * o->y[d];
        x[3][d] = centre[d] - o->a * o->y[d];
    }
    of->field(of->user, time, 4, (const double(*)[3])x, f);
    for (size_t d = 0; d < 3; d++) {
        along_x[d] = (f[0][d] - f[1][d]) / (2 * o->a);
        along_y[d] = (f[2][d] - f[3][d]) / (2 * o->a);
    }
    t->value.xx += koshu_dot(along_x, o->x);
    t->value.yy += koshu_dot(along_y, o->y);
    t->value.xy += koshu_dot(along_x, o->y);
}

static void
add_outside(const struct koshu_chain *c, const struct koshu_pair *pair,
            const struct orbit *o, struct tides *t)
{
    const struct koshu_perturbers *of = c->perturbers;
    const double time = koshu_chain_time(c), dt = time - of->time;
    for (size_t j = 0; j < of->n; j++) {
        const struct koshu_perturber *b = &of->body[j];
        double r[3], v[3];
        for (size_t d = 0; d < 3; d++) {
            r[d] = b->x[d] +
                   dt * (b->v[d] + dt * (b->a[d] / 2 + dt * b->jerk[d] / 6)) -
                   pair->centre[d];
            v[d] = b->v[d] + dt * (b->a[d] + dt * b->jerk[d] / 2) -
                   pair->velocity[d];
        }
        add_mass(o, b->mass, r, v, t);
    }
    if (of->field) add_field(o, of, time, pair->centre, t);
}

static void
add_chain(const struct koshu_chain *c, size_t k, double (*x)[3], double (*v)[3],
          const struct koshu_pair *pair, const struct orbit *o, struct tides *t)
{
    for (size_t j = 0; j < c->n; j++) {
        double to[3], rate[3];
        if (j == k || j == k + 1) continue;
        koshu_pair_see(pair, x[c->body[j]], v[c->body[j]], to, rate);
        add_mass(o, c->mass[j], to, rate, t);
    }
}

/* ---- another kappa ------------------------------------------------------ */

static void
add(struct koshu_chain *c, size_t k, const double *change)
{
    for (size_t d = 0; d < 3; d++) {
        const size_t at = 3 * k + d;
        koshu_sum_add(&c->y[at], change[d]);
        koshu_sum_add(&c->y[koshu_chain_half(c) + at], change[3 + d]);
    }
}

/* Changes x and v of the pair, keeping its centre of mass. */
static void
change_pair(struct koshu_chain *c, size_t k, const double *change)
{
    const double m = c->mass[k] + c->mass[k + 1];
    double before[6], after[6];
    for (size_t d = 0; d < 6; d++) {
        before[d] = -c->mass[k + 1] / m * change[d];
        after[d] = -c->mass[k] / m * change[d];
    }
    add(c, k, change);
    if (k > 0) add(c, k - 1, before);
    if (k + 2 < c->n) add(c, k + 1, after);
}

/* The fraction of its energy by which a pair's swing decreases with the other
 * kappa, if the orbit is scaled by `size`. */
static double
part_of(const struct koshu_chain *c, size_t k, const struct koshu_pair *p,
        const struct orbit *o, const struct tides *t, double before,
        double after, double size)
{
    const double off =
            (c->mass[k] - c->mass[k + 1]) / (c->mass[k] + c->mass[k + 1]);
    const struct plane d = deviation(o), f = integral(o);
    const double size2 = size * size,
                 s1 = -product(&t->value, &d) / 2 * size2 -
                      off * t->odd * size2 * size,
                 s2 = product(&t->rate, &f) / 2 * size2 * size * sqrt(size);
    return ((before - after) * s1 + (before * before - after * after) * s2) /
           p->energy;
}

/* The swing is evaluated for the geometric mean of the sizes before and after,
 * so that changing kappa back undoes the change, to rounding. With the size
 * before, each change and back would shift the energy, always with one sign. */
void
koshu_chain_change_swing(struct koshu_chain *chain, size_t k, double before,
                         double after)
{
    enum { TURNS = 5 };
    const double small = 0.01;
    struct koshu_chain *c = chain;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3], change[6];
    struct tides t = {{0, 0, 0}, {0, 0, 0}, 0};
    koshu_chain_bodies(c, x, v);
    const struct koshu_pair p = koshu_pair_of(c, k, x, v);
    if (!(p.energy < 0)) return;
    const struct orbit o = orbit_of(&p);
    add_chain(c, k, x, v, &p, &o, &t);
    if (c->perturbers) add_outside(c, &p, &o, &t);
    double part = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        part = part_of(c, k, &p, &o, &t, before, after, 1 / sqrt(1 + part));
        if (!(fabs(part) < small)) return; /* an encounter, not a swing */
    }
    for (size_t i = 0; i < 3; i++) {
        change[i] = -part / (1 + part) * p.x[i];
        change[3 + i] = part / (1 + sqrt(1 + part)) * p.v[i];
    }
    change_pair(c, k, change);
}

void
koshu_chain_set_rate(struct koshu_chain *chain, size_t k, double rate)
{
    koshu_chain_change_swing(chain, k, 1 / chain->rate[k], 1 / rate);
    chain->rate[k] = rate;
}
