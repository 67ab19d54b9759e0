/* SPDX-License-Identifier: MIT */
/* What the device of each rank has for that of each other, of as many bytes as
 * it takes. */
#ifndef KOSHU_DEVICES_ALL_TO_ALL_H
#define KOSHU_DEVICES_ALL_TO_ALL_H

#include <koshu/solver.h>

#include "base/base.h"
#include "devices/traffic.h"

/* This rank's arrays, and the transport to the others'. */
struct koshu_device_all_to_all;

struct koshu_device_all_to_all_options {
    const struct koshu_traffic_ops *ops;
    struct koshu_device_arrays *arrays; /* which outlive this */
    bool one_each;                      /* no two ranks share a device */
    enum koshu_transport transport;
};

/* KOSHU_ERROR_OUT_OF_MEMORY. destroy: NULL is allowed; all calls on all ranks
 * have returned. */
koshu_status koshu_device_all_to_all_create(
        struct koshu_context *context,
        const struct koshu_device_all_to_all_options *options,
        struct koshu_device_all_to_all **all_to_all);
void koshu_device_all_to_all_destroy(struct koshu_device_all_to_all *a);

/* Before the arrays move: others do not write there any more. Then, when they
 * are there again on all ranks, opens the transport. Both are collective.
 * KOSHU_ERROR_UNSUPPORTED: the one that is requested cannot be used. */
koshu_status koshu_device_all_to_all_close(struct koshu_device_all_to_all *a);
koshu_status koshu_device_all_to_all_open(struct koshu_device_all_to_all *a);

/* What this rank has for each other, in array `from`, to theirs; it is there
 * for what is enqueued afterwards. Where devices copy by themselves, `mark` is
 * theirs. Collective. */
koshu_status
koshu_device_all_to_all_move(const struct koshu_device_all_to_all *a, int from,
                             int to, int mark);

#endif
