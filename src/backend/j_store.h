/* SPDX-License-Identifier: MIT */
/* j-particles with individual times, and sums of forces and jerks over them. */
#ifndef KOSHU_BACKEND_J_STORE_H
#define KOSHU_BACKEND_J_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>
#include <koshu/j_store.h>
#include <koshu/status.h>

struct koshu_backend;

/* A j-particle, an i-particle at the common time, and a result; for the
 * formulas see koshu/j_store.h. */
struct koshu_j_particle {
    int64_t id;
    double time, mass;
    double x[3], v[3], a[3], jerk[3], snap[3];
};

struct koshu_i_particle {
    int64_t id; /* KOSHU_NO_ID: not a j-particle */
    double x[3], v[3];
    double h2; /* radius of the neighbour sphere, squared */
    /* its nearest neighbour is known well enough: the search for it may be left
     * out */
    bool knows_nearest;
};

struct koshu_jerk_result {
    double a[3], jerk[3];
    double potential;
    double nearest_r2; /* infinite if there is no neighbour */
    uint64_t nearest;  /* its index, or KOSHU_NO_INDEX */
};

/* A j-particle store of koshu/j_store.h in a backend; arguments have been
 * checked. Backends embed it as the first member of their structs. */
struct koshu_backend_j_store {
    struct koshu_backend *backend;
    const struct koshu_j_store_ops *ops;
    enum koshu_precision precision;
    size_t capacity;
};

/* A sum with jerk. */
struct koshu_jerk_task {
    double eps; /* >= 0 */
    bool nearest;
};

struct koshu_j_store_ops {
    size_t size;               /* of the backend's struct */
    size_t bytes_per_particle; /* of the host's memory */
    /* OPTIONAL. Initialises a store of capacity 0; all members but those above
     * are zero. May replace ops by others whose size is not larger. close() is
     * called whatever the status. */
    koshu_status (*open)(struct koshu_backend_j_store *store);
    void (*close)(struct koshu_backend_j_store *store);

    /* OPTIONAL; NULL: all tasks. */
    bool (*can)(const struct koshu_backend_j_store *store,
                const struct koshu_jerk_task *task);

    /* Enlarges the store beyond store->capacity, which the caller then sets.
     * Particles are kept, and new ones are as koshu_j_store_create() says. */
    koshu_status (*reserve)(struct koshu_backend_j_store *store,
                            size_t capacity);
    /* As koshu_j_store_set(). `stride` is the distance between the numbers of
     * consecutive particles, so that arrays of structs can be passed, too. Does
     * not affect sums that were started before. */
    koshu_status (*set)(struct koshu_backend_j_store *store,
                        const uint64_t *index,
                        const struct koshu_j_particles *particles,
                        size_t stride);
    int64_t (*id)(const struct koshu_backend_j_store *store, uint64_t index);
    /* Starts sums over the first n_j >= 1 particles, predicted to `time`, on
     * n_i >= 1 i-particles. Copies i, and may return while the sums run. */
    koshu_status (*start)(struct koshu_backend_j_store *store,
                          const struct koshu_jerk_task *task, double time,
                          size_t n_j, size_t n_i,
                          const struct koshu_i_particle *i);
    koshu_status (*wait)(struct koshu_backend_j_store *store,
                         struct koshu_jerk_result *result);
    /* Neighbours found by the last start; see koshu_j_store_neighbours(). */
    koshu_status (*neighbours)(struct koshu_backend_j_store *store, size_t max,
                               uint64_t *count, uint64_t *index);
};

/* ---- j_store.c: what is the same in all backends ------------------------- */

/* The caller destroys *store. Status: KOSHU_ERROR_UNSUPPORTED (the backend has
 * no such store), else as koshu_j_store_create(). */
koshu_status koshu_backend_j_store_create(struct koshu_backend *backend,
                                          enum koshu_precision precision,
                                          size_t capacity,
                                          struct koshu_backend_j_store **store);
/* NULL is allowed. */
void koshu_backend_j_store_destroy(struct koshu_backend_j_store *store);

/* Capacity for this many particles; existing ones are kept. */
koshu_status koshu_backend_j_store_reserve(struct koshu_backend_j_store *store,
                                           size_t capacity);

/* Sets n particles given as structs. */
koshu_status
koshu_backend_j_store_set_structs(struct koshu_backend_j_store *store, size_t n,
                                  const uint64_t *index,
                                  const struct koshu_j_particle *particles);

bool koshu_backend_j_store_can(const struct koshu_backend_j_store *store,
                               const struct koshu_jerk_task *task);

/* The same with a message. Status: KOSHU_ERROR_UNSUPPORTED. */
koshu_status
koshu_backend_j_store_require(const struct koshu_backend_j_store *store,
                              const struct koshu_jerk_task *task);

/* ---- for set: the particle k, at = k stride ------------------------------ */

static inline size_t
koshu_j_index(const uint64_t *index, size_t k)
{
    return index ? (size_t)index[k] : k;
}

static inline int64_t
koshu_j_id(const struct koshu_j_particles *particles, size_t at, size_t index)
{
    return particles->id ? particles->id[at] : (int64_t)index;
}

/* Zeros if there are no arrays. */
static inline void
koshu_j_vector(double to[3], const double *x, const double *y, const double *z,
               size_t at)
{
    to[0] = to[1] = to[2] = 0;
    if (!x) return;
    to[0] = x[at];
    to[1] = y[at];
    to[2] = z[at];
}

#endif
