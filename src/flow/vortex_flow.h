/* SPDX-License-Identifier: MIT */
/* The state of a flow of vortex particles. Internal to src/flow. */
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
    struct koshu_wave_filter *filter; /* NULL in free space */
    struct koshu_vortex_fit fit;      /* of the last remeshing */
    double last_step;                 /* length of the last step, or part of
                                         one; 0: none yet */
    bool warned;                      /* that steps are too long */
};

/* ---- vortex_parts.c ----------------------------------------------------- */

/* A step is divided into parts of a sixteenth or a multiple. */
enum { KOSHU_VORTEX_WHOLE = 16 };

/* The number of sixteenths in the part that follows the first `done` of a step
 * of dt: the largest power of 2 for which the part begins at a multiple of its
 * own length and the strongest vortices turn by no more than flow.turn. */
unsigned koshu_vortex_part_after(const struct vortex_flow *flow, double dt,
                                 unsigned done);

/* Sets sigma_0 of the particles created after `done` sixteenths of a step. */
void
koshu_vortex_centre_cores(struct vortex_flow *flow, double dt, unsigned done);

/* ---- vortex_field.c ----------------------------------------------------- */

/* Particles on the lattice of the box whose sum is the vorticity of
 * flow.initial. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_begin_field(struct koshu_flow *flow,
                                                       struct vortex_flow *s);

/* ---- vortex_file.c ------------------------------------------------------ */

/* koshu_flow_ops.keep and .snapshot. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_keep(void *state,
                                                struct koshu_flow_file *file);
KOSHU_MUST_CHECK koshu_status
koshu_vortex_snapshot(void *state, struct koshu_flow_file *file);

/* Reads into a flow that already has its solver. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_read_checkpoint(struct vortex_flow *flow, const char *path);
KOSHU_MUST_CHECK koshu_status
koshu_vortex_read_snapshot(struct vortex_flow *flow, const char *path);

/* ---- vortex_log.c: rows of energy.csv ----------------------------------- */

extern const char koshu_vortex_log_header[];

/* Fills a row of the log, n numbers; warns once if steps are too long. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_write_log(void *state, double *row,
                                                     size_t *n);

#endif
