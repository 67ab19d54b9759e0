/* SPDX-License-Identifier: MIT */
/*
 * A rank's share of direct sums over ranks, as the host's C code sees it: what
 * backend/share.h says. Functions return 0, or a CUDA error.
 */
#ifndef KOSHU_BACKEND_CUDA_RANKS_RANKS_H
#define KOSHU_BACKEND_CUDA_RANKS_RANKS_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_share;

int koshu_cuda_share_create(struct koshu_cuda *cuda, int rank, int n_ranks,
                            struct koshu_cuda_share **share);
void koshu_cuda_share_destroy(struct koshu_cuda_share *share);
bool koshu_cuda_share_has_room(const struct koshu_cuda_share *share,
                               const struct koshu_force_task *task,
                               size_t total);
int koshu_cuda_share_reserve(struct koshu_cuda_share *share,
                             const struct koshu_force_task *task, size_t total);
/* store: the particles of this rank, of `total`, on its device. */
int koshu_cuda_share_measure(struct koshu_cuda_share *share,
                             const struct koshu_force_task *task,
                             struct koshu_cuda_store *store, size_t total,
                             struct koshu_share_extent *extent,
                             bool *needs_all);
int koshu_cuda_share_start(struct koshu_cuda_share *share,
                           const struct koshu_share_extent *all);
int koshu_cuda_share_sum(struct koshu_cuda_share *share);
int koshu_cuda_share_add(struct koshu_cuda_share *share,
                         const struct koshu_share_range *to,
                         const struct koshu_share_range *come);
int koshu_cuda_share_finish(struct koshu_cuda_share *share);
int koshu_cuda_share_wait(struct koshu_cuda_share *share);
size_t
koshu_cuda_share_pieces(const struct koshu_cuda_share *share,
                        const struct koshu_share_range *range,
                        struct koshu_share_piece pieces[KOSHU_SHARE_PIECES]);

int koshu_cuda_stage_open(struct koshu_cuda_share *share);
void *
koshu_cuda_stage_buffer(const struct koshu_cuda_share *share, bool out, int k);
int koshu_cuda_stage_begin(struct koshu_cuda_share *share);
int koshu_cuda_stage_out(struct koshu_cuda_share *share, int k,
                         const struct koshu_share_piece *from);
int koshu_cuda_stage_in(struct koshu_cuda_share *share, int k,
                        const struct koshu_share_piece *to);
int koshu_cuda_stage_wait(struct koshu_cuda_share *share, bool out, int k);
int koshu_cuda_stage_end(struct koshu_cuda_share *share);

int koshu_cuda_peer_handle(struct koshu_cuda_share *share,
                           struct koshu_share_handle *handle);
int koshu_cuda_peer_open(struct koshu_cuda_share *share,
                         const struct koshu_share_handle handles[]);
void koshu_cuda_peer_close(struct koshu_cuda_share *share);
int koshu_cuda_peer_await(struct koshu_cuda_share *share,
                          enum koshu_share_mark mark);

/* The stream, for nccl.c. */
void *koshu_cuda_share_stream(const struct koshu_cuda_share *share);

#ifdef __cplusplus
}
#endif

#endif
