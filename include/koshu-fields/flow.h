/* SPDX-License-Identifier: MIT */
/*
 * Flows of incompressible fluids, by vortex particles or by the spectral
 * method: runs with files and in memory, and what is measured of them.
 *
 *     koshu_flow_run_create(context, parameters, false, false, &flow);
 *     while (koshu_flow_run_stopped(flow) == KOSHU_STOP_NONE)
 *         koshu_flow_run_advance(flow);
 *     koshu_flow_run_finish(flow);
 *
 * A velocity at n^3 points of a periodic box is 3 n^3 numbers: u_x, then u_y,
 * then u_z, each with point (i, j, l) at (i n + j) n + l, where x = (i, j, l)
 * box / n. Numbers are in any consistent units.
 *
 * A part of libkoshu-fields, which is linked by what is built with koshu.
 *
 * Threads: objects of one context by one thread at a time, but for
 * koshu_flow_run_request_stop().
 */
#ifndef KOSHU_FIELDS_FLOW_H
#define KOSHU_FIELDS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/parameters.h>
#include <koshu/simulation.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- runs: flow_run.c ------------------------------------------------------
 */

struct koshu_flow;

/*
 * A run of parameters with a flow.method, as `koshu run` makes it: a new one,
 * which with force removes an earlier run's output, or with restart one that
 * goes on from its newest checkpoint, and with force accepts other physics.
 * Ownership: the caller destroys it, before the context.
 * Status: as koshu_simulation_create() and koshu_simulation_restart();
 * KOSHU_ERROR_BAD_INPUT: flow.method is none.
 */
KOSHU_MUST_CHECK koshu_status
koshu_flow_run_create(struct koshu_context *context,
                      const struct koshu_parameters *parameters, bool restart,
                      bool force, struct koshu_flow **flow);

/* The flow that such a run begins with, in memory: it writes no files. The same
 * of a snapshot, as the run went on from it. As koshu_flow_run_create();
 * KOSHU_ERROR_BAD_INPUT: the file is no snapshot of a flow. */
KOSHU_MUST_CHECK koshu_status koshu_flow_run_begin(
        struct koshu_context *context,
        const struct koshu_parameters *parameters, struct koshu_flow **flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_run_open(struct koshu_context *context,
                                                  const char *path,
                                                  struct koshu_flow **flow);

/* NULL is allowed. */
void koshu_flow_run_destroy(struct koshu_flow *flow);

/*
 * A step of integrator.dt, and the files that are due; of a flow in memory, a
 * step of dt.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: the run has come to its end, dt is not
 * above 0, or a flow of one kind is given for one of the other;
 * KOSHU_ERROR_NOT_FINITE: steps are too long; KOSHU_ERROR_IO;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_run_advance(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_run_step(struct koshu_flow *flow,
                                                  double dt);

/* A checkpoint now; the last one, and the log on the disk. Of a run with files,
 * and as it. */
KOSHU_MUST_CHECK koshu_status
koshu_flow_run_checkpoint(struct koshu_flow *flow);
KOSHU_MUST_CHECK koshu_status koshu_flow_run_finish(struct koshu_flow *flow);

/* The run stops after the present step; from any thread. */
void koshu_flow_run_request_stop(struct koshu_flow *flow);

/* KOSHU_STOP_NONE: there is another step. */
enum koshu_stop koshu_flow_run_stopped(const struct koshu_flow *flow);

/* What a flow is, and how far. It grows with koshu. */
struct koshu_flow_progress {
    const char *method;    /* "spectral" or "vortex" */
    size_t n;              /* points along the edge of a periodic box */
    double box, viscosity; /* box 0: free space */
    double time, end, seconds;
    uint64_t step, snapshots, rows;
    double points;       /* of the grid, or particles */
    const char *columns; /* of energy.csv: "step,time,energy,..." */
    /* Of turbulence at the beginning, else 0: docs/turbulence.md. */
    double speed, length, turnover, reynolds, resolution;
};
void koshu_flow_run_progress(const struct koshu_flow *flow,
                             struct koshu_flow_progress *progress);

/* What energy.csv would have now: the columns from `time` on, max at most, and
 * how many. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_flow_run_row(struct koshu_flow *flow,
                                                 size_t max, size_t *n,
                                                 double *row);

/* The velocity at n^3 points of the box; of the spectral method flow.n^3.
 * KOSHU_ERROR_BAD_INPUT: there is no box, or no such n;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_flow_run_velocity(struct koshu_flow *flow,
                                                      size_t n,
                                                      double *velocity);

/* The flow has this velocity from now on, of which waves that the grid has not,
 * and what is not free of divergence, are left out. KOSHU_ERROR_UNSUPPORTED:
 * vortex particles are not made of a velocity. */
KOSHU_MUST_CHECK koshu_status
koshu_flow_run_set_velocity(struct koshu_flow *flow, const double *velocity);

/* What a snapshot has: fields on the grid, or of particles. */
struct koshu_flow_arrays {
    size_t n;
    struct {
        const char *name; /* "Velocity" */
        size_t columns, rank, dims[3];
        double *data; /* column after column */
    } array[8];
};

/* Ownership: koshu_flow_arrays_free(), whatever the status.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_flow_run_arrays(
        struct koshu_flow *flow, struct koshu_flow_arrays *arrays);
void koshu_flow_arrays_free(struct koshu_flow_arrays *arrays);

/* ---- measured: flow_measure.c -----------------------------------------------
 */

/* Shells of the spectrum (flow_spectrum.c) of n^3 points, from |k| = 0 on. */
size_t koshu_flow_shells(size_t n);

/*
 * E(k) of the waves within half a wave number of k = s 2 pi / box, s = 0 ... :
 * koshu_flow_shells() numbers, whose sum times 2 pi / box is the mean of u^2 /
 * 2; and the mean of omega^2 / 2, omega the curl of any velocity.
 * KOSHU_ERROR_BAD_INPUT: n or box is out of its range;
 * KOSHU_ERROR_NOT_FINITE: a velocity is not; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_energies(struct koshu_context *context,
                                                  size_t n, double box,
                                                  const double *velocity,
                                                  double *energy,
                                                  double *enstrophy);

/* Structure functions at up to max separations r, four numbers each: r, along,
 * across, and the third: docs/turbulence.md. As koshu_flow_energies(). */
KOSHU_MUST_CHECK koshu_status koshu_flow_structures(
        struct koshu_context *context, size_t n, double box,
        const double *velocity, size_t max, size_t *count, double (*of)[4]);

/* Skewness of du_a / dx_a, the mean of three axes; the second invariant of the
 * velocity derivative tensor, n^3 numbers. As koshu_flow_energies(). */
KOSHU_MUST_CHECK koshu_status
koshu_flow_skewness_of(struct koshu_context *context, size_t n, double box,
                       const double *velocity, double *skewness);
KOSHU_MUST_CHECK koshu_status
koshu_flow_invariant_of(struct koshu_context *context, size_t n, double box,
                        const double *velocity, double *invariant);

#ifdef __cplusplus
}
#endif

#endif
