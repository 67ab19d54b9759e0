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
