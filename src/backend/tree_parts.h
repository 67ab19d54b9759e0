/* SPDX-License-Identifier: MIT */
/*
 * Trees in the backends of several ranks, each of the particles of a domain.
 * What the groups of a rank ask of another's tree goes there (parts.h): cells
 * down to those that act as a whole on all of these groups, with their moments,
 * and the particles of leaves.
 */
#ifndef KOSHU_BACKEND_TREE_PARTS_H
#define KOSHU_BACKEND_TREE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/parts.h"
#include "backend/tree.h"
#include "tree/tree.h"

/* Of the particles of all ranks: units and criterion follow from these. */
struct koshu_tree_common {
    double side;                     /* of the box that they fill, which is */
    struct koshu_tree_extent extent; /* the root cell of each rank's tree */
    double largest_mass, least_mass; /* |m|; the least that is not 0 */
    uint64_t n;
    bool has_accelerations; /* false: the criterion is the geometric one */
};

/* A target of parts: a box that holds groups, and the largest of their factors
 * (alpha a)^(-1 / (p
 * + 2)); 0: the geometric criterion. */
struct koshu_tree_bounds {
    double low[3], high[3], factor;
};
enum { KOSHU_TREE_BOUNDS = 512 };

/* Seconds of a device: between its tree and the sums over it, in which it cuts
 * parts; and between those and the sums over what came. */
struct koshu_tree_exposed {
    double cut, wait;
};

/*
 * To be called in this order by all ranks, each whatever the others' numbers
 * are. Errors are those of forces() in struct koshu_tree_ops. From start() to
 * finish(), and after a failure, accelerations and potentials of the store are
 * undefined.
 */
struct koshu_tree_parts_ops {
    /* What it has for other ranks, at any time. KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*arrays)(struct koshu_tree_engine *engine,
                           struct koshu_device_arrays **arrays);
    const struct koshu_part_ops *parts;

    /* The tree of a store, which may have no particles. Options and fields: as
     * of forces(). */
    koshu_status (*start)(struct koshu_tree_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_tree_options *options,
                          const struct koshu_tree_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* Of its groups. Waits. Then parts are cut. */
    koshu_status (*bounds)(struct koshu_tree_engine *engine, size_t *n,
                           struct koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS]);
    /* The sums over the tree itself: starts them; parts come meanwhile. */
    koshu_status (*walk)(struct koshu_tree_engine *engine);
    /* Those over what has come by then. */
    koshu_status (*add)(struct koshu_tree_engine *engine);
    /* Its interactions are the work of each particle of the store, on the
     * device. Waits. */
    koshu_status (*finish)(struct koshu_tree_engine *engine,
                           struct koshu_tree_report *report,
                           struct koshu_tree_exposed *exposed);
};

#endif
