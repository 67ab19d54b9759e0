/* SPDX-License-Identifier: MIT */
/* Converts between bodies and the links of a chain. */
#include "fewbody/fewbody.h"

/* The difference a - b together with its rounding error. */
static struct koshu_sum
difference(double a, double b)
{
    struct koshu_sum sum = {a, 0};
    koshu_sum_add(&sum, -b);
    return sum;
}

void
koshu_chain_make(struct koshu_chain *chain, size_t n, const double *mass,
                 const double (*x)[3], const double (*v)[3], double time)
{
    struct koshu_chain *c = chain;
    c->n = n;
    c->total_mass = 0;
    c->perturbers = NULL;
    const size_t half = koshu_chain_half(c);
    koshu_chain_order(n, x, c->body);
    for (size_t k = 0; k < n; k++) {
        c->mass[k] = mass[c->body[k]];
        c->total_mass += c->mass[k];
    }
    for (size_t k = 0; k + 1 < n; k++) {
        const unsigned a = c->body[k], b = c->body[k + 1];
        c->rate[k] = 1;
        for (size_t d = 0; d < 3; d++) {
            c->y[3 * k + d] = difference(x[b][d], x[a][d]);
            c->y[half + 3 * k + d] = difference(v[b][d], v[a][d]);
        }
    }
    c->y[2 * half] = (struct koshu_sum){time, 0};
    koshu_chain_bind(c);
}

/* Positions or velocities from sums along the chain, relative to the centre of
 * mass. */
static void
along(const struct koshu_chain *c, size_t at, double (*out)[3])
{
    for (size_t d = 0; d < 3; d++) {
        struct koshu_sum place[KOSHU_FEWBODY_MAX], centre = {0}, sum = {0};
        for (size_t k = 0; k < c->n; k++) {
            if (k > 0) koshu_sum_merge(&sum, c->y[at + 3 * (k - 1) + d]);
            place[k] = sum;
            koshu_sum_add(&centre, c->mass[k] * sum.sum);
            koshu_sum_add(&centre, c->mass[k] * sum.rest);
        }
        const double middle = koshu_sum_value(centre) / c->total_mass;
        for (size_t k = 0; k < c->n; k++) {
            koshu_sum_add(&place[k], -middle);
            out[c->body[k]][d] = koshu_sum_value(place[k]);
        }
    }
}

void
koshu_chain_bodies(const struct koshu_chain *chain, double (*x)[3],
                   double (*v)[3])
{
    if (x) along(chain, 0, x);
    if (v) along(chain, koshu_chain_half(chain), v);
}

void
koshu_chain_moving(const struct koshu_chain *chain, double (*x)[3],
                   double (*v)[3])
{
    struct koshu_chain c = *chain;
    const size_t half = koshu_chain_half(&c);
    double link[3 * KOSHU_CHAIN_LINKS], rate[3 * KOSHU_CHAIN_LINKS],
            slowed[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(&c, link, rate);
    koshu_chain_slowed(&c, rate, slowed);
    for (size_t k = 0; k < half; k++)
        if (slowed[k] != rate[k])
            c.y[half + k] = (struct koshu_sum){slowed[k], 0};
    koshu_chain_bodies(&c, x, v);
}
