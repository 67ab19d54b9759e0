/* SPDX-License-Identifier: MIT */
/* Sends essential trees to the other ranks, and receives theirs as a forest. */
#ifndef KOSHU_SOLVE_TREE_IMPORTS_H
#define KOSHU_SOLVE_TREE_IMPORTS_H

#include "solve/imports.h"
#include "tree/tree.h"

/* Initialised as {0}. */
struct koshu_tree_imports {
    struct koshu_imports all;
    struct koshu_forest forest; /* all received trees; may have no cells */
    const struct koshu_tree *tree;
    const struct koshu_groups *groups;
    const double *a;
};

/* koshu_imports_start() for the tree; a[]: the accelerations with which its
 * groups walk. */
koshu_status koshu_tree_imports_start(struct koshu_tree_imports *imports,
                                      const struct koshu_tree *tree,
                                      const struct koshu_groups *groups,
                                      const double *a);
/* Waits until all trees have arrived, and makes the forest. */
koshu_status koshu_tree_imports_wait(struct koshu_tree_imports *imports);
void koshu_tree_imports_free(struct koshu_tree_imports *imports);

#endif
