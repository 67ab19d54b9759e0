/* SPDX-License-Identifier: MIT */
/* Energies and accelerations of the bodies of a chain. */
#include "fewbody/motion_f64.h"

void
koshu_chain_values(const struct koshu_chain *chain, double *x, double *v)
{
    const size_t n = koshu_chain_half(chain);
    for (size_t k = 0; k < n; k++) {
        x[k] = koshu_sum_value(chain->y[k]);
        v[k] = koshu_sum_value(chain->y[n + k]);
    }
}

double
koshu_chain_kinetic(const struct koshu_chain *chain, const double *v)
{
    return motion_kinetic_f64(chain, chain->n, v);
}

double
koshu_chain_forces(const struct koshu_chain *chain, const double *x, double *a)
{
    return motion_forces_f64(chain, chain->n, x, a);
}

static double
energy(const struct koshu_chain *c, double *u)
{
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS],
            a[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(c, x, v);
    *u = koshu_chain_forces(c, x, a);
    return koshu_chain_kinetic(c, v) - *u;
}

void
koshu_chain_bind(struct koshu_chain *chain)
{
    double u;
    chain->binding = -energy(chain, &u);
    chain->y[2 * koshu_chain_half(chain) + 1] = (struct koshu_sum){0, 0};
}

double
koshu_chain_energy(const struct koshu_chain *chain, double *u)
{
    struct koshu_chain c = *chain;
    for (size_t k = 0; k + 1 < c.n; k++) c.rate[k] = 1;
    return energy(&c, u);
}

void
koshu_chain_fields(const struct koshu_chain *chain, double (*a)[3],
                   double *potential)
{
    const struct koshu_chain *c = chain;
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(c, x, v);
    for (size_t i = 0; i < c->n; i++)
        potential[i] = a[i][0] = a[i][1] = a[i][2] = 0;
    for (size_t i = 0; i + 1 < c->n; i++) {
        double r[3] = {0};
        for (size_t j = i + 1; j < c->n; j++) {
            const unsigned at[2] = {c->body[i], c->body[j]};
            for (size_t d = 0; d < 3; d++) r[d] += x[3 * (j - 1) + d];
            const double q = 1 / sqrt(motion_square_f64(r)), q3 = q * q * q;
            potential[at[0]] -= c->mass[j] * q;
            potential[at[1]] -= c->mass[i] * q;
            for (size_t d = 0; d < 3; d++) {
                a[at[0]][d] += c->mass[j] * q3 * r[d];
                a[at[1]][d] -= c->mass[i] * q3 * r[d];
            }
        }
    }
}
