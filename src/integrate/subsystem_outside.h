/* SPDX-License-Identifier: MIT */
/* The perturbers of groups: see subsystem_outside.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_OUTSIDE_H
#define KOSHU_INTEGRATE_SUBSYSTEM_OUTSIDE_H

#include <string.h>

#include "base/base.h"
#include "integrate/subsystems.h"

/* Whether particle k perturbs a group. */
static inline bool
koshu_subsystem_has_near(const struct koshu_subsystem *group, size_t k)
{
    for (size_t j = 0; j < group->n_near; j++)
        if (group->near[j] == k) return true;
    return false;
}

/* Gives the group's chain, which stands at `time`, the perturbers of the group
 * from then on, or NULL if there are none. If the perturbers have changed, no
 * pair of the chain stays slowed down. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystems_look_outside(struct koshu_subsystems *groups,
                              const struct koshu_subsystem *group, double time,
                              struct koshu_subsystem_outside *outside,
                              struct koshu_chain *chain);

/* Frees what the struct holds. */
static inline void
koshu_subsystem_outside_free(struct koshu_subsystem_outside *outside)
{
    koshu_free(outside->perturbers.body);
    koshu_free(outside->pair);
}

/* Whether particle `mass` at distance r could be a pair beside a group,
 * whatever its width; per_mass: the cube of the distance within which a mass of
 * 1 perturbs the group. */
bool koshu_subsystem_may_be_beside(const struct koshu_subsystems *groups,
                                   double per_mass, double mass, double r);

/* Finds the pairs that a group is beside at that time among its perturbers;
 * none unless found_beside. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_find_beside(struct koshu_subsystems *groups,
                                          struct koshu_subsystem *group,
                                          double time);

/* Forgets the pairs beside the group. */
void koshu_subsystems_leave_pairs(struct koshu_subsystems *groups,
                                  struct koshu_subsystem *group);

/* Records the present orbits of such pairs; called before all threads move
 * groups. */
void koshu_subsystems_show_pairs(struct koshu_subsystems *groups);

/* Whether the pairs of the group are still those in `outside`. */
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
