/* SPDX-License-Identifier: MIT */
/* Chains whose pairs others hardly disturb. */
#ifndef KOSHU_FEWBODY_SPLIT_H
#define KOSHU_FEWBODY_SPLIT_H

#include "fewbody/hierarchy.h"
#include "fewbody/mean_pair.h"

/* Whether that is such a chain: others do so little to its pairs, now and where
 * they are nearest, that tides are below the root of the tolerance, which is
 * that of koshu_fewbody_options.slow_down; never with 0. Its hierarchy, and the
 * pair that revolves fastest. In calm.c. */
bool koshu_chain_is_calm(const struct koshu_chain *chain, double tolerance,
                         struct koshu_hierarchy *hierarchy, size_t *fastest);

/* To that time, later, or by so many revolutions of the fastest pair if that is
 * less; or until others have gone so far that pairs may need another kappa.
 * Points of the chain may be pairs, as their mean. */
struct koshu_split {
    size_t fastest;
    double time;
    unsigned revolutions, steps; /* of each */
    size_t n_mean;
    struct koshu_mean_pair *mean;
};

/* Moves the chain, of which these are the nodes: by Kepler's laws, at the rates
 * of its links, and by kicks, whose number is added to evaluations. B begins
 * anew. */
void koshu_chain_split(struct koshu_chain *chain, struct koshu_hierarchy *nodes,
                       const struct koshu_split *how, uint64_t *evaluations);

#endif
