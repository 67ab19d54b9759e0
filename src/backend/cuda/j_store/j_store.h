/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store on the device, as the host's C code sees it; what
 * the functions do stands at struct koshu_j_store_ops, and what they return
 * in cuda.h.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_J_STORE_H
#define KOSHU_BACKEND_CUDA_J_STORE_J_STORE_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_j_store;

int koshu_cuda_j_store_create(struct koshu_cuda *cuda,
                              enum koshu_precision precision, size_t capacity,
                              struct koshu_cuda_j_store **memory);
void koshu_cuda_j_store_destroy(struct koshu_cuda_j_store *memory);

int
koshu_cuda_j_store_reserve(struct koshu_cuda_j_store *memory, size_t capacity);

/* Addresses of one call differ. Does not wait. */
int koshu_cuda_j_store_set(struct koshu_cuda_j_store *memory, size_t n,
                           const uint64_t *address,
                           const struct koshu_j_particle *particles);

/* What sums in floats measure lengths with. */
double koshu_cuda_j_store_length(const struct koshu_cuda_j_store *memory);

/* n_j, n_i > 0. Does not wait. */
int koshu_cuda_j_store_start(struct koshu_cuda_j_store *memory,
                             const struct koshu_jerk_task *task, double time,
                             size_t n_j, size_t n_i,
                             const struct koshu_i_particle *i);
int koshu_cuda_j_store_wait(struct koshu_cuda_j_store *memory,
                            struct koshu_jerk_result *result);
int koshu_cuda_j_store_neighbours(struct koshu_cuda_j_store *memory, size_t max,
                                  uint64_t *count, uint64_t *address);

#ifdef __cplusplus
}
#endif

#endif
