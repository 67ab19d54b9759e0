/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_SOLVE_SOLVE_H
#define KOSHU_SOLVE_SOLVE_H

#include <koshu/solver.h>

/* KOSHU_ERROR_INVALID_ARGUMENT where eps is negative or not finite. */
koshu_status koshu_check_softening(struct koshu_context *context, double eps);

/* KOSHU_ERROR_INVALID_ARGUMENT where it is none of the enum's. */
koshu_status koshu_check_precision(struct koshu_context *context,
                                   enum koshu_precision precision);

/* Is there a tree, and do particles stay on a device that makes it? */
bool koshu_solver_tree_on_device(const struct koshu_solver *solver);

/* What the public functions write, without a check of NULL; the options last as
 * long as the solver. */
const struct koshu_solver_options *
koshu_solver_own_options(const struct koshu_solver *solver);
struct koshu_solver_report koshu_solver_work(const struct koshu_solver *solver);
struct koshu_tree_report
koshu_solver_tree_last(const struct koshu_solver *solver);
struct koshu_tree_report
koshu_solver_tree_all(const struct koshu_solver *solver);

/* koshu_solver_tree_errors(); unless `list_length`, the barnes_hut_length stays
 * as it is: it takes a tree of the host. */
koshu_status koshu_solver_tree_errors_of(struct koshu_solver *solver,
                                         struct koshu_particles *particles,
                                         size_t sample, bool list_length,
                                         struct koshu_tree_errors *errors);

/* ---- tree_report.c ------------------------------------------------------- */

/* The report of another evaluation into that of all; what is of the last alone
 * replaces what was. */
void koshu_tree_report_add(struct koshu_tree_report *total,
                           const struct koshu_tree_report *last);

/* What has been counted since `before`. */
struct koshu_tree_report
koshu_tree_report_since(const struct koshu_tree_report *total,
                        const struct koshu_tree_report *before);

/* Of all stages. */
double koshu_tree_report_seconds(const struct koshu_tree_report *report);

#endif
