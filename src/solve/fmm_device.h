/* SPDX-License-Identifier: MIT */
/* The FMM of a domain where the backend does all of it: parts of its tree go to
 * other ranks, and theirs are summed (backend/fmm_parts.h), while the device
 * sums over its own. */
#ifndef KOSHU_SOLVE_FMM_DEVICE_H
#define KOSHU_SOLVE_FMM_DEVICE_H

#include "backend/backend.h"
#include "solve/domains.h"
#include "solve/fmm_sides.h"
#include "solve/part_exchange.h"

/* Begun as {0} but for the FMM. */
struct koshu_fmm_device {
    struct koshu_fmm *fmm; /* it has an engine */
    struct koshu_part_exchange parts;
};

/* one_each: no two ranks share a device. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be used.
 * device->parts is to be freed whatever came of it. */
koshu_status koshu_fmm_device_open(struct koshu_fmm_device *device,
                                   enum koshu_transport transport,
                                   bool one_each);

/* The tree of a domain, which may be empty, with multipoles.
 * KOSHU_ERROR_OUT_OF_MEMORY; those of the engine's forces(). */
koshu_status koshu_fmm_device_make(struct koshu_fmm_device *device,
                                   const struct koshu_force_task *task,
                                   const struct koshu_outline *all,
                                   struct koshu_particles *here,
                                   unsigned fields);

/* The sums over the tree, begun, between what device->parts knows of all
 * numbers and what it moves. */
void koshu_fmm_device_sum(struct koshu_fmm_device *device);
/* The sums over the parts that have come, for which the device waited so many
 * seconds: all of them, with the work, are in the store then, and the FMM has
 * its report. */
koshu_status
koshu_fmm_device_finish(struct koshu_fmm_device *device, double *waited);

#endif
