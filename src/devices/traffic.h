/* SPDX-License-Identifier: MIT */
/*
 * The arrays of a rank on its device that other ranks need, as the transports
 * (transports.h) see them. Each kind of such arrays has a table of these
 * operations.
 */
#ifndef KOSHU_DEVICES_TRAFFIC_H
#define KOSHU_DEVICES_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

/* A rank's arrays; each backend appends its own members. */
struct koshu_device_arrays;

/* The parts of an array that belong to ranks first ... first + n - 1. */
struct koshu_traffic_range {
    int array, first, n;
};

/* A block of device memory. A range consists of at most KOSHU_TRAFFIC_CHUNKS of
 * them; source and destination have equally many, of equal sizes. */
struct koshu_traffic_chunk {
    void *memory;
    size_t bytes; /* a multiple of 8 */
};
enum { KOSHU_TRAFFIC_CHUNKS = 7 };

/* Staging through host memory that the device reads and writes directly:
 * two buffers for each direction. */
enum { KOSHU_TRAFFIC_BUFFERS = 2, KOSHU_TRAFFIC_BUFFER = 1 << 20 };

struct koshu_traffic_stage_ops {
    koshu_status (*open)(struct koshu_device_arrays *arrays);
    /* The k-th buffer, of KOSHU_TRAFFIC_BUFFER bytes. */
    void *(*buffer)(const struct koshu_device_arrays *arrays, bool out, int k);
    /* Enqueues a copy of at most a buffer's size, concurrent with the sums. */
    koshu_status (*copy)(struct koshu_device_arrays *arrays, bool out, int k,
                         const struct koshu_traffic_chunk *chunk);
    /* Waits for the last copy of a buffer. */
    koshu_status (*wait)(struct koshu_device_arrays *arrays, bool out, int k);
};

/* What a rank's device has finished when it reaches a mark is defined by the
 * owner of the arrays. */
enum { KOSHU_TRAFFIC_MARKS = 3 };

/* What other ranks need to write into this rank's arrays and to wait for its
 * marks. */
struct koshu_traffic_handle {
    char array[2][64], mark[KOSHU_TRAFFIC_MARKS][64];
};

/* Peer access: kernels write directly into the arrays of other processes on the
 * host while it is open. */
struct koshu_traffic_peer_ops {
    koshu_status (*handle)(struct koshu_device_arrays *arrays,
                           struct koshu_traffic_handle *handle);
    /* The handles of all ranks. KOSHU_ERROR_UNSUPPORTED: the devices have no
     * peer access. */
    koshu_status (*open)(struct koshu_device_arrays *arrays,
                         const struct koshu_traffic_handle handles[]);
    void (*close)(struct koshu_device_arrays *arrays);
    /* Work enqueued from now on waits for this mark of all ranks, which they
     * must have enqueued before. */
    koshu_status (*await)(struct koshu_device_arrays *arrays, int mark);
    /* OPTIONAL. Enqueues copies of what array `from` has for each other rank to
     * their array `to`, concurrent with the sums; then the mark. */
    koshu_status (*give)(struct koshu_device_arrays *arrays, int from, int to,
                         int mark);
};

struct koshu_traffic_ops {
    /* Waits until all that is to be sent is complete. */
    koshu_status (*wait)(struct koshu_device_arrays *arrays);
    /* The number of chunks of a range, and the chunks. */
    size_t (*chunks)(const struct koshu_device_arrays *arrays,
                     const struct koshu_traffic_range *range,
                     struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS]);
    /* OPTIONAL. The cudaStream_t in which what is to be sent is computed, for
     * NCCL. */
    void *(*stream)(const struct koshu_device_arrays *arrays);

    /* start(): what the host copies from now on includes all work enqueued
     * so far. finish(): work enqueued from now on sees what the host has
     * copied. */
    koshu_status (*start)(struct koshu_device_arrays *arrays);
    koshu_status (*finish)(struct koshu_device_arrays *arrays);
    const struct koshu_traffic_stage_ops *stage; /* REQUIRED */
    const struct koshu_traffic_peer_ops *peer;   /* OPTIONAL */
};

#endif
