/* SPDX-License-Identifier: MIT */
/*
 * What runs of particles and runs of a flow have in common: when something is
 * due, the output directory with its lock and checkpoints, and why they stop.
 */
#ifndef KOSHU_SIMULATION_RUN_H
#define KOSHU_SIMULATION_RUN_H

#include <stdatomic.h>
#include <sys/types.h>

#include <koshu/simulation.h>

#include "io/io.h"
#include "parameters/parameters.h"

struct koshu_csv_log;

/* ---- schedule.c: when something is due --------------------------------- */

/*
 * Times at which something is due, in the direction of the run. They depend on
 * time alone, so a restart gets the same times.
 */
struct koshu_schedule {
    double interval; /* 0: the times below, if any */
    double begin;    /* interval: due at begin + k interval, k = 1, 2, ... */
    double forward;  /* 1, or -1 where time runs backwards */
    struct koshu_times times;
    bool redshifts; /* the times are redshifts */
};

/* The schedules of snapshots and of the log. */
void koshu_schedules_of(const struct koshu_parameter_values *values,
                        double begin, struct koshu_schedule *snapshots,
                        struct koshu_schedule *log);

/* Time k of a schedule. */
double koshu_schedule_time(const struct koshu_schedule *schedule, size_t k);

/* The first time strictly after `time`; infinite (in the direction of the run)
 * if there is none. */
double koshu_schedule_next(const struct koshu_schedule *schedule, double time);

/* Whether one of the times is after `from` and not after `to`. */
bool koshu_schedule_passed(const struct koshu_schedule *schedule, double from,
                           double to);

/* ---- lock.c: one run at a time in an output directory ------------------ */

struct koshu_run_lock;

/*
 * Locks the output directory for one run against every other koshu; to be held
 * from before the run reads the directory until it ends. With make, the
 * directory and its parents are made. KOSHU_ERROR_BAD_INPUT: another run has
 * the lock; KOSHU_ERROR_NOT_FOUND, without a message: the directory does not
 * exist; KOSHU_ERROR_IO: it cannot be written to.
 */
koshu_status koshu_run_lock_take(struct koshu_context *context,
                                 const char *directory, bool make,
                                 struct koshu_run_lock **lock);

/* KOSHU_ERROR_IO: the path no longer leads to the locked directory. NULL is
 * allowed: KOSHU_OK. */
koshu_status koshu_run_lock_check(struct koshu_run_lock *lock);

/* The same check of the directory alone, from any thread; messages go to the
 * given context. */
koshu_status koshu_run_lock_check_folder(struct koshu_context *context,
                                         const struct koshu_run_lock *lock);

/* Also removes the directories that were made, if they are empty. NULL is
 * allowed. */
void koshu_run_lock_release(struct koshu_run_lock *lock);

/* Identifies the file at a path. */
struct koshu_file_id {
    dev_t device;
    ino_t inode;
};

/* false: there is no file; the id matches no file. */
bool koshu_file_id_of(const char *path, struct koshu_file_id *id);
bool koshu_file_id_same(const struct koshu_file_id *a,
                        const struct koshu_file_id *b);

/* ---- directory.c: the output directory --------------------------------- */

enum { KOSHU_PATH_SIZE = 4096 };

/* "DIRECTORY/NAME"; KOSHU_ERROR_BAD_INPUT: longer than a path can be. */
koshu_status koshu_output_path(struct koshu_context *context,
                               const char *directory, const char *name,
                               char path[KOSHU_PATH_SIZE]);

/* KOSHU_ERROR_BAD_INPUT: the directory contains a run's output. It need not
 * exist. */
koshu_status
koshu_output_refuse(struct koshu_context *context, const char *directory);

/* Makes the directory and its parents; *made: the length of the first path
 * made, 0: all existed. KOSHU_ERROR_IO: those made are removed again. */
koshu_status koshu_output_make(struct koshu_context *context,
                               const char *directory, size_t *made);

/* Removes directories that were made, if they are empty. */
void koshu_output_unmake(const char *directory, size_t made);

/* Removes a run's checkpoints, oldest first, then its snapshots and logs, and
 * nothing else. If the machine stops meanwhile, the run can either continue or
 * has no checkpoint. KOSHU_ERROR_IO. */
koshu_status
koshu_output_clear(struct koshu_context *context, const char *directory);

/* How many of the first n snapshots of a run are missing in every format,
 * and the number of the first of these. KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_output_find_snapshots(struct koshu_context *context,
                                         const char *directory, uint64_t n,
                                         uint64_t *missing, uint64_t *first);

/* Removes files of the snapshot of this number that the run wrote before a
 * restart, except the n_files that it will have now. KOSHU_ERROR_IO. */
koshu_status koshu_output_remove_others(struct koshu_context *context,
                                        const char *directory, uint64_t number,
                                        uint64_t n_files);

/* ---- rotation.c: checkpoint rotation -------------------------------- */

/* The checkpoints of a directory, and how many are kept. */
struct koshu_rotation {
    struct koshu_context *context;
    const char *directory;
    uint64_t keep;
};

/* Writes the newest checkpoint. Collective. KOSHU_ERROR_IO: the old ones
 * remain. */
koshu_status koshu_rotation_write(const struct koshu_rotation *rotation,
                                  struct koshu_particles *particles,
                                  const struct koshu_checkpoint *checkpoint,
                                  const char *parameters);

/*
 * Reads the newest complete checkpoint; path gets its name. Collective.
 * Completes an interrupted rotation. Incomplete ones are named in the log.
 * KOSHU_ERROR_NOT_FOUND: there are none; KOSHU_ERROR_BAD_FORMAT: none is
 * complete; KOSHU_ERROR_IO. Particles and parameters belong to the caller.
 */
koshu_status koshu_rotation_read(const struct koshu_rotation *rotation,
                                 char path[KOSHU_PATH_SIZE],
                                 struct koshu_particles **particles,
                                 struct koshu_checkpoint *checkpoint,
                                 char **parameters);

/* The same for checkpoints other than those of particles, on one rank: begin
 * gives the path to write the newest to, before it is made the newest; find
 * gives the path of the newest complete one. */
koshu_status koshu_rotation_begin(const struct koshu_rotation *rotation,
                                  char path[KOSHU_PATH_SIZE]);
koshu_status koshu_rotation_end(const struct koshu_rotation *rotation);
koshu_status koshu_rotation_find(const struct koshu_rotation *rotation,
                                 char path[KOSHU_PATH_SIZE]);

/* Removes all checkpoints, oldest first. KOSHU_ERROR_IO. */
koshu_status koshu_rotation_remove(const struct koshu_rotation *rotation);

/* ---- run.c: its directory and its parameters ----------------------------- */

/* Only rank 0 reads and writes the directory; the others return KOSHU_OK. */
struct koshu_run {
    struct koshu_context *context;
    const struct koshu_parameters *parameters;
    const struct koshu_parameter_values *values;
    struct koshu_schedule snapshot_schedule, log_schedule;
    struct koshu_run_lock *lock; /* on rank 0, like the logs */
    struct koshu_rotation rotation;
    char newest_checkpoint[KOSHU_PATH_SIZE]; /* "": none yet */
    uint64_t checkpoint_step;                /* UINT64_MAX: none */

    enum koshu_stop stop;
    atomic_int stop_requested; /* by a signal handler or another thread */
    double wall_begin;         /* before the particles or the flow were made */
    double wall_checkpoint, step_seconds;
};

/* Begins a run with these parameters, which the caller keeps. */
void koshu_run_begin(struct koshu_run *run, struct koshu_context *context,
                     const struct koshu_parameters *parameters);

/* Compares the parameters with those of rank 0: a rank with others would
 * compute something else, or wait for messages that never come. Collective.
 * KOSHU_ERROR_BAD_INPUT: they differ in what is computed;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_run_compare_ranks(const struct koshu_run *run);

/* Makes and locks the directory. No other process reads or writes there from
 * here on: what is found now holds until the run ends. KOSHU_ERROR_BAD_INPUT:
 * another run writes there or, without `overwrite`, has written there. */
KOSHU_MUST_CHECK koshu_status koshu_run_take_directory(struct koshu_run *run,
                                                       bool overwrite);

/* Locks the directory of a run that continues, before anything is read there.
 * KOSHU_ERROR_NOT_FOUND: there is no such directory. */
KOSHU_MUST_CHECK koshu_status
koshu_run_take_directory_again(struct koshu_run *run);

/* Removes the files of an earlier run, and a stop file meant for it. */
KOSHU_MUST_CHECK koshu_status koshu_run_clear_directory(struct koshu_run *run);

/* Compares the parameters with those of the newest checkpoint. *changed: they
 * differ in what `force` allows, as the log says. KOSHU_ERROR_BAD_INPUT: they
 * differ otherwise; remedy: what to do where force does not help. */
KOSHU_MUST_CHECK koshu_status koshu_run_compare_parameters(
        const struct koshu_run *run, const struct koshu_parameters *old,
        bool force, const char *remedy, bool *changed);

/* Compares a log, opened to continue after that step, with the number of rows
 * that the newest checkpoint has counted; NULL: there is no such file.
 * KOSHU_ERROR_BAD_INPUT: rows are missing, unless `accept`, which warns. */
KOSHU_MUST_CHECK koshu_status koshu_run_check_rows(
        const struct koshu_run *run, const struct koshu_csv_log *log,
        const char *path, uint64_t step, uint64_t counted, bool accept);

/* The same for snapshots. *lost: those of them whose loss was accepted before,
 * which are not reported again; those that are missing now. */
KOSHU_MUST_CHECK koshu_status
koshu_run_check_snapshots(const struct koshu_run *run, uint64_t counted,
                          uint64_t *lost, bool accept);

/* Whether a row of energy.csv, or a snapshot, is due at `time` after so many
 * steps, the last of which began at `before`. In schedule.c. */
bool koshu_run_row_is_due(const struct koshu_run *run, double before,
                          double time, uint64_t steps);
bool koshu_run_snapshot_is_due(const struct koshu_run *run, double before,
                               double time);

/* ---- stop.c ------------------------------------------------------------- */

/* Whether there is a stop file. It is removed, so that it stops only one
 * run. */
KOSHU_MUST_CHECK koshu_status koshu_run_take_stop_file(struct koshu_run *run,
                                                       bool *found);

/* To be called after a step: decides, equally on all ranks, whether and why the
 * run stops, in run->stop; criterion: another reason, or KOSHU_STOP_NONE.
 * *checkpoint: it continues, and a checkpoint is due. */
KOSHU_MUST_CHECK koshu_status koshu_run_find_stop(struct koshu_run *run,
                                                  double time,
                                                  enum koshu_stop criterion,
                                                  bool *checkpoint);

#endif
