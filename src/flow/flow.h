/* SPDX-License-Identifier: MIT */
/*
 * A run of a flow, from its beginning to its end: what koshu/simulation.h is
 * for particles under gravity. Into the output directory go energy.csv, a row
 * of diagnostics per output.log; snapshot_NNNN.hdf5, with snapshot_NNNN.xdmf
 * for ParaView; and checkpoints, from which it goes on bit for bit.
 *
 * Threads: as of a simulation; koshu_flow_request_stop() from any, or a signal
 * handler.
 */
#ifndef KOSHU_FLOW_FLOW_H
#define KOSHU_FLOW_FLOW_H

#include <stdatomic.h>

#include "flow/spectrum.h"
#include "flow/structure.h"
#include "flow/turbulence.h"
#include "io/io.h"
#include "parameters/parameters.h"
#include "simulation/simulation.h"

struct koshu_flow;

/* ---- a method --------------------------------------------------------------
 */

enum { KOSHU_FLOW_COLUMNS = 32 }; /* of a row, at most */

/* What a method of flows does; its state is its own. All are collective but
 * destroy(), describe(), points() and bytes(); what they give to write, and
 * velocities, the first rank gets. */
struct koshu_flow_ops {
    const char *log_header; /* "step,time,...\n" */
    /* The state at the beginning. */
    koshu_status (*create)(struct koshu_flow *flow, void **state);
    void (*destroy)(void *state); /* NULL is allowed */
    koshu_status (*step)(void *state, double dt);
    /* Numbers of the log's columns, without step and time; how many. */
    koshu_status (*log)(void *state, double *row, size_t *n);
    /* How large it is, for the header: "32768 particles". */
    void (*describe)(void *state, size_t size, char *text);
    /* What a checkpoint keeps: numbers, and arrays that stay the state's. */
    koshu_status (*keep)(void *state, struct koshu_flow_file *file);
    /* The state from a checkpoint. */
    koshu_status (*resume)(struct koshu_flow *flow, const char *path,
                           void **state);
    /* The state from a snapshot: what it is then, but for the rates of a step.
     */
    koshu_status (*load)(struct koshu_flow *flow, const char *path,
                         void **state);
    /* Points of a grid, or particles; bytes of memory that a run takes. */
    double (*points)(const void *state);
    double (*bytes)(const void *state);
    /* At n^3 points of the box, 3 n^3 numbers. */
    koshu_status (*velocity)(void *state, size_t n, double *velocity);
    /* Another velocity, at the points of the flow; NULL: it takes none. */
    koshu_status (*set_velocity)(void *state, const double *velocity);
    /* What a snapshot has: arrays that are the file's. */
    koshu_status (*snapshot)(void *state, struct koshu_flow_file *file);
};

extern const struct koshu_flow_ops koshu_vortex_flow; /* vortex_flow.c */

/* What needs Fourier transforms, and so is in libkoshu-fields, which the
 * program hands over: koshu_flow_fields of fields/fields.h. */
struct koshu_flow_fields {
    const struct koshu_flow_ops *spectral;
    /* omega at n^3 points, 3 n^3 numbers, of turbulence. */
    koshu_status (*vorticity)(struct koshu_context *context,
                              const struct koshu_turbulence *turbulence,
                              size_t n, double *omega);
    koshu_status (*filter)(struct koshu_context *context, size_t n,
                           struct koshu_wave_filter **filter);
    /* Of a velocity at n^3 points. */
    koshu_status (*spectrum)(struct koshu_context *context, size_t n,
                             double box, const double *velocity,
                             struct koshu_flow_spectrum *spectrum);
    /* The second invariant of its slopes, n^3 numbers (fields/flow_spectrum.h).
     */
    koshu_status (*invariant)(struct koshu_context *context, size_t n,
                              double box, const double *velocity,
                              double *invariant);
};

/* ---- a run ------------------------------------------------------------------
 */

struct koshu_flow {
    struct koshu_context *context;
    struct koshu_parameters *parameters; /* our copy */
    const struct koshu_parameter_values *values;
    char *text;                             /* of the parameters */
    const struct koshu_flow_fields *fields; /* NULL: not in this build */
    const struct koshu_flow_ops *ops;
    void *state;
    double box;       /* 0: free space */
    double viscosity; /* as given, or of the turbulence: */
    struct koshu_turbulence turbulence;

    double time;
    uint64_t steps, snapshots, rows;
    struct koshu_schedule snapshot_schedule, log_schedule;
    struct koshu_run_lock *lock;
    struct koshu_csv_log *log;
    struct koshu_rotation rotation;
    char newest_checkpoint[KOSHU_PATH_SIZE]; /* "": none yet */
    uint64_t checkpoint_step;                /* UINT64_MAX: none */
    double row[KOSHU_FLOW_COLUMNS];          /* the newest, time first */

    enum koshu_stop stop;
    atomic_int stop_requested;
    double wall_begin, wall_checkpoint, step_seconds;
    uint64_t first_step; /* of this part of the run */
    double first_time;
    bool failed;
};

/* The edge of the box, 0: free space. */
double koshu_flow_box(const struct koshu_flow_values *values);

/* A flow that is neither created nor read: parameters, and what follows from
 * them. As koshu_simulation_create(). */
KOSHU_MUST_CHECK koshu_status koshu_flow_prepare(
        struct koshu_context *context,
        const struct koshu_parameters *parameters,
        const struct koshu_flow_fields *fields, struct koshu_flow **flow);

/* A new run, or with restart one that goes on from its newest checkpoint. As
 * koshu_simulation_create(), koshu_simulation_restart(). */
KOSHU_MUST_CHECK koshu_status
koshu_flow_create(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  const struct koshu_flow_fields *fields, bool restart,
                  bool force, struct koshu_flow **flow);
void koshu_flow_destroy(struct koshu_flow *flow);

/* open.c: the flow of a snapshot, for what is measured of it: flow->ops with
 * flow->state, by the parameters that the file has. KOSHU_ERROR_BAD_INPUT: the
 * file is no snapshot of a flow. As koshu_flow_prepare(). */
KOSHU_MUST_CHECK koshu_status koshu_flow_open(
        struct koshu_context *context, const char *path,
        const struct koshu_flow_fields *fields, struct koshu_flow **flow);

/* A step, and what is then to be written; flow->stop says whether there is
 * another. */
KOSHU_MUST_CHECK koshu_status koshu_flow_advance(struct koshu_flow *flow);

/* The last checkpoint. */
KOSHU_MUST_CHECK koshu_status koshu_flow_finish(struct koshu_flow *flow);

void koshu_flow_request_stop(struct koshu_flow *flow);

/* ---- estimate.c ------------------------------------------------------------
 */

/* As koshu_simulation_estimate(), from a step of a flow that is no finer than
 * 32 points along an edge where it is periodic. e->n: points or particles. */
KOSHU_MUST_CHECK koshu_status koshu_flow_estimate(
        struct koshu_context *context,
        const struct koshu_parameters *parameters,
        const struct koshu_flow_fields *fields, struct koshu_estimate *e);

/* ---- output.c
 * ----------------------------------------------------------------
 */

/* The log of a new run; that of one that goes on after the present step:
 * KOSHU_ERROR_BAD_INPUT where it has fewer rows than the checkpoint counted,
 * unless that is accepted. */
KOSHU_MUST_CHECK koshu_status koshu_flow_create_log(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_open_log(struct koshu_flow *flow,
                                                  bool accept);

/* What is due at the beginning; after a step that began at `before`. */
KOSHU_MUST_CHECK koshu_status koshu_flow_write_first(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_write_due(struct koshu_flow *flow,
                                                   double before);
KOSHU_MUST_CHECK koshu_status
koshu_flow_write_checkpoint(struct koshu_flow *flow);

/* A number or an array more in a file. */
void koshu_flow_file_add_number(struct koshu_flow_file *file, const char *name,
                                double value);
void koshu_flow_file_add_array(struct koshu_flow_file *file, const char *name,
                               size_t n, size_t columns, double *data);
void koshu_flow_file_add_grid(struct koshu_flow_file *file, const char *name,
                              size_t n, size_t columns, double *data);

/* ---- stop.c
 * ------------------------------------------------------------------
 */

/* After a step: into flow->stop. */
KOSHU_MUST_CHECK koshu_status koshu_flow_find_stop(struct koshu_flow *flow);

#endif
