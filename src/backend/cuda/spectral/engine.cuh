/* SPDX-License-Identifier: MIT */
/*
 * The pseudo-spectral solver on the device. Arrays of complex numbers:
 *
 *     state, sum   ((j 3 + c) m + i) k + l, as on the host
 *     mixed        ((x 5 + f) m + j) k + l: waves along y and z; x is a plane
 *                  of the mesh, or the place of a wave
 *     planes       ((f chunk + p) mesh + y) row + h: of the planes that are at
 *                  work; in place real numbers, 2 row to a line. Where koshu
 *                  has the transforms (passes.cuh) the k waves, row = k
 *
 * Fields on the way to points are the three of u, on the way back five of
 * products: as the projection takes gradients away,
 *
 *     P (u x omega) = - P div T,  T = u u - u_z^2
 *
 * whose component zz is 0. So a stage takes 8 transforms of the mesh, and the
 * host's form 9. (Basdevant 1983, J. Comput. Phys. 50, 209.)
 */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_ENGINE_CUH
#define KOSHU_BACKEND_CUDA_SPECTRAL_ENGINE_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"
#include "backend/cuda/spectral/cufft.h"
#include "backend/spectral.h"

namespace koshu {

enum { SPECTRAL_THREADS = 256 };

/* Products, in this order. */
enum {
    SPECTRAL_XX, /* u_x^2 - u_z^2 */
    SPECTRAL_YY, /* u_y^2 - u_z^2 */
    SPECTRAL_XY,
    SPECTRAL_XZ,
    SPECTRAL_YZ,
    SPECTRAL_PRODUCTS
};

enum spectral_plan { PLAN_COLUMNS, PLAN_TO_POINTS, PLAN_TO_WAVES };

/* What a stage of the scheme does with the rates. There are none where the
 * state goes to planes, or its curl. */
enum spectral_stage {
    SPECTRAL_FIRST,
    SPECTRAL_SECOND,
    SPECTRAL_THIRD,
    SPECTRAL_FOURTH,
    SPECTRAL_PREPARE,
    SPECTRAL_CURL
};

/* Transforms along an axis by kernels of ours (passes.cuh), for one mesh. Along
 * x: of the first `fields` mixed fields. Along y and z: of a chunk's planes,
 * from mixed waves to points of lines, and back; in between to points,
 * products, and waves of them, or with max as spectral_planes(). */
struct spectral_passes {
    cudaError_t (*x)(const koshu_spectral_engine &e, size_t fields,
                     bool to_points);
    cudaError_t (*y)(const koshu_spectral_engine &e, size_t first,
                     size_t fields, bool to_points);
    cudaError_t (*z)(const koshu_spectral_engine &e, size_t first,
                     unsigned long long *max);
    void (*make_roots)(void *roots); /* of unity: 2 mesh numbers */
};

} /* namespace koshu */

struct koshu_spectral_engine {
    koshu_backend *backend;
    koshu_cuda *cuda;
    koshu_spectral_sizes sizes;
    size_t row, chunk, chunks; /* planes of a chunk; the last may have less */
    const koshu::spectral_passes *passes; /* NULL: cuFFT's transforms */
    koshu::buffer roots;                  /* of the passes */
    koshu_cufft *cufft;
    koshu::buffer work; /* of transforms */
    koshu::buffer state, sum, mixed, planes;
    koshu::buffer decay;  /* m numbers */
    koshu::buffer result; /* of sums and maxima */
};

namespace koshu {

/* What kernels see. */
template <class Real> struct spectral_view {
    using complex_number =
            std::conditional_t<sizeof(Real) == 4, float2, double2>;
    size_t k, m, mesh, row, chunk;
    double unit;
    complex_number *state, *sum, *mixed, *planes;
    const double *decay;

    /* Of index i or j: its wave number, and where it stands on the mesh. */
    __device__ double frequency(size_t i) const
    {
        return unit * (i < k ? (double)i : (double)i - (double)m);
    }
    __device__ size_t place(size_t i) const
    {
        return i < k ? i : i + mesh - m;
    }
    __device__ complex_number *in_state(size_t c, size_t i, size_t j) const
    {
        return state + ((j * 3 + c) * m + i) * k;
    }
    __device__ complex_number *in_mixed(size_t x, size_t f, size_t j) const
    {
        return mixed + ((x * SPECTRAL_PRODUCTS + f) * m + j) * k;
    }
    __device__ complex_number *in_planes(size_t f, size_t p, size_t y) const
    {
        return planes + ((f * chunk + p) * mesh + y) * row;
    }
};

template <class Real>
spectral_view<Real>
view_of(const koshu_spectral_engine &e)
{
    using number = typename spectral_view<Real>::complex_number;
    return {e.sizes.k,
            e.sizes.m,
            e.sizes.mesh,
            e.row,
            e.chunk,
            e.sizes.unit,
            e.state.as<number>(),
            e.sum.as<number>(),
            e.mixed.as<number>(),
            e.planes.as<number>(),
            e.decay.as<double>()};
}

/* The largest x of a warp. */
KOSHU_DEVICE void
keep_largest(unsigned long long *max, double x)
{
    for (unsigned other = WARP / 2; other > 0; other /= 2)
        x = fmax(x, __shfl_xor_sync(~0u, x, other));
    if (threadIdx.x % WARP == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(x));
}

/* do_<float>(...) or do_<double>(...), as the engine's precision is. */
#define KOSHU_SPECTRAL_CALL(engine, name, ...)            \
    ((engine).sizes.in_double ? name<double>(__VA_ARGS__) \
                              : name<float>(__VA_ARGS__))

static inline size_t
number_bytes(const koshu_spectral_engine &e)
{
    return e.sizes.in_double ? sizeof(double2) : sizeof(float2);
}

/* Planes of a chunk that there are. */
static inline size_t
planes_of(const koshu_spectral_engine &e, size_t first)
{
    return std::min(e.chunk, e.sizes.mesh - first);
}

/* ---- passes.cu ----------------------------------------------------------- */

/* NULL: none of the mesh. */
const spectral_passes *spectral_find_passes(const koshu_spectral_sizes &sizes);

/* ---- planes.cu ----------------------------------------------------------- */

/* Mixed waves to points and, as products, back; or, with max, the largest
 * square of the vector that is there, and sum of its components' sizes, to two
 * numbers, as bits. */
koshu_status
spectral_planes(const koshu_spectral_engine &e, unsigned long long *max);

/* ---- columns.cu ---------------------------------------------------------- */

/* The stage, and what planes need of its result. */
koshu_status spectral_columns(const koshu_spectral_engine &e,
                              spectral_stage stage,
                              const koshu_spectral_factors &factors);

/* ---- sums.cu ------------------------------------------------------------- */

/* To m rows of four sums on the device. */
cudaError_t
spectral_sums(const koshu_spectral_engine &e, double edge, double (*row)[4]);
cudaError_t spectral_make_real(const koshu_spectral_engine &e);

} /* namespace koshu */

#endif
