/* SPDX-License-Identifier: MIT */
/*
 * A memory of j-particles on the device, as the host's C code sees it; what
 * the functions do is said at struct koshu_j_memory_ops, and what they return
 * in cuda.h.
 */
#ifndef KOSHU_BACKEND_CUDA_J_MEMORY_J_MEMORY_H
#define KOSHU_BACKEND_CUDA_J_MEMORY_J_MEMORY_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_j_memory;

int koshu_cuda_j_memory_create(struct koshu_cuda *cuda,
                               enum koshu_precision precision, size_t capacity,
                               struct koshu_cuda_j_memory **memory);
void koshu_cuda_j_memory_destroy(struct koshu_cuda_j_memory *memory);

int koshu_cuda_j_memory_reserve(struct koshu_cuda_j_memory *memory,
                                size_t capacity);

/* Addresses of one call differ. Does not wait. */
int koshu_cuda_j_memory_set(struct koshu_cuda_j_memory *memory, size_t n,
                            const uint64_t *address,
                            const struct koshu_j_particle *particles);

/* What sums in floats measure lengths with. */
double koshu_cuda_j_memory_length(const struct koshu_cuda_j_memory *memory);

/* n_j, n_i > 0. Does not wait. */
int koshu_cuda_j_memory_begin(struct koshu_cuda_j_memory *memory,
                              const struct koshu_jerk_task *task, double time,
                              size_t n_j, size_t n_i,
                              const struct koshu_i_particle *i);
int koshu_cuda_j_memory_end(struct koshu_cuda_j_memory *memory,
                            struct koshu_jerk_result *result);
int koshu_cuda_j_memory_neighbours(struct koshu_cuda_j_memory *memory,
                                   size_t most, uint64_t *count,
                                   uint64_t *address);

#ifdef __cplusplus
}
#endif

#endif
