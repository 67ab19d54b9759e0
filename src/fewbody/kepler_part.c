/* SPDX-License-Identifier: MIT */
/*
 * Keplerian motion over a small fraction of a revolution, from the present
 * position, in the universal variable X (symbols as in kepler.c): three times
 * as fast as from the pericentre, and as accurate if the fraction is small.
 */
#include <math.h>

#include "fewbody/pair.h"
#include "fewbody/stumpff.h"

/* X^k c_k(beta X^2), k = 0 ... 3. */
static void
universal(double beta, double x, double g[4])
{
    double c[4];
    koshu_stumpff(beta * x * x, c);
    g[0] = c[0];
    g[1] = x * c[1];
    g[2] = x * x * c[2];
    g[3] = x * x * x * c[3];
}

/* A point on an orbit, from which X is counted. */
struct place {
    double mu, beta, r, eta, zeta, g[4];
    double inverse; /* 1 / r, as divisions are slow */
};

static struct place
place_of(double mu, const double *x, const double *v)
{
    const double r = sqrt(koshu_dot(x, x)), inverse = 1 / r,
                 beta = 2 * mu * inverse - koshu_dot(v, v);
    return (struct place){.mu = mu,
                          .beta = beta,
                          .r = r,
                          .eta = koshu_dot(x, v),
                          .zeta = mu - beta * r,
                          .inverse = inverse};
}

static double
distance_of(const struct place *p)
{
    return p->r + p->eta * p->g[1] + p->zeta * p->g[2];
}

static double
time_of(const struct place *p, double dx)
{
    return p->r * dx + p->eta * p->g[2] + p->zeta * p->g[3];
}

/* Adds increments, so that rounding errors are relative to these. */
static void
go(const struct place *p, double dt, double *x, double *v)
{
    const double *g = p->g, inverse = 1 / distance_of(p),
                 f = -p->mu * g[2] * p->inverse, h = dt - p->mu * g[3],
                 df = -p->mu * g[1] * p->inverse * inverse,
                 dh = -p->mu * g[2] * inverse;
    for (int d = 0; d < 3; d++) {
        const double was = x[d];
        x[d] += f * was + h * v[d];
        v[d] += df * was + dh * v[d];
    }
}

double
koshu_kepler_move_by(double mu, double dx, double x[3], double v[3])
{
    struct place p = place_of(mu, x, v);
    universal(p.beta, dx, p.g);
    const double dt = time_of(&p, dx);
    go(&p, dt, x, v);
    return dt;
}

/* A first guess of the X of a time, from the inverted power series of the time;
 * for larger fractions, from the mean motion. */
static double
guess(const struct place *p, double dt)
{
    const double at = dt * p->inverse, bend = p->eta * p->inverse / 2 * at,
                 twist = p->zeta * p->inverse / 6 * at * at;
    const bool is_small = fabs(bend) < 0.1 && fabs(twist) < 0.1;
    if (!is_small) return p->beta > 0 ? dt * p->beta / p->mu : at;
    return at * (1 - bend + 2 * bend * bend - twist);
}

/* The next step from a point that is `late`, by Halley's method, or by
 * Laguerre's of order 5 (Conway 1986), which converges from anywhere. */
static double
next_step(const struct place *p, double late, double at)
{
    const double r = distance_of(p),
                 bend = p->eta * p->g[0] + p->zeta * p->g[1];
    if (fabs(late) < 1e-3 * r * fabs(at))
        return -2 * late * r / (2 * r * r - late * bend);
    return -5 * late / (r + sqrt(fabs(16 * r * r - 20 * late * bend)));
}

/* Updates the G for another small step, by their derivatives. */
static void
add_step(struct place *p, double step)
{
    const double half = step / 2, g0 = p->g[0], g1 = p->g[1], g2 = p->g[2];
    p->g[1] += step * (g0 - half * p->beta * g1);
    p->g[2] += step * (g1 + half * g0);
    p->g[3] += step * (g2 + half * g1);
}

/* Finds the X of that time, and the G there; false: no convergence. */
static bool
find(struct place *p, double dt, double *dx)
{
    enum { TRIES = 20 };
    const double near = 2e-6; /* whose third power is below rounding */
    double at = guess(p, dt);
    for (int k = 0; k < TRIES; k++) {
        universal(p->beta, at, p->g);
        const double step = next_step(p, time_of(p, at) - dt, at);
        at += step;
        if (!(fabs(step) <= near * fabs(at))) continue;
        add_step(p, step);
        *dx = at;
        return true;
    }
    return false;
}

void
koshu_kepler_move_for(double mu, double dt, double x[3], double v[3])
{
    struct place p = place_of(mu, x, v);
    double dx;
    if (find(&p, dt, &dx))
        go(&p, dt, x, v);
    else
        koshu_kepler_move(mu, dt, x, v); /* not a small fraction */
}

double
koshu_kepler_find(double mu, double dt, const double x[3], const double v[3])
{
    struct place p = place_of(mu, x, v);
    const double turn = 2 * acos(-1) / sqrt(p.beta),
                 period = mu * turn / p.beta, whole = floor(dt / period);
    double dx = 0;
    if (!find(&p, dt - whole * period, &dx)) dx = turn / 2;
    return whole * turn + dx;
}
