/* SPDX-License-Identifier: MIT */
/*
 * A run of a flow, from beginning to end: the counterpart of
 * koshu/simulation.h, which is for particles under gravity. The output
 * directory gets energy.csv, a row of diagnostics per output.log;
 * snapshot_NNNN.hdf5 with snapshot_NNNN.xdmf for ParaView; and checkpoints,
 * from which a run continues bit for bit.
 *
 * Threads: as a simulation; koshu_flow_request_stop() may be called from any
 *   thread or a signal handler.
 */
#ifndef KOSHU_FLOW_FLOW_H
#define KOSHU_FLOW_FLOW_H

#include "flow/spectrum.h"
#include "flow/structure.h"
#include "flow/turbulence.h"
#include "io/io.h"
#include "parameters/parameters.h"
#include "simulation/simulation.h"

struct koshu_flow;

/* ---- a method ----------------------------------------------------------- */

enum { KOSHU_FLOW_COLUMNS = 32 }; /* of a row of the log, at most */

/* The operations of a method of simulating flows; its state is its own. All are
 * collective but destroy(), describe(), points() and bytes(). Output and
 * velocities are returned on the first rank only. */
struct koshu_flow_ops {
    const char *log_header; /* "step,time,...\n" */
    /* Creates the initial state. */
    koshu_status (*create)(struct koshu_flow *flow, void **state);
    void (*destroy)(void *state); /* NULL is allowed */
    koshu_status (*step)(void *state, double dt);
    /* Values of the log's columns other than step and time; *n: how many. */
    koshu_status (*log)(void *state, double *row, size_t *n);
    /* The size of the problem, for the log's header: "32768 particles". */
    void (*describe)(void *state, size_t size, char *text);
    /* What a checkpoint stores: numbers, and arrays that the state keeps
     * owning. */
    koshu_status (*keep)(void *state, struct koshu_flow_file *file);
    /* Reads the state from a checkpoint. */
    koshu_status (*resume)(struct koshu_flow *flow, const char *path,
                           void **state);
    /* Reads the state from a snapshot, which has no rates of the last step. */
    koshu_status (*load)(struct koshu_flow *flow, const char *path,
                         void **state);
    /* The number of grid points or particles; bytes of memory that a run takes.
     */
    double (*points)(const void *state);
    double (*bytes)(const void *state);
    /* The velocity at n^3 points of the box, 3 n^3 numbers. */
    koshu_status (*velocity)(void *state, size_t n, double *velocity);
    /* Replaces the velocity at the flow's points; NULL if the method cannot. */
    koshu_status (*set_velocity)(void *state, const double *velocity);
    /* What a snapshot stores; the arrays pass to the file. */
    koshu_status (*snapshot)(void *state, struct koshu_flow_file *file);
};

extern const struct koshu_flow_ops koshu_vortex_flow; /* vortex_flow.c */

/* What needs Fourier transforms, and is therefore in libkoshu-fields. The
 * program passes it in: koshu_flow_fields of fields/fields.h. */
struct koshu_flow_fields {
    const struct koshu_flow_ops *spectral;
    /* The vorticity of turbulence at n^3 points, 3 n^3 numbers. */
    koshu_status (*vorticity)(struct koshu_context *context,
                              const struct koshu_turbulence *turbulence,
                              size_t n, double *omega);
    koshu_status (*filter)(struct koshu_context *context, size_t n,
                           struct koshu_wave_filter **filter);
    /* The energy spectrum of a velocity at n^3 points. */
    koshu_status (*spectrum)(struct koshu_context *context, size_t n,
                             double box, const double *velocity,
                             struct koshu_flow_spectrum *spectrum);
    /* The second invariant of the velocity gradient, n^3 numbers (see
     * fields/flow_spectrum.h). */
    koshu_status (*invariant)(struct koshu_context *context, size_t n,
                              double box, const double *velocity,
                              double *invariant);
};

/* ---- a run -------------------------------------------------------------- */

struct koshu_flow {
    struct koshu_context *context;
    struct koshu_parameters *parameters; /* a copy, owned by the flow */
    const struct koshu_parameter_values *values;
    struct koshu_run run;
    char *text;                             /* of the parameters, as written
                                               to files */
    const struct koshu_flow_fields *fields; /* NULL: not in this build */
    const struct koshu_flow_ops *ops;
    void *state;
    double box;       /* 0: free space */
    double viscosity; /* as given, or from the turbulence: */
    struct koshu_turbulence turbulence;

    double time;
    uint64_t steps, snapshots, rows;
    uint64_t lost_snapshots; /* those whose loss was accepted */
    struct koshu_csv_log *log;
    double row[KOSHU_FLOW_COLUMNS]; /* of the newest row of the log, time
                                       first */
    uint64_t first_step;            /* of this run since its (re)start */
    double first_time;
};

/* The edge of the box, 0: free space. */
double koshu_flow_box(const struct koshu_flow_values *values);

/* flow.precision, as solvers take it. */
enum koshu_precision
koshu_flow_precision(const struct koshu_flow_values *values);

/* Reads the parameters and what follows from them, without creating a state.
 * Status: as koshu_simulation_create(). */
KOSHU_MUST_CHECK koshu_status koshu_flow_prepare(
        struct koshu_context *context,
        const struct koshu_parameters *parameters,
        const struct koshu_flow_fields *fields, struct koshu_flow **flow);

/* A new run, or with `restart` one that continues from its newest checkpoint.
 * Status: as koshu_simulation_create(), koshu_simulation_restart(). */
KOSHU_MUST_CHECK koshu_status
koshu_flow_create(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  const struct koshu_flow_fields *fields, bool restart,
                  bool force, struct koshu_flow **flow);
void koshu_flow_destroy(struct koshu_flow *flow);

/* open.c: opens a snapshot for analysis, with the parameters that it stores;
 * only flow->ops and flow->state are set up. KOSHU_ERROR_BAD_INPUT: the file is
 * no snapshot of a flow. Otherwise as koshu_flow_prepare(). */
KOSHU_MUST_CHECK koshu_status koshu_flow_open(
        struct koshu_context *context, const char *path,
        const struct koshu_flow_fields *fields, struct koshu_flow **flow);

/* Makes a step and writes the output then due; flow->run.stop says whether to
 * go on. */
KOSHU_MUST_CHECK koshu_status koshu_flow_advance(struct koshu_flow *flow);

/* Writes the last checkpoint. */
KOSHU_MUST_CHECK koshu_status koshu_flow_finish(struct koshu_flow *flow);

void koshu_flow_request_stop(struct koshu_flow *flow);

/* ---- estimate.c --------------------------------------------------------- */

/* As koshu_simulation_estimate(), from a step of the flow, in a periodic box at
 * 32 points along an edge at most (more if its turbulence needs them). e->n:
 * points or particles. */
KOSHU_MUST_CHECK koshu_status koshu_flow_estimate(
        struct koshu_context *context,
        const struct koshu_parameters *parameters,
        const struct koshu_flow_fields *fields, struct koshu_estimate *e);

/* ---- output.c ----------------------------------------------------------- */

/* Creates the log of a new run; opens that of a restarted one behind the row of
 * the present step. KOSHU_ERROR_BAD_INPUT: rows or snapshots that the
 * checkpoint has counted are missing, and `accept` is false. */
KOSHU_MUST_CHECK koshu_status koshu_flow_create_log(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_open_log(struct koshu_flow *flow,
                                                  bool accept);

/* Writes the output due at the beginning, and after a step from time
 * `before`. */
KOSHU_MUST_CHECK koshu_status koshu_flow_write_first(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_write_due(struct koshu_flow *flow,
                                                   double before);
KOSHU_MUST_CHECK koshu_status
koshu_flow_write_checkpoint(struct koshu_flow *flow);

/* Adds a number or an array to a file. */
void koshu_flow_file_add_number(struct koshu_flow_file *file, const char *name,
                                double value);
void koshu_flow_file_add_array(struct koshu_flow_file *file, const char *name,
                               size_t n, size_t columns, double *data);
void koshu_flow_file_add_grid(struct koshu_flow_file *file, const char *name,
                              size_t n, size_t columns, double *data);

#endif
