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

struct koshu_backend;
struct koshu_particles;
struct koshu_force_task;

/* A rank's part; each backend puts its own behind it. */
struct koshu_backend_partition;

/* Arrays in which slices lie one after another, in the order of ranks. */
enum koshu_partition_array {
    KOSHU_PARTITION_POINTS, /* all particles, packed */
    KOSHU_PARTITION_SUMS,   /* this rank's sums for all particles */
    KOSHU_PARTITION_COME    /* others' sums: as many */
};

/* The slices of ranks first ... first + n - 1, where they belong; those of
 * KOSHU_PARTITION_COME at its beginning. */
struct koshu_partition_range {
    enum koshu_partition_array array;
    int first, n;
};

/* Memory of the device. A range consists of at most KOSHU_PARTITION_CHUNKS, all
 * of the same size. */
struct koshu_partition_chunk {
    void *memory;
    size_t bytes; /* a multiple of 8 */
};
enum { KOSHU_PARTITION_CHUNKS = 2 };

/* What units follow from: of the particles of a rank, or of all. */
struct koshu_partition_extent {
    double low[3], high[3], largest_mass;
};

/* ---- transports from rank to rank --------------------------------------- */

/* By memory of the host that the device reads and writes by itself: two buffers
 * for each direction. */
enum { KOSHU_PARTITION_BUFFERS = 2, KOSHU_PARTITION_BUFFER = 1 << 20 };

struct koshu_partition_stage_ops {
    koshu_status (*open)(struct koshu_backend_partition *partition);
    /* A buffer of KOSHU_PARTITION_BUFFER bytes. */
    void *(*buffer)(const struct koshu_backend_partition *partition, bool out,
                    int k);
    /* What is copied from now on was there when this is enqueued. */
    koshu_status (*start)(struct koshu_backend_partition *partition);
    /* Enqueues a copy, at most a buffer full, beside the sums. */
    koshu_status (*copy)(struct koshu_backend_partition *partition, bool out,
                         int k, const struct koshu_partition_chunk *chunk);
    /* Waits for the last copy of a buffer. */
    koshu_status (*wait)(struct koshu_backend_partition *partition, bool out,
                         int k);
    /* What has been copied is there for what is enqueued afterwards. */
    koshu_status (*finish)(struct koshu_backend_partition *partition);
};

/* What a rank's device has done by the time it comes to a mark. */
enum koshu_partition_mark {
    KOSHU_PARTITION_SCATTERED, /* its particles are in the arrays of all */
    KOSHU_PARTITION_SUMMED, /* and what it has summed for those of the others */
    KOSHU_PARTITION_DONE, /* it has its forces, and needs its arrays no more */
    KOSHU_PARTITION_MARKS
};

/* What other ranks need to know to write into this one's arrays, and to wait
 * for its marks. */
struct koshu_partition_handle {
    char array[2][64], mark[KOSHU_PARTITION_MARKS][64];
};

/* By writing into the arrays of other processes of the host, as kernels go:
 * while this is open, start() leaves the particles, and sum() its sums, where
 * they are needed, and finish() adds up what has come from all. Each notes a
 * mark at its end. */
struct koshu_partition_peer_ops {
    koshu_status (*handle)(struct koshu_backend_partition *partition,
                           struct koshu_partition_handle *handle);
    /* Those of all ranks. KOSHU_ERROR_UNSUPPORTED: the devices cannot. */
    koshu_status (*open)(struct koshu_backend_partition *partition,
                         const struct koshu_partition_handle handles[]);
    void (*close)(struct koshu_backend_partition *partition);
    /* What is enqueued from now on comes after this mark of all ranks, which
     * have enqueued it before. */
    koshu_status (*await)(struct koshu_backend_partition *partition,
                          enum koshu_partition_mark mark);
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
                        const struct koshu_partition_range *to,
                        const struct koshu_partition_range *come);
    /* The own slice of the sums is complete: makes the forces of it. Waits for
     * the sum before this one. */
    koshu_status (*finish)(struct koshu_backend_partition *partition);
    /* Waits for all that is enqueued. */
    koshu_status (*wait)(struct koshu_backend_partition *partition);

    /* How many chunks a range has. */
    size_t (*chunks)(
            const struct koshu_backend_partition *partition,
            const struct koshu_partition_range *range,
            struct koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS]);

    /* OPTIONAL. The cudaStream_t of what is enqueued, for NCCL. */
    void *(*stream)(const struct koshu_backend_partition *partition);

    const struct koshu_partition_stage_ops *stage; /* REQUIRED */
    const struct koshu_partition_peer_ops *peer;   /* OPTIONAL */
};

#endif
