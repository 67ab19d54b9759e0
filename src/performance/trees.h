/* SPDX-License-Identifier: MIT */
/*
 * The time of the forces of a tree over ranks, from what one rank takes, what
 * messages take, and how much of each tree the others need.
 * docs/performance-model.md derives it. A part of performance.h.
 */
#ifndef KOSHU_PERFORMANCE_TREES_H
#define KOSHU_PERFORMANCE_TREES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { KOSHU_TREE_RATES = 32, KOSHU_TREE_LISTS = 64 };

/* Seconds of one rank with a tree of n particles of its own. */
struct koshu_tree_rate {
    double n;
    double build;       /* of a particle: all but the walk and the sums */
    double walk, force; /* of an interaction */
};

/* Interactions of a particle, of n, on one rank. */
struct koshu_tree_list {
    double n, length;
};

/* What trees cost on ranks of a machine; in the order of n, each n once. */
struct koshu_tree_costs {
    double theta, alpha; /* alpha 0: the geometric criterion, by theta */
    double n_crit, n_leaf;
    size_t n_rates, n_lists;
    struct koshu_tree_rate rate[KOSHU_TREE_RATES];
    struct koshu_tree_list list[KOSHU_TREE_LISTS];
    double imbalance; /* counted interactions: of the busiest rank over mean */
    double split;    /* more interactions of a particle, relative, where as many
                        cells and particles are imported as a rank has */
    double imported; /* over koshu_tree_boundary() */
    double import_bytes; /* of one that is imported */
    double moved_bytes;  /* of a particle: what those that cross cuts send */
    /* Seconds besides those of messages: of a particle in a pass of the
     * bisection; of one of a domain whose particles move; of a cell or particle
     * that others need; of a particle whose group walks the others' trees, in a
     * second pass, besides its interactions. */
    double domains, moved, essential, pass;
    double message, byte;       /* a message, and each of its bytes */
    double sync, sync_doubling; /* as in struct koshu_rank_costs */
};

/* ---- tree_shape.c: how many cells ---------------------------------------- */

/*
 * Sources, in a uniform cube of n particles, of a box inside it of these sides
 * (the side of the cube is 1), with so much of the cube before and
 * behind the box along each axis. A cell of side l acts as a whole from the
 * distance d(l) on, where its parent, of 2 l, does not:
 *
 *     sum_k (V(d(2 l_k)) - V(d(l_k))) / l_k^3  +  n (V(d(l_0)) - v),
 *     V(d) = prod_c (side_c + min(d, before_c) + min(d, behind_c)),
 *     l_k = 2^k (n_leaf / 2n)^(1/3) < largest,
 *
 * with v = V(0) where the particles in the box itself do not count, else 0.
 */
struct koshu_tree_region {
    double side[3], before[3], behind[3];
    double largest; /* side of a cell */
    bool inside;    /* particles in the box count */
};
double koshu_tree_shells(const struct koshu_tree_costs *costs, double n,
                         const struct koshu_tree_region *box);

/* Interactions of a particle of n on one rank: interpolated in log n; beyond
 * those measured as koshu_tree_shells() of a group. */
double koshu_tree_list_length(const struct koshu_tree_costs *costs, double n);

/* koshu_tree_shells() of the domain of a rank that has others on all sides,
 * where there are so many, of n particles in all; and one cell of each other
 * rank. */
double
koshu_tree_boundary(const struct koshu_tree_costs *costs, double n, int ranks);

/* Passes over the particles that koshu_bisect() makes where cuts have hardly
 * moved, and in *bytes of the histograms that it adds up over the ranks. */
double koshu_tree_passes(int ranks, double *bytes);

/* ---- trees.c ------------------------------------------------------------- */

/* The forces on n particles, and what they are made of; seconds. */
struct koshu_tree_estimate {
    double seconds;
    double domains, moved, essential; /* exposed communication, with: */
    double wait; /* for essential trees longer under way than own sums */
    double sync; /* ranks that wait for each other */
    double build, walk, force, pass;
    double alone;    /* one rank with all n, by the same rates */
    double each;     /* one rank with n / ranks */
    double list;     /* interactions of a particle */
    double imported; /* cells and particles that a rank gets */
    double bytes;    /* that it sends */
};

/* That of a rank with n particles. Interpolated in log n; beyond those
 * measured, as at the end. */
struct koshu_tree_rate
koshu_tree_rate_of(const struct koshu_tree_costs *costs, double n);

/* What of it messages take: domains, moved and essential without the costs of
 * those names, and sync. */
void koshu_tree_messages(const struct koshu_tree_costs *costs, double n,
                         int ranks, struct koshu_tree_estimate *estimate);

void koshu_tree_predict(const struct koshu_tree_costs *costs, double n,
                        int ranks, struct koshu_tree_estimate *estimate);

/* ---- tree_fit.c ---------------------------------------------------------- */

/* What forces over ranks took: seconds are means of the ranks. */
struct koshu_tree_sample {
    double n;
    int ranks;
    double list, imbalance, imported, bytes; /* as in the estimate */
    double domains, moved, essential;
    double sums; /* walk and force */
};

/*
 * Costs of what is exposed, and how much is imported, from samples of two ranks
 * or more, where rates, lists and messages are known; with koshu_least_squares.
 * Without samples: imported 1, nothing else, bytes as the structs have them.
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT, without a message:
 * as koshu_least_squares().
 */
KOSHU_MUST_CHECK koshu_status
koshu_tree_fit(struct koshu_tree_costs *costs,
               const struct koshu_tree_sample *samples, size_t n);

#endif
