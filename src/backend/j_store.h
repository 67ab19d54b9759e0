/* SPDX-License-Identifier: MIT */
/* j-particles with times of their own, and sums with jerk over them. */
#ifndef KOSHU_BACKEND_J_STORE_H
#define KOSHU_BACKEND_J_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>
#include <koshu/j_store.h>
#include <koshu/status.h>

struct koshu_backend;

/* A j-particle, an i-particle at the common time, and a result; the formulas
 * are koshu/j_store.h's. */
struct koshu_j_particle {
    int64_t id;
    double time, mass;
    double x[3], v[3], a[3], jerk[3], snap[3];
};

struct koshu_i_particle {
    int64_t id; /* KOSHU_NO_ID: that of no j-particle */
    double x[3], v[3];
    double h2; /* for neighbours */
};

struct koshu_jerk_result {
    double a[3], jerk[3];
    double potential;
    double nearest_r2; /* infinite where there is no neighbour */
    uint64_t nearest;  /* its index, or KOSHU_NO_INDEX */
};

/* A j-particle store of koshu/j_store.h in a backend; arguments are checked.
 * Each backend puts its own behind the struct. */
struct koshu_backend_j_store;

/* A sum with jerk. */
struct koshu_jerk_task {
    double eps; /* >= 0 */
    bool nearest;
};

struct koshu_j_store_ops {
    size_t bytes_per_particle; /* of the host's memory */
    /* Empty, as koshu_j_store_create() says. */
    koshu_status (*create)(struct koshu_backend *backend,
                           enum koshu_precision precision, size_t capacity,
                           struct koshu_backend_j_store **store);
    void (*destroy)(struct koshu_backend_j_store *store);

    bool (*can)(const struct koshu_backend_j_store *store,
                const struct koshu_jerk_task *task);

    /* Room for more than now; the old ones are kept. */
    koshu_status (*reserve)(struct koshu_backend_j_store *store,
                            size_t capacity);
    /* Indices are all different; NULL: 0 ... n - 1. Small sets are few:
     * particles that come one by one are collected before. */
    koshu_status (*set)(struct koshu_backend_j_store *store, size_t n,
                        const uint64_t *index,
                        const struct koshu_j_particle *particles);
    /* Sums over the first n_j >= 1 particles predicted to `time`, on n_i >= 1
     * i-particles: copies i, may return while they run. */
    koshu_status (*start)(struct koshu_backend_j_store *store,
                          const struct koshu_jerk_task *task, double time,
                          size_t n_j, size_t n_i,
                          const struct koshu_i_particle *i);
    koshu_status (*wait)(struct koshu_backend_j_store *store,
                         struct koshu_jerk_result *result);
    /* Of the last start; see koshu_j_store_neighbours(). */
    koshu_status (*neighbours)(struct koshu_backend_j_store *store, size_t max,
                               uint64_t *count, uint64_t *index);
};

#endif
