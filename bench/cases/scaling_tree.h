/* SPDX-License-Identifier: MIT */
/* koshu bench scaling --method tree, fmm: what is measured. */
#ifndef KOSHU_BENCH_CASES_SCALING_TREE_H
#define KOSHU_BENCH_CASES_SCALING_TREE_H

#include "app/tree_costs.h"
#include "bench/cases/scaling.h"

/* Times of the forces on n particles. */
struct scaling_forces {
    size_t n;                   /* 0: not measured */
    struct bench_timing timing; /* until the last rank has them */
    /* The sum of the reports of so many ranks, each of the rank's fastest
     * forces. */
    size_t reports;
    struct koshu_tree_report report;
};

/* A step: forces timed in turns, so that other load on the machine slows all
 * alike. */
struct scaling_step {
    int ranks;
    size_t n;
    struct scaling_forces all; /* by all ranks together */
    /* on n / ranks particles, on each rank by itself */
    struct scaling_forces each;
    struct scaling_forces alone; /* on all n, on the first rank by itself */
    struct bench_errors errors;  /* of `all`, if they were measured */
    double share; /* of its processors that a rank had, the minimum */
};

/* Times n particles on all ranks of b->context. Collective. */
koshu_status
scaling_step_time(const struct bench *b, size_t n, struct scaling_step *step);

/* Seconds of one rank, and counts of all. */
struct koshu_tree_report scaling_mean(const struct scaling_forces *forces);
/* Seconds of the stages before the walk. */
double scaling_build_seconds(const struct koshu_tree_report *report);

/* On the first rank: the costs of a tree from s->step. `but` is a step to be
 * predicted: its own exchange or one-rank times are then left out if other
 * steps have any. NULL: from all steps. */
koshu_status scaling_tree_costs(const struct bench *b, const struct scaling *s,
                                const struct scaling_step *but,
                                struct tree_costs_file *file);

/* On the first rank: prints s->step as rows, and saves costs for --save. */
koshu_status scaling_trees_print(struct bench *b, const struct scaling *s);

#endif
