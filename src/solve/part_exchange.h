/* SPDX-License-Identifier: MIT */
/*
 * Parts of trees from the device of each rank to that of each other
 * (backend/parts.h), by the transports of direct sums: each part to a window
 * that its importer keeps for it. Where one does not fit, all ranks make larger
 * ones, and parts are cut again.
 */
#ifndef KOSHU_SOLVE_PART_EXCHANGE_H
#define KOSHU_SOLVE_PART_EXCHANGE_H

#include "backend/backend.h"

#include "devices/devices.h"

/* Begun as {0} but for the first three. */
struct koshu_part_exchange {
    struct koshu_context *context;
    const struct koshu_part_ops *ops;
    struct koshu_device_arrays *arrays;
    struct koshu_device_all_to_all *traffic;
    koshu_status status; /* of what this rank did in these forces */
    size_t ranks;
    size_t cell_bytes; /* that windows are for */
    char *target; /* of all ranks, one after another; of this one's behind */
    size_t *n_targets;
    struct koshu_part *cut, *come;             /* to and of each rank */
    struct koshu_part_window *window, *theirs; /* for what comes; at others */
    size_t *one;                               /* for each rank */
    size_t capacity_target, capacity_n_targets, capacity_cut, capacity_come,
            capacity_window, capacity_theirs, capacity_one;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be used.
 * free(): whatever came of it. */
koshu_status koshu_part_exchange_open(struct koshu_part_exchange *exchange,
                                      enum koshu_transport transport,
                                      bool one_each);
void koshu_part_exchange_free(struct koshu_part_exchange *exchange);

/* Where this rank's targets are to be, and their number. */
void *
koshu_part_exchange_targets(struct koshu_part_exchange *exchange, size_t **n);

/* What those of all ranks ask for is cut. Then all ranks know how much goes and
 * comes; and then it does, while devices sum. All three are collective: what
 * fails on one rank is told by the next, or by the caller, who asks `status`.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_part_exchange_cut(struct koshu_part_exchange *exchange);
koshu_status koshu_part_exchange_fit(struct koshu_part_exchange *exchange);
koshu_status koshu_part_exchange_move(struct koshu_part_exchange *exchange);

/* Cells and particles that came; bytes that went. */
uint64_t
koshu_part_exchange_imported(const struct koshu_part_exchange *exchange);
uint64_t koshu_part_exchange_bytes(const struct koshu_part_exchange *exchange);

#endif
