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
 * memory, and while some warps wait for cells others sum.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALK_CUH

#include "backend/cuda/device.cuh"
#include "backend/cuda/result.cuh"
#include "backend/cuda/tree/cells.cuh"

namespace koshu {

/* Particles of a group, at most. */
enum { WALK_WIDTH = 64 };

struct walk_task {
    /* Of the tree's moments; length: the longest side of the root is of the
     * order of 2^24 (tree/sum_list.cuh). Powers of two. */
    units u;
    double eps;   /* in the caller's units, as all but the moments */
    double theta; /* of the geometric criterion */
    bool potential, monopole;
    bool fast, mixed; /* see struct koshu_force_task; not both */
    unsigned levels;  /* of the tree, at least */
    force_out out;    /* its units are filled in by walk_tree() */
    /* On the device, and added to; with_cells: 0 for monopoles. */
    tree_counts *counts;
};

/* Of all walks of a device. */
struct walk_memory {
    buffer stacks, next, partial, arrived;
};

/*
 * Sums of all groups on task.out. Lists are those of koshu_tree_walk(), but
 * that a cell near a group's box is tried again against each of its particles:
 * they are shorter. Enqueued on the device's stream. Results depend on the tree
 * and the model of the device alone, to the last bit.
 * cudaErrorMemoryAllocation.
 */
cudaError_t walk_tree(koshu_cuda *cuda, const tree_view &tree,
                      const walk_task &task, walk_memory *memory);

} /* namespace koshu */

#endif
