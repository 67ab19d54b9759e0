/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_SOLVE_SOLVE_H
#define KOSHU_SOLVE_SOLVE_H

#include <koshu/solver.h>

/* KOSHU_INVALID_ARGUMENT where eps is negative or not finite. */
koshu_status koshu_check_softening(struct koshu_context *context, double eps);

/* KOSHU_INVALID_ARGUMENT where it is none of the enum's. */
koshu_status koshu_check_precision(struct koshu_context *context,
                                   enum koshu_precision precision);

/* The backend of a solver, for integrators that leave stages to it. */
struct koshu_backend *koshu_solver_backend_of(struct koshu_solver *solver);

#endif
