/* SPDX-License-Identifier: MIT */
/*
 * The tree of a domain where the backend makes and walks it by itself: parts of
 * it go to other ranks, and theirs are walked (backend/tree_parts.h). They go
 * from device to device by the transports of direct sums, each part to a window
 * that its importer keeps for it; where one does not fit, all ranks make larger
 * ones, and parts are cut again. All of this goes on while the device walks its
 * own tree.
 */
#ifndef KOSHU_SOLVE_TREE_DEVICE_H
#define KOSHU_SOLVE_TREE_DEVICE_H

#include "backend/backend.h"

#include "devices/devices.h"
#include "solve/domains.h"

struct koshu_treecode;

/* Begun as {0} but for the treecode. */
struct koshu_tree_device {
    struct koshu_treecode *treecode; /* it has an engine */
    size_t ranks;
    struct koshu_device_all_to_all *traffic;
    koshu_status status; /* of what this rank did in these forces */
    struct koshu_particles *here;
    /* Of all ranks' groups, one after another; of this one's behind them. */
    struct koshu_tree_bounds *bounds;
    size_t *n_bounds;
    struct koshu_tree_part *cut, *come; /* to and of each rank */
    struct koshu_tree_window *window,
            *theirs; /* for what comes, and at others */
    size_t *one;     /* for each rank */
    size_t capacity_bounds, capacity_n_bounds, capacity_cut, capacity_come,
            capacity_window, capacity_theirs, capacity_one;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be used.
 * free(): whatever came of it. */
koshu_status koshu_tree_device_open(struct koshu_tree_device *device,
                                    enum koshu_transport transport,
                                    bool one_each);
void koshu_tree_device_free(struct koshu_tree_device *device);

/* The tree of a domain, which may be empty. KOSHU_ERROR_OUT_OF_MEMORY; those of
 * the engine's forces(). */
koshu_status koshu_tree_device_make(struct koshu_tree_device *device,
                                    const struct koshu_force_task *task,
                                    const struct koshu_outline *all,
                                    struct koshu_particles *here);

/* Its parts begin to go to the others. Collective, as
 * koshu_tree_device_receive: what fails on one rank is told there, by all. */
koshu_status koshu_tree_device_send(struct koshu_tree_device *device);

/* The sums over the tree, begun. */
void koshu_tree_device_walk(struct koshu_tree_device *device);
/* The parts of others come meanwhile. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_device_receive(struct koshu_tree_device *device);
/* The sums over those: all, with the work, are in the store then. */
koshu_status koshu_tree_device_finish(struct koshu_tree_device *device,
                                      struct koshu_tree_report *report,
                                      struct koshu_tree_exposed *exposed);

/* Cells and particles that came; bytes that went. */
uint64_t koshu_tree_device_imported(const struct koshu_tree_device *device);
uint64_t koshu_tree_device_bytes(const struct koshu_tree_device *device);

#endif
