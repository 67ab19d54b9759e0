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
    double last_step;                 /* or part of one; 0: none yet */
    bool warned;                      /* of long steps */
};

/* ---- vortex_parts.c --------------------------------------------------------
 */

/* A step is made in parts, of a sixteenth at least. */
enum { KOSHU_VORTEX_WHOLE = 16 };

/* Sixteenths in the next part, after `done` of a step of dt: so many that it
 * begins at a multiple of its length, and that the strongest vortices turn by
 * flow.turn at most. */
unsigned koshu_vortex_part_after(const struct vortex_flow *flow, double dt,
                                 unsigned done);

/* Sets sigma_0 of new particles, which begin after `done` sixteenths. */
void
koshu_vortex_centre_cores(struct vortex_flow *flow, double dt, unsigned done);

/* ---- vortex_field.c --------------------------------------------------------
 */

/* Particles on the lattice of the box, whose sum is the vorticity of
 * flow.initial. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_begin_field(struct koshu_flow *flow,
                                                       struct vortex_flow *s);

/* ---- vortex_file.c ---------------------------------------------------------
 */

/* koshu_flow_ops.keep and .snapshot. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_keep(void *state,
                                                struct koshu_flow_file *file);
KOSHU_MUST_CHECK koshu_status
koshu_vortex_snapshot(void *state, struct koshu_flow_file *file);

/* Into a flow that has its solver. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_read_checkpoint(struct vortex_flow *flow, const char *path);
KOSHU_MUST_CHECK koshu_status
koshu_vortex_read_snapshot(struct vortex_flow *flow, const char *path);

/* ---- vortex_log.c: rows of energy.csv --------------------------------------
 */

extern const char koshu_vortex_log_header[];

/* A row, n numbers; warns once of steps that are too long. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_write_log(void *state, double *row,
                                                     size_t *n);

#endif
