/* SPDX-License-Identifier: MIT */
/*
 * Direct sums over ranks with a device each, as a backend makes them.
 *
 * The particles stay on the devices. All ranks compute equal parts of all
 * pairs, each pair once, from the packed particles of all; what each has summed
 * for those of the others is sent back to them. Who sends what to whom is up to
 * the caller (exchange.c).
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

/* A rank's part; each backend puts its own behind it. */
struct koshu_backend_partition;

/* Arrays in which slices lie one after another, in the order of ranks; a range
 * of KOSHU_PARTITION_COME is at its beginning. */
enum koshu_partition_array {
    KOSHU_PARTITION_POINTS, /* all particles, packed */
    KOSHU_PARTITION_SUMS,   /* this rank's sums for all particles */
    KOSHU_PARTITION_COME    /* others' sums: as many */
};

/* What units follow from: of the particles of a rank, or of all. */
struct koshu_partition_extent {
    double low[3], high[3], largest_mass;
};

/* What a rank's device has done by the time it comes to a mark. */
enum koshu_partition_mark {
    KOSHU_PARTITION_SCATTERED, /* its particles are in the arrays of all */
    KOSHU_PARTITION_SUMMED, /* and what it has summed for those of the others */
    KOSHU_PARTITION_DONE, /* it has its forces, and needs its arrays no more */
};

/* ---- the table ---------------------------------------------------------- */

/* Work is enqueued in the order of the calls, except where it says that a
 * function waits. All ranks have returned from finish() before one calls
 * start() again. */
struct koshu_partition_ops {
    koshu_status (*create)(struct koshu_backend *backend, int rank, int n_ranks,
                           struct koshu_backend_partition **partition);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_backend_partition *partition);

    /* Is there memory for sums over so many particles? The same on all ranks.
     * If not, other ranks' access to the arrays is closed, and reserve() makes
     * memory; what was there is lost. KOSHU_ERROR_OUT_OF_MEMORY. */
    bool (*has_capacity)(const struct koshu_backend_partition *partition,
                         const struct koshu_force_task *task, size_t total);
    koshu_status (*reserve)(struct koshu_backend_partition *partition,
                            const struct koshu_force_task *task, size_t total);

    /* Begins with sums of this rank's particles: what units follow from, and
     * whether start() needs that of all. */
    koshu_status (*measure)(struct koshu_backend_partition *partition,
                            const struct koshu_force_task *task,
                            struct koshu_particles *particles, unsigned fields,
                            struct koshu_partition_extent *extent,
                            bool *needs_all);
    /* Packs the own slice. all NULL: in the units of the last time. */
    koshu_status (*start)(struct koshu_backend_partition *partition,
                          const struct koshu_partition_extent *all);
    /* This rank's part of all pairs. */
    koshu_status (*sum)(struct koshu_backend_partition *partition);
    /* Adds sums that have come to the own. */
    koshu_status (*add)(struct koshu_backend_partition *partition,
                        const struct koshu_traffic_range *to,
                        const struct koshu_traffic_range *come);
    /* The own slice of the sums is complete: makes the forces of it. Waits for
     * the sum before this one. */
    koshu_status (*finish)(struct koshu_backend_partition *partition);
    /* Its arrays, of enum koshu_partition_array. Where others can write into
     * them, start() leaves the particles, and sum() its sums, where they are
     * needed, and finish() adds up what has come from all; each notes its mark
     * at its end. */
    struct koshu_device_arrays *(*arrays)(
            struct koshu_backend_partition *partition);
    const struct koshu_traffic_ops *traffic;
};

#endif
