/* SPDX-License-Identifier: MIT */
/* Rows of expansions, and the paths between cells; gives functions of
 * kernels/expansion.h the same name for both number types. */
#ifndef KOSHU_BACKEND_CUDA_FMM_PATHS_CUH
#define KOSHU_BACKEND_CUDA_FMM_PATHS_CUH

#include "backend/cuda/fmm/engine.cuh"

#define KOSHU_TYPED(name) name##_f32
#define KOSHU_REAL float
#define SCALAR float
#include "kernels/expansion.h"
#include "kernels/cartesian.h"
#undef KOSHU_TYPED
#undef KOSHU_REAL
#undef SCALAR
#define KOSHU_TYPED(name) name##_f64
#define KOSHU_REAL double
#define SCALAR double
#include "kernels/expansion.h"
#include "kernels/cartesian.h"
#undef KOSHU_TYPED
#undef KOSHU_REAL
#undef SCALAR

namespace koshu {

/* Functions of either number type under one name. */
template <class Real> struct formulas;

template <> struct formulas<float> {
    using direction = expansion_direction_f32;
    KOSHU_DEVICE const float *coefficients(const koshu_expansion &e)
    {
        return e.f32;
    }
    static constexpr auto derivatives = cartesian_derivatives_f32;
    static constexpr auto soften = cartesian_m2l_f32;
};

template <> struct formulas<double> {
    using direction = expansion_direction_f64;
    KOSHU_DEVICE const double *coefficients(const koshu_expansion &e)
    {
        return e.f64;
    }
    static constexpr auto derivatives = cartesian_derivatives_f64;
    static constexpr auto soften = cartesian_m2l_f64;
};

/* A path between two positions: its direction, and its length in the caller's
 * unit. */
template <class Real> struct fmm_path {
    typename formulas<Real>::direction direction;
    double distance;
};

template <class Real>
KOSHU_DEVICE fmm_path<Real>
path_between(const fmm_place &from, const fmm_place &to)
{
    const double x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
    const double across2 = x * x + y * y, distance2 = across2 + z * z;
    fmm_path<Real> path = {{1, 0, 1, 0}, 0};
    if (across2 > 0) {
        const double per_across = rsqrt(across2);
        path.direction.cos_first = (Real)(y * per_across);
        path.direction.sin_first = (Real)(-x * per_across);
    }
    if (distance2 > 0) {
        const double per_distance = rsqrt(distance2);
        path.distance = distance2 * per_distance;
        path.direction.cos_second = (Real)(z * per_distance);
        path.direction.sin_second = (Real)(sqrt(across2) * per_distance);
    }
    return path;
}

template <class Real>
KOSHU_DEVICE Real *
row_of(void *expansions, const fmm_view &v, size_t cell)
{
    return static_cast<Real *>(expansions) + cell * v.stride;
}

/* A particle relative to the centre of a cell, in the cell's lengths. */
template <class Real> struct particle_in_cell {
    Real x, y, z, charge;
};

/* The k-th particle of a leaf; beyond the last, one without charge. */
template <class Real>
KOSHU_DEVICE particle_in_cell<Real>
particle_of_leaf(const fmm_view &v, const tree_cell &leaf, const fmm_place &at,
                 uint32_t k)
{
    if (k >= leaf.n) return {0, 0, 0, 0};
    const double per_length = inverse_of_power(length_of(at));
    const uint32_t i = leaf.first + k;
    return {(Real)((v.x[i] - at.x) * per_length),
            (Real)((v.y[i] - at.y) * per_length),
            (Real)((v.z[i] - at.z) * per_length),
            (Real)(v.mass[i] * v.per_mass)};
}

/* Softened particles at one point act as if at distance eps. Returns 1 / eps in
 * the target's lengths. */
KOSHU_DEVICE double
same_point(const fmm_view &v, double length)
{
    return v.eps > 0 ? length / v.eps : 0;
}

} /* namespace koshu */

#endif
