/* SPDX-License-Identifier: MIT */
/*
 * Parts of trees in the backends of several ranks, each with the tree of a
 * domain: what a rank asks of another's tree, by its targets, goes there as a
 * part of it, a local essential tree (Salmon 1990; Warren & Salmon 1992;
 * Hamada10 section 3.2). What cells, particles and targets are is known to
 * whoever has the tree (tree_parts.h, fmm_parts.h).
 */
#ifndef KOSHU_BACKEND_PARTS_H
#define KOSHU_BACKEND_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

struct koshu_device_arrays;
struct koshu_traffic_ops;

/* Of a rank's tree, what another asks of it. */
struct koshu_part {
    size_t n_cells, n_particles;
    size_t levels; /* of its tree */
};

/* Where such a part lies among all that come to a rank, and how much of it
 * fits there: in arrays of so many cells and particles. */
struct koshu_part_window {
    uint64_t all_cells, all_particles;
    uint64_t first_cell, n_cells, first_particle, n_particles;
};

/* The arrays that other ranks' devices read or write (devices/traffic.h), and
 * the marks of the peer transport. */
enum koshu_part_array {
    KOSHU_PARTS_GO,  /* parts for others */
    KOSHU_PARTS_COME /* theirs */
};
enum koshu_part_mark {
    KOSHU_PARTS_SENT, /* parts for others are in their arrays */
    KOSHU_PARTS_USED  /* it needs what is in its own no more */
};

/* To be called in this order by all ranks, each whatever the others' numbers
 * are. KOSHU_ERROR_OUT_OF_MEMORY. */
struct koshu_part_ops {
    size_t target, max_targets; /* bytes of one, and how many of a rank */
    size_t particle_bytes;      /* of one in a part */
    /* The same on all ranks that have particles in a step; 0: without any. */
    size_t (*cell_bytes)(const struct koshu_device_arrays *arrays);
    const struct koshu_traffic_ops *traffic;

    /* Memory for what comes of each rank, and where what goes to each lies
     * there. What was there is lost; others have no access to it. */
    koshu_status (*reserve)(struct koshu_device_arrays *arrays,
                            const struct koshu_part_window *come,
                            const struct koshu_part_window *go);
    /* What n targets of that rank ask of the tree: to its window, if it fits.
     * Then parts have been cut, and may go. */
    koshu_status (*cut)(struct koshu_device_arrays *arrays, size_t rank,
                        size_t n, const void *targets);
    koshu_status (*send)(struct koshu_device_arrays *arrays);
    /* The numbers of all parts that were cut, which are 0 where nothing was;
     * waits. reserve(), cut(), send() and this again, where one did not fit.
     * Then the numbers of those that come of each rank. */
    koshu_status (*parts)(struct koshu_device_arrays *arrays,
                          struct koshu_part *parts);
    koshu_status (*expect)(struct koshu_device_arrays *arrays,
                           const struct koshu_part *come);
};

#endif
