/* SPDX-License-Identifier: MIT */
/* Finds the neighbours in a j-particle store. */
#include <cstdlib>

#include "backend/cuda/j_store/store.cuh"

using namespace koshu;

/* Chooses slices that keep the multiprocessors busy. */
static j_neighbours
cut_neighbours(const koshu_cuda_j_store *m)
{
    const size_t warps = 32 * m->cuda->multiprocessors, step = 4;
    const size_t chunks = blocks_for(m->last.n_j, WARP);
    const size_t groups = blocks_for(m->last.n_i, WARP);
    size_t slices = (warps / groups + step) / step * step;
    const size_t max_slices = blocks_for(chunks, step) * step;
    if (slices > max_slices) slices = max_slices;
    j_neighbours n = {};
    n.slices = (uint32_t)slices;
    n.span = (uint32_t)(blocks_for(chunks, slices) * WARP);
    return n;
}

/* Lists lie one after another without gaps. */
static cudaError_t
fetch_lists(koshu_cuda_j_store *m, const j_neighbours &n, uint64_t total,
            uint32_t **list)
{
    const size_t bytes = total * sizeof(uint32_t);
    *list = (uint32_t *)malloc(bytes);
    if (!*list) return cudaErrorMemoryAllocation;
    KOSHU_CUDA_TRY(cudaMemcpyAsync(*list, n.list, bytes, cudaMemcpyDeviceToHost,
                                   m->cuda->stream));
    return cudaStreamSynchronize(m->cuda->stream);
}

cudaError_t
koshu::list_neighbours(koshu_cuda_j_store *m, size_t max_listed,
                       uint32_t **list)
{
    const uint32_t n_i = m->last.n_i;
    j_neighbours n = cut_neighbours(m);
    KOSHU_CUDA_TRY(
            m->in_slice.reserve((size_t)n.slices * n_i * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(m->count.reserve(n_i * sizeof(uint64_t)));
    KOSHU_CUDA_TRY(m->start.reserve(n_i * sizeof(uint64_t)));
    n.in_slice = m->in_slice.as<uint32_t>();
    n.max_listed = max_listed;
    n.count = m->count.as<uint64_t>();
    uint64_t *start = m->start.as<uint64_t>();
    n.start = start;
    KOSHU_CUDA_TRY(m->functions->count(m->cuda, m->last, n));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(m->cuda->stream));
    uint64_t total = 0;
    for (uint32_t i = 0; i < n_i; i++) {
        start[i] = total;
        total += n.count[i] < max_listed ? n.count[i] : max_listed;
    }
    if (total == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(m->list.reserve(total * sizeof(uint32_t)));
    n.list = m->list.as<uint32_t>();
    KOSHU_CUDA_TRY(m->functions->list(m->cuda, m->last, n));
    return fetch_lists(m, n, total, list);
}

static cudaError_t
neighbours(koshu_cuda_j_store *m, size_t max, uint64_t *count, uint64_t *index)
{
    uint32_t *list = nullptr;
    const cudaError_t error = list_neighbours(m, max, &list);
    const uint64_t *start = m->start.as<uint64_t>();
    for (uint32_t i = 0; i < m->last.n_i && error == cudaSuccess; i++) {
        count[i] = m->count.as<uint64_t>()[i];
        for (uint64_t k = 0; k < count[i] && k < max; k++)
            index[i * max + k] = list[start[i] + k];
    }
    free(list);
    return error;
}

koshu_status
koshu::j_store_neighbours(koshu_backend_j_store *store, size_t max,
                          uint64_t *count, uint64_t *index)
{
    koshu_cuda_j_store *m = own(store);
    koshu_cuda_enter(m->cuda);
    return status_of(m->cuda, neighbours(m, max, count, index),
                     "listing neighbours");
}
