/* SPDX-License-Identifier: MIT */
/* The first stage of a block step: finds the next time and the particles that
 * are due then, and predicts all positions. */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_PREDICT_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_PREDICT_CUH

#include <cub/block/block_scan.cuh>

#include "backend/cuda/hermite/state.cuh"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

using block_scan = cub::BlockScan<uint32_t, BLOCK_THREADS>;

/* Done by each warp on its own. Returns false if this call has nothing left to
 * do. */
template <class P>
KOSHU_DEVICE bool
select_next(const block_args<P> &a, block_place *place)
{
    const unsigned all = ~0u, lane = threadIdx.x % WARP;
    if (place->blocks >= a.max_block_steps) return false;
    uint32_t low = (uint32_t)a.members[lane];
    uint32_t high = (uint32_t)a.members[lane + WARP];
    unsigned low_levels = __ballot_sync(all, low > 0);
    unsigned high_levels = __ballot_sync(all, high > 0);
    unsigned shortest = low_levels ? __ffs((int)low_levels) - 1
                                   : 31 + __ffs((int)high_levels);
    uint64_t next = ((place->time >> shortest) + 1) << shortest;
    if (next <= place->time || next > a.until) return false;
    place->next = next;
    place->top = (unsigned)__ffsll((long long)next) - 1;
    place->due = __reduce_add_sync(
            all, (lane <= place->top ? low : 0) +
                         (lane + WARP <= place->top ? high : 0));
    place->iteration = 0;
    place->first = 0;
    return true;
}

/* Each block of the grid lists the due particles of its own part, in order. */
KOSHU_DEVICE uint32_t
part_width(uint32_t n)
{
    const uint32_t line = 32;
    uint32_t lines = (n + line - 1) / line;
    return (lines + gridDim.x - 1) / gridDim.x * line;
}

/* Where the parts begin in the whole list: before[] has gridDim.x + 1 elements
 * in shared memory. */
template <class P>
KOSHU_DEVICE void
count_list(const block_args<P> &a, uint32_t *before,
           block_scan::TempStorage &temporary)
{
    uint32_t so_far = 0;
    for (uint32_t first = 0; first < gridDim.x; first += BLOCK_THREADS) {
        uint32_t part = first + threadIdx.x, sum, all;
        uint32_t count = part < gridDim.x ? a.listed[part] : 0;
        block_scan(temporary).ExclusiveSum(count, sum, all);
        if (part < gridDim.x) before[part] = so_far + sum;
        so_far += all;
        __syncthreads();
    }
}

/* The particle of this rank in the list: its part is the last one that begins
 * at or before it. */
template <class P>
KOSHU_DEVICE uint32_t
listed(const block_args<P> &a, const uint32_t *before, uint32_t rank)
{
    uint32_t low = 0, high = gridDim.x;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (before[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return a.list[low * part_width(a.n) + rank - before[low]];
}

template <class P>
KOSHU_DEVICE void
store_packed(const block_args<P> &a, int copy, uint32_t k, const double (&x)[3],
             const double (&v)[3])
{
    const double packed[3] = {x[0] * a.per_length, x[1] * a.per_length,
                              x[2] * a.per_length};
    typename P::quad q[P::quads];
    P::pack(q, packed, v, a.f.mass[k] * a.per_mass);
    for (int c = 0; c < P::quads; c++) a.packed[copy].q[c][k] = q[c];
}

template <class P>
KOSHU_DEVICE void
predict_one(const block_args<P> &a, const block_place &place, uint32_t k,
            unsigned level)
{
    const block_fields &f = a.f;
    uint64_t from = place.time >> level << level;
    double dt = (double)(place.next - from) * a.task.tick, x[3], v[3];
    for (int c = 0; c < 3; c++) {
        x[c] = hermite_predict_x_f64(f.x[c][k], f.v[c][k], f.a[c][k], f.j[c][k],
                                     dt);
        v[c] = hermite_predict_v_f64(f.v[c][k], f.a[c][k], f.j[c][k], dt);
    }
    store_packed(a, 0, k, x, v);
    if (a.task.iterations > 1) store_packed(a, 1, k, x, v);
}

template <class P>
KOSHU_DEVICE void
predict(const block_args<P> &a, const block_place &place,
        block_scan::TempStorage &temporary)
{
    const uint32_t width = part_width(a.n), begin = blockIdx.x * width;
    const uint32_t end = min(begin + width, a.n);
    uint32_t count = 0;
    for (uint32_t first = begin; first < end; first += BLOCK_THREADS) {
        const uint32_t k = first + threadIdx.x;
        unsigned level = k < end ? a.f.level[k] : BLOCK_LEVELS;
        uint32_t due = level <= place.top, rank, all;
        if (k < end) predict_one(a, place, k, level);
        block_scan(temporary).ExclusiveSum(due, rank, all);
        if (due) a.list[begin + count + rank] = k;
        count += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) a.listed[blockIdx.x] = count;
}

} /* namespace koshu */

#endif
