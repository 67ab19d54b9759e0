/* SPDX-License-Identifier: MIT */
/* Sums over the particles within a given radius of a target. Internal to
 * src/vortex. */
#ifndef KOSHU_VORTEX_NEAR_H
#define KOSHU_VORTEX_NEAR_H

#include "backend/backend.h"
#include "vortex/vortex.h"

/* Particles sorted by cell, so that a row of cells is contiguous. */
struct koshu_near {
    struct koshu_context *context;
    double radius, box; /* box: 0 in free space */
    double origin[3], edge[3];
    long m[3], reach[3]; /* cells; how many on each side are within reach */
    uint32_t *first;     /* index of each cell's first particle, and the end */
    double *x[3], *strength[3];
};

KOSHU_MUST_CHECK koshu_status
koshu_near_create(const struct koshu_vortices *vortices, double radius,
                  struct koshu_near *near);
void koshu_near_free(struct koshu_near *near);

/* Adds to sum what particles first ... end - 1 contribute at x, the target's
 * position shifted to their periodic image. */
typedef void koshu_near_add(const struct koshu_near *near, const void *argument,
                            size_t first, size_t end, const double x[3],
                            double *sum);

/*
 * Adds n_sums sums at each of n_i targets, sum k of target i to to[k n_i + i].
 * Positions are 3 n_i numbers, x first.
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

/* The same for many rows in one call. */
typedef void koshu_near_add_rows(const struct koshu_near *near,
                                 const void *argument, size_t n,
                                 const struct koshu_fmm_row *row, double *sum);
void koshu_near_sum_rows(const struct koshu_near *near,
                         const struct koshu_near_targets *targets,
                         koshu_near_add_rows *add, const void *argument);

/* ---- coincide.c --------------------------------------------------------- */

/* Moves each target closer than 1e-4 core radii to a particle onto that
 * particle, where the sums are accurate. Its velocity then errs by 1e-4 of how
 * much the velocity changes over a core radius. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_coincide(
        const struct koshu_vortices *vortices, size_t n, double *target);

/* ---- boys.c ------------------------------------------------------------- */

/*
 * A table, at s = r^2 / (2 sigma^2) from 0 to KOSHU_TABLE_END, of cubics for
 * what the core turns 1 / r^3 and its derivative into. g is Hamada09 eq. 2, F_m
 * are the Boys functions (Boys 1950), P(s) is the polynomial of the core's
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

/* The cubic c at t = 0 ... 1 of its interval; s must be below
 * KOSHU_TABLE_END. */
static inline double
koshu_core_look_up(const double c[4], double t)
{
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/* The Boys function F_m(s). */
double koshu_boys(int m, double s);

#endif
