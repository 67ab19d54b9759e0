/* SPDX-License-Identifier: MIT */
/* A rank's partition, internal to its files. */
#ifndef KOSHU_BACKEND_CUDA_RANKS_PARTITION_CUH
#define KOSHU_BACKEND_CUDA_RANKS_PARTITION_CUH

#include "backend/cuda/ranks/ranks.h"
#include "backend/cuda/particles/store.cuh"

namespace koshu {

/* Two streams for copies to and from the host, with two buffers each. */
struct staged_direction {
    cudaStream_t stream = nullptr;
    cudaEvent_t done[KOSHU_PARTITION_BUFFERS] = {};
    char *buffer = nullptr;
};

/* Arrays and marks of another process, as this one sees them. */
struct peer {
    void *points, *come;
    cudaEvent_t mark[KOSHU_PARTITION_MARKS];
};

} /* namespace koshu */

struct koshu_cuda_partition {
    koshu_cuda *cuda;
    size_t rank;
    koshu::distribution slices; /* of all ranks */
    koshu::buffer points, sums, come;

    koshu_force_task task;
    const koshu::precision_functions *functions;
    koshu_cuda_store *store;
    koshu::force_setup setup; /* of this call */

    koshu::staged_direction out, in;
    cudaEvent_t here;   /* what a copy waits for */
    koshu::peer *peers; /* of each rank; NULL: not open */
    cudaEvent_t mark[KOSHU_PARTITION_MARKS];
    cudaEvent_t done[2]; /* the last sums, in turn */
    unsigned sum_number;
};

namespace koshu {

/* Notes a mark for other ranks, where they poll it. */
cudaError_t
note_mark(koshu_cuda_partition *partition, koshu_partition_mark mark);

} /* namespace koshu */

#endif
