/* SPDX-License-Identifier: MIT */
/*
 * Slow-down (Mikkola & Aarseth 1996): the Hamiltonian of a pair counts 1 /
 * kappa of what it is, so that a revolution takes kappa periods, in which the
 * others do to the orbit what they would in kappa revolutions.
 *
 * With another kappa the Hamiltonian is another, and B begins anew: T + B - U,
 * which is 0 but for rounding, goes with U on the way, so that kept as it is it
 * would grow with each change, by the ratio of U before and after.
 */
#include <math.h>

#include "fewbody/fewbody.h"

/* Of a link, as a pair. */
struct pair {
    double mass, apocentre, period; /* m1 + m2 */
};

static double
dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* false: they are not bound. */
static bool
is_bound(const struct koshu_chain *c, size_t k, const double *x,
         const double *v, struct pair *pair)
{
    const double r = sqrt(dot(x, x));
    pair->mass = c->mass[k] + c->mass[k + 1];
    const double per_mass = dot(v, v) / 2 - pair->mass / r;
    if (!(per_mass < 0)) return false;
    const double a = -pair->mass / (2 * per_mass), along = dot(x, v),
                 e_cos = 1 - r / a;
    const double e2 = e_cos * e_cos + along * along / (a * pair->mass);
    pair->apocentre = a * (1 + sqrt(e2));
    pair->period = 2 * acos(-1) * sqrt(a * a * a / pair->mass);
    return true;
}

/* What others do to a pair: the time in which they change where they are, and
 * their tides at its apocentre over the force of the pair there. */
struct perturbation {
    double time, tide;
};

static void
perturb(struct perturbation *p, const struct pair *pair, double mass,
        const double *x, const double *v)
{
    const double r2 = dot(x, x), r = sqrt(r2), q = pair->apocentre / r;
    const double orbit = sqrt(r2 * r / (pair->mass + mass));
    p->time = fmin(p->time, fmin(sqrt(r2 / dot(v, v)), orbit));
    p->tide += 2 * mass / pair->mass * q * q * q;
    if (!(4 * q < 1)) p->time = 0; /* it is no pair with a third so near */
}

static void
centre_of_pair(const struct koshu_chain *c, size_t k, double (*y)[3],
               double *out)
{
    const double *a = y[c->body[k]], *b = y[c->body[k + 1]];
    const double part = c->mass[k + 1] / (c->mass[k] + c->mass[k + 1]);
    for (size_t d = 0; d < 3; d++) out[d] = a[d] + part * (b[d] - a[d]);
}

static void
relative_to(const struct koshu_chain *c, size_t k, double (*y)[3], size_t j,
            double *out)
{
    centre_of_pair(c, k, y, out);
    for (size_t d = 0; d < 3; d++) out[d] = y[c->body[j]][d] - out[d];
}

/* Those from outside, as they are at the time of the chain. */
static void
perturb_from_outside(struct perturbation *p, const struct koshu_chain *c,
                     const struct pair *pair, const double *centre,
                     const double *velocity)
{
    const struct koshu_perturbers *of = c->perturbers;
    const double dt = of ? koshu_chain_time(c) - of->time : 0;
    for (size_t j = 0; of && j < of->n; j++) {
        const struct koshu_perturber *b = &of->body[j];
        double to[3], rate[3];
        for (size_t d = 0; d < 3; d++) {
            to[d] = b->x[d] + dt * b->v[d] - centre[d];
            rate[d] = b->v[d] - velocity[d];
        }
        perturb(p, pair, b->mass, to, rate);
    }
    if (!of || !of->field) return;
    const double r = pair->apocentre;
    p->time = fmin(p->time, 1 / sqrt(of->tide));
    p->tide += of->tide * r * r * r / pair->mass;
}

/* The part of the time in which others move that a revolution may take: what is
 * off by it grows with its square, and with the tides. */
static double
stillness(double tolerance)
{
    return fmin(0.05 * sqrt(sqrt(tolerance / 1e-6)), 0.2);
}

/* kappa, a power of 2; 1: none. In a revolution of kappa periods the tides do
 * kappa times what they do in one, and the others stay where they are. */
static double
find_kappa(const struct koshu_chain *c, size_t k, const struct pair *pair,
           double tolerance, double (*x)[3], double (*v)[3])
{
    const double still = stillness(tolerance);
    struct perturbation p = {INFINITY, 0};
    for (size_t j = 0; j < c->n; j++) {
        double to[3], rate[3];
        if (j == k || j == k + 1) continue;
        relative_to(c, k, x, j, to);
        relative_to(c, k, v, j, rate);
        perturb(&p, pair, c->mass[j], to, rate);
    }
    double centre[3], velocity[3];
    centre_of_pair(c, k, x, centre);
    centre_of_pair(c, k, v, velocity);
    perturb_from_outside(&p, c, pair, centre, velocity);
    const double kappa =
            fmin(still * p.time / pair->period, tolerance / p.tide);
    return kappa >= 2 && isfinite(kappa) ? exp2(floor(log2(kappa))) : 1;
}

/* An orbit keeps its kappa until it is off by more than rounding to a power of
 * 2 takes from it. */
static double
next_rate(double rate, double kappa)
{
    const bool keeps = kappa > 1 && (1 / rate == kappa || 2 / rate == kappa);
    return keeps && rate < 1 ? rate : 1 / kappa;
}

void
koshu_chain_slow(struct koshu_chain *chain, double tolerance)
{
    struct koshu_chain *c = chain;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3],
            link[3 * KOSHU_CHAIN_LINKS], of_link[3 * KOSHU_CHAIN_LINKS];
    bool changed = false;
    if (tolerance == 0 || (c->n < 3 && !c->perturbers)) return;
    koshu_chain_bodies(c, x, v);
    koshu_chain_values(c, link, of_link);
    for (size_t k = 0; k + 1 < c->n; k++) {
        struct pair pair;
        const bool bound = is_bound(c, k, link + 3 * k, of_link + 3 * k, &pair);
        double kappa = 1;
        if (bound && (k == 0 || c->rate[k - 1] == 1))
            kappa = find_kappa(c, k, &pair, tolerance, x, v);
        const double rate = next_rate(c->rate[k], kappa);
        changed = changed || rate != c->rate[k];
        c->rate[k] = rate;
    }
    if (changed) koshu_chain_bind(c);
}

void
koshu_chain_speed_up(struct koshu_chain *chain, size_t k)
{
    chain->rate[k] = 1;
    koshu_chain_bind(chain);
}
