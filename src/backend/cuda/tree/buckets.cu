/* SPDX-License-Identifier: MIT */
/* The kernels of buckets.cuh. */
#include "backend/cuda/tree/buckets.cuh"

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* A warp whose lanes are all in one bucket makes one atomic operation: buckets
 * are few, or small. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        measure_buckets(const __grid_constant__ bucket_args s)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
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

static cudaError_t
make_bucket_keys(const koshu_cuda *cuda, const bucket_args &s)
{
    KOSHU_CUDA_TRY(for_each(cuda, s.buckets, [=] __device__(size_t k) {
        for (int c = 0; c < 3; c++) {
            s.extent[k].low[c] = ~0ull;
            s.extent[k].high[c] = 0;
        }
    }));
    KOSHU_CUDA_TRY(
            launch(cuda, measure_buckets, blocks_of(s.n), ITEM_THREADS, 0, s));
    return for_each(cuda, s.n, [=] __device__(size_t k) {
        const uint32_t bucket = bucket_of(s, (uint32_t)k);
        const uint32_t at = particle_of(s, bucket, (uint32_t)k);
        s.key[k] = bucket_key(s, bucket, at);
        s.order[k] = at;
    });
}

/* Lists the buckets, and reserves memory for them. */
static cudaError_t
find_buckets(const tree_step &s, uint32_t cells, uint32_t buckets,
             bucket_args *args)
{
    koshu_tree_engine *t = s.tree;
    const size_t size = sizeof(uint32_t);
    KOSHU_CUDA_TRY(t->buckets.reserve(buckets * size));
    KOSHU_CUDA_TRY(t->bucket_offsets.reserve(((size_t)buckets + 1) * size));
    KOSHU_CUDA_TRY(t->bucket_extents.reserve(buckets * sizeof(tree_extent)));
    uint32_t *bucket = t->buckets.as<uint32_t>();
    uint32_t *offset = t->bucket_offsets.as<uint32_t>();
    KOSHU_CUDA_TRY(list_buckets(t, cells, s.n_leaf, buckets, bucket, offset));
    args->buckets = buckets;
    args->cell = t->cell;
    args->bucket = bucket;
    args->offset = offset;
    args->extent = t->bucket_extents.as<tree_extent>();
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&args->n, offset + buckets, size,
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    return cudaStreamSynchronize(s.cuda->stream);
}

cudaError_t
start_buckets(tree_step *s, uint32_t cells, uint32_t buckets, bool last,
              tree_pass *pass)
{
    bucket_args args = {};
    KOSHU_CUDA_TRY(find_buckets(*s, cells, buckets, &args));
    for (int c = 0; c < 3; c++) args.x[c] = s->store->f.x[c];
    args.tag = s->store->tag;
    args.levels = levels_of_buckets(buckets);
    args.hilbert = s->hilbert;
    args.by_origin = last;
    args.key = s->key;
    args.order = s->order;
    KOSHU_CUDA_TRY(make_bucket_keys(s->cuda, args));
    KOSHU_CUDA_TRY(
            sort_keys(s, args.n, bits_of_numbers(buckets) + 3 * args.levels));
    *pass = pass_of(*s, args.n, args.levels, cells);
    pass->buckets = buckets;
    pass->bucket = args.bucket;
    pass->offset = args.offset;
    return reorder_buckets(*s, *pass);
}

} /* namespace koshu */
