/* SPDX-License-Identifier: MIT */
/*
 * The stages of a tree on the device, as their files share them.
 *
 * All but cells and groups lies where the accelerations will: 24 bytes of a
 * particle that is not read between the measuring of the particles and the
 * walk. They hold keys and indices twice while these are sorted, then the
 * array that the particles' own move through, the bits that mark where cells
 * and groups begin, and in the end the boxes of cells.
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
 * Particles of a leaf, at most, where the caller does not say: cells are 80
 * bytes each. (2^20 particles on an H100, leaves of 16, 24, 32, 40: 3.32, 3.35,
 * 3.38, 3.39 ms; 125, 119, 116, 114 bytes a particle.) They become larger, by
 * quarters, where all that a tree of 2^20 particles or more takes would be more
 * than so many bytes of each: where most cells of a level have a few particles
 * more than n_leaf, they would have eight children with as few each.
 */
enum { TREE_N_LEAF = 32, TREE_MAX_N_LEAF = 128, TREE_BYTES = 110 };

/* What the host must know of a step that is under way. */
struct tree_state {
    tree_extent extent;
    uint32_t not_finite;             /* a position is infinite or NaN */
    uint32_t accelerated;            /* an acceleration is not 0 */
    uint32_t level[TREE_LEVELS + 1]; /* of the last pass: its first cell; the
                                        last: cells of all passes */
    uint32_t buckets; /* cells with too many particles of one key */
    uint32_t groups;
    unsigned long long least_mass; /* its bits, where it was requested and not
                                      all are 0; else all ones */
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

/* The first cells of levels that have any, in all passes; the last: all. */
struct tree_levels {
    uint32_t *first;
    size_t n, capacity;
};

} /* namespace koshu */

struct koshu_tree_engine {
    koshu_backend *backend;
    koshu_cuda *cuda;
    koshu::buffer temporary; /* of CUB */
    koshu::buffer state, groups, ranges;
    koshu::buffer buckets, bucket_offsets, bucket_extents;
    koshu::buffer sample;
    koshu_tree_images images; /* of a periodic box */
    koshu::buffer shifts;     /* of these */
    koshu::walk_memory walk;
    koshu::host_buffer state_on_host;
    koshu::tree_state *seen; /* a copy of the state */
    koshu::tree_levels levels;
    koshu::event event[koshu::TREE_STAGES + 1];
    koshu::rank_step *rank_step; /* ranks.cuh; NULL: there was none */
    /* In the device's memory between steps. */
    uint32_t cell_capacity;
    koshu::tree_cell *cell;
    koshu::tree_place *place;
    koshu::tree_moments *moments;
    size_t max_bytes; /* that it held so far, with the store's */
};

namespace koshu {

/* One evaluation of the forces. */
struct tree_step {
    koshu_tree_engine *tree;
    koshu_cuda *cuda;
    koshu_cuda_store *store;
    uint32_t n, n_crit;
    uint32_t n_leaf, max_n_leaf; /* grows to that, where memory asks for it */
    bool hilbert;
    koshu_force_task task;
    const koshu_tree_common *common; /* NULL: the store's are all particles */
    const koshu_tree_extent *root;   /* NULL: what these fill */
    tree_criterion criterion;
    units u;      /* of the moments, and of the walk */
    double per_a; /* from accelerations to those of tags, which are floats */
    tree_state *state; /* on the device */
    /* Pieces of the accelerations' memory. */
    uint64_t *key, *spare;   /* 8 bytes of a particle each */
    uint32_t *order, *other; /* 4; in one block of 8, either may be first */
};

/* ---- step.cu ------------------------------------------------------------- */

/*
 * Accelerations, and potentials where requested, of all particles of a store,
 * which are brought into the order of the tree. n_crit is in range.
 * The relative criterion reads the store's accelerations; where all are 0 the
 * geometric one is taken. *outcome, begun as KOSHU_OK: KOSHU_ERROR_NOT_FINITE;
 * KOSHU_ERROR_UNSUPPORTED: floats do not hold the sums, in whatever units.
 * Waits. After a failure the accelerations are 0.
 */
cudaError_t do_step(koshu_tree_engine *t, koshu_cuda_store *store,
                    const koshu_force_task &task,
                    const koshu_tree_options &options,
                    koshu_tree_report *report, koshu_status *outcome);

/* The particles in the order of a tree, and its cells: the stages of a step up
 * to the build. root, *outcome: as of a step. */
cudaError_t
cut_tree(koshu_tree_engine *t, koshu_cuda_store *store,
         const koshu_force_task &task, const koshu_tree_options &options,
         const koshu_tree_extent *root, tree_step *s, koshu_status *outcome);

/* The same with groups; then moments. common: as of a step. */
cudaError_t group_tree(koshu_tree_engine *t, koshu_cuda_store *store,
                       const koshu_force_task &task,
                       const koshu_tree_options &options,
                       const koshu_tree_common *common, tree_step *s,
                       koshu_status *outcome);
cudaError_t sum_moments(const tree_step &s);

/* The tree of a step, to be walked by its groups. */
walked_tree own_tree(const tree_step &s);

/* Sums of all groups over a tree and, in a periodic box, its images. */
cudaError_t walk_tree(const tree_step &s, const walked_tree &tree);

/* What was seen, and the seconds of stages. */
cudaError_t write_report(const tree_step &s, koshu_tree_report *r);

/* What the stages left in the memory of the accelerations is none. */
cudaError_t forget_accelerations(const koshu_cuda_store *store);

/* ---- sample.cu ----------------------------------------------------------- */

/* As sample in struct koshu_tree_ops: where the device keeps particles does not
 * matter. */
cudaError_t sample_store(koshu_tree_engine *t, const koshu_cuda_store *store,
                         double eps, size_t sample, double *accelerations);

/* ---- memory.cu ----------------------------------------------------------- */

/* Cells in the device's memory between steps. */
void lay_out_cells(koshu_tree_engine *t);

/* Room for so many, of which the first `kept` stay: their places and moments
 * are not there yet. */
cudaError_t reserve_cells(const tree_step &s, uint32_t cells, uint32_t kept);
cudaError_t reserve_groups(koshu_tree_engine *t, uint32_t groups);

/* Do cells and groups that were counted take more than TREE_BYTES? */
bool takes_too_much(const tree_step &s);

/* A pass over the first n keys, with its bits in s.spare. */
tree_pass pass_of(const tree_step &s, uint32_t n, int levels, uint32_t base);

/* What is held now, and so much more. State: max_bytes. */
void
note_bytes(koshu_tree_engine *t, const koshu_cuda_store *store, size_t more);

/* ---- what the host sees of a step ---------------------------------------- */

/* The stage ends with what was enqueued. */
static inline cudaError_t
note_stage(const tree_step &s, tree_stage stage)
{
    return cudaEventRecord(s.tree->event[stage + 1], s.cuda->stream);
}

/* The state as it is after all that was enqueued, to `seen`. */
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

/* The box of the particles; |a| to their tags, where the criterion asks. */
cudaError_t measure_particles(const tree_step &s);

/* Keys of all particles and their indices: key, order. */
cudaError_t make_keys(const tree_step &s);

/* ---- sort.cu ------------------------------------------------------------- */

/* The first n of key and order by `bits` of the keys, stably; spare and other
 * are room for it, and may be exchanged with them. Those of one key, up to
 * max_n_leaf, are then in the order of their origins: the tree does not depend
 * on where particles were before. */
cudaError_t sort_keys(tree_step *s, uint32_t n, int bits);

/* before[k] = bits set in words 0 ... k - 1, for k < n. */
cudaError_t count_before(koshu_tree_engine *t, const uint32_t *bits,
                         uint32_t *before, size_t n);

/* Cells that are buckets, in order, and the sums of the particles of those
 * before; both have room for `buckets`, offset for one more. */
cudaError_t list_buckets(koshu_tree_engine *t, uint32_t cells, uint32_t n_leaf,
                         uint32_t buckets, uint32_t *bucket, uint32_t *offset);

/* ---- order.cu ------------------------------------------------------------ */

/* Brings the particles into the order that was sorted. */
cudaError_t reorder_particles(tree_step *s);

/* Only those of a pass's buckets. */
cudaError_t reorder_buckets(const tree_step &s, const tree_pass &pass);

/* ---- outcome.cu ---------------------------------------------------------- */

/* All that moves with the particles must be there; the accelerations, where
 * the criterion asks for them. */
koshu_status acquire_fields(koshu_particles *particles,
                            const koshu_tree_options &options, unsigned fields);

/* What came of a step. After a failure the accelerations are none. */
koshu_status status_of_step(const koshu_tree_engine *t, const tree_step &s,
                            cudaError_t error, koshu_status outcome);

/* Fails with the first particle whose position is not finite. */
koshu_status name_culprit(koshu_context *context, koshu_particles *particles);

/* ---- ranks.cu ------------------------------------------------------------ */

/* NULL is allowed. */
void free_rank_step(rank_step *r);

/* ---- build.cu ------------------------------------------------------------ */

/* Cells, and the marks of groups; both as `seen` says. */
cudaError_t build_tree(tree_step *s);

/* ---- buckets.cu --------------------------------------------------------- */

/* Keys of their own for the buckets that there are, sorted; the pass that is to
 * become cells. `last`: by origin, whatever their positions. */
cudaError_t start_buckets(tree_step *s, uint32_t cells, uint32_t buckets,
                          bool last, tree_pass *pass);

/* ---- groups.cu ----------------------------------------------------------- */

/* Marks and counts groups; then, when that was seen, makes them. State: groups.
 */
cudaError_t mark_all_groups(const tree_step &s);
cudaError_t make_groups(const tree_step &s);

/* ---- moments.cu ---------------------------------------------------------- */

/* Eight bytes of each of so many cells, three times: where the accelerations
 * will be, unless cells are more than particles. */
cudaError_t
place_ranges(const tree_step &s, size_t cells, tree_range *range[3]);

/* Places and moments of all cells, level by level. */
cudaError_t sum_cells(const tree_step &s, const tree_view &view);

/* ---- walk_kernels.cu.in -------------------------------------------------- */

/*
 * Sums of all groups, to the store's accelerations and potentials. Lists are
 * those of koshu_tree_walk(), but that a cell near a group's box is tried again
 * against each of its particles: they are shorter. Results depend on the tree
 * and the model of the device alone, to the last bit.
 */
template <class P>
cudaError_t launch_walks(const tree_step &s, const walked_tree &tree);

} /* namespace koshu */

#endif
