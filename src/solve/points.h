/* SPDX-License-Identifier: MIT */
/* What is wrong with points, charges and arrays for results. */
#ifndef KOSHU_SOLVE_POINTS_H
#define KOSHU_SOLVE_POINTS_H

#include <stdbool.h>

#include <koshu/laplace.h>

/* KOSHU_ERROR_INVALID_ARGUMENT: a pointer that is needed is NULL; targets may
 * be. */
koshu_status koshu_check_points(struct koshu_context *context,
                                const struct koshu_laplace_points *sources,
                                const struct koshu_laplace_points *targets,
                                const struct koshu_laplace_result *result);

/* KOSHU_ERROR_NOT_FINITE: a position, or where they count a charge, is infinite
 * or NaN. */
koshu_status koshu_check_finite(struct koshu_context *context,
                                const struct koshu_laplace_points *points,
                                bool charges);

#endif
