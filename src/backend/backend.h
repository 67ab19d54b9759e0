/* SPDX-License-Identifier: MIT */
/*
 * Backends: the table of operations that each fills, and their registry.
 *
 * A backend is one constant table of functions. A task states what is requested
 * (formula, precision, softening); can() tells whether the backend supports it;
 * an operation works on a batch: many i-sets against many j-sets in one call.
 * Operations are REQUIRED, or OPTIONAL (NULL: the caller composes them from
 * required ones). Related operations form tables of their own, each in a header
 * of its own, which this one includes.
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

/* An opened backend: its operations and common state. Each backend embeds it in
 * a struct of its own. */
struct koshu_backend {
    const struct koshu_backend_ops *ops;
    struct koshu_context *context;
    char device[128];      /* for the user: "AVX-512, 2 threads" */
    char model[320];       /* for which shapes are tuned; "": not tunable */
    char group_model[336]; /* several devices: "2 x MODEL"; "": one */
    char unit[KOSHU_UNIT_NAME]; /* unique device serial; "": the processors */
};

struct koshu_backend_ops {
    const char *name;

    /* REQUIRED. Number of devices of this kind on this machine; 0: unusable. */
    int (*devices)(void);

    /* REQUIRED. Describes the k-th device of this kind on this machine, usable
     * or not: writes number, name and memory, or the reason why it is unusable;
     * the caller has set the other fields. If there is no device, number 0
     * gives the reason. Returns false if there are no more. */
    bool (*describe)(int k, struct koshu_device *device);

    /* Does koshu_context_options.devices select among the devices? */
    bool numbered;

    /* REQUIRED. close() accepts NULL. */
    koshu_status (*open)(struct koshu_context *context,
                         struct koshu_backend **backend);
    void (*close)(struct koshu_backend *backend);

    /* OPTIONAL, for backends that keep stores in their own memory: how much
     * memory there is. */
    struct koshu_memory_limits (*memory)(const struct koshu_backend *backend);

    /* OPTIONAL; NULL: all tasks. Does force() support this task? */
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);

    /* REQUIRED. Computes the sums of every set of the batch, on host arrays. */
    koshu_status (*force)(struct koshu_backend *backend,
                          const struct koshu_force_task *task,
                          const struct koshu_force_batch *batch);

    /* OPTIONAL. Computes the sums of n_walks walks. If walks_in_caller, the
     * calling thread computes them by itself, and many threads may call at the
     * same time: each passes a list as soon as it is made. Otherwise a call
     * should have many walks. */
    koshu_status (*walks)(struct koshu_backend *backend,
                          const struct koshu_walk_task *task, size_t n_walks,
                          const struct koshu_walks *walks);
    bool walks_in_caller;

    /* OPTIONAL. */
    const struct koshu_walk_memory_ops *walk_memory;

    /* OPTIONAL. The forces of all particles of a store on each other, where the
     * backend keeps the store's fields (fields: as in koshu_solver_forces). */
    koshu_status (*force_store)(struct koshu_backend *backend,
                                const struct koshu_force_task *task,
                                struct koshu_particles *particles,
                                unsigned fields);

    /* OPTIONAL, if force_store returns before its sums are done: the estimated
     * seconds of all sums so far, from those that are done. Does not wait. */
    double (*seconds)(const struct koshu_backend *backend);

    /* OPTIONAL, if force_store returns before its sums are done: waits for all
     * requested work. */
    koshu_status (*wait)(struct koshu_backend *backend);

    /* OPTIONAL. How force_store(), or force() with one set, divides the work
     * for n particles on one device. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*shape)(struct koshu_backend *backend,
                          const struct koshu_force_task *task, size_t n,
                          struct koshu_force_shape *shape);

    /* OPTIONAL. Performs this operation so that the caller can time it. host: n
     * bytes, for copies. Status: KOSHU_ERROR_UNSUPPORTED, without a message
     * (the backend has no such operation). */
    koshu_status (*cost)(struct koshu_backend *backend, enum koshu_cost what,
                         size_t n, void *host);

    /* OPTIONAL, with engines that work over several ranks: creates the store's
     * copy on the device, if it has none, so that the particles of a domain can
     * stay there. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*keep)(struct koshu_backend *backend,
                         struct koshu_particles *particles);

    /* OPTIONAL, both or none. Leapfrog steps on the store's fields in the
     * backend's memory: v += a dt, and x += v dt. Status:
     * KOSHU_ERROR_NOT_FINITE, without a message (a result is infinite or NaN;
     * the integrator names the particle). */
    koshu_status (*kick)(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);
    koshu_status (*drift)(struct koshu_backend *backend,
                          struct koshu_particles *particles, double dt);

    /* OPTIONAL. Wraps the positions in the backend's memory into the periodic
     * box [corner, corner + box) of each axis. Status: as kick(). */
    koshu_status (*wrap)(struct koshu_backend *backend,
                         struct koshu_particles *particles,
                         const double corner[3], double box);

    /* OPTIONAL. The largest |a|^2 in the backend's memory, for the choice of
     * time steps; NaN is ignored. */
    koshu_status (*largest_acceleration)(struct koshu_backend *backend,
                                         struct koshu_particles *particles,
                                         double *a2);

    /* OPTIONAL. Ewald sums on host arrays. */
    koshu_status (*ewald)(struct koshu_backend *backend,
                          const struct koshu_ewald_task *task);

    /* OPTIONAL. The caller frees what is in `sets`, also after an error.
     * Status: KOSHU_ERROR_OUT_OF_MEMORY (of the device or of the host). */
    koshu_status (*friends)(struct koshu_backend *backend,
                            const struct koshu_friends_task *task,
                            struct koshu_friends_sets *sets);

    /* OPTIONAL. Results are written only on success. Status:
     * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_EXTERNAL (the FFT library is
     * missing, or fails). */
    koshu_status (*power)(struct koshu_backend *backend,
                          const struct koshu_power_task *task);

    /* OPTIONAL. */
    const struct koshu_j_store_ops *j_store;

    /* OPTIONAL: otherwise composed of force. */
    const struct koshu_partition_ops *partition;

    /* OPTIONAL: otherwise composed of j_store. */
    const struct koshu_block_ops *block;

    /* OPTIONAL. */
    const struct koshu_interaction_ops *interaction;

    /* OPTIONAL: otherwise composed of lists that the host makes. */
    const struct koshu_tree_ops *tree;

    /* OPTIONAL: operators that the host's threads call, and an engine that does
     * the whole method. */
    const struct koshu_fmm_ops *fmm;
    const struct koshu_fmm_engine_ops *fmm_engine;

    /* OPTIONAL, both or none. shape_at(): the k-th shape of a set, NULL past
     * the last. select_shape(): the shape that force_store() uses from now on
     * for sizes of this class, with this percentage of the cache as shared
     * memory (-1: the driver's choice); k past the last restores the backend's
     * own choice. Another shape may change the last bits of a sum. */
    const struct koshu_shape *(*shape_at)(enum koshu_shape_set set, size_t k);
    void (*select_shape)(struct koshu_backend *backend,
                         enum koshu_shape_set set, unsigned size_class,
                         size_t k, int shared_memory);

    /* OPTIONAL, both or none, for several devices that divide the sums of
     * forces. exchange(): how they exchange particles in force_store() of n
     * particles. select_exchange(): how they do so from now on for sizes of
     * this class, if the context does not specify it (AUTO: the backend's
     * choice). */
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
extern const struct koshu_backend_ops koshu_backend_cuda; /* if built */

/* All backends of this build, in order of preference; NULL past the last. */
const struct koshu_backend_ops *koshu_backend_at(size_t k);

/*
 * The backend that the context names, opened at the first call and then kept by
 * the context. "auto" is the first with a device. Status: KOSHU_ERROR_NO_DEVICE
 * (the named backend is not in this build, or has no device),
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_backend_of(struct koshu_context *context, struct koshu_backend **backend);

/* Operators that the host's threads call, whatever the context's backend is:
 * its own, or for a device those of the processor's best vectors. Statuses of
 * koshu_backend_of(); KOSHU_ERROR_INVALID_ARGUMENT: KOSHU_ISA is wrong. */
koshu_status
koshu_backend_fmm_kernels(struct koshu_context *context,
                          enum koshu_precision precision,
                          const struct koshu_fmm_kernels **kernels);

/* Is the context's backend worth using for an analysis of n particles? For few
 * particles the processors finish before a device is opened, or soon after. A
 * backend that is named explicitly, or open already, is always used. */
bool koshu_backend_is_for(struct koshu_context *context, size_t n);

/* Status: KOSHU_ERROR_UNSUPPORTED (the backend does not support the task; the
 * message names both). */
koshu_status koshu_backend_require(const struct koshu_backend *backend,
                                   const struct koshu_force_task *task);

#ifdef __cplusplus
}
#endif

#endif
