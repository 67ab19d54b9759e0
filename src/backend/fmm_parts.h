/* SPDX-License-Identifier: MIT */
/*
 * The FMM in the backends of several ranks, each with the tree of a domain.
 * What the leaves of a rank ask of another's tree goes there (parts.h;
 * fmm/essential.c; Warren & Salmon 1995): cells down to those that are far from
 * all of these leaves, with their multipoles, and the particles of leaves.
 */
#ifndef KOSHU_BACKEND_FMM_PARTS_H
#define KOSHU_BACKEND_FMM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/fmm.h"
#include "backend/parts.h"
#include "tree/tree.h"

/* Targets of parts: boxes of leaves, at most so many. */
enum { KOSHU_FMM_PART_TARGETS = 4096 };

/* Of the particles of all ranks: the unit of charges, and which cells may be
 * far, follow from these. */
struct koshu_fmm_common {
    double side;                     /* of the box that they fill, which is */
    struct koshu_tree_extent extent; /* the root cell of each rank's tree */
    double largest_mass;             /* |m| */
    uint64_t n;
    double translation; /* what one costs, in pairs: for the work */
};

/*
 * To be called in this order by all ranks, each whatever the others' numbers
 * are. Errors are those of forces() in struct koshu_fmm_engine_ops. From
 * start() to finish(), and after a failure, accelerations and potentials of the
 * store are undefined. Of a box the images that are no cells are not in it.
 */
struct koshu_fmm_parts_ops {
    /* What it has for other ranks, at any time. KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*arrays)(struct koshu_fmm_engine *engine,
                           struct koshu_device_arrays **arrays);
    const struct koshu_part_ops *parts;

    /* The tree of a store, which may have no particles, with multipoles.
     * Fields: as of forces(). Waits. */
    koshu_status (*start)(struct koshu_fmm_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_fmm_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* Boxes of its leaves. Then parts are cut. */
    koshu_status (*targets)(
            struct koshu_fmm_engine *engine, size_t *n,
            struct koshu_fmm_target target[KOSHU_FMM_PART_TARGETS]);
    /* The sums over the tree itself: starts them, where no part has to be cut
     * again; parts come meanwhile. */
    koshu_status (*sum)(struct koshu_fmm_engine *engine);
    /* Those over what has come by then. */
    koshu_status (*add)(struct koshu_fmm_engine *engine);
    /* Its pairs and translations are the work of each particle of the store, on
     * the device, which waited for so many seconds for parts. Waits. */
    koshu_status (*finish)(struct koshu_fmm_engine *engine,
                           struct koshu_fmm_engine_report *report,
                           double *waited);
};

#endif
