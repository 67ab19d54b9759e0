/* SPDX-License-Identifier: MIT */
/* The strength and time scale of tides on a pair. */
#include "fewbody/tides.h"

struct koshu_pair_orbit
koshu_pair_orbit_of(const struct koshu_pair *pair)
{
    const struct koshu_pair *p = pair;
    const double a = -p->mass / (2 * p->energy), along = koshu_dot(p->x, p->v),
                 e_cos = 1 - sqrt(koshu_dot(p->x, p->x)) / a;
    const double e2 = e_cos * e_cos + along * along / (a * p->mass);
    return (struct koshu_pair_orbit){p->mass, a, sqrt(e2),
                                     2 * acos(-1) * sqrt(a * a * a / p->mass)};
}

void
koshu_tides_add(struct koshu_tides *tides, const struct koshu_pair_orbit *orbit,
                double mass, const double *x, const double *v)
{
    struct koshu_tides *t = tides;
    const double r2 = koshu_dot(x, x), r = sqrt(r2),
                 q = orbit->a * (1 + orbit->e) / r;
    const double turn = sqrt(r2 * r / (orbit->mass + mass));
    t->time = fmin(t->time, fmin(sqrt(r2 / koshu_dot(v, v)), turn));
    t->size += 2 * mass / orbit->mass * q * q * q;
    if (!(4 * q < 1)) t->time = 0; /* too close: not a pair */
}

void
koshu_tides_add_outside(struct koshu_tides *tides,
                        const struct koshu_chain *chain,
                        const struct koshu_pair *pair,
                        const struct koshu_pair_orbit *orbit)
{
    const struct koshu_perturbers *of = chain->perturbers;
    const double dt = of ? koshu_chain_time(chain) - of->time : 0;
    for (size_t j = 0; of && j < of->n; j++) {
        const struct koshu_perturber *b = &of->body[j];
        double to[3], rate[3];
        for (size_t d = 0; d < 3; d++) {
            to[d] = b->x[d] + dt * b->v[d] - pair->centre[d];
            rate[d] = b->v[d] - pair->velocity[d];
        }
        koshu_tides_add(tides, orbit, b->mass, to, rate);
    }
    if (!of || !of->field) return;
    const double r = orbit->a * (1 + orbit->e);
    tides->time = fmin(tides->time, 1 / fmax(sqrt(of->tide), of->rate));
    tides->size += of->tide * r * r * r / orbit->mass;
}

double
koshu_tides_stillness(double tolerance)
{
    return fmin(0.05 * sqrt(sqrt(tolerance / 1e-6)), 0.2);
}
