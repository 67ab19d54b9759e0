/* SPDX-License-Identifier: MIT */
/*
 * A solver computes the accelerations of all particles of a store: it makes
 * the i- and j-sets, a tree and its interaction lists, or a tree and its
 * expansions, and hands them to a backend.
 *
 * Threads: a solver, its context and the particles given to it are used by one
 * thread at a time. _name() and _find() without a context: any thread.
 */
#ifndef KOSHU_SOLVER_H
#define KOSHU_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/force.h>
#include <koshu/interaction.h>
#include <koshu/laplace.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_solver;

enum koshu_method {
    KOSHU_METHOD_DIRECT, /* every particle on every other */
    KOSHU_METHOD_TREE,   /* Barnes' modified tree algorithm, see koshu/tree.h */
    KOSHU_METHOD_FMM,    /* the fast multipole method, see koshu/laplace.h */
    KOSHU_METHOD_INTERACTION /* every particle on every other, by an interaction
                                of the user's own, see koshu/interaction.h */
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

/* "direct", "tree", "fmm", "interaction"; NULL past the last: count up from 0
 * to list. */
KOSHU_API const char *koshu_method_name(enum koshu_method value);

/* "auto", "peer", "cuda-aware", "nccl", "host"; NULL past the last. */
KOSHU_API const char *koshu_transport_name(enum koshu_transport value);

/*
 * Finds the value of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no value has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_method_find(struct koshu_context *context, const char *name,
                  enum koshu_method *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_transport_find(struct koshu_context *context, const char *name,
                     enum koshu_transport *value);

/* Of the space that particles are in. */
enum koshu_boundary {
    KOSHU_BOUNDARY_ISOLATED, /* it has no end */
    KOSHU_BOUNDARY_PERIODIC  /* a cube, repeated in all directions */
};

/*
 * "isolated", "periodic"; NULL past the last. And back.
 * Ownership: static text.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: no such name, or a pointer is NULL.
 */
KOSHU_API const char *koshu_boundary_name(enum koshu_boundary boundary);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_boundary_find(struct koshu_context *context, const char *name,
                    enum koshu_boundary *value);

struct koshu_solver_options {
    size_t size; /* of this struct */
    enum koshu_method method;
    /* A tree has no double precision; its single precision takes positions
     * relative to near ones, its mixed precision keeps them to 48 bits. */
    enum koshu_precision precision;
    double softening; /* eps >= 0, in units of length */
    bool fast;        /* see struct koshu_force_options */
    /* With several ranks: the number of other ranks' particles that a rank
     * keeps at once, while as many more are in transfer; 32 bytes each. Larger
     * capacities need fewer messages. 0: 2^24. Sums differ in their last bits
     * from one capacity to another. Ranks that have a device each compute every
     * pair once where all particles are not more than this; 0: 2^28. */
    size_t j_capacity;
    /* Between such devices. KOSHU_ERROR_UNSUPPORTED where it cannot be used. */
    enum koshu_transport transport;
    /* For KOSHU_METHOD_TREE; NULL: koshu_tree_options_default(). */
    const struct koshu_tree_options *tree;
    /* For KOSHU_METHOD_FMM, which has periodic boxes; NULL:
     * koshu_laplace_options_default(). The precision above counts, not the one
     * there. */
    const struct koshu_laplace_options *fmm;
    /*
     * For KOSHU_METHOD_INTERACTION: of the same context, and there as long as
     * the solver. Its inputs are among x y z vx vy vz mass eps2 (the softening
     * squared), for i- and j-particles; its outputs are ax ay az, and where
     * there are some, potential (else 0), and jx jy jz, the time derivative of
     * the acceleration, which the Hermite scheme needs. INDEX_I == INDEX_J is a
     * particle and itself; the numbers are not those of the particles. Energy
     * is that of 1/2 sum_i m_i potential_i. The precision above is not used.
     */
    struct koshu_interaction *interaction;
};

/* Direct, single, softening 0, not fast, j_capacity 0, auto, others NULL. */
KOSHU_DECLARE_DEFAULT(koshu_solver_options)

/* A method and its parameters, for an accuracy. */
struct koshu_solver_choice {
    size_t size; /* of this struct, set by the caller */
    enum koshu_method method;
    enum koshu_precision precision;
    double alpha;             /* of KOSHU_METHOD_TREE, else 0 */
    unsigned multipole_order; /* of KOSHU_METHOD_FMM, else 0 */
    double theta;             /* of KOSHU_METHOD_FMM, else 0 */
    double error;             /* expected: the largest of several models' */
    double pairs; /* what a particle costs, in pairs of direct sums */
    enum koshu_boundary boundary; /* of the space, set by the caller */
    double offset; /* positions are so many times as far from the origin as from
                      their mean, rms, set by the caller; below 1: as far */
};

/*
 * Chooses what costs least of all that keep the root mean square of
 * |a - a_direct| / |a_direct| within `accuracy`, for n particles, from measured
 * errors and costs (koshu bench accuracy): by counts, so that the same choice
 * is made wherever the context's backend can do the same. methods and
 * precisions: 1 << enumerator of each that is allowed; 0: all. The tree is that
 * of quadrupoles by the relative criterion. In a periodic box the choice holds
 * near a grid, too, whose forces nearly cancel. The caller sets choice->size,
 * choice->boundary and, where they are not about the origin, choice->offset:
 * direct sums in single precision round positions.
 * Units: accuracy and error are relative.
 * Error: rows of errors.csv, of samples of 256, keep the accuracy in 95 of 100;
 * tests/unit/solve/test_choose.c.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, the size is not set,
 * accuracy is not in (0, 1); KOSHU_ERROR_UNSUPPORTED: none of those allowed
 * keeps it; KOSHU_ERROR_NO_DEVICE; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_choose(struct koshu_context *context, uint64_t n, double accuracy,
                    unsigned methods, unsigned precisions,
                    struct koshu_solver_choice *choice);

/* What a solver has done since it was made. */
struct koshu_solver_report {
    size_t size;           /* of this struct, set by the caller */
    uint64_t interactions; /* of pairs, by all ranks together */
    double seconds;        /* spent by this rank */
    /* Of these seconds, those in which this rank waited for particles of other
     * ranks: the communication that the sums did not hide. 0 with one rank. */
    double exposed_communication;
};

/*
 * Makes a solver on the backend that the context names; "auto" takes the CPU
 * where no other device answers. Collective over the ranks.
 * Ownership: the caller destroys *solver, before the context; options, with
 * their tree and fmm, are copied.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an impossible option, or a pointer is
 * NULL (options may be); KOSHU_ERROR_NO_DEVICE: another backend is named that
 * no device answers, or that this build does not have; KOSHU_ERROR_UNSUPPORTED:
 * the backend cannot do it, a periodic box on GPUs of several ranks, an option
 * of a later koshu; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE;
 * KOSHU_ERROR_EXTERNAL: MPI failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_create(struct koshu_context *context,
                    const struct koshu_solver_options *options,
                    struct koshu_solver **solver);

/* Destroys a solver; NULL is allowed. */
KOSHU_API void koshu_solver_destroy(struct koshu_solver *solver);

/*
 * Computes the acceleration of every particle from every other, and the
 * potential where fields has it: Hamada07 eq. 1,
 *
 *     a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2)
 *     potential_i = -G sum_j m_j / (|x_j - x_i|^2 + eps^2)^(1/2),  j not i.
 *
 * fields: KOSHU_FIELD_ACCELERATION, or that | KOSHU_FIELD_POTENTIAL, which are
 * written in the store. With several ranks each gets those of its own
 * particles, from the particles of all; collective.
 * Units: G = 1; acceleration mass / length^2, potential mass / length.
 * Error: direct as koshu_force_direct(), tree and FMM as
 * koshu_solver_tree_errors() measures it.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: other fields, a view of the particles
 * for writing is not released, a pointer is NULL; KOSHU_ERROR_UNSUPPORTED:
 * lengths or masses outside the range of koshu/tree.h, or a process that fork()
 * made, see koshu/context.h; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_NOT_FINITE:
 * sums of a device are infinite or NaN; KOSHU_ERROR_DEVICE;
 * KOSHU_ERROR_EXTERNAL: MPI failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_forces(struct koshu_solver *solver,
                    struct koshu_particles *particles, unsigned fields);

/*
 * Waits until the device has computed all forces requested: a device computes
 * while the program goes on, so a program that measures time waits first. (What
 * reads particles waits by itself.)
 * Status: KOSHU_ERROR_DEVICE; KOSHU_ERROR_INVALID_ARGUMENT: solver is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_wait(struct koshu_solver *solver);

/*
 * Writes the options that the solver uses. The caller sets options->size.
 * Ownership: options->tree and ->fmm are the solver's, and last as long as it.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_options_of(const struct koshu_solver *solver,
                        struct koshu_solver_options *options);

/* Names the backend, "ref", "simd" or "cuda", and the device: "AVX-512, 2
 * threads".
 * Ownership: valid as long as the solver. */
KOSHU_API const char *koshu_solver_backend(const struct koshu_solver *solver);
KOSHU_API const char *koshu_solver_device(const struct koshu_solver *solver);

/*
 * Writes what the solver has done since it was made. The caller sets
 * report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_report(
        const struct koshu_solver *solver, struct koshu_solver_report *report);

/*
 * Writes what the last forces of a tree or an FMM took (report), or all since
 * the solver was made (total): zeros where sums are direct, or before the
 * first. The caller sets report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_report(
        const struct koshu_solver *solver, struct koshu_tree_report *report);
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_total(
        const struct koshu_solver *solver, struct koshu_tree_report *total);

/*
 * Measures the errors of the accelerations that the particles have, computed by
 * the solver where they are now: of `sample` particles evenly spread over those
 * of all ranks, or all where there are fewer, against direct sums in double, or
 * in a periodic box against Ewald's (koshu/ewald.h). Costs sample times N
 * interactions, and on one rank a tree where that is the method. The caller
 * sets errors->size. Collective.
 * Source: Hamada07 eq. 3.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: sample = 0, a view of the particles for
 * writing is not released, a pointer is NULL, or the size is not set;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no double precision, or images of a
 * box are finitely many; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE;
 * KOSHU_ERROR_EXTERNAL: MPI failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_errors(
        struct koshu_solver *solver, struct koshu_particles *particles,
        size_t sample, struct koshu_tree_errors *errors);

/*
 * Puts the particles, with all their fields, in the order that they had in the
 * last forces' tree: neighbours in space become neighbours in memory, and the
 * next trees are made a little faster. Ids identify the particles. Does nothing
 * where the host made no tree of these particles.
 * Source: Hamada10 section III.
 * Status: KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE;
 * KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or what
 * koshu_particles_permute() refuses.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_reorder(
        struct koshu_solver *solver, struct koshu_particles *particles);

#ifdef __cplusplus
}
#endif

#endif
