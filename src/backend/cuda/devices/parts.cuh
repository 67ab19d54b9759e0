/* SPDX-License-Identifier: MIT */
/* Parts of trees sent to and received from other ranks, as transports see them
 * (backend/parts.h): each array of a part is a chunk. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH

#include "backend/cuda/devices/arrays.cuh"
#include "backend/parts.h"

namespace koshu {

/* A rank's parts: their windows, and their sizes. */
struct part_of_rank {
    koshu_part_window come, go;
    koshu_part in;
    size_t at; /* byte offset of the outgoing part in contiguous memory */
};

/* Where a part is: here, to be sent to a rank or received from it; or at the
 * rank that receives it, whose memory can be written. */
enum part_place {
    PART_TO_GO = KOSHU_PARTS_GO,
    PART_COME = KOSHU_PARTS_COME,
    PART_AT_IMPORTER
};
enum { PART_CHUNKS = KOSHU_TRAFFIC_CHUNKS };

struct device_parts : koshu_device_arrays {
    host_buffer of_ranks; /* a part_of_rank for each */
    void (*find)(const device_parts *parts, size_t rank, part_place place,
                 koshu_traffic_chunk chunks[PART_CHUNKS]);
};

static inline part_of_rank &
part_of(const device_parts *p, size_t rank)
{
    return p->of_ranks.as<part_of_rank>()[rank];
}

/* Starts without parts; for all ranks of the device's context. */
cudaError_t open_parts(device_parts *p, koshu_cuda *cuda,
                       decltype(device_parts::find) find);

/* As in backend/parts.h. */
void place_parts(device_parts *p, const koshu_part_window *come,
                 const koshu_part_window *go);
void expect_parts(device_parts *p, const koshu_part *come);
/* Copies that run beside the sums start when all work enqueued so far is
 * done. */
cudaError_t send_parts(device_parts *p);

extern const koshu_traffic_ops part_traffic_ops;

} /* namespace koshu */

#endif
