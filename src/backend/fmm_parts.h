/* SPDX-License-Identifier: MIT */
/*
 * The FMM over several ranks, each with the tree of one domain in its backend.
 * The part of a rank's tree that the leaves of another rank need is sent there
 * (parts.h; fmm/essential.c; Warren & Salmon 1995): cells, with their
 * multipoles, down to those that are well separated from all of these leaves,
 * and the particles of leaves.
 */
#ifndef KOSHU_BACKEND_FMM_PARTS_H
#define KOSHU_BACKEND_FMM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/fmm.h"
#include "backend/parts.h"
#include "tree/tree.h"

/* The targets of parts are boxes of leaves; this is their largest number. */
enum { KOSHU_FMM_PART_TARGETS = 4096 };

/* Properties of the particles of all ranks, which determine the unit of charge
 * and which cells are well separated. */
struct koshu_fmm_common {
    double side;                     /* of the bounding box, which is */
    struct koshu_tree_extent extent; /* the root cell of each rank's tree */
    double largest_mass;             /* |m| */
    uint64_t n;
    double translation; /* cost of a translation in pairs, for the work of
                         * particles */
};

/*
 * All ranks call these functions in this order, however many particles each
 * has. Errors are those of forces() in struct koshu_fmm_engine_ops. From
 * start() to finish(), and after an error, accelerations and potentials of the
 * store are undefined. In a periodic box, the field of images that are not
 * treated as cells is not included.
 */
struct koshu_fmm_parts_ops {
    /* The arrays that the engine exchanges with other ranks; may be called at
     * any time. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*arrays)(struct koshu_fmm_engine *engine,
                           struct koshu_device_arrays **arrays);
    const struct koshu_part_ops *parts;

    /* Builds the tree of a store, which may have no particles, and starts its
     * multipoles and lists, beside which parts are cut. Fields: as in forces().
     * Waits. */
    koshu_status (*start)(struct koshu_fmm_engine *engine,
                          const struct koshu_force_task *task,
                          const struct koshu_fmm_common *common,
                          struct koshu_particles *particles, unsigned fields);
    /* The boxes of its leaves. Parts are cut after this call. */
    koshu_status (*targets)(
            struct koshu_fmm_engine *engine, size_t *n,
            struct koshu_fmm_target target[KOSHU_FMM_PART_TARGETS]);
    /* Starts the sums over the rank's own tree, once no part has to be cut
     * again; parts of other ranks arrive meanwhile. */
    koshu_status (*sum)(struct koshu_fmm_engine *engine);
    /* Adds the sums over the parts that have arrived since. */
    koshu_status (*add)(struct koshu_fmm_engine *engine);
    /* Finishes. Pairs and translations become the work of each particle of the
     * store, on the device. Waits. */
    koshu_status (*finish)(struct koshu_fmm_engine *engine,
                           struct koshu_fmm_engine_report *report,
                           struct koshu_part_exposed *exposed);
};

#endif
