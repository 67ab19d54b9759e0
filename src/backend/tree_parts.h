/* SPDX-License-Identifier: MIT */
/*
 * Trees of several ranks, each of the particles of one domain, in their
 * backends. The part of a rank's tree that groups of another rank need is sent
 * there (parts.h): cells, with their moments, down to those that act as a whole
 * on all of these groups, and the particles of leaves.
 */
#ifndef KOSHU_BACKEND_TREE_PARTS_H
#define KOSHU_BACKEND_TREE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/parts.h"
#include "backend/tree.h"
#include "tree/tree.h"

/* Properties of the particles of all ranks, which determine units and
 * criterion. */
struct koshu_tree_common {
    double side;                     /* of the bounding box, which is */
    struct koshu_tree_extent extent; /* the root cell of each rank's tree */
    double largest_mass, least_mass; /* |m|; the smallest nonzero one */
    uint64_t n;
    bool has_accelerations; /* false: the geometric criterion */
};

/* A target of parts: a box that holds groups, and their largest factor (alpha
 * a)^(-1 / (p + 2)); 0: the geometric criterion. */
struct koshu_tree_bounds {
    double low[3], high[3], factor;
};
enum { KOSHU_TREE_BOUNDS = 512 };

/*
 * All ranks call these functions in this order, however many particles each
 * has. Errors are those of forces() in struct koshu_tree_ops. From start() to
 * finish(), and after an error, accelerations and potentials of the store are
 * undefined.
 */
struct koshu_tree_parts_ops {
    /* The arrays that the engine exchanges with other ranks; may be called at
     * any time. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*arrays)(struct koshu_tree_engine *engine,
                           struct koshu_device_arrays **arrays);
    const struct koshu_part_ops *parts;

    /* Builds the tree of a store, which may have no particles. Options and
     * fields: as in forces(). */
    koshu_status (*start)(struct koshu_tree_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_tree_options *options,
                          const struct koshu_tree_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* The boxes of its groups. Waits. Parts are cut after this call. */
    koshu_status (*bounds)(struct koshu_tree_engine *engine, size_t *n,
                           struct koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS]);
    /* Starts the sums over the rank's own tree; parts of other ranks arrive
     * meanwhile. */
    koshu_status (*walk)(struct koshu_tree_engine *engine);
    /* Adds the sums over the parts that have arrived since. */
    koshu_status (*add)(struct koshu_tree_engine *engine);
    /* Finishes. Interactions become the work of each particle of the store, on
     * the device. Waits. */
    koshu_status (*finish)(struct koshu_tree_engine *engine,
                           struct koshu_tree_report *report,
                           struct koshu_part_exposed *exposed);
};

#endif
