/* SPDX-License-Identifier: MIT */
/* The communicator of a context; for devices/ only. */
#ifndef KOSHU_DEVICES_COMMUNICATOR_H
#define KOSHU_DEVICES_COMMUNICATOR_H

#include "devices/devices.h"

struct koshu_communicator;

/* Up to so many ranks, what is known of each fits on the stack: no rank can run
 * out of memory for it while the others wait. */
enum { KOSHU_FEW_RANKS = 1024 };

/* Bytes are sent to a rank, received from one, or broadcast by one to all. */
enum koshu_move { KOSHU_MOVE_SEND, KOSHU_MOVE_RECEIVE, KOSHU_MOVE_BROADCAST };

/* The operations of a kind of communicator. Each implements the function of
 * devices.h of that name, for several ranks and with arguments checked. */
struct koshu_communicator_ops {
    koshu_status (*all_gather)(struct koshu_communicator *c, const void *mine,
                               size_t bytes, void *all);
    /* to_each: as koshu_all_to_all(); otherwise as koshu_all_gather_parts(). */
    koshu_status (*move_parts)(struct koshu_communicator *c, const void *mine,
                               size_t item, const size_t n[], void *all,
                               bool to_each);
    koshu_status (*sum_counts)(struct koshu_communicator *c, uint64_t *counts,
                               size_t n);
    /* other: the rank that sends or receives them. */
    koshu_status (*move)(struct koshu_communicator *c, enum koshu_move how,
                         int other, void *bytes, size_t n);
    koshu_status (*split)(struct koshu_communicator *c, int group,
                          struct koshu_context *context);
    koshu_status (*wait)(struct koshu_communicator *c);
    koshu_status (*transfer_start)(struct koshu_communicator *c,
                                   const struct koshu_transfer *transfer);
    koshu_status (*transfer_progress)(struct koshu_communicator *c);
    koshu_status (*transfer_wait)(struct koshu_communicator *c);
};

/* Each kind of communicator appends its own members. */
struct koshu_communicator {
    const struct koshu_communicator_ops *ops;
    struct koshu_context *context;
    struct koshu_rank_place place;
    int n_here;              /* ranks on this host */
    int host_first;          /* the lowest rank on this host */
    int grid[3];             /* of domains; see koshu_ranks_arrange() */
    const char *transport;   /* its name, in memory that is never freed */
    char transport_text[96]; /* the same, for koshu_ranks_transport() */
};

static inline struct koshu_communicator *
koshu_communicator_of(const struct koshu_context *context)
{
    return koshu_context_communicator(context);
}

#endif
