/* SPDX-License-Identifier: MIT */
/*
 * The stages of a tree on the device: what their files have in common.
 *
 * All data but cells and groups are kept in the memory of the accelerations, 24
 * bytes per particle that are not read between the measuring of the particles
 * and the walk. It holds keys and indices twice while these are sorted, then
 * the array through which the particles' fields are reordered, then the bits
 * that mark where cells and groups start, and finally the boxes of cells.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_ENGINE_CUH
#define KOSHU_BACKEND_CUDA_TREE_ENGINE_CUH

#include "backend/cuda/particles/store.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/tree/build.cuh"
#include "backend/cuda/tree/groups.cuh"
#include "backend/cuda/tree/moments.cuh"
#include "backend/cuda/tree/walk.cuh"
#include "backend/tree_parts.h"
#include "tree/tree.h"

namespace koshu {

struct rank_step;

/*
 * The largest number of particles in a leaf, if the caller leaves it open:
 * cells are 80 bytes each. (2^20 particles on an H100, leaves of 16, 24, 32,
 * 40: 3.32, 3.35, 3.38, 3.39 ms; 125, 119, 116, 114 bytes per particle.) Leaves
 * are enlarged, in steps of a quarter, if a tree of 2^20 particles or more
 * would take more than TREE_BYTES bytes per particle: if most cells of a level
 * have a few particles more than n_leaf, each would get eight children of very
 * few particles.
 */
enum { TREE_N_LEAF = 32, TREE_MAX_N_LEAF = 128, TREE_BYTES = 110 };

/* What the host needs to know of a running step. */
struct tree_state {
    tree_extent extent;
    uint32_t not_finite;             /* a position is infinite or NaN */
    uint32_t accelerated;            /* an acceleration is not 0 */
    uint32_t level[TREE_LEVELS + 1]; /* of the last pass: first cell of each
                                      * level; last entry: cells of all
                                      * passes */
    uint32_t buckets; /* cells with too many particles of one key */
    uint32_t groups;
    unsigned long long least_mass; /* its bits, if it was requested and not all
                                    * are 0; else all ones */
    tree_counts counts;
};

/* Stages, in the order of struct koshu_tree_report. */
enum tree_stage {
    STAGE_KEYS,
    STAGE_SORT,
    STAGE_BUILD,
    STAGE_GROUPS,
    STAGE_MOMENTS,
    STAGE_WALK,
    TREE_STAGES
};

/* The first cell of each nonempty level, in all passes; last entry: number of
 * cells. */
struct tree_levels {
    uint32_t *first;
    size_t n, capacity;
};

} /* namespace koshu */

struct koshu_tree_engine {
    koshu_backend *backend;
    koshu_cuda *cuda;
    koshu::buffer temporary; /* for CUB */
    koshu::buffer state, groups, ranges;
    koshu::buffer buckets, bucket_offsets, bucket_extents;
    koshu::buffer sample;
    koshu_tree_images images; /* of a periodic box */
    koshu::buffer shifts;     /* of the images */
    koshu::walk_memory walk;
    koshu::host_buffer state_on_host;
    koshu::tree_state *seen; /* copy of the state */
    koshu::tree_levels levels;
    koshu::event event[koshu::TREE_STAGES + 1];
    koshu::rank_step *rank_step; /* ranks.cuh; NULL: not created */
    /* In the device's memory between steps. */
    uint32_t cell_capacity;
    koshu::tree_cell *cell;
    koshu::tree_place *place;
    koshu::tree_moments *moments;
    size_t max_bytes; /* largest total so far, including the store */
};

namespace koshu {

/* One evaluation of the forces. */
struct tree_step {
    koshu_tree_engine *tree;
    koshu_cuda *cuda;
    koshu_cuda_store *store;
    uint32_t n, n_crit;
    uint32_t n_leaf, max_n_leaf; /* n_leaf grows up to max_n_leaf if memory
                                  * requires it */
    bool hilbert;
    koshu_force_task task;
    const koshu_tree_common *common; /* NULL: the store has all particles */
    const koshu_tree_extent *root;   /* NULL: the bounding box of these */
    tree_criterion criterion;
    units u;      /* of the moments, and of the walk */
    double per_a; /* from accelerations to those of tags, which are floats */
    tree_state *state; /* on the device */
    /* Regions of the accelerations' memory. */
    uint64_t *key, *spare;   /* 8 bytes per particle each */
    uint32_t *order, *other; /* 4 bytes each, in one block of 8; either may be
                              * first */
};

/* ---- step.cu ------------------------------------------------------------- */

/*
 * Computes accelerations, and potentials if requested, of all particles of a
 * store, which are reordered as in the tree. n_crit must be in range. The
 * relative criterion reads the store's accelerations; if all are 0, the
 * geometric one is used. *outcome must be KOSHU_OK at first; it is set to
 * KOSHU_ERROR_NOT_FINITE, or KOSHU_ERROR_UNSUPPORTED (the sums fit floats in no
 * units). Waits. After an error the accelerations are 0.
 */
cudaError_t do_step(koshu_tree_engine *t, koshu_cuda_store *store,
                    const koshu_force_task &task,
                    const koshu_tree_options &options,
                    koshu_tree_report *report, koshu_status *outcome);

/* Sorts the particles and makes the cells of a tree: the stages of a step up to
 * the build. root and *outcome: as in a step. */
cudaError_t
cut_tree(koshu_tree_engine *t, koshu_cuda_store *store,
         const koshu_force_task &task, const koshu_tree_options &options,
         const koshu_tree_extent *root, tree_step *s, koshu_status *outcome);

/* The same with groups; then moments. common: as in a step. */
cudaError_t group_tree(koshu_tree_engine *t, koshu_cuda_store *store,
                       const koshu_force_task &task,
                       const koshu_tree_options &options,
                       const koshu_tree_common *common, tree_step *s,
                       koshu_status *outcome);
cudaError_t sum_moments(const tree_step &s);

/* The tree of a step, for walks by its own groups. */
walked_tree own_tree(const tree_step &s);

/* Sums of all groups over a tree and, in a periodic box, its images. */
cudaError_t walk_tree(const tree_step &s, const walked_tree &tree);

/* Writes counts, and the seconds of stages. */
cudaError_t write_report(const tree_step &s, koshu_tree_report *r);

/* Clears what the stages left in the memory of the accelerations. */
cudaError_t forget_accelerations(const koshu_cuda_store *store);

/* ---- sample.cu ----------------------------------------------------------- */

/* As sample in struct koshu_tree_ops; does not depend on the particles' order
 * on the device. */
cudaError_t sample_store(koshu_tree_engine *t, const koshu_cuda_store *store,
                         double eps, size_t sample, double *accelerations);

/* ---- memory.cu ----------------------------------------------------------- */

/* Places the cells in the device's memory between steps. */
void lay_out_cells(koshu_tree_engine *t);

/* Reserves memory for cells, or groups. The first `kept` cells stay; meanwhile
 * they may be where the accelerations of the first `unused` particles are. */
cudaError_t reserve_cells(const tree_step &s, uint32_t cells, uint32_t kept,
                          uint32_t unused);
cudaError_t reserve_groups(koshu_tree_engine *t, uint32_t groups);

/* Would the counted cells and groups take more than TREE_BYTES per particle? */
bool takes_too_much(const tree_step &s);

/* A pass over the first n keys, with its bits in s.spare. */
tree_pass pass_of(const tree_step &s, uint32_t n, int levels, uint32_t base);

/* Notes the memory in use plus `more` bytes. Sets max_bytes. */
void
note_bytes(koshu_tree_engine *t, const koshu_cuda_store *store, size_t more);

/* ---- what the host sees of a step ---------------------------------------- */

/* Marks the end of a stage after the work enqueued so far. */
static inline cudaError_t
note_stage(const tree_step &s, tree_stage stage)
{
    return cudaEventRecord(s.tree->event[stage + 1], s.cuda->stream);
}

/* Copies the state after all work enqueued so far to `seen`. */
static inline cudaError_t
read_state(const tree_step &s)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(s.tree->seen, s.state, sizeof(tree_state),
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    return cudaStreamSynchronize(s.cuda->stream);
}

static inline bool
is_finite(const tree_state &seen)
{
    return !seen.not_finite && std::isfinite(box_of(seen.extent).side);
}

/* ---- keys.cu ------------------------------------------------------------- */

/* Finds the box of the particles; writes |a| to their tags, if the criterion
 * needs it. */
cudaError_t measure_particles(const tree_step &s);

/* Makes the keys of all particles and their indices: key, order. */
cudaError_t make_keys(const tree_step &s);

/* ---- sort.cu ------------------------------------------------------------- */

/* Sorts the first n of key and order stably by `bits` of the keys; spare and
 * other are scratch, and may be exchanged with them. Then orders particles with
 * equal keys, up to max_n_leaf of them, by origin, so that the tree does not
 * depend on the previous order of particles. */
cudaError_t sort_keys(tree_step *s, uint32_t n, int bits);

/* before[k] = number of bits set in words 0 ... k - 1, for k < n. */
cudaError_t count_before(koshu_tree_engine *t, const uint32_t *bits,
                         uint32_t *before, size_t n);

/* Lists the cells that are buckets, in order, and for each the number of
 * particles in those before it; both arrays have `buckets` elements, offset one
 * more. */
cudaError_t list_buckets(koshu_tree_engine *t, uint32_t cells, uint32_t n_leaf,
                         uint32_t buckets, uint32_t *bucket, uint32_t *offset);

/* ---- order.cu ------------------------------------------------------------ */

/* Brings the particles into the sorted order. */
cudaError_t reorder_particles(tree_step *s);

/* The same for the particles of a pass's buckets only. */
cudaError_t reorder_buckets(const tree_step &s, const tree_pass &pass);

/* ---- outcome.cu ---------------------------------------------------------- */

/* Makes all fields available on the device that move with the particles; also
 * the accelerations, if the criterion needs them. */
koshu_status acquire_fields(koshu_particles *particles,
                            const koshu_tree_options &options, unsigned fields);

/* The status of a step, with its message. After an error the accelerations are
 * invalid. */
koshu_status status_of_step(const koshu_tree_engine *t, const tree_step &s,
                            cudaError_t error, koshu_status outcome);

/* Fails with the first particle whose position is not finite. */
koshu_status name_culprit(koshu_context *context, koshu_particles *particles);

/* ---- ranks.cu ------------------------------------------------------------ */

/* Accepts NULL. */
void free_rank_step(rank_step *r);

/* ---- build.cu ------------------------------------------------------------ */

/* Makes cells, and marks groups; `seen` has the number of both. */
cudaError_t build_tree(tree_step *s);

/* ---- buckets.cu ---------------------------------------------------------- */

/* Makes and sorts keys for the current buckets, and sets up the pass that makes
 * cells of them. `last`: by origin, whatever their positions. */
cudaError_t start_buckets(tree_step *s, uint32_t cells, uint32_t buckets,
                          bool last, tree_pass *pass);

/* ---- groups.cu ----------------------------------------------------------- */

/* mark_all_groups() marks and counts groups, and sets `groups` of the state;
 * make_groups() makes them after the host has read that. */
cudaError_t mark_all_groups(const tree_step &s);
cudaError_t make_groups(const tree_step &s);

/* ---- moments.cu ---------------------------------------------------------- */

/* Places three arrays of eight bytes per cell: in the memory of the
 * accelerations, unless there are more cells than particles. */
cudaError_t
place_ranges(const tree_step &s, size_t cells, tree_range *range[3]);

/* Computes places and moments of all cells, level by level. */
cudaError_t sum_cells(const tree_step &s, const tree_view &view);

/* ---- walk_kernels.cu.in -------------------------------------------------- */

/*
 * Computes the sums of all groups, and writes them to the store's accelerations
 * and potentials. Lists are those of koshu_tree_walk(), except that a cell near
 * a group's box is tested again against each of its particles, which makes them
 * shorter. Results depend only on the tree and the device model, to the last
 * bit.
 */
template <class P>
cudaError_t launch_walks(const tree_step &s, const walked_tree &tree);

} /* namespace koshu */

#endif
