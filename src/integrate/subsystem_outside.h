/* SPDX-License-Identifier: MIT */
/* What perturbs groups: see subsystem_outside.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_OUTSIDE_H
#define KOSHU_INTEGRATE_SUBSYSTEM_OUTSIDE_H

#include <string.h>

#include "base/base.h"
#include "integrate/subsystems.h"

/* Whether that particle perturbs a group. */
static inline bool
koshu_subsystem_has_near(const struct koshu_subsystem *group, size_t k)
{
    for (size_t j = 0; j < group->n_near; j++)
        if (group->near[j] == k) return true;
    return false;
}

/* The chain of a group, at that time, goes on with what perturbs the group from
 * then on, NULL where nothing does; with no pair slowed where that is other
 * than before. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystems_look_outside(struct koshu_subsystems *groups,
                              const struct koshu_subsystem *group, double time,
                              struct koshu_subsystem_outside *outside,
                              struct koshu_chain *chain);

/* What it holds. */
static inline void
koshu_subsystem_outside_free(struct koshu_subsystem_outside *outside)
{
    koshu_free(outside->perturbers.body);
    koshu_free(outside->pair);
}

/* Whether a group of any two bodies, a particle of that mass at a distance r,
 * may be so near that each of them counts; per_mass: the cube of how far a mass
 * of 1 perturbs the group that it is near to. */
bool koshu_subsystem_may_be_beside(const struct koshu_subsystems *groups,
                                   double per_mass, double mass, double r);

/* The pairs that a group is beside at that time, of what perturbs it; none but
 * where found_beside. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_find_beside(struct koshu_subsystems *groups,
                                          struct koshu_subsystem *group,
                                          double time);

/* The group is beside nothing. */
void koshu_subsystems_leave_pairs(struct koshu_subsystems *groups,
                                  struct koshu_subsystem *group);

/* Such pairs as they are now: before groups move, by all threads. */
void koshu_subsystems_show_pairs(struct koshu_subsystems *groups);

/* Whether they are those that what is outside has. */
static inline bool
koshu_subsystem_sees_same_pairs(const struct koshu_subsystem *group,
                                const struct koshu_subsystem_outside *outside)
{
    const size_t n = group->n_pairs;
    return outside->n_pairs == n &&
           (n == 0 ||
            memcmp(outside->pair, group->pair, n * sizeof *group->pair) == 0);
}

#endif
