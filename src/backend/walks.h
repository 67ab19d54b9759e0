/* SPDX-License-Identifier: MIT */
/*
 * Interaction lists of a tree: sums over many of them in one call, or over one
 * batch while the host makes the lists of the next.
 */
#ifndef KOSHU_BACKEND_WALKS_H
#define KOSHU_BACKEND_WALKS_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

struct koshu_backend;
struct koshu_context;

/* Rows of a particle, without and with low parts, and of a cell. */
enum { KOSHU_WALK_POINT = 4, KOSHU_WALK_SPLIT = 7, KOSHU_WALK_CELL = 11 };

/*
 * The arrays of many walks of a tree (Hamada09 section 2.3): each has a group
 * of i-particles, and one list of particles and cells for all of them. Walk w
 * has the i-particles i_offset[w] ... i_offset[w + 1] - 1, and its j-particles
 * and cells likewise; for n walks, each array of offsets has n + 1 elements.
 * Only the results are written.
 *
 * Positions are floats relative to a point that each walk chooses: the middle
 * of its group, so that near particles keep their precision. Low parts are the
 * rounding errors of the floats: position = x + x_low. Cells are as
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
                 * the same order, and the pair of a particle with itself is
                 * left out */
    /* Number of walks summed at about the same time, by this call and others;
     * 0: enough for any device. If they are few, lists are divided into smaller
     * chunks, so that the whole device is busy; the last bits depend on it. */
    size_t n_concurrent;
};

/*
 * Memory for batches of walks that the device copies by itself, so that it sums
 * one batch while the host makes the lists of another (Hamada09 section 2.3). A
 * thread writes a batch to one memory, starts its sums, goes on with another
 * memory, and later waits for the first. A memory is used by one thread at a
 * time; any thread may use any of them.
 */
struct koshu_walk_capacity {
    size_t walks, i, j, cells;
};

struct koshu_walk_memory {
    struct koshu_context *context;
    struct koshu_walk_capacity capacity;
    bool split;            /* positions have low parts */
    struct koshu_walks at; /* arrays of the batch; results are valid after
                            * wait() */
};

/* Start and end of the batch's copies and sums on the device; seconds since
 * start_clock(). */
struct koshu_walk_times {
    double up[2], sums[2], down[2];
};

struct koshu_walk_memory_ops {
    /* How much device memory all batches should fill in total. */
    size_t (*bytes)(const struct koshu_backend *backend);
    /* KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_walk_capacity *capacity,
                           bool split, struct koshu_walk_memory **memory);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_walk_memory *memory);
    /* For all memories; call it while no batch is running. */
    koshu_status (*start_clock)(struct koshu_backend *backend);
    /* Starts the sums of the first n_walks walks, n_walks >= 1. */
    koshu_status (*start)(struct koshu_walk_memory *memory,
                          const struct koshu_walk_task *task, size_t n_walks);
    /* Waits. */
    koshu_status (*wait)(struct koshu_walk_memory *memory,
                         struct koshu_walk_times *times);
};

#endif
