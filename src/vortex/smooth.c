/* SPDX-License-Identifier: MIT */
/* Vorticity and its divergence as sums of cores over the particles nearby. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"
#include "vortex/ranks.h"

static const double pi = 3.14159265358979323846;
static const double reach = 6; /* in core radii */

struct core {
    double radius2, per_s; /* R^2, 1 / (2 sigma^2) */
    /* coefficients of koshu_vortex_core_shape(), and of the derivative by s */
    double g[KOSHU_VORTEX_CORE_TERMS], slope[KOSHU_VORTEX_CORE_TERMS];
};

static struct core
core_of(const struct koshu_vortices *v)
{
    const double sigma2 = v->core * v->core;
    const struct koshu_vortex_core_shape shape = koshu_vortex_core_shape(v);
    struct core c = {.radius2 = reach * reach * sigma2,
                     .per_s = 1 / (2 * sigma2)};
    enum { LAST = KOSHU_VORTEX_CORE_TERMS - 1 };
    for (int k = 0; k <= LAST; k++)
        c.g[k] = pow(2 * pi * sigma2, -1.5) * shape.g[k];
    for (int k = 0; k <= LAST; k++)
        c.slope[k] = (k < LAST ? (k + 1) * c.g[k + 1] : 0) - c.g[k];
    return c;
}

/* exp(-s) times polynomial g at squared distance r2; 0 beyond the cut-off. */
static inline double
core_value(const struct core *c, const double *g, double r2)
{
    const double s = r2 * c->per_s;
    if (r2 >= c->radius2) return 0;
    double sum = 0;
    for (int k = KOSHU_VORTEX_CORE_TERMS - 1; k >= 0; k--) sum = sum * s + g[k];
    return exp(-s) * sum;
}

static inline double
zeta(const struct core *c, double r2)
{
    return core_value(c, c->g, r2);
}

/* zeta'(r) / r. */
static inline double
slope(const struct core *c, double r2)
{
    return 2 * c->per_s * core_value(c, c->slope, r2);
}

static void
add_vorticity(const struct koshu_near *near, const void *argument, size_t first,
              size_t end, const double x[3], double *sum)
{
    const struct core *c = argument;
    for (size_t j = first; j < end; j++) {
        const double d[3] = {x[0] - near->x[0][j], x[1] - near->x[1][j],
                             x[2] - near->x[2][j]};
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 >= c->radius2) continue;
        const double w = zeta(c, r2);
        for (int a = 0; a < 3; a++) sum[a] += w * near->strength[a][j];
        sum[3] += w;
    }
}

static void
add_divergence(const struct koshu_near *near, const void *argument,
               size_t first, size_t end, const double x[3], double *sum)
{
    const struct core *c = argument;
    for (size_t j = first; j < end; j++) {
        double r2 = 0, along = 0;
        for (int a = 0; a < 3; a++) {
            const double d = x[a] - near->x[a][j];
            r2 += d * d;
            along += d * near->strength[a][j];
        }
        sum[0] += along * slope(c, r2);
    }
}

struct smoothing {
    const struct koshu_vortices *v;
    koshu_near_add *add;
    int n_sums;
};

static koshu_status
sum_at(const void *argument, size_t n, const double *x, double *sums)
{
    const struct smoothing *s = argument;
    struct koshu_near near;
    const struct core c = core_of(s->v);
    const struct koshu_near_targets targets = {n, x, s->n_sums, sums};
    memset(sums, 0, (size_t)s->n_sums * n * sizeof *sums);
    KOSHU_TRY(koshu_near_create(s->v, reach * s->v->core, &near));
    koshu_near_sum(&near, &targets, s->add, &c);
    koshu_near_free(&near);
    return KOSHU_OK;
}

/* n_sums sums at each of n targets. */
static koshu_status
sum(const struct koshu_vortices *v, koshu_near_add *add, size_t n,
    const double *x, int n_sums, double *to)
{
    const struct smoothing s = {v, add, n_sums};
    return koshu_vortex_sum_on_ranks(v->context, sum_at, &s, (size_t)n_sums, n,
                                     x, to);
}

koshu_status
koshu_vortex_vorticity(const struct koshu_vortices *v, size_t n_i,
                       const double *target, double *vorticity)
{
    return sum(v, add_vorticity, n_i, target, 3, vorticity);
}

koshu_status
koshu_vortex_divergence(const struct koshu_vortices *v, size_t n_i,
                        const double *target, double *divergence)
{
    return sum(v, add_divergence, n_i, target, 1, divergence);
}

/* Always uses Gaussians, whatever the order of the cores. */
koshu_status
koshu_vortex_exchange(const struct koshu_vortices *v, double viscosity,
                      double *rate)
{
    const size_t n = v->n;
    const double volume = v->spacing * v->spacing * v->spacing;
    const double factor = 2 * viscosity * volume / (v->core * v->core);
    struct koshu_vortices gaussians = *v;
    gaussians.order = 2;
    double *sums = koshu_alloc(4 * n, sizeof *sums);
    if (!sums)
        return koshu_fail_memory(v->context, 32 * n, "exchange of strengths");
    const koshu_status status =
            sum(&gaussians, add_vorticity, n, v->state, 4, sums);
    for (size_t k = 0; status == KOSHU_OK && k < 3 * n; k++)
        rate[k] +=
                factor * (sums[k] - sums[3 * n + k % n] *
                                            koshu_vortices_strength(v, 0)[k]);
    koshu_free(sums);
    return status;
}
