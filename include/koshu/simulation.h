/* SPDX-License-Identifier: MIT */
/*
 * A run from beginning to end: particles, solver, integrator, and the files
 * that are written, as the parameters say.
 *
 *     koshu_simulation_create(context, parameters, NULL, &simulation);
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
 *     performance.csv       with the tree: times of the stages of its steps
 *
 * Snapshots and checkpoints appear whole or not at all. Nothing in these
 * files, except performance.csv, depends on the wall clock, the machine or the
 * number of threads (solver.n_crit: 0 chooses by measured times): identical
 * runs, on the same number of ranks, write identical bytes, and a run that was
 * stopped and restarted writes, on the same backend, the bytes of one that was
 * not.
 *
 * With several ranks all functions but koshu_simulation_request_stop() are
 * collective.
 *
 * Threads: one thread at a time per simulation, but for
 * koshu_simulation_request_stop().
 */
#ifndef KOSHU_SIMULATION_H
#define KOSHU_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
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
    KOSHU_STOP_NONE,       /* there are steps to make */
    KOSHU_STOP_END,        /* integrator.end is reached */
    KOSHU_STOP_REQUEST,    /* koshu_simulation_request_stop() */
    KOSHU_STOP_FILE,       /* run.stop_file appeared; it has been removed */
    KOSHU_STOP_WALL_CLOCK, /* the next step would pass run.wall_clock_limit */
    KOSHU_STOP_ENERGY,     /* |dE/E| is larger than stop.energy_error */
    KOSHU_STOP_ESCAPED,    /* more is unbound than stop.escaped_fraction */
    KOSHU_STOP_CORE        /* the core radius is below stop.core_radius */
};

/* The name of a reason to stop, "none", "end", "request", "file",
 * "wall-clock", "energy", "escaped" or "core"; NULL past the last. */
KOSHU_API const char *koshu_stop_name(enum koshu_stop stop);

/*
 * The reason to stop of a name. The context, which may be NULL, gets the
 * message of a failure.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such name;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_stop_find(
        struct koshu_context *context, const char *name, enum koshu_stop *stop);

/* A reason to stop in words, "a stop file was found"; "?" past the last. */
KOSHU_API const char *koshu_stop_text(enum koshu_stop stop);

/*
 * What stars lose from one time to another: a function of the caller's that
 * writes the masses that they have at the time `to`, which are > 0. It is
 * called after each synchronised step, by the thread that makes it, with the
 * masses as they are, those that the stars had at the beginning of the run (of
 * two that merged: together), and their ids. What it returns other than
 * KOSHU_OK ends the step. So that a restart goes on bit for bit, it must depend
 * on nothing but its arguments.
 * Shapes: id[n], initial_mass[n], mass[n]. Units: those of the run.
 */
typedef koshu_status
koshu_mass_loss_function(void *user, double from, double to, size_t n,
                         const uint64_t *id, const double *initial_mass,
                         double *mass);

struct koshu_simulation_options {
    size_t size;
    bool overwrite; /* koshu_simulation_create(): remove an earlier run's
                       output from the directory */
    bool force;     /* koshu_simulation_restart(): accept changed physics, and
                       lost rows and snapshots */
    bool beside;    /* write snapshots and checkpoints while the next steps are
                       made, from a copy of the particles: they are there once
                       the simulation has ended (koshu_simulation_finish()), and
                       a failure is reported by a later call. Not on several
                       ranks, nor where there is no memory for the copy */
    /* Beside stars.mass_table, after it; on each rank for the stars that are
     * there. NULL: none. */
    koshu_mass_loss_function *mass_loss;
    void *mass_loss_user; /* its first argument */
};

/* None of these. */
KOSHU_DECLARE_DEFAULT(koshu_simulation_options)

/*
 * Begins a new run. It makes the output directory and locks it until the
 * simulation is destroyed, makes or reads the particles (those of a file are
 * converted to the units that the parameters give, which is logged; without
 * any, the units of the file are those of the run), computes the first forces,
 * writes the first log row, snapshot and checkpoint. A run that fails before it
 * writes leaves no files.
 *
 * An earlier run's output in the directory is refused (the message names a
 * file), or, with overwrite, removed once the new run's particles are there:
 * its checkpoints first, so that what is left of it after a crash is never
 * taken for a run to restart.
 * Ownership: the caller destroys the simulation; the context must outlive it,
 * the parameters are copied.
 * Status: KOSHU_ERROR_BAD_INPUT: the parameters, the end does not lie ahead,
 * there is output of an earlier run, another koshu writes to the directory;
 * KOSHU_ERROR_IO: a file or the directory cannot be written;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL;
 * KOSHU_ERROR_UNSUPPORTED: an option that only a later koshu has; what
 * koshu_parameters_check(), koshu_initial_create(), koshu_snapshot_read(),
 * koshu_solver_create() and koshu_integrator_evaluate() return.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_create(struct koshu_context *context,
                        const struct koshu_parameters *parameters,
                        const struct koshu_simulation_options *options,
                        struct koshu_simulation **simulation);

/*
 * Resumes a run from the newest checkpoint in the output directory; where that
 * one is not whole, from the one before, with a warning in the log. Log rows
 * after its time are cut off, snapshots after it are written again.
 *
 * What made the particles (initial.*) must be as it was. So must what the
 * forces and steps depend on (solver.*, integrator.* but end), unless forced.
 * All else may change. The rows of the logs and the snapshots that the
 * checkpoint has counted must be there; with force the loss of some is a
 * warning in the log.
 *
 * Checkpoints of koshu 0.1 are read.
 * Ownership: as koshu_simulation_create().
 * Status: KOSHU_ERROR_NOT_FOUND: there is no checkpoint;
 * KOSHU_ERROR_BAD_FORMAT: none is whole; KOSHU_ERROR_BAD_INPUT: a key has
 * changed (the message names it, with both values), rows or snapshots are
 * missing, another koshu writes to the directory; else as
 * koshu_simulation_create().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_restart(struct koshu_context *context,
                         const struct koshu_parameters *parameters,
                         const struct koshu_simulation_options *options,
                         struct koshu_simulation **simulation);

/* Destroys a simulation, and writes nothing; NULL is allowed. */
KOSHU_API void koshu_simulation_destroy(struct koshu_simulation *simulation);

/*
 * Makes one step (Hermite: block steps to the next synchronised time, or for
 * about a tenth of a second), then writes what is due: a snapshot, a log row, a
 * checkpoint. Snapshots and rows are of synchronised particles. After
 * a failure the run is over: the files stand as they were before the step,
 * and the message names the newest checkpoint, to restart from.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: the run has stopped, NULL, or a view of
 * the particles is not released (the run can then go on);
 * KOSHU_ERROR_NOT_FINITE: the particle that is named; KOSHU_ERROR_IO: a file
 * could not be written; KOSHU_ERROR_OUT_OF_MEMORY; what
 * koshu_integrator_advance() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_advance(struct koshu_simulation *simulation);

/*
 * Computes forces anew, after the caller changed particles between steps: the
 * next step begins with them as they are now. Rows of the log go on to compare
 * energies with that of the run's beginning.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, or a view of the particles for
 * writing is not released; what koshu_integrator_evaluate() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_evaluate(struct koshu_simulation *simulation);

/* Why there is no further step; KOSHU_STOP_NONE: there is, or NULL. */
KOSHU_API enum koshu_stop
koshu_simulation_stopped(const struct koshu_simulation *simulation);

/*
 * Requests that the run stops after the step that is being made; NULL is
 * allowed.
 * Threads: any thread, or a signal handler, while the simulation exists: it
 * sets a flag that is atomic and takes no lock.
 */
KOSHU_API void
koshu_simulation_request_stop(struct koshu_simulation *simulation);

/*
 * Writes a checkpoint now. After a failure the old ones stand.
 * Status: KOSHU_ERROR_IO: it cannot be written; KOSHU_ERROR_NOT_FINITE: a
 * particle is not finite; KOSHU_ERROR_EXTERNAL: HDF5 failed;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_checkpoint(struct koshu_simulation *simulation);

/*
 * Ends a run: writes the last checkpoint, unless this step has one, and the
 * logs to the disk.
 * Status: as koshu_simulation_checkpoint().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_finish(struct koshu_simulation *simulation);

struct koshu_progress {
    size_t size;
    uint64_t step;
    double time, end;
    double energy_error;       /* (E - E_0) / |E_0| of the last log row, or
                                  (E - E_0) / T: energy_of_kinetic */
    double wall_seconds;       /* since this part of the run began */
    double seconds_left;       /* at the rate so far; negative: not known */
    uint64_t steps;            /* made in this part of the run; with the
                                  Hermite scheme, block steps */
    uint64_t particle_steps;   /* of one particle each, in them */
    uint64_t interactions;     /* of pairs, in this part */
    double interactions_per_s; /* while forces were computed */
    uint64_t bytes_copied;     /* between host and device */
    uint64_t snapshots, log_rows, checkpoints; /* written in this part */
    const char *newest_checkpoint; /* its path, "": there is none yet */
    bool energy_of_kinetic;        /* as in a periodic box: its energy may be
                                      about 0 */
    /* What few-body groups took, and the hardest of them: see
     * koshu_integrator_report. */
    uint64_t group_forces, hardest_forces, hardest_bodies;
    uint64_t hardest_id;
    double hardest_time;
};

/*
 * How far the run is. A part of a run is what one program makes of it: from its
 * beginning, or from a restart.
 * Units: times are in koshu_simulation_units(); seconds are of the wall clock.
 * Ownership: newest_checkpoint is the simulation's, and valid until the next
 * checkpoint.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, progress->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_progress(const struct koshu_simulation *simulation,
                          struct koshu_progress *progress);

/* Where the wall time of a part of a run went, in seconds. */
struct koshu_run_seconds {
    size_t size;
    double total;  /* since this part of the run began */
    double start;  /* the particles, the directory, the device */
    double forces; /* the first ones among them; with the Hermite scheme block
                      steps */
    double steps;  /* what steps take besides forces */
    double errors, log, snapshots, checkpoints; /* for which the run waits */
    double caller;                              /* between calls */
    double hidden; /* of files, written while steps were made: no part of the
                      total */
};

/*
 * Where the wall time of this part of the run went: all but the last member
 * add up to the first, but for rounding.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, seconds->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_seconds(const struct koshu_simulation *simulation,
                         struct koshu_run_seconds *seconds);

/*
 * The newest row of errors.csv: the errors of the tree's forces, sample 0 where
 * there is none.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, errors->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_tree_errors(const struct koshu_simulation *simulation,
                             struct koshu_tree_errors *errors);

/* The units of the run, those of its files and of all times: as the parameters
 * give them, or those of its file; NULL for NULL. The particles are in its
 * units of length and velocity, and in the unit of mass in which G = 1: their
 * masses are G times those of the files.
 * Ownership: the simulation's, for as long as it exists. */
KOSHU_API const struct koshu_units *
koshu_simulation_units(const struct koshu_simulation *simulation);

/* The run's particles and solver, to read or write besides what the run does;
 * NULL for NULL.
 * Ownership: the simulation's, for as long as it exists. */
KOSHU_API struct koshu_particles *
koshu_simulation_particles(struct koshu_simulation *simulation);
KOSHU_API struct koshu_solver *
koshu_simulation_solver(struct koshu_simulation *simulation);

/* What a run needs. */
struct koshu_estimate {
    size_t size;
    uint64_t n;
    double begin;   /* the run's first time */
    uint64_t bytes; /* of memory, at most */
    uint64_t steps; /* Hermite: block steps */
    uint64_t particle_steps;
    bool steps_are_a_guess; /* the rule chooses them: if they stay as they are
                               at the beginning */
    uint64_t snapshots, snapshot_bytes; /* of one */
    uint64_t log_rows, checkpoint_bytes;
    double interactions_per_s; /* measured now, on this machine */
    double seconds;            /* of computing */
    /* leapfrog: suggested for these particles; 0: they are too few to tell. The
     * step is for the softening that is given, if it is not 0 (Rodionov &
     * Sotnikova 2005; Springel 2005 eq. 34) */
    double softening, dt;
    struct koshu_units units; /* of the run */
    double offset; /* as koshu_solver_choice has it, where that is chosen */
};

/*
 * Estimates a run: makes a sample of its particles (a file is read whole) and
 * measures the forces on it for about half a second. Writes nothing.
 * Units: begin, softening and dt are in `units`; seconds are of the wall clock.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, estimate->size is not set; what
 * koshu_simulation_create() returns for parameters and particles.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_estimate(struct koshu_context *context,
                          const struct koshu_parameters *parameters,
                          struct koshu_estimate *estimate);

#ifdef __cplusplus
}
#endif

#endif
