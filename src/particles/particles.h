/* SPDX-License-Identifier: MIT */
/*
 * The particle store's other side: how a backend keeps fields on a device.
 *
 * For each group of fields the store knows whether the host's arrays are
 * valid and whether the mirror's are. Only these functions copy, and every
 * copy is counted.
 */
#ifndef KOSHU_PARTICLES_PARTICLES_H
#define KOSHU_PARTICLES_PARTICLES_H

#include <koshu/particles.h>

#include "base/base.h"

/* A copy of the fields elsewhere; made by a backend, which owns `self`. */
struct koshu_mirror_ops {
    koshu_status (*to_host)(void *self, unsigned fields,
                            const struct koshu_particle_view *host);
    koshu_status (*from_host)(void *self, unsigned fields,
                              const struct koshu_particle_view *host);
    void (*destroy)(void *self);
};

/* Gives the store its mirror (it has at most one; the old one is destroyed).
 * ops NULL: takes it away, after bringing what only it holds back. */
koshu_status koshu_particles_set_mirror(struct koshu_particles *particles,
                                        const struct koshu_mirror_ops *ops,
                                        void *self);

/* The mirror, if it was set with these ops; NULL otherwise. */
void *koshu_particles_mirror(const struct koshu_particles *particles,
                             const struct koshu_mirror_ops *ops);

/* koshu_particles_acquire() for the mirror's side. */
koshu_status koshu_particles_acquire_mirror(struct koshu_particles *particles,
                                            unsigned fields,
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

/* Bytes copied between host and mirror so far. */
uint64_t koshu_particles_bytes_copied(const struct koshu_particles *particles);

#endif
