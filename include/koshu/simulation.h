/* SPDX-License-Identifier: MIT */
/*
 * A run from beginning to end: particles, solver, integrator, and what is
 * written on the way, as the parameters say.
 *
 *     koshu_simulation_create(context, parameters, false, &simulation);
 *     while (koshu_simulation_stopped(simulation) == KOSHU_STOP_NONE)
 *         koshu_simulation_advance(simulation);
 *     koshu_simulation_finish(simulation);
 *
 * Into the output directory go
 *
 *     energy.csv            a row of diagnostics per output.log
 *     snapshot_0000.hdf5    ... at the times of output.snapshot
 *     checkpoint.hdf5       the newest, checkpoint-1.hdf5 the one before
 *     errors.csv            with the tree: errors of its forces
 *     performance.csv       with the tree: what the stages of its steps took
 *
 * Snapshots and checkpoints appear whole or not at all. Nothing in these
 * files, but performance.csv, depends on the clock, the machine or the number
 * of threads (solver.n_crit: 0 chooses by the clock): identical runs (on as
 * many ranks, where there are several) write identical bytes, and a run that
 * was stopped and restarted writes, on the same backend, the bytes of one that
 * was not.
 */
#ifndef KOSHU_SIMULATION_H
#define KOSHU_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/parameters.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_simulation;

enum koshu_stop {
    KOSHU_STOP_NONE,      /* there are steps to make */
    KOSHU_STOP_END,       /* integrator.end is reached */
    KOSHU_STOP_REQUEST,   /* koshu_simulation_request_stop() */
    KOSHU_STOP_FILE,      /* run.stop_file appeared; it has been removed */
    KOSHU_STOP_WALL_CLOCK /* the next step would pass run.wall_clock_limit */
};

/* "reached its end", "a stop file was found", ... */
KOSHU_API const char *koshu_stop_text(enum koshu_stop stop);

/*
 * A new run: takes the output directory, which is made, for itself until it
 * is destroyed, makes or reads the particles (in units of their file that make
 * G another number than 1, masses are multiplied by it, which is logged, and
 * files of the run have the unit of mass that makes it 1), computes the first
 * forces, writes the first log row, snapshot and checkpoint. The parameters
 * are not needed afterwards. One that fails before it writes leaves nothing.
 *
 * An earlier run's output in the directory is refused (KOSHU_ERROR_BAD_INPUT,
 * the message names a file), or, with overwrite, removed once the new run's
 * particles are there: its checkpoints first, so that what is left of it after
 * a crash is never taken for a run to go on with.
 *
 * What koshu_parameters_check(), koshu_initial_create(),
 * koshu_snapshot_read(), koshu_solver_create() and koshu_integrator_evaluate()
 * return; KOSHU_ERROR_BAD_INPUT also: the end does not lie ahead, another koshu
 * writes to the directory; KOSHU_ERROR_IO; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_create(struct koshu_context *context,
                        const struct koshu_parameters *parameters,
                        bool overwrite, struct koshu_simulation **simulation);

/*
 * Goes on from the newest checkpoint in the output directory; where that one
 * is not whole, from the one before, with a warning in the log. Log rows
 * after its time are cut off, snapshots after it are written again.
 *
 * What made the particles (initial.*) must be as it was. So must what the
 * forces and steps depend on (solver.*, integrator.* but end), unless `force`.
 * All else may change. The rows of the logs and the snapshots that the
 * checkpoint has counted must be there; with `force` the loss of some is a
 * warning in the log.
 *
 * KOSHU_ERROR_NOT_FOUND: there is no checkpoint; KOSHU_ERROR_BAD_FORMAT: none
 * is whole; KOSHU_ERROR_BAD_INPUT: a key has changed (the message names it,
 * with both values), rows or snapshots are missing, another koshu writes to the
 * directory; else as koshu_simulation_create().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_restart(struct koshu_context *context,
                         const struct koshu_parameters *parameters, bool force,
                         struct koshu_simulation **simulation);

/* Writes nothing. NULL is allowed. */
KOSHU_API void koshu_simulation_destroy(struct koshu_simulation *simulation);

/*
 * One step (Hermite: block steps to the next synchronised time, or for about a
 * tenth of a second), then whatever is due: a snapshot, a log row, a
 * checkpoint. Snapshots and rows are of synchronised particles. After
 * a failure the run is over: the files stand as they were before the step,
 * and the newest checkpoint, which the message names, is the place to go on
 * from. KOSHU_ERROR_INVALID_ARGUMENT: the run has stopped;
 * KOSHU_ERROR_NOT_FINITE names the particle; KOSHU_ERROR_IO: a file could not
 * be written; what koshu_integrator_advance() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_advance(struct koshu_simulation *simulation);

/* Why there is no further step; KOSHU_STOP_NONE: there is. */
KOSHU_API enum koshu_stop
koshu_simulation_stopped(const struct koshu_simulation *simulation);

/* The run stops after the step that it is in. May be called from a signal
 * handler, or another thread, while the simulation exists: it sets a flag that
 * is atomic and takes no lock. */
KOSHU_API void
koshu_simulation_request_stop(struct koshu_simulation *simulation);

/* A checkpoint now. KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY: the old ones
 * stand. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_checkpoint(struct koshu_simulation *simulation);

/* The last checkpoint, unless this step has one, and the log to the disk. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_finish(struct koshu_simulation *simulation);

struct koshu_progress {
    uint64_t step;
    double time, end;
    double energy_error;       /* (E - E_0) / |E_0| of the last log row */
    double wall_seconds;       /* since this part of the run began */
    double seconds_left;       /* at the rate so far; negative: not known */
    uint64_t steps;            /* made in this part of the run; with the
                                  Hermite scheme, block steps */
    uint64_t particle_steps;   /* of one particle each, in them */
    uint64_t interactions;     /* of pairs, in this part */
    double interactions_per_s; /* while forces were computed */
    uint64_t bytes_copied;     /* between host and device */
    uint64_t snapshots, log_rows, checkpoints; /* written in this part */
    struct koshu_tree_errors tree_errors;      /* the newest; sample 0: none */
    const char *newest_checkpoint; /* its path, "": there is none yet; valid
                                      until the next checkpoint */
};

KOSHU_API struct koshu_progress
koshu_simulation_progress(const struct koshu_simulation *simulation);

/* For callers who look or write for themselves; owned by the simulation. */
KOSHU_API struct koshu_particles *
koshu_simulation_particles(struct koshu_simulation *simulation);
KOSHU_API struct koshu_solver *
koshu_simulation_solver(struct koshu_simulation *simulation);

/* What a run would take. */
struct koshu_estimate {
    uint64_t n;
    double begin;   /* its time */
    uint64_t bytes; /* of memory, at most */
    uint64_t steps; /* Hermite: of blocks */
    uint64_t particle_steps;
    bool steps_are_a_guess; /* chosen steps: if they stay as they are at the
                               beginning */
    uint64_t snapshots, snapshot_bytes; /* of one */
    uint64_t log_rows, checkpoint_bytes;
    double interactions_per_s; /* measured now, on this machine */
    double seconds;            /* of computing */
};

/*
 * Estimates a run: makes a sample of its particles (a file is read whole) and
 * measures the forces on it for about half a second. Writes nothing.
 * What koshu_simulation_create() returns for parameters and particles.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_estimate(struct koshu_context *context,
                          const struct koshu_parameters *parameters,
                          struct koshu_estimate *estimate);

#ifdef __cplusplus
}
#endif

#endif
