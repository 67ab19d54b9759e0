/* SPDX-License-Identifier: MIT */
/*
 * Finds which particles perturb groups. A group has a list of all particles
 * that may come near it for a while. At each of its steps it searches only this
 * list for perturbers. Particles in turn list the groups that they perturb.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_near.h"
#include "integrate/subsystem_outside.h"

static double
radius_of(struct koshu_subsystem *group)
{
    const struct koshu_chain *c = &group->chain;
    double x[KOSHU_FEWBODY_MAX][3], r2 = 0;
    if (c->n == 2) {
        double link[3], rate[3], a;
        koshu_chain_values(c, link, rate);
        const double far = koshu_pair_apocentre(c->total_mass, link, rate, &a);
        group->is_bound = far > 0;
        r2 = link[0] * link[0] + link[1] * link[1] + link[2] * link[2];
        return fmax(sqrt(r2), far);
    }
    koshu_chain_bodies(c, x, NULL);
    for (size_t k = 0; k < c->n; k++)
        r2 = fmax(r2,
                  x[k][0] * x[k][0] + x[k][1] * x[k][1] + x[k][2] * x[k][2]);
    return 2 * sqrt(r2);
}

static void
measure(struct koshu_subsystem *group)
{
    group->radius = radius_of(group);
    group->widest = fmax(group->widest, group->radius);
}

/* ---- what perturbs ------------------------------------------------------- */

/* Whether a listed particle is near now; if so, whether it may be a pair beside
 * the group; if not, from when on it may be near. */
static bool
is_near(const struct koshu_subsystems *g, struct koshu_subsystem *group,
        const struct koshu_subsystem_approach *centre, double per_mass,
        double time, struct koshu_subsystem_around *one)
{
    if (time < one->from) return false;
    if (one->version != g->version[one->k]) {
        one->from = INFINITY;
        return false;
    }
    const struct koshu_subsystem_approach at = koshu_subsystem_approach_of(
            koshu_subsystem_place_of(g, one->k, time), centre);
    const double r = koshu_subsystem_nearest(g, group, &at);
    if (r * r * r < per_mass * at.mass) {
        if (g->of[one->k] &&
            koshu_subsystem_may_be_beside(g, per_mass, at.mass, r))
            group->found_beside = true;
        return true;
    }
    one->from = time + koshu_subsystem_wait(g, group, &at, r);
    return false;
}

/* Lists those that are near in group->found. */
static koshu_status
list_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
          double time)
{
    const double per_mass = koshu_subsystem_reach3(g, group, group->widest);
    const struct koshu_subsystem_approach centre =
            koshu_subsystem_place_of(g, group->body[0], time);
    double quiet = INFINITY;
    KOSHU_TRY(KOSHU_GROW(group, found, group->n_around, g->context,
                         "perturbers"));
    group->n_found = 0;
    group->found_beside = false;
    if (time < group->quiet) return KOSHU_OK;
    for (size_t i = 0; i < group->n_around; i++) {
        struct koshu_subsystem_around *one = &group->around[i];
        if (is_near(g, group, &centre, per_mass, time, one))
            group->found[group->n_found++] = one->k;
        if (one->from < quiet) quiet = one->from;
    }
    group->quiet = quiet;
    return KOSHU_OK;
}

/* Whether the tide of external fields perturbs it, by the same criterion as
 * particles. */
static bool
is_in_field(const struct koshu_subsystems *g, struct koshu_subsystem *group,
            double time)
{
    const double r = group->widest, mass = g->mass[group->body[0]];
    if (!g->options.external) return false;
    const double tide = koshu_subsystems_tide(
            g, koshu_subsystems_predict(g, group->body[0], time).x);
    group->is_stale = group->is_stale || tide != group->tide;
    group->tide = tide;
    return group->tide * r * r * r > g->options.perturbation * mass;
}

/* Finds the perturbers from now on. If there were none, moves the pair along
 * its Kepler orbit first, since the polynomials of perturbers hold from now on
 * only. */
static koshu_status
find_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
          double time, size_t thread)
{
    KOSHU_TRY(list_near(g, group, time));
    group->found_field = is_in_field(g, group, time);
    if ((group->n_found > 0 || group->found_field) && group->n == 2 &&
        !koshu_subsystem_is_perturbed(group))
        return koshu_subsystems_move(g, group, time, thread);
    return KOSHU_OK;
}

/* ---- who perturbs whom --------------------------------------------------- */

static void
forget(struct koshu_subsystems *g, const struct koshu_subsystem *group)
{
    for (size_t i = 0; i < group->n_near; i++) {
        struct koshu_subsystem_seen *seen = &g->seen[group->near[i]];
        size_t k = 0;
        while (seen->by[k] != group) k++;
        for (seen->n--; k < seen->n; k++) seen->by[k] = seen->by[k + 1];
    }
}

static koshu_status
remember(struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    for (size_t i = 0; i < group->n_near; i++) {
        struct koshu_subsystem_seen *seen = &g->seen[group->near[i]];
        KOSHU_TRY(KOSHU_GROW(seen, by, seen->n + 1, g->context, "perturbers"));
        seen->by[seen->n++] = group;
    }
    return KOSHU_OK;
}

void
koshu_subsystems_forget(struct koshu_subsystems *groups,
                        struct koshu_subsystem *group)
{
    forget(groups, group);
    group->n_near = 0;
    koshu_subsystems_leave_pairs(groups, group);
}

/* The copy that is moved ahead, and the last motion, had other perturbers. */
static void
note_other_outside(struct koshu_subsystem *group)
{
    group->is_stale = group->is_other = true;
}

/* Makes the perturbers just found the group's. */
static koshu_status
take_found(struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    const size_t n = group->n_found;
    if (group->in_field != group->found_field) note_other_outside(group);
    group->in_field = group->found_field;
    if (n == group->n_near && (n == 0 || memcmp(group->near, group->found,
                                                n * sizeof *group->near) == 0))
        return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(group, near, n, g->context, "perturbers"));
    note_other_outside(group);
    forget(g, group);
    group->n_near = n;
    if (n > 0) memcpy(group->near, group->found, n * sizeof *group->near);
    return remember(g, group);
}

/* First all perturbers, then the pairs beside groups, which depend on what
 * perturbs the others. */
static koshu_status
take_all_found(struct koshu_subsystems *g, size_t n,
               struct koshu_subsystem **list, double time)
{
    for (size_t i = 0; i < n; i++)
        if (list[i]->looks) KOSHU_TRY(take_found(g, list[i]));
    for (size_t i = 0; i < n; i++) {
        if (!list[i]->looks) continue;
        list[i]->looks = false;
        KOSHU_TRY(koshu_subsystems_find_beside(g, list[i], time));
    }
    return KOSHU_OK;
}

/* ---- at the end of a step ------------------------------------------------ */

/* Checks a group itself. A bound pair without perturbers stays a group and need
 * not be moved. */
static koshu_status
look_at_itself(struct koshu_subsystems *g, struct koshu_subsystem *group,
               double time, size_t thread)
{
    group->apart = false;
    if (group->n != 2 || koshu_subsystem_is_perturbed(group) ||
        !group->is_bound) {
        KOSHU_TRY(koshu_subsystems_move(g, group, time, thread));
        KOSHU_TRY(koshu_subsystems_is_apart(g, group));
    }
    measure(group);
    group->looks = !group->apart;
    return KOSHU_OK;
}

static bool
is_to_look_around(const struct koshu_subsystem *group, double time)
{
    return group->looks &&
           (time >= group->until || group->widest > group->reach);
}

static koshu_status
look(struct koshu_subsystems *g, struct koshu_subsystem *group, double time,
     size_t thread)
{
    if (!group->looks) return KOSHU_OK;
    if (is_to_look_around(group, time))
        KOSHU_TRY(koshu_subsystem_look_around(g, group, time));
    return find_near(g, group, time, thread);
}

/* How many groups must list their surroundings anew. */
static size_t
count_around(size_t n, struct koshu_subsystem **list, double time)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += is_to_look_around(list[i], time);
    return count;
}

/* Listing the surroundings takes as long as some tens of updates from the
 * list. */
static koshu_status
look_all(struct koshu_subsystems *g, size_t n, struct koshu_subsystem **list,
         double time)
{
    enum { MUCH = 32 };
    const size_t around = count_around(n, list, time);
    if (around > 0) KOSHU_TRY(koshu_subsystem_place_all(g, time));
    KOSHU_TRY(koshu_subsystems_each(
            g, n, list, time, look,
            around * MUCH > KOSHU_FEW_LOOKS ? 1 : KOSHU_FEW_LOOKS));
    return take_all_found(g, n, list, time);
}

koshu_status
koshu_subsystems_look(struct koshu_subsystems *groups, size_t n,
                      struct koshu_subsystem **list, double time)
{
    struct koshu_subsystems *g = groups;
    KOSHU_TRY(koshu_subsystems_each(g, n, list, time, look_at_itself,
                                    KOSHU_FEW_LOOKS));
    return look_all(g, n, list, time);
}

koshu_status
koshu_subsystems_find_near(struct koshu_subsystems *groups,
                           struct koshu_subsystem *group, double time)
{
    struct koshu_subsystems *g = groups;
    measure(group);
    group->looks = true;
    return look_all(g, 1, &group, time);
}

/* ---- where others have become groups, or single -------------------------- */

/* Adds changed particles that may come near to the group's list. Entries for
 * what they were have an old version. */
static koshu_status
look_again(struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time)
{
    const struct koshu_subsystem_changes *changes = g->changes;
    const struct koshu_subsystem_approach centre =
            koshu_subsystem_place_of(g, group->body[0], time);
    for (size_t i = 0; i < changes->n; i++) {
        const size_t k = changes->changed[i];
        bool is_around;
        if (g->mass[k] == 0) continue;
        const struct koshu_subsystem_approach at =
                koshu_subsystem_approach_of(g->place[i], &centre);
        KOSHU_TRY(koshu_subsystem_consider(g, group, k, time, &at, &is_around));
        if (!is_around) continue;
        const double from = group->around[group->n_around - 1].from;
        group->quiet = fmin(group->quiet, from);
        group->looks = group->looks || time >= from;
    }
    return KOSHU_OK;
}

static koshu_status
renew_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time, size_t thread)
{
    if (g->changes->is_changed[group->body[0]]) {
        group->looks = true;
        measure(group);
        KOSHU_TRY(koshu_subsystem_look_around(g, group, time));
    } else
        KOSHU_TRY(look_again(g, group, time));
    return group->looks ? find_near(g, group, time, thread) : KOSHU_OK;
}

/* Gives changed particles a new version and their present positions. Groups
 * that they perturbed must look again. */
static koshu_status
renew_changed(struct koshu_subsystems *g,
              const struct koshu_subsystem_changes *changes, double time)
{
    KOSHU_TRY(KOSHU_GROW(g, place, changes->n, g->context, "places"));
    for (size_t i = 0; i < changes->n; i++) {
        const size_t k = changes->changed[i];
        const struct koshu_subsystem_seen *seen = &g->seen[k];
        g->version[k]++;
        g->place[i] = koshu_subsystem_place_of(g, k, time);
        for (size_t b = 0; b < seen->n; b++) {
            seen->by[b]->looks = true;
            note_other_outside(seen->by[b]);
        }
    }
    return KOSHU_OK;
}

static bool
is_any_group(const struct koshu_subsystems *g,
             const struct koshu_subsystem_changes *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        if (g->of[changes->changed[i]]) return true;
    return false;
}

koshu_status
koshu_subsystems_renew_near(struct koshu_subsystems *groups,
                            const struct koshu_subsystem_changes *changes,
                            double time)
{
    struct koshu_subsystems *g = groups;
    KOSHU_TRY(renew_changed(g, changes, time));
    if (is_any_group(g, changes)) KOSHU_TRY(koshu_subsystem_place_all(g, time));
    g->changes = changes;
    KOSHU_TRY(koshu_subsystems_all(g, time, renew_near));
    return take_all_found(g, g->n, g->group, time);
}
