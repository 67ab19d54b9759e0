/* SPDX-License-Identifier: MIT */
/* How strongly other bodies disturb a pair. */
#ifndef KOSHU_FEWBODY_TIDES_H
#define KOSHU_FEWBODY_TIDES_H

#include "fewbody/fewbody.h"
#include "fewbody/hierarchy.h"
#include "fewbody/pair.h"

/* The orbit of a bound pair. */
struct koshu_pair_orbit {
    double mass, a, e, period; /* mass: m1 + m2 */
};

struct koshu_pair_orbit koshu_pair_orbit_of(const struct koshu_pair *pair);

/* time: in which the disturbers move appreciably. size: the sum of their tides
 * at the pair's apocentre, over the pair's own force there. */
struct koshu_tides {
    double time, size;
};

/* Adds those of a mass at x, relative to the centre of the pair, with velocity
 * v. */
void koshu_tides_add(struct koshu_tides *tides,
                     const struct koshu_pair_orbit *orbit, double mass,
                     const double *x, const double *v);

/* Adds those of the chain's perturbers at the chain's time. */
void koshu_tides_add_outside(struct koshu_tides *tides,
                             const struct koshu_chain *chain,
                             const struct koshu_pair *pair,
                             const struct koshu_pair_orbit *orbit);

/* The tides of the other parts of the chain on a node, each at its closest
 * approach, to which it keeps returning; and of perturbers at present. In
 * calm.c. */
struct koshu_tides
koshu_hierarchy_tides(const struct koshu_hierarchy *hierarchy,
                      const struct koshu_chain *chain, size_t node,
                      const struct koshu_pair_orbit *orbit);

/* The fraction of the time scale of the disturbers that a slowed revolution may
 * take, for that tolerance of a pair's energy: the energy error grows with its
 * square and with the tides. */
double koshu_tides_stillness(double tolerance);

#endif
