/* SPDX-License-Identifier: MIT */
/*
 * Groups of the particles of several ranks, found in slabs (slabs.c). Each
 * group's members are sent to one rank, which measures it with the members in
 * the same order as on one rank, so that results are equal bit for bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks.h"

/* ---- members ------------------------------------------------------------- */

/* Collects the particles in groups, with the group's number as last column. */
static koshu_status
take_members(const struct group_work *w, struct columns *home)
{
    size_t n = 0;
    for (size_t i = 0; i < w->own.n; i++) n += w->label[i] != UINT64_MAX;
    if (!koshu_columns_allocate(home, n, COLUMNS))
        return koshu_fail_memory(w->context, 8 * COLUMNS * n, "groups");
    uint64_t *group = (uint64_t *)home->of[COLUMN_GROUP];
    home->n = 0;
    for (size_t i = 0; i < w->own.n; i++) {
        if (w->label[i] == UINT64_MAX) continue;
        for (size_t k = 0; k < COLUMN_GROUP; k++)
            home->of[k][home->n] = w->own.of[k][i];
        group[home->n++] = w->label[i];
    }
    return KOSHU_OK;
}

/* Group g is measured by rank g modulo the number of ranks. */
static koshu_status
move_members(struct group_work *w)
{
    struct koshu_particle_exchange x = {.context = w->context};
    struct columns home = {0};
    koshu_status status;
    KOSHU_TRY_CLEANUP(
            koshu_ranks_collective_status(w->context, take_members(w, &home)));
    KOSHU_TRY_CLEANUP(koshu_particle_exchange_begin(&x, home.n));
    const uint64_t *group = (const uint64_t *)home.of[COLUMN_GROUP];
    for (size_t i = 0; i < home.n; i++)
        x.owner[i] = (uint32_t)(group[i] % w->ranks);
    status = koshu_columns_move(&x, &home, COLUMNS, &w->members);
cleanup:
    koshu_particle_exchange_free(&x);
    koshu_columns_free(&home);
    return status;
}

struct member {
    uint64_t group, index;
    uint32_t at;
};

/* By group, and within it in the order on one rank. */
static int
in_order(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    if (p->group != q->group) return p->group < q->group ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void
fill_fof(struct group_work *w, struct member *m)
{
    const uint64_t *group = (const uint64_t *)w->members.of[COLUMN_GROUP],
                   *index = (const uint64_t *)w->members.of[COLUMN_INDEX];
    const size_t n = w->members.n;
    for (size_t i = 0; i < n; i++)
        m[i] = (struct member){group[i], index[i], (uint32_t)i};
    qsort(m, n, sizeof *m, in_order);
    for (size_t i = 0; i < n; i++) {
        w->fof.member[i] = m[i].at;
        if (i > 0 && m[i].group == m[i - 1].group) continue;
        w->centres[w->fof.n].group = m[i].group;
        w->fof.first[w->fof.n++] = i;
    }
    w->fof.first[w->fof.n] = n;
}

static koshu_status
sort_members(struct group_work *w)
{
    const size_t n = w->members.n + 1;
    struct member *m = koshu_alloc(n, sizeof *m);
    w->fof.first = koshu_alloc(n + 1, sizeof *w->fof.first);
    w->fof.member = koshu_alloc(n, sizeof *w->fof.member);
    w->centres = koshu_alloc(n, sizeof *w->centres);
    const bool good = m && w->fof.first && w->fof.member && w->centres;
    if (good) fill_fof(w, m);
    koshu_free(m);
    return good ? KOSHU_OK : koshu_fail_memory(w->context, 80 * n, "groups");
}

/* ---- measured ------------------------------------------------------------ */

/* This rank's results for a group. */
struct measured {
    uint64_t group;
    struct koshu_fof_group of;
    struct koshu_fof_sphere sphere[KOSHU_GROUP_SPHERES];
};

static koshu_status
measure_groups(struct group_work *w, struct koshu_fof_group *group)
{
    const struct koshu_particle_const_view v = koshu_columns_view(&w->members);
    if (w->fof.n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_fof_measure(w->context, &v, &w->fof, w->o->friends.box,
                                w->o->softening, group));
    for (size_t k = 0; k < w->fof.n; k++) {
        memcpy(w->centres[k].minimum, group[k].minimum,
               sizeof w->centres[k].minimum);
        w->centres[k].mass = group[k].mass;
    }
    return KOSHU_OK;
}

/* Gathers the results into the rows of all groups. */
static koshu_status
gather_measured(struct group_work *w, const struct measured *mine)
{
    struct measured *all;
    size_t n;
    const koshu_status status = koshu_gather_items(
            w->context, mine, sizeof *mine, w->fof.n, (void **)&all, &n);
    for (size_t k = 0; k < n && status == KOSHU_OK; k++) {
        w->groups->group[all[k].group] = all[k].of;
        for (int s = 0; s < KOSHU_GROUP_SPHERES; s++)
            w->groups->sphere[s][all[k].group] = all[k].sphere[s];
    }
    koshu_free(all);
    return status;
}

static koshu_status
measure_spheres(struct group_work *w, struct measured *mine)
{
    struct koshu_fof_sphere *spheres =
            koshu_alloc(w->fof.n + 1, sizeof *spheres);
    koshu_status status =
            spheres ? KOSHU_OK
                    : koshu_fail_memory(w->context, 16 * w->fof.n, "spheres");
    status = koshu_ranks_collective_status(w->context, status);
    for (int s = 0; s < KOSHU_GROUP_SPHERES && status == KOSHU_OK; s++) {
        if (!(w->o->density[s] > 0)) continue;
        memset(spheres, 0, w->fof.n * sizeof *spheres);
        status = koshu_spheres_over_ranks(
                w->context, &w->own, w->o->friends.box, w->o->density[s],
                w->o->density[0], w->fof.n, w->centres, spheres);
        for (size_t k = 0; k < w->fof.n; k++) mine[k].sphere[s] = spheres[k];
    }
    koshu_free(spheres);
    return status;
}

static koshu_status
measure(struct group_work *w)
{
    const size_t n = w->fof.n;
    struct koshu_fof_group *group = koshu_alloc(n + 1, sizeof *group);
    struct measured *mine = koshu_alloc(n + 1, sizeof *mine);
    koshu_status status =
            group && mine
                    ? measure_groups(w, group)
                    : koshu_fail_memory(w->context, n * sizeof *mine, "groups");
    status = koshu_ranks_collective_status(w->context, status);
    for (size_t k = 0; k < n && status == KOSHU_OK; k++)
        mine[k] =
                (struct measured){.group = w->centres[k].group, .of = group[k]};
    if (status == KOSHU_OK) status = measure_spheres(w, mine);
    if (status == KOSHU_OK) status = gather_measured(w, mine);
    koshu_free(group);
    koshu_free(mine);
    return status;
}

/* Members come as ranks have them: each its groups, ascending. */
static koshu_status
put_ids(struct group_work *w, const uint64_t *all)
{
    struct koshu_friend_groups *g = w->groups;
    size_t *first = koshu_alloc(g->n + 1, sizeof *first);
    g->member = koshu_alloc(g->n_members + 1, sizeof *g->member);
    if (!first || !g->member) {
        koshu_free(first);
        return koshu_fail_memory(w->context, 8 * g->n_members,
                                 "members of groups");
    }
    for (size_t k = 0; k < g->n; k++) first[k + 1] = first[k] + g->group[k].n;
    for (size_t r = 0; r < w->ranks; r++)
        for (size_t k = r; k < g->n; k += w->ranks) {
            memcpy(g->member + first[k], all, g->group[k].n * sizeof *all);
            all += g->group[k].n;
        }
    koshu_free(first);
    return KOSHU_OK;
}

static koshu_status
gather_ids(struct group_work *w)
{
    const size_t n = w->members.n;
    const uint64_t *id = (const uint64_t *)w->members.of[COLUMN_ID];
    uint64_t *mine = koshu_alloc(n + 1, sizeof *mine), *all = NULL;
    size_t n_all;
    koshu_status status =
            mine ? KOSHU_OK : koshu_fail_memory(w->context, 8 * n, "groups");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(w->context, status));
    for (size_t i = 0; i < n; i++) mine[i] = id[w->fof.member[i]];
    KOSHU_TRY_CLEANUP(koshu_gather_items(w->context, mine, sizeof *mine, n,
                                         (void **)&all, &n_all));
    status = koshu_ranks_collective_status(w->context, put_ids(w, all));
cleanup:
    koshu_free(mine);
    koshu_free(all);
    return status;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
check(struct group_work *w)
{
    const struct koshu_friends_options *o = &w->o->friends;
    KOSHU_TRY(koshu_friends_check(w->context, o));
    w->slabs = (size_t)fmin((double)w->ranks, floor(o->box / o->length));
    return KOSHU_OK;
}

static koshu_status
find_all(struct group_work *w, struct koshu_particles *particles)
{
    KOSHU_TRY(check(w));
    KOSHU_TRY(koshu_slabs_find(w, particles));
    KOSHU_TRY(move_members(w));
    KOSHU_TRY(koshu_ranks_collective_status(w->context, sort_members(w)));
    KOSHU_TRY(measure(w));
    return w->o->members ? gather_ids(w) : KOSHU_OK;
}

koshu_status
koshu_friend_groups_over_ranks(
        struct koshu_particles *particles,
        const struct koshu_friend_groups_options *options,
        struct koshu_friend_groups *groups)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct group_work w = {.context = context,
                           .o = options,
                           .groups = groups,
                           .ranks = (size_t)koshu_context_ranks(context)};
    *groups = (struct koshu_friend_groups){0};
    const koshu_status status = find_all(&w, particles);
    koshu_columns_free(&w.own);
    koshu_columns_free(&w.beside);
    koshu_columns_free(&w.members);
    koshu_free(w.label);
    koshu_free(w.pairs);
    koshu_free(w.centres);
    koshu_fof_free(&w.fof);
    return status;
}

void
koshu_friend_groups_free(struct koshu_friend_groups *groups)
{
    koshu_free(groups->group);
    for (int k = 0; k < KOSHU_GROUP_SPHERES; k++) koshu_free(groups->sphere[k]);
    koshu_free(groups->member);
    *groups = (struct koshu_friend_groups){0};
}
