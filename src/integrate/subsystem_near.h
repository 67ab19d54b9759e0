/* SPDX-License-Identifier: MIT */
/* The surroundings of groups: shared by subsystem_around.c and
 * subsystem_near.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_NEAR_H
#define KOSHU_INTEGRATE_SUBSYSTEM_NEAR_H

#include <math.h>

#include "integrate/subsystems.h"

static inline double
koshu_subsystem_length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The cube of the distance within which a particle of mass 1 perturbs a group
 * of that radius. */
double koshu_subsystem_reach3(const struct koshu_subsystems *groups,
                              const struct koshu_subsystem *group,
                              double radius);

/* The state of a particle of p at `time`; the state relative to another. */
struct koshu_subsystem_approach
koshu_subsystem_place_of(const struct koshu_subsystems *groups, size_t k,
                         double time);
struct koshu_subsystem_approach
koshu_subsystem_approach_of(struct koshu_subsystem_approach at,
                            const struct koshu_subsystem_approach *centre);

/* How near a particle comes to the group: its present distance or, on a not too
 * wide orbit about the group, its pericentre. A companion that became a
 * perturber and ceased to be one in each revolution would change the group's
 * energy, each time in the same direction. */
double koshu_subsystem_nearest(const struct koshu_subsystems *groups,
                               const struct koshu_subsystem *group,
                               const struct koshu_subsystem_approach *at);

/* How long a particle that comes as near as r certainly stays too far off to
 * perturb the group. */
double koshu_subsystem_wait(const struct koshu_subsystems *groups,
                            const struct koshu_subsystem *group,
                            const struct koshu_subsystem_approach *at,
                            double r);

/* Predicts all particles to that time, for groups that list their
 * surroundings. */
koshu_status
koshu_subsystem_place_all(struct koshu_subsystems *groups, double time);

/* Lists all particles that may come near for a while; requires places at that
 * time. */
koshu_status koshu_subsystem_look_around(struct koshu_subsystems *groups,
                                         struct koshu_subsystem *group,
                                         double time);

/* Adds particle k to the group's list if it may come near before the next
 * listing. at: relative to the group. */
koshu_status koshu_subsystem_consider(struct koshu_subsystems *groups,
                                      struct koshu_subsystem *group, size_t k,
                                      double time,
                                      const struct koshu_subsystem_approach *at,
                                      bool *is_around);

#endif
