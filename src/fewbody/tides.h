/* SPDX-License-Identifier: MIT */
/* How much others do to a pair. */
#ifndef KOSHU_FEWBODY_TIDES_H
#define KOSHU_FEWBODY_TIDES_H

#include "fewbody/fewbody.h"
#include "fewbody/hierarchy.h"
#include "fewbody/pair.h"

/* Of a bound pair. */
struct koshu_pair_orbit {
    double mass, a, e, period; /* mass: m1 + m2 */
};

struct koshu_pair_orbit koshu_pair_orbit_of(const struct koshu_pair *pair);

/* The time in which others change where they are, and the sum of their tides at
 * the pair's apocentre over its own force there. */
struct koshu_tides {
    double time, size;
};

/* Those of a mass at x from the centre of the pair, which moves with v. */
void koshu_tides_add(struct koshu_tides *tides,
                     const struct koshu_pair_orbit *orbit, double mass,
                     const double *x, const double *v);

/* Those of what perturbs the chain, as it is at its time. */
void koshu_tides_add_outside(struct koshu_tides *tides,
                             const struct koshu_chain *chain,
                             const struct koshu_pair *pair,
                             const struct koshu_pair_orbit *orbit);

/* What the others do to a node, where each is nearest, as it comes back there
 * again and again; what is outside, as it is. In calm.c. */
struct koshu_tides
koshu_hierarchy_tides(const struct koshu_hierarchy *hierarchy,
                      const struct koshu_chain *chain, size_t node,
                      const struct koshu_pair_orbit *orbit);

/* The part of the time in which others move that a revolution may take, with
 * that tolerance of a pair's energy: what is off by it grows with its square,
 * and with the tides. */
double koshu_tides_stillness(double tolerance);

#endif
