/* SPDX-License-Identifier: MIT */
/*
 * Ranks and devices: which there are, messages between them, and sums that they
 * share. What devices are to such a sum, and the transports between them, are
 * parts of this header: partition.h, exchange.h, traffic.h, all_to_all.h,
 * team.h.
 *
 * All functions but koshu_send(), koshu_receive() and those of a transfer are
 * collective: every rank of the context calls them, in the same order. In a
 * context of one rank they do the same without MPI. They return
 * KOSHU_ERROR_EXTERNAL, with MPI's message, where MPI failed: the ranks cannot
 * continue then.
 *
 * A rank on which something else has failed still makes the calls that the
 * others make until the end of the phase, where koshu_ranks_collective_status()
 * ends it for all: so no rank waits for one that has returned.
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

/* koshu_ranks_collective_status(), and the flags of all ranks, or-ed. */
koshu_status koshu_collective_status(struct koshu_context *context,
                                     koshu_status status, unsigned *flags);

/* Gathers the same number of bytes from each rank, in the order of ranks. */
koshu_status koshu_all_gather(struct koshu_context *context, const void *mine,
                              size_t bytes, void *all);

/*
 * The same, to memory for all of them: koshu_free() frees *all, whatever is
 * returned. status: of making `mine`, which is that of all ranks then, as for
 * koshu_ranks_collective_status(). purpose: of the memory, "masses of ranks".
 */
koshu_status koshu_gather_ranks(struct koshu_context *context,
                                koshu_status status, const void *mine,
                                size_t bytes, const char *purpose, void **all);

/* n[r] items of so many bytes from rank r, in the order of ranks. */
koshu_status koshu_all_gather_parts(struct koshu_context *context,
                                    const void *mine, size_t item,
                                    const size_t n[], void *all);

/*
 * n[r] items for each rank r are in `mine`, in the order of ranks; `all` gets
 * what each rank has for this one, n[rank] items each, in the order of ranks.
 */
koshu_status koshu_all_to_all(struct koshu_context *context, const void *mine,
                              size_t item, const size_t n[], void *all);

/* Each count becomes the sum of all ranks'. */
koshu_status
koshu_sum_counts(struct koshu_context *context, uint64_t *counts, size_t n);

/* Copies the bytes of rank `from` to all. */
koshu_status
koshu_broadcast(struct koshu_context *context, int from, void *bytes, size_t n);

/* The largest of all ranks' numbers. */
koshu_status koshu_largest(struct koshu_context *context, double *number);

/* Makes `context` of the ranks of a group, in their order, one of these ranks
 * alone. Where the group is negative, it stays as it is. */
koshu_status koshu_split(struct koshu_context *whole, int group,
                         struct koshu_context *context);

/* Returns when all ranks have called it; sleeps until then, so that ranks that
 * still compute have the processors for themselves. */
koshu_status koshu_wait_for_all(struct koshu_context *context);

/* Files are rank 0's. */
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
 * Messages that go to ranks while others come from ranks, and the processor
 * computes. Those between two ranks come in the order in which they are sent,
 * and as they are received: the k-th that the one sends to the other is as long
 * as the k-th that the other receives from it. At most one transfer of a
 * context is under way; the memory is left alone until it is finished. It may
 * be of devices where koshu_transfer_reads_devices(). In a context of one rank
 * there are no messages.
 */
struct koshu_message {
    int rank;    /* to which it goes, or from which it comes */
    void *bytes; /* not written, where it goes */
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
/* To be called now and then: few networks move data by themselves. */
koshu_status koshu_transfer_progress(struct koshu_context *context);
koshu_status koshu_transfer_wait(struct koshu_context *context);

/* Does MPI say of itself that it sends and receives the memory of CUDA devices?
 */
bool koshu_transfer_reads_devices(void);

/* What koshu_ranks_transport() says from now on, before the library; at first
 * it is the host's memory. */
#define KOSHU_HOST_STAGED "host-staged"
void koshu_transfer_is_by(struct koshu_context *context, const char *name);

/* Are all ranks on one host? */
bool koshu_ranks_on_one_host(const struct koshu_context *context);

/* What koshu_ranks_arrange() was given; of one rank 0, 0, 0. */
void koshu_ranks_grid(const struct koshu_context *context, int grid[3]);

/* host[r]: the lowest of the ranks that are on the host of rank r. Collective.
 */
koshu_status koshu_ranks_hosts(struct koshu_context *context, int *host);

/* ---- sharing.c: who has which device ------------------------------------ */

/* The serial number of a device; "": there is none. */
enum { KOSHU_UNIT_NAME = 64 };

/*
 * Does each rank have a device for itself? Warns where a node has fewer devices
 * than ranks, so that some share one, and where only some ranks have one: rank
 * 0, the first time in a process. Collective. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_sharing_look(struct koshu_context *context,
                                const char unit[KOSHU_UNIT_NAME],
                                bool *one_each);

#endif
