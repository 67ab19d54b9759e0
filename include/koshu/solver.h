/* SPDX-License-Identifier: MIT */
/*
 * A solver computes the accelerations of all particles of a store: it makes
 * the i- and j-sets, or a tree and its interaction lists, and hands them to a
 * backend.
 */
#ifndef KOSHU_SOLVER_H
#define KOSHU_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/force.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_solver;

enum koshu_method {
    KOSHU_METHOD_DIRECT, /* every particle on every other */
    KOSHU_METHOD_TREE    /* Barnes' modified tree algorithm, see koshu/tree.h */
};

/* How particles go from the device of one rank to that of another. */
enum koshu_transport {
    KOSHU_TRANSPORT_AUTO,       /* the first of those below that can be used */
    KOSHU_TRANSPORT_PEER,       /* copies into the other process's memory, over
                                   NVLink or PCIe; all ranks on one host */
    KOSHU_TRANSPORT_CUDA_AWARE, /* MPI, where it says that it can */
    KOSHU_TRANSPORT_NCCL,       /* where it is installed; a device each */
    KOSHU_TRANSPORT_HOST        /* through the memory of the host, and MPI */
};

/* "auto", "peer", "cuda-aware", "nccl", "host"; NULL past the last. */
KOSHU_API const char *koshu_transport_name(enum koshu_transport transport);

struct koshu_solver_options {
    enum koshu_method method;
    /* A tree has no double precision; its single precision takes positions
     * relative to near ones, its mixed precision keeps them to 48 bits. */
    enum koshu_precision precision;
    double softening; /* eps >= 0 */
    bool fast;        /* see struct koshu_force_options */
    /* With several ranks: so many particles of others a rank keeps at once, and
     * as many more are under way; 32 bytes each. The more, the fewer messages.
     * 0: 2^24. Sums differ in their last bits from one capacity to another.
     * Ranks that have a device each compute every pair once where all particles
     * are not more than this; 0: 2^28. */
    size_t j_capacity;
    /* Between such devices. KOSHU_ERROR_UNSUPPORTED where it cannot be used. */
    enum koshu_transport transport;
    struct koshu_tree_options tree;
};

/* direct, single, softening 0, not fast, j_capacity 0, auto; of the tree:
 * koshu_tree_options_default() */
KOSHU_API struct koshu_solver_options koshu_solver_options_default(void);

/*
 * Opens the backend that the context names. "auto" takes the CPU where no other
 * device answers. KOSHU_ERROR_INVALID_ARGUMENT: an impossible option;
 * KOSHU_ERROR_NO_DEVICE: another backend was named, which no device answers, or
 * which this build does not have; KOSHU_ERROR_UNSUPPORTED: the backend cannot
 * do it; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_create(struct koshu_context *context,
                    const struct koshu_solver_options *options,
                    struct koshu_solver **solver);

/* NULL is allowed. */
KOSHU_API void koshu_solver_destroy(struct koshu_solver *solver);

/*
 * Accelerations, and the potential where fields has KOSHU_FIELD_POTENTIAL, of
 * every particle from every other. fields is KOSHU_FIELD_ACCELERATION, or that
 * | KOSHU_FIELD_POTENTIAL. With several ranks each gets those of its own
 * particles, from the particles of all; collective.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_forces(struct koshu_solver *solver,
                    struct koshu_particles *particles, unsigned fields);

/*
 * Returns when the device is done with all forces asked for: a device sums
 * while the program goes on, and whoever takes the time waits first. (What
 * reads particles waits by itself.) KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_wait(struct koshu_solver *solver);

/* The options that the solver was made with. */
KOSHU_API const struct koshu_solver_options *
koshu_solver_options_of(const struct koshu_solver *solver);

/* "ref", "simd" or "cuda", and the device in words: "AVX-512, 2 threads". */
KOSHU_API const char *koshu_solver_backend(const struct koshu_solver *solver);
KOSHU_API const char *koshu_solver_device(const struct koshu_solver *solver);

/* What the last forces of a tree took, and all since the solver was made. Zeros
 * where the method is another, or there were none yet. */
KOSHU_API struct koshu_tree_report
koshu_solver_tree_report(const struct koshu_solver *solver);
KOSHU_API struct koshu_tree_report
koshu_solver_tree_total(const struct koshu_solver *solver);

/*
 * Errors of the accelerations that the particles have, computed by a tree
 * where they are now: of `sample` particles evenly spread over the store, or
 * all where there are fewer, against direct sums in double. Costs sample times
 * N interactions and a tree. KOSHU_ERROR_INVALID_ARGUMENT: the method is
 * another, sample = 0; KOSHU_ERROR_UNSUPPORTED: the backend has no double
 * precision; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_errors(
        struct koshu_solver *solver, struct koshu_particles *particles,
        size_t sample, struct koshu_tree_errors *errors);

/*
 * Puts the particles, with all their fields, in the order in which the last
 * forces' tree had them: those that are near each other are near in memory, and
 * the next trees are made a little faster (Hamada10 section III). Ids tell who
 * is who. Does nothing where the host made no tree of these particles.
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_reorder(
        struct koshu_solver *solver, struct koshu_particles *particles);

/* Pair interactions evaluated, by all ranks together, and seconds spent by this
 * one, since the solver was made. */
KOSHU_API uint64_t koshu_solver_interactions(const struct koshu_solver *solver);
KOSHU_API double koshu_solver_seconds(const struct koshu_solver *solver);

/* Of these seconds, those in which this rank waited for particles of others:
 * what the sums did not hide. 0 with one rank. */
KOSHU_API double
koshu_solver_exposed_communication(const struct koshu_solver *solver);

#ifdef __cplusplus
}
#endif

#endif
