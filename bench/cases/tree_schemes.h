/* SPDX-License-Identifier: MIT */
/* The schemes of Hamada09 Fig. 3, in koshu bench tree --compare. */
#ifndef KOSHU_BENCH_CASES_TREE_SCHEMES_H
#define KOSHU_BENCH_CASES_TREE_SCHEMES_H

#include <koshu/particles.h>
#include <koshu/solver.h>

struct koshu_backend;
struct tree_schemes;

enum tree_scheme { TREE_I_PARALLEL, TREE_J_PARALLEL, TREE_WALKS, TREE_SCHEMES };

const char *tree_scheme_name(enum tree_scheme scheme);

/* Many walks at once are the solver's affair, where a device sums them. */
bool tree_scheme_is_there(const struct koshu_backend *backend,
                          enum tree_scheme scheme);

/* The lists of a tree of monopoles, geometric criterion; or one walk of all
 * particles on each other, which has no walks to do at once. The caller frees
 * them, whatever the status. */
koshu_status tree_schemes_of_tree(struct koshu_context *context,
                                  const struct koshu_tree_options *options,
                                  double eps, struct koshu_particles *particles,
                                  struct tree_schemes **schemes);
koshu_status tree_schemes_of_all(struct koshu_context *context, double eps,
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
