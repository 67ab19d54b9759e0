/* SPDX-License-Identifier: MIT */
/* Moves the bodies of groups, on all threads. */
#include <omp.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_helpers.h"
#include "integrate/subsystem_outside.h"

/* ---- many groups --------------------------------------------------------- */

/* Does one group's work on this thread; *failed: the failure, if there is
 * one. */
static void
work_on(struct koshu_subsystems *groups, struct koshu_subsystem *group,
        double time, koshu_subsystem_work *work, int *failed)
{
    const koshu_status status =
            work(groups, group, time, (size_t)omp_get_thread_num());
    if (status == KOSHU_OK) return;
#pragma omp atomic write
    *failed = (int)status;
}

koshu_status
koshu_subsystems_each(struct koshu_subsystems *groups, size_t n,
                      struct koshu_subsystem **list, double time,
                      koshu_subsystem_work *work, size_t few)
{
    koshu_subsystems_show_pairs(groups);
    const int threads = koshu_region_threads(groups->context, n > few);
    /* small chunks for a few groups, whose costs may differ much; larger ones
     * for many, as each chunk has a cost of its own */
    const int chunk = n > KOSHU_FEW_LOOKS ? 4 : 1;
    int failed = KOSHU_OK;
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
    for (size_t i = 0; i < n; i++)
        work_on(groups, list[i], time, work, &failed);
    return (koshu_status)failed;
}

koshu_status
koshu_subsystems_all(struct koshu_subsystems *groups, double time,
                     koshu_subsystem_work *work)
{
    const size_t n = groups->n;
    koshu_subsystems_show_pairs(groups);
    const int threads =
            koshu_region_threads(groups->context, n > KOSHU_FEW_LOOKS);
    int failed = KOSHU_OK;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < n; i++)
        work_on(groups, groups->group[i], time, work, &failed);
    return (koshu_status)failed;
}

/* ---- motion about the centre of mass ------------------------------------- */

static koshu_status
fail_step(const struct koshu_subsystems *g, const struct koshu_subsystem *group)
{
    return koshu_fail(g->context, KOSHU_ERROR_NOT_FINITE,
                      "%zu bodies of a group, particle %zu among them: no step "
                      "converges, as where three meet in one point; give a "
                      "tolerance larger than %g",
                      group->n, group->body[0], g->options.tolerance);
}

/* Sets the present perturbers of the chain. Two bodies without any follow a
 * Kepler orbit. */
static koshu_status
prepare(struct koshu_subsystems *g, struct koshu_subsystem *group, double time)
{
    struct koshu_chain *c = &group->chain;
    KOSHU_TRY(
            koshu_subsystems_look_outside(g, group, time, &group->outside, c));
    group->is_other = false;
    const bool kepler = group->n == 2 && !c->perturbers;
    if (group->kepler && !kepler) {
        koshu_chain_bind(c);
        group->step.s = koshu_fewbody_first_step(c);
    }
    group->kepler = kepler;
    return KOSHU_OK;
}

/* Moves to that time, or to the first contact of two bodies. */
static koshu_status
move_chain(struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time, size_t thread, struct koshu_contact *contact)
{
    struct koshu_gbs *gbs = &g->gbs[thread];
    KOSHU_TRY(prepare(g, group, time));
    gbs->evaluations = 0;
    const koshu_status status =
            koshu_chain_move(gbs, &group->chain, &group->step, time,
                             contact->law->radius > 0 ? contact : NULL);
    group->work = gbs->evaluations;
    group->cost += group->work;
    return status == KOSHU_OK ? KOSHU_OK : fail_step(g, group);
}

koshu_status
koshu_subsystems_move(struct koshu_subsystems *groups,
                      struct koshu_subsystem *group, double time, size_t thread)
{
    struct koshu_contact contact = {.law = &groups->options.radius,
                                    .link = KOSHU_NO_CONTACT};
    if (koshu_chain_until(&group->chain, time) == 0) return KOSHU_OK;
    if (!koshu_subsystem_take_ahead(group, time, &contact.link))
        KOSHU_TRY(move_chain(groups, group, time, thread, &contact));
    while (contact.law->radius > 0 && contact.link != KOSHU_NO_CONTACT) {
        KOSHU_TRY(koshu_subsystems_merge(groups, group, contact.link));
        KOSHU_TRY(move_chain(groups, group, time, thread, &contact));
    }
    return koshu_subsystems_note_work(groups, group);
}

koshu_status
koshu_subsystems_is_apart(struct koshu_subsystems *groups,
                          struct koshu_subsystem *group)
{
    const struct koshu_grouping how =
            koshu_grouping_of(groups, koshu_grouping_stays);
    struct koshu_clump cluster[KOSHU_FEWBODY_MAX];
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3];
    size_t n = group->n, next[KOSHU_FEWBODY_MAX];
    koshu_chain_bodies(&group->chain, x, v);
    for (size_t i = 0; i < n; i++)
        cluster[i] =
                (struct koshu_clump){.mass = groups->body_mass[group->body[i]],
                                     .x = {x[i][0], x[i][1], x[i][2]},
                                     .v = {v[i][0], v[i][1], v[i][2]},
                                     .n = 1,
                                     .first = i,
                                     .last = i};
    KOSHU_TRY(koshu_find_subsystems(groups->context, &how, &n, cluster, next));
    group->apart = n > 1 || group->n == 1;
    group->span = cluster[0].radius;
    return KOSHU_OK;
}
