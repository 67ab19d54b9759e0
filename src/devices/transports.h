/* SPDX-License-Identifier: MIT */
/* Transports: how particles go from the device of one rank to that of another;
 * for exchange.c and all_to_all.c. */
#ifndef KOSHU_DEVICES_TRANSPORTS_H
#define KOSHU_DEVICES_TRANSPORTS_H

#include <koshu/ranks.h>
#include <koshu/solver.h>

#include "base/base.h"
#include "devices/traffic.h"

/* Ranges of a rank's arrays that go to a rank, and come from one. */
struct koshu_step {
    int to, from;
    struct koshu_traffic_range send, receive;
};

/* What a transport works with. */
struct koshu_traffic {
    struct koshu_context *context;
    const struct koshu_traffic_ops *ops;
    struct koshu_device_arrays *arrays;
    struct ncclComm *nccl; /* NULL: has not joined */
    bool one_each;         /* no two ranks share a device */
};

/*
 * Collective functions. A rank on which one has failed calls on what the others
 * call, to the end of the sum.
 */
struct koshu_transport_ops {
    enum koshu_transport transport;
    const char *name; /* "host-staged" */
    /* Can it be used here? KOSHU_ERROR_UNSUPPORTED, with a message that says
     * why not. To be called again when the arrays have moved. */
    koshu_status (*open)(struct koshu_traffic *traffic);
    /* Before the arrays move. NULL: there is nothing to close. */
    void (*close)(const struct koshu_traffic *traffic);
    /* What was enqueued before is sent, and what has come is there for what is
     * enqueued afterwards. NULL: kernels write where it is needed, and
     * this is there: */
    koshu_status (*exchange)(const struct koshu_traffic *traffic,
                             const struct koshu_step *step);
    /* What is enqueued afterwards comes after this mark of all ranks, which
     * have agreed that they have enqueued it. Not collective. */
    koshu_status (*await)(const struct koshu_traffic *traffic, int mark);
};

/* Opens the transport that is requested; auto: the fastest that can be used.
 * KOSHU_ERROR_UNSUPPORTED: the one that is requested cannot. */
koshu_status koshu_transport_open(struct koshu_traffic *traffic,
                                  enum koshu_transport transport,
                                  const struct koshu_transport_ops **ops);

/* Can all ranks use a transport, or why not? Collective. */
static inline koshu_status
koshu_transport_can(const struct koshu_traffic *traffic, bool can,
                    const char *why_not)
{
    koshu_status status = KOSHU_OK;
    if (!can)
        status = koshu_fail(traffic->context, KOSHU_ERROR_UNSUPPORTED, "%s",
                            why_not);
    return koshu_ranks_collective_status(traffic->context, status);
}

/* Keeps the first failure of this rank; what follows is done all the same. */
static inline void
koshu_note(koshu_status *status, koshu_status now)
{
    if (*status == KOSHU_OK) *status = now;
}

/* ---- nccl.c -------------------------------------------------------------- */

extern const struct koshu_transport_ops koshu_nccl;

/* Before traffic is no more. */
void koshu_nccl_leave(struct koshu_traffic *traffic);

#endif
