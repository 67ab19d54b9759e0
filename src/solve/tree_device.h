/* SPDX-License-Identifier: MIT */
/* The tree of a domain where the backend makes and walks it by itself: parts of
 * it go to other ranks, and theirs are walked (backend/tree_parts.h). */
#ifndef KOSHU_SOLVE_TREE_DEVICE_H
#define KOSHU_SOLVE_TREE_DEVICE_H

#include "backend/backend.h"
#include "solve/domains.h"
#include "solve/imports.h"

struct koshu_treecode;

/* Begun as {0} but for the treecode. */
struct koshu_tree_device {
    struct koshu_imports imports;
    struct koshu_treecode *treecode;                    /* it has an engine */
    struct koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS]; /* of its groups */
    size_t n_bounds;
    struct koshu_tree_part *part; /* that came from each rank */
    size_t capacity_part;
};

/* The tree of a domain, which may be empty. KOSHU_ERROR_OUT_OF_MEMORY; those of
 * the engine's forces(). */
koshu_status koshu_tree_device_make(struct koshu_tree_device *device,
                                    const struct koshu_force_task *task,
                                    const struct koshu_outline *all,
                                    struct koshu_particles *here);

/* Its parts begin to go to the others. Collective. As of
 * koshu_imports_start(). */
koshu_status koshu_tree_device_start_imports(struct koshu_tree_device *device);

/* The sums over the tree, begun; then those over the parts that have come: all
 * of them, with the work, are in the store then. */
koshu_status koshu_tree_device_walk(struct koshu_tree_device *device);
bool koshu_tree_device_is_walking(const struct koshu_tree_device *device);
koshu_status koshu_tree_device_finish(struct koshu_tree_device *device,
                                      struct koshu_tree_report *report);

/* Cells and particles that came. */
uint64_t koshu_tree_device_imported(const struct koshu_tree_device *device);

void koshu_tree_device_free(struct koshu_tree_device *device);

#endif
