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

#include "fewbody/pair.h"

/* Of a bound pair. */
struct orbit {
    double mass, apocentre, period; /* m1 + m2 */
};

static struct orbit
orbit_of(const struct koshu_pair *p)
{
    const double a = -p->mass / (2 * p->energy), along = koshu_dot(p->x, p->v),
                 e_cos = 1 - sqrt(koshu_dot(p->x, p->x)) / a;
    const double e2 = e_cos * e_cos + along * along / (a * p->mass);
    return (struct orbit){p->mass, a * (1 + sqrt(e2)),
                          2 * acos(-1) * sqrt(a * a * a / p->mass)};
}

/* What others do to a pair: the time in which they change where they are, and
 * their tides at its apocentre over the force of the pair there. */
struct perturbation {
    double time, tide;
};

static void
perturb(struct perturbation *p, const struct orbit *orbit, double mass,
        const double *x, const double *v)
{
    const double r2 = koshu_dot(x, x), r = sqrt(r2), q = orbit->apocentre / r;
    const double turn = sqrt(r2 * r / (orbit->mass + mass));
    p->time = fmin(p->time, fmin(sqrt(r2 / koshu_dot(v, v)), turn));
    p->tide += 2 * mass / orbit->mass * q * q * q;
    if (!(4 * q < 1)) p->time = 0; /* it is no pair with a third so near */
}

/* Those from outside, as they are at the time of the chain. */
static void
perturb_from_outside(struct perturbation *p, const struct koshu_chain *c,
                     const struct koshu_pair *pair, const struct orbit *orbit)
{
    const struct koshu_perturbers *of = c->perturbers;
    const double dt = of ? koshu_chain_time(c) - of->time : 0;
    for (size_t j = 0; of && j < of->n; j++) {
        const struct koshu_perturber *b = &of->body[j];
        double to[3], rate[3];
        for (size_t d = 0; d < 3; d++) {
            to[d] = b->x[d] + dt * b->v[d] - pair->centre[d];
            rate[d] = b->v[d] - pair->velocity[d];
        }
        perturb(p, orbit, b->mass, to, rate);
    }
    if (!of || !of->field) return;
    const double r = orbit->apocentre;
    p->time = fmin(p->time, 1 / fmax(sqrt(of->tide), of->rate));
    p->tide += of->tide * r * r * r / orbit->mass;
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
find_kappa(const struct koshu_chain *c, size_t k, const struct koshu_pair *pair,
           double tolerance, double (*x)[3], double (*v)[3])
{
    const double still = stillness(tolerance);
    const struct orbit orbit = orbit_of(pair);
    struct perturbation p = {INFINITY, 0};
    for (size_t j = 0; j < c->n; j++) {
        double to[3], rate[3];
        if (j == k || j == k + 1) continue;
        koshu_pair_see(pair, x[c->body[j]], v[c->body[j]], to, rate);
        perturb(&p, &orbit, c->mass[j], to, rate);
    }
    perturb_from_outside(&p, c, pair, &orbit);
    const double kappa =
            fmin(still * p.time / orbit.period, tolerance / p.tide);
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
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3];
    bool changed = false;
    if (tolerance == 0 || (c->n < 3 && !c->perturbers)) return;
    koshu_chain_bodies(c, x, v);
    for (size_t k = 0; k + 1 < c->n; k++) {
        const struct koshu_pair pair = koshu_pair_of(c, k, x, v);
        double kappa = 1;
        if (pair.energy < 0 && (k == 0 || c->rate[k - 1] == 1))
            kappa = find_kappa(c, k, &pair, tolerance, x, v);
        const double rate = next_rate(c->rate[k], kappa);
        if (rate == c->rate[k]) continue;
        koshu_chain_set_rate(c, k, rate);
        changed = true;
    }
    if (changed) koshu_chain_bind(c);
}

void
koshu_chain_speed_up(struct koshu_chain *chain, size_t k)
{
    koshu_chain_set_rate(chain, k, 1);
    koshu_chain_bind(chain);
}

void
koshu_chain_settle(struct koshu_chain *chain)
{
    for (size_t k = 0; k + 1 < chain->n; k++)
        if (chain->rate[k] != 1) koshu_chain_speed_up(chain, k);
}
