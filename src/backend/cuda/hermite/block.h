/* SPDX-License-Identifier: MIT */
/* Block time steps on the device, as the host's C code sees them; see cuda.h
 * for what functions return. */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_BLOCK_H
#define KOSHU_BACKEND_CUDA_HERMITE_BLOCK_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_block;

/* The largest number of particles of an engine: parts of work are counted in 32
 * bits. */
#define KOSHU_CUDA_BLOCK_MAX_N ((size_t)1 << 28)

/* The level of a particle whose step would be shorter than a tick. */
#define KOSHU_CUDA_BLOCK_NO_STEP 255

/* Copies the particles, which stand in the middle of block steps: all of one
 * step at the same time. level: the steps' powers of two; time: of the last
 * block step. */
int koshu_cuda_block_create(struct koshu_cuda *cuda,
                            const struct koshu_block_task *task,
                            const struct koshu_block_particles *particles,
                            const uint8_t *level, uint64_t time,
                            struct koshu_cuda_block **block);
void koshu_cuda_block_destroy(struct koshu_cuda_block *block);

/* See koshu_block_ops. *outcome: KOSHU_OK, KOSHU_ERROR_NOT_FINITE,
 * KOSHU_ERROR_BAD_INPUT. Waits. */
int koshu_cuda_block_run(struct koshu_cuda_block *block, uint64_t until,
                         uint64_t max_block_steps,
                         struct koshu_block_progress *progress,
                         koshu_status *outcome);

/* Copies all but mass, tick and step; those follow from `level` and `time`. */
int koshu_cuda_block_read(struct koshu_cuda_block *block,
                          const struct koshu_block_particles *particles,
                          uint8_t *level, uint64_t *time);

#ifdef __cplusplus
}
#endif

#endif
