/* SPDX-License-Identifier: MIT */
/* koshu bench tree: shared by its three measurements. */
#ifndef KOSHU_BENCH_CASES_TREE_H
#define KOSHU_BENCH_CASES_TREE_H

#include <koshu/solver.h>
#include <koshu/tree.h>

#include "bench/bench.h"

struct tree_options {
    struct bench_options base;
    struct koshu_tree_options tree; /* with the first value of each list */
    struct count_list n_crit;
    struct number_list theta, alpha;
    struct number_list accuracy; /* of theta and alpha, the one that is used */
    struct tree_order {
        enum koshu_multipole_order value;
        bool given;
    } order;
    double dt;    /* for --table */
    bool compare; /* --compare */
};

/* The solver options for this tree. */
struct koshu_solver_options
tree_solver_options(const struct bench *b,
                    const struct koshu_tree_options *tree);

/* For each N, accuracy and n_crit: seconds of each stage, errors. */
extern const struct bench_table tree_forces;

/* --table hamada10-7: the stages only, and their figure. */
extern const struct bench_table tree_stages;
koshu_status tree_stages_draw(struct bench *b);

/* --table belleman08-7: a Plummer sphere over one time unit by tree and
 * leapfrog, compared with Belleman08 Tables 7 and 8. */
extern const struct bench_table tree_time_unit;

/*
 * --compare: the schemes of Hamada09 Fig. 3, and the solver, in which each
 * thread sums the lists that it makes, or a device sums lists of the host or
 * its own. With a device, the CPU is measured too.
 */
koshu_status tree_compare(struct bench *b);

/* ---- the schemes of Hamada09 Fig. 3 ------------------------------------- */

struct tree_schemes;

enum tree_scheme { TREE_I_PARALLEL, TREE_J_PARALLEL, TREE_WALKS, TREE_SCHEMES };

/* Lists of a tree of monopoles with the geometric criterion; direct: a single
 * list of all particles. The caller frees them, whatever the status. */
koshu_status tree_schemes_make(struct koshu_context *context,
                               const struct koshu_tree_options *options,
                               double eps, bool direct,
                               struct koshu_particles *particles,
                               struct tree_schemes **schemes);
void tree_schemes_free(struct tree_schemes *schemes);

struct tree_scheme_time {
    double seconds, lists, sums, interactions;
};

/* The fastest of the repeats. */
koshu_status tree_schemes_time(struct tree_schemes *schemes,
                               enum tree_scheme scheme, size_t repeats,
                               struct tree_scheme_time *best);

#endif
