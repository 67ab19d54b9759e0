/* SPDX-License-Identifier: MIT */
/* An FMM over several ranks: domains, essential trees, and sums. */
#ifndef KOSHU_SOLVE_FMM_RANKS_H
#define KOSHU_SOLVE_FMM_RANKS_H

#include <koshu/solver.h>

#include "solve/fmm_sides.h"

/* koshu_fmm_forces_store() becomes that of the particles of all ranks.
 * Collective. KOSHU_ERROR_UNSUPPORTED: backends that do it all by themselves,
 * but not over ranks, or on some of the ranks alone; a transport between their
 * devices that cannot be used. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_fmm_ranks_create(struct koshu_fmm *fmm, enum koshu_transport transport);
/* What that has made, before the FMM itself; NULL is allowed. */
void koshu_fmm_ranks_destroy(struct koshu_fmm *fmm);

/*
 * Accelerations and, where requested, potentials of the particles of all ranks,
 * each on the rank that owns it, by the work of the last forces, which becomes
 * that of these; there they stay, until the store is to have them. The same
 * bits for the same number of ranks and the same calls before. Collective.
 * Errors as of koshu_fmm_sums().
 */
koshu_status koshu_fmm_ranks_forces(struct koshu_fmm *fmm,
                                    const struct koshu_force_task *task,
                                    struct koshu_particles *particles,
                                    unsigned fields);

/* ---- fmm_roots.c: periodic boxes ----------------------------------------- */

/* All sources of all ranks, from those of this one, unless making them has
 * failed. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_sum_roots(const struct koshu_fmm *fmm,
                                 koshu_status status,
                                 const struct koshu_fmm_root *mine,
                                 struct koshu_fmm_root *all);

/* ---- fmm_ranks_box.c ----------------------------------------------------- */

/* koshu_fmm_add_lattice() of the sources of all ranks, to those of this one,
 * which may be none. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_add_lattice_of_all(struct koshu_fmm *fmm, double eps);

/*
 * koshu_fmm_sums() on the n j-particles of this rank by those of all, of an FMM
 * by images that are no cells (options.beyond); mass: all |m| of all ranks.
 * Collective.
 */
koshu_status koshu_fmm_sums_beyond(struct koshu_fmm *fmm,
                                   const struct koshu_force_task *task,
                                   double mass,
                                   const struct koshu_force_sources *j,
                                   const struct koshu_force_sums *result);

/* ---- fmm_ranks.c --------------------------------------------------------- */

/* The report of these forces, of this rank's domain so far, becomes that of
 * all. Collective. */
koshu_status
koshu_fmm_ranks_report(struct koshu_fmm *fmm, struct koshu_tree_report *report);

#endif
