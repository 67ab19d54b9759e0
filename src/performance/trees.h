/* SPDX-License-Identifier: MIT */
/*
 * The time of tree forces over ranks, from the cost on one rank, the cost of
 * messages, and how much of each tree other ranks need.
 * docs/performance-model.md derives it. Part of performance.h.
 */
#ifndef KOSHU_PERFORMANCE_TREES_H
#define KOSHU_PERFORMANCE_TREES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { KOSHU_TREE_RATES = 32, KOSHU_TREE_LISTS = 64 };

/* Seconds of one rank with a tree of n particles. */
struct koshu_tree_rate {
    double n;
    double build;       /* per particle: all except walk and sums */
    double walk, force; /* per interaction */
};

/* Interactions per particle, with n particles on one rank. */
struct koshu_tree_list {
    double n, length;
};

/* The costs of trees on the ranks of a machine; arrays in the order of n, each
 * n once. */
struct koshu_tree_costs {
    double theta, alpha; /* alpha 0: the geometric criterion with theta */
    double n_crit, n_leaf;
    size_t n_rates, n_lists;
    struct koshu_tree_rate rate[KOSHU_TREE_RATES];
    struct koshu_tree_list list[KOSHU_TREE_LISTS];
    double imbalance; /* interactions of the busiest rank over the mean */
    /* relative increase of interactions per particle, if as many cells and
     * particles are imported as a rank has */
    double split;
    double imported;     /* over koshu_tree_boundary() */
    double import_bytes; /* per imported cell or particle */
    double moved_bytes;  /* per particle, for those that cross cuts */
    /* Seconds besides those of messages: domains per particle and pass of
     * the bisection; moved per particle of a domain whose particles move;
     * essential per cell or particle that others need; pass per particle
     * whose group walks the other ranks' trees in a second pass, besides its
     * interactions. */
    double domains, moved, essential, pass;
    double message, byte;       /* per message; per byte */
    double sync, sync_doubling; /* as in struct koshu_rank_costs */
};

/* ---- tree_shape.c: how many cells ---------------------------------------- */

/*
 * The number of sources, in a uniform cube of n particles, that act on a box of
 * these sides inside it (the side of the cube is 1), with this much of the cube
 * before and behind the box along each axis. A cell of side l acts as a whole
 * beyond the distance d(l), if its parent, of side 2 l, does not:
 *
 *     sum_k (V(d(2 l_k)) - V(d(l_k))) / l_k^3  +  n (V(d(l_0)) - v),
 *     V(d) = prod_c (side_c + min(d, before_c) + min(d, behind_c)),
 *     l_k = 2^k (n_leaf / 2n)^(1/3) < largest,
 *
 * with v = V(0) if the particles in the box itself do not count, else 0.
 */
struct koshu_tree_region {
    double side[3], before[3], behind[3];
    double largest; /* largest side of a cell */
    bool inside;    /* particles in the box count */
};
double koshu_tree_shells(const struct koshu_tree_costs *costs, double n,
                         const struct koshu_tree_region *box);

/* Interactions per particle of n on one rank: interpolated in log n; outside
 * the measured range, scaled as koshu_tree_shells() of a group. */
double koshu_tree_list_length(const struct koshu_tree_costs *costs, double n);

/* koshu_tree_shells() for the domain of a rank that has others on all sides, if
 * there are so many, with n particles in all; plus one cell for each other
 * rank. */
double
koshu_tree_boundary(const struct koshu_tree_costs *costs, double n, int ranks);

/* The passes over the particles that koshu_bisect() makes if cuts have hardly
 * moved; *bytes: of the histograms that are summed over the ranks. */
double koshu_tree_passes(int ranks, double *bytes);

/* ---- trees.c ------------------------------------------------------------- */

/* The time of the forces on n particles, and its parts, in seconds. */
struct koshu_tree_estimate {
    double seconds;
    double domains, moved, essential; /* exposed communication, including: */
    double wait; /* for essential trees still in transit after the own sums */
    double sync; /* of ranks waiting for each other */
    double build, walk, force, pass;
    double alone;    /* one rank with all n particles, at the same rates */
    double each;     /* one rank with n / ranks particles */
    double list;     /* interactions per particle */
    double imported; /* cells and particles that a rank receives */
    double bytes;    /* bytes that it sends */
};

/* The rate of a rank with n particles: of times that are linear in n, or in the
 * interactions, between measurements, and beyond the first and the last two. */
struct koshu_tree_rate
koshu_tree_rate_of(const struct koshu_tree_costs *costs, double n);

/* The part due to messages: sync, and domains, moved and essential without the
 * costs of those names. */
void koshu_tree_messages(const struct koshu_tree_costs *costs, double n,
                         int ranks, struct koshu_tree_estimate *estimate);

void koshu_tree_predict(const struct koshu_tree_costs *costs, double n,
                        int ranks, struct koshu_tree_estimate *estimate);

/* ---- tree_fit.c ---------------------------------------------------------- */

/* A measurement of forces over ranks: seconds are means over the ranks. */
struct koshu_tree_sample {
    double n;
    int ranks;
    double list, imbalance, imported, bytes; /* as in the estimate */
    double domains, moved, essential;
    double sums; /* walk and force */
};

/*
 * Fits the costs of what is exposed, and the amount imported, to samples of two
 * ranks or more, given rates, lists and messages, with koshu_least_squares().
 * Without samples: imported = imbalance = 1, default bytes, the others 0.
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT, without a message:
 * as koshu_least_squares().
 */
KOSHU_MUST_CHECK koshu_status
koshu_tree_fit(struct koshu_tree_costs *costs,
               const struct koshu_tree_sample *samples, size_t n);

#endif
