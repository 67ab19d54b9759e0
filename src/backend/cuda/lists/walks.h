/* SPDX-License-Identifier: MIT */
/* Walks on the device, as the host's C code sees them; see cuda.h. */
#ifndef KOSHU_BACKEND_CUDA_LISTS_WALKS_H
#define KOSHU_BACKEND_CUDA_LISTS_WALKS_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in struct koshu_walk_memory_ops. */
size_t koshu_cuda_walk_bytes(const struct koshu_cuda *cuda);
int koshu_cuda_walks_create(struct koshu_cuda *cuda,
                            const struct koshu_walk_capacity *capacity,
                            bool split, struct koshu_walk_memory **memory);
void koshu_cuda_walks_destroy(struct koshu_walk_memory *memory);
int koshu_cuda_walks_start_clock(struct koshu_cuda *cuda);

int koshu_cuda_walks_start(struct koshu_walk_memory *memory,
                           const struct koshu_walk_task *task, size_t n_walks);
int koshu_cuda_walks_wait(struct koshu_walk_memory *memory,
                          struct koshu_walk_times *times);

#ifdef __cplusplus
}
#endif

#endif
