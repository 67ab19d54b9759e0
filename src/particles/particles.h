/* SPDX-License-Identifier: MIT */
/*
 * The particle store within the library: arrays without a release, and how a
 * backend keeps a copy of fields on a device.
 *
 * For each group of fields the store knows whether the host's arrays are
 * valid and whether the device copy's are. Only these functions copy, and every
 * copy is counted.
 */
#ifndef KOSHU_PARTICLES_PARTICLES_H
#define KOSHU_PARTICLES_PARTICLES_H

#include <koshu/particles.h>

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays, as koshu_particles_acquire_write() lends them, for reading too:
 * not counted as a view, and good until anything else uses the store. */
KOSHU_MUST_CHECK koshu_status koshu_particles_on_host(
        struct koshu_particles *particles, unsigned fields,
        enum koshu_access access, struct koshu_particle_view *view);

/*
 * Before particles are moved (KOSHU_ACCESS_READ) or computed on
 * (KOSHU_ACCESS_WRITE): KOSHU_ERROR_INVALID_ARGUMENT where a caller has a view
 * that could read them, or one that could write them. caller: the function
 * that refuses, "koshu_solver_forces()".
 */
KOSHU_MUST_CHECK koshu_status
koshu_particles_refuse_views(struct koshu_particles *particles,
                             enum koshu_access of, const char *caller);

/* A copy of the fields elsewhere; made by a backend, which owns `self`. */
struct koshu_device_copy_ops {
    koshu_status (*to_host)(void *self, unsigned fields,
                            const struct koshu_particle_view *host);
    koshu_status (*from_host)(void *self, unsigned fields,
                              const struct koshu_particle_view *host);
    void (*destroy)(void *self);
};

/* Gives the store its device copy (it has at most one; the old one is
 * destroyed). ops NULL: takes it away, after bringing what only it holds
 * back. */
koshu_status
koshu_particles_set_device_copy(struct koshu_particles *particles,
                                const struct koshu_device_copy_ops *ops,
                                void *self);

/* The device copy, if it was set with these ops; NULL otherwise. */
void *koshu_particles_device_copy(const struct koshu_particles *particles,
                                  const struct koshu_device_copy_ops *ops);

/* koshu_particles_on_host() for the device copy. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_on_device(struct koshu_particles *particles, unsigned fields,
                          enum koshu_access access);

/* Of one particle of a store, without the fields of block time steps. */
#define KOSHU_PARTICLE_BYTES ((size_t)(12 * 8))

/* Before work on n particles begins that needs at least so many bytes for each,
 * on the rank that has them: KOSHU_ERROR_OUT_OF_MEMORY where they cannot be
 * had, a warning in the log where they are not there now. */
koshu_status
koshu_particles_require(struct koshu_context *context, size_t n, size_t each);

/* A store of n particles that lie in a larger one of `total` from `first` on,
 * or are no slice of this rank; n may be 0. Ids are first ... first + n - 1.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_particles_create_slice(struct koshu_context *context,
                                          size_t total,
                                          struct koshu_slice slice,
                                          struct koshu_particles **particles);

/* The fields that the store has by now. */
unsigned koshu_particles_fields(const struct koshu_particles *particles);

/* Bytes copied between host and device so far. */
uint64_t koshu_particles_bytes_copied(const struct koshu_particles *particles);

#ifdef __cplusplus
}
#endif

#endif
