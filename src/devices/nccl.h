/* SPDX-License-Identifier: MIT */
/*
 * NCCL's send and receive. The library is loaded at run time (libnccl.so.2,
 * as packages of NVIDIA and wheels of Python install it): a koshu built without
 * it uses it where it is, and one built beside it runs where it is not. What is
 * needed of it has not changed since NCCL 2.7, the first to have both.
 */
#ifndef KOSHU_DEVICES_NCCL_H
#define KOSHU_DEVICES_NCCL_H

#include "base/base.h"
#include "devices/partition.h"

/* Begun as {0}. */
struct koshu_nccl {
    struct ncclComm *comm; /* NULL: has not joined */
};

/* What identifies the ranks that communicate. */
struct koshu_nccl_group {
    char bytes[128];
};

/* A new group: that of one rank is for all. KOSHU_ERROR_UNSUPPORTED: NCCL is
 * not installed; KOSHU_ERROR_DEVICE: it failed. */
koshu_status
koshu_nccl_group(struct koshu_context *context, struct koshu_nccl_group *group);

/* All ranks of the context, each with its device entered; once.
 * KOSHU_ERROR_UNSUPPORTED: it does not work here. */
koshu_status koshu_nccl_join(struct koshu_context *context,
                             struct koshu_nccl *nccl,
                             const struct koshu_nccl_group *group);

/* n chunks each way; stream: a cudaStream_t. KOSHU_ERROR_DEVICE. */
koshu_status
koshu_nccl_exchange(struct koshu_context *context, struct koshu_nccl *nccl,
                    size_t n, int to, const struct koshu_partition_chunk *send,
                    int from, const struct koshu_partition_chunk *receive,
                    void *stream);

void koshu_nccl_leave(struct koshu_nccl *nccl);

#endif
