/* SPDX-License-Identifier: MIT */
/* Arrays that other ranks read or write (devices/traffic.h), and the marks by
 * which devices wait for each other. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_ARRAYS_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_ARRAYS_CUH

#include "backend/cuda/runtime/device.cuh"
#include "devices/devices.h"

namespace koshu {

/* Copies to or from the host: a stream, with two buffers. */
struct staged_direction {
    host_buffer buffers;
    koshu::stream stream;
    event done[KOSHU_TRAFFIC_BUFFERS];
};

/* Arrays that others may write to. */
enum { PEER_ARRAYS = 2 };

/* Arrays and marks of a member, as another sees them. */
struct peer {
    int device; /* in one process */
    void *array[PEER_ARRAYS];
    const void *sums; /* of a partition, in one process */
    cudaEvent_t mark[KOSHU_TRAFFIC_MARKS];
};

} /* namespace koshu */

struct koshu_device_arrays {
    koshu_cuda *cuda;
    size_t place, members; /* its own, of all */
    bool in_process;
    void *array[koshu::PEER_ARRAYS];      /* NULL: there are fewer */
    koshu::peer peers[KOSHU_MAX_DEVICES]; /* of each member, where connected */
    bool connected;
    bool writes; /* kernels write into the arrays of peers */
    koshu::event mark[KOSHU_TRAFFIC_MARKS];

    /* Of ranks: stage.cu */
    koshu::staged_direction out, in;
    koshu::event here; /* what a copy waits for */
};

namespace koshu {

/* Allocations of their own blocks of memory can be opened by other processes
 * one by one. */
static inline size_t
whole_blocks(size_t bytes)
{
    const size_t block = (size_t)2 << 20;
    return (bytes + block - 1) / block * block;
}

/* ---- peer.cu ------------------------------------------------------------- */

/* The device has come to a mark, when what is enqueued is done. */
cudaError_t note_mark(koshu_device_arrays *arrays, int mark);

/* What is enqueued from now on comes after this mark of all others, which have
 * enqueued it. */
cudaError_t await(const koshu_device_arrays *arrays, int mark);

/* As of traffic.h. */
koshu_status
handle_of_arrays(koshu_device_arrays *arrays, koshu_traffic_handle *handle);
koshu_status
open_peers(koshu_device_arrays *arrays, const koshu_traffic_handle handles[]);
void close_peers(koshu_device_arrays *arrays);
koshu_status await_peers(koshu_device_arrays *arrays, int mark);

/* ---- stage.cu ------------------------------------------------------------ */

/* What `after` is given from now on comes after what `before` has by now. */
cudaError_t
follow(koshu_device_arrays *arrays, cudaStream_t after, cudaStream_t before);

/* Between what is enqueued and copies by the host; as of traffic.h. */
koshu_status start_copies(koshu_device_arrays *arrays);
koshu_status finish_copies(koshu_device_arrays *arrays);
extern const koshu_traffic_stage_ops stage_ops;

} /* namespace koshu */

#endif
