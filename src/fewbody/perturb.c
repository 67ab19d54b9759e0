/* SPDX-License-Identifier: MIT */
/* What bodies from outside do to a chain, relative to its centre of mass. */
#include <math.h>

#include "fewbody/fewbody.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

static void
add_field(const struct koshu_perturber *p, const double *at, size_t n,
          const double (*x)[3], double (*f)[3])
{
    for (size_t k = 0; k < n; k++) {
        const double r[3] = {at[0] - x[k][0], at[1] - x[k][1], at[2] - x[k][2]};
        const double q = 1 / sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        for (size_t d = 0; d < 3; d++) f[k][d] += p->mass * q * q * q * r[d];
    }
}

void
koshu_perturbers_fields(const struct koshu_perturbers *perturbers, double time,
                        size_t n, const double (*x)[3], double (*f)[3])
{
    const double dt = time - perturbers->time;
    for (size_t k = 0; k < n; k++) f[k][0] = f[k][1] = f[k][2] = 0;
    for (size_t j = 0; j < perturbers->n; j++) {
        const struct koshu_perturber *p = &perturbers->body[j];
        double at[3];
        for (size_t d = 0; d < 3; d++)
            at[d] = hermite_predict_x_f64(p->x[d], p->v[d], p->a[d], p->jerk[d],
                                          dt);
        add_field(p, at, n, x, f);
    }
    if (perturbers->field) perturbers->field(perturbers->user, time, n, x, f);
}

/* Along the chain, about the centre of mass. */
static void
place(const struct koshu_chain *c, const double *x, double (*at)[3])
{
    double centre[3] = {0}, sum[3] = {0};
    for (size_t k = 0; k < c->n; k++)
        for (size_t d = 0; d < 3; d++) {
            sum[d] += k > 0 ? x[3 * (k - 1) + d] : 0;
            at[k][d] = sum[d];
            centre[d] += c->mass[k] * sum[d];
        }
    for (size_t k = 0; k < c->n; k++)
        for (size_t d = 0; d < 3; d++) at[k][d] -= centre[d] / c->total_mass;
}

void
koshu_chain_perturb(const struct koshu_chain *chain, double time,
                    const double *x, double *a, double (*f)[3])
{
    const struct koshu_chain *c = chain;
    double at[KOSHU_FEWBODY_MAX][3];
    place(c, x, at);
    koshu_perturbers_fields(c->perturbers, time, c->n, (const double(*)[3])at,
                            f);
    for (size_t k = 0; k + 1 < c->n; k++)
        for (size_t d = 0; d < 3; d++) a[3 * k + d] += f[k + 1][d] - f[k][d];
}

double
koshu_chain_power(const struct koshu_chain *chain, const double *v,
                  double (*f)[3])
{
    const struct koshu_chain *c = chain;
    double u[KOSHU_FEWBODY_MAX][3], power = 0;
    place(c, v, u);
    for (size_t k = 0; k < c->n; k++)
        for (size_t d = 0; d < 3; d++) power += c->mass[k] * f[k][d] * u[k][d];
    return power;
}
