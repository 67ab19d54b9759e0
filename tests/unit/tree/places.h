/* SPDX-License-Identifier: MIT */
/* Particles in various distributions, for tests of the tree. */
#ifndef KOSHU_TESTS_TREE_PLACES_H
#define KOSHU_TESTS_TREE_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "tree/tree.h"

enum distribution {
    BALL,     /* densest at the centre */
    LINE,     /* a line along no axis */
    POINT,    /* all but one at one point */
    PAIRS,    /* pairs 1e-12 apart */
    ESCAPER,  /* a ball, and one particle 1e12 times its radius away */
    FAR_AWAY, /* a ball of radius 1 at 1e6 */
    LATTICE,  /* many equal coordinates */
    LOPSIDED, /* one mass a million times that of the others */
    MASSLESS, /* half of them massless */
    TINY,     /* a ball of radius 1e-300 */
    DISTRIBUTIONS
};

struct places {
    size_t n;
    double *x, *y, *z, *mass;
};

/* Freed with places_free(). */
struct places places_make(enum distribution distribution, size_t n);
void places_free(struct places *places);

/* Random numbers in [0, 1). */
double places_uniform(uint64_t *state);

/* A tree of these particles; the caller frees it. */
struct koshu_tree places_tree(struct koshu_context *context,
                              const struct koshu_tree_options *options,
                              const struct places *places);

#endif
