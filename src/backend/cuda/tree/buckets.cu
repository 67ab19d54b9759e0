/* SPDX-License-Identifier: MIT */
/* Kernels of buckets.cuh. */
#include "backend/cuda/tree/buckets.cuh"

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

static __global__ void
__launch_bounds__(TREE_THREADS)
        start_extents(tree_extent *extent, uint32_t buckets)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    for (int c = 0; k < buckets && c < 3; c++) {
        extent[k].low[c] = ~0ull;
        extent[k].high[c] = 0;
    }
}

/* A warp within one bucket speaks with one voice: buckets are few, or small. */
static __global__ void
__launch_bounds__(TREE_THREADS)
        measure_buckets(const __grid_constant__ bucket_args s)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    const uint32_t mine = (uint32_t)(k < s.n ? k : s.n - 1);
    const uint32_t bucket = bucket_of(s, mine),
                   at = particle_of(s, bucket, mine);
    const bool uniform = __all_sync(~0u, bucket == __shfl_sync(~0u, bucket, 0));
    for (int c = 0; c < 3; c++) {
        double low = s.x[c][at], high = low;
        for (unsigned other = 16; uniform && other > 0; other /= 2) {
            low = fmin(low, __shfl_xor_sync(~0u, low, other));
            high = fmax(high, __shfl_xor_sync(~0u, high, other));
        }
        if (uniform && threadIdx.x % 32 != 0) continue;
        atomicMin(&s.extent[bucket].low[c], ordered(low));
        atomicMax(&s.extent[bucket].high[c], ordered(high));
    }
}

static __global__ void
__launch_bounds__(TREE_THREADS)
        make_bucket_keys(const __grid_constant__ bucket_args s)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    if (k >= s.n) return;
    const uint32_t bucket = bucket_of(s, (uint32_t)k);
    const uint32_t at = particle_of(s, bucket, (uint32_t)k);
    s.key[k] = bucket_key(s, bucket, at);
    s.order[k] = at;
}

static cudaError_t
reserve(koshu_tree_engine *t, uint32_t buckets)
{
    KOSHU_CUDA_TRY(t->buckets.reserve(buckets * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(t->bucket_offsets.reserve(((size_t)buckets + 1) *
                                             sizeof(uint32_t)));
    return t->bucket_extents.reserve(buckets * sizeof(tree_extent));
}

static cudaError_t
make_all_keys(const tree_step &s, const bucket_args &args)
{
    const dim3 threads(TREE_THREADS);
    KOSHU_CUDA_TRY(launch(s.cuda, start_extents, tree_blocks(args.buckets),
                          threads, 0, args.extent, args.buckets));
    KOSHU_CUDA_TRY(launch(s.cuda, measure_buckets, tree_blocks(args.n), threads,
                          0, args));
    return launch(s.cuda, make_bucket_keys, tree_blocks(args.n), threads, 0,
                  args);
}

cudaError_t
start_buckets(tree_step *s, uint32_t cells, uint32_t buckets, bool last,
              tree_pass *pass)
{
    koshu_tree_engine *t = s->tree;
    const fields &f = s->store->f;
    uint32_t n = 0;
    KOSHU_CUDA_TRY(reserve(t, buckets));
    bucket_args args = {};
    uint32_t *bucket = t->buckets.as<uint32_t>();
    uint32_t *offset = t->bucket_offsets.as<uint32_t>();
    KOSHU_CUDA_TRY(list_buckets(t, cells, s->n_leaf, buckets, bucket, offset));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&n, offset + buckets, sizeof n,
                                   cudaMemcpyDeviceToHost, s->cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(s->cuda->stream));
    args.n = n;
    args.buckets = buckets;
    args.cell = t->cell;
    args.bucket = bucket;
    args.offset = offset;
    args.extent = t->bucket_extents.as<tree_extent>();
    for (int c = 0; c < 3; c++) args.x[c] = f.x[c];
    args.tag = s->store->tag;
    args.levels = levels_of_buckets(buckets);
    args.hilbert = s->hilbert;
    args.by_origin = last;
    args.key = s->key;
    args.order = s->order;
    KOSHU_CUDA_TRY(make_all_keys(*s, args));
    KOSHU_CUDA_TRY(sort_keys(s, n, bits_of_buckets(buckets)));
    *pass = pass_of(*s, n, args.levels, cells);
    pass->buckets = buckets;
    pass->bucket = bucket;
    pass->offset = offset;
    return reorder_buckets(*s, *pass);
}

} /* namespace koshu */
