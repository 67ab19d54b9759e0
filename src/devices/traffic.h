/* SPDX-License-Identifier: MIT */
/*
 * Arrays of a rank on its device, which others need: as transports see them
 * that move them from rank to rank (transports.h). Whoever has such arrays has
 * a table of these operations for them.
 */
#ifndef KOSHU_DEVICES_TRAFFIC_H
#define KOSHU_DEVICES_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

/* A rank's; each backend puts its own behind it. */
struct koshu_device_arrays;

/* What arrays hold of ranks, or for them: first ... first + n - 1. */
struct koshu_traffic_range {
    int array, first, n;
};

/* Memory of the device. A range consists of at most KOSHU_TRAFFIC_CHUNKS: where
 * it goes they are as many, and as long, as where it comes from. */
struct koshu_traffic_chunk {
    void *memory;
    size_t bytes; /* a multiple of 8 */
};
enum { KOSHU_TRAFFIC_CHUNKS = 7 };

/* By memory of the host that the device reads and writes by itself: two buffers
 * for each direction. */
enum { KOSHU_TRAFFIC_BUFFERS = 2, KOSHU_TRAFFIC_BUFFER = 1 << 20 };

struct koshu_traffic_stage_ops {
    koshu_status (*open)(struct koshu_device_arrays *arrays);
    /* A buffer of KOSHU_TRAFFIC_BUFFER bytes. */
    void *(*buffer)(const struct koshu_device_arrays *arrays, bool out, int k);
    /* Enqueues a copy, at most a buffer full, beside the sums. */
    koshu_status (*copy)(struct koshu_device_arrays *arrays, bool out, int k,
                         const struct koshu_traffic_chunk *chunk);
    /* Waits for the last copy of a buffer. */
    koshu_status (*wait)(struct koshu_device_arrays *arrays, bool out, int k);
};

/* What a rank's device has done by the time it comes to a mark is up to whoever
 * has the arrays. */
enum { KOSHU_TRAFFIC_MARKS = 3 };

/* What other ranks need to know to write into this one's arrays, and to wait
 * for its marks. */
struct koshu_traffic_handle {
    char array[2][64], mark[KOSHU_TRAFFIC_MARKS][64];
};

/* By writing into the arrays of other processes of the host, as kernels go,
 * while this is open. */
struct koshu_traffic_peer_ops {
    koshu_status (*handle)(struct koshu_device_arrays *arrays,
                           struct koshu_traffic_handle *handle);
    /* Those of all ranks. KOSHU_ERROR_UNSUPPORTED: the devices cannot. */
    koshu_status (*open)(struct koshu_device_arrays *arrays,
                         const struct koshu_traffic_handle handles[]);
    void (*close)(struct koshu_device_arrays *arrays);
    /* What is enqueued from now on comes after this mark of all ranks, which
     * have enqueued it before. */
    koshu_status (*await)(struct koshu_device_arrays *arrays, int mark);
    /* OPTIONAL. Enqueues copies of what is in one array for each other rank to
     * another of theirs, beside the sums; then the mark. */
    koshu_status (*give)(struct koshu_device_arrays *arrays, int from, int to,
                         int mark);
};

struct koshu_traffic_ops {
    /* Waits for all that is to be sent. */
    koshu_status (*wait)(struct koshu_device_arrays *arrays);
    /* How many chunks a range has. */
    size_t (*chunks)(const struct koshu_device_arrays *arrays,
                     const struct koshu_traffic_range *range,
                     struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS]);
    /* OPTIONAL. The cudaStream_t, behind what is to be sent, for NCCL. */
    void *(*stream)(const struct koshu_device_arrays *arrays);

    /* What is copied by the host from now on was there when this is enqueued;
     * and what has been copied is there for what is enqueued afterwards. */
    koshu_status (*start)(struct koshu_device_arrays *arrays);
    koshu_status (*finish)(struct koshu_device_arrays *arrays);
    const struct koshu_traffic_stage_ops *stage; /* REQUIRED */
    const struct koshu_traffic_peer_ops *peer;   /* OPTIONAL */
};

#endif
