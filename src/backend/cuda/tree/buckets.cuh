/* SPDX-License-Identifier: MIT */
/*
 * Duplicate-key buckets: cells with more than n_leaf particles of one key. They
 * arise because one escaping particle can make the box so large that all others
 * share a key. The particles of all buckets get keys in their own bounding
 * boxes, prefixed by the number of the bucket, and are sorted again, until no
 * bucket is left. Particles at exactly the same position are ordered by their
 * origins: they become cells of no size, which nothing opens.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_BUCKETS_CUH
#define KOSHU_BACKEND_CUDA_TREE_BUCKETS_CUH

#include "backend/cuda/tree/build.cuh"

namespace koshu {

struct bucket_args {
    uint32_t n, buckets; /* particles in all buckets; number of buckets */
    const tree_cell *cell;
    const uint32_t *bucket; /* the cell of each */
    const uint32_t *offset; /* index of its first particle among those of all
                             * buckets */
    tree_extent *extent;    /* bounding box of each */
    const double *x[3];
    const particle_tag *tag;
    int levels; /* of the keys */
    bool hilbert, by_origin;
    uint64_t *key;
    uint32_t *order;
};

/* Bits of the bucket numbers, above the keys. */
KOSHU_HD int
bits_of_numbers(uint32_t buckets)
{
    int bits = 0;
    while (bits < 32 && buckets - 1 >> bits != 0) bits++;
    return bits;
}

/* Levels that fit into the rest of a 64-bit key. */
KOSHU_HD int
levels_of_buckets(uint32_t buckets)
{
    const int max_levels = (64 - bits_of_numbers(buckets)) / 3;
    return max_levels < TREE_LEVELS ? max_levels : TREE_LEVELS;
}

/* The bucket of the k-th particle of all buckets. */
KOSHU_HD uint32_t
bucket_of(const bucket_args &s, uint32_t k)
{
    uint32_t low = 0, high = s.buckets;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s.offset[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Its index in the tree. */
KOSHU_HD uint32_t
particle_of(const bucket_args &s, uint32_t bucket, uint32_t k)
{
    return s.cell[s.bucket[bucket]].first + (k - s.offset[bucket]);
}

/* The key of a particle in a bucket. */
KOSHU_HD uint64_t
bucket_key(const bucket_args &s, uint32_t bucket, uint32_t at)
{
    const tree_box box = box_of(s.extent[bucket]);
    uint64_t key = s.tag[at].origin;
    if (!s.by_origin && !koshu_box_is_point(box.side))
        key = key_of(box, s.hilbert, s.x[0][at], s.x[1][at], s.x[2][at]) >>
              3 * (TREE_LEVELS - s.levels);
    return (uint64_t)bucket << 3 * s.levels | key;
}

} /* namespace koshu */

#endif
