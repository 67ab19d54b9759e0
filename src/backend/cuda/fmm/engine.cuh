/* SPDX-License-Identifier: MIT */
/* The stages of the fast multipole method on the device: what their files
 * share. Particles and cells are those of a tree (tree/engine.cuh). */
#ifndef KOSHU_BACKEND_CUDA_FMM_ENGINE_CUH
#define KOSHU_BACKEND_CUDA_FMM_ENGINE_CUH

#include <algorithm>
#include <cmath>

#include "backend/cuda/fmm/cells.cuh"
#include "backend/cuda/fmm/fragments.cuh"
#include "backend/cuda/runtime/pipeline.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "fmm/fmm.h"

namespace koshu {

/* Events between which stages are timed: of the preparation, and of the last
 * charges summed. */
enum fmm_mark {
    FMM_START,
    FMM_TREE_END,
    FMM_LISTS_END,
    FMM_CHARGES,
    FMM_UP_END,
    FMM_DOWN_END, /* local expansions of all cells are complete */
    FMM_END,
    FMM_MARKS
};

struct fmm_rank_step;

/* Memory for the entries of lists, besides what a store lends. */
struct fmm_entries {
    buffer far, near; /* far: and of the rest */
};

} /* namespace koshu */

struct koshu_fmm_common;

struct koshu_fmm_engine {
    koshu_backend *backend;
    koshu_cuda *cuda;
    koshu_tree_engine *tree;
    koshu_fmm_engine_options options;
    koshu_expansion *expansion;           /* on the host */
    koshu::buffer coefficients, matrices; /* on the device */
    koshu_expansion on_device;            /* without what is in fragments */
    koshu::fmm_fragments fragments;
    koshu::buffer cartesian;       /* for softening; NULL: none */
    koshu::buffer shifts, lattice; /* for a periodic box */
    koshu::buffer top, sums;       /* its double-precision expansions; sums
                                      of its charges */
    koshu::buffer places, parents, boxes, lists, expansions, stacks, counts;
    koshu::fmm_entries entries;
    koshu::host_buffer counts_on_host;
    size_t cells;          /* of the last tree */
    koshu_image_code code; /* of its lists' entries */
    koshu::event event[koshu::FMM_MARKS];
    koshu::fmm_rank_step *rank_step; /* see ranks.cuh; NULL: none yet */
    /* For laplace(): positions; then strengths as they came, their maximum, and
     * strengths in the order of the tree; results. */
    koshu_cuda_store *points;
    koshu::buffer given, largest, strengths, results, apart;
};

namespace koshu {

/* The cells of one level of the tree. */
struct fmm_level {
    uint32_t begin, end;
};

struct fmm_step;

/* The number of sets of charges that can be expanded at once, of strengths per
 * source, and of fields per target. */
enum { FMM_MAX_SETS = 3, FMM_MAX_STRENGTHS = 4, FMM_MAX_FIELDS = 12 };

/* Launches of the cell-to-cell operators: multipoles of all leaves; multipoles
 * of a level from its children's; local expansions from far cells; local
 * expansions of a level from its parents'. */
struct fmm_operators {
    cudaError_t (*p2m)(const fmm_step &s);
    cudaError_t (*m2m)(const fmm_step &s, const fmm_level &level);
    cudaError_t (*m2l)(const fmm_step &s);
    cudaError_t (*l2l)(const fmm_step &s, const fmm_level &level);
};

/* One evaluation. The tree, the places of its cells and their lists are made
 * once for all charges at the same positions. From one set of charges to the
 * next only the view's charges and expansions change. */
struct fmm_step {
    koshu_fmm_engine *fmm;
    koshu_cuda *cuda;
    tree_step tree;
    uint64_t n_leaf;
    koshu_opening opening;
    double side;     /* of the box of all ranks' particles */
    unsigned levels; /* of the sources' trees, if other ranks' */
    fmm_view view;
    size_t real; /* bytes per number of an expansion */
    fmm_operators operators;
    fmm_operators softening; /* used if view.softening.order > 0 */
    fmm_place *place;
    uint32_t *parent;
    fmm_entries *entries;
    fmm_chunk chunk[FMM_CHUNKS]; /* of these, and of what the store lends */
    fmm_lists *lists;
    fmm_counts *counts, *seen; /* on the device; a copy on the host */
    /* The number of sets, each with a charge for each particle; a single set
     * may have dipoles, else NULL. */
    int sets;
    const double *charge[FMM_MAX_SETS], *dipole[3];
    size_t bytes_of_set; /* of multipoles, and of local expansions */
    double core_reach;   /* nearer cells do not act through expansions */
};

static inline cudaError_t
note(const fmm_step &s, fmm_mark mark)
{
    return cudaEventRecord(s.fmm->event[mark], s.cuda->stream);
}

/* ---- outcome.cu ---------------------------------------------------------- */

/* The fields of a store that the computation of forces reads, and the
 * results. */
koshu_status acquire_for_fmm(koshu_particles *particles, unsigned fields);

/* Turns the result of an evaluation on a store into a status and message. */
koshu_status status_of_fmm(const koshu_fmm_engine *f,
                           koshu_particles *particles, cudaError_t error,
                           koshu_status outcome);

/* ---- prepare.cu ---------------------------------------------------------- */

/* What an evaluation needs: how many sets of charges are expanded at once; and
 * how many particles, the first of the store, are sources only, the rest being
 * targets only (0: all are both). */
struct fmm_shape {
    int sets;
    uint32_t apart;
    double core_reach;              /* see the step */
    const koshu_fmm_common *common; /* NULL: the store has all particles */
    bool lends; /* the store gets the results, once far lists have been used */
};

/* Makes the tree, places and lists. *outcome: KOSHU_OK on entry; set as by a
 * tree's step. */
cudaError_t prepare_fmm(koshu_fmm_engine *f, koshu_cuda_store *store,
                        const koshu_force_task &task, const fmm_shape &shape,
                        fmm_step *s, koshu_status *outcome);

/* The same without the lists; and the lists alone. The counts are then being
 * copied to the host. */
cudaError_t prepare_cells(koshu_fmm_engine *f, koshu_cuda_store *store,
                          const koshu_force_task &task, const fmm_shape &shape,
                          fmm_step *s, koshu_status *outcome);
cudaError_t start_lists(const fmm_step &s);

/* Waits for the lists, but not for work enqueued after them. Lists that had too
 * little memory are made again. */
cudaError_t settle_lists(fmm_step *s);

/* Has the lists' entries in the memory of s->entries from now on. */
void lay_out_entries(fmm_step *s);

/* ---- step.cu ------------------------------------------------------------- */

/* For each change of charges, once the view has their unit: computes the
 * expansions of all cells. The caller then evaluates them at the leaves, and
 * calls the end, which waits and reads the counts. */
cudaError_t expand_charges(fmm_step *s);
cudaError_t finish_charges(const fmm_step &s);

/* The parts of that, for one set of charges: multipoles of all cells; once
 * there are lists, local expansions from far cells; and these passed down from
 * the root. */
fmm_step step_of_set(const fmm_step &s, int set);
cudaError_t go_up(const fmm_step &one);
cudaError_t gather_far(const fmm_step &one);
cudaError_t go_down(const fmm_step &one);

/* Initialises an evaluation; describes a store's particles before there are
 * cells. */
fmm_step step_of(koshu_fmm_engine *f);
fmm_view
view_of(const koshu_fmm_engine &fmm, const koshu_cuda_store &store, double eps);

/* Adds the time of the preparation, and of one set of sums, to the report.
 * Called when all is done. */
cudaError_t report_preparation(const fmm_step &s, koshu_fmm_engine_report *r);
cudaError_t report_charges(const fmm_step &s, koshu_fmm_engine_report *r);

/* The counterpart of a tree's do_step(). */
cudaError_t do_fmm_step(koshu_fmm_engine *f, koshu_cuda_store *store,
                        const koshu_force_task &task,
                        koshu_fmm_engine_report *report, koshu_status *outcome);

/* Evaluates the fields of a set with the direct kernel: forces, written to the
 * store's accelerations and potentials. */
cudaError_t sum_forces_of_leaves(const fmm_step &one);

/* ---- places.cu ----------------------------------------------------------- */

/* Finds the places and parents of all cells. The root's radius is at least
 * `least`. */
cudaError_t place_cells(const fmm_step &s, double least);

/* ---- expansions.cu.in ---------------------------------------------------- */

/* For any order; expansions of floats or doubles. */
template <class Real> fmm_operators operators_of_any_order();

/* ---- by_order.cu.in ------------------------------------------------------ */

/* For one order, with expansions of floats in registers. */
template <int P> fmm_operators operators_of_order();
enum { FMM_MAX_ORDER_IN_REGISTERS = 10 };

/* ---- softening.cu.in ----------------------------------------------------- */

/* What softening adds; expansions of floats or doubles. */
template <class Real> fmm_operators operators_of_softening();

/* ---- box.cu -------------------------------------------------------------- */

enum { SUM_BLOCKS = 512 };

/* Decides which cells of a periodic box have expansions in double precision,
 * and reserves their memory. */
cudaError_t lay_out_top(fmm_step *s);

/* Once all multipoles and the local expansions from far cells exist: makes the
 * double-precision expansions, and the local expansions of the levels above
 * levels_below_top(). */
cudaError_t sum_top(const fmm_step &s);
size_t levels_below_top(const fmm_step &s);

/* Sums over all sources, two for each of SUM_BLOCKS blocks: charges, and what
 * struct koshu_fmm_root calls `second`. */
cudaError_t sum_all_sources(const fmm_step &s);

/* Adds to the root's local expansion, in double precision, the effect of the
 * images that are not cells and the harmonic part of the background. The rest
 * of the background goes to the view's `background`. */
cudaError_t add_lattice(const fmm_step &wide);

/* Adds the background to the local expansions of a level's cells, after L2L. */
cudaError_t shift_background(const fmm_step &s, const fmm_level &level);

/* ---- beyond.cu ----------------------------------------------------------- */

/* The operations root() and add_box_field() of koshu_fmm_engine_ops, for a
 * store that has particles. The first waits for its result. */
cudaError_t sum_root(koshu_fmm_engine *f, const koshu_cuda_store &store,
                     koshu_fmm_root *root);
cudaError_t add_box_field(koshu_fmm_engine *f, const koshu_cuda_store &store,
                          const koshu_fmm_box_field &field, bool potential);

/* ---- lists.cu ------------------------------------------------------------ */

/* Makes the lists of all cells. If there was too little memory for all entries,
 * the counts tell how many there are. */
cudaError_t make_lists(const fmm_step &s);

/* ---- apart.cu ------------------------------------------------------------ */

/* Once cells have places: divides the view's cells into those of sources
 * (origins below `sources`) and of targets; reorders each leaf's particles. */
cudaError_t part_cells(fmm_step *s, uint32_t sources);

/* ---- dipoles.cu ---------------------------------------------------------- */

/* Multipoles of all leaves' charges and, if the step has them, dipoles. */
cudaError_t expand_leaves(const fmm_step &s);

/* ---- leaves.cu.in -------------------------------------------------------- */

/* Sums for all particles, written to the store's accelerations and potentials,
 * or added if the sources are other ranks'. */
template <class P> cudaError_t sum_leaves(const fmm_step &s);

/* Cells with particles nearer than this do not act through expansions. */
static inline double
nearest_cells(const fmm_softening &s)
{
    return s.order > 0 ? sqrt(s.reach2[s.order]) : 0;
}

/* The same, or without expansions because of cores. */
static inline double
apart_of(const fmm_step &s)
{
    return std::max(nearest_cells(s.view.softening), s.core_reach);
}

static inline fmm_level
level_of(const fmm_step &s, size_t level)
{
    const tree_levels &levels = s.tree.tree->levels;
    return {levels.first[level], levels.first[level + 1]};
}

static inline size_t
count_levels(const fmm_step &s)
{
    return s.tree.tree->levels.n - 1;
}

} /* namespace koshu */

#endif
