/* SPDX-License-Identifier: MIT */
/*
 * The kinds of sums that leaves make, other than forces. Each kind defines the
 * strengths of a source, the contribution of a pair, the local expansions of
 * its fields, and their units.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_FIELD_KINDS_CUH
#define KOSHU_BACKEND_CUDA_FMM_FIELD_KINDS_CUH

#include "backend/cuda/fmm/derivatives.cuh"
#include "backend/cuda/pairs/interact.cuh"

#define KOSHU_TYPED(name) name
#define KOSHU_REAL float
#include "kernels/biot_savart.h"
#include "kernels/laplace.h"
#include "kernels/vortex_core.h"
#undef KOSHU_REAL
#define KOSHU_REAL double
#include "kernels/biot_savart.h"
#include "kernels/laplace.h"
#include "kernels/vortex_core.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

/* 1 / r; 0 at zero distance. */
KOSHU_DEVICE float
inverse_root(float r2)
{
    return r2 > 0 ? rsqrtf(r2) : 0;
}

KOSHU_DEVICE double
inverse_root(double r2)
{
    return r2 > 0x1p-1022 ? rsqrt_third_order_f64(r2, estimate(r2)) : 0;
}

/* The polynomial P of vortex cores (kernels/vortex_core.h). */
template <class Real> struct core_order {
    Real p[VORTEX_CORE_TERMS];
};

/* A coefficient of the local expansions of N fields. */
template <class Real, int N> struct alignas(16) field_term {
    Real of[(N + 3) / 4 * 4];
};

/* Term k of the derivatives of field `from`, an expansion of order p; 0 beyond
 * the derivatives' order. */
template <class Term>
KOSHU_DEVICE auto
derivative_term(const koshu_expansion &e, const Term *term, int from, int p,
                int k)
{
    using Real =
            std::remove_const_t<std::remove_reference_t<decltype(term->of[0])>>;
    const int n = degree_of(k), step = sizeof(Term) / sizeof(Real);
    if (n >= p) return gradient_terms<Real>{};
    return gradient_term(e, &term->of[from], step, n, k - n * n - n);
}

/* Charges, and optionally dipoles: potential, gradient and, with HESSIAN,
 * second derivatives. */
template <class Real, bool DIPOLE, bool HESSIAN> struct potential_fields {
    using real = Real;
    using in_double = potential_fields<double, DIPOLE, HESSIAN>;
    static constexpr bool split = sizeof(Real) == sizeof(float);
    static constexpr bool bounded = false;
    static constexpr int charges = 1, strengths = DIPOLE ? 4 : 1;
    static constexpr int fields = HESSIAN ? LAPLACE_FIELDS : LAPLACE_XX;
    static constexpr int sums = fields;
    /* the trace of the second derivatives is 0, so the last one, zz, is not
     * summed */
    static constexpr int xx = LAPLACE_XX, yy = LAPLACE_YY;
    using term = field_term<Real, fields>;

    KOSHU_DEVICE void
    add(Real *sum, Real x, Real y, Real z, const Real *strength)
    {
        Real t[LAPLACE_TERMS];
        const Real u = inverse_root(x * x + (y * y + z * z));
        laplace_derivatives(t, x, y, z, u, 1 + HESSIAN + DIPOLE);
        laplace_add_charge(sum, t, strength[0], fields);
        if (DIPOLE)
            laplace_add_dipole(sum, t, strength[1], strength[2], strength[3],
                               fields);
    }

    /* The scale of near coordinates, and the factor from sums to fields. */
    KOSHU_DEVICE double near_scale(double per_length, double)
    {
        return per_length;
    }
    KOSHU_DEVICE void give(Real *)
    {
    }
    static constexpr double near_unit = 1;

    /* The power of 1 / length in a field's unit. */
    KOSHU_DEVICE int power(int field)
    {
        return field < LAPLACE_X ? 1 : field < LAPLACE_XX ? 2 : 3;
    }

    /* Adds the field of the potential b r^2 / 2; returns the Hessian's trace.
     */
    KOSHU_DEVICE double
    add_background(double *sum, const double *b, double x, double y, double z)
    {
        sum[0] += b[0] / 2 * (x * x + y * y + z * z);
        sum[LAPLACE_X] += b[0] * x;
        sum[LAPLACE_Y] += b[0] * y;
        sum[LAPLACE_Z] += b[0] * z;
        if constexpr (HESSIAN) {
            sum[LAPLACE_XX] += b[0];
            sum[LAPLACE_YY] += b[0];
        }
        return 3 * b[0];
    }

    /* Derives the local expansions of all fields from the potential's. */
    KOSHU_DEVICE void
    expand(const koshu_expansion &e, const Real *const *local, term *to)
    {
        const int lane = (int)(threadIdx.x % WARP), p = e.p;
        for (int k = lane; k < EXPANSION_TERMS(p); k += WARP)
            to[k].of[0] = local[0][k];
        __syncwarp();
        for (int k = lane; k < EXPANSION_TERMS(p); k += WARP) {
            const auto g = derivative_term(e, to, 0, p, k);
            to[k].of[LAPLACE_X] = g.x;
            to[k].of[LAPLACE_Y] = g.y;
            to[k].of[LAPLACE_Z] = g.z;
        }
        __syncwarp();
        for (int k = lane; HESSIAN && k < EXPANSION_TERMS(p); k += WARP) {
            const auto x = derivative_term(e, to, LAPLACE_X, p - 1, k);
            const auto y = derivative_term(e, to, LAPLACE_Y, p - 1, k);
            to[k].of[LAPLACE_XX] = x.x;
            to[k].of[LAPLACE_XY] = x.y;
            to[k].of[LAPLACE_XZ] = x.z;
            to[k].of[LAPLACE_YY] = y.y;
            to[k].of[LAPLACE_YZ] = y.z;
        }
        __syncwarp();
    }
};

/* Vortices: 4 pi times velocities and, with GRADIENT, their gradients. */
template <class Real, bool GRADIENT> struct vortex_fields {
    using real = Real;
    using in_double = vortex_fields<double, GRADIENT>;
    static constexpr bool split = sizeof(Real) == sizeof(float);
    static constexpr bool bounded = false;
    static constexpr int charges = 3, strengths = 3;
    static constexpr int fields =
            GRADIENT ? BIOT_SAVART_FIELDS : BIOT_SAVART_GRADIENT;
    static constexpr int sums = fields;
    static constexpr int xx = BIOT_SAVART_GRADIENT, yy = xx + 4;
    using term = field_term<Real, fields>;

    KOSHU_DEVICE void add(Real *sum, Real x, Real y, Real z, const Real *alpha)
    {
        const Real u = inverse_root(x * x + (y * y + z * z));
        biot_savart_add(sum, x, y, z, u, alpha[0], alpha[1], alpha[2], fields);
    }

    /* The scale of near coordinates, and the factor from sums to fields. */
    KOSHU_DEVICE double near_scale(double per_length, double)
    {
        return per_length;
    }
    KOSHU_DEVICE void give(Real *)
    {
    }
    static constexpr double near_unit = 1;

    KOSHU_DEVICE int power(int field)
    {
        return field < BIOT_SAVART_GRADIENT ? 2 : 3;
    }

    /* Adds the curl of the potentials b_i r^2 / 2, whose gradient has trace 0.
     */
    KOSHU_DEVICE double
    add_background(double *sum, const double *b, double x, double y, double z)
    {
        sum[0] += b[2] * y - b[1] * z;
        sum[1] += b[0] * z - b[2] * x;
        sum[2] += b[1] * x - b[0] * y;
        if constexpr (GRADIENT) {
            double *const g = sum + BIOT_SAVART_GRADIENT;
            g[1] += b[2];
            g[2] -= b[1];
            g[3] -= b[2];
            g[5] += b[0];
            g[6] += b[1];
            g[7] -= b[0];
        }
        return 0;
    }

    /* The curl of the three potentials, and its gradient. */
    KOSHU_DEVICE void
    expand(const koshu_expansion &e, const Real *const *local, term *to)
    {
        const int lane = (int)(threadIdx.x % WARP), p = e.p;
        for (int k = lane; k < EXPANSION_TERMS(p); k += WARP) {
            const int n = degree_of(k), m = k - n * n - n;
            gradient_terms<Real> g[3] = {};
            for (int a = 0; a < 3 && n < p; a++)
                g[a] = gradient_term(e, local[a], 1, n, m);
            to[k].of[0] = g[2].y - g[1].z;
            to[k].of[1] = g[0].z - g[2].x;
            to[k].of[2] = g[1].x - g[0].y;
        }
        __syncwarp();
        for (int k = lane; GRADIENT && k < EXPANSION_TERMS(p); k += WARP)
            for (int i = 0; i < 3; i++) {
                const auto g = derivative_term(e, to, i, p - 1, k);
                Real *const of = to[k].of + BIOT_SAVART_GRADIENT + 3 * i;
                of[0] = g.x;
                of[1] = g.y;
                if (i < 2) of[2] = g.z;
            }
        __syncwarp();
    }
};

} /* namespace koshu */

#endif
