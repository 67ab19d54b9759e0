/* SPDX-License-Identifier: MIT */
/*
 * A thread that writes what is due from a copy of the particles, while the run
 * makes its next steps. Its jobs are done in their order; after one that fails
 * no other is done. With several ranks each has one; those that write a file
 * have copies of the particles in it, from all that keep them, so that threads
 * need no messages.
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

/* What is due at one time; which of the members it needs work() knows. */
struct koshu_job {
    /* In the thread, or, without one, between two steps: all it uses is the
     * particles, with their context, and the job. In the thread the context is
     * of one rank, the particles are those of the writers' group. */
    koshu_status (*work)(struct koshu_particles *particles,
                         struct koshu_job *job);
    /* Afterwards, in the thread of the run. */
    koshu_status (*end)(struct koshu_simulation *simulation,
                        const struct koshu_job *job);
    unsigned fields; /* of particles, that it needs; 0: all that there are */
    uint64_t files;  /* that it writes; 0: 1 */
    const struct koshu_writers *writers; /* in the thread: of these */
    bool idle; /* in the thread: another rank does it */
    struct koshu_snapshot_info info;
    struct koshu_checkpoint checkpoint;
    struct koshu_diagnostics diagnostics;
    const struct koshu_external *external; /* the simulation's */
    double external_energy, removed_energy;
    struct koshu_tree_errors errors;
    const struct koshu_solver *solver; /* of the simulation */
    bool finds_length, tells_length;   /* of Barnes-Hut lists */
    double list_length;
    const struct koshu_run_lock *lock;  /* the simulation's, */
    const char *parameters, *directory; /* and so are these */
    uint64_t keep, step;
    double time;
    bool comoving;
    double outward; /* the background of struct koshu_universe */
    struct koshu_file_factors factors; /* of a snapshot */
    char path[4096];
};

/* Does a job, and ends it. */
KOSHU_MUST_CHECK koshu_status koshu_job_do(struct koshu_simulation *simulation,
                                           const struct koshu_job *job);

/* For a simulation with an integrator, where there can be one. Collective, as
 * koshu_writer_do() and koshu_writer_settle() are. */
void koshu_writer_create(struct koshu_simulation *simulation);

/* Ends its jobs first; what became of them is lost. NULL is allowed. */
void koshu_writer_destroy(struct koshu_writer *writer);

/*
 * The job is done: by the thread, or, where there is none, or no memory for a
 * copy, before this returns. Takes a copy of the particles once between two
 * calls of koshu_writer_renew(). Waits for jobs on an earlier copy.
 */
KOSHU_MUST_CHECK koshu_status koshu_writer_do(
        struct koshu_simulation *simulation, const struct koshu_job *job);

/* The particles may have changed. */
void koshu_writer_renew(struct koshu_writer *writer);

/* Until all jobs have ended; or, without `wait`, if they have. The status and
 * message of the one that failed. NULL writer: KOSHU_OK. */
KOSHU_MUST_CHECK koshu_status
koshu_writer_settle(struct koshu_simulation *simulation, bool wait);

/* Seconds that the thread has worked. */
double koshu_writer_seconds(struct koshu_writer *writer);

#endif
