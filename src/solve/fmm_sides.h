/* SPDX-License-Identifier: MIT */
/* The internal structs and functions that the parts of an FMM evaluation
 * share. */
#ifndef KOSHU_SOLVE_FMM_SIDES_H
#define KOSHU_SOLVE_FMM_SIDES_H

#include "backend/backend.h"
#include "fmm/fmm.h"
#include "solve/fmm.h"
#include "tree/tree.h"

/* Particles and their tree. */
struct koshu_fmm_side {
    struct koshu_tree tree;
    struct koshu_fmm_cells cells;
    double *strength; /* of sources: charges, and the unit of each set */
    size_t capacity_strength;
    double *wrapped; /* positions wrapped into a periodic box */
    size_t capacity_wrapped;
    /* In a periodic box, the first n_top cells (for sources, one level more)
     * have expansions in double precision too. */
    struct koshu_fmm_cells top;
    size_t n_top, n_top_sources;
    double *top_rows;
    size_t capacity_top_rows;
};

struct koshu_fmm_descent; /* memory of the downward pass */

/* Properties of the particles of all ranks, if the sources are one rank's: the
 * radius, the sum of all |charge|, and whether one leaf would hold them all.
 * Otherwise 0. */
struct koshu_fmm_whole {
    double radius, charge;
    bool leaf;
};

struct koshu_fmm {
    struct koshu_backend *backend;
    const struct koshu_fmm_kernels *kernels;
    const struct koshu_fmm_kernels *precise; /* in double precision */
    struct koshu_expansion *expansion;
    struct koshu_cartesian *cartesian; /* NULL: not softened */
    struct koshu_fmm_softening softening;
    double per_reach; /* 1 / (theta eps) of the smallest cells */
    struct koshu_fmm_images images;
    struct koshu_lattice *lattice; /* NULL: no periodic box */
    struct koshu_fmm_whole whole;
    /* 4 pi / 3 times the charge of each right-hand side that the background
     * neutralises, less the part due to softening; NULL: no background. */
    double *background;
    size_t capacity_background;
    struct koshu_fmm_options options;
    struct koshu_opening opening;
    /* targets: unused if they are the sources */
    struct koshu_fmm_side sources, targets;
    struct koshu_fmm_descent *descent;
    /* the backend does everything; NULL: the host */
    struct koshu_fmm_engine *engine;
    struct koshu_laplace_report report;
    struct koshu_fmm_ranks *ranks; /* NULL: one rank; owned by the solver */
};

/* ---- fmm_down.c ---------------------------------------------------------- */

koshu_status koshu_fmm_descent_create(struct koshu_context *context,
                                      struct koshu_fmm_descent **descent);
/* NULL is allowed. */
void koshu_fmm_descent_destroy(struct koshu_fmm_descent *descent);

/* A downward pass; targets may be the sources. */
struct koshu_fmm_pass {
    const struct koshu_fmm_side *sources, *targets;
    size_t roots;        /* the first `roots` cells of the sources are roots */
    bool adds;           /* to the results of an earlier pass */
    bool moves_messages; /* lets MPI make progress meanwhile */
    double *work;        /* adds the cost of each target, in pairs; NULL: not */
};

/* Which pairs of cells interact by expansions; none if one leaf would hold all
 * particles. */
struct koshu_fmm_criterion
koshu_fmm_criterion_of(const struct koshu_fmm *fmm, double eps);

/* Computes the sums on all targets. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_descend(struct koshu_fmm *fmm,
                               const struct koshu_force_task *task,
                               const struct koshu_fmm_pass *pass,
                               const struct koshu_fmm_results *to);

/* The cost of a translation, in pairs. */
double koshu_fmm_pairs_of_translation(const struct koshu_fmm *fmm);

/* ---- fmm_leaf.c ---------------------------------------------------------- */

/* The memory and the counts of a thread. */
struct koshu_fmm_worker {
    struct koshu_fmm_lists lists;
    uint32_t *pending; /* what the cells above the current one left over */
    size_t n_pending, capacity_pending;
    double *near; /* j-particles: x y z, charges of each right-hand side */
    size_t capacity_near;
    double *sums; /* for a leaf: i-particles x y z, near and far fields */
    size_t capacity_sums;
    uint8_t *order; /* of the softening expansion of each far cell */
    size_t capacity_order;
    uint32_t *soft; /* far cells of one such order */
    size_t capacity_soft;
    uint64_t m2l, pairs;
    double near_seconds;
};

/* The state of a downward pass. */
struct koshu_fmm_down {
    struct koshu_fmm *fmm;
    const struct koshu_force_task *task;
    const struct koshu_fmm_results *to;
    bool hessian; /* requested or needed */
    const struct koshu_fmm_pass *pass;
    const struct koshu_fmm_side *sources, *targets; /* those of the pass */
    struct koshu_fmm_criterion criterion;
};

/* Computes the results of a leaf's particles, once its lists and local
 * expansion are complete; work: the cost of each particle so far.
 * KOSHU_ERROR_OUT_OF_MEMORY, without a message. */
koshu_status koshu_fmm_finish_leaf(const struct koshu_fmm_down *down,
                                   struct koshu_fmm_worker *w, uint32_t leaf,
                                   double work);

/* ---- fmm_curl.c ---------------------------------------------------------- */

/* Writes velocities of a leaf's particles from the fields of three right-hand
 * sides, in the caller's units. */
void koshu_fmm_scatter_curl(const struct koshu_fmm_down *down, uint32_t leaf,
                            const double *sums);

/* ---- fmm_soften.c -------------------------------------------------------- */

/* Creates the softening expansions, with orders whose error is below that of
 * the expansions of 1 / r. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_prepare_softening(struct koshu_fmm *fmm);

/* Chooses the orders anew, up to those, for a theta that follows the motion of
 * the particles. */
void koshu_fmm_follow_softening(struct koshu_fmm *fmm);

/* The number of terms of the highest of the orders in use, in each row. */
int koshu_fmm_soft_terms(const struct koshu_fmm *fmm);

/* Sets the softening of the following sums. */
void koshu_fmm_set_softening(struct koshu_fmm *fmm, double eps);

/* The largest order of the softening expansion that a cell needs, as target or
 * source; 0: none. A child's is not smaller than its parent's. */
int koshu_fmm_soft_order(const struct koshu_fmm *fmm,
                         const struct koshu_fmm_cells *cells, uint32_t cell);

/* Computes the softening part of a cell's multipole; passes that of its local
 * expansion to its children; and to its particles. */
void koshu_fmm_soften_up(const struct koshu_fmm *fmm, uint32_t cell);
void koshu_fmm_soften_children(const struct koshu_fmm *fmm,
                               const struct koshu_fmm_cells *targets,
                               uint32_t cell);
void koshu_fmm_soften_leaf(const struct koshu_fmm *fmm,
                           const struct koshu_fmm_cells *targets, uint32_t leaf,
                           double *const *to);

/* Adds the softening of the far cells in the worker's lists to the target's
 * local expansion. KOSHU_ERROR_OUT_OF_MEMORY, without a message. */
koshu_status koshu_fmm_soften(const struct koshu_fmm_down *down,
                              struct koshu_fmm_worker *w, uint32_t target);

/* ---- fmm_strengths.c ----------------------------------------------------- */

/* Takes the points' charges and dipoles for the cells of a side; whole: the
 * particles of all ranks. KOSHU_ERROR_NOT_FINITE, which names the point;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_take_strengths(struct koshu_fmm_side *side,
                         const struct koshu_fmm_whole *whole,
                         const struct koshu_laplace_points *points);

/* ---- fmm_box.c ----------------------------------------------------------- */

/* Wraps points into the box, in memory of the side.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_wrap(const struct koshu_fmm *fmm,
                            struct koshu_fmm_side *side,
                            struct koshu_laplace_points *points);

/* The field of the images that are not cells, and of the background, from the
 * sums over all sources. */
void koshu_fmm_box_field_of(const struct koshu_fmm *fmm, double eps,
                            const struct koshu_fmm_root *root,
                            struct koshu_fmm_box_field *field);

/* For one right-hand side: the sums over its sources; memory for the
 * background; and the same field, added to the local expansion of the box and
 * to the background. KOSHU_ERROR_OUT_OF_MEMORY. */
void koshu_fmm_sum_root(const struct koshu_fmm *fmm, size_t rhs,
                        struct koshu_fmm_root *root);
koshu_status koshu_fmm_reserve_background(struct koshu_fmm *fmm, size_t n_rhs);
void koshu_fmm_add_lattice(struct koshu_fmm *fmm, double eps, size_t rhs,
                           const struct koshu_fmm_root *root,
                           const struct koshu_fmm_side *targets);

/* Moves the background of a cell from its centre to those of its children, and
 * adds the difference to their local expansions, of numbers of `real` bytes. */
void koshu_fmm_shift_background(const struct koshu_fmm *fmm,
                                const struct koshu_fmm_cells *to, size_t real,
                                uint32_t parent);

/* Adds the background to a leaf's fields, which koshu_fmm_kernels.l2p()
 * writes. */
void koshu_fmm_add_background(const struct koshu_fmm *fmm,
                              const struct koshu_fmm_cells *to, uint32_t leaf,
                              size_t rhs, const struct koshu_force_targets *i,
                              double *const *field);

/* The trace of a Hessian: 4 pi times the background's charge per volume. */
double koshu_fmm_trace(const struct koshu_fmm *fmm, size_t rhs);

/* ---- fmm_top.c ----------------------------------------------------------- */

/* Computes the multipoles of the top cells of a periodic box, after those of
 * all cells. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_top_up(struct koshu_fmm *fmm, struct koshu_fmm_side *targets);

/* Sets the local expansion of the box to 0. */
void koshu_fmm_top_clear(const struct koshu_fmm_side *targets);

/* Adds n far entries of the sources, which are reordered, to the local
 * expansion of top cell `cell`. */
void koshu_fmm_top_far(const struct koshu_fmm *fmm,
                       const struct koshu_fmm_side *sources,
                       const struct koshu_fmm_side *targets, uint32_t cell,
                       size_t n, uint32_t *entry);

/* Passes the local expansion of a top cell to its children, or for a leaf to
 * its place among those of all cells. */
void koshu_fmm_top_give(const struct koshu_fmm *fmm,
                        const struct koshu_fmm_side *targets, uint32_t cell);

/* ---- fmm.c --------------------------------------------------------------- */

/* Resets the report. */
void koshu_fmm_start_report(struct koshu_fmm *fmm);

/* KOSHU_ERROR_NOT_FINITE: the points extend too far from their centre. */
koshu_status koshu_fmm_check_half(struct koshu_context *context, double half);

/* Builds the trees of both sides (targets NULL: they are the sources) and takes
 * the charges. Errors as of koshu_fmm_sums(). */
koshu_status koshu_fmm_make_trees(struct koshu_fmm *fmm,
                                  const struct koshu_laplace_points *sources,
                                  const struct koshu_laplace_points *targets);
/* Computes the multipoles of all source cells; in a box, those of the largest
 * in double precision too. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_rise(struct koshu_fmm *fmm, double eps,
                            struct koshu_fmm_side *targets);

/* ---- fmm_engine.c -------------------------------------------------------- */

/* Open: errors as of koshu_fmm_create(). Close may be called without engine. */
koshu_status koshu_fmm_engine_open(struct koshu_fmm *fmm);
void koshu_fmm_engine_close(struct koshu_fmm *fmm);

/* The task as the engine should get it; and the engine's report, copied to the
 * FMM's. */
struct koshu_force_task
koshu_fmm_engine_task(const struct koshu_fmm *fmm,
                      const struct koshu_force_task *task);
void koshu_fmm_engine_take_report(struct koshu_fmm *fmm,
                                  const struct koshu_fmm_engine_report *last);

/* As koshu_fmm_laplace(); on a store. After koshu_fmm_start_report(). */
koshu_status
koshu_fmm_engine_laplace(struct koshu_fmm *fmm,
                         const struct koshu_force_task *task,
                         const struct koshu_laplace_points *sources,
                         const struct koshu_laplace_points *targets,
                         const struct koshu_fmm_results *to);
koshu_status koshu_fmm_engine_forces(struct koshu_fmm *fmm,
                                     const struct koshu_force_task *task,
                                     struct koshu_particles *particles,
                                     unsigned fields);

#endif
