/* SPDX-License-Identifier: MIT */
/* The table of functions of a j-particle store. */
#include <algorithm>
#include <new>

#include "backend/cuda/cuda.h"
#include "backend/cuda/j_store/divided.cuh"
#include "backend/cuda/j_store/store.cuh"

using namespace koshu;

/* On one device, or divided over several. */
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
