/* SPDX-License-Identifier: MIT */
/* Direct sums over the particles of all ranks, where each rank has a device;
 * for solver.c. */
#ifndef KOSHU_SOLVE_DEVICE_EXCHANGE_H
#define KOSHU_SOLVE_DEVICE_EXCHANGE_H

#include "backend/backend.h"
#include "solve/solve.h"

/* This rank's partition, and the transport to the others. */
struct koshu_device_exchange;

/*
 * Collective. *exchange is NULL where a rank has no such device, or one of
 * another model: then sums go by exchange.h. one_each: no two ranks share a
 * device. KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be
 * used; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_device_exchange_create(struct koshu_backend *backend,
                             const struct koshu_solver_options *options,
                             bool one_each,
                             struct koshu_device_exchange **exchange);
/* NULL is allowed. All calls on all ranks have returned. */
void koshu_device_exchange_destroy(struct koshu_device_exchange *exchange);

/* Are so many particles summed so? The same on all ranks. */
bool koshu_device_exchange_can(const struct koshu_device_exchange *exchange,
                               size_t total);

/* As koshu_rank_exchange_forces(), but that the devices may still be at work:
 * the sum before this one is done. */
koshu_status
koshu_device_exchange_forces(struct koshu_device_exchange *exchange,
                             const struct koshu_force_task *task,
                             struct koshu_particles *particles,
                             unsigned fields);

/* Seconds between the call and the sums, and between these and the end. */
double
koshu_device_exchange_exposed(const struct koshu_device_exchange *exchange);

#endif
