/* SPDX-License-Identifier: MIT */
/* Creation, renewal and checks of a set of vortex particles. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "vortex/vortex.h"

koshu_status
koshu_vortices_create(struct koshu_context *context, size_t n,
                      struct koshu_vortices **vortices)
{
    struct koshu_vortices *v = calloc(1, sizeof *v);
    *vortices = NULL;
    if (!v) return koshu_fail_memory(context, sizeof *v, "vortex particles");
    v->context = context;
    const koshu_status status = koshu_vortices_renew(v, n);
    if (status == KOSHU_OK)
        *vortices = v;
    else
        koshu_vortices_destroy(v);
    return status;
}

void
koshu_vortices_destroy(struct koshu_vortices *vortices)
{
    if (!vortices) return;
    koshu_free(vortices->state);
    koshu_free(vortices->rate);
    free(vortices);
}

koshu_status
koshu_vortices_renew(struct koshu_vortices *v, size_t n)
{
    const size_t size = KOSHU_VORTEX_STATE * sizeof(double);
    v->has_rate = false;
    if (n == v->n) return KOSHU_OK;
    double *state = koshu_alloc(n, size), *rate = koshu_alloc(n, size);
    if (!state || !rate) {
        koshu_free(state);
        koshu_free(rate);
        return koshu_fail_memory(v->context, 2 * n * size, "vortex particles");
    }
    koshu_free(v->state);
    koshu_free(v->rate);
    v->n = n;
    v->state = state;
    v->rate = rate;
    return KOSHU_OK;
}

double *
koshu_vortices_position(const struct koshu_vortices *v, int k)
{
    return v->state + (size_t)k * v->n;
}

double *
koshu_vortices_strength(const struct koshu_vortices *v, int k)
{
    return v->state + (size_t)(3 + k) * v->n;
}

void
koshu_vortices_wrap(struct koshu_vortices *v)
{
    if (!(v->box > 0)) return;
    const int threads = koshu_region_threads(v->context, v->n > 1 << 14);
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < 3 * v->n; i++) {
        double x = v->state[i] - v->box * floor(v->state[i] / v->box);
        v->state[i] = x < v->box ? x : 0;
    }
}

koshu_status
koshu_vortices_check(const struct koshu_vortices *v)
{
    const size_t n = KOSHU_VORTEX_STATE * v->n;
    const int threads = koshu_region_threads(v->context, n > 1 << 16);
    size_t i = n; /* index of the first number that is not finite */
#pragma omp parallel for num_threads(threads) reduction(min : i)
    for (size_t k = 0; k < n; k++)
        if (!isfinite(v->state[k]) && k < i) i = k;
    if (i == n) return KOSHU_OK;
    return koshu_fail(v->context, KOSHU_ERROR_NOT_FINITE,
                      "vortex particle %zu at time %g: its %s is %g; "
                      "a smaller integrator.dt, or remeshing more "
                      "often, may help",
                      i % v->n, v->time, i < 3 * v->n ? "position" : "strength",
                      v->state[i]);
}
