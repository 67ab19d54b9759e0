/* SPDX-License-Identifier: MIT */
/* What the parts of an evaluation by the FMM share. */
#ifndef KOSHU_SOLVE_FMM_SIDES_H
#define KOSHU_SOLVE_FMM_SIDES_H

#include "backend/backend.h"
#include "fmm/fmm.h"
#include "solve/fmm.h"
#include "tree/tree.h"

/* Particles, in a tree of theirs. */
struct koshu_fmm_side {
    struct koshu_tree tree;
    struct koshu_fmm_cells cells;
    double *strength; /* of sources: charges, and the unit of each set */
    size_t capacity_strength;
    double *wrapped; /* positions in a periodic box */
    size_t capacity_wrapped;
    /* In a periodic box: the first n_top cells, of sources a level more, with
     * expansions in double precision. */
    struct koshu_fmm_cells top;
    size_t n_top, n_top_sources;
    double *top_rows;
    size_t capacity_top_rows;
};

struct koshu_fmm_descent; /* memory of the way down */

/* Of the particles of all ranks, where the sources are those of one of several:
 * the radius, the sum of all |charge|, and whether one leaf would have them
 * all; else 0. */
struct koshu_fmm_whole {
    double radius, charge;
    bool leaf;
};

struct koshu_fmm {
    struct koshu_backend *backend;
    const struct koshu_fmm_kernels *kernels;
    const struct koshu_fmm_kernels *precise; /* in double precision */
    struct koshu_expansion *expansion;
    struct koshu_cartesian *cartesian; /* NULL: no softening */
    struct koshu_fmm_softening softening;
    double per_reach; /* 1 / (theta eps) */
    struct koshu_fmm_images images;
    struct koshu_lattice *lattice; /* NULL: no box */
    struct koshu_fmm_whole whole;
    /* 4 pi / 3 times the charge of each right-hand side that a background
     * neutralises, less what softening takes; NULL: none does */
    double *background;
    size_t capacity_background;
    struct koshu_fmm_options options;
    struct koshu_fmm_side sources, targets; /* targets: where they differ */
    struct koshu_fmm_descent *descent;
    struct koshu_fmm_engine *engine; /* the backend does all; NULL: the host */
    struct koshu_laplace_report report;
    struct koshu_fmm_ranks *ranks; /* NULL: there is one; the solver's */
};

/* ---- fmm_down.c ---------------------------------------------------------- */

koshu_status koshu_fmm_descent_create(struct koshu_context *context,
                                      struct koshu_fmm_descent **descent);
/* NULL is allowed. */
void koshu_fmm_descent_destroy(struct koshu_fmm_descent *descent);

/* Sources with multipoles, and targets; perhaps the same. */
struct koshu_fmm_pass {
    const struct koshu_fmm_side *sources, *targets;
    size_t roots;        /* the first cells of the sources are roots */
    bool adds;           /* to what a pass before has written */
    bool moves_messages; /* between ranks, meanwhile */
    double *work; /* of each target, gets what it has cost, in pairs; or NULL */
};

/* Which pairs of cells act by their expansions; none where one leaf would have
 * all. */
struct koshu_fmm_criterion
koshu_fmm_criterion_of(const struct koshu_fmm *fmm, double eps);

/* The sums of all targets. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_descend(struct koshu_fmm *fmm,
                               const struct koshu_force_task *task,
                               const struct koshu_fmm_pass *pass,
                               const struct koshu_fmm_results *to);

/* What a translation costs, in pairs. */
double koshu_fmm_pairs_of_translation(const struct koshu_fmm *fmm);

/* ---- fmm_leaf.c ---------------------------------------------------------- */

/* Memory of a thread, and what it has done. */
struct koshu_fmm_worker {
    struct koshu_fmm_lists lists;
    uint32_t *pending; /* what the cells above the present one left over */
    size_t n_pending, capacity_pending;
    double *near; /* j-particles: x y z, charges of each right-hand side */
    size_t capacity_near;
    double *sums; /* of a leaf: i-particles x y z, near and far fields */
    size_t capacity_sums;
    uint8_t *order; /* of the softening of each far cell */
    size_t capacity_order;
    uint32_t *soft; /* far cells of one order */
    size_t capacity_soft;
    uint64_t m2l, pairs;
    double near_seconds;
};

/* A way down. */
struct koshu_fmm_down {
    struct koshu_fmm *fmm;
    const struct koshu_force_task *task;
    const struct koshu_fmm_results *to;
    bool hessian; /* is requested, or needed */
    const struct koshu_fmm_pass *pass;
    const struct koshu_fmm_side *sources, *targets; /* the pass's */
    struct koshu_fmm_criterion criterion;
};

/* What a leaf's particles get, once its lists and local expansions are there;
 * work: what these have cost each of them. KOSHU_ERROR_OUT_OF_MEMORY, without a
 * message. */
koshu_status koshu_fmm_finish_leaf(const struct koshu_fmm_down *down,
                                   struct koshu_fmm_worker *w, uint32_t leaf,
                                   double work);

/* ---- fmm_curl.c ---------------------------------------------------------- */

/* Velocities of a leaf's particles from the fields of three right-hand sides,
 * in the caller's units. */
void koshu_fmm_scatter_curl(const struct koshu_fmm_down *down, uint32_t leaf,
                            const double *sums);

/* ---- fmm_soften.c -------------------------------------------------------- */

/* Expansions of the difference that err by less than those of 1 / r.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_prepare_softening(struct koshu_fmm *fmm);

/* For sums with this softening. */
void koshu_fmm_set_softening(struct koshu_fmm *fmm, double eps);

/* Of its expansion, at most, as target or as source; 0: it needs none. A
 * child's is not smaller than its parent's. */
int koshu_fmm_soft_order(const struct koshu_fmm *fmm,
                         const struct koshu_fmm_cells *cells, uint32_t cell);

/* To a cell's multipoles; of its local expansion, to its children's; and to its
 * particles. */
void koshu_fmm_soften_up(const struct koshu_fmm *fmm, uint32_t cell);
void koshu_fmm_soften_children(const struct koshu_fmm *fmm,
                               const struct koshu_fmm_cells *targets,
                               uint32_t cell);
void koshu_fmm_soften_leaf(const struct koshu_fmm *fmm,
                           const struct koshu_fmm_cells *targets, uint32_t leaf,
                           double *const *to);

/* Softening of the far cells in the worker's lists, to the target's local
 * expansion. KOSHU_ERROR_OUT_OF_MEMORY, without a message. */
koshu_status koshu_fmm_soften(const struct koshu_fmm_down *down,
                              struct koshu_fmm_worker *w, uint32_t target);

/* ---- fmm_strengths.c ----------------------------------------------------- */

/* The points' charges, for the cells of a side; whole: of which they are a
 * part. KOSHU_ERROR_NOT_FINITE, which names the point;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_take_strengths(struct koshu_fmm_side *side,
                         const struct koshu_fmm_whole *whole,
                         const struct koshu_laplace_points *points);

/* ---- fmm_box.c ----------------------------------------------------------- */

/* Points that are in the box, their places in memory of the side's.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_wrap(const struct koshu_fmm *fmm,
                            struct koshu_fmm_side *side,
                            struct koshu_laplace_points *points);

/* What the images do that are no cells, and the background: of the sums of all
 * sources. */
void koshu_fmm_box_field_of(const struct koshu_fmm *fmm, double eps,
                            const struct koshu_fmm_root *root,
                            struct koshu_fmm_box_field *field);

/* The same to the local expansion of the box, and the background; of one
 * right-hand side, the sums of whose sources they are.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
void koshu_fmm_sum_root(const struct koshu_fmm *fmm, size_t rhs,
                        struct koshu_fmm_root *root);
koshu_status koshu_fmm_reserve_background(struct koshu_fmm *fmm, size_t n_rhs);
void koshu_fmm_add_lattice(struct koshu_fmm *fmm, double eps, size_t rhs,
                           const struct koshu_fmm_root *root,
                           const struct koshu_fmm_side *targets);

/* What children's local expansions, of numbers of `real` bytes, have of the
 * background about their parent's centre: what is left is about their own. */
void koshu_fmm_shift_background(const struct koshu_fmm *fmm,
                                const struct koshu_fmm_cells *to, size_t real,
                                uint32_t parent);

/* That of a leaf, to fields as koshu_fmm_kernels.l2p() writes them. */
void koshu_fmm_add_background(const struct koshu_fmm *fmm,
                              const struct koshu_fmm_cells *to, uint32_t leaf,
                              size_t rhs, const struct koshu_force_targets *i,
                              double *const *field);

/* Of a Hessian: 4 pi times the charge of the background per volume. */
double koshu_fmm_trace(const struct koshu_fmm *fmm, size_t rhs);

/* ---- fmm_top.c ----------------------------------------------------------- */

/* In a periodic box, once all cells have their multipoles: those of the
 * largest. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_top_up(struct koshu_fmm *fmm, struct koshu_fmm_side *targets);

/* The local expansion of the box becomes 0. */
void koshu_fmm_top_clear(const struct koshu_fmm_side *targets);

/* What n far entries of the sources, which change places, add to the local
 * expansion of one of them. */
void koshu_fmm_top_far(const struct koshu_fmm *fmm,
                       const struct koshu_fmm_side *sources,
                       const struct koshu_fmm_side *targets, uint32_t cell,
                       size_t n, uint32_t *entry);

/* Its children's local expansions, or of a leaf its own, where all cells have
 * theirs. */
void koshu_fmm_top_give(const struct koshu_fmm *fmm,
                        const struct koshu_fmm_side *targets, uint32_t cell);

/* ---- fmm.c --------------------------------------------------------------- */

/* What a report begins as. */
void koshu_fmm_start_report(struct koshu_fmm *fmm);

/* Points so far from their middle: KOSHU_ERROR_NOT_FINITE. */
koshu_status koshu_fmm_check_half(struct koshu_context *context, double half);

/* In a periodic box, of one side: KOSHU_ERROR_UNSUPPORTED. */
koshu_status koshu_fmm_check_cells(const struct koshu_fmm *fmm, size_t cells);

/* Trees of both sides (targets: NULL, those are the sources), and charges.
 * Errors as of koshu_fmm_sums(). */
koshu_status koshu_fmm_make_trees(struct koshu_fmm *fmm,
                                  const struct koshu_laplace_points *sources,
                                  const struct koshu_laplace_points *targets);
/* Multipoles of all source cells; in a box, in double precision of the largest.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_rise(struct koshu_fmm *fmm, double eps,
                            struct koshu_fmm_side *targets);

/* ---- fmm_engine.c -------------------------------------------------------- */

/* As koshu_fmm_create(); close: also where there is no engine. */
koshu_status koshu_fmm_engine_open(struct koshu_fmm *fmm);
void koshu_fmm_engine_close(struct koshu_fmm *fmm);

/* A task as the engine is to have it; and what its evaluation took, to the
 * FMM's report. */
struct koshu_force_task
koshu_fmm_engine_task(const struct koshu_fmm *fmm,
                      const struct koshu_force_task *task);
void koshu_fmm_engine_take_report(struct koshu_fmm *fmm,
                                  const struct koshu_fmm_engine_report *last);

/* As koshu_fmm_laplace(), and on a store, after koshu_fmm_start_report(). */
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
