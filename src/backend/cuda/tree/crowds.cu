/* SPDX-License-Identifier: MIT */
/* Kernels of crowds.cuh. */
#include "backend/cuda/tree/crowds.cuh"

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

static __global__ void
__launch_bounds__(TREE_THREADS)
        begin_extents(tree_extent *extent, uint32_t crowds)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    for (int c = 0; k < crowds && c < 3; c++) {
        extent[k].low[c] = ~0ull;
        extent[k].high[c] = 0;
    }
}

/* A warp within one crowd speaks with one voice: crowds are few, or small. */
static __global__ void
__launch_bounds__(TREE_THREADS)
        measure_crowds(const __grid_constant__ crowd_args s)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    const uint32_t mine = (uint32_t)(k < s.n ? k : s.n - 1);
    const uint32_t crowd = crowd_of(s, mine), at = particle_of(s, crowd, mine);
    const bool together = __all_sync(~0u, crowd == __shfl_sync(~0u, crowd, 0));
    for (int c = 0; c < 3; c++) {
        double low = s.x[c][at], high = low;
        for (unsigned other = 16; together && other > 0; other /= 2) {
            low = fmin(low, __shfl_xor_sync(~0u, low, other));
            high = fmax(high, __shfl_xor_sync(~0u, high, other));
        }
        if (together && threadIdx.x % 32 != 0) continue;
        atomicMin(&s.extent[crowd].low[c], ordered(low));
        atomicMax(&s.extent[crowd].high[c], ordered(high));
    }
}

static __global__ void
__launch_bounds__(TREE_THREADS)
        make_crowd_keys(const __grid_constant__ crowd_args s)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    if (k >= s.n) return;
    const uint32_t crowd = crowd_of(s, (uint32_t)k);
    const uint32_t at = particle_of(s, crowd, (uint32_t)k);
    s.key[k] = crowd_key(s, crowd, at);
    s.order[k] = at;
}

static cudaError_t
reserve(koshu_cuda_tree *t, uint32_t crowds)
{
    KOSHU_CUDA_TRY(t->crowds.reserve(crowds * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(
            t->crowd_offsets.reserve(((size_t)crowds + 1) * sizeof(uint32_t)));
    return t->crowd_extents.reserve(crowds * sizeof(tree_extent));
}

static cudaError_t
make_all_keys(const tree_step &s, const crowd_args &args)
{
    const dim3 threads(TREE_THREADS);
    KOSHU_CUDA_TRY(launch(s.cuda, begin_extents, tree_blocks(args.crowds),
                          threads, 0, args.extent, args.crowds));
    KOSHU_CUDA_TRY(launch(s.cuda, measure_crowds, tree_blocks(args.n), threads,
                          0, args));
    return launch(s.cuda, make_crowd_keys, tree_blocks(args.n), threads, 0,
                  args);
}

cudaError_t
begin_crowds(tree_step *s, uint32_t cells, uint32_t crowds, bool last,
             tree_round *round)
{
    koshu_cuda_tree *t = s->tree;
    const fields &f = s->store->f;
    uint32_t n = 0;
    KOSHU_CUDA_TRY(reserve(t, crowds));
    crowd_args args = {};
    uint32_t *crowd = t->crowds.as<uint32_t>();
    uint32_t *offset = t->crowd_offsets.as<uint32_t>();
    KOSHU_CUDA_TRY(list_crowds(t, cells, s->n_leaf, crowds, crowd, offset));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&n, offset + crowds, sizeof n,
                                   cudaMemcpyDeviceToHost, s->cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(s->cuda->stream));
    args.n = n;
    args.crowds = crowds;
    args.cell = t->cell;
    args.crowd = crowd;
    args.offset = offset;
    args.extent = t->crowd_extents.as<tree_extent>();
    for (int c = 0; c < 3; c++) args.x[c] = f.x[c];
    args.tag = s->store->tag;
    args.levels = levels_of_crowds(crowds);
    args.hilbert = s->hilbert;
    args.by_origin = last;
    args.key = s->key;
    args.order = s->order;
    KOSHU_CUDA_TRY(make_all_keys(*s, args));
    KOSHU_CUDA_TRY(sort_keys(s, n, bits_of_crowds(crowds)));
    *round = round_of(*s, n, args.levels, cells);
    round->crowds = crowds;
    round->crowd = crowd;
    round->offset = offset;
    return reorder_crowds(*s, *round);
}

} /* namespace koshu */
