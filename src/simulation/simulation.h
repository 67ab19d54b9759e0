/* SPDX-License-Identifier: MIT */
/*
 * A run: what it consists of, and the parts it is made from.
 */
#ifndef KOSHU_SIMULATION_SIMULATION_H
#define KOSHU_SIMULATION_SIMULATION_H

#include <stdatomic.h>
#include <sys/types.h>

#include <koshu/diagnostics.h>
#include <koshu/simulation.h>

#include "integrate/integrate.h"
#include "io/io.h"
#include "parameters/parameters.h"
#include "simulation/logs.h"
#include "simulation/mass_loss.h"
#include "simulation/stages.h"
#include "simulation/universe.h"
#include "simulation/writer.h"
#include "simulation/choose.h"

/* ---- schedule.c: when something is due --------------------------------- */

/*
 * Times at which something is due, in the direction of the run. A function of
 * time alone: a restart asks again and gets the same answer.
 */
struct koshu_schedule {
    double interval; /* 0: the times below, if any */
    double begin;    /* interval: due at begin + k interval, k = 1, 2, ... */
    double forward;  /* 1, or -1 where time runs back */
    struct koshu_times times;
    bool redshifts; /* that is what the times are */
};

/* What is due at which times. */
void koshu_schedules_of(const struct koshu_parameter_values *values,
                        double begin, struct koshu_schedule *snapshots,
                        struct koshu_schedule *log);

/* One of the times of a schedule. */
double koshu_schedule_time(const struct koshu_schedule *schedule, size_t k);

/* The first time strictly past `time`; infinite (in the direction of the run)
 * where there is none. */
double koshu_schedule_next(const struct koshu_schedule *schedule, double time);

/* Is one of the times past `from`, and not past `to`? */
bool koshu_schedule_passed(const struct koshu_schedule *schedule, double from,
                           double to);

/* ---- lock.c: one run at a time in an output directory ------------------ */

struct koshu_run_lock;

/*
 * Takes the output directory for one run, against every other koshu that may
 * write there; to be held from before the run reads the directory until it
 * ends. With make, the directory and those above it are made.
 * KOSHU_ERROR_BAD_INPUT: another has it; KOSHU_ERROR_NOT_FOUND, without a
 * message: there is no such directory; KOSHU_ERROR_IO: it cannot be written to.
 */
koshu_status koshu_run_lock_take(struct koshu_context *context,
                                 const char *directory, bool make,
                                 struct koshu_run_lock **lock);

/* KOSHU_ERROR_IO: the directory at the path is not the one that was taken; NULL
 * is allowed, and is. */
koshu_status koshu_run_lock_check(struct koshu_run_lock *lock);

/* The same of the directory alone, in any thread: the message is for its
 * context. */
koshu_status koshu_run_lock_check_folder(struct koshu_context *context,
                                         const struct koshu_run_lock *lock);

/* Also removes the directories that were made, where nothing is in them. NULL
 * is allowed. */
void koshu_run_lock_release(struct koshu_run_lock *lock);

/* Which file it is that stands at a path. */
struct koshu_file_id {
    dev_t device;
    ino_t inode;
};

/* false: there is none; the id is that of no file. */
bool koshu_file_id_of(const char *path, struct koshu_file_id *id);
bool koshu_file_id_same(const struct koshu_file_id *a,
                        const struct koshu_file_id *b);

/* ---- directory.c: the output directory --------------------------------- */

enum { KOSHU_PATH_SIZE = 4096 };

/* "DIRECTORY/NAME"; KOSHU_ERROR_BAD_INPUT: longer than a path can be. */
koshu_status koshu_output_path(struct koshu_context *context,
                               const char *directory, const char *name,
                               char path[KOSHU_PATH_SIZE]);

/* KOSHU_ERROR_BAD_INPUT where a run's output is there; a directory that is not
 * there is well and good. */
koshu_status
koshu_output_refuse(struct koshu_context *context, const char *directory);

/* Makes the directory and those above it; *made: the length of the first path
 * that was made, 0: all were there. KOSHU_ERROR_IO: none is left that was made.
 */
koshu_status koshu_output_make(struct koshu_context *context,
                               const char *directory, size_t *made);

/* Removes directories that were made, where nothing is in them. */
void koshu_output_unmake(const char *directory, size_t made);

/* Removes a run's checkpoints, oldest first, then its snapshots and logs, and
 * nothing else: whenever the machine stops, either the run can go on, or has
 * no checkpoint. KOSHU_ERROR_IO. */
koshu_status
koshu_output_clear(struct koshu_context *context, const char *directory);

/* How many of the first n snapshots of a run are not there, in any format, and
 * the number of the first of these. KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_output_find_snapshots(struct koshu_context *context,
                                         const char *directory, uint64_t n,
                                         uint64_t *missing, uint64_t *first);

/* Removes files that a run, before its restart, has written of the snapshot of
 * this number, and that are none of the n_files that it is to have now.
 * KOSHU_ERROR_IO. */
koshu_status koshu_output_remove_others(struct koshu_context *context,
                                        const char *directory, uint64_t number,
                                        uint64_t n_files);

/* ---- rotation.c: checkpoint rotation -------------------------------- */

/* The checkpoints of a directory, of which so many are kept. */
struct koshu_rotation {
    struct koshu_context *context;
    const char *directory;
    uint64_t keep;
};

/* Writes the newest. Collective. KOSHU_ERROR_IO: the old ones stand. */
koshu_status koshu_rotation_write(const struct koshu_rotation *rotation,
                                  struct koshu_particles *particles,
                                  const struct koshu_checkpoint *checkpoint,
                                  const char *parameters);

/*
 * Reads the newest that is whole; path gets its name. Collective. Where the
 * writer was interrupted before it had that name, it gets it now. Those that
 * are not whole are named in the log. KOSHU_ERROR_NOT_FOUND: there are none;
 * KOSHU_ERROR_BAD_FORMAT: none is whole; KOSHU_ERROR_IO. Particles and
 * parameters belong to the caller.
 */
koshu_status koshu_rotation_read(const struct koshu_rotation *rotation,
                                 char path[KOSHU_PATH_SIZE],
                                 struct koshu_particles **particles,
                                 struct koshu_checkpoint *checkpoint,
                                 char **parameters);

/* The same of other checkpoints than those of particles, on one rank: the path
 * where the newest is to be written, between the two; and the path of the
 * newest that is whole. */
koshu_status koshu_rotation_begin(const struct koshu_rotation *rotation,
                                  char path[KOSHU_PATH_SIZE]);
koshu_status koshu_rotation_end(const struct koshu_rotation *rotation);
koshu_status koshu_rotation_find(const struct koshu_rotation *rotation,
                                 char path[KOSHU_PATH_SIZE]);

/* Removes all, oldest first. KOSHU_ERROR_IO. */
koshu_status koshu_rotation_remove(const struct koshu_rotation *rotation);

/* ---- simulation.c ------------------------------------------------------ */

struct koshu_simulation {
    struct koshu_context *context;
    struct koshu_parameters *parameters; /* our copy */
    const struct koshu_parameter_values *values;
    char *text;       /* of the parameters, as files keep it */
    bool choice_kept; /* of method and parameters, by a restart */

    struct koshu_particles *particles;
    struct koshu_interaction *interaction; /* of the solver; or NULL */
    struct koshu_solver *solver;
    struct koshu_external *external; /* fields; or NULL */
    struct koshu_mass_loss mass_loss;
    struct koshu_integrator *integrator;

    /* Of the whole run, as checkpoints keep it; they fill in what changes. */
    struct koshu_checkpoint kept;
    struct koshu_schedule snapshot_schedule, log_schedule;
    uint64_t snapshot_files;               /* that each is divided into */
    struct koshu_run_lock *lock;           /* rank 0's, and so are the logs */
    double kinetic;                        /* comoving: T at the clock's time */
    struct koshu_csv_log *log[KOSHU_LOGS]; /* NULL: it has not this one */
    struct koshu_log_header header[KOSHU_LOGS];
    struct koshu_tree_log tree_log;
    struct koshu_rotation rotation;
    bool writes_beside;          /* while steps are made, by: */
    struct koshu_writer *writer; /* NULL: there is none */
    bool rows_beside; /* of energy.csv, too: where a device makes the steps */
    bool row_pending; /* of a log, with the writer */
    char newest_checkpoint[KOSHU_PATH_SIZE]; /* "": none yet */
    double newest_time;
    uint64_t checkpoint_step; /* UINT64_MAX: none */

    enum koshu_stop stop, criterion; /* criterion: of the last row */
    atomic_int stop_requested; /* by a signal handler, or another thread */
    bool failed;
    /* of this part of the run */
    double wall_begin; /* before the particles were made */
    double wall_steps; /* at the first step */
    double wall_checkpoint, step_seconds;
    struct koshu_stages stages; /* where the time goes */
    struct koshu_integrator_clock part_begin;
    uint64_t part_snapshots, part_rows, part_checkpoints;
};

/* A checkpoint, by the writer; koshu_simulation_checkpoint() writes it at once.
 * Collective. */
koshu_status koshu_checkpoint_begin(struct koshu_simulation *simulation);

/* ---- stop.c ------------------------------------------------------------- */

/* Is there a stop file? It is removed, so that it stops one run only. */
koshu_status koshu_take_stop_file(struct koshu_simulation *s, bool *found);

/* After a step, on all ranks the same: whether and why the run stops now, into
 * s->stop; *checkpoint: it goes on, and one is due. */
koshu_status koshu_find_stop(struct koshu_simulation *s, bool *checkpoint);

/* ---- criteria.c --------------------------------------------------------- */

/* Is there one of stop.*? */
bool koshu_has_criteria(const struct koshu_parameter_values *values);

/* After a row of the log, into s->criterion. Collective. */
koshu_status koshu_check_criteria(struct koshu_simulation *s);

/* ---- initial.c ----------------------------------------------------------- */

/* Particles from the model, max of them at most, or from the file; info gets
 * time, units, box, and the parameters the units. */
koshu_status koshu_initial_particles(struct koshu_context *context,
                                     struct koshu_parameters *parameters,
                                     size_t max,
                                     struct koshu_particles **particles,
                                     struct koshu_snapshot_info *info);

/* Does integrator.end lie ahead of `begin`, and do steps and schedules get
 * there? KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_check_end(struct koshu_context *context,
                             const struct koshu_parameters *parameters,
                             double begin);

/* ---- units.c ------------------------------------------------------------- */

/* What masses in these units are multiplied by, so that G = 1: G; 1 where it is
 * that but for what programs differ in. */
double koshu_units_mass_factor(const struct koshu_units *units);

/* A time in the units of the run, for messages: "0.5 Myr". */
const char *koshu_time_text(const struct koshu_parameter_values *values,
                            double time, char text[64]);

/* The size that a model gets, for options, and the mass of all its particles:
 * given, or that of the stars of a mass function. Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_size_model(struct koshu_context *context,
                 const struct koshu_parameter_values *values,
                 struct koshu_initial_options *options, double *total_mass);

/* Particles of a model as it comes to this mass and the length that is given.
 * Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_scale_model(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  double total_mass, struct koshu_particles *particles);

/* Particles of a file, and what info has of it, to the units of the run, which
 * are the file's where the parameters give none. KOSHU_ERROR_BAD_INPUT. */
KOSHU_MUST_CHECK koshu_status koshu_convert_file(
        struct koshu_context *context, struct koshu_parameters *parameters,
        struct koshu_particles *particles, struct koshu_snapshot_info *info);

/* A warning in the log where the snapshots will not say their units. */
struct koshu_simulation;
void koshu_warn_of_lost_units(const struct koshu_simulation *simulation);

/* What velocities of the particles are times those of files: a^(3/2) in a
 * universe, where they are a^2 dx/dt and sqrt(a) dx/dt; else 1. */
double koshu_velocity_factor(const struct koshu_simulation *simulation);

/* Sums of masses times G, in the unit of mass. */
void koshu_diagnostics_without_g(struct koshu_diagnostics *d, double g);

/* The header of a log, with units behind the names that have one:
 * "step,time [Myr]\n"; in dimensionless units as it is. comoving: times are
 * scale factors. */
void koshu_header_with_units(const char *plain, const struct koshu_units *units,
                             bool comoving, size_t size, char *header);

/* ---- estimate.c ---------------------------------------------------------- */

/* Steps of dt, snapshots and rows from e->begin to the end. */
void koshu_estimate_count(const struct koshu_parameter_values *values,
                          double dt, struct koshu_estimate *e);

/* Before a run of n particles begins, of which any takes at least so much: what
 * is refused could not have run. made: the store is there already. The memory
 * of a GPU likewise. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_require_run(struct koshu_context *context,
                               const struct koshu_parameter_values *values,
                               size_t n, bool made);

/* ---- estimate_forces.c --------------------------------------------------- */

/* What is measured with no more particles than these. */
enum { KOSHU_ESTIMATE_SAMPLE = 65536 };

struct koshu_measured {
    double interactions_per_s;
    double dt, acceleration; /* leapfrog: the first step; the largest |a| */
    double tree_seconds;     /* of forces on all particles */
    double particle_steps, blocks; /* hermite: of one particle and of all, per
                                      time */
};

/* Softening and step that are suggested for a leapfrog, from the particles, or
 * a sample of e->n; a: the largest acceleration. 0: too few of them. */
koshu_status koshu_suggest(const struct koshu_parameter_values *values,
                           struct koshu_particles *particles, double a,
                           struct koshu_estimate *e);

/* From sums on the first particles of the store, which take about half a second
 * each. */
koshu_status koshu_measure_leapfrog(struct koshu_context *context,
                                    const struct koshu_parameter_values *values,
                                    struct koshu_particles *particles,
                                    struct koshu_measured *measured);
koshu_status koshu_measure_hermite(struct koshu_context *context,
                                   const struct koshu_parameter_values *values,
                                   struct koshu_particles *particles,
                                   struct koshu_measured *measured);

/* The rate of a tree and its seconds with n particles, from the second of two
 * evaluations on those of the store, as n log n grows. */
koshu_status koshu_measure_tree(struct koshu_context *context,
                                const struct koshu_parameter_values *values,
                                struct koshu_particles *particles, double n,
                                struct koshu_measured *measured);

/* ---- division.c ---------------------------------------------------------- */

/* Into s->snapshot_files. Collective. */
void koshu_divide_snapshots(struct koshu_simulation *s);

/* ---- write.c: what a step leaves behind -------------------------------- */

/* Must the next synchronised step compute potentials? */
bool koshu_output_needs_potential(const struct koshu_simulation *simulation);

/* The snapshots and log rows that are due after a synchronised step
 * from `before`. */
koshu_status
koshu_output_write(struct koshu_simulation *simulation, double before);

/* First row and snapshot, the energy that errors are measured against. */
koshu_status koshu_output_begin(struct koshu_simulation *simulation);

/* ---- solver.c ------------------------------------------------------------ */

/* Of the parameters and the box, with its interaction where it has one. On all
 * ranks, or none; as koshu_solver_create() and koshu_interaction_of(). */
koshu_status koshu_make_solver(struct koshu_simulation *s);

/* From that time on; as koshu_integrator_create(), koshu_external_parse(). */
koshu_status koshu_make_integrator(struct koshu_simulation *s, double time);

/* ---- box.c: the periodic box of a run ---------------------------------- */

/* That of the file of particles, or what the parameters say; positions are in
 * it from then on. KOSHU_ERROR_BAD_INPUT: there is none, but must be. */
koshu_status koshu_take_box(struct koshu_simulation *s, double of_file);

/* Positions into the box, if there is one. */
koshu_status koshu_wrap_positions(struct koshu_simulation *s);

#endif
