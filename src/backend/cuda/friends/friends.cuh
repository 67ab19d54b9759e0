/* SPDX-License-Identifier: MIT */
/* Friends of friends on a device: what its files share. */
#ifndef KOSHU_BACKEND_CUDA_FRIENDS_FRIENDS_CUH
#define KOSHU_BACKEND_CUDA_FRIENDS_FRIENDS_CUH

#include "backend/cuda/runtime/device.cuh"

namespace koshu {

/* Memory for n particles is some 48 n bytes. What is found there is handed from
 * buffer to buffer, as not all of it is needed at a time. */
struct friends {
    const koshu_friends_task *task;
    size_t n, n_cells;
    buffer axis[3], spare; /* places, in the box: x[] in the order of index */
    buffer key, other_key; /* of particles; then of cells, in other_key */
    buffer index, other_index; /* particles by cell; first, in other_index */
    buffer parent, start, temporary;

    double *x(int k) const
    {
        return axis[k].as<double>();
    }
    uint64_t *cell_key() const
    {
        return other_key.as<uint64_t>();
    }
    uint32_t *first() const
    {
        return other_index.as<uint32_t>();
    }
};

/* cells.cu: from the task to all but parent and start. */
cudaError_t sort_into_cells(koshu_cuda *cuda, friends *f);

/* join.cu: parent of each cell becomes its root. */
cudaError_t join_cells(koshu_cuda *cuda, friends *f);

} /* namespace koshu */

#endif
