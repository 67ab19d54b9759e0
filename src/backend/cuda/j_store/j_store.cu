/* SPDX-License-Identifier: MIT */
/* The life of a j-particle store, and its table of functions. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "backend/cuda/cuda.h"
#include "backend/cuda/j_store/divided.cuh"
#include "backend/cuda/j_store/store.cuh"

using namespace koshu;

static cudaError_t
open_buffers(koshu_cuda_j_store *m)
{
    KOSHU_CUDA_TRY(m->done.reserve(sizeof(uint64_t)));
    *m->done.as<uint64_t>() = 0;
    KOSHU_CUDA_TRY(m->differs.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->blocks_done.reserve(sizeof(uint32_t)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(m->blocks_done.as<void>(), 0,
                                   sizeof(uint32_t), m->cuda->stream));
    for (j_stage &s : m->stages) {
        KOSHU_CUDA_TRY(s.index.reserve(STAGED * sizeof(uint32_t)));
        KOSHU_CUDA_TRY(s.particles.reserve(STAGED * sizeof(koshu_j_particle)));
    }
    return cudaSuccess;
}

cudaError_t
koshu::open_j_store(koshu_cuda_j_store *m, koshu_cuda *cuda)
{
    m->cuda = cuda;
    m->least_reach = INFINITY;
    return open_buffers(m);
}

void
koshu::close_j_store(koshu_cuda_j_store *m)
{
    koshu_cuda_enter(m->cuda);
    cudaStreamSynchronize(m->cuda->stream);
    free(m->ids);
    free(m->exponent);
    free(m->place);
}

/* Of one device, or of several. */
static koshu_status
open_store(koshu_backend_j_store *store)
{
    if (group_of(store->backend)->n > 1) return open_divided_store(store);
    const koshu_backend_j_store base = *store;
    koshu_cuda_j_store *m = new (store) koshu_cuda_j_store();
    m->base = base;
    m->part = {0, 1};
    koshu_cuda *cuda = enter(base.backend);
    return status_of(cuda, open_j_store(m, cuda),
                     "making room for j-particles on the device");
}

static void
close_store(koshu_backend_j_store *store)
{
    koshu_cuda_j_store *m = own(store);
    close_j_store(m);
    m->~koshu_cuda_j_store();
}

static int64_t
id_of(const koshu_backend_j_store *store, uint64_t index)
{
    return reinterpret_cast<const koshu_cuda_j_store *>(store)->ids[index];
}

const koshu_j_store_ops koshu_cuda_j_store_ops = {
        .size = std::max(sizeof(koshu_cuda_j_store),
                         sizeof(koshu_cuda_divided_store)),
        .bytes_per_particle = J_STORE_HOST_BYTES,
        .open = open_store,
        .close = close_store,
        .can = j_store_can,
        .reserve = j_store_reserve,
        .set = j_store_set,
        .id = id_of,
        .start = j_store_start,
        .wait = j_store_wait,
        .neighbours = j_store_neighbours,
};
