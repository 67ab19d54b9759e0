/* SPDX-License-Identifier: MIT */
/* Essential trees to the other ranks, and theirs as a forest. */
#ifndef KOSHU_SOLVE_TREE_IMPORTS_H
#define KOSHU_SOLVE_TREE_IMPORTS_H

#include "solve/imports.h"
#include "tree/tree.h"

/* Begun as {0}. */
struct koshu_tree_imports {
    struct koshu_imports all;
    struct koshu_forest forest; /* all that have come; may have no cells */
    const struct koshu_tree *tree;
    const struct koshu_groups *groups;
    const double *a;
};

/* koshu_imports_start() for the tree; its groups walk with a[]. */
koshu_status koshu_tree_imports_start(struct koshu_tree_imports *imports,
                                      const struct koshu_tree *tree,
                                      const struct koshu_groups *groups,
                                      const double *a);
/* Waits until all have come, and makes the forest. */
koshu_status koshu_tree_imports_wait(struct koshu_tree_imports *imports);
void koshu_tree_imports_free(struct koshu_tree_imports *imports);

#endif
