/* SPDX-License-Identifier: MIT */
/* Direct sums over the particles of all ranks, where each rank has a device. */
#ifndef KOSHU_DEVICES_EXCHANGE_H
#define KOSHU_DEVICES_EXCHANGE_H

#include <koshu/solver.h>

#include "base/base.h"
#include "devices/partition.h"

/* This rank's partition, and the transport to the others. */
struct koshu_device_exchange;

/* What a rank brings along. */
struct koshu_device_exchange_options {
    const struct koshu_partition_ops *ops; /* NULL: it has no such device */
    struct koshu_backend *backend;         /* for ops->create() */
    const char *model;                     /* of its device */
    bool one_each;                         /* no two ranks share a device */
    enum koshu_transport transport;
    size_t capacity;                     /* particles at most; 0: 2^28 */
    const struct koshu_force_task *task; /* of the first sums */
};

/*
 * Collective. *exchange is NULL where a rank has no such device, or one of
 * another model. KOSHU_ERROR_UNSUPPORTED: the transport that is requested
 * cannot be used; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_device_exchange_create(
        struct koshu_context *context,
        const struct koshu_device_exchange_options *options,
        struct koshu_device_exchange **exchange);
/* NULL is allowed. All calls on all ranks have returned. */
void koshu_device_exchange_destroy(struct koshu_device_exchange *exchange);

/* Are so many particles summed so? The same on all ranks. */
bool koshu_device_exchange_can(const struct koshu_device_exchange *exchange,
                               size_t total);

/* The forces on this rank's particles, of `total`: the accelerations, and the
 * potentials where `fields` has them. Collective. The devices may still be at
 * work: the sum before this one is done. */
koshu_status
koshu_device_exchange_forces(struct koshu_device_exchange *exchange,
                             const struct koshu_force_task *task,
                             struct koshu_particles *particles, size_t total,
                             unsigned fields);

/* Seconds between the call and the sums, and between these and the end. */
double
koshu_device_exchange_exposed(const struct koshu_device_exchange *exchange);

#endif
