/* SPDX-License-Identifier: MIT */
/*
 * The formulas of the built-in kernels, written plainly in long double, as a
 * reference for the kernels.
 */
#ifndef KOSHU_TESTS_PAIRS_H
#define KOSHU_TESTS_PAIRS_H

#include <stddef.h>

#include <koshu/interaction.h>

enum { MAX_NUMBERS = 16 };

/* What a pair adds to each output, and the size of the terms that make it up,
 * with which rounding errors scale. */
struct pair {
    long double value[MAX_NUMBERS], size[MAX_NUMBERS];
};

enum kind {
    SUMS,   /* outputs are sums of pairs */
    COUNTS, /* sums of whole numbers, exact */
    NEAREST /* the smallest value[0], and its index */
};

struct entry {
    const char *name;
    enum kind kind;
    /* Adds a pair: input rows of particles number i and j. */
    void (*add)(const double *i, const double *j, struct pair *pair);
    /* Per input column: limits of the random numbers. */
    struct range {
        double low, high;
    } i[MAX_NUMBERS], j[MAX_NUMBERS];
    size_t n_constants;
    struct koshu_interaction_constant constants[4];
    double single_error, double_error; /* in units of size */
};

/* The list ends with an entry without a name. */
extern const struct entry entries[];

#endif
