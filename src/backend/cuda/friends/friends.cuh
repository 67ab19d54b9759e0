/* SPDX-License-Identifier: MIT */
/* Friends of friends on a device: what its files have in common. */
#ifndef KOSHU_BACKEND_CUDA_FRIENDS_FRIENDS_CUH
#define KOSHU_BACKEND_CUDA_FRIENDS_FRIENDS_CUH

#include "backend/cuda/runtime/device.cuh"

namespace koshu {

/* Memory for n particles is about 48 n bytes. Buffers are passed on between
 * stages, because not all data are needed at the same time. */
struct friends {
    const koshu_friends_task *task;
    size_t n, n_cells, n_sets, n_members;
    buffer axis[3], spare; /* positions in the box: x[] in the order of index */
    buffer key, other_key; /* keys of particles; later, in other_key, of
                            * cells */
    buffer index, other_index; /* particles by cell; later, in other_index, the
                                * first of each cell */
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
    /* Of sets; positions are no longer needed. */
    uint64_t *first_member() const
    {
        return axis[0].as<uint64_t>();
    }
    uint32_t *member() const
    {
        return axis[1].as<uint32_t>();
    }
};

/* cells.cu: computes everything but parent and start from the task. */
cudaError_t sort_into_cells(koshu_cuda *cuda, friends *f);

/* join.cu: sets the parent of each cell to its root. */
cudaError_t join_cells(koshu_cuda *cuda, friends *f);

/* sets.cu: sets n_sets, n_members, first_member(), and member(). */
cudaError_t collect_sets(koshu_cuda *cuda, friends *f);

} /* namespace koshu */

#endif
