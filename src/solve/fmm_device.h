/* SPDX-License-Identifier: MIT */
/* The FMM of a domain where the backend does all of it: parts of its tree go to
 * other ranks, and theirs are summed (backend/fmm_parts.h). */
#ifndef KOSHU_SOLVE_FMM_DEVICE_H
#define KOSHU_SOLVE_FMM_DEVICE_H

#include "backend/backend.h"
#include "solve/domains.h"
#include "solve/fmm_sides.h"
#include "solve/part_imports.h"

/* Begun as {0} but for the FMM. */
struct koshu_fmm_device {
    struct koshu_part_imports imports;
    struct koshu_fmm *fmm; /* it has an engine */
    struct koshu_fmm_target target[KOSHU_FMM_PART_TARGETS]; /* its leaves */
    size_t n_targets;
    struct koshu_fmm_part *cut; /* numbers of what goes to each rank */
    size_t capacity_cut;
    double summing_since; /* koshu_now() */
};

/* The tree of a domain, which may be empty, with multipoles.
 * KOSHU_ERROR_OUT_OF_MEMORY; those of the engine's forces(). */
koshu_status koshu_fmm_device_make(struct koshu_fmm_device *device,
                                   const struct koshu_force_task *task,
                                   const struct koshu_outline *all,
                                   struct koshu_particles *here,
                                   unsigned fields);

/* The sums over the tree begin, since device->summing_since, and its parts to
 * go to the others. Collective. As of koshu_imports_start(), and make(). */
koshu_status koshu_fmm_device_start_imports(struct koshu_fmm_device *device);

/* The sums over the parts that have come: all of them, with the work, are in
 * the store then, and the FMM has its report. */
bool koshu_fmm_device_is_summing(const struct koshu_fmm_device *device);
koshu_status koshu_fmm_device_finish(struct koshu_fmm_device *device);

void koshu_fmm_device_free(struct koshu_fmm_device *device);

#endif
