/* SPDX-License-Identifier: MIT */
/*
 * Slow-down (Mikkola & Aarseth 1996): a pair's Hamiltonian is multiplied by 1 /
 * kappa, so that a revolution takes kappa periods, during which other bodies
 * change the orbit as much as they would in kappa revolutions.
 *
 * A change of kappa changes the Hamiltonian, so B is set anew. T + B - U, which
 * is 0 but for rounding, scales with U along the way: if B were kept, it would
 * grow with each change by the ratio of U before and after.
 */
#include <math.h>

#include "fewbody/tides.h"

static struct koshu_tides
tides_of(const struct koshu_chain *c, size_t k, const struct koshu_pair *pair,
         const struct koshu_pair_orbit *orbit, double (*x)[3], double (*v)[3])
{
    struct koshu_tides t = {INFINITY, 0};
    for (size_t j = 0; j < c->n; j++) {
        double to[3], rate[3];
        if (j == k || j == k + 1) continue;
        koshu_pair_see(pair, x[c->body[j]], v[c->body[j]], to, rate);
        koshu_tides_add(&t, orbit, c->mass[j], to, rate);
    }
    koshu_tides_add_outside(&t, c, pair, orbit);
    return t;
}

/* kappa, a power of 2; 1: no slow-down. In a slowed revolution tides do kappa
 * times what they do in one, and the other bodies must hardly move. */
static double
find_kappa(const struct koshu_chain *c, size_t k, const struct koshu_pair *pair,
           double tolerance, double (*x)[3], double (*v)[3])
{
    const struct koshu_pair_orbit orbit = koshu_pair_orbit_of(pair);
    const struct koshu_tides t = tides_of(c, k, pair, &orbit, x, v);
    const double kappa =
            fmin(koshu_tides_stillness(tolerance) * t.time / orbit.period,
                 tolerance / t.size);
    return kappa >= 2 && isfinite(kappa) ? exp2(floor(log2(kappa))) : 1;
}

/* Keeps kappa until it is off by more than the rounding to a power of 2. */
static double
next_rate(double rate, double kappa)
{
    const bool keeps = kappa > 1 && (1 / rate == kappa || 2 / rate == kappa);
    return keeps && rate < 1 ? rate : 1 / kappa;
}

void
koshu_chain_slow(struct koshu_chain *chain, double tolerance)
{
    const bool none[KOSHU_CHAIN_LINKS] = {false};
    koshu_chain_slow_others(chain, tolerance, none);
}

void
koshu_chain_slow_others(struct koshu_chain *chain, double tolerance,
                        const bool *left_out)
{
    struct koshu_chain *c = chain;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3];
    bool changed = false;
    if (tolerance == 0 || (c->n < 3 && !c->perturbers)) return;
    koshu_chain_bodies(c, x, v);
    for (size_t k = 0; k + 1 < c->n; k++) {
        const struct koshu_pair pair = koshu_pair_of(c, k, x, v);
        double kappa = 1;
        if (left_out[k]) continue;
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
