/* SPDX-License-Identifier: MIT */
/*
 * The functions in the table of the CUDA backend (cuda.c), each defined in the
 * file that does its work; backend.h says what they do.
 *
 * Work is enqueued on streams of the devices and may still be running on
 * return, unless host memory is written: then it is done.
 */
#ifndef KOSHU_BACKEND_CUDA_CUDA_H
#define KOSHU_BACKEND_CUDA_CUDA_H

#include "backend/backend.h"
#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cuda;       /* an open device, with a stream */
struct koshu_cuda_group; /* the devices of a backend: one, or several */
struct koshu_cuda_store; /* the fields of particles on one device */

struct koshu_cuda_backend {
    struct koshu_backend base; /* first: pointers are cast */
    struct koshu_cuda_group *group;
    struct koshu_cuda *cuda; /* the first device: for operations of a single
                              * device */
    struct koshu_walk_memory *walk_memory[2]; /* of walks(); NULL: not created
                                               * yet */
};

/* ---- devices ------------------------------------------------------------- */

/* The number of devices that work and for which this build has code; 0 without
 * a driver. */
int koshu_cuda_devices(void);

/* As the backend's describe(): "NVIDIA H100 80GB HBM3, 132 multiprocessors, 79
 * GiB". */
bool koshu_cuda_describe(int k, struct koshu_device *device);

/* Opens the devices of a list, which all exist, for a backend that has a
 * context, and names them. A device may be listed twice. The caller closes what
 * is open, also after an error. */
koshu_status koshu_cuda_group_open(struct koshu_cuda_backend *backend,
                                   const struct koshu_device_list *list);
/* Accepts NULL. */
void koshu_cuda_group_close(struct koshu_cuda_group *group);

/* Makes it the current device of the calling thread, which may use several. */
void koshu_cuda_enter(const struct koshu_cuda *cuda);

/* A particle store's fields on the first device, which becomes current. Status:
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_cuda_store_of(struct koshu_backend *backend,
                                 struct koshu_particles *particles,
                                 struct koshu_cuda_store **store);

/* Is the softening within the limits of force.h for single and mixed
 * precision? */
static inline bool
koshu_cuda_can_soften(enum koshu_precision precision, double eps)
{
    const double smallest = 1e-36, largest = 1e18;
    return precision == KOSHU_PRECISION_DOUBLE || eps == 0 ||
           (eps >= smallest && eps <= largest);
}

/* ---- operations ---------------------------------------------------------- */

struct koshu_memory_limits
koshu_cuda_memory(const struct koshu_backend *backend);
koshu_status koshu_cuda_force(struct koshu_backend *backend,
                              const struct koshu_force_task *task,
                              const struct koshu_force_batch *batch);
koshu_status koshu_cuda_walks(struct koshu_backend *backend,
                              const struct koshu_walk_task *task,
                              size_t n_walks, const struct koshu_walks *walks);
koshu_status koshu_cuda_force_store(struct koshu_backend *backend,
                                    const struct koshu_force_task *task,
                                    struct koshu_particles *particles,
                                    unsigned fields);
double koshu_cuda_seconds(const struct koshu_backend *backend);
koshu_status koshu_cuda_wait(struct koshu_backend *backend);
koshu_status koshu_cuda_shape(struct koshu_backend *backend,
                              const struct koshu_force_task *task, size_t n,
                              struct koshu_force_shape *shape);
koshu_status koshu_cuda_cost(struct koshu_backend *backend,
                             enum koshu_cost what, size_t n, void *host);
koshu_status koshu_cuda_keep(struct koshu_backend *backend,
                             struct koshu_particles *particles);
koshu_status koshu_cuda_kick(struct koshu_backend *backend,
                             struct koshu_particles *particles, double dt);
koshu_status koshu_cuda_drift(struct koshu_backend *backend,
                              struct koshu_particles *particles, double dt);
koshu_status koshu_cuda_ewald(struct koshu_backend *backend,
                              const struct koshu_ewald_task *task);
koshu_status koshu_cuda_friends(struct koshu_backend *backend,
                                const struct koshu_friends_task *task,
                                struct koshu_friends_sets *sets);
koshu_status koshu_cuda_power(struct koshu_backend *backend,
                              const struct koshu_power_task *task);
koshu_status koshu_cuda_wrap(struct koshu_backend *backend,
                             struct koshu_particles *particles,
                             const double corner[3], double box);
koshu_status koshu_cuda_largest_acceleration(struct koshu_backend *backend,
                                             struct koshu_particles *particles,
                                             double *a2);
const struct koshu_shape *
koshu_cuda_shape_at(enum koshu_shape_set set, size_t k);
void koshu_cuda_select_shape(struct koshu_backend *backend,
                             enum koshu_shape_set set, unsigned size_class,
                             size_t k, int shared_memory);
enum koshu_exchange koshu_cuda_exchange(const struct koshu_backend *backend,
                                        const struct koshu_force_task *task,
                                        size_t n);
void koshu_cuda_select_exchange(struct koshu_backend *backend,
                                enum koshu_shape_set set, unsigned size_class,
                                enum koshu_exchange scheme);

extern const struct koshu_walk_memory_ops koshu_cuda_walk_memory;
extern const struct koshu_partition_ops koshu_cuda_partition;
extern const struct koshu_j_store_ops koshu_cuda_j_store_ops;
extern const struct koshu_block_ops koshu_cuda_block;
extern const struct koshu_interaction_ops koshu_cuda_interaction;
extern const struct koshu_tree_ops koshu_cuda_tree_ops;
extern const struct koshu_tree_parts_ops koshu_cuda_tree_parts_ops;
extern const struct koshu_fmm_engine_ops koshu_cuda_fmm_ops;
extern const struct koshu_spectral_ops koshu_cuda_spectral_ops;

/* ---- built-in tuning ----------------------------------------------------- */

/* Shapes found for devices with this word in their name; NULL ends the list. */
struct koshu_cuda_builtin_tuning {
    const char *word;
    enum koshu_shape_set set;
    unsigned size_class;
    const char *shape;
    int shared_memory;
};
const struct koshu_cuda_builtin_tuning *koshu_cuda_builtin_tuning_at(size_t k);

/* Selects the shapes found for devices of this model. */
void koshu_cuda_select_builtin_tuning(struct koshu_backend *backend);

#ifdef __cplusplus
}
#endif

#endif
