/* SPDX-License-Identifier: MIT */
/* Direct sums over the particles of all ranks, where each rank has a device. */
#ifndef KOSHU_DEVICES_EXCHANGE_H
#define KOSHU_DEVICES_EXCHANGE_H

#include <koshu/solver.h>

#include "base/base.h"
#include "devices/partition.h"

/* This rank's partition, and the transport to the others. */
struct koshu_device_exchange;

/* What a rank contributes. */
struct koshu_device_exchange_options {
    /* NULL: it has no device that can do this */
    const struct koshu_partition_ops *ops;
    struct koshu_backend *backend; /* for ops->create() */
    const char *model;             /* of its device */
    bool one_each;                 /* no two ranks share a device */
    enum koshu_transport transport;
    size_t capacity;                     /* particles at most; 0: 2^28 */
    const struct koshu_force_task *task; /* of the first sums */
};

/*
 * Collective. *exchange becomes NULL where a rank has no such device, or one of
 * another model. KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be
 * used; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_device_exchange_create(
        struct koshu_context *context,
        const struct koshu_device_exchange_options *options,
        struct koshu_device_exchange **exchange);
/* NULL is allowed. All calls must have returned on all ranks. */
void koshu_device_exchange_destroy(struct koshu_device_exchange *exchange);

/* Can so many particles be summed in this way? The same on all ranks. */
bool koshu_device_exchange_can(const struct koshu_device_exchange *exchange,
                               size_t total);

/* The forces on this rank's particles, out of `total`: accelerations, and
 * potentials where `fields` has them. Collective. On return the devices may
 * still be at work on this sum, but not on the one before. */
koshu_status
koshu_device_exchange_forces(struct koshu_device_exchange *exchange,
                             const struct koshu_force_task *task,
                             struct koshu_particles *particles, size_t total,
                             unsigned fields);

/* Seconds of exposed communication: before the sums, and after them. */
double
koshu_device_exchange_exposed(const struct koshu_device_exchange *exchange);

#endif
