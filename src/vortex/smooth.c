/* SPDX-License-Identifier: MIT */
/* Vorticity and its divergence as sums of cores over the particles nearby. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"
#include "vortex/ranks.h"

static const double pi = 3.14159265358979323846;
static const double reach = 6; /* in core radii */

/* ---- Gaussians times polynomials ---------------------------------------- */

struct smoothing {
    const struct koshu_vortices *v;
    double g[VORTEX_GAUSSIAN_TERMS];
    int first, n_sums; /* of the Gaussians' sums */
    struct koshu_fmm_core core;
    const struct koshu_fmm_kernels *kernels;
};

static void
add_gaussians(const struct koshu_fmm_rows *rows, const void *argument,
              double *sums)
{
    const struct smoothing *s = argument;
    struct koshu_fmm_rows with = *rows;
    with.core = &s->core;
    s->kernels->gaussians(&with, s->g, sums);
}

static koshu_status
sum_at(const void *argument, size_t n, const double *x, double *sums)
{
    const struct smoothing *s = argument;
    struct koshu_near near;
    const struct koshu_near_targets targets = {n, x, s->n_sums, sums, s->first};
    memset(sums, 0, (size_t)s->n_sums * n * sizeof *sums);
    KOSHU_TRY(koshu_near_create(s->v, reach * s->v->core, &near));
    koshu_near_sum(&near, &targets, add_gaussians, s);
    koshu_near_free(&near);
    return KOSHU_OK;
}

/* n_sums sums at each of n targets. */
static koshu_status
sum(struct smoothing *s, size_t n, const double *x, double *to)
{
    struct koshu_context *const context = s->v->context;
    KOSHU_TRY(koshu_backend_fmm_kernels(context, KOSHU_PRECISION_DOUBLE,
                                        &s->kernels));
    s->core = (struct koshu_fmm_core){.radius = s->v->core, .reach = reach};
    return koshu_vortex_sum_on_ranks(context, sum_at, s, (size_t)s->n_sums, n,
                                     x, to);
}

/* ---- cores -------------------------------------------------------------- */

/* zeta, as exp(-s) times a polynomial. */
static void
find_core(const struct koshu_vortices *v, double g[VORTEX_GAUSSIAN_TERMS])
{
    const struct koshu_vortex_core_shape shape = koshu_vortex_core_shape(v);
    const double unit = pow(2 * pi * v->core * v->core, -1.5);
    for (int k = 0; k < VORTEX_GAUSSIAN_TERMS; k++) g[k] = unit * shape.g[k];
}

/* zeta' / r, likewise. */
static void
find_slope(const struct koshu_vortices *v, double g[VORTEX_GAUSSIAN_TERMS])
{
    const double unit = 1 / (v->core * v->core);
    find_core(v, g);
    for (int k = 0; k < VORTEX_GAUSSIAN_TERMS; k++) {
        const double next = k + 1 < VORTEX_GAUSSIAN_TERMS ? g[k + 1] : 0;
        g[k] = unit * ((k + 1) * next - g[k]);
    }
}

koshu_status
koshu_vortex_vorticity(const struct koshu_vortices *v, size_t n_i,
                       const double *target, double *vorticity)
{
    struct smoothing s = {.v = v, .n_sums = 3};
    find_core(v, s.g);
    return sum(&s, n_i, target, vorticity);
}

koshu_status
koshu_vortex_divergence(const struct koshu_vortices *v, size_t n_i,
                        const double *target, double *divergence)
{
    struct smoothing s = {.v = v, .first = KOSHU_GAUSSIAN_ALONG, .n_sums = 1};
    find_slope(v, s.g);
    return sum(&s, n_i, target, divergence);
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
    struct smoothing s = {.v = &gaussians, .n_sums = KOSHU_GAUSSIAN_WEIGHT + 1};
    double *sums;
    KOSHU_TRY(koshu_vortex_alloc(v->context, 4 * n, "exchange of strengths",
                                 &sums));
    find_core(&gaussians, s.g);
    const koshu_status status = sum(&s, n, v->state, sums);
    for (size_t k = 0; status == KOSHU_OK && k < 3 * n; k++)
        rate[k] +=
                factor * (sums[k] - sums[3 * n + k % n] *
                                            koshu_vortices_strength(v, 0)[k]);
    koshu_free(sums);
    return status;
}
