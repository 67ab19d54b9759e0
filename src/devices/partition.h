/* SPDX-License-Identifier: MIT */
/*
 * Direct sums over ranks with a device each: what a backend implements.
 *
 * The particles stay on the devices. Each rank computes an equal part of all
 * pairs, each pair once, from the packed particles of all ranks, and sends its
 * partial sums for the particles of other ranks back to them. The caller
 * (exchange.c) decides who sends what to whom.
 */
#ifndef KOSHU_DEVICES_PARTITION_H
#define KOSHU_DEVICES_PARTITION_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

#include "devices/traffic.h"

struct koshu_backend;
struct koshu_particles;
struct koshu_force_task;

/* A rank's part; each backend appends its own members. */
struct koshu_backend_partition;

/* Arrays of slices in the order of ranks. A range of KOSHU_PARTITION_COME
 * starts at the beginning of that array. */
enum koshu_partition_array {
    KOSHU_PARTITION_POINTS, /* all particles, packed */
    KOSHU_PARTITION_SUMS,   /* of this rank's pairs, for all particles */
    KOSHU_PARTITION_COME    /* sums received from others, of the same size */
};

/* What the units of the packed particles follow from: of one rank, or of
 * all. */
struct koshu_partition_extent {
    double low[3], high[3], largest_mass;
};

/* What a rank's device has finished when it reaches a mark. */
enum koshu_partition_mark {
    /* its particles are in the arrays of all ranks */
    KOSHU_PARTITION_SCATTERED,
    KOSHU_PARTITION_SUMMED, /* so are its sums for the particles of others */
    /* its forces are complete; it needs its arrays no more */
    KOSHU_PARTITION_DONE,
};

/* ---- the table ---------------------------------------------------------- */

/* Functions enqueue work in the order of the calls and do not wait, except
 * where noted. All ranks must have returned from finish() before one calls
 * start() again. */
struct koshu_partition_ops {
    koshu_status (*create)(struct koshu_backend *backend, int rank, int n_ranks,
                           struct koshu_backend_partition **partition);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_backend_partition *partition);

    /* Is there memory for sums over so many particles? The same on all ranks.
     * If not, the caller closes other ranks' access to the arrays and calls
     * reserve(), which allocates anew; the former contents are lost.
     * KOSHU_ERROR_OUT_OF_MEMORY. */
    bool (*has_capacity)(const struct koshu_backend_partition *partition,
                         const struct koshu_force_task *task, size_t total);
    koshu_status (*reserve)(struct koshu_backend_partition *partition,
                            const struct koshu_force_task *task, size_t total);

    /* Begins a sum over this rank's particles: finds what the units follow
     * from, and whether start() needs the extent of all particles. */
    koshu_status (*measure)(struct koshu_backend_partition *partition,
                            const struct koshu_force_task *task,
                            struct koshu_particles *particles, unsigned fields,
                            struct koshu_partition_extent *extent,
                            bool *needs_all);
    /* Packs this rank's slice. all NULL: in the units of the last call. */
    koshu_status (*start)(struct koshu_backend_partition *partition,
                          const struct koshu_partition_extent *all);
    /* Sums this rank's part of all pairs. */
    koshu_status (*sum)(struct koshu_backend_partition *partition);
    /* Adds sums that were received to this rank's. */
    koshu_status (*add)(struct koshu_backend_partition *partition,
                        const struct koshu_traffic_range *to,
                        const struct koshu_traffic_range *come);
    /* Makes the forces from this rank's slice of the sums, which is complete.
     * Waits for the sum before this one. */
    koshu_status (*finish)(struct koshu_backend_partition *partition);
    /* Its arrays, in the order of enum koshu_partition_array. Where other
     * ranks' memory can be written to, start() writes the particles, and sum()
     * its sums, directly to where they are needed, and finish() adds up those
     * received from all. Each of these sets its mark at its end. */
    struct koshu_device_arrays *(*arrays)(
            struct koshu_backend_partition *partition);
    const struct koshu_traffic_ops *traffic;
};

#endif
