/* SPDX-License-Identifier: MIT */
#include "backend/cuda/tree/walk_kernels.cuh"

template cudaError_t
koshu::launch_walks<koshu::single_precision>(koshu_cuda *cuda,
                                             const tree_view &tree,
                                             const walk_task &task,
                                             walk_memory *memory);
