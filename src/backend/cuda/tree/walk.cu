/* SPDX-License-Identifier: MIT */
#include "backend/cuda/tree/walk.cuh"

namespace koshu {

template <class P>
cudaError_t launch_walks(koshu_cuda *cuda, const tree_view &tree,
                         const walk_task &task, walk_memory *memory);

} /* namespace koshu */

size_t
koshu::walk_bytes(const koshu_cuda *cuda, unsigned levels)
{
    const size_t warps =
            (size_t)cuda->multiprocessors * WALK_BLOCKS * WALK_WARPS;
    return warps * stack_capacity(levels) * sizeof(siblings);
}

cudaError_t
koshu::walk_tree(koshu_cuda *cuda, const tree_view &tree, const walk_task &task,
                 walk_memory *memory)
{
    if (task.mixed)
        return launch_walks<mixed_precision>(cuda, tree, task, memory);
    if (task.fast)
        return launch_walks<fast_precision>(cuda, tree, task, memory);
    return launch_walks<single_precision>(cuda, tree, task, memory);
}
