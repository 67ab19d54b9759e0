/* SPDX-License-Identifier: MIT */
/* Friends of friends on the first device of a backend. */
#include "backend/cuda/friends/friends.cuh"

#include "backend/cuda/cuda.h"

using namespace koshu;

static bool
allocate(const friends &f, koshu_friends_sets *sets)
{
    static_assert(sizeof(size_t) == sizeof(uint64_t), "offsets are copied");
    sets->n = f.n_sets;
    sets->first = (size_t *)koshu_alloc_unset(f.n_sets + 1, sizeof(size_t));
    sets->member =
            (uint32_t *)koshu_alloc_unset(f.n_members + 1, sizeof(uint32_t));
    return sets->first && sets->member;
}

static cudaError_t
take_sets(koshu_cuda *cuda, const friends &f, koshu_friends_sets *sets)
{
    const host_copy copies[] = {
            {f.first_member(), sets->first, (f.n_sets + 1) * sizeof(size_t)},
            {f.member(), sets->member, f.n_members * sizeof(uint32_t)}};
    return download(cuda, copies, 2);
}

static cudaError_t
find(koshu_cuda *cuda, friends *f)
{
    KOSHU_CUDA_TRY(sort_into_cells(cuda, f));
    KOSHU_CUDA_TRY(join_cells(cuda, f));
    return collect_sets(cuda, f);
}

koshu_status
koshu_cuda_friends(struct koshu_backend *backend,
                   const struct koshu_friends_task *task,
                   struct koshu_friends_sets *sets)
{
    koshu_cuda *cuda = enter(backend);
    static const char doing[] = "groups of particles";
    friends f = {};
    f.task = task;
    f.n = task->n;
    KOSHU_TRY(status_of(cuda, find(cuda, &f), doing));
    if (!allocate(f, sets))
        return koshu_fail_memory(cuda->context, 8 * f.n_sets + 4 * f.n_members,
                                 doing);
    return status_of(cuda, take_sets(cuda, f, sets), doing);
}
