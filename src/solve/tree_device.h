/* SPDX-License-Identifier: MIT */
/* The tree of a domain where the backend makes and walks it by itself: parts of
 * it go to other ranks, and theirs are walked (backend/tree_parts.h), while the
 * device walks its own. */
#ifndef KOSHU_SOLVE_TREE_DEVICE_H
#define KOSHU_SOLVE_TREE_DEVICE_H

#include "backend/backend.h"

#include "solve/domains.h"
#include "solve/part_exchange.h"

struct koshu_treecode;

/* Begun as {0} but for the treecode. */
struct koshu_tree_device {
    struct koshu_treecode *treecode; /* it has an engine */
    struct koshu_part_exchange parts;
    struct koshu_particles *here;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be used.
 * device->parts is to be freed whatever came of it. */
koshu_status koshu_tree_device_open(struct koshu_tree_device *device,
                                    enum koshu_transport transport,
                                    bool one_each);

/* The tree of a domain, which may be empty. KOSHU_ERROR_OUT_OF_MEMORY; those of
 * the engine's forces(). */
koshu_status koshu_tree_device_make(struct koshu_tree_device *device,
                                    const struct koshu_force_task *task,
                                    const struct koshu_outline *all,
                                    struct koshu_particles *here);

/* The sums over the tree, begun, between what device->parts has cut and what it
 * moves. */
void koshu_tree_device_walk(struct koshu_tree_device *device);
/* The sums over those: all, with the work, are in the store then. */
koshu_status koshu_tree_device_finish(struct koshu_tree_device *device,
                                      struct koshu_tree_report *report,
                                      struct koshu_tree_exposed *exposed);

#endif
