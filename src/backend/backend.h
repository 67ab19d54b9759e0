/* SPDX-License-Identifier: MIT */
/*
 * Backends: the table of operations that each fills, and their registry.
 *
 * A backend is one constant table of functions. A task states what is requested
 * (formula, precision, softening); can() answers whether the backend does it;
 * an operation works on a batch: many i-sets against many j-sets in one call.
 * Operations are REQUIRED, or OPTIONAL (NULL: the caller composes them from
 * required ones). Related ones are a table of their own, each in a header of
 * its own, which is a part of this one.
 */
#ifndef KOSHU_BACKEND_BACKEND_H
#define KOSHU_BACKEND_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/device.h>
#include <koshu/particles.h>

#include "backend/block.h"
#include "backend/cost.h"
#include "backend/ewald.h"
#include "backend/fmm.h"
#include "backend/fmm_parts.h"
#include "backend/force.h"
#include "backend/friends.h"
#include "backend/interaction.h"
#include "backend/j_store.h"
#include "backend/power.h"
#include "backend/spectral.h"
#include "backend/tree_parts.h"
#include "backend/tuning.h"
#include "backend/walks.h"
#include "base/base.h"
#include "devices/devices.h"

/* An opened backend: ops and state; each backend puts its own behind it. */
struct koshu_backend {
    const struct koshu_backend_ops *ops;
    struct koshu_context *context;
    char device[128];      /* in words: "AVX-512, 2 threads" */
    char model[320];       /* what its shapes are tuned for; "": has none */
    char group_model[336]; /* of several devices: "2 x MODEL"; "": one */
    char unit[KOSHU_UNIT_NAME]; /* its serial number in the world; "": the
                                   processors */
};

struct koshu_backend_ops {
    const char *name;

    /* REQUIRED. Devices of this kind on this machine; 0: cannot be used. */
    int (*devices)(void);

    /* REQUIRED. Describes the k-th device of this kind on this machine, usable
     * or not: number, name and memory, or the reason; the rest is set. Where
     * there is none, the 0th has the reason. false: there are no more. */
    bool (*describe)(int k, struct koshu_device *device);

    /* Do koshu_context_options.devices choose between them? */
    bool numbered;

    /* REQUIRED. NULL is allowed in close. */
    koshu_status (*open)(struct koshu_context *context,
                         struct koshu_backend **backend);
    void (*close)(struct koshu_backend *backend);

    /* OPTIONAL. Where it keeps stores in memory of its own: how much there is.
     */
    struct koshu_memory_limits (*memory)(const struct koshu_backend *backend);

    /* OPTIONAL: every one. Does force() do this task? */
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);

    /* REQUIRED. Sums of every set of the batch, on host arrays. */
    koshu_status (*force)(struct koshu_backend *backend,
                          const struct koshu_force_task *task,
                          const struct koshu_force_batch *batch);

    /* OPTIONAL. Sums of n_walks walks. With walks_in_caller the
     * calling thread computes them alone, and many may call at once: each
     * hands over a list as soon as it has made it. Without, a call is worth
     * many walks. */
    koshu_status (*walks)(struct koshu_backend *backend,
                          const struct koshu_walk_task *task, size_t n_walks,
                          const struct koshu_walks *walks);
    bool walks_in_caller;

    /* OPTIONAL. */
    const struct koshu_walk_memory_ops *walk_memory;

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
     * all that was requested is done. */
    koshu_status (*wait)(struct koshu_backend *backend);

    /* OPTIONAL. What force_store, or force with one set, does for n particles
     * on one device.
     * KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*shape)(struct koshu_backend *backend,
                          const struct koshu_force_task *task, size_t n,
                          struct koshu_force_shape *shape);

    /* OPTIONAL. Spends it; whoever calls takes the time. host: n bytes, for a
     * copy. KOSHU_ERROR_UNSUPPORTED, without a message: there is no such thing.
     */
    koshu_status (*cost)(struct koshu_backend *backend, enum koshu_cost what,
                         size_t n, void *host);

    /* OPTIONAL, with engines that work over ranks: the store gets its copy on
     * the device, if it has none, in which the particles of a domain can stay.
     * KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*keep)(struct koshu_backend *backend,
                         struct koshu_particles *particles);

    /* OPTIONAL, both or none. Leapfrog on the store's fields there:
     * v += a dt, and x += v dt. KOSHU_ERROR_NOT_FINITE, without a message,
     * where a result is infinite or NaN: the integrator names the particle. */
    koshu_status (*kick)(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);
    koshu_status (*drift)(struct koshu_backend *backend,
                          struct koshu_particles *particles, double dt);

    /* OPTIONAL. Positions there, in the periodic box [corner, corner + box) of
     * each direction. KOSHU_ERROR_NOT_FINITE: as kick(). */
    koshu_status (*wrap)(struct koshu_backend *backend,
                         struct koshu_particles *particles,
                         const double corner[3], double box);

    /* OPTIONAL. The largest |a|^2 there, of the steps that are chosen by it; a
     * NaN does not count. */
    koshu_status (*largest_acceleration)(struct koshu_backend *backend,
                                         struct koshu_particles *particles,
                                         double *a2);

    /* OPTIONAL. Ewald's sums, on host arrays. */
    koshu_status (*ewald)(struct koshu_backend *backend,
                          const struct koshu_ewald_task *task);

    /* OPTIONAL. KOSHU_ERROR_OUT_OF_MEMORY: of the device, or of the host. What
     * cells has then is the caller's to free. */
    koshu_status (*friends)(struct koshu_backend *backend,
                            const struct koshu_friends_task *task,
                            struct koshu_friends_cells *cells);

    /* OPTIONAL. Results are written where all went well.
     * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: the library of
     * transforms is not there, or fails. */
    koshu_status (*power)(struct koshu_backend *backend,
                          const struct koshu_power_task *task);

    /* OPTIONAL. */
    const struct koshu_j_store_ops *j_store;

    /* OPTIONAL: composed of force. */
    const struct koshu_partition_ops *partition;

    /* OPTIONAL: composed of j_store. */
    const struct koshu_block_ops *block;

    /* OPTIONAL. */
    const struct koshu_interaction_ops *interaction;

    /* OPTIONAL: composed of lists that the host makes. */
    const struct koshu_tree_ops *tree;

    /* OPTIONAL: operators that the host's threads call, or an engine. */
    const struct koshu_fmm_ops *fmm;
    const struct koshu_fmm_engine_ops *fmm_engine;

    /* OPTIONAL, both or none. The k-th shape of a set, NULL past the last; and
     * the one that force_store() uses for sizes of a class from now on, with
     * so much of the cache for shared memory (percent; -1: as the driver
     * likes). k past the last: the backend's own choice. Another shape may
     * change the last bits of a sum. */
    const struct koshu_shape *(*shape_at)(enum koshu_shape_set set, size_t k);
    void (*select_shape)(struct koshu_backend *backend,
                         enum koshu_shape_set set, unsigned size_class,
                         size_t k, int shared_memory);

    /* OPTIONAL, both or none. Where several devices share the sums of forces:
     * how they exchange particles in force_store() of n; and how they do for
     * sizes of a class from now on, where the context does not say (AUTO: as
     * the backend likes). */
    enum koshu_exchange (*exchange)(const struct koshu_backend *backend,
                                    const struct koshu_force_task *task,
                                    size_t n);
    void (*select_exchange)(struct koshu_backend *backend,
                            enum koshu_shape_set set, unsigned size_class,
                            enum koshu_exchange scheme);

    /* OPTIONAL: a fluid in a periodic cube (backend/spectral.h). */
    const struct koshu_spectral_ops *spectral;
};

#ifdef __cplusplus
extern "C" {
#endif

extern const struct koshu_backend_ops koshu_backend_ref;
extern const struct koshu_backend_ops koshu_backend_simd;
extern const struct koshu_backend_ops koshu_backend_cuda; /* where built */

/* All backends of this build, the preferred first; NULL past the last. */
const struct koshu_backend_ops *koshu_backend_at(size_t k);

/*
 * The backend that the context names, opened at the first call and kept by
 * the context. "auto" takes the first with a device. KOSHU_ERROR_NO_DEVICE:
 * another is not in this build, or has no device; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_backend_of(struct koshu_context *context, struct koshu_backend **backend);

/* Is it worth opening for an analysis of n particles? Of fewer the processors
 * are done before a device has been opened, or soon after. One that is named,
 * or open already, is used for all. */
bool koshu_backend_is_for(struct koshu_context *context, size_t n);

/* KOSHU_ERROR_UNSUPPORTED, naming backend and task, where it cannot do the
 * task. */
koshu_status koshu_backend_require(const struct koshu_backend *backend,
                                   const struct koshu_force_task *task);

#ifdef __cplusplus
}
#endif

#endif
