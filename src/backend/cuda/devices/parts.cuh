/* SPDX-License-Identifier: MIT */
/* Parts of trees for other ranks, and theirs, as transports see them
 * (backend/parts.h): arrays of a part are chunks. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH

#include "backend/cuda/devices/arrays.cuh"
#include "backend/parts.h"

namespace koshu {

/* Of a rank's part: where it lies in a window, and how much there is of it. */
struct part_of_rank {
    koshu_part_window come, go;
    koshu_part in;
    size_t at; /* bytes, where what goes is in one piece of memory */
};

/* Where a part is: here, to go to a rank, or come from it; or at the rank that
 * it goes to, whose memory can be written. */
enum part_place {
    PART_TO_GO = KOSHU_PARTS_GO,
    PART_COME = KOSHU_PARTS_COME,
    PART_AT_IMPORTER
};
enum { PART_CHUNKS = KOSHU_TRAFFIC_CHUNKS };

struct device_parts : koshu_device_arrays {
    host_buffer of_ranks; /* a part_of_rank of each */
    void (*find)(const device_parts *parts, size_t rank, part_place place,
                 koshu_traffic_chunk chunks[PART_CHUNKS]);
};

static inline part_of_rank &
part_of(const device_parts *p, size_t rank)
{
    return p->of_ranks.as<part_of_rank>()[rank];
}

/* No parts yet; of all ranks of the device's context. */
cudaError_t open_parts(device_parts *p, koshu_cuda *cuda,
                       decltype(device_parts::find) find);

/* As of backend/parts.h. */
void place_parts(device_parts *p, const koshu_part_window *come,
                 const koshu_part_window *go);
void expect_parts(device_parts *p, const koshu_part *come);
/* Copies beside the sums begin when all that is enqueued by now is done. */
cudaError_t send_parts(device_parts *p);

extern const koshu_traffic_ops part_traffic_ops;

} /* namespace koshu */

#endif
