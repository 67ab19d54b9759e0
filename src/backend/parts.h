/* SPDX-License-Identifier: MIT */
/*
 * Exchange of parts of trees between ranks, each with the tree of one domain in
 * its backend. The part of a rank's tree that another rank's targets need is a
 * local essential tree (Salmon 1990; Warren & Salmon 1992; Hamada10 section
 * 3.2), and is sent there. What cells, particles and targets contain depends on
 * the tree (tree_parts.h, fmm_parts.h).
 */
#ifndef KOSHU_BACKEND_PARTS_H
#define KOSHU_BACKEND_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

struct koshu_device_arrays;
struct koshu_traffic_ops;

/* The part of a rank's tree that another rank needs. */
struct koshu_part {
    size_t n_cells, n_particles;
    size_t levels; /* of the rank's tree */
};

/* Where one part lies among all parts that arrive at a rank, and how much of it
 * fits into the arrays there, which have all_cells cells and all_particles
 * particles. */
struct koshu_part_window {
    uint64_t all_cells, all_particles;
    uint64_t first_cell, n_cells, first_particle, n_particles;
};

/* Exposed time of a device in seconds. cut: while it cuts parts, and has
 * nothing to sum; wait: between the sums over its own tree and those over
 * received parts. */
struct koshu_part_exposed {
    double cut, wait;
};

/* The arrays that devices of other ranks read or write (devices/traffic.h), and
 * the marks of the peer transport. */
enum koshu_part_array {
    KOSHU_PARTS_GO,  /* parts for other ranks */
    KOSHU_PARTS_COME /* parts of other ranks */
};
enum koshu_part_mark {
    KOSHU_PARTS_SENT, /* parts for others are complete in their arrays */
    KOSHU_PARTS_USED  /* the rank no longer needs the parts in its own arrays */
};

/* All ranks call these functions in this order, however many particles each
 * has. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
struct koshu_part_ops {
    size_t target, max_targets; /* bytes of one target, and targets of a rank */
    size_t particle_bytes;      /* of a particle in a part */
    /* The same on all ranks that have particles in a step; 0 without
     * particles. */
    size_t (*cell_bytes)(const struct koshu_device_arrays *arrays);
    const struct koshu_traffic_ops *traffic;

    /* Allocates memory for the parts of each rank (come), and sets the windows
     * on other ranks to which parts go. Previous content is lost; other ranks
     * must not access it. */
    koshu_status (*reserve)(struct koshu_device_arrays *arrays,
                            const struct koshu_part_window *come,
                            const struct koshu_part_window *go);
    /* Copies the part of the tree that n targets of that rank need to its
     * window, if it fits. send() then starts the transfer of all parts. */
    koshu_status (*cut)(struct koshu_device_arrays *arrays, size_t rank,
                        size_t n, const void *targets);
    koshu_status (*send)(struct koshu_device_arrays *arrays);
    /* The sizes of all parts that were cut, 0 if nothing was; waits. If one did
     * not fit, call reserve(), cut(), send() and this again. expect() then
     * passes the sizes of the parts that come from each rank. */
    koshu_status (*parts)(struct koshu_device_arrays *arrays,
                          struct koshu_part *parts);
    koshu_status (*expect)(struct koshu_device_arrays *arrays,
                           const struct koshu_part *come);
};

#endif
