/* SPDX-License-Identifier: MIT */
/* Predicts j-particles, and packs them and the i-particles for the sums. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_PREDICT_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_PREDICT_CUH

#include "backend/cuda/j_store/functions.cuh"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

/* The arrays that a sum reads of j-particles and of i-particles. */
template <class P> struct j_packed {
    packed<P> points;
    int64_t *id;
};
template <class P> struct i_packed {
    packed<P> points;
    int64_t *id;
    uint32_t *own; /* address, NO_OWN, or SEVERAL_OWN */
};

/* A setup in the form that kernels use. */
template <class P> struct j_args : j_setup {
    j_packed<P> j;
    i_packed<P> i;
};

KOSHU_DEVICE double
position(double x, bool to_float)
{
    return to_float ? (double)(float)x : x;
}

/* Limits the coordinate of a massless particle, which may be anywhere, so that
 * its squared distance is finite. NaN stays. */
template <class P>
KOSHU_DEVICE double
within(double x, const units &u)
{
    const double bound = padding_place<P> * u.length;
    return x > bound ? bound : x < -bound ? -bound : x;
}

template <class P>
KOSHU_DEVICE void
predict(const j_args<P> &a, uint32_t j)
{
    if (j >= a.n_j) return;
    const stored &from = a.from;
    const double dt = a.time - from.of(STORED_TIME)[j];
    const bool is_set = from.time_bits()[j] != NEVER_SET;
    double x[3], v[3];
    for (int c = 0; c < 3; c++) {
        const double x0 = from.of(STORED_X + c)[j],
                     v0 = from.of(STORED_V + c)[j],
                     acceleration = from.of(STORED_A + c)[j],
                     jerk = from.of(STORED_JERK + c)[j],
                     snap = from.of(STORED_SNAP + c)[j];
        x[c] = position(hermite_predict_x_snap_f64(x0, v0, acceleration, jerk,
                                                   snap, dt),
                        a.to_float);
        v[c] = hermite_predict_v_snap_f64(v0, acceleration, jerk, snap, dt);
        x[c] = within<P>(x[c], a.u);
        if (is_set) continue;
        x[c] = padding_place<P>;
        v[c] = 0;
    }
    store_point(a.j.points, j, is_set ? a.u : units{1, 1}, x, v,
                from.of(STORED_MASS)[j]);
    a.j.id[j] = from.id()[j];
}

/* Packs the i-particles of a block through shared memory: reads of host memory
 * are fast only if they are contiguous. */
template <class P>
KOSHU_DEVICE void
pack_i(const j_args<P> &a, uint32_t first)
{
    constexpr int words = sizeof(koshu_i_particle) / sizeof(double);
    static_assert(words * sizeof(double) == sizeof(koshu_i_particle),
                  "whole words are copied");
    __shared__ double staged[J_THREADS * words];
    const uint32_t n = min((uint32_t)J_THREADS, a.n_i - first);
    const double *from = reinterpret_cast<const double *>(a.host_i + first);
    for (uint32_t k = threadIdx.x; k < n * words; k += J_THREADS)
        staged[k] = from[k];
    __syncthreads();
    if (threadIdx.x >= n) return;
    const koshu_i_particle &i =
            reinterpret_cast<const koshu_i_particle *>(staged)[threadIdx.x];
    const uint32_t to = first + threadIdx.x;
    const double x[3] = {position(i.x[0], a.to_float),
                         position(i.x[1], a.to_float),
                         position(i.x[2], a.to_float)};
    store_point(a.i.points, to, a.u, x, i.v, 0);
    a.i.id[to] = i.id;
    a.i.own[to] = find_own(a.table, a.from, i.id);
}

/* The first blocks of the grid predict the n_j j-particles, if needed; the
 * others pack i-particles. */
template <class P>
__global__ void
__launch_bounds__(J_THREADS) prepare(const __grid_constant__ j_args<P> a)
{
    wait_for_previous_kernel();
    const uint32_t for_j = (a.n_j + J_THREADS - 1) / J_THREADS;
    if (blockIdx.x < for_j)
        predict(a, blockIdx.x * J_THREADS + threadIdx.x);
    else
        pack_i(a, (blockIdx.x - for_j) * J_THREADS);
}

} /* namespace koshu */

#endif
