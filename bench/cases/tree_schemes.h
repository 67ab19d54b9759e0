/* SPDX-License-Identifier: MIT */
/* The schemes of Hamada09 Fig. 3, in koshu bench tree --compare. */
#ifndef KOSHU_BENCH_CASES_TREE_SCHEMES_H
#define KOSHU_BENCH_CASES_TREE_SCHEMES_H

#include <stdbool.h>

#include <koshu/particles.h>
#include <koshu/tree.h>

struct tree_schemes;

enum tree_scheme { TREE_I_PARALLEL, TREE_J_PARALLEL, TREE_WALKS, TREE_SCHEMES };

/* The lists of a tree of monopoles, geometric criterion; direct: one list, of
 * all particles. The caller frees them, whatever the status. */
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
