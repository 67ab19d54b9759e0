/* SPDX-License-Identifier: MIT */
/*
 * The formulas of the built-in kernels once more, written plainly in long
 * double: what the kernels are tested against.
 */
#ifndef KOSHU_TESTS_PAIRS_H
#define KOSHU_TESTS_PAIRS_H

#include <stddef.h>

#include <koshu/interaction.h>

enum { MAX_NUMBERS = 16 };

/* What a pair adds to each output, and how large the parts are of which that
 * is put together: roundings are a part of this size. */
struct pair {
    long double value[MAX_NUMBERS], size[MAX_NUMBERS];
};

enum kind {
    SUMS,   /* outputs are sums of pairs */
    COUNTS, /* sums of whole numbers: exact */
    NEAREST /* a smallest value[0], and whose it is */
};

struct entry {
    const char *name;
    enum kind kind;
    /* A pair of rows of numbers, of the particles number i and j. */
    void (*add)(const double *i, const double *j, struct pair *pair);
    /* Columns: lower and upper ends of the random numbers. */
    struct range {
        double low, high;
    } i[MAX_NUMBERS], j[MAX_NUMBERS];
    size_t n_constants;
    struct koshu_interaction_constant constants[4];
    double single_error, double_error; /* in units of size */
};

/* Ends with one without a name. */
extern const struct entry entries[];

#endif
