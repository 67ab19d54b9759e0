/* SPDX-License-Identifier: MIT */
/* Sums over the particles within a given radius of a target. Internal to
 * src/vortex. */
#ifndef KOSHU_VORTEX_NEAR_H
#define KOSHU_VORTEX_NEAR_H

#include "backend/backend.h"
#include "kernels/core_table.h"
#include "vortex/vortex.h"

/* Particles sorted by cell, so that a row of cells is contiguous. */
struct koshu_near {
    struct koshu_context *context;
    double radius, box; /* box: 0 in free space */
    double origin[3], edge[3];
    long m[3];       /* cells */
    uint32_t *first; /* index of each cell's first particle, and the end */
    double *x[3], *strength[3];
};

KOSHU_MUST_CHECK koshu_status
koshu_near_create(const struct koshu_vortices *vortices, double radius,
                  struct koshu_near *near);
void koshu_near_free(struct koshu_near *near);

/* Adds to sums what the particles of rows contribute at a target; core and
 * table of rows are NULL. */
typedef void koshu_near_add(const struct koshu_fmm_rows *rows,
                            const void *argument, double *sums);

/*
 * Adds n_sums sums at each of n targets, sum k of target i to to[k n + i].
 * Positions are 3 n numbers, x first.
 */
enum { KOSHU_NEAR_SUMS = 12 };
struct koshu_near_targets {
    size_t n;
    const double *x;
    int n_sums;
    double *to;
    int first; /* which of the sums that add() makes is the first */
};
void koshu_near_sum(const struct koshu_near *near,
                    const struct koshu_near_targets *targets,
                    koshu_near_add *add, const void *argument);

/* ---- coincide.c --------------------------------------------------------- */

/* Moves each target closer than 1e-4 core radii to a particle onto that
 * particle, where the sums are accurate. Its velocity then errs by 1e-4 of how
 * much the velocity changes over a core radius. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_coincide(
        const struct koshu_vortices *vortices, size_t n, double *target);

/* ---- boys.c ------------------------------------------------------------- */

/* The table of a core with that P. */
void koshu_core_table_make(const double p[VORTEX_CORE_TERMS],
                           struct koshu_core_table *table);

/* The Boys function F_m(s). */
double koshu_boys(int m, double s);

#endif
