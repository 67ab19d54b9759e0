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

struct koshu_device_arrays;
struct koshu_traffic_ops;

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
enum { KOSHU_TREE_BOUNDS = 512 };

/* Of a rank's tree, what another asks of it. */
struct koshu_tree_part {
    size_t n_cells, n_particles;
    size_t levels; /* of its tree */
};

/* Where such a part lies among all that come to a rank, and how much of it
 * fits there: in arrays of so many cells and particles. */
struct koshu_tree_window {
    uint64_t all_cells, all_particles;
    uint64_t first_cell, n_cells, first_particle, n_particles;
};

/* The arrays that other ranks' devices read or write (devices/traffic.h), and
 * the marks of the peer transport. */
enum koshu_tree_array {
    KOSHU_TREE_GO,  /* parts for others */
    KOSHU_TREE_COME /* theirs */
};
enum koshu_tree_mark {
    KOSHU_TREE_SENT,  /* parts for others are in their arrays */
    KOSHU_TREE_WALKED /* it needs what is in its own no more */
};

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
    size_t cell_bytes, particle_bytes; /* of one in a part */

    /* The tree of a store, which may have no particles. Options and fields: as
     * of forces(). */
    koshu_status (*start)(struct koshu_tree_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_tree_options *options,
                          const struct koshu_tree_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* Of its groups. Waits. */
    koshu_status (*bounds)(struct koshu_tree_engine *engine, size_t *n,
                           struct koshu_tree_bounds bounds[KOSHU_TREE_BOUNDS]);

    /* At any time. KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*arrays)(struct koshu_tree_engine *engine,
                           struct koshu_device_arrays **arrays);
    const struct koshu_traffic_ops *traffic;
    /* Memory for what comes of each rank, and where what goes to each lies
     * there. What was there is lost; others have no access to it. */
    koshu_status (*reserve)(struct koshu_tree_engine *engine,
                            const struct koshu_tree_window *come,
                            const struct koshu_tree_window *go);

    /* What groups in any of n bounds, of that rank, ask of the tree: to its
     * window, if it fits. Then parts have been cut, and may go. */
    koshu_status (*cut)(struct koshu_tree_engine *engine, size_t rank, size_t n,
                        const struct koshu_tree_bounds *bounds);
    koshu_status (*send)(struct koshu_tree_engine *engine);
    /* The sums over the tree itself: starts them. */
    koshu_status (*walk)(struct koshu_tree_engine *engine);
    /* The numbers of all parts that were cut, which are 0 where nothing was;
     * waits. reserve(), cut(), send() and this again, where one did not fit.
     * Then the numbers of those that come of each rank. */
    koshu_status (*parts)(struct koshu_tree_engine *engine,
                          struct koshu_tree_part *parts);
    koshu_status (*expect)(struct koshu_tree_engine *engine,
                           const struct koshu_tree_part *come);
    /* Those over what has come by then. */
    koshu_status (*add)(struct koshu_tree_engine *engine);
    /* Its interactions are the work of each particle of the store, on the
     * device. Waits. */
    koshu_status (*finish)(struct koshu_tree_engine *engine,
                           struct koshu_tree_report *report,
                           struct koshu_tree_exposed *exposed);
};

#endif
