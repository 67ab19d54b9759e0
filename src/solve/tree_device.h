/* SPDX-License-Identifier: MIT */
/* The tree of a domain on a device, where the backend builds and walks it.
 * Parts of it are sent to other ranks, and parts from them are walked
 * (backend/tree_parts.h), while the device walks its own tree. */
#ifndef KOSHU_SOLVE_TREE_DEVICE_H
#define KOSHU_SOLVE_TREE_DEVICE_H

#include "backend/backend.h"

#include "solve/domains.h"
#include "solve/part_exchange.h"

struct koshu_treecode;

/* Initialised as {0} except for the treecode. */
struct koshu_tree_device {
    struct koshu_treecode *treecode; /* must have an engine */
    struct koshu_part_exchange parts;
    struct koshu_particles *here;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be used. Free
 * device->parts whatever the status. */
koshu_status koshu_tree_device_open(struct koshu_tree_device *device,
                                    enum koshu_transport transport,
                                    bool one_each);

/* Builds the tree of a domain, which may be empty. KOSHU_ERROR_OUT_OF_MEMORY;
 * statuses of the engine's forces(). */
koshu_status koshu_tree_device_make(struct koshu_tree_device *device,
                                    const struct koshu_force_task *task,
                                    const struct koshu_outline *all,
                                    struct koshu_particles *here);

/* Starts the sums over the own tree; to be called after
 * koshu_part_exchange_cut() and before koshu_part_exchange_fit() of
 * device->parts. */
void koshu_tree_device_walk(struct koshu_tree_device *device);
/* Sums over the parts; afterwards the complete sums and the work are in the
 * store. */
koshu_status koshu_tree_device_finish(struct koshu_tree_device *device,
                                      struct koshu_tree_report *report,
                                      struct koshu_part_exposed *exposed);

#endif
