/* SPDX-License-Identifier: MIT */
/* All-to-all exchange of arrays on devices, with a different size for each pair
 * of ranks. */
#ifndef KOSHU_DEVICES_ALL_TO_ALL_H
#define KOSHU_DEVICES_ALL_TO_ALL_H

#include <koshu/solver.h>

#include "base/base.h"
#include "devices/traffic.h"

/* This rank's arrays, and the transport to those of the others. */
struct koshu_device_all_to_all;

struct koshu_device_all_to_all_options {
    const struct koshu_traffic_ops *ops;
    struct koshu_device_arrays *arrays; /* they outlive this object */
    bool one_each;                      /* no two ranks share a device */
    enum koshu_transport transport;
};

/* KOSHU_ERROR_OUT_OF_MEMORY. destroy: NULL is allowed; all calls must have
 * returned on all ranks. */
koshu_status koshu_device_all_to_all_create(
        struct koshu_context *context,
        const struct koshu_device_all_to_all_options *options,
        struct koshu_device_all_to_all **all_to_all);
void koshu_device_all_to_all_destroy(struct koshu_device_all_to_all *a);

/* close() before the arrays move: afterwards no other rank writes to them.
 * open() once they are in place again on all ranks: opens the transport. Both
 * are collective. KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be
 * used. */
koshu_status koshu_device_all_to_all_close(struct koshu_device_all_to_all *a);
koshu_status koshu_device_all_to_all_open(struct koshu_device_all_to_all *a);

/* Sends what this rank has for each other rank in array `from` to their array
 * `to`. Work enqueued afterwards sees it. Where devices copy by themselves,
 * they signal `mark` when done. Collective. */
koshu_status
koshu_device_all_to_all_move(const struct koshu_device_all_to_all *a, int from,
                             int to, int mark);

#endif
