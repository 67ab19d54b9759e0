/* SPDX-License-Identifier: MIT */
/*
 * Vortices with cores. Only near pairs take cores into account, expansions do
 * not. Coordinates of near pairs are in units of 2^(1/2) sigma
 * (kernels/vortex_core.h), in one float or, with SPLIT, in the sum of two.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_CORE_KINDS_CUH
#define KOSHU_BACKEND_CUDA_FMM_CORE_KINDS_CUH

#include "backend/cuda/fmm/field_kinds.cuh"

namespace koshu {

/* exp(-s). */
KOSHU_DEVICE float
gaussian_of(float s)
{
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(-1.44269504f * s));
    return e;
}

KOSHU_DEVICE float
inverse_of(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

KOSHU_DEVICE void
core_functions(float s, const core_order<float> &order, float *f1, float *f2)
{
    const float c = fmaxf(s, VORTEX_CORE_LEAST), u = estimate(c);
    vortex_core_functions(s, c, u, gaussian_of(c),
                          inverse_of(1 + VORTEX_CORE_P * c * u), order.p, f1,
                          f2);
}

KOSHU_DEVICE void
core_functions(double s, const core_order<double> &order, double *f1,
               double *f2)
{
    vortex_core_precise(s, order.p, f1, f2);
}

template <class Real, bool GRADIENT, bool SPLIT>
struct core_fields : vortex_fields<Real, GRADIENT> {
    using base = vortex_fields<Real, GRADIENT>;
    static constexpr bool split = SPLIT, bounded = true;
    static constexpr int sums = GRADIENT ? VORTEX_CORE_SUMS : VORTEX_CORE_ALPHA;

    KOSHU_DEVICE void add(Real *sum, Real x, Real y, Real z, const Real *alpha,
                          const core_order<Real> &order)
    {
        Real f1, f2;
        core_functions(x * x + (y * y + z * z), order, &f1, &f2);
        vortex_core_add(sum, x, y, z, f1, f2, alpha[0], alpha[1], alpha[2],
                        sums);
    }

    KOSHU_DEVICE double near_scale(double, double core)
    {
        return 0.70710678118654752440 / core;
    }

    /* turns sums into fields, up to the factor near_unit */
    KOSHU_DEVICE void give(Real *sum)
    {
        if constexpr (GRADIENT) {
            const Real x = sum[VORTEX_CORE_ALPHA],
                       y = sum[VORTEX_CORE_ALPHA + 1],
                       z = sum[VORTEX_CORE_ALPHA + 2];
            Real *const g = sum + BIOT_SAVART_GRADIENT;
#pragma unroll
            for (int k = 0; k < VORTEX_CORE_SUMS - VORTEX_CORE_SLOPES; k++)
                g[k] = 2 * sum[VORTEX_CORE_SLOPES + k];
            g[1] -= z;
            g[2] += y;
            g[3] += z;
            g[5] -= x;
            g[6] -= y;
            g[7] += x;
        }
    }

    static constexpr double near_unit = 1.12837916709551257390; /* 2/pi^(1/2) */
};

} /* namespace koshu */

#endif
