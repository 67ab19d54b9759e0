/* SPDX-License-Identifier: MIT */
/*
 * Neighbour lists, in the order of addresses: a warp tests 32 j-particles at a
 * time and votes. One pass counts the neighbours in each slice, the counts of
 * an i-particle are summed up, and a second pass writes the addresses.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_NEIGHBOURS_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_NEIGHBOURS_CUH

#include "backend/cuda/j_store/launch.cuh"

namespace koshu {

enum { NEIGHBOUR_WARPS = 4, NEIGHBOUR_I = 32 };

template <class P> struct neighbour_args : j_args<P>, j_neighbours {
};

struct neighbour_centre {
    double x, y, z, h2;
    int64_t id;
};

/* Which of 32 j-particles, one per lane, are neighbours? */
template <class P>
KOSHU_DEVICE uint32_t
vote(const neighbour_centre &i, const typename P::point &j, bool there,
     const int64_t *id_j)
{
    const double dx = (double)j.x - i.x, dy = (double)j.y - i.y,
                 dz = (double)j.z - i.z;
    const double r2 = gravity_distance2_f64(dx, dy, dz);
    return __ballot_sync(~0u, there && r2 <= i.h2 && *id_j != i.id);
}

template <class P>
KOSHU_DEVICE void
load_centres(neighbour_centre *centre, const neighbour_args<P> &a,
             uint32_t first)
{
    const uint32_t i = first + threadIdx.x;
    if (threadIdx.x >= NEIGHBOUR_I) return;
    neighbour_centre c = {0, 0, 0, -1, 0};
    if (i < a.n_i) {
        const typename P::point p = load_point(a.i.points, i);
        c = {p.x, p.y, p.z, a.host_i[i].h2 / (a.u.length * a.u.length),
             a.i.id[i]};
    }
    centre[threadIdx.x] = c;
}

/* Grid: (i / NEIGHBOUR_I, slices / NEIGHBOUR_WARPS) blocks. Lane k keeps the
 * count of i-particle k. */
template <class P, bool LIST>
__global__ void
__launch_bounds__(NEIGHBOUR_WARPS *WARP)
        find_neighbours(const __grid_constant__ neighbour_args<P> a)
{
    __shared__ neighbour_centre centre[NEIGHBOUR_I];
    wait_for_previous_kernel();
    const uint32_t first_i = blockIdx.x * NEIGHBOUR_I;
    load_centres(centre, a, first_i);
    __syncthreads();
    const uint32_t lane = threadIdx.x % WARP, i = first_i + lane;
    const uint32_t slice = blockIdx.y * NEIGHBOUR_WARPS + threadIdx.x / WARP;
    uint32_t *mine = a.in_slice + (size_t)slice * a.n_i + i;
    const uint64_t start = LIST && i < a.n_i ? a.start[i] : 0;
    uint32_t count = LIST && i < a.n_i ? *mine : 0;
    const uint64_t first = (uint64_t)slice * a.span;
    const uint32_t end = (uint32_t)min(first + a.span, (uint64_t)a.n_j);
    for (uint32_t chunk = (uint32_t)min(first, (uint64_t)a.n_j); chunk < end;
         chunk += WARP) {
        const uint32_t j = chunk + lane;
        const typename P::point point =
                load_point(a.j.points, j < end ? j : chunk);
        const bool there = j < end && !is_padding<P>(point);
        for (int k = 0; k < NEIGHBOUR_I; k++) {
            const uint32_t found = vote<P>(centre[k], point, there, a.j.id + j);
            if (LIST && found) {
                const uint64_t to = __shfl_sync(~0u, count, k) +
                                    __popc(found & ((1u << lane) - 1));
                const uint64_t base = __shfl_sync(~0u, start, k);
                if (found >> lane & 1 && to < a.max_listed)
                    a.list[base + to] = j;
            }
            if (lane == k) count += __popc(found);
        }
    }
    if (!LIST && i < a.n_i) *mine = count;
}

/* Replaces the count of each slice by the sum over those before it, and writes
 * the total to host memory. */
static __global__ void
__launch_bounds__(J_THREADS) add_counts(uint32_t *in_slice, uint32_t slices,
                                        uint32_t n_i, uint64_t *count)
{
    wait_for_previous_kernel();
    const uint32_t i = blockIdx.x * J_THREADS + threadIdx.x;
    if (i >= n_i) return;
    uint32_t before = 0;
    for (uint32_t s = 0; s < slices; s++) {
        uint32_t *at = in_slice + (size_t)s * n_i + i;
        const uint32_t has = *at;
        *at = before;
        before += has;
    }
    count[i] = before;
}

template <class P, bool LIST>
static cudaError_t
launch_find(const koshu_cuda *cuda, const j_setup &s, const j_neighbours &n)
{
    const neighbour_args<P> args = {args_of<P>(s), n};
    return launch(
            cuda, find_neighbours<P, LIST>,
            dim3(blocks_for(s.n_i, NEIGHBOUR_I), n.slices / NEIGHBOUR_WARPS),
            NEIGHBOUR_WARPS * WARP, 0, args);
}

template <class P>
static cudaError_t
launch_count(const koshu_cuda *cuda, const j_setup &s, const j_neighbours &n)
{
    KOSHU_CUDA_TRY(launch_find<P, false>(cuda, s, n));
    return launch(cuda, add_counts, blocks_for(s.n_i, J_THREADS), J_THREADS, 0,
                  n.in_slice, n.slices, s.n_i, n.count);
}

} /* namespace koshu */

#endif
