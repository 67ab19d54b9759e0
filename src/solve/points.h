/* SPDX-License-Identifier: MIT */
/* Checks points, charges and arrays for results. */
#ifndef KOSHU_SOLVE_POINTS_H
#define KOSHU_SOLVE_POINTS_H

#include <stdbool.h>

#include <koshu/laplace.h>

/* Complete copies of the caller's structs; targets are the sources if none were
 * given. */
struct koshu_laplace_sets {
    struct koshu_laplace_points sources, targets;
    struct koshu_laplace_result result;
};

/* KOSHU_ERROR_INVALID_ARGUMENT: a required pointer is NULL (targets may be), a
 * size is not set, n_rhs is out of range; KOSHU_ERROR_UNSUPPORTED: a struct
 * comes from a later koshu. */
koshu_status koshu_read_points(struct koshu_context *context,
                               const struct koshu_laplace_points *sources,
                               const struct koshu_laplace_points *targets,
                               const struct koshu_laplace_result *result,
                               struct koshu_laplace_sets *sets);

/* KOSHU_ERROR_INVALID_ARGUMENT: of the n components of `name`, some are given
 * and some not. */
koshu_status koshu_check_all_or_none(struct koshu_context *context, size_t n,
                                     const double *const *component,
                                     const char *name);

/* KOSHU_ERROR_NOT_FINITE: a position, or a charge or dipole of a source, is
 * infinite or NaN. */
koshu_status koshu_check_finite(struct koshu_context *context,
                                const struct koshu_laplace_points *points,
                                bool sources);

#endif
