/* SPDX-License-Identifier: MIT */
/*
 * With the eccentricity vector e, and j of length sqrt(1 - e^2) along the
 * angular momentum, the tidal potential averaged over a revolution, per reduced
 * mass and up to the third power of the distance, is
 *
 *     f = - a^2 / 4 ((1 - e^2) tr T - j T j + 5 e T e)
 *         - 5/16 sum m d a^3 / R^4 u (24 e^2 - 3 - 35 u^2 + 15 w^2)
 *
 * with the tidal tensor T, and for each mass m at R = R n: u = e n, w = j n, d
 * = (left - right) / (left + right). The ellipse changes its orientation and
 * shape (Milankovitch 1939; Tremaine, Touma & Namouni 2009) as
 *
 *     sqrt(M a) dj/dt = - j x df/dj - e x df/de,
 *     sqrt(M a) de/dt = - j x df/de - e x df/dj,
 *
 * while a is constant: Kozai cycles, also for unequal masses.
 */
#include "fewbody/mean_pair.h"

#include <math.h>

#include "fewbody/pair.h"

/* ---- from a place on an orbit, and to one ------------------------------- */

/* Axes of the ellipse: towards the pericentre, and a quarter further; arbitrary
 * for a circle. */
static void
axes_of(const struct koshu_mean_pair *p, double *x, double *y)
{
    const double round = 1e-12, e = sqrt(koshu_dot(p->e, p->e)),
                 j = sqrt(koshu_dot(p->j, p->j));
    size_t least = 0;
    double across[3] = {0};
    for (size_t d = 1; d < 3; d++)
        if (fabs(p->j[d]) < fabs(p->j[least])) least = d;
    across[least] = 1;
    if (e > round)
        for (size_t d = 0; d < 3; d++) x[d] = p->e[d] / e;
    else {
        koshu_cross(p->j, across, x);
        const double length = sqrt(koshu_dot(x, x));
        for (size_t d = 0; d < 3; d++) x[d] /= length;
    }
    koshu_cross(p->j, x, y);
    for (size_t d = 0; d < 3; d++) y[d] /= j;
}

struct koshu_mean_pair
koshu_mean_pair_of(double left, double right, const double x[3],
                   const double v[3])
{
    const double m = left + right, r = sqrt(koshu_dot(x, x)),
                 v2 = koshu_dot(v, v), along = koshu_dot(x, v),
                 a = 1 / (2 / r - v2 / m);
    struct koshu_mean_pair p = {.mass = m,
                                .reduced = left * right / m,
                                .off = (left - right) / m,
                                .a = a,
                                .motion = sqrt(m / a) / a};
    double ex[3], ey[3];
    koshu_cross(x, v, p.j);
    for (size_t d = 0; d < 3; d++) {
        p.e[d] = ((v2 - m / r) * x[d] - along * v[d]) / m;
        p.j[d] /= sqrt(m * a);
    }
    axes_of(&p, ex, ey);
    const double e = koshu_dot(p.e, ex), c = koshu_dot(x, ex) / a + e,
                 s = koshu_dot(x, ey) / (a * sqrt(koshu_dot(p.j, p.j)));
    p.anomaly = atan2(s, c) - e * s / hypot(s, c);
    return p;
}

/* Solves E - e sin E = m by Newton's method within bounds. */
static double
eccentric_anomaly(double m, double e)
{
    enum { TRIES = 100 };
    double low = m - e, high = m + e, at = m + e * sin(m);
    for (int k = 0; k < TRIES; k++) {
        const double late = at - e * sin(at) - m, was = at;
        if (late > 0)
            high = at;
        else
            low = at;
        at -= late / (1 - e * cos(at));
        if (!(at >= low && at <= high)) at = low + (high - low) / 2;
        if (fabs(at - was) <= 1e-16 * (1 + fabs(at))) break;
    }
    return at;
}

void
koshu_mean_pair_place(const struct koshu_mean_pair *pair, double dt,
                      double x[3], double v[3])
{
    const struct koshu_mean_pair *p = pair;
    double ex[3], ey[3];
    axes_of(p, ex, ey);
    const double e = koshu_dot(p->e, ex), root = sqrt(koshu_dot(p->j, p->j));
    const double m = remainder(p->anomaly + p->motion * dt, 2 * acos(-1)),
                 at = eccentric_anomaly(m, e), c = cos(at), s = sin(at),
                 rate = p->a * p->motion / (1 - e * c);
    for (size_t d = 0; d < 3; d++) {
        x[d] = p->a * ((c - e) * ex[d] + root * s * ey[d]);
        v[d] = rate * (-s * ex[d] + root * c * ey[d]);
    }
}

/* ---- the mean field ----------------------------------------------------- */

/* A point relative to the pair. */
struct sight {
    double r[3], r2, r5; /* r5: fifth power of the distance */
};

static struct sight
see(const struct koshu_mean_pair *p, const struct koshu_mean_field *f, size_t j)
{
    struct sight s;
    for (size_t d = 0; d < 3; d++) s.r[d] = f->x[j][d] - f->x[p->point][d];
    s.r2 = koshu_dot(s.r, s.r);
    s.r5 = s.r2 * s.r2 * sqrt(s.r2);
    return s;
}

/* The acceleration of a point by the pair's second and third moments. */
static void
attract(const struct koshu_mean_pair *p, const struct sight *s, double *a)
{
    const double e2 = koshu_dot(p->e, p->e), er = koshu_dot(p->e, s->r),
                 jr = koshu_dot(p->j, s->r), r2 = s->r2, a2 = p->a * p->a,
                 two = p->reduced * a2 / 2 / s->r5,
                 three = p->reduced * p->off * a2 * p->a * 5 / 16 / s->r5;
    /* (R <xx> R), doubled and per a^2; and the trace */
    const double rr = (1 - e2) * r2 - jr * jr + 5 * er * er,
                 trace = 1 + 1.5 * e2;
    const double along = two * (3 * (1 - e2) - 7.5 * rr / r2 + 3 * trace) +
                         three * er *
                                 (245 * er * er / r2 - 5 * (24 * e2 - 3) -
                                  105 * jr * jr / r2) /
                                 r2,
                 by_e = two * 15 * er + three * (-105 * er * er / r2 + 24 * e2 -
                                                 3 + 15 * jr * jr / r2),
                 by_j = two * -3 * jr + three * 30 * er * jr / r2;
    for (size_t d = 0; d < 3; d++)
        a[d] = along * s->r[d] + by_e * p->e[d] + by_j * p->j[d];
}

void
koshu_mean_pair_attract(const struct koshu_mean_pair *pair,
                        const struct koshu_mean_field *field, double (*a)[3])
{
    const struct koshu_mean_pair *p = pair;
    for (size_t j = 0; j < field->n; j++) {
        double more[3];
        if (j == p->point) continue;
        const struct sight s = see(p, field, j);
        attract(p, &s, more);
        for (size_t d = 0; d < 3; d++) {
            a[j][d] += more[d];
            a[p->point][d] -= field->mass[j] / p->mass * more[d];
        }
    }
}

/* ---- the ellipse -------------------------------------------------------- */

/* Adds the derivatives of f with respect to e and j. */
static void
add_point(const struct koshu_mean_pair *p, const struct sight *s, double mass,
          const double *e, const double *j, double *by_e, double *by_j)
{
    const double r2 = s->r2, e2 = koshu_dot(e, e), er = koshu_dot(e, s->r),
                 jr = koshu_dot(j, s->r), a2 = p->a * p->a,
                 two = mass * a2 / 4 / s->r5,
                 three = mass * p->off * a2 * p->a * 5 / 16 / s->r5;
    /* T = m (3 R R / R^5 - 1 / R^3), whose trace is 0 */
    const double to_e = -30 * two * er -
                        three * (24 * e2 - 3 - 105 * er * er / r2 +
                                 15 * jr * jr / r2),
                 to_j = 6 * two * jr - three * 30 * er * jr / r2,
                 own_e = 10 * two * r2 - three * 48 * er, own_j = -2 * two * r2;
    for (size_t d = 0; d < 3; d++) {
        by_e[d] += to_e * s->r[d] + own_e * e[d];
        by_j[d] += to_j * s->r[d] + own_j * j[d];
    }
}

static void
add_tides(const struct koshu_mean_pair *p, const double (*t)[3],
          const double *e, const double *j, double *by_e, double *by_j)
{
    const double part = p->a * p->a / 4, trace = t[0][0] + t[1][1] + t[2][2];
    for (size_t d = 0; d < 3; d++) {
        by_e[d] += part * (2 * trace * e[d] - 10 * koshu_dot(t[d], e));
        by_j[d] += part * 2 * koshu_dot(t[d], j);
    }
}

struct ellipse {
    double e[3], j[3];
};

static struct ellipse
rates_of(const struct koshu_mean_pair *p, const struct koshu_mean_field *f,
         const struct sight *seen, const struct ellipse *at)
{
    double by_e[3] = {0}, by_j[3] = {0}, je[3], jj[3], ee[3], ej[3];
    struct ellipse rate;
    const double part = -1 / sqrt(p->mass * p->a);
    for (size_t k = 0; k < f->n; k++)
        if (k != p->point)
            add_point(p, &seen[k], f->mass[k], at->e, at->j, by_e, by_j);
    add_tides(p, f->tides, at->e, at->j, by_e, by_j);
    koshu_cross(at->j, by_j, jj);
    koshu_cross(at->e, by_e, ee);
    koshu_cross(at->j, by_e, je);
    koshu_cross(at->e, by_j, ej);
    for (size_t d = 0; d < 3; d++) {
        rate.j[d] = part * (jj[d] + ee[d]);
        rate.e[d] = part * (je[d] + ej[d]);
    }
    return rate;
}

static struct ellipse
go(const struct ellipse *from, const struct ellipse *rate, double dt)
{
    struct ellipse to;
    for (size_t d = 0; d < 3; d++) {
        to.e[d] = from->e[d] + dt * rate->e[d];
        to.j[d] = from->j[d] + dt * rate->j[d];
    }
    return to;
}

/* Restores e at right angles to j and e^2 + j^2 = 1 after rounding. */
static void
make_whole(struct ellipse *at)
{
    const double j2 = koshu_dot(at->j, at->j),
                 off = koshu_dot(at->e, at->j) / j2;
    for (size_t d = 0; d < 3; d++) at->e[d] -= off * at->j[d];
    const double root = sqrt(koshu_dot(at->e, at->e) + j2);
    for (size_t d = 0; d < 3; d++) {
        at->e[d] /= root;
        at->j[d] /= root;
    }
}

/* By a Runge-Kutta step; the ellipse changes so little that it is exact. */
void
koshu_mean_pair_turn(struct koshu_mean_pair *pair,
                     const struct koshu_mean_field *field, double dt)
{
    struct koshu_mean_pair *p = pair;
    struct sight seen[KOSHU_FEWBODY_MAX];
    struct ellipse at, by[4];
    for (size_t d = 0; d < 3; d++) {
        at.e[d] = p->e[d];
        at.j[d] = p->j[d];
    }
    for (size_t k = 0; k < field->n; k++)
        if (k != p->point) seen[k] = see(p, field, k);
    for (size_t k = 0; k < 4; k++) {
        const double part = k == 0 ? 0 : (k == 3 ? dt : dt / 2);
        const struct ellipse on = k == 0 ? at : go(&at, &by[k - 1], part);
        by[k] = rates_of(p, field, seen, &on);
    }
    for (size_t k = 0; k < 4; k++)
        at = go(&at, &by[k], dt * (k == 1 || k == 2 ? 2 : 1) / 6);
    make_whole(&at);
    for (size_t d = 0; d < 3; d++) {
        p->e[d] = at.e[d];
        p->j[d] = at.j[d];
    }
}
