/* SPDX-License-Identifier: MIT */
/*
 * The FMM in the backends of several ranks, each with the tree of a domain.
 * What the leaves of a rank ask of another's tree goes there as a part of it, a
 * local essential tree (Warren & Salmon 1995; fmm/essential.c): cells down to
 * those that are far from all of these leaves, with their multipoles, and the
 * particles of leaves.
 */
#ifndef KOSHU_BACKEND_FMM_PARTS_H
#define KOSHU_BACKEND_FMM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/fmm.h"

/* Boxes of leaves, at most. */
enum { KOSHU_FMM_PART_TARGETS = 4096 };

/* Of the particles of all ranks: the unit of charges, and which cells may be
 * far, follow from these. */
struct koshu_fmm_common {
    double side;         /* of the box that they fill */
    double largest_mass; /* |m| */
    uint64_t n;
    double translation; /* what one costs, in pairs: for the work */
};

/* In the caller's memory: what cells and particles are is the backend's. */
struct koshu_fmm_part {
    size_t n_cells, n_particles;
    size_t levels; /* of its tree */
    void *cell, *particle;
};

/*
 * To be called in this order by all ranks, each whatever the others' numbers
 * are. Errors are those of forces() in struct koshu_fmm_engine_ops. From
 * start() to finish(), and after a failure, accelerations and potentials of the
 * store are undefined. Of a box the images that are no cells are not in it.
 */
struct koshu_fmm_parts_ops {
    size_t particle_bytes; /* of one in a part */

    /* The tree of a store, which may have no particles, with multipoles.
     * Fields: as of forces(). Waits. */
    koshu_status (*start)(struct koshu_fmm_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_fmm_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* Of one in a part of this step: the same on all ranks. */
    size_t (*cell_bytes)(const struct koshu_fmm_engine *engine);
    /* Boxes of its leaves. */
    koshu_status (*targets)(
            struct koshu_fmm_engine *engine, size_t *n,
            struct koshu_fmm_target target[KOSHU_FMM_PART_TARGETS]);
    /* For each other rank: the numbers of what leaves in any of n boxes ask of
     * the tree. */
    koshu_status (*cut)(struct koshu_fmm_engine *engine, size_t rank, size_t n,
                        const struct koshu_fmm_target *target,
                        struct koshu_fmm_part *part);
    /* The sums over the tree itself: starts them. Is the device at them? */
    koshu_status (*sum)(struct koshu_fmm_engine *engine);
    bool (*is_summing)(const struct koshu_fmm_engine *engine);
    /* What was cut for a rank, to the part's memory, beside the sums. */
    koshu_status (*fetch)(struct koshu_fmm_engine *engine, size_t rank,
                          const struct koshu_fmm_part *part);
    /* Once: those over n parts of others, some of which may have no cells. */
    koshu_status (*add)(struct koshu_fmm_engine *engine, size_t n,
                        const struct koshu_fmm_part *parts);
    /* Its pairs and translations are the work of each particle of the store, on
     * the device. Waits. */
    koshu_status (*finish)(struct koshu_fmm_engine *engine,
                           struct koshu_fmm_engine_report *report);
};

#endif
