/* SPDX-License-Identifier: MIT */
/* Forces over several ranks: a step whose tree is sent to other ranks in parts,
 * and whose groups walk parts of the others' trees (backend/tree_parts.h). */
#ifndef KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH
#define KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH

#include "backend/cuda/devices/parts.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "backend/cuda/tree/prune.cuh"

namespace koshu {

struct rank_step : device_parts {
    koshu_tree_engine *engine;
    tree_step step; /* without particles, only their number is set */
    koshu_tree_common common;
    buffer bounds; /* of this rank's groups, with scratch memory, or those of
                    * another rank */
    host_buffer bounds_on_host; /* a found_bounds, of this rank's groups */
    buffer come, go;            /* parts */
    size_t bytes_to_go;
    host_buffer counts; /* of each part that was cut: prune.cuh */
    buffer marks;       /* of cells, if the accelerations' memory holds sums */
    buffer roots;       /* the first cells of nonempty parts */
    host_buffer roots_on_host;
    size_t n_roots;
    event bounded, counted;       /* the results are on the host */
    event walking, adding, added; /* timing events */
    bool has_walked;
    uint32_t rest; /* groups before it have not walked yet */
};

/* ---- prune.cu ------------------------------------------------------------ */

/* The bounds of the groups: in r->bounds_on_host after event `bounded`. */
struct found_bounds {
    koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS];
    uint32_t n;
};
cudaError_t bound_groups(rank_step *r);

/* Cuts the part for a rank; the device writes its counts later. Uses the
 * accelerations' memory until there are sums. */
cudaError_t
cut_part(rank_step *r, size_t rank, size_t n, const koshu_tree_bounds *bounds);

/* ---- sort.cu ------------------------------------------------------------- */

/* The counts before each cell, and the total. */
cudaError_t count_fates(koshu_tree_engine *t, const uint32_t *fate,
                        uint32_t cells, uint64_t *before);

/* ---- forest.cu ----------------------------------------------------------- */

/* Reserves memory for the windows of incoming parts, preceded by their
 * roots. */
cudaError_t reserve_forest(rank_step *r);

/* The sizes of the part cut for a rank, once the device has written them. */
koshu_part part_cut(const rank_step *r, size_t rank);
/* part_to_go(): where the part for a rank is; find_part():
 * device_parts::find. */
part_arrays part_to_go(const rank_step *r, size_t rank);
void find_part(const device_parts *parts, size_t rank, part_place place,
               koshu_traffic_chunk chunks[PART_CHUNKS]);

/* The roots of incoming parts, whose sizes must be known; on r->in. */
cudaError_t list_roots(rank_step *r);

/* Reserves memory for the cells of all windows behind those of the tree, which
 * are kept. */
cudaError_t reserve_for_parts(const rank_step *r);

/* Adds all incoming parts to what is walked: this rank's tree, whose memory
 * must be reserved so. */
cudaError_t plant_parts(rank_step *r, walked_tree *tree);

} /* namespace koshu */

#endif
