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
 * The output directory gets
 *
 *     energy.csv            a row of diagnostics per output.log
 *     snapshot_0000.hdf5    ... at the times of output.snapshot
 *     checkpoint.hdf5       the newest, checkpoint-1.hdf5 the one before
 *     errors.csv            with a tree or FMM: errors of its forces
 *     performance.csv       with a tree or FMM: times of the stages of a step
 *     cluster.csv           if the run asks for it: see docs/clusters.md
 *     events.csv            the same: see docs/stars.md
 *
 * Snapshots and checkpoints appear whole or not at all. Nothing in these files,
 * except performance.csv, depends on the wall clock, the machine or the number
 * of threads (but solver.n_crit: 0 chooses by measured times): identical runs,
 * on the same number of ranks, write identical bytes, and a run that was
 * stopped and restarted writes, on the same backend, the bytes of an
 * uninterrupted one.
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
    KOSHU_STOP_ESCAPED,    /* the unbound fraction exceeds
                              stop.escaped_fraction */
    KOSHU_STOP_CORE        /* the core radius is below stop.core_radius */
};

/* The name of a reason to stop, "none", "end", "request", "file",
 * "wall-clock", "energy", "escaped" or "core"; NULL past the last. */
KOSHU_API const char *koshu_stop_name(enum koshu_stop stop);

/*
 * Finds the reason to stop with a name. The context, which may be NULL, gets
 * the message of a failure.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such name;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_stop_find(
        struct koshu_context *context, const char *name, enum koshu_stop *stop);

/* A reason to stop in words, "a stop file was found"; "?" past the last. */
KOSHU_API const char *koshu_stop_text(enum koshu_stop stop);

/*
 * Mass loss of stars between two times: a function of the caller that replaces
 * the masses by those at time `to`, which must be > 0. It is called after each
 * synchronised step, by the thread that makes it, with the current masses, the
 * initial masses of the stars (of two that merged: their sum), and their ids. A
 * status other than KOSHU_OK ends the step. For restarts to continue bit for
 * bit, it must depend on nothing but its arguments.
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
    bool beside;    /* write snapshots and checkpoints while the next steps
                       are made, from a copy of the particles: they are
                       complete once the simulation has ended
                       (koshu_simulation_finish()), and a failure is reported
                       by a later call. Not without memory for the copy */
    /* In addition to stars.mass_table, and after it; on each rank for its own
     * stars. NULL: none. */
    koshu_mass_loss_function *mass_loss;
    void *mass_loss_user; /* its first argument */
};

/* None of these. */
KOSHU_DECLARE_DEFAULT(koshu_simulation_options)

/*
 * Begins a new run: makes the output directory and locks it until the
 * simulation is destroyed; makes or reads the particles (those of a file are
 * converted to the units that the parameters give, which is logged; without
 * any, the run takes the units of the file); computes the first forces; writes
 * the first log row, snapshot and checkpoint. A run that fails before it writes
 * leaves no files.
 *
 * If the directory has output of an earlier run, the function fails (the
 * message names a file) or, with overwrite, removes it once the new run's
 * particles exist: its checkpoints first, so that what is left after a crash is
 * never mistaken for a run to restart.
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
 * Resumes a run from the newest checkpoint in the output directory or, if that
 * one is damaged, from the one before, with a warning in the log. Log rows
 * after its time are removed, snapshots after it are written again.
 *
 * The keys that made the particles (initial.*) must be unchanged. So must those
 * that determine forces and steps (solver.*, integrator.* but end), unless
 * forced. All others may change. The log rows and snapshots counted by the
 * checkpoint must exist; with force the loss of some is a warning in the log.
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
 * Recomputes forces after the caller changed particles between steps: the next
 * step starts from their present state. Log rows continue to compare energies
 * with that at the run's beginning.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, or a view of the particles for
 * writing is not released; what koshu_integrator_evaluate() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_evaluate(struct koshu_simulation *simulation);

/* Why the run has stopped; KOSHU_STOP_NONE: it has not, or NULL. */
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
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: NULL, or the last
 * step failed.
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
    double seconds_left;       /* at the rate so far; negative: unknown */
    uint64_t steps;            /* made in this part of the run; with the
                                  Hermite scheme, block steps */
    uint64_t particle_steps;   /* of one particle each, in them */
    uint64_t interactions;     /* of pairs, in this part */
    double interactions_per_s; /* while forces were computed */
    uint64_t bytes_copied;     /* between host and device */
    uint64_t snapshots, log_rows, checkpoints; /* written in this part */
    const char *newest_checkpoint;             /* its path, "": none yet */
    bool energy_of_kinetic; /* energy_error is relative to T, as in a
                               periodic box, where the energy may be
                               near 0 */
    /* Forces of few-body groups, and the hardest group: see
     * koshu_integrator_report. */
    uint64_t group_forces, hardest_forces, hardest_bodies;
    uint64_t hardest_id;
    double hardest_time;
};

/*
 * Reports the progress of the run. A part of a run is what one program does:
 * from the beginning, or from a restart.
 * Units: times are in koshu_simulation_units(); seconds are of the wall clock.
 * Ownership: newest_checkpoint is the simulation's, and valid until the next
 * checkpoint.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, progress->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_progress(const struct koshu_simulation *simulation,
                          struct koshu_progress *progress);

/* Wall-clock seconds of a part of a run. */
struct koshu_run_seconds {
    size_t size;
    double total;  /* since this part of the run began */
    double start;  /* making particles, directory and device ready */
    double forces; /* including the first; with the Hermite scheme block
                      steps */
    double steps;  /* steps without forces */
    double errors, log, snapshots, checkpoints; /* as far as the run waits
                                                   for them */
    double caller;                              /* between calls */
    double hidden; /* writing files while steps were made; not in the total */
};

/*
 * Reports the wall time of this part of the run: all members but the last add
 * up to the first, but for rounding.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, seconds->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_simulation_seconds(const struct koshu_simulation *simulation,
                         struct koshu_run_seconds *seconds);

/*
 * Writes the newest row of errors.csv, the errors of the tree's forces; sample
 * is 0 if there is none.
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

/* The run's particles and solver, to be read or changed by the caller; NULL for
 * NULL.
 * Ownership: the simulation's, for as long as it exists. */
KOSHU_API struct koshu_particles *
koshu_simulation_particles(struct koshu_simulation *simulation);
KOSHU_API struct koshu_solver *
koshu_simulation_solver(struct koshu_simulation *simulation);

/* What a run needs. */
struct koshu_estimate {
    size_t size;
    uint64_t n;
    double begin;   /* initial time */
    uint64_t bytes; /* maximum memory */
    uint64_t steps; /* Hermite: block steps */
    uint64_t particle_steps;
    bool steps_are_a_guess; /* the step rule determines steps: extrapolated
                               from the initial ones */
    uint64_t snapshots, snapshot_bytes; /* snapshot_bytes: of one */
    uint64_t log_rows, checkpoint_bytes;
    double interactions_per_s; /* measured now, on this machine */
    double seconds;            /* of computation */
    /* leapfrog: suggestions for these particles; 0: too few particles. The step
     * assumes the given softening, if it is not 0 (Rodionov & Sotnikova 2005;
     * Springel 2005 eq. 34) */
    double softening, dt;
    struct koshu_units units; /* of the run */
    double offset; /* as in koshu_solver_choice, if the method is chosen
                      automatically */
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
