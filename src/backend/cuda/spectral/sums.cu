/* SPDX-License-Identifier: MIT */
/* Sums over the waves of the state; and the symmetry of real fields. */
#include "backend/cuda/spectral/engine.cuh"

namespace koshu {

template <class Real> struct sum_args {
    spectral_view<Real> v;
    double edge2;
    double (*row)[4];
};

template <class Number> struct wave {
    Number u[3];
};

template <class Real>
KOSHU_DEVICE wave<double2>
load_wave(const spectral_view<Real> &v, size_t i, size_t j, size_t l)
{
    wave<double2> w;
    for (int c = 0; c < 3; c++) {
        const auto u = v.in_state(c, i, j)[l];
        w.u[c] = {u.x, u.y};
    }
    return w;
}

/* u . (i k x u)* for components a + i b, twice what its real part gives. */
KOSHU_DEVICE double
helicity_of(const double (&k)[3], const wave<double2> &w)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        const double x = k[a] * w.u[b].x - k[b] * w.u[a].x,
                     y = k[a] * w.u[b].y - k[b] * w.u[a].y;
        sum += w.u[c].y * x - w.u[c].x * y;
    }
    return sum;
}

template <class Real>
KOSHU_DEVICE void
add_wave(const sum_args<Real> &a, size_t i, size_t j, size_t l,
         double (&sum)[4])
{
    const double k[3] = {a.v.frequency(i), a.v.frequency(j), a.v.frequency(l)};
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double weight = l == 0 ? 0.5 : 1;
    const wave<double2> w = load_wave(a.v, i, j, l);
    double u2 = 0;
    for (int c = 0; c < 3; c++) u2 += w.u[c].x * w.u[c].x + w.u[c].y * w.u[c].y;
    sum[0] += weight * u2;
    sum[1] += weight * k2 * u2;
    sum[2] += 2 * weight * helicity_of(k, w);
    if (k2 > 0 && k2 <= a.edge2) sum[3] += weight * u2;
}

/* A block for each slab; always summed in the same order. */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        sum_slabs(const __grid_constant__ sum_args<Real> a)
{
    __shared__ double of[4][SPECTRAL_THREADS];
    wait_for_previous_kernel();
    const size_t j = blockIdx.x, n = a.v.m * a.v.k;
    double sum[4] = {};
    for (size_t t = threadIdx.x; t < n; t += SPECTRAL_THREADS)
        add_wave(a, t / a.v.k, j, t % a.v.k, sum);
    for (int s = 0; s < 4; s++) of[s][threadIdx.x] = sum[s];
    for (unsigned half = SPECTRAL_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int s = 0; s < 4 && threadIdx.x < half; s++)
            of[s][threadIdx.x] += of[s][threadIdx.x + half];
    }
    __syncthreads();
    if (threadIdx.x < 4) a.row[j][threadIdx.x] = of[threadIdx.x][0];
}

template <class Real>
static cudaError_t
launch_sums(const koshu_spectral_engine &e, double edge, double (*row)[4])
{
    const sum_args<Real> a = {view_of<Real>(e), edge * edge, row};
    return launch(e.cuda, sum_slabs<Real>, (unsigned)e.sizes.m,
                  SPECTRAL_THREADS, 0, a);
}

cudaError_t
spectral_sums(const koshu_spectral_engine &e, double edge, double (*row)[4])
{
    return KOSHU_SPECTRAL_CALL(e, launch_sums, e, edge, row);
}

/* ---- real fields -------------------------------------------------------- */

/* Enforces u_-k = u_k* by the mean of both; one of their two threads does
 * it. */
template <class Real>
static __global__ void
__launch_bounds__(SPECTRAL_THREADS)
        make_real(const __grid_constant__ spectral_view<Real> v)
{
    wait_for_previous_kernel();
    const size_t at = (size_t)blockIdx.x * SPECTRAL_THREADS + threadIdx.x;
    if (at >= v.m * v.m) return;
    const size_t i = at % v.m, j = at / v.m, p = (v.m - i) % v.m,
                 q = (v.m - j) % v.m;
    if (q * v.m + p < at) return;
    for (int c = 0; c < 3; c++) {
        auto *const one = v.in_state(c, i, j), *const other =
                                                       v.in_state(c, p, q);
        const double x = ((double)one->x + other->x) / 2,
                     y = ((double)one->y - other->y) / 2;
        *other = {(Real)x, (Real)-y};
        *one = {(Real)x, (Real)y};
    }
}

template <class Real>
static cudaError_t
launch_real(const koshu_spectral_engine &e)
{
    const size_t n = e.sizes.m * e.sizes.m;
    return launch(e.cuda, make_real<Real>,
                  (unsigned)blocks_for(n, (size_t)SPECTRAL_THREADS),
                  SPECTRAL_THREADS, 0, view_of<Real>(e));
}

cudaError_t
spectral_make_real(const koshu_spectral_engine &e)
{
    return KOSHU_SPECTRAL_CALL(e, launch_real, e);
}

} /* namespace koshu */
