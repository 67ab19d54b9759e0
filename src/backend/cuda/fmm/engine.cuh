/* SPDX-License-Identifier: MIT */
/* The stages of the fast multipole method on the device, as their files share
 * them: particles and cells are those of a tree (tree/engine.cuh). */
#ifndef KOSHU_BACKEND_CUDA_FMM_ENGINE_CUH
#define KOSHU_BACKEND_CUDA_FMM_ENGINE_CUH

#include <cmath>

#include "backend/cuda/fmm/cells.cuh"
#include "backend/cuda/fmm/fragments.cuh"
#include "backend/cuda/runtime/pipeline.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "fmm/fmm.h"

namespace koshu {

/* Points of an evaluation whose times are taken: those of its preparation, and
 * of the charges that were summed last. */
enum fmm_mark {
    FMM_START,
    FMM_TREE_END,
    FMM_LISTS_END,
    FMM_CHARGES,
    FMM_UP_END,
    FMM_DOWN_END, /* local expansions of all cells */
    FMM_END,
    FMM_MARKS
};

struct fmm_rank_step;

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
    koshu::buffer cartesian;       /* of softening; NULL: none */
    koshu::buffer shifts, lattice; /* of a periodic box */
    koshu::buffer top, sums;       /* its wide expansions; its charges */
    koshu::buffer places, parents, boxes, lists, entries, expansions, stacks,
            counts;
    koshu::host_buffer counts_on_host;
    size_t cells; /* of the last tree */
    koshu::event event[koshu::FMM_MARKS];
    koshu::fmm_rank_step *rank_step; /* ranks.cuh; NULL: there was none */
    /* Of laplace(): places, then strengths as they came, their largest, and in
     * the order of the tree; results. */
    koshu_cuda_store *points;
    koshu::buffer given, largest, strengths, results, apart;
};

namespace koshu {

/* Cells of a level of the tree. */
struct fmm_level {
    uint32_t begin, end;
};

struct fmm_step;

/* Sets of charges whose expansions there can be at once; arrays of numbers that
 * a source has, and of those that are summed at a target. */
enum { FMM_MAX_SETS = 3, FMM_MAX_STRENGTHS = 4, FMM_MAX_FIELDS = 12 };

/* Launches of the operators from cell to cell: multipoles of all leaves, and of
 * a level from their children's; local expansions of what is far from each
 * cell; and the part of a level's that is their parents'. */
struct fmm_operators {
    cudaError_t (*p2m)(const fmm_step &s);
    cudaError_t (*m2m)(const fmm_step &s, const fmm_level &level);
    cudaError_t (*m2l)(const fmm_step &s);
    cudaError_t (*l2l)(const fmm_step &s, const fmm_level &level);
};

/* One evaluation. What is made once, for all charges at the same places, is the
 * tree, the places of its cells and their lists; of the view only charges and
 * expansions change from one set of charges to the next. */
struct fmm_step {
    koshu_fmm_engine *fmm;
    koshu_cuda *cuda;
    tree_step tree;
    uint64_t n_leaf;
    double theta;    /* 0: no cell is far */
    double side;     /* of the box that all ranks' particles fill */
    unsigned levels; /* of the sources, where they are others' */
    fmm_view view;
    size_t real; /* bytes of a number of an expansion */
    fmm_operators operators;
    fmm_operators softening; /* where view.softening.order > 0 */
    fmm_place *place;
    uint32_t *parent, *entry;
    fmm_lists *lists;
    fmm_counts *counts, *seen; /* on the device; a copy on the host */
    unsigned long long entry_capacity;
    /* Sets, each with a charge for each particle; and the dipoles of one that
     * is alone, or NULL. */
    int sets;
    const double *charge[FMM_MAX_SETS], *dipole[3];
    size_t bytes_of_set; /* of its multipoles; of its local expansions */
    double core_reach;   /* cells that are nearer do not act by expansions */
};

static inline cudaError_t
note(const fmm_step &s, fmm_mark mark)
{
    return cudaEventRecord(s.fmm->event[mark], s.cuda->stream);
}

/* ---- outcome.cu ---------------------------------------------------------- */

/* Fields of a store that forces are computed of, and those that they are. */
koshu_status acquire_for_fmm(koshu_particles *particles, unsigned fields);

/* What came of an evaluation on a store. */
koshu_status status_of_fmm(const koshu_fmm_engine *f,
                           koshu_particles *particles, cudaError_t error,
                           koshu_status outcome);

/* ---- prepare.cu ---------------------------------------------------------- */

/* Of an evaluation: sets of charges whose expansions there are at once, and
 * how many particles, the first of the store's, are sources that are no
 * targets, the others being targets alone; 0: all are both. */
struct fmm_shape {
    int sets;
    uint32_t apart;
    double core_reach;              /* as in the step */
    const koshu_fmm_common *common; /* NULL: the store's are all particles */
};

/* Tree, places and lists. *outcome, begun as KOSHU_OK: as of a tree's step. */
cudaError_t prepare_fmm(koshu_fmm_engine *f, koshu_cuda_store *store,
                        const koshu_force_task &task, const fmm_shape &shape,
                        fmm_step *s, koshu_status *outcome);

/* The same but for the lists; and these alone: the counts are on their way to
 * the host when they are done. */
cudaError_t prepare_cells(koshu_fmm_engine *f, koshu_cuda_store *store,
                          const koshu_force_task &task, const fmm_shape &shape,
                          fmm_step *s, koshu_status *outcome);
cudaError_t start_lists(const fmm_step &s);

/* Waits for the lists, not for what was enqueued behind them; those that found
 * no memory are made anew. */
cudaError_t settle_lists(fmm_step *s);

/* ---- step.cu ------------------------------------------------------------- */

/* Then, as often as the charges change, the expansions of all cells, once the
 * view has the charges' unit; what leaves do with them is the caller's; and the
 * end, which waits, with the counts seen. */
cudaError_t expand_charges(fmm_step *s);
cudaError_t finish_charges(const fmm_step &s);

/* Its parts, of one set of charges: multipoles of all cells; when there are
 * lists, the local expansions of what is far; and these from the root down. */
fmm_step step_of_set(const fmm_step &s, int set);
cudaError_t go_up(const fmm_step &one);
cudaError_t gather_far(const fmm_step &one);
cudaError_t go_down(const fmm_step &one);

/* An evaluation to come; what the operators see of a store's particles, before
 * there are cells. */
fmm_step step_of(koshu_fmm_engine *f);
fmm_view
view_of(const koshu_fmm_engine &fmm, const koshu_cuda_store &store, double eps);

/* What the one took, once all is done, and each of the others: adds it. */
cudaError_t report_preparation(const fmm_step &s, koshu_fmm_engine_report *r);
cudaError_t report_charges(const fmm_step &s, koshu_fmm_engine_report *r);

/* As do_step() of a tree. */
cudaError_t do_fmm_step(koshu_fmm_engine *f, koshu_cuda_store *store,
                        const koshu_force_task &task,
                        koshu_fmm_engine_report *report, koshu_status *outcome);

/* What the fields of a set are, to the store's accelerations and potentials:
 * forces, by the direct kernel. */
cudaError_t sum_forces_of_leaves(const fmm_step &one);

/* ---- places.cu ----------------------------------------------------------- */

/* Places and parents of all cells. The root's radius is not less than `least`.
 */
cudaError_t place_cells(const fmm_step &s, double least);

/* ---- expansions.cu.in ---------------------------------------------------- */

/* Of any order; expansions of floats or doubles. */
template <class Real> fmm_operators operators_of_any_order();

/* ---- by_order.cu.in ------------------------------------------------------ */

/* The same of floats, for one order, in registers. */
template <int P> fmm_operators operators_of_order();
enum { FMM_MAX_ORDER_IN_REGISTERS = 10 };

/* ---- softening.cu.in ----------------------------------------------------- */

/* The same of what softening adds; expansions of floats or doubles. */
template <class Real> fmm_operators operators_of_softening();

/* ---- box.cu -------------------------------------------------------------- */

enum { SUM_BLOCKS = 512 };

/* Which cells of a periodic box have expansions in double precision, and memory
 * for these. */
cudaError_t lay_out_top(fmm_step *s);

/* When all multipoles are there, and the local expansions of what is far: all
 * of those expansions, and the local expansions of the levels before
 * levels_below_top(). */
cudaError_t sum_top(const fmm_step &s);
size_t levels_below_top(const fmm_step &s);

/* Of all sources, to the FMM's sums, two of each of SUM_BLOCKS: charges, and
 * what struct koshu_fmm_root has as `second`. */
cudaError_t sum_all_sources(const fmm_step &s);

/* Adds to the root's local expansion, in double precision, what the images do
 * that are no cells, and what of the background is harmonic; the rest to the
 * view's `background`. */
cudaError_t add_lattice(const fmm_step &wide);

/* Adds the background to the local expansions of a level's cells, after
 * L2L. */
cudaError_t shift_background(const fmm_step &s, const fmm_level &level);

/* ---- beyond.cu ----------------------------------------------------------- */

/* As root() and add_box_field() of koshu_fmm_engine_ops, of a store that has
 * particles. The first waits. */
cudaError_t sum_root(koshu_fmm_engine *f, const koshu_cuda_store &store,
                     koshu_fmm_root *root);
cudaError_t add_box_field(koshu_fmm_engine *f, const koshu_cuda_store &store,
                          const koshu_fmm_box_field &field, bool potential);

/* ---- lists.cu ------------------------------------------------------------ */

/* Lists of all cells. Where there was no memory for all entries, their number
 * is in the counts. */
cudaError_t make_lists(const fmm_step &s);

/* ---- apart.cu ------------------------------------------------------------ */

/* Once cells have places: the view's cells of both kinds, of which those of
 * `sources` origins are the one, the order of a leaf's particles being changed.
 */
cudaError_t part_cells(fmm_step *s, uint32_t sources);

/* ---- dipoles.cu ---------------------------------------------------------- */

/* Multipoles of all leaves' charges and, where the step has them, dipoles. */
cudaError_t expand_leaves(const fmm_step &s);

/* ---- leaves.cu.in -------------------------------------------------------- */

/* Sums of all particles, to the store's accelerations and potentials; added,
 * where the sources are others'. */
template <class P> cudaError_t sum_leaves(const fmm_step &s);

/* Cells with particles nearer than this do not act by expansions. */
static inline double
nearest_cells(const fmm_softening &s)
{
    return s.order > 0 ? sqrt(s.reach2[s.order]) : 0;
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
