/* SPDX-License-Identifier: MIT */
/* Options of koshu bench tree as those of a solver. */
#include "bench/cases/tree.h"

struct koshu_tree_options
tree_options_of(const struct tree_options *o)
{
    struct koshu_tree_options tree = koshu_tree_options_default();
    tree.multipole_order = o->order.value;
    tree.opening_criterion = o->criterion;
    tree.space_filling_curve = o->curve;
    tree.traversal = o->traversal;
    tree.theta = o->theta.value[0];
    tree.alpha = o->alpha.value[0];
    tree.n_crit = o->n_crit.value[0];
    tree.n_leaf = o->n_leaf;
    return tree;
}

struct koshu_solver_options
tree_solver_options(const struct bench *b,
                    const struct koshu_tree_options *tree)
{
    struct koshu_solver_options solver = bench_solver_options(b);
    solver.method = KOSHU_METHOD_TREE;
    solver.tree = tree;
    return solver;
}
