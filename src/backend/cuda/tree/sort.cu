/* SPDX-License-Identifier: MIT */
/* Uses of CUB for a tree: the sort of keys, and counts. */
#include "backend/cuda/runtime/cub.cuh"

#include "backend/cuda/tree/rank_step.cuh"

namespace koshu {

/* ---- keys ---------------------------------------------------------------- */

struct ties_args {
    uint32_t n, max_n;
    const uint64_t *key;
    uint32_t *order;
    const particle_tag *tag;
};

/* Orders particles with the same key, of which this is the first, by origin.
 * There are few, and nearly always they are in order. */
KOSHU_DEVICE void
order_ties(const ties_args &s, size_t first)
{
    if (first + 1 >= s.n || s.key[first] != s.key[first + 1]) return;
    if (first > 0 && s.key[first - 1] == s.key[first]) return;
    size_t end = first + 2;
    while (end < s.n && end - first <= s.max_n && s.key[end] == s.key[first])
        end++;
    if (end - first > s.max_n) return;
    for (size_t k = first + 1; k < end; k++) {
        const uint32_t index = s.order[k], origin = s.tag[index].origin;
        size_t to = k;
        for (; to > first && s.tag[s.order[to - 1]].origin > origin; to--)
            s.order[to] = s.order[to - 1];
        s.order[to] = index;
    }
}

cudaError_t
sort_keys(tree_step *s, uint32_t n, int bits)
{
    cub::DoubleBuffer<uint64_t> key(s->key, s->spare);
    cub::DoubleBuffer<uint32_t> order(s->order, s->other);
    KOSHU_CUDA_TRY(
            with_memory(&s->tree->temporary, [&](void *memory, size_t &bytes) {
                return cub::DeviceRadixSort::SortPairs(
                        memory, bytes, key, order, n, 0, bits, s->cuda->stream);
            }));
    s->key = key.Current();
    s->spare = key.Alternate();
    s->order = order.Current();
    s->other = order.Alternate();
    const ties_args args = {n, s->max_n_leaf, s->key, s->order, s->store->tag};
    return for_each(s->cuda, n,
                    [=] __device__(size_t k) { order_ties(args, k); });
}

/* ---- counts -------------------------------------------------------------- */

struct bits_of_word {
    __host__ __device__ uint32_t operator()(uint32_t word) const
    {
        return count_bits(word);
    }
};

cudaError_t
count_before(koshu_tree_engine *t, const uint32_t *bits, uint32_t *before,
             size_t n)
{
    const auto counts = thrust::make_transform_iterator(bits, bits_of_word());
    return with_memory(&t->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, counts, before, n,
                                             t->cuda->stream);
    });
}

struct counts_of_cell {
    const uint32_t *fate;
    const tree_cell *cell;
    uint32_t cells;
    __host__ __device__ uint64_t operator()(uint32_t k) const
    {
        return k < cells ? counts_of(fate[k], cell[k].n) : 0;
    }
};

cudaError_t
count_fates(koshu_tree_engine *t, const uint32_t *fate, uint32_t cells,
            uint64_t *before)
{
    const thrust::counting_iterator<uint32_t> all(0);
    const auto counts = thrust::make_transform_iterator(
            all, counts_of_cell{fate, t->cell, cells});
    return with_memory(&t->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, counts, before,
                                             cells + 1, t->cuda->stream);
    });
}

/* ---- buckets ------------------------------------------------------------- */

struct is_bucket {
    const tree_cell *cell;
    uint32_t n_leaf;
    __host__ __device__ bool operator()(uint32_t k) const
    {
        return cell[k].n > n_leaf && cell[k].children == 0;
    }
};

struct particles_of_cell {
    const tree_cell *cell;
    __host__ __device__ uint32_t operator()(uint32_t k) const
    {
        return cell[k].n;
    }
};

cudaError_t
list_buckets(koshu_tree_engine *t, uint32_t cells, uint32_t n_leaf,
             uint32_t buckets, uint32_t *bucket, uint32_t *offset)
{
    const thrust::counting_iterator<uint32_t> all(0);
    KOSHU_CUDA_TRY(with_memory(&t->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::If(memory, bytes, all, bucket, offset, cells,
                                     is_bucket{t->cell, n_leaf},
                                     t->cuda->stream);
    }));
    const auto sizes =
            thrust::make_transform_iterator(bucket, particles_of_cell{t->cell});
    KOSHU_CUDA_TRY(cudaMemsetAsync(offset, 0, sizeof *offset, t->cuda->stream));
    return with_memory(&t->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, sizes, offset + 1,
                                             buckets, t->cuda->stream);
    });
}

} /* namespace koshu */
