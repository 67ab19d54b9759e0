/* SPDX-License-Identifier: MIT */
/* Solver reports, returned by value. */
#ifndef KOSHU_TESTS_REPORTS_H
#define KOSHU_TESTS_REPORTS_H

#include <koshu/solver.h>

#include "check.h"

static inline struct koshu_tree_report
tree_report_of(const struct koshu_solver *solver)
{
    struct koshu_tree_report r = {.size = sizeof r};
    assert_int_equal(koshu_solver_tree_report(solver, &r), KOSHU_OK);
    return r;
}

static inline struct koshu_tree_report
tree_total_of(const struct koshu_solver *solver)
{
    struct koshu_tree_report r = {.size = sizeof r};
    assert_int_equal(koshu_solver_tree_total(solver, &r), KOSHU_OK);
    return r;
}

static inline uint64_t
solver_interactions(const struct koshu_solver *solver)
{
    struct koshu_solver_report r = {.size = sizeof r};
    assert_int_equal(koshu_solver_report(solver, &r), KOSHU_OK);
    return r.interactions;
}

#endif
