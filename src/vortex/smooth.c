/* SPDX-License-Identifier: MIT */
/* Sums of Gaussians over the particles nearby. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"

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

static koshu_status
sum(const struct koshu_vortices *v, double core, koshu_near_add *add,
    const struct koshu_near_targets *targets)
{
    struct koshu_near near;
    const struct gaussian g = gaussian_of(core);
    KOSHU_TRY(koshu_near_create(v, reach * core, &near));
    koshu_near_sum(&near, targets, add, &g);
    koshu_near_free(&near);
    return KOSHU_OK;
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
    const struct koshu_near_targets targets = {n, v->state, 3, beta};
    memset(beta, 0, 3 * n * sizeof *beta);
    KOSHU_TRY(sum(v, v->filter, add_vorticity, &targets));
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
    const struct koshu_near_targets targets = {n_i, target, 3, vorticity};
    for (size_t i = 0; i < 3 * n_i; i++) vorticity[i] = 0;
    return sum(v, core, add_vorticity, &targets);
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
    const struct koshu_near_targets targets = {v->n, v->state, 1, divergence};
    for (size_t i = 0; i < v->n; i++) divergence[i] = 0;
    return sum(v, v->core, add_divergence, &targets);
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
    const struct koshu_near_targets targets = {n, v->state, 4, sums};
    const koshu_status status = sum(v, v->core, add_vorticity, &targets);
    for (size_t k = 0; status == KOSHU_OK && k < 3 * n; k++)
        rate[k] +=
                factor * (sums[k] - sums[3 * n + k % n] *
                                            koshu_vortices_strength(v, 0)[k]);
    koshu_free(sums);
    return status;
}
