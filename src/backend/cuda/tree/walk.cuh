/* SPDX-License-Identifier: MIT */
/*
 * The walk of a tree on the device and its sums: every group of particles walks
 * the tree once, and what it finds acts on the whole group.
 *
 * One warp works on a group, with up to two i-particles in the registers of
 * each lane. It takes cells from a stack, and each lane tests one. Cells that
 * act as a whole, and the particles of opened leaves, are appended to two short
 * lists in shared memory, relative to the middle of the group. As soon as a
 * list has 32 elements, all lanes sum them. So no interaction list is ever
 * written to memory, and while some warps wait for cells others sum. In a
 * periodic box the warp walks one image after the other, with the same lists
 * and sums.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALK_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/result.cuh"
#include "backend/cuda/tree/cells.cuh"

namespace koshu {

/* Largest number of particles in a group. */
enum { WALK_WIDTH = 64 };

/* Warps of a block, which have only the launch in common; blocks per
 * multiprocessor. */
enum { WALK_WARPS = 4, WALK_BLOCKS = 6 };

/* The value of `child` of a cell that always acts as a whole, however a group's
 * distance is rounded: its children and particles are not here. */
enum : uint32_t { ALWAYS_WHOLE = ~0u };

/* Parts of other ranks' trees: their cells are in the arrays of the walk's own
 * tree, behind its cells; their particles are counted from first_particle on,
 * behind its particles. */
struct other_trees {
    uint32_t first_cell, roots; /* the first cells are roots */
    uint32_t first_particle;
    const double *x, *y, *z, *mass; /* from first_particle on */
};

/* What groups walk: their own tree, parts of other ranks' trees, or both at
 * once, which is faster than one after the other, as lanes that would wait for
 * cells of the one test those of the other. */
struct walked_tree {
    tree_view view; /* with the groups of this rank */
    other_trees others;
    unsigned levels;     /* of the deepest tree */
    uint32_t begin, end; /* the groups that walk */
    uint32_t own_end;    /* groups before it walk their own tree; those from it
                          * on have done so, and add to their sums */
    particle_tag *tag;   /* of each particle, whose work becomes its
                          * interactions; or NULL */
};

/* Contiguous children of a cell that are all to be tested: 1 ... 8 cells with
 * numbers below MAX_CELLS. */
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

/* Capacity of a warp's stack: enough for usual trees, and for the deepest. */
static inline unsigned
stack_capacity(unsigned levels)
{
    return 128 + 7 * levels;
}

/* Memory of all walks of a device. */
struct walk_memory {
    buffer stacks, next, partial, arrived;
};

/* Device memory for the stacks of all warps, of `capacity` siblings each. If
 * there are few groups, several warps work on each, which takes more. */
static inline size_t
walk_bytes(const koshu_cuda *cuda, unsigned capacity)
{
    const size_t warps =
            (size_t)cuda->multiprocessors * WALK_BLOCKS * WALK_WARPS;
    return warps * capacity * sizeof(siblings);
}

} /* namespace koshu */

#endif
