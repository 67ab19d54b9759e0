/* SPDX-License-Identifier: MIT */
/* functions.cuh for one precision P; included by one file for each. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_TABLE_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_TABLE_CUH

#include "backend/cuda/j_store/launch.cuh"
#include "backend/cuda/j_store/mutual.cuh"
#include "backend/cuda/j_store/neighbours.cuh"

namespace koshu {

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

template <class P>
constexpr j_functions
j_table_of()
{
    return {P::quads,
            j_tuning<P>::mutual_from,
            launch_prepare<P>,
            launch_sum<P>,
            launch_compare<P>,
            launch_mutual<P>,
            launch_mutual_end<P>,
            launch_count<P>,
            launch_find<P, true>};
}

} /* namespace koshu */

#endif
