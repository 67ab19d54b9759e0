/* SPDX-License-Identifier: MIT */
/* The FMM over several ranks: domains, essential trees, and sums. */
#ifndef KOSHU_SOLVE_FMM_RANKS_H
#define KOSHU_SOLVE_FMM_RANKS_H

#include <koshu/solver.h>

#include "solve/fmm_sides.h"

/* Makes koshu_fmm_forces_store() work on the particles of all ranks.
 * Collective. KOSHU_ERROR_UNSUPPORTED: the backend has an engine that does not
 * work over ranks, or only some ranks have one; the requested transport between
 * devices cannot be used. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_ranks_create(struct koshu_fmm *fmm, enum koshu_transport transport);
/* Destroys what that has created, before the FMM itself; NULL is allowed. */
void koshu_fmm_ranks_destroy(struct koshu_fmm *fmm);

/*
 * Accelerations and, where requested, potentials of the particles of all ranks.
 * Domains are chosen by the work of the last forces, which is replaced by that
 * of these. Each particle is on the rank that owns it, and results stay there
 * until the store needs them. Results are bitwise the same for the same number
 * of ranks and the same preceding calls. Collective. Errors as of
 * koshu_fmm_sums().
 */
koshu_status koshu_fmm_ranks_forces(struct koshu_fmm *fmm,
                                    const struct koshu_force_task *task,
                                    struct koshu_particles *particles,
                                    unsigned fields);

/* ---- fmm_roots.c: periodic boxes ----------------------------------------- */

/* Adds up the sources of all ranks from those of this one, unless `status` is a
 * failure. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_sum_roots(const struct koshu_fmm *fmm,
                                 koshu_status status,
                                 const struct koshu_fmm_root *mine,
                                 struct koshu_fmm_root *all);

/* ---- fmm_ranks_box.c ----------------------------------------------------- */

/* Adds the lattice (koshu_fmm_add_lattice()) of the sources of all ranks to the
 * local expansions of this one, which may have no particles. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_add_lattice_of_all(struct koshu_fmm *fmm, double eps);

/*
 * koshu_fmm_sums() on the n j-particles of this rank, by the images that are
 * not cells of the particles of all ranks (options.beyond); mass: all |m| of
 * all ranks. Collective.
 */
koshu_status koshu_fmm_sums_beyond(struct koshu_fmm *fmm,
                                   const struct koshu_force_task *task,
                                   double mass,
                                   const struct koshu_force_sources *j,
                                   const struct koshu_force_sums *result);

/* ---- fmm_ranks.c --------------------------------------------------------- */

/* Turns the report of these forces, of this rank's domain so far, into that of
 * all ranks. Collective. */
koshu_status
koshu_fmm_ranks_report(struct koshu_fmm *fmm, struct koshu_tree_report *report);

#endif
