/* SPDX-License-Identifier: MIT */
/* The FMM of a domain on a device, where the backend does all of it. Parts of
 * its tree are sent to other ranks, and parts from them are summed
 * (backend/fmm_parts.h), while the device sums over its own tree. */
#ifndef KOSHU_SOLVE_FMM_DEVICE_H
#define KOSHU_SOLVE_FMM_DEVICE_H

#include "backend/backend.h"
#include "solve/domains.h"
#include "solve/fmm_sides.h"
#include "solve/part_exchange.h"

/* Initialised as {0} except for the FMM. */
struct koshu_fmm_device {
    struct koshu_fmm *fmm; /* must have an engine */
    struct koshu_part_exchange parts;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be used. Free
 * device->parts whatever the status. */
koshu_status koshu_fmm_device_open(struct koshu_fmm_device *device,
                                   enum koshu_transport transport,
                                   bool one_each);

/* Builds the tree of a domain, which may be empty, with multipoles.
 * KOSHU_ERROR_OUT_OF_MEMORY; statuses of the engine's forces(). */
koshu_status koshu_fmm_device_make(struct koshu_fmm_device *device,
                                   const struct koshu_force_task *task,
                                   const struct koshu_outline *all,
                                   struct koshu_particles *here,
                                   unsigned fields);

/* Starts the sums over the own tree; to be called between
 * koshu_part_exchange_fit() and koshu_part_exchange_move() of device->parts. */
void koshu_fmm_device_sum(struct koshu_fmm_device *device);
/* Sums over the parts that have arrived. Afterwards the complete sums and the
 * work are in the store, and the FMM has its report. */
koshu_status koshu_fmm_device_finish(struct koshu_fmm_device *device,
                                     struct koshu_part_exposed *exposed);

#endif
