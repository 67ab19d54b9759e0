/* SPDX-License-Identifier: MIT */
/*
 * Ranks and devices: which there are, messages between ranks, and sums
 * distributed over them. partition.h (a device's part of such a sum),
 * exchange.h, traffic.h, all_to_all.h and team.h are parts of this header.
 *
 * All functions but koshu_send(), koshu_receive() and those of a transfer are
 * collective: every rank of the context calls them, in the same order. In a
 * context of one rank they do the same without MPI. They return
 * KOSHU_ERROR_EXTERNAL, with MPI's message, where MPI failed; the ranks cannot
 * continue then.
 *
 * A rank on which something else has failed still makes the calls that the
 * others make until the end of the phase. There koshu_ranks_collective_status()
 * ends it on all ranks, so that no rank waits for one that has returned.
 */
#ifndef KOSHU_DEVICES_DEVICES_H
#define KOSHU_DEVICES_DEVICES_H

#include <koshu/ranks.h>

#include "base/base.h"
#include "devices/all_to_all.h"
#include "devices/exchange.h"
#include "devices/partition.h"
#include "devices/team.h"
#include "devices/traffic.h"

/* ---- collect.c: all to all ---------------------------------------------- */

/* koshu_ranks_collective_status(), and *flags becomes the bitwise or of all
 * ranks' flags. */
koshu_status koshu_collective_status(struct koshu_context *context,
                                     koshu_status status, unsigned *flags);

/* Gathers the same number of bytes from each rank, in the order of ranks. */
koshu_status koshu_all_gather(struct koshu_context *context, const void *mine,
                              size_t bytes, void *all);

/*
 * The same, into memory allocated for all ranks: free *all by koshu_free(),
 * whatever the status. status: of making `mine`; if it is a failure on any
 * rank, all ranks return it, as from koshu_ranks_collective_status(). purpose:
 * of the memory, "masses of ranks".
 */
koshu_status koshu_gather_ranks(struct koshu_context *context,
                                koshu_status status, const void *mine,
                                size_t bytes, const char *purpose, void **all);

/* Gathers n[r] items of so many bytes from rank r, in the order of ranks. */
koshu_status koshu_all_gather_parts(struct koshu_context *context,
                                    const void *mine, size_t item,
                                    const size_t n[], void *all);

/*
 * `mine` has n[r] items for each rank r, in the order of ranks; `all` gets the
 * n[rank] items that each rank has for this one, in the order of ranks.
 */
koshu_status koshu_all_to_all(struct koshu_context *context, const void *mine,
                              size_t item, const size_t n[], void *all);

/* Each count becomes the sum of that count over all ranks. */
koshu_status
koshu_sum_counts(struct koshu_context *context, uint64_t *counts, size_t n);

/* Copies the bytes of rank `from` to all ranks. */
koshu_status
koshu_broadcast(struct koshu_context *context, int from, void *bytes, size_t n);

/* *number becomes the largest of all ranks. */
koshu_status koshu_largest(struct koshu_context *context, double *number);

/* Turns `context` from one of this rank alone into one of the ranks with the
 * same group, in their order. Where the group is negative, it stays as it
 * is. */
koshu_status koshu_split(struct koshu_context *whole, int group,
                         struct koshu_context *context);

/* Returns when all ranks have called it; sleeps until then, which leaves the
 * processors to ranks that still compute. */
koshu_status koshu_wait_for_all(struct koshu_context *context);

/* Rank 0 writes the files. */
static inline bool
koshu_is_first_rank(const struct koshu_context *context)
{
    return koshu_context_rank(context) == 0;
}

/* ---- from one to another; not in a context of one rank ------------------ */

koshu_status
koshu_send(struct koshu_context *context, int to, const void *bytes, size_t n);
koshu_status
koshu_receive(struct koshu_context *context, int from, void *bytes, size_t n);

/*
 * Messages to and from other ranks, while the processor computes. Messages
 * between two ranks are matched in order: the k-th that one sends must be as
 * long as the k-th that the other receives from it. A context has at most one
 * transfer under way; do not touch its memory until it is finished. The memory
 * may be a device's where koshu_transfer_reads_devices(). In a context of one
 * rank there are no messages.
 */
struct koshu_message {
    int rank;    /* destination or source */
    void *bytes; /* only read, where it is sent */
    size_t n;    /* 0: none */
};

struct koshu_messages {
    size_t n;
    const struct koshu_message *message;
};

struct koshu_transfer {
    struct koshu_messages out, in;
};

koshu_status koshu_transfer_start(struct koshu_context *context,
                                  const struct koshu_transfer *transfer);
/* Call it now and then: few networks make progress by themselves. */
koshu_status koshu_transfer_progress(struct koshu_context *context);
koshu_status koshu_transfer_wait(struct koshu_context *context);

/* Does MPI report that it sends and receives memory of CUDA devices? */
bool koshu_transfer_reads_devices(void);

/* Sets the transport that koshu_ranks_transport() names, before the name of the
 * library; at first it is "host-staged". */
#define KOSHU_HOST_STAGED "host-staged"
void koshu_transfer_is_by(struct koshu_context *context, const char *name);

/* Are all ranks on one host? */
bool koshu_ranks_on_one_host(const struct koshu_context *context);

/* The grid given to koshu_ranks_arrange(); 0, 0, 0 for one rank. */
void koshu_ranks_grid(const struct koshu_context *context, int grid[3]);

/* host[r] becomes the lowest rank on the host of rank r. Collective. */
koshu_status koshu_ranks_hosts(struct koshu_context *context, int *host);

/* ---- sharing.c: who has which device ------------------------------------ */

/* The serial number of a device; "": there is none. */
enum { KOSHU_UNIT_NAME = 64 };

/*
 * Does each rank have a device of its own? In a process's first call, rank 0
 * warns where a node has fewer devices than ranks, so that some share one, and
 * where only some ranks have a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_sharing_look(struct koshu_context *context,
                                const char unit[KOSHU_UNIT_NAME],
                                bool *one_each);

#endif
