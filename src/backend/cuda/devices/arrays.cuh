/* SPDX-License-Identifier: MIT */
/* Arrays that other ranks read or write (devices/traffic.h), and the marks by
 * which devices wait for each other. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_ARRAYS_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_ARRAYS_CUH

#include "backend/cuda/runtime/device.cuh"
#include "devices/devices.h"

namespace koshu {

/* Copies to or from the host: a stream, and buffers. */
struct staged_direction {
    host_buffer buffers;
    koshu::stream stream;
    event done[KOSHU_TRAFFIC_BUFFERS];
};

/* The number of arrays that others may write to. */
enum { PEER_ARRAYS = 2 };

/* Arrays and marks of a member, as other members see them. */
struct peer {
    int device; /* if in the same process */
    void *array[PEER_ARRAYS];
    const void *sums; /* of a partition, if in the same process */
    cudaEvent_t mark[KOSHU_TRAFFIC_MARKS];
};

} /* namespace koshu */

struct koshu_device_arrays {
    koshu_cuda *cuda;
    size_t place, members; /* own index, and number of members */
    bool in_process;
    void *array[koshu::PEER_ARRAYS];      /* NULL: not used */
    koshu::peer peers[KOSHU_MAX_DEVICES]; /* of each member, once connected */
    bool connected;
    bool writes; /* kernels write directly to the arrays of peers */
    koshu::event mark[KOSHU_TRAFFIC_MARKS];

    /* only for ranks: stage.cu */
    koshu::staged_direction out, in;
    koshu::event here; /* event that a copy waits for */
};

namespace koshu {

/* Rounds up to whole blocks of memory: then other processes can open each
 * allocation separately. */
static inline size_t
whole_blocks(size_t bytes)
{
    const size_t block = (size_t)2 << 20;
    return (bytes + block - 1) / block * block;
}

/* ---- peer.cu ------------------------------------------------------------- */

/* Records a mark: the device reaches it when all enqueued work is done. */
cudaError_t note_mark(koshu_device_arrays *arrays, int mark);

/* Work enqueued on a stream from now on waits for this mark of all other
 * members, who must have recorded it. */
cudaError_t
await(const koshu_device_arrays *arrays, cudaStream_t stream, int mark);

/* As in traffic.h. */
koshu_status
handle_of_arrays(koshu_device_arrays *arrays, koshu_traffic_handle *handle);
koshu_status
open_peers(koshu_device_arrays *arrays, const koshu_traffic_handle handles[]);
void close_peers(koshu_device_arrays *arrays);
koshu_status await_peers(koshu_device_arrays *arrays, int mark);

/* ---- stage.cu ------------------------------------------------------------ */

/* Work enqueued on `after` from now on waits for what is on `before` now. */
cudaError_t
follow(koshu_device_arrays *arrays, cudaStream_t after, cudaStream_t before);

/* Order the copies by the host after enqueued work, and before later work; as
 * in traffic.h. */
koshu_status start_copies(koshu_device_arrays *arrays);
koshu_status finish_copies(koshu_device_arrays *arrays);
extern const koshu_traffic_stage_ops stage_ops;

} /* namespace koshu */

#endif
