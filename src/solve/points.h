/* SPDX-License-Identifier: MIT */
/* What is wrong with points, charges and arrays for results. */
#ifndef KOSHU_SOLVE_POINTS_H
#define KOSHU_SOLVE_POINTS_H

#include <stdbool.h>

#include <koshu/laplace.h>

/* The caller's structs, in full; targets: the sources where there are none. */
struct koshu_laplace_sets {
    struct koshu_laplace_points sources, targets;
    struct koshu_laplace_result result;
};

/* KOSHU_ERROR_INVALID_ARGUMENT: a pointer that is needed is NULL (targets may
 * be), a size is not set, n_rhs is out of its range; KOSHU_ERROR_UNSUPPORTED: a
 * struct is of a later koshu. */
koshu_status koshu_read_points(struct koshu_context *context,
                               const struct koshu_laplace_points *sources,
                               const struct koshu_laplace_points *targets,
                               const struct koshu_laplace_result *result,
                               struct koshu_laplace_sets *sets);

/* Of n components, those of `name`, all are given or none:
 * KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status koshu_check_all_or_none(struct koshu_context *context, size_t n,
                                     const double *const *component,
                                     const char *name);

/* KOSHU_ERROR_NOT_FINITE: a position, or of sources a charge or a dipole, is
 * infinite or NaN. */
koshu_status koshu_check_finite(struct koshu_context *context,
                                const struct koshu_laplace_points *points,
                                bool sources);

#endif
