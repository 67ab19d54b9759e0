/* SPDX-License-Identifier: MIT */
/*
 * Sends parts of trees from the device of each rank to those of all others
 * (backend/parts.h), by the same transports as direct sums. Each importer keeps
 * a window for each part. If a part does not fit, all ranks enlarge their
 * windows and the parts are cut again.
 */
#ifndef KOSHU_SOLVE_PART_EXCHANGE_H
#define KOSHU_SOLVE_PART_EXCHANGE_H

#include "backend/backend.h"

#include "devices/devices.h"

/* Initialised as {0} except for the first three. */
struct koshu_part_exchange {
    struct koshu_context *context;
    const struct koshu_part_ops *ops;
    struct koshu_device_arrays *arrays;
    struct koshu_device_all_to_all *traffic;
    koshu_status status; /* of this rank's part in the present forces */
    size_t ranks;
    size_t cell_bytes; /* for which the windows were made */
    char *target;      /* targets of all ranks in turn, then this rank's own */
    size_t *n_targets;
    struct koshu_part *cut, *come; /* to send to and receive from each rank */
    struct koshu_part_window *window, *theirs; /* here; on the other ranks */
    size_t *one;                               /* the number 1 for each rank */
    size_t capacity_target, capacity_n_targets, capacity_cut, capacity_come,
            capacity_window, capacity_theirs, capacity_one;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be used. Call free()
 * whatever the status. */
koshu_status koshu_part_exchange_open(struct koshu_part_exchange *exchange,
                                      enum koshu_transport transport,
                                      bool one_each);
void koshu_part_exchange_free(struct koshu_part_exchange *exchange);

/* Where to write this rank's targets, and their number. */
void *
koshu_part_exchange_targets(struct koshu_part_exchange *exchange, size_t **n);

/* First cuts the parts that the targets of all ranks need. Then exchanges their
 * sizes among all ranks, and then moves them while devices sum. All three are
 * collective. A failure on one rank is returned by the next of these calls, or
 * found by the caller in `status`. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_part_exchange_cut(struct koshu_part_exchange *exchange);
koshu_status koshu_part_exchange_fit(struct koshu_part_exchange *exchange);
koshu_status koshu_part_exchange_move(struct koshu_part_exchange *exchange);

/* Number of cells and particles received; bytes sent. */
uint64_t
koshu_part_exchange_imported(const struct koshu_part_exchange *exchange);
uint64_t koshu_part_exchange_bytes(const struct koshu_part_exchange *exchange);

#endif
