/* SPDX-License-Identifier: MIT */
/* Chains with pairs as the mean over their revolutions. */
#ifndef KOSHU_FEWBODY_MEAN_H
#define KOSHU_FEWBODY_MEAN_H

#include "fewbody/fewbody.h"

/* Moves a chain whose fastest pairs go round so often, while others do so
 * little to them, that only the mean counts, with that tolerance, which is that
 * of koshu_fewbody_options.slow_down: to that time, later, or some revolutions
 * of what is left, or until a pair may touch by that law, if it is not NULL.
 * false: it is none, and others may have another rate. B begins anew. */
bool koshu_chain_move_mean(struct koshu_chain *chain, double tolerance,
                           double time, const struct koshu_radius_law *law,
                           uint64_t *evaluations);

#endif
