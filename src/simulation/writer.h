/* SPDX-License-Identifier: MIT */
/*
 * A thread that writes output from a copy of the particles, while the run makes
 * its next steps. Jobs are done in order; after a failure no more are done.
 * Each rank has one thread. Those that write a file have a copy of all
 * particles in it, gathered before, so that the threads need no messages.
 */
#ifndef KOSHU_SIMULATION_WRITER_H
#define KOSHU_SIMULATION_WRITER_H

#include <koshu/diagnostics.h>
#include <koshu/snapshot.h>
#include <koshu/solver.h>

#include "io/io.h"

struct koshu_run_lock;
struct koshu_simulation;
struct koshu_writer;
struct koshu_writers;

/* A piece of output at one time; work() uses the members that it needs. */
struct koshu_job {
    /* Called in the thread or, without one, between two steps. It may use only
     * the particles with their context, and the job. In the thread, the context
     * has one rank, and the particles are those of the writers' group. */
    koshu_status (*work)(struct koshu_particles *particles,
                         struct koshu_job *job);
    /* Called afterwards in the thread of the run. */
    koshu_status (*end)(struct koshu_simulation *simulation,
                        const struct koshu_job *job);
    unsigned fields; /* fields of particles that it needs; 0: all */
    uint64_t files;  /* number of files written; 0: 1 */
    const struct koshu_writers *writers; /* in the thread: its group */
    bool idle; /* in the thread: another rank writes */
    struct koshu_snapshot_info info;
    struct koshu_checkpoint checkpoint;
    struct koshu_diagnostics diagnostics;
    const struct koshu_external *external; /* the simulation's */
    double external_energy, removed_energy;
    struct koshu_tree_errors errors;
    const struct koshu_solver *solver; /* the simulation's */
    bool finds_length, tells_length;   /* of Barnes-Hut lists */
    double list_length;
    const struct koshu_run_lock *lock;  /* the simulation's, as the next two */
    const char *parameters, *directory; /* and so are these */
    uint64_t keep, step;
    double time;
    bool comoving;
    double outward; /* the background of struct koshu_universe */
    struct koshu_file_factors factors; /* of a snapshot */
    char path[4096];
};

/* Does a job at once, and ends it. */
KOSHU_MUST_CHECK koshu_status koshu_job_do(struct koshu_simulation *simulation,
                                           const struct koshu_job *job);

/* Creates the writer of a simulation with an integrator, if possible.
 * Collective, as are koshu_writer_do() and koshu_writer_settle(). */
void koshu_writer_create(struct koshu_simulation *simulation);

/* Completes the jobs first; their results are lost. NULL is allowed. */
void koshu_writer_destroy(struct koshu_writer *writer);

/*
 * Does the job in the thread or, if there is none or no memory for a copy,
 * before returning. Copies the particles once between two calls of
 * koshu_writer_renew(). Waits for jobs that use an earlier copy.
 */
KOSHU_MUST_CHECK koshu_status koshu_writer_do(
        struct koshu_simulation *simulation, const struct koshu_job *job);

/* The particles may have changed since the last copy. */
void koshu_writer_renew(struct koshu_writer *writer);

/* Waits until all jobs have ended or, without `wait`, only looks. Returns the
 * status and message of a failed job. NULL writer: KOSHU_OK. */
KOSHU_MUST_CHECK koshu_status
koshu_writer_settle(struct koshu_simulation *simulation, bool wait);

/* Seconds of work in the thread. */
double koshu_writer_seconds(struct koshu_writer *writer);

#endif
