/* SPDX-License-Identifier: MIT */
/*
 * The pseudo-spectral solver on the device. Arrays of complex numbers:
 *
 *     state, sum   ((j 3 + c) m + i) k + l, as on the host
 *     mixed        ((x 5 + f) m + j) k + l: waves along y and z; x is a plane
 *                  of the mesh, or the place of a wave
 *     planes       ((f chunk + p) mesh + y) row + h: the planes in work; real
 *                  numbers in place, 2 row to a line. With koshu's own
 *                  transforms (passes.cuh) there are k waves, row = k
 *
 * Three fields of u are transformed to points, five products are transformed
 * back: since the projection removes gradients,
 *
 *     P (u x omega) = - P div T,  T = u u - u_z^2
 *
 * whose component zz is 0. So a stage takes 8 transforms of the mesh, where the
 * host's form takes 9. (Basdevant 1983, J. Comput. Phys. 50, 209.)
 */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_ENGINE_CUH
#define KOSHU_BACKEND_CUDA_SPECTRAL_ENGINE_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"
#include "backend/cuda/spectral/cufft.h"
#include "backend/spectral.h"

namespace koshu {

enum { SPECTRAL_THREADS = 256 };

/* The products, in this order. */
enum {
    SPECTRAL_XX, /* u_x^2 - u_z^2 */
    SPECTRAL_YY, /* u_y^2 - u_z^2 */
    SPECTRAL_XY,
    SPECTRAL_XZ,
    SPECTRAL_YZ,
    SPECTRAL_PRODUCTS
};

enum spectral_plan { PLAN_COLUMNS, PLAN_TO_POINTS, PLAN_TO_WAVES };

/* The stages of the scheme. The last two use no rates: they pass the state, or
 * its curl, on to planes. */
enum spectral_stage {
    SPECTRAL_FIRST,
    SPECTRAL_SECOND,
    SPECTRAL_THIRD,
    SPECTRAL_FOURTH,
    SPECTRAL_PREPARE,
    SPECTRAL_CURL
};

/* Transforms by koshu's own kernels (passes.cuh), for one mesh. x: of the first
 * `fields` mixed fields. y: of a chunk's planes, between mixed waves and lines.
 * z: to points, products, and back to waves; or, with max, what
 * spectral_planes() returns. */
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
    size_t row, chunk, chunks; /* planes of a chunk; the last may have fewer */
    const koshu::spectral_passes *passes; /* NULL: cuFFT is used */
    koshu::buffer roots;                  /* for the passes */
    koshu_cufft *cufft;
    koshu::buffer work; /* for transforms */
    koshu::buffer state, sum, mixed, planes;
    koshu::buffer decay;  /* m numbers */
    koshu::buffer result; /* for sums and maxima */
};

namespace koshu {

/* What kernels see of the engine. */
template <class Real> struct spectral_view {
    using complex_number =
            std::conditional_t<sizeof(Real) == 4, float2, double2>;
    size_t k, m, mesh, row, chunk;
    double unit;
    complex_number *state, *sum, *mixed, *planes;
    const double *decay;

    /* For index i or j: its wave number, and its place on the mesh. */
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

/* Updates the maximum with the largest x of a warp. */
KOSHU_DEVICE void
keep_largest(unsigned long long *max, double x)
{
    for (unsigned other = WARP / 2; other > 0; other /= 2)
        x = fmax(x, __shfl_xor_sync(~0u, x, other));
    if (threadIdx.x % WARP == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(x));
}

/* Calls name<float>(...) or name<double>(...), by the engine's precision. */
#define KOSHU_SPECTRAL_CALL(engine, name, ...)            \
    ((engine).sizes.in_double ? name<double>(__VA_ARGS__) \
                              : name<float>(__VA_ARGS__))

static inline size_t
number_bytes(const koshu_spectral_engine &e)
{
    return e.sizes.in_double ? sizeof(double2) : sizeof(float2);
}

/* The number of planes in the chunk that starts at `first`. */
static inline size_t
planes_of(const koshu_spectral_engine &e, size_t first)
{
    return std::min(e.chunk, e.sizes.mesh - first);
}

/* ---- passes.cu ----------------------------------------------------------- */

/* NULL: there are none for that mesh. */
const spectral_passes *spectral_find_passes(const koshu_spectral_sizes &sizes);

/* ---- planes.cu ----------------------------------------------------------- */

/* Transforms mixed waves to points, and their products back. With max: finds
 * instead the largest square of the vector and the largest sum of its
 * components' magnitudes, as bits in two numbers. */
koshu_status
spectral_planes(const koshu_spectral_engine &e, unsigned long long *max);

/* ---- columns.cu ---------------------------------------------------------- */

/* Does the stage, and prepares what planes need of its result. */
koshu_status spectral_columns(const koshu_spectral_engine &e,
                              spectral_stage stage,
                              const koshu_spectral_factors &factors);

/* ---- sums.cu ------------------------------------------------------------- */

/* Writes m rows of four sums to device memory. */
cudaError_t
spectral_sums(const koshu_spectral_engine &e, double edge, double (*row)[4]);
cudaError_t spectral_make_real(const koshu_spectral_engine &e);

} /* namespace koshu */

#endif
