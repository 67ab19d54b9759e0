/* SPDX-License-Identifier: MIT */
/* Friends of friends on the first device of a backend. */
#include "backend/cuda/friends/friends.cuh"

#include "backend/cuda/cuda.h"

using namespace koshu;

static bool
allocate(const friends &f, koshu_friends_cells *cells)
{
    cells->n = f.n_cells;
    cells->index = (uint32_t *)koshu_alloc_unset(f.n, sizeof(uint32_t));
    cells->first =
            (uint32_t *)koshu_alloc_unset(f.n_cells + 1, sizeof(uint32_t));
    cells->root = (uint32_t *)koshu_alloc_unset(f.n_cells, sizeof(uint32_t));
    return cells->index && cells->first && cells->root;
}

static cudaError_t
take_cells(koshu_cuda *cuda, const friends &f, koshu_friends_cells *cells)
{
    const host_copy copies[] = {
            {f.index.as<void>(), cells->index, f.n * sizeof(uint32_t)},
            {f.first(), cells->first, (f.n_cells + 1) * sizeof(uint32_t)},
            {f.parent.as<void>(), cells->root, f.n_cells * sizeof(uint32_t)}};
    return download(cuda, copies, 3);
}

static cudaError_t
find(koshu_cuda *cuda, friends *f)
{
    KOSHU_CUDA_TRY(sort_into_cells(cuda, f));
    return join_cells(cuda, f);
}

koshu_status
koshu_cuda_friends(struct koshu_backend *backend,
                   const struct koshu_friends_task *task,
                   struct koshu_friends_cells *cells)
{
    koshu_cuda *cuda = enter(backend);
    static const char doing[] = "groups of particles";
    friends f = {};
    f.task = task;
    f.n = task->n;
    KOSHU_TRY(status_of(cuda, find(cuda, &f), doing));
    if (!allocate(f, cells))
        return koshu_fail_memory(cuda->context, 12 * f.n, doing);
    return status_of(cuda, take_cells(cuda, f, cells), doing);
}
