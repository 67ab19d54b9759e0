/* SPDX-License-Identifier: MIT */
/*
 * Trees in the backends of several ranks, each of the particles of a domain.
 * What the groups of a rank ask of another's tree goes there as a part of it, a
 * local essential tree (Salmon 1990; Warren & Salmon 1992; Hamada10 section
 * 3.2): cells down to those that act as a whole on all of these groups, with
 * their moments, and the particles of leaves.
 */
#ifndef KOSHU_BACKEND_TREE_PARTS_H
#define KOSHU_BACKEND_TREE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/tree.h"

/* Of the particles of all ranks: units and criterion follow from these. */
struct koshu_tree_common {
    double side;                     /* of the box that they fill */
    double largest_mass, least_mass; /* |m|; the least that is not 0 */
    uint64_t n;
    bool has_accelerations; /* false: the criterion is the geometric one */
};

/* A box that holds groups, and the largest of their factors (alpha a)^(-1 / (p
 * + 2)); 0: the geometric criterion. */
struct koshu_tree_bounds {
    double low[3], high[3], factor;
};
enum { KOSHU_TREE_BOUNDS = 256 };

/* In the caller's memory: what cells and particles are is the backend's. */
struct koshu_tree_part {
    size_t n_cells, n_particles;
    size_t levels; /* of its tree */
    void *cell, *particle;
};

/*
 * To be called in this order by all ranks, each whatever the others' numbers
 * are. Errors are those of forces() in struct koshu_tree_ops. From start() to
 * finish(), and after a failure, accelerations and potentials of the store are
 * undefined.
 */
struct koshu_tree_parts_ops {
    size_t cell_bytes, particle_bytes; /* of one in a part */

    /* The tree of a store, which may have no particles. Options and fields: as
     * of forces(). Waits. */
    koshu_status (*start)(struct koshu_tree_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_tree_options *options,
                          const struct koshu_tree_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* Of its groups. */
    koshu_status (*bounds)(struct koshu_tree_engine *engine, size_t *n,
                           struct koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS]);
    /* Any number of times: the numbers of what groups in any of n bounds ask of
     * the tree; then that itself, to the part's memory. */
    koshu_status (*cut)(struct koshu_tree_engine *engine, size_t n,
                        const struct koshu_tree_bounds *bounds,
                        struct koshu_tree_part *part);
    koshu_status (*fetch)(struct koshu_tree_engine *engine,
                          const struct koshu_tree_part *part);
    /* The sums over the tree itself: starts them. Is the device at them? */
    koshu_status (*walk)(struct koshu_tree_engine *engine);
    bool (*is_walking)(const struct koshu_tree_engine *engine);
    /* Once: those over n parts of others, some of which may have no cells. */
    koshu_status (*add)(struct koshu_tree_engine *engine, size_t n,
                        const struct koshu_tree_part *parts);
    /* Its interactions are the work of each particle of the store, on the
     * device. Waits. */
    koshu_status (*finish)(struct koshu_tree_engine *engine,
                           struct koshu_tree_report *report);
};

#endif
