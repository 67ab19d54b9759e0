/* SPDX-License-Identifier: MIT */
/* Forces over several ranks: a step whose tree goes to others in parts, and
 * whose groups walk parts of others' trees (backend/tree_parts.h). */
#ifndef KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH
#define KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH

#include "backend/cuda/tree/engine.cuh"
#include "backend/cuda/tree/prune.cuh"

namespace koshu {

struct rank_step {
    tree_step step; /* without particles, nothing is there but their number */
    koshu_tree_common common;
    buffer bounds;       /* of this rank's groups, or of another's */
    buffer parts;        /* the part that was cut last; later those of others */
    koshu_tree_part cut; /* its numbers */
    buffer work;         /* of each group */
    event walking, adding, added; /* on the device's clock */
    bool has_added;
};

/* ---- prune.cu ------------------------------------------------------------ */

/* Of the groups. Waits. */
cudaError_t bound_groups(rank_step *r, size_t *n, koshu_tree_bounds *bounds);

/* To r->parts; r->cut says how much. */
cudaError_t cut_part(rank_step *r, size_t n, const koshu_tree_bounds *bounds);

/* ---- sort.cu ------------------------------------------------------------- */

/* The counts of the cells before each, and of all. */
cudaError_t count_fates(koshu_tree_engine *t, const uint32_t *fate,
                        uint32_t cells, uint64_t *before);

/* ---- forest.cu ----------------------------------------------------------- */

/* Parts of others as one tree, in r->parts, to be walked. */
cudaError_t plant_parts(rank_step *r, size_t n, const koshu_tree_part *parts,
                        walked_tree *tree);

/* Room for so much in r->parts, whose contents are lost if it grows. */
static inline cudaError_t
reserve_parts(rank_step *r, size_t cells, size_t particles)
{
    const size_t bytes =
            cells * PART_CELL_BYTES + particles * PART_PARTICLE_BYTES;
    if (r->parts.has(bytes)) return cudaSuccess;
    return r->parts.reserve(bytes + bytes / 16);
}

} /* namespace koshu */

#endif
