/* SPDX-License-Identifier: MIT */
/* koshu bench scaling --method tree, fmm: what is measured. */
#ifndef KOSHU_BENCH_CASES_SCALING_TREE_H
#define KOSHU_BENCH_CASES_SCALING_TREE_H

#include "app/tree_costs.h"
#include "bench/cases/scaling.h"

/* Forces of n particles that were timed. */
struct scaling_forces {
    size_t n;                   /* 0: not measured */
    struct bench_timing timing; /* until the last rank has them */
    /* Sums of so many ranks' reports, of the fastest forces of each. */
    size_t reports;
    struct koshu_tree_report report;
};

/* In turns, so that what else a machine does slows all of them alike. */
struct scaling_step {
    int ranks;
    size_t n;
    struct scaling_forces all;   /* of the ranks together */
    struct scaling_forces each;  /* of n / ranks, on each rank by itself */
    struct scaling_forces alone; /* of all n, on the first rank by itself */
    struct bench_errors errors;  /* of `all`, where they were taken */
    double share; /* of the processors of a rank that it had, the least */
};

/* Collective: n particles on all ranks of b->context. */
koshu_status
scaling_step_time(const struct bench *b, size_t n, struct scaling_step *step);

/* Seconds of a rank, and counts of all. */
struct koshu_tree_report scaling_mean(const struct scaling_forces *forces);
/* Of the stages before the walk. */
double scaling_build_seconds(const struct koshu_tree_report *report);

/* On the first rank: what follows from s->step, of a tree. To predict one of
 * them: its exchange, or what one rank takes, from the others alone, where
 * there are such; NULL: from all. */
koshu_status scaling_tree_costs(const struct bench *b, const struct scaling *s,
                                const struct scaling_step *but,
                                struct tree_costs_file *file);

/* On the first rank: s->step as rows, and costs into --save. */
koshu_status scaling_trees_print(struct bench *b, const struct scaling *s);

#endif
