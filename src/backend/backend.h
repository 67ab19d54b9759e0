/* SPDX-License-Identifier: MIT */
/*
 * Backends: the table of operations that each fills, and their registry.
 *
 * A backend is one constant table of functions. A task says what is asked
 * (formula, precision, softening); can() answers whether the backend does it;
 * an operation works on a batch: many i-sets against many j-sets in one call.
 * Operations are REQUIRED, or OPTIONAL (NULL: the caller composes them from
 * required ones).
 */
#ifndef KOSHU_BACKEND_BACKEND_H
#define KOSHU_BACKEND_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/particles.h>

/* What is asked of a force operation. */
struct koshu_force_task {
    enum koshu_precision precision;
    double eps; /* >= 0 */
    bool potential;
    bool fast; /* single only */
};

/*
 * The sets of koshu_force_direct_sets(), checked: no array is NULL but
 * i.self and, without potential, result.potential; offsets are in order; self
 * indices are in range.
 */
struct koshu_force_batch {
    size_t n_sets;
    const size_t *i_offset, *j_offset; /* n_sets + 1 each */
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

/* An opened backend: ops and state; each backend puts its own behind it. */
struct koshu_backend {
    const struct koshu_backend_ops *ops;
    struct koshu_context *context;
    char device[128]; /* in words: "AVX-512, 2 threads" */
};

/*
 * How a backend cuts the sum of n particles on each other, in the terms of
 * Miki13 section 6.1: blocks of equal work, dealt out to units.
 */
struct koshu_force_shape {
    char kernel[32];    /* in words; a pair costs the same in kernels that
                           share the name */
    size_t units;       /* N_SM: multiprocessors, or threads */
    size_t lanes;       /* N_core, of a unit */
    double hertz;       /* of its clock, at most; 0: not known */
    size_t at_once;     /* B_SM: blocks that a unit works on together */
    size_t blocks;      /* B_tot */
    double tiles;       /* that a block works through: N_j / T_tot */
    double evaluations; /* of the pair formula by a block in a tile:
                           N_i / B_tot times T_tot */
    size_t both;        /* interactions of an evaluation: 2 where the force on
                           both particles is taken from it, else 1 */
    size_t launches;
};

/* What a backend spends besides the sums, n times or of size n. */
enum koshu_cost {
    KOSHU_COST_WAIT,        /* n waits for nothing; threads: n barriers */
    KOSHU_COST_LAUNCH,      /* n empty kernels, then a wait; threads: n empty
                               parallel regions */
    KOSHU_COST_LAUNCH_WAIT, /* n empty kernels, each waited for */
    KOSHU_COST_BLOCKS,      /* an empty kernel of n blocks, and a wait; threads:
                               a parallel region that deals out n pieces */
    KOSHU_COST_TO_DEVICE,   /* a copy of n bytes, and a wait */
    KOSHU_COST_FROM_DEVICE,
};

struct koshu_backend_ops {
    const char *name;

    /* REQUIRED. Devices of this kind on this machine; 0: cannot be used. */
    int (*devices)(void);

    /* REQUIRED. NULL is allowed in close. */
    koshu_status (*open)(struct koshu_context *context,
                         struct koshu_backend **backend);
    void (*close)(struct koshu_backend *backend);

    /* REQUIRED. Does force() do this task? */
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);

    /* REQUIRED. Sums of every set of the batch, on host arrays. */
    koshu_status (*force)(struct koshu_backend *backend,
                          const struct koshu_force_task *task,
                          const struct koshu_force_batch *batch);

    /* OPTIONAL. All particles of a store on each other, where the backend
     * keeps the store's fields (fields: as in koshu_solver_forces). */
    koshu_status (*force_store)(struct koshu_backend *backend,
                                const struct koshu_force_task *task,
                                struct koshu_particles *particles,
                                unsigned fields);

    /* With force_store, where that returns before the sums are done: the
     * seconds that all so far take, from those that are done. Does not wait. */
    double (*seconds)(const struct koshu_backend *backend);

    /* OPTIONAL, where force_store returns before the sums are done: waits until
     * all that was asked for is done. */
    koshu_status (*wait)(struct koshu_backend *backend);

    /* OPTIONAL. What force_store, or force with one set, does for n particles.
     * KOSHU_OUT_OF_MEMORY. */
    koshu_status (*shape)(struct koshu_backend *backend,
                          const struct koshu_force_task *task, size_t n,
                          struct koshu_force_shape *shape);

    /* OPTIONAL. Spends it; whoever calls takes the time. host: n bytes, for a
     * copy. KOSHU_UNSUPPORTED, without a message: there is no such thing. */
    koshu_status (*cost)(struct koshu_backend *backend, enum koshu_cost what,
                         size_t n, void *host);

    /* OPTIONAL, both or none. Leapfrog on the store's fields there:
     * v += a dt, and x += v dt. KOSHU_NOT_FINITE, without a message, where a
     * result is infinite or NaN: the integrator names the particle. */
    koshu_status (*kick)(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);
    koshu_status (*drift)(struct koshu_backend *backend,
                          struct koshu_particles *particles, double dt);
};

extern const struct koshu_backend_ops koshu_backend_ref;
extern const struct koshu_backend_ops koshu_backend_simd;
extern const struct koshu_backend_ops koshu_backend_cuda; /* where built */

/* All backends of this build, the preferred first; NULL past the last. */
const struct koshu_backend_ops *koshu_backend_at(size_t k);

/*
 * The backend that the context names, opened at the first call and kept by
 * the context. "auto" takes the first with a device; one that is not there
 * falls back to simd and logs a warning, once. KOSHU_OUT_OF_MEMORY.
 */
koshu_status
koshu_backend_of(struct koshu_context *context, struct koshu_backend **backend);

/* KOSHU_UNSUPPORTED, naming backend and task, where it cannot do the task. */
koshu_status koshu_backend_require(const struct koshu_backend *backend,
                                   const struct koshu_force_task *task);

#endif
