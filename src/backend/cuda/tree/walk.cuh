/* SPDX-License-Identifier: MIT */
/*
 * The walk of a tree on the device, with its sums: every group of particles
 * walks the tree once, and what it finds acts on all of it.
 *
 * One warp works on a group, with up to two i-particles in the registers of a
 * lane. It takes cells from a stack, each lane tests one, and those that act as
 * a whole, and the particles of opened leaves, go to two short lists in shared
 * memory, relative to the middle of the group. As soon as a list has 32 of
 * them all lanes add these up. So no interaction list is ever written to
 * memory, and while some warps wait for cells others sum. In a periodic box the
 * warp walks one image after the other, with the same lists and sums.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALK_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/result.cuh"
#include "backend/cuda/tree/cells.cuh"

namespace koshu {

/* Particles of a group, at most. */
enum { WALK_WIDTH = 64 };

/* Warps of a block, which share nothing but its launch; blocks on a
 * multiprocessor. */
enum { WALK_WARPS = 4, WALK_BLOCKS = 6 };

/* The children of a cell that acts as a whole on all groups, whatever the
 * roundings of theirs say: what it is made of is not here. */
enum : uint32_t { ALWAYS_WHOLE = ~0u };

/* What groups walk: the tree that has them, or parts of other ranks' trees. */
struct walked_tree {
    tree_view view;  /* groups are one's own */
    uint32_t roots;  /* cells 0 ... roots - 1 */
    unsigned levels; /* of the deepest */
    bool of_others;  /* it has none of the groups' particles; sums are added */
    uint32_t *work;  /* of each group, gets the interactions of one of its
                        particles, added; or NULL */
};

/* Children of a cell, which lie side by side, all to be tested: 1 ... 8
 * cells, below MAX_CELLS. */
struct siblings {
    uint32_t word;

    static __device__ __forceinline__ siblings of(uint32_t first, uint32_t n)
    {
        return {first << 3 | (n - 1)};
    }
    __device__ __forceinline__ uint32_t first() const
    {
        return word >> 3;
    }
    __device__ __forceinline__ uint32_t n() const
    {
        return (word & 7) + 1;
    }
};

/* Siblings on the stack of a warp: room for what normal trees need, and for the
 * deepest. */
static inline unsigned
stack_capacity(unsigned levels)
{
    return 128 + 7 * levels;
}

/* Of all walks of a device. */
struct walk_memory {
    buffer stacks, next, partial, arrived;
};

/* Of the device's memory: the stacks of all warps, of so many siblings each.
 * Where groups are few, several warps share one, and take more. */
static inline size_t
walk_bytes(const koshu_cuda *cuda, unsigned capacity)
{
    const size_t warps =
            (size_t)cuda->multiprocessors * WALK_BLOCKS * WALK_WARPS;
    return warps * capacity * sizeof(siblings);
}

} /* namespace koshu */

#endif
