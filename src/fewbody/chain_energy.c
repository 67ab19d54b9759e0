/* SPDX-License-Identifier: MIT */
/* Energies and accelerations of a chain. */
#include <math.h>

#include "fewbody/fewbody.h"

void
koshu_chain_values(const struct koshu_chain *chain, double *x, double *v)
{
    const size_t n = koshu_chain_half(chain);
    for (size_t k = 0; k < n; k++) {
        x[k] = koshu_sum_value(chain->y[k]);
        v[k] = koshu_sum_value(chain->y[n + k]);
    }
}

static double
square(const double *v)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Velocities of all bodies but for that of the first; less that of the centre
 * of mass. */
static void
velocities(const struct koshu_chain *c, const double *v, double (*u)[3])
{
    double centre[3] = {0}, at[3] = {0};
    for (size_t k = 0; k < c->n; k++)
        for (size_t d = 0; d < 3; d++) {
            at[d] += k > 0 ? v[3 * (k - 1) + d] : 0;
            u[k][d] = at[d];
            centre[d] += c->mass[k] * at[d];
        }
    for (size_t k = 0; k < c->n; k++)
        for (size_t d = 0; d < 3; d++) u[k][d] -= centre[d] / c->total_mass;
}

/* Of the k-th body and the next, whose own motion is slowed. */
static double
kinetic_of_pair(const struct koshu_chain *c, size_t k, const double *v,
                double (*u)[3])
{
    const double m = c->mass[k] + c->mass[k + 1],
                 reduced = c->mass[k] * c->mass[k + 1] / m;
    double centre[3];
    for (size_t d = 0; d < 3; d++)
        centre[d] = (c->mass[k] * u[k][d] + c->mass[k + 1] * u[k + 1][d]) / m;
    return (m * square(centre) + c->rate[k] * reduced * square(v + 3 * k)) / 2;
}

double
koshu_chain_kinetic(const struct koshu_chain *chain, const double *v)
{
    const struct koshu_chain *c = chain;
    double u[KOSHU_FEWBODY_MAX][3], t = 0;
    if (c->n == 2)
        return c->rate[0] * c->mass[0] * c->mass[1] / c->total_mass *
               square(v) / 2;
    velocities(c, v, u);
    for (size_t k = 0; k < c->n; k++)
        if (k + 1 < c->n && c->rate[k] != 1) {
            t += kinetic_of_pair(c, k, v, u);
            k++;
        } else
            t += c->mass[k] * square(u[k]) / 2;
    return t;
}

double
koshu_chain_forces(const struct koshu_chain *chain, const double *x, double *a)
{
    const struct koshu_chain *c = chain;
    double of_body[KOSHU_FEWBODY_MAX][3], u = 0;
    for (size_t k = 0; k < c->n; k++)
        of_body[k][0] = of_body[k][1] = of_body[k][2] = 0;
    for (size_t i = 0; i + 1 < c->n; i++) {
        double r[3] = {0};
        for (size_t j = i + 1; j < c->n; j++) {
            for (size_t d = 0; d < 3; d++) r[d] += x[3 * (j - 1) + d];
            const double r2 = square(r), m_i = c->mass[i], m_j = c->mass[j];
            const double q = (j == i + 1 ? c->rate[i] : 1) / sqrt(r2),
                         q3 = q / r2;
            u += m_i * m_j * q;
            for (size_t d = 0; d < 3; d++) {
                of_body[i][d] += m_j * q3 * r[d];
                of_body[j][d] -= m_i * q3 * r[d];
            }
        }
    }
    for (size_t k = 0; k + 1 < c->n; k++)
        for (size_t d = 0; d < 3; d++)
            a[3 * k + d] = of_body[k + 1][d] - of_body[k][d];
    return u;
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
            const double q = 1 / sqrt(square(r)), q3 = q * q * q;
            potential[at[0]] -= c->mass[j] * q;
            potential[at[1]] -= c->mass[i] * q;
            for (size_t d = 0; d < 3; d++) {
                a[at[0]][d] += c->mass[j] * q3 * r[d];
                a[at[1]][d] -= c->mass[i] * q3 * r[d];
            }
        }
    }
}
