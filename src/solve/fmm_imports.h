/* SPDX-License-Identifier: MIT */
/* Essential trees of an FMM to the other ranks, and theirs as sources. */
#ifndef KOSHU_SOLVE_FMM_IMPORTS_H
#define KOSHU_SOLVE_FMM_IMPORTS_H

#include "devices/devices.h"
#include "solve/fmm_sides.h"

/* Begun as {0}. */
struct koshu_fmm_imports {
    /* Of each rank: what goes to it, what comes from it. */
    struct koshu_fmm_essential *out, *in;
    struct koshu_fmm_target *target; /* of all ranks, one after another */
    size_t *n_targets;               /* of each rank */
    struct koshu_fmm_essential_size {
        uint64_t cells, top, particles;
    } * size; /* of what goes to each rank, then of what comes from it */
    struct koshu_message *messages;
    struct koshu_fmm_forest forest; /* all that have come; may have no roots */
    size_t capacity_out, capacity_in, capacity_target, capacity_n_targets,
            capacity_size, capacity_messages;
    uint64_t bytes_sent;
};

/* What others need of the sources begins to go to them; leaves of these are the
 * targets. There may be no sources. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: too much for one rank. */
koshu_status
koshu_fmm_imports_start(struct koshu_fmm_imports *imports,
                        const struct koshu_fmm *fmm,
                        const struct koshu_fmm_criterion *criterion);
/* Waits until all have come, and makes the forest. */
koshu_status koshu_fmm_imports_wait(struct koshu_fmm_imports *imports,
                                    const struct koshu_fmm *fmm);
void koshu_fmm_imports_free(struct koshu_fmm_imports *imports);

#endif
