/* SPDX-License-Identifier: MIT */
/* Transports: how particles get from the device of one rank to that of another;
 * for exchange.c and all_to_all.c. */
#ifndef KOSHU_DEVICES_TRANSPORTS_H
#define KOSHU_DEVICES_TRANSPORTS_H

#include <koshu/ranks.h>
#include <koshu/solver.h>

#include "base/base.h"
#include "devices/traffic.h"

/* The ranges of a rank's arrays that it sends to one rank, and receives from
 * another. */
struct koshu_step {
    int to, from;
    struct koshu_traffic_range send, receive;
};

/* What a transport works with. */
struct koshu_traffic {
    struct koshu_context *context;
    const struct koshu_traffic_ops *ops;
    struct koshu_device_arrays *arrays;
    struct ncclComm *nccl; /* NULL: not joined */
    bool one_each;         /* no two ranks share a device */
};

/*
 * All functions are collective unless noted. A rank on which one has failed
 * still makes the calls that the others make, to the end of the sum.
 */
struct koshu_transport_ops {
    enum koshu_transport transport;
    const char *name; /* "host-staged" */
    /* Can it be used here? KOSHU_ERROR_UNSUPPORTED, with a message that says
     * why not. To be called again when the arrays have moved. */
    koshu_status (*open)(struct koshu_traffic *traffic);
    /* Called before the arrays move. NULL: there is nothing to close. */
    void (*close)(const struct koshu_traffic *traffic);
    /* Sends the results of work enqueued before; work enqueued afterwards sees
     * what was received. NULL: kernels write directly where it is needed, and
     * await() is set: */
    koshu_status (*exchange)(const struct koshu_traffic *traffic,
                             const struct koshu_step *step);
    /* Work enqueued afterwards waits for this mark of all ranks. All ranks must
     * know that the others have enqueued it. Not collective. */
    koshu_status (*await)(const struct koshu_traffic *traffic, int mark);
};

/* Opens the requested transport; auto: the fastest that can be used.
 * KOSHU_ERROR_UNSUPPORTED: the requested one cannot be used. */
koshu_status koshu_transport_open(struct koshu_traffic *traffic,
                                  enum koshu_transport transport,
                                  const struct koshu_transport_ops **ops);

/* KOSHU_ERROR_UNSUPPORTED, with this reason, if any rank cannot use a
 * transport. Collective. */
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

/* Keeps the first failure of this rank; the rank still does what follows. */
static inline void
koshu_note(koshu_status *status, koshu_status now)
{
    if (*status == KOSHU_OK) *status = now;
}

/* ---- nccl.c -------------------------------------------------------------- */

extern const struct koshu_transport_ops koshu_nccl;

/* To be called before `traffic` goes out of use. */
void koshu_nccl_leave(struct koshu_traffic *traffic);

#endif
