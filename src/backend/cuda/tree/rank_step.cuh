/* SPDX-License-Identifier: MIT */
/* Forces over several ranks: a step whose tree goes to others in parts, and
 * whose groups walk parts of others' trees (backend/tree_parts.h). */
#ifndef KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH
#define KOSHU_BACKEND_CUDA_TREE_RANK_STEP_CUH

#include "backend/cuda/devices/parts.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "backend/cuda/tree/prune.cuh"

namespace koshu {

struct rank_step : device_parts {
    koshu_tree_engine *engine;
    tree_step step; /* without particles, nothing is there but their number */
    koshu_tree_common common;
    buffer bounds; /* of this rank's groups, and what they are found by; or of
                      another's */
    host_buffer bounds_on_host; /* a found_bounds, of its own */
    buffer come, go;            /* parts */
    size_t bytes_to_go;
    host_buffer counts; /* of what was cut for each: prune.cuh */
    buffer marks;       /* of cells, where sums are in the accelerations */
    buffer roots;       /* the first cells of parts that have any */
    host_buffer roots_on_host;
    size_t n_roots;
    buffer work;                  /* of each group */
    event bounded, counted;       /* on the host by then */
    event walking, adding, added; /* on the device's clock */
    bool has_walked, has_added;
};

/* ---- prune.cu ------------------------------------------------------------ */

/* Of the groups: in r->bounds_on_host, once `bounded`. */
struct found_bounds {
    koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS];
    uint32_t n;
};
cudaError_t bound_groups(rank_step *r);

/* For a rank; the counts are written when the device has come so far. The
 * accelerations' memory is used until there are sums. */
cudaError_t
cut_part(rank_step *r, size_t rank, size_t n, const koshu_tree_bounds *bounds);

/* ---- sort.cu ------------------------------------------------------------- */

/* The counts of the cells before each, and of all. */
cudaError_t count_fates(koshu_tree_engine *t, const uint32_t *fate,
                        uint32_t cells, uint64_t *before);

/* ---- forest.cu ----------------------------------------------------------- */

/* Memory for the windows of what comes, and for their number of roots before.
 */
cudaError_t reserve_forest(rank_step *r);

/* The numbers of what was cut for a rank, when the device has come so far. */
koshu_part part_cut(const rank_step *r, size_t rank);
/* Where what goes to a rank is; and device_parts::find. */
part_arrays part_to_go(const rank_step *r, size_t rank);
void find_part(const device_parts *parts, size_t rank, part_place place,
               koshu_traffic_chunk chunks[PART_CHUNKS]);

/* The roots of parts that come, whose numbers are known; on r->in. */
cudaError_t list_roots(rank_step *r);

/* All that came as one tree, to be walked. */
cudaError_t plant_parts(rank_step *r, walked_tree *tree);

} /* namespace koshu */

#endif
