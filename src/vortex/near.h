/* SPDX-License-Identifier: MIT */
/* Sums over the particles within a radius of a target; for src/vortex only. */
#ifndef KOSHU_VORTEX_NEAR_H
#define KOSHU_VORTEX_NEAR_H

#include "backend/backend.h"
#include "vortex/vortex.h"

/* Particles in the order of cells, so that those of a row of cells stand one
 * behind the other. */
struct koshu_near {
    struct koshu_context *context;
    double radius, box; /* box: 0: free space */
    double origin[3], edge[3];
    long m[3], reach[3]; /* cells; those on each side of a target's */
    uint32_t *first;     /* of each cell, and the end */
    double *x[3], *strength[3];
};

KOSHU_MUST_CHECK koshu_status
koshu_near_create(const struct koshu_vortices *vortices, double radius,
                  struct koshu_near *near);
void koshu_near_free(struct koshu_near *near);

/* Adds what the particles first ... end - 1 give a target at x, which is moved
 * to where their image is. */
typedef void koshu_near_add(const struct koshu_near *near, const void *argument,
                            size_t first, size_t end, const double x[3],
                            double *sum);

/*
 * n_sums sums at each of n_i targets, 3 n_i numbers, added to to[k n_i + i].
 */
enum { KOSHU_NEAR_SUMS = 12 };
struct koshu_near_targets {
    size_t n;
    const double *x;
    int n_sums;
    double *to;
};
void koshu_near_sum(const struct koshu_near *near,
                    const struct koshu_near_targets *targets,
                    koshu_near_add *add, const void *argument);

/* The same by many rows at once. */
typedef void koshu_near_add_rows(const struct koshu_near *near,
                                 const void *argument, size_t n,
                                 const struct koshu_fmm_row *row, double *sum);
void koshu_near_sum_rows(const struct koshu_near *near,
                         const struct koshu_near_targets *targets,
                         koshu_near_add_rows *add, const void *argument);

/* ---- coincide.c ------------------------------------------------------------
 */

/* Targets that are nearer than 1e-4 core radii to a particle move there, where
 * sums are good: their velocities so err by 1e-4 of what these change by in a
 * core radius. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_coincide(
        const struct koshu_vortices *vortices, size_t n, double *target);

/* ---- boys.c ----------------------------------------------------------------
 */

/*
 * Values at s = r^2 / (2 sigma^2), from 0 to the end of the table, of
 * coefficients of cubics: what g of Hamada09 eq. 2 makes of 1 / r^3 and of its
 * derivative, with F_m Boys' functions (Boys 1950), and P(s) of the core's
 * order (kernels/vortex_core.h):
 *
 *     sigma^3 g / r^3                = c (F_1 + exp(-s) P / 2)
 *     sigma^5 (1 / r) d/dr (g / r^3) = - c (F_2 + exp(-s) (P - P') / 2)
 *
 * with c = (2 / pi)^(1/2).
 *
 * Error: 1e-8.
 */
enum { KOSHU_TABLE_STEPS = 16, KOSHU_TABLE_END = 40 };
enum { KOSHU_TABLE_VALUE, KOSHU_TABLE_SLOPE, KOSHU_TABLE_FUNCTIONS };
struct koshu_core_table {
    double p[KOSHU_VORTEX_CORE_P];
    double c[KOSHU_TABLE_STEPS * KOSHU_TABLE_END][KOSHU_TABLE_FUNCTIONS][4];
};
void koshu_core_table_make(const double p[KOSHU_VORTEX_CORE_P],
                           struct koshu_core_table *table);

/* s below KOSHU_TABLE_END. */
static inline double
koshu_core_look_up(const double c[4], double t)
{
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/* F_m(s). */
double koshu_boys(int m, double s);

#endif
