/* SPDX-License-Identifier: MIT */
/* Moves chains in which fast pairs are averaged over their revolutions. */
#ifndef KOSHU_FEWBODY_MEAN_H
#define KOSHU_FEWBODY_MEAN_H

#include "fewbody/fewbody.h"

/* Moves a chain whose fastest pairs revolve so often, and are disturbed so
 * little, that only their average counts within that tolerance
 * (koshu_fewbody_options.slow_down). It moves to that later time, or by some
 * revolutions of the remaining motion, or until a pair may touch by that law
 * (NULL: none). false: the chain has no such pairs, and other pairs may have
 * changed their rates. B is set anew. */
bool koshu_chain_move_mean(struct koshu_chain *chain, double tolerance,
                           double time, const struct koshu_radius_law *law,
                           uint64_t *evaluations);

#endif
