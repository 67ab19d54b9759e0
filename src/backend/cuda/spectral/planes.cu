/* SPDX-License-Identifier: MIT */
/* Passes over planes with cuFFT: transforms a chunk of planes to points, forms
 * products, and transforms back. */
#include "backend/cuda/spectral/engine.cuh"

namespace koshu {

template <class Real> struct plane_args {
    spectral_view<Real> v;
    size_t first; /* first plane of the chunk */
    unsigned long long *max;
};

/* ---- waves -------------------------------------------------------------- */

/* A block for each line (y, plane), its threads along z; zeros where there are
 * no waves. */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        load_planes(const __grid_constant__ plane_args<Real> a)
{
    using number = typename spectral_view<Real>::complex_number;
    wait_for_previous_kernel();
    const spectral_view<Real> &v = a.v;
    const size_t y = blockIdx.x, p = blockIdx.y;
    const bool waves = y < v.k || y >= v.k + v.mesh - v.m;
    const size_t j = y < v.k ? y : y + v.m - v.mesh;
    for (size_t l = threadIdx.x; l < v.row; l += blockDim.x)
        for (int f = 0; f < 3; f++) {
            number u = {};
            if (waves && l < v.k) u = v.in_mixed(a.first + p, f, j)[l];
            v.in_planes(f, p, y)[l] = u;
        }
}

/* A block for each (j, plane). */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        store_planes(const __grid_constant__ plane_args<Real> a)
{
    wait_for_previous_kernel();
    const spectral_view<Real> &v = a.v;
    const size_t j = blockIdx.x, p = blockIdx.y, y = v.place(j);
    for (size_t l = threadIdx.x; l < v.k; l += blockDim.x)
        for (int f = 0; f < SPECTRAL_PRODUCTS; f++)
            v.in_mixed(a.first + p, f, j)[l] = v.in_planes(f, p, y)[l];
}

/* ---- points ------------------------------------------------------------- */

template <class Real>
KOSHU_DEVICE void
multiply_at_point(Real x, Real y, Real z, Real (&t)[SPECTRAL_PRODUCTS])
{
    t[SPECTRAL_XX] = (x - z) * (x + z);
    t[SPECTRAL_YY] = (y - z) * (y + z);
    t[SPECTRAL_XY] = x * y;
    t[SPECTRAL_XZ] = x * z;
    t[SPECTRAL_YZ] = y * z;
}

/* Replaces u by products, two points at a time; padding at the end of lines
 * does not matter. */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        multiply_planes(const __grid_constant__ plane_args<Real> a)
{
    using number = typename spectral_view<Real>::complex_number;
    wait_for_previous_kernel();
    const spectral_view<Real> &v = a.v;
    const size_t n = v.chunk * v.mesh * v.row;
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n) return;
    number u[3];
    Real one[SPECTRAL_PRODUCTS], two[SPECTRAL_PRODUCTS];
    for (int c = 0; c < 3; c++) u[c] = v.planes[c * n + at];
    multiply_at_point(u[0].x, u[1].x, u[2].x, one);
    multiply_at_point(u[0].y, u[1].y, u[2].y, two);
    for (int f = 0; f < SPECTRAL_PRODUCTS; f++)
        v.planes[f * n + at] = {one[f], two[f]};
}

/* A block for each line. */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        probe_planes(const __grid_constant__ plane_args<Real> a)
{
    wait_for_previous_kernel();
    const spectral_view<Real> &v = a.v;
    const Real *line[3];
    double max[2] = {};
    for (int f = 0; f < 3; f++)
        line[f] = reinterpret_cast<const Real *>(
                v.in_planes(f, blockIdx.y, blockIdx.x));
    for (size_t z = threadIdx.x; z < v.mesh; z += blockDim.x) {
        double square = 0, sum = 0;
        for (int c = 0; c < 3; c++) {
            const double u = line[c][z];
            square += u * u;
            sum += fabs(u);
        }
        max[0] = fmax(max[0], square);
        max[1] = fmax(max[1], sum);
    }
    for (int c = 0; c < 2; c++) keep_largest(a.max + c, max[c]);
}

/* ---- launches ----------------------------------------------------------- */

/* Threads along a line. */
static unsigned
threads_for(size_t n)
{
    return (unsigned)std::min(blocks_for(n, (size_t)WARP) * WARP,
                              (size_t)SPECTRAL_THREADS);
}

template <class Real>
static cudaError_t
load(const koshu_spectral_engine &e, size_t first)
{
    const plane_args<Real> a = {view_of<Real>(e), first, nullptr};
    const dim3 lines((unsigned)e.sizes.mesh, (unsigned)planes_of(e, first));
    return launch(e.cuda, load_planes<Real>, lines, threads_for(e.row), 0, a);
}

template <class Real>
static cudaError_t
store(const koshu_spectral_engine &e, size_t first)
{
    const plane_args<Real> a = {view_of<Real>(e), first, nullptr};
    const dim3 lines((unsigned)e.sizes.m, (unsigned)planes_of(e, first));
    return launch(e.cuda, store_planes<Real>, lines, threads_for(e.sizes.k), 0,
                  a);
}

template <class Real>
static cudaError_t
multiply(const koshu_spectral_engine &e)
{
    const plane_args<Real> a = {view_of<Real>(e), 0, nullptr};
    const size_t n = e.chunk * e.sizes.mesh * e.row;
    return launch(e.cuda, multiply_planes<Real>,
                  (unsigned)blocks_for(n, (size_t)SPECTRAL_THREADS),
                  SPECTRAL_THREADS, 0, a);
}

template <class Real>
static cudaError_t
probe(const koshu_spectral_engine &e, size_t first, unsigned long long *max)
{
    const plane_args<Real> a = {view_of<Real>(e), first, max};
    const dim3 lines((unsigned)e.sizes.mesh, (unsigned)planes_of(e, first));
    return launch(e.cuda, probe_planes<Real>, lines, threads_for(e.sizes.mesh),
                  0, a);
}

static cudaError_t
pass_chunk(const koshu_spectral_engine &e, size_t first,
           unsigned long long *max)
{
    KOSHU_CUDA_TRY(e.passes->y(e, first, 3, true));
    KOSHU_CUDA_TRY(e.passes->z(e, first, max));
    return max ? cudaSuccess : e.passes->y(e, first, SPECTRAL_PRODUCTS, false);
}

static koshu_status
do_chunk(const koshu_spectral_engine &e, size_t first, unsigned long long *max)
{
    const char *const doing = "products of a spectral method";
    void *const planes = e.planes.as<void>();
    if (e.passes) return status_of(e.cuda, pass_chunk(e, first, max), doing);
    KOSHU_TRY(status_of(e.cuda, KOSHU_SPECTRAL_CALL(e, load, e, first), doing));
    KOSHU_TRY(koshu_cufft_transform(e.cufft, PLAN_TO_POINTS, false, planes));
    if (max)
        return status_of(e.cuda, KOSHU_SPECTRAL_CALL(e, probe, e, first, max),
                         doing);
    KOSHU_TRY(status_of(e.cuda, KOSHU_SPECTRAL_CALL(e, multiply, e), doing));
    KOSHU_TRY(koshu_cufft_transform(e.cufft, PLAN_TO_WAVES, true, planes));
    return status_of(e.cuda, KOSHU_SPECTRAL_CALL(e, store, e, first), doing);
}

koshu_status
spectral_planes(const koshu_spectral_engine &e, unsigned long long *max)
{
    for (size_t first = 0; first < e.sizes.mesh; first += e.chunk)
        KOSHU_TRY(do_chunk(e, first, max));
    return KOSHU_OK;
}

} /* namespace koshu */
