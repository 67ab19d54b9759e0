/* SPDX-License-Identifier: MIT */
/* Sums of Gaussians over the particles nearby. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"
#include "vortex/ranks.h"

static const double pi = 3.14159265358979323846;
static const double reach = 6; /* in core radii */

struct gaussian {
    double radius2, per_s, scale; /* R^2, 1 / (2 sigma^2), zeta(0) */
};

static struct gaussian
gaussian_of(double core)
{
    return (struct gaussian){.radius2 = reach * reach * core * core,
                             .per_s = 1 / (2 * core * core),
                             .scale = pow(2 * pi * core * core, -1.5)};
}

/* zeta at distance^2 r2, or 0. */
static inline double
zeta(const struct gaussian *g, double r2)
{
    return r2 < g->radius2 ? g->scale * exp(-r2 * g->per_s) : 0;
}

static void
add_vorticity(const struct koshu_near *near, const void *argument, size_t first,
              size_t end, const double x[3], double *sum)
{
    const struct gaussian *g = argument;
    for (size_t j = first; j < end; j++) {
        const double d[3] = {x[0] - near->x[0][j], x[1] - near->x[1][j],
                             x[2] - near->x[2][j]};
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 >= g->radius2) continue;
        const double w = zeta(g, r2);
        for (int a = 0; a < 3; a++) sum[a] += w * near->strength[a][j];
        sum[3] += w;
    }
}

static void
add_divergence(const struct koshu_near *near, const void *argument,
               size_t first, size_t end, const double x[3], double *sum)
{
    const struct gaussian *g = argument;
    for (size_t j = first; j < end; j++) {
        double r2 = 0, along = 0;
        for (int a = 0; a < 3; a++) {
            const double d = x[a] - near->x[a][j];
            r2 += d * d;
            along += d * near->strength[a][j];
        }
        if (r2 < g->radius2) sum[0] -= 2 * g->per_s * along * zeta(g, r2);
    }
}

struct smoothing {
    const struct koshu_vortices *v;
    double core;
    koshu_near_add *add;
    int n_sums;
};

static koshu_status
sum_at(const void *argument, size_t n, const double *x, double *sums)
{
    const struct smoothing *s = argument;
    struct koshu_near near;
    const struct gaussian g = gaussian_of(s->core);
    const struct koshu_near_targets targets = {n, x, s->n_sums, sums};
    memset(sums, 0, (size_t)s->n_sums * n * sizeof *sums);
    KOSHU_TRY(koshu_near_create(s->v, reach * s->core, &near));
    koshu_near_sum(&near, &targets, s->add, &g);
    koshu_near_free(&near);
    return KOSHU_OK;
}

/* n_sums sums at each of n targets. */
static koshu_status
sum(const struct koshu_vortices *v, double core, koshu_near_add *add, size_t n,
    const double *x, int n_sums, double *to)
{
    const struct smoothing s = {v, core, add, n_sums};
    return koshu_vortex_sum_on_ranks(v->context, sum_at, &s, (size_t)n_sums, n,
                                     x, to);
}

koshu_status
koshu_vortices_deconvolve(const struct koshu_vortices *v,
                          struct koshu_vortices *to)
{
    const size_t n = v->n;
    const double volume = v->spacing * v->spacing * v->spacing;
    *to = *v;
    to->filter = 0;
    to->state = koshu_alloc(KOSHU_VORTEX_STATE * n, sizeof *to->state);
    if (!to->state)
        return koshu_fail_memory(v->context, KOSHU_VORTEX_STATE * 8 * n,
                                 "strengths of vortices");
    memcpy(to->state, v->state, KOSHU_VORTEX_STATE * n * sizeof *to->state);
    double *const beta = koshu_vortices_strength(to, 0);
    const double *const alpha = koshu_vortices_strength(v, 0);
    KOSHU_TRY(sum(v, v->filter, add_vorticity, n, v->state, 3, beta));
    for (size_t k = 0; k < 3 * n; k++)
        beta[k] = 2 * alpha[k] - volume * beta[k];
    return KOSHU_OK;
}

koshu_status
koshu_vortex_vorticity(const struct koshu_vortices *v, double core, size_t n_i,
                       const double *target, double *vorticity)
{
    if (v->filter > 0) {
        struct koshu_vortices w;
        koshu_status status = koshu_vortices_deconvolve(v, &w);
        if (status == KOSHU_OK)
            status = koshu_vortex_vorticity(&w, core, n_i, target, vorticity);
        koshu_free(w.state);
        return status;
    }
    return sum(v, core, add_vorticity, n_i, target, 3, vorticity);
}

koshu_status
koshu_vortex_divergence(const struct koshu_vortices *v, double *divergence)
{
    if (v->filter > 0) {
        struct koshu_vortices w;
        koshu_status status = koshu_vortices_deconvolve(v, &w);
        if (status == KOSHU_OK)
            status = koshu_vortex_divergence(&w, divergence);
        koshu_free(w.state);
        return status;
    }
    return sum(v, v->core, add_divergence, v->n, v->state, 1, divergence);
}

koshu_status
koshu_vortex_exchange(const struct koshu_vortices *v, double viscosity,
                      double *rate)
{
    const size_t n = v->n;
    const double volume = v->spacing * v->spacing * v->spacing;
    const double factor = 2 * viscosity * volume / (v->core * v->core);
    double *sums = koshu_alloc(4 * n, sizeof *sums);
    if (!sums)
        return koshu_fail_memory(v->context, 32 * n, "exchange of strengths");
    const koshu_status status =
            sum(v, v->core, add_vorticity, n, v->state, 4, sums);
    for (size_t k = 0; status == KOSHU_OK && k < 3 * n; k++)
        rate[k] +=
                factor * (sums[k] - sums[3 * n + k % n] *
                                            koshu_vortices_strength(v, 0)[k]);
    koshu_free(sums);
    return status;
}
