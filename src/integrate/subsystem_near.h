/* SPDX-License-Identifier: MIT */
/* What is around groups, and what is near: what the two files share. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_NEAR_H
#define KOSHU_INTEGRATE_SUBSYSTEM_NEAR_H

#include <math.h>

#include "integrate/subsystems.h"

static inline double
koshu_subsystem_length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The cube of how far a particle of mass 1 perturbs a group of that radius. */
double koshu_subsystem_reach3(const struct koshu_subsystems *groups,
                              const struct koshu_subsystem *group,
                              double radius);

/* A particle of p at that time; relative to another. */
struct koshu_subsystem_approach
koshu_subsystem_place_of(const struct koshu_subsystems *groups, size_t k,
                         double time);
struct koshu_subsystem_approach
koshu_subsystem_approach_of(struct koshu_subsystem_approach at,
                            const struct koshu_subsystem_approach *centre);

/* How near a particle comes, relative to the group: where it is, or, where it
 * goes round the group not far out, its pericentre. A companion that came and
 * went with each revolution would take some energy of the group with it, always
 * the same. */
double koshu_subsystem_nearest(const struct koshu_subsystems *groups,
                               const struct koshu_subsystem *group,
                               const struct koshu_subsystem_approach *at);

/* For how long a particle that comes as near as r will not be as near as what
 * perturbs. */
double koshu_subsystem_wait(const struct koshu_subsystems *groups,
                            const struct koshu_subsystem *group,
                            const struct koshu_subsystem_approach *at,
                            double r);

/* All particles at that time, for groups that look around. */
koshu_status
koshu_subsystem_place_all(struct koshu_subsystems *groups, double time);

/* All that may come near for a while; places are those of that time. */
koshu_status koshu_subsystem_look_around(struct koshu_subsystems *groups,
                                         struct koshu_subsystem *group,
                                         double time);

/* A particle is around a group where it may come near until the group looks
 * around again. at: relative to the group. */
koshu_status koshu_subsystem_consider(struct koshu_subsystems *groups,
                                      struct koshu_subsystem *group, size_t k,
                                      double time,
                                      const struct koshu_subsystem_approach *at,
                                      bool *is_around);

#endif
