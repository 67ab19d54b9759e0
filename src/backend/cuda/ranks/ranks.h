/* SPDX-License-Identifier: MIT */
/*
 * A rank's partition of direct sums over ranks, as the host's C code sees it:
 * what backend/partition.h says. Functions return 0, or a CUDA error.
 */
#ifndef KOSHU_BACKEND_CUDA_RANKS_RANKS_H
#define KOSHU_BACKEND_CUDA_RANKS_RANKS_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_partition;

int koshu_cuda_partition_create(struct koshu_cuda *cuda, int rank, int n_ranks,
                                struct koshu_cuda_partition **partition);
void koshu_cuda_partition_destroy(struct koshu_cuda_partition *partition);
bool
koshu_cuda_partition_has_capacity(const struct koshu_cuda_partition *partition,
                                  const struct koshu_force_task *task,
                                  size_t total);
int koshu_cuda_partition_reserve(struct koshu_cuda_partition *partition,
                                 const struct koshu_force_task *task,
                                 size_t total);
/* store: the particles of this rank, of `total`, on its device. */
int koshu_cuda_partition_measure(struct koshu_cuda_partition *partition,
                                 const struct koshu_force_task *task,
                                 struct koshu_cuda_store *store, size_t total,
                                 struct koshu_partition_extent *extent,
                                 bool *needs_all);
int koshu_cuda_partition_start(struct koshu_cuda_partition *partition,
                               const struct koshu_partition_extent *all);
int koshu_cuda_partition_sum(struct koshu_cuda_partition *partition);
int koshu_cuda_partition_add(struct koshu_cuda_partition *partition,
                             const struct koshu_partition_range *to,
                             const struct koshu_partition_range *come);
int koshu_cuda_partition_finish(struct koshu_cuda_partition *partition);
int koshu_cuda_partition_wait(struct koshu_cuda_partition *partition);
size_t koshu_cuda_partition_chunks(
        const struct koshu_cuda_partition *partition,
        const struct koshu_partition_range *range,
        struct koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS]);

int koshu_cuda_stage_open(struct koshu_cuda_partition *partition);
void *koshu_cuda_stage_buffer(const struct koshu_cuda_partition *partition,
                              bool out, int k);
int koshu_cuda_stage_start(struct koshu_cuda_partition *partition);
int koshu_cuda_stage_out(struct koshu_cuda_partition *partition, int k,
                         const struct koshu_partition_chunk *from);
int koshu_cuda_stage_in(struct koshu_cuda_partition *partition, int k,
                        const struct koshu_partition_chunk *to);
int
koshu_cuda_stage_wait(struct koshu_cuda_partition *partition, bool out, int k);
int koshu_cuda_stage_finish(struct koshu_cuda_partition *partition);

int koshu_cuda_peer_handle(struct koshu_cuda_partition *partition,
                           struct koshu_partition_handle *handle);
int koshu_cuda_peer_open(struct koshu_cuda_partition *partition,
                         const struct koshu_partition_handle handles[]);
void koshu_cuda_peer_close(struct koshu_cuda_partition *partition);
int koshu_cuda_peer_await(struct koshu_cuda_partition *partition,
                          enum koshu_partition_mark mark);

/* The stream, for nccl.c. */
void *koshu_cuda_partition_stream(const struct koshu_cuda_partition *partition);

#ifdef __cplusplus
}
#endif

#endif
