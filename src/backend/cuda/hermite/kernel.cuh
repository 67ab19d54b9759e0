/* SPDX-License-Identifier: MIT */
/* The kernel of block time steps; state.cuh explains how it works. */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_KERNEL_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_KERNEL_CUH

#include "backend/cuda/hermite/correct.cuh"
#include "backend/cuda/hermite/sum.cuh"
#include "backend/cuda/runtime/progress.cuh"

namespace koshu {

enum { BLOCK_MAX_BLOCKS = 1024 }; /* of the grid */

template <class P> union block_memory {
    block_warp_memory<P> warps[BLOCK_WARPS];
    double part[BLOCK_WARPS][JERK_COMPONENTS][WARP];
};

/* Moves on to the next stage. */
template <class P>
KOSHU_DEVICE void
go_on(const block_args<P> &a, block_place *place)
{
    if (place->stage != BLOCK_CORRECT) {
        place->stage =
                place->stage == BLOCK_PREDICT ? BLOCK_SUM : BLOCK_CORRECT;
        return;
    }
    place->stage = BLOCK_SUM;
    if (place->due - place->first > a.chunk) {
        place->first += a.chunk;
        return;
    }
    place->first = 0;
    if (++place->iteration < a.task.iterations) return;
    place->stage = BLOCK_PREDICT;
    place->time = place->next;
    place->blocks++;
    place->steps += place->due;
}

/* All blocks of the grid must be resident. Ends after a barrier: before a block
 * step that is not to be made, after one in which an error occurred, or when
 * its time is up. */
template <class P>
__global__ void
__launch_bounds__(BLOCK_THREADS, 1)
        block_steps(const __grid_constant__ block_args<P> a)
{
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ block_scan::TempStorage temporary;
    __shared__ uint32_t before[BLOCK_MAX_BLOCKS];
    block_memory<P> &memory = *reinterpret_cast<block_memory<P> *>(shared);
    const unsigned long long until = device_time() + a.nanoseconds;
    block_place place = a.place;
    unsigned passes = 0, flags = 0;
    if (place.stage != BLOCK_PREDICT) count_list(a, before, temporary);
    while (!flags) {
        const uint32_t count = min(place.due - place.first, a.chunk);
        const block_partition partition = partition_of(a.n, count);
        if (place.stage == BLOCK_PREDICT) {
            if (!select_next(a, &place)) break;
            predict(a, place, temporary);
        } else if (place.stage == BLOCK_SUM)
            sum(a, place, partition, count, before, memory.warps);
        else
            correct(a, place, partition, count, before, memory.part);
        if (blockIdx.x == 0 && threadIdx.x == 0 && device_time() > until)
            raise_flag(a.barrier, BLOCK_PAUSE);
        flags = pass_barrier(a.barrier, &passes);
        if (place.stage == BLOCK_PREDICT) count_list(a, before, temporary);
        go_on(a, &place);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *a.left = place;
}

} /* namespace koshu */

#endif
