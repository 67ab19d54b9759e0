/* SPDX-License-Identifier: MIT */
/*
 * The device as the host's C code sees it.
 *
 * Functions return 0, or a CUDA error for koshu_cuda_error(). Work is enqueued
 * on one stream of the device and may still be running on return, except where
 * host memory is written: then it is done.
 */
#ifndef KOSHU_BACKEND_CUDA_CUDA_H
#define KOSHU_BACKEND_CUDA_CUDA_H

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda;       /* an open device */
struct koshu_cuda_store; /* the fields of a particle store on it */

/* Devices that answer and that this build has code for; 0 without a driver. */
int koshu_cuda_devices(void);

/* As the backend's describe: "NVIDIA H100 80GB HBM3, 132 multiprocessors,
 * 79 GiB". */
bool koshu_cuda_describe(int k, struct koshu_device *device);

/* In words: "no error", "out of memory". */
const char *koshu_cuda_error(int error);
bool koshu_cuda_is_out_of_memory(int error);

/* As in struct koshu_backend. */
struct koshu_cuda_names {
    char device[128], model[320], unit[64];
};

/* Opens a device, 0 ... koshu_cuda_devices() - 1, and writes what it is. */
int koshu_cuda_open(struct koshu_context *context, int device,
                    struct koshu_cuda **cuda, struct koshu_cuda_names *names);
void koshu_cuda_close(struct koshu_cuda *cuda);

/* Makes it the device of the calling thread. To be called before any function
 * below: a thread may use several. */
void koshu_cuda_enter(const struct koshu_cuda *cuda);

/* Bytes of the device that the thread has entered. */
int koshu_cuda_memory(size_t *free_bytes, size_t *total);

/* Seconds that the sums took on the device; those not done yet are counted
 * with the mean of the others. Does not wait. */
double koshu_cuda_seconds(const struct koshu_cuda *cuda);

/* As the backend's shape_at and choose. */
const struct koshu_shape *
koshu_cuda_shape_at(enum koshu_shape_set set, size_t k);
void koshu_cuda_select_shape(struct koshu_cuda *cuda, enum koshu_shape_set set,
                             unsigned size_class, size_t k, int shared_memory);

/* What was found on devices with this word in their name; NULL past the last.
 */
struct koshu_cuda_builtin_tuning {
    const char *word;
    enum koshu_shape_set set;
    unsigned size_class;
    const char *shape;
    int shared_memory;
};
const struct koshu_cuda_builtin_tuning *koshu_cuda_builtin_tuning_at(size_t k);

/* Chooses what was found on devices of this model. */
void koshu_cuda_select_builtin_tuning(struct koshu_backend *backend);

/* Waits until no more than `ahead` sums are enqueued. */
int koshu_cuda_keep_pace(struct koshu_cuda *cuda, unsigned ahead);

/* Waits until all that was enqueued is done. */
int koshu_cuda_wait(struct koshu_cuda *cuda);

/* See struct koshu_force_shape. */
int koshu_cuda_shape(struct koshu_cuda *cuda,
                     const struct koshu_force_task *task, size_t n,
                     struct koshu_force_shape *shape);

/* See enum koshu_cost. Waits. */
int koshu_cuda_cost(struct koshu_cuda *cuda, enum koshu_cost what, size_t n,
                    void *host);

/* The sets of a batch, from and to host memory. Waits. */
int koshu_cuda_batch(struct koshu_cuda *cuda,
                     const struct koshu_force_task *task,
                     const struct koshu_force_batch *batch);

int koshu_cuda_store_create(struct koshu_cuda *cuda, size_t n,
                            struct koshu_cuda_store **store);
void koshu_cuda_store_destroy(struct koshu_cuda_store *store);

/* Copies of the fields (of enum koshu_field, not KOSHU_FIELD_ID). The host's
 * arrays are free on return; a download waits. */
int koshu_cuda_store_upload(struct koshu_cuda_store *store, unsigned fields,
                            const struct koshu_particle_view *host);
int koshu_cuda_store_download(struct koshu_cuda_store *store, unsigned fields,
                              const struct koshu_particle_view *host);

int koshu_cuda_store_forces(struct koshu_cuda_store *store,
                            const struct koshu_force_task *task);
int koshu_cuda_store_kick(struct koshu_cuda_store *store, double dt);
int koshu_cuda_store_drift(struct koshu_cuda_store *store, double dt);

/* The largest |a|^2; a NaN does not count. Waits. */
int koshu_cuda_store_largest_acceleration(struct koshu_cuda_store *store,
                                          double *a2);

/* Has a kick or drift that is done so far made a number that is not finite?
 * Forgets it. Does not wait. */
bool koshu_cuda_store_not_finite(struct koshu_cuda_store *store);

#ifdef __cplusplus
}
#endif

#endif
