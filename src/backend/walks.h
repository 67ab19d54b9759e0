/* SPDX-License-Identifier: MIT */
/*
 * Interaction lists of a tree: sums over many in one call, or over one batch
 * while the host makes the lists of another.
 */
#ifndef KOSHU_BACKEND_WALKS_H
#define KOSHU_BACKEND_WALKS_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

struct koshu_backend;
struct koshu_context;

/* Rows of a particle, without low parts and with them, and of a cell. */
enum { KOSHU_WALK_POINT = 4, KOSHU_WALK_SPLIT = 7, KOSHU_WALK_CELL = 11 };

/*
 * The arrays of many walks of a tree (Hamada09 section 2.3): each has a group
 * of i-particles, and a list of particles and cells that act on all of them.
 * Walk w has the i-particles i_offset[w] ... i_offset[w + 1] - 1, the
 * j-particles of j_offset and the cells of cell_offset alike; of n walks, each
 * array of offsets has n + 1 elements. Only the results are written.
 *
 * Positions are floats, relative to whatever point a walk likes: the middle of
 * its group, so that near particles keep their digits. Low parts are what
 * rounding to float has left: position = x + x_low. Cells are as
 * kernels/quadrupole.h has them.
 */
struct koshu_walks {
    size_t *i_offset, *j_offset, *cell_offset;
    float *i[KOSHU_WALK_SPLIT];   /* x y z eps2 x_low y_low z_low */
    float *j[KOSHU_WALK_SPLIT];   /* x y z mass x_low y_low z_low */
    float *cell[KOSHU_WALK_CELL]; /* x y z mass xx xy xz yy yz zz half_trace */
    double *result[4];            /* ax ay az potential */
};

struct koshu_walk_task {
    double eps; /* the smallest softening; 0, or in the range of single */
    bool potential, fast;
    bool split; /* positions have low parts */
    bool own;   /* the first j-particles of each walk are its i-particles, in
                   order, and pairs of equal particles are left out */
    /* Walks that are summed at about the same time, by this call and others;
     * 0: enough for any device. Few of them are cut into smaller chunks, so
     * that all of it has something to do: the last bits depend on it. */
    size_t n_concurrent;
};

/*
 * Walks in batches, for a device that sums one while the host makes the lists
 * of another (Hamada09 section 2.3): memory that the device copies from by
 * itself. Whoever has one writes a batch, starts its sums, goes on with another
 * memory, and waits for the first. A memory is used by one thread at a time;
 * threads use different ones as they like.
 */
struct koshu_walk_capacity {
    size_t walks, i, j, cells;
};

struct koshu_walk_memory {
    struct koshu_context *context;
    struct koshu_walk_capacity capacity;
    bool split;            /* positions have low parts */
    struct koshu_walks at; /* its arrays; results after the wait */
};

/* When the device copied and summed a batch: from, to; seconds since the clock
 * was started. */
struct koshu_walk_times {
    double up[2], sums[2], down[2];
};

struct koshu_walk_memory_ops {
    /* How much of the device's memory batches should fill, all together. */
    size_t (*bytes)(const struct koshu_backend *backend);
    /* KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_walk_capacity *capacity,
                           bool split, struct koshu_walk_memory **memory);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_walk_memory *memory);
    /* Of all memories; while no batch is started. */
    koshu_status (*start_clock)(struct koshu_backend *backend);
    /* Starts the sums of the first n_walks walks, at least one. */
    koshu_status (*start)(struct koshu_walk_memory *memory,
                          const struct koshu_walk_task *task, size_t n_walks);
    /* Waits. */
    koshu_status (*wait)(struct koshu_walk_memory *memory,
                         struct koshu_walk_times *times);
};

#endif
