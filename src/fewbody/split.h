/* SPDX-License-Identifier: MIT */
/* Moves chains whose pairs are little disturbed. */
#ifndef KOSHU_FEWBODY_SPLIT_H
#define KOSHU_FEWBODY_SPLIT_H

#include "fewbody/hierarchy.h"
#include "fewbody/mean_pair.h"

/* Whether a chain is of that kind: tides on its pairs, now and at the closest
 * approach of the others, are below the square root of the tolerance
 * (koshu_fewbody_options.slow_down). Never with tolerance 0. Returns its
 * hierarchy, and the pair that revolves fastest. In calm.c. */
bool koshu_chain_is_calm(const struct koshu_chain *chain, double tolerance,
                         struct koshu_hierarchy *hierarchy, size_t *fastest);

/* How far to move: to that later time, or by that many revolutions of the
 * fastest pair if that is less, or until others have moved so far that pairs
 * may need another kappa. Points of the chain may be averaged pairs. */
struct koshu_split {
    size_t fastest;
    double time;
    unsigned revolutions, steps; /* steps: per revolution */
    size_t n_mean;
    struct koshu_mean_pair *mean;
};

/* Moves the chain with these nodes by Keplerian motions, at the rates of its
 * links, and by kicks, whose number is added to evaluations. B is set anew. */
void koshu_chain_split(struct koshu_chain *chain, struct koshu_hierarchy *nodes,
                       const struct koshu_split *how, uint64_t *evaluations);

#endif
