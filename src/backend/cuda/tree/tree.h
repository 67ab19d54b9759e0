/* SPDX-License-Identifier: MIT */
/* Forces by a tree on the device, as the host's C code sees them; see cuda.h
 * for what functions return. */
#ifndef KOSHU_BACKEND_CUDA_TREE_TREE_H
#define KOSHU_BACKEND_CUDA_TREE_TREE_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_tree;

/* Particles of a group, at most. */
#define KOSHU_CUDA_TREE_N_CRIT 64

/*
 * Particles of a leaf, at most, where the caller does not say: cells are 80
 * bytes each. (2^20 particles on an H100, leaves of 16, 24, 32, 40: 3.32, 3.35,
 * 3.38, 3.39 ms; 125, 119, 116, 114 bytes a particle.) They become larger, by
 * quarters, where all that a tree of 2^20 particles or more takes would be more
 * than so many bytes of each: where most cells of a level have a few particles
 * more than n_leaf, they would have eight children with as few each.
 */
#define KOSHU_CUDA_TREE_N_LEAF 32
#define KOSHU_CUDA_TREE_MAX_N_LEAF 128
#define KOSHU_CUDA_TREE_BYTES 110

int
koshu_cuda_tree_create(struct koshu_cuda *cuda, struct koshu_cuda_tree **tree);
void koshu_cuda_tree_destroy(struct koshu_cuda_tree *tree);

/*
 * Accelerations, and potentials where requested, of all particles of a store,
 * which are brought into the order of the tree. n_crit is in range.
 * The relative criterion reads the store's accelerations; where all are 0 the
 * geometric one is taken. *outcome: KOSHU_OK, KOSHU_ERROR_NOT_FINITE;
 * KOSHU_ERROR_UNSUPPORTED: floats do not hold the sums, in whatever units.
 * Waits. After a failure the accelerations are 0.
 */
int koshu_cuda_tree_forces(struct koshu_cuda_tree *tree,
                           struct koshu_cuda_store *store,
                           const struct koshu_force_task *task,
                           const struct koshu_tree_options *options,
                           struct koshu_tree_report *report,
                           koshu_status *outcome);

/*
 * Of the particles k N / sample of the host, k < sample <= N: the accelerations
 * that sums in double give them, and those that the store has, x y z of each; 6
 * sample numbers. Where the device keeps particles does not matter. Waits.
 */
int koshu_cuda_tree_sample(struct koshu_cuda_tree *tree,
                           struct koshu_cuda_store *store, double eps,
                           size_t sample, double *accelerations);

#ifdef __cplusplus
}
#endif

#endif
