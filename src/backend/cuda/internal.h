/* SPDX-License-Identifier: MIT */
/* The internals of the CUDA backend, for its files in C. */
#ifndef KOSHU_BACKEND_CUDA_INTERNAL_H
#define KOSHU_BACKEND_CUDA_INTERNAL_H

#include "backend/cuda/cuda.h"
#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_backend {
    struct koshu_backend base; /* first: the two are cast to each other */
    struct koshu_cuda *cuda;
    struct koshu_walk_memory *walk_memory[2]; /* of walks(); NULL: not yet */
};

/* Has one device the fields of this store? */
bool koshu_cuda_keeps(const struct koshu_particles *particles);

/* Several devices, as one backend: n >= 2, all there; one may be listed twice.
 */
koshu_status koshu_cuda_open_several(struct koshu_context *context,
                                     const struct koshu_device_list *list,
                                     struct koshu_backend **backend);

/* A particle store's fields on the device, which is entered.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_cuda_store_of(struct koshu_backend *backend,
                                 struct koshu_particles *particles,
                                 struct koshu_cuda_store **store);

/* The fields that sums, kicks and drifts read and write, to a device copy that
 * the store has. */
koshu_status
koshu_cuda_start_forces(struct koshu_particles *particles, unsigned fields);
koshu_status koshu_cuda_start_kick(struct koshu_particles *particles);
koshu_status koshu_cuda_start_drift(struct koshu_particles *particles);

extern const struct koshu_partition_ops koshu_cuda_partition;

/* Fails with the text of a CUDA error and what was being done; 0 is none. */
koshu_status
koshu_cuda_check(struct koshu_context *context, int error, const char *doing);

extern const struct koshu_block_ops koshu_cuda_block;

/* The limits in force.h of the softening in single and mixed precision. */
bool koshu_cuda_can_soften(enum koshu_precision precision, double eps);

extern const struct koshu_j_store_ops koshu_cuda_j_store_ops;

extern const struct koshu_interaction_ops koshu_cuda_interaction;

extern const struct koshu_walk_memory_ops koshu_cuda_walk_memory;

koshu_status koshu_cuda_walks(struct koshu_backend *backend,
                              const struct koshu_walk_task *task,
                              size_t n_walks, const struct koshu_walks *walks);

extern const struct koshu_tree_ops koshu_cuda_tree_ops;

#ifdef __cplusplus
}
#endif

#endif
