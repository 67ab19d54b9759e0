/* SPDX-License-Identifier: MIT */
/*
 * What the time of a direct sum is made of (docs/performance-model.md): how a
 * backend cuts the sum, and what it spends besides.
 */
#ifndef KOSHU_BACKEND_COST_H
#define KOSHU_BACKEND_COST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How a backend cuts the sum of n particles on each other, in the terms of
 * Miki13 section 6.1: blocks of equal work, distributed over units.
 */
struct koshu_force_shape {
    char kernel[32];    /* in words; a pair costs the same in kernels that
                           share the name */
    size_t units;       /* N_SM: multiprocessors, or threads */
    size_t lanes;       /* N_core, of a unit */
    double hertz;       /* of its clock, at most; 0: not known */
    size_t at_once;     /* B_SM: blocks that a unit works on at a time */
    size_t blocks;      /* B_tot */
    double tiles;       /* that a block works through: N_j / T_tot; a part of
                           one where it has too few j-particles */
    double evaluations; /* of the pair formula by a block in a tile:
                           N_i / B_tot times T_tot */
    size_t both;        /* interactions of an evaluation: 2 where the force on
                           both particles is taken from it, else 1 */
    size_t launches;
    bool overlapped; /* launches are made, and blocks begin, while those before
                        are at work: neither is waited for */
    size_t joins;    /* 1 where blocks share i-particles, and the last of them
                        adds up their sums; else 0 */
};

/* What a backend spends besides the sums, n times or of size n. */
enum koshu_cost {
    KOSHU_COST_WAIT,        /* n waits for nothing; threads: n barriers */
    KOSHU_COST_LAUNCH,      /* n empty kernels, then a wait; threads: n empty
                               parallel regions */
    KOSHU_COST_LAUNCH_WAIT, /* n empty kernels, each waited for */
    KOSHU_COST_BLOCKS,      /* an empty kernel of n blocks, and a wait; threads:
                               a parallel loop of n items */
    KOSHU_COST_TO_DEVICE,   /* a copy of n bytes, and a wait */
    KOSHU_COST_FROM_DEVICE,
    KOSHU_COST_BETWEEN, /* several devices: each fetches n bytes from the next,
                           all at once, and a wait */
};

#endif
