/* SPDX-License-Identifier: MIT */
/* A flow by vortex particles; for src/flow alone. */
#ifndef KOSHU_FLOW_VORTEX_FLOW_H
#define KOSHU_FLOW_VORTEX_FLOW_H

#include <stdbool.h>

#include "flow/flow.h"
#include "vortex/vortex.h"

struct vortex_flow {
    struct koshu_context *context;
    const struct koshu_flow_values *values;
    struct koshu_vortex_flow rules; /* of a step */
    struct koshu_vortex_remeshing remeshing;
    struct koshu_vortices *vortices;
    struct koshu_vortex_solver *solver;
    struct koshu_wave_filter *filter; /* NULL: in free space */
    struct koshu_vortex_fit fit;      /* the last */
    double last_step;                 /* how long it was; 0: none yet */
    bool warned;                      /* of long steps */
};

/* ---- vortex_log.c: rows of energy.csv --------------------------------------
 */

extern const char koshu_vortex_log_header[];

/* A row, n numbers; warns once of steps that are too long. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_write_log(void *state, double *row,
                                                     size_t *n);

#endif
