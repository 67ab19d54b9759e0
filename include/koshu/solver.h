/* SPDX-License-Identifier: MIT */
/*
 * A solver computes the accelerations of all particles of a store: it prepares
 * i- and j-sets, a tree and its interaction lists, or a tree and its
 * expansions, and passes them to a backend.
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
    KOSHU_METHOD_INTERACTION /* every particle on every other, by a
                                user-defined interaction, see
                                koshu/interaction.h */
};

/* How particles are sent from one rank's device to another's. */
enum koshu_transport {
    KOSHU_TRANSPORT_AUTO,       /* the first of the following that works */
    KOSHU_TRANSPORT_PEER,       /* copies into the other process's memory, over
                                   NVLink or PCIe; all ranks on one host */
    KOSHU_TRANSPORT_CUDA_AWARE, /* MPI, if it reports CUDA support */
    KOSHU_TRANSPORT_NCCL,       /* if installed; each rank needs its own
                                   device */
    KOSHU_TRANSPORT_HOST        /* through host memory and MPI */
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

/* The boundary of space. */
enum koshu_boundary {
    KOSHU_BOUNDARY_ISOLATED, /* infinite */
    KOSHU_BOUNDARY_PERIODIC  /* a cube, repeated in all directions */
};

/*
 * The names "isolated", "periodic" (NULL past the last), and the reverse.
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
    /* A tree has no double precision; in single precision it uses positions
     * relative to nearby ones, in mixed precision it keeps them to 48 bits. */
    enum koshu_precision precision;
    double softening; /* eps >= 0, in units of length */
    bool fast;        /* see struct koshu_force_options */
    /* With several ranks: the number of other ranks' particles that a rank
     * keeps at once, while as many more are in transfer; 32 bytes each. Larger
     * capacities need fewer messages. 0: 2^24. Sums differ in their last bits
     * between capacities. Ranks that have a device each compute every pair only
     * once if there are no more particles than this in all; 0: 2^28. */
    size_t j_capacity;
    /* Between devices of ranks. KOSHU_ERROR_UNSUPPORTED if it cannot be used.
     */
    enum koshu_transport transport;
    /* For KOSHU_METHOD_TREE; NULL: koshu_tree_options_default(). */
    const struct koshu_tree_options *tree;
    /* For KOSHU_METHOD_FMM, which supports periodic boxes; NULL:
     * koshu_laplace_options_default(). The precision above is used, not the one
     * there. */
    const struct koshu_laplace_options *fmm;
    /*
     * For KOSHU_METHOD_INTERACTION: of the same context, and must outlive the
     * solver. Its inputs are among x y z vx vy vz mass eps2 (the softening
     * squared), for i- and j-particles. Its outputs are ax ay az, optionally
     * potential (else 0), and jx jy jz, the time derivative of the
     * acceleration, which the Hermite scheme needs. INDEX_I == INDEX_J is a
     * particle and itself; the indices are not ids. Energy is that of 1/2 sum_i
     * m_i potential_i. The precision above is not used.
     */
    struct koshu_interaction *interaction;
};

/* Direct, single, softening 0, not fast, j_capacity 0, auto, others NULL. */
KOSHU_DECLARE_DEFAULT(koshu_solver_options)

/* A method and its parameters, chosen for an accuracy. */
struct koshu_solver_choice {
    size_t size; /* of this struct, set by the caller */
    enum koshu_method method;
    enum koshu_precision precision;
    double alpha;             /* for KOSHU_METHOD_TREE, else 0 */
    unsigned multipole_order; /* for KOSHU_METHOD_FMM, else 0 */
    double theta;             /* for KOSHU_METHOD_FMM, else 0 */
    double error;             /* expected: the largest over several models */
    double pairs;             /* cost per particle, in pairs of direct sums */
    enum koshu_boundary boundary; /* set by the caller */
    double offset; /* rms distance of the particles from the origin over that
                      from their mean, set by the caller; below 1: 1 */
};

/*
 * Chooses the cheapest method that keeps the root mean square of |a - a_direct|
 * / |a_direct| within `accuracy` for n particles, from measured errors and
 * costs (koshu bench accuracy). It compares operation counts, so that the
 * choice does not depend on the machine if the context's backend has the same
 * methods. methods and precisions: 1 << enumerator of each that is allowed; 0:
 * all. The tree uses quadrupoles and the relative criterion. In a periodic box
 * the choice also holds near a grid, where forces nearly cancel. The caller
 * sets choice->size, choice->boundary and, if the particles are not about the
 * origin, choice->offset, as direct sums in single precision round positions.
 * Units: accuracy and error are relative.
 * Error: rows of errors.csv, from samples of 256, keep the accuracy in 95 of
 * 100 cases; tests/unit/solve/test_choose.c.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, the size is not set,
 * accuracy is not in (0, 1); KOSHU_ERROR_UNSUPPORTED: no allowed method keeps
 * it; KOSHU_ERROR_NO_DEVICE; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_choose(struct koshu_context *context, uint64_t n, double accuracy,
                    unsigned methods, unsigned precisions,
                    struct koshu_solver_choice *choice);

/* What a solver has done since it was created. */
struct koshu_solver_report {
    size_t size;           /* of this struct, set by the caller */
    uint64_t interactions; /* of pairs, by all ranks together */
    double seconds;        /* spent by this rank */
    /* The part of these seconds in which this rank waited for particles of
     * other ranks: communication that was not hidden by sums. 0 with one
     * rank. */
    double exposed_communication;
};

/*
 * Creates a solver on the context's backend; "auto" uses the CPU if no other
 * device answers. Collective over the ranks.
 * Ownership: the caller destroys *solver, before the context; options, with
 * their tree and fmm, are copied.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an impossible option, or a pointer is
 * NULL (options may be); KOSHU_ERROR_NO_DEVICE: the named backend has no device
 * that answers, or is not in this build; KOSHU_ERROR_UNSUPPORTED: the backend
 * cannot do it, only some ranks of an FMM have a GPU, an option of a later
 * koshu; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE; KOSHU_ERROR_EXTERNAL:
 * MPI failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_solver_create(struct koshu_context *context,
                    const struct koshu_solver_options *options,
                    struct koshu_solver **solver);

/* Destroys a solver; NULL is allowed. */
KOSHU_API void koshu_solver_destroy(struct koshu_solver *solver);

/*
 * Computes the acceleration of every particle due to all others, and the
 * potential if fields includes it: Hamada07 eq. 1,
 *
 *     a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2)
 *     potential_i = -G sum_j m_j / (|x_j - x_i|^2 + eps^2)^(1/2),  j not i.
 *
 * fields: KOSHU_FIELD_ACCELERATION, or that | KOSHU_FIELD_POTENTIAL, which are
 * written to the store. With several ranks each gets the forces on its own
 * particles from those of all ranks; collective.
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
 * Waits until the device has computed all forces requested. As a device
 * computes while the program continues, a program that measures time must wait
 * first. (Functions that read particles wait by themselves.)
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
 * Writes the costs of the last forces of a tree or an FMM (report), or of all
 * since the solver was created (total): zeros for direct sums, or before the
 * first. The caller sets report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_report(
        const struct koshu_solver *solver, struct koshu_tree_report *report);
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_total(
        const struct koshu_solver *solver, struct koshu_tree_report *total);

/*
 * Measures the errors of the particles' accelerations, which this solver must
 * have computed for their present positions. Uses `sample` particles evenly
 * spread over those of all ranks, or all if there are fewer, against direct
 * sums in double or, in a periodic box, Ewald sums (koshu/ewald.h). Costs
 * sample times N interactions and, on one rank with the tree method, a tree.
 * The caller sets errors->size. Collective.
 * Source: Hamada07 eq. 3.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: sample = 0, a view of the particles for
 * writing is not released, a pointer is NULL, or the size is not set;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no double precision, or the box has
 * finitely many images; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE;
 * KOSHU_ERROR_EXTERNAL: MPI failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_solver_tree_errors(
        struct koshu_solver *solver, struct koshu_particles *particles,
        size_t sample, struct koshu_tree_errors *errors);

/*
 * Puts the particles, with all their fields, in the order of the last forces'
 * tree: neighbours in space become neighbours in memory, and subsequent trees
 * are made a little faster. Ids still identify the particles. Does nothing if
 * the host made no tree of these particles.
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
