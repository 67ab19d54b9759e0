/* SPDX-License-Identifier: MIT */
/*
 * Several devices of this process that sum forces together (Miki13 section 3).
 *
 * Each keeps a slice of the particles, as ranks do, and a host thread of its
 * own enqueues its work. A sum takes one of three schemes:
 *
 *   send-sync (Miki13 Fig. 3): each device sums its own slice on itself, sends
 *   its positions to all others on its second stream, and sums what has come
 *   from each of them on its slice, on the two streams in turn;
 *
 *   sync-recv (Fig. 4): the same, but positions are fetched, when all devices
 *   have theirs;
 *
 *   mutual: all positions come to all devices, each of which then computes an
 *   equal part of all pairs, each pair once (mutual.cuh); the parts of the
 *   forces go back to where the particles are.
 *
 * Parts of a force are added in the order of the slices: results are the same,
 * bit for bit, from run to run.
 *
 * Functions return 0, or a CUDA error for koshu_cuda_error(), and whose it is
 * is then koshu_cuda_group_failed().
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_DEVICES_H
#define KOSHU_BACKEND_CUDA_DEVICES_DEVICES_H

#include "backend/cuda/cuda.h"
#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda_group;       /* open devices */
struct koshu_cuda_group_store; /* the fields of a particle store on them */

/* n >= 2 devices, by their numbers; one may be listed twice. The names are
 * those of the first. *group is destroyed by the caller also after an error. */
int koshu_cuda_group_open(struct koshu_context *context, const int *devices,
                          size_t n, struct koshu_cuda_group **group,
                          struct koshu_cuda_names *names);
void koshu_cuda_group_close(struct koshu_cuda_group *group);

/* The number of the device that the last error was of. */
int koshu_cuda_group_failed(const struct koshu_cuda_group *group);

/* Can all of them read each other's memory, without the host? */
bool koshu_cuda_group_has_peers(const struct koshu_cuda_group *group);

/* The first device, for what one does alone. */
struct koshu_cuda *koshu_cuda_group_first(struct koshu_cuda_group *group);

size_t koshu_cuda_group_devices(const struct koshu_cuda_group *group);

/* The fastest scheme for n particles in all: the one that was selected, else
 * what was found to be so (docs/devices.md). AUTO is no choice. */
enum koshu_exchange
koshu_cuda_group_exchange(const struct koshu_cuda_group *group,
                          const struct koshu_force_task *task, size_t n);
void koshu_cuda_group_select_exchange(struct koshu_cuda_group *group,
                                      enum koshu_shape_set set,
                                      unsigned size_class,
                                      enum koshu_exchange scheme);

/* As koshu_cuda_select_shape(), for all of them. */
void koshu_cuda_group_select_shape(struct koshu_cuda_group *group,
                                   enum koshu_shape_set set,
                                   unsigned size_class, size_t k,
                                   int shared_memory);

/* As koshu_cuda_seconds(), _keep_pace(), _wait(). */
double koshu_cuda_group_seconds(const struct koshu_cuda_group *group);
int koshu_cuda_group_keep_pace(struct koshu_cuda_group *group, unsigned ahead);
int koshu_cuda_group_wait(struct koshu_cuda_group *group);

/* n waits of all for all, and KOSHU_COST_BETWEEN. */
int koshu_cuda_group_waits(struct koshu_cuda_group *group, size_t n);
int koshu_cuda_group_copies(struct koshu_cuda_group *group, size_t bytes);

/* As koshu_cuda_store_...(), for n particles in all. */
int koshu_cuda_group_store_create(struct koshu_cuda_group *group, size_t n,
                                  struct koshu_cuda_group_store **store);
void koshu_cuda_group_store_destroy(struct koshu_cuda_group_store *store);
int koshu_cuda_group_store_upload(struct koshu_cuda_group_store *store,
                                  unsigned fields,
                                  const struct koshu_particle_view *host);
int koshu_cuda_group_store_download(struct koshu_cuda_group_store *store,
                                    unsigned fields,
                                    const struct koshu_particle_view *host);
int
koshu_cuda_group_store_kick(struct koshu_cuda_group_store *store, double dt);
int
koshu_cuda_group_store_drift(struct koshu_cuda_group_store *store, double dt);
int koshu_cuda_group_store_largest_acceleration(
        struct koshu_cuda_group_store *store, double *a2);
bool koshu_cuda_group_store_not_finite(struct koshu_cuda_group_store *store);

/* scheme: not KOSHU_EXCHANGE_AUTO. */
int koshu_cuda_group_store_forces(struct koshu_cuda_group_store *store,
                                  const struct koshu_force_task *task,
                                  enum koshu_exchange scheme);

#ifdef __cplusplus
}
#endif

#endif
