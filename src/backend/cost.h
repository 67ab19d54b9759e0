/* SPDX-License-Identifier: MIT */
/*
 * Ingredients of the time of a direct sum (docs/performance-model.md): how a
 * backend divides the sum, and the overheads besides.
 */
#ifndef KOSHU_BACKEND_COST_H
#define KOSHU_BACKEND_COST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How a backend divides the sum of n particles on each other, in the terms of
 * Miki13 section 6.1: blocks of equal work, distributed over units.
 */
struct koshu_force_shape {
    char kernel[32];    /* name; pairs cost the same in kernels of the same
                         * name */
    size_t units;       /* N_SM: multiprocessors, or threads */
    size_t lanes;       /* N_core, per unit */
    double hertz;       /* maximum clock rate; 0: not known */
    size_t at_once;     /* B_SM: blocks that a unit runs at a time */
    size_t blocks;      /* B_tot */
    double tiles;       /* per block: N_j / T_tot; less than 1 if there are too
                         * few j-particles */
    double evaluations; /* of the pair formula by a block in a tile: N_i / B_tot
                         * times T_tot */
    size_t both;        /* interactions per evaluation: 2 if it yields the force
                         * on both particles, else 1 */
    size_t launches;
    bool overlapped; /* kernels are launched, and their blocks start, while
                      * earlier ones still run */
    size_t joins;    /* 1 if several blocks have the same i-particles and the
                      * last one adds up their sums; else 0 */
};

/* Overheads besides the sums, n times or of size n. */
enum koshu_cost {
    KOSHU_COST_WAIT,        /* n waits for nothing; threads: n barriers */
    KOSHU_COST_LAUNCH,      /* n empty kernels, then a wait; threads: n empty
                               parallel regions */
    KOSHU_COST_LAUNCH_WAIT, /* n empty kernels, each waited for */
    KOSHU_COST_BLOCKS,      /* an empty kernel of n blocks, and a wait; threads:
                             * a parallel loop of n items */
    KOSHU_COST_TO_DEVICE,   /* a copy of n bytes, and a wait */
    KOSHU_COST_FROM_DEVICE,
    KOSHU_COST_BETWEEN, /* several devices: each fetches n bytes from the next,
                         * all at the same time, and a wait */
};

#endif
