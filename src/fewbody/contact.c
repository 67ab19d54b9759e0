/* SPDX-License-Identifier: MIT */
/* Bodies as spheres: when the two of a link touch, and how they merge. */
#include <math.h>

#include "fewbody/pair.h"

double
koshu_radius_of(const struct koshu_radius_law *law, double mass)
{
    return law->exponent == 0
                   ? law->radius
                   : law->radius * pow(mass / law->mass, law->exponent);
}

/* ---- when ---------------------------------------------------------------- */

/* Mean anomaly at distance r = |a| q on an ellipse or hyperbola, from the
 * pericentre; negative before it. */
static double
mean_anomaly(double q, double e, bool bound, bool inbound)
{
    const double c = bound ? (1 - q) / e : (1 + q) / e;
    double m;
    if (bound) {
        const double anomaly = acos(fmax(-1, fmin(1, c)));
        m = anomaly - e * sin(anomaly);
    } else {
        const double anomaly = acosh(fmax(1, c));
        m = e * sinh(anomaly) - anomaly;
    }
    return inbound ? -m : m;
}

double
koshu_pair_contact(double mu, const double *x, const double *v, double distance)
{
    const double r = sqrt(koshu_dot(x, x)), along = koshu_dot(x, v);
    const double inverse = 2 / r - koshu_dot(v, v) / mu; /* 1 / a */
    const double e_cos = 1 - r * inverse;
    const double e = sqrt(e_cos * e_cos + along * along * inverse / mu);
    const bool bound = inverse > 0, inbound = along < 0;
    if (r <= distance) return 0;
    if (!(fabs(1 - e) < fabs(distance * inverse))) return INFINITY;
    if (!inbound && !bound) return INFINITY;
    const double a = fabs(inverse), rate = sqrt(mu * a) * a;
    double m = mean_anomaly(distance * a, e, bound, true) -
               mean_anomaly(r * a, e, bound, inbound);
    if (m < 0) m += 2 * acos(-1);
    return m / rate;
}

double
koshu_chain_contact(const struct koshu_chain *chain,
                    const struct koshu_radius_law *law, size_t *link)
{
    const struct koshu_chain *c = chain;
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS], first = INFINITY;
    koshu_chain_values(c, x, v);
    for (size_t k = 0; k + 1 < c->n; k++) {
        const double reach = koshu_radius_of(law, c->mass[k]) +
                             koshu_radius_of(law, c->mass[k + 1]);
        const double wait = koshu_pair_contact(c->mass[k] + c->mass[k + 1],
                                               x + 3 * k, v + 3 * k, reach) /
                            c->rate[k];
        if (!(wait < first)) continue;
        first = wait;
        *link = k;
    }
    return first;
}

/* ---- what becomes of them ------------------------------------------------ */

void
koshu_chain_merge(struct koshu_chain *chain, size_t link)
{
    const struct koshu_chain c = *chain;
    const unsigned a = c.body[link], b = c.body[link + 1],
                   stays = a < b ? a : b, goes = a < b ? b : a;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3],
            mass[KOSHU_FEWBODY_MAX];
    koshu_chain_bodies(&c, x, v);
    for (size_t k = 0; k < c.n; k++) mass[c.body[k]] = c.mass[k];
    const double part = mass[goes] / (mass[stays] + mass[goes]);
    for (size_t d = 0; d < 3; d++) {
        x[stays][d] += part * (x[goes][d] - x[stays][d]);
        v[stays][d] += part * (v[goes][d] - v[stays][d]);
    }
    mass[stays] += mass[goes];
    for (size_t k = goes; k + 1 < c.n; k++) {
        mass[k] = mass[k + 1];
        for (size_t d = 0; d < 3; d++) {
            x[k][d] = x[k + 1][d];
            v[k][d] = v[k + 1][d];
        }
    }
    koshu_chain_make(chain, c.n - 1, mass, (const double(*)[3])x,
                     (const double(*)[3])v, koshu_chain_time(&c));
    chain->perturbers = c.n > 2 ? c.perturbers : NULL;
}
