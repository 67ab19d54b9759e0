/* SPDX-License-Identifier: MIT */
/*
 * Friends of friends over several ranks. Each rank finds the groups in a slab
 * of the box together with particles within a linking length above it. A
 * particle there gets labels on two ranks, which belong to the same group
 * (labels.c).
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/place.h"
#include "analysis/ranks.h"

/* ---- slabs --------------------------------------------------------------- */

static size_t
slab_of(const struct group_work *w, double x)
{
    return koshu_cell_along(x, w->o->friends.box, w->slabs);
}

static koshu_status
take_home(struct group_work *w, struct koshu_particles *particles,
          struct columns *home)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(koshu_particles_acquire_read(particles,
                                           KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                                   KOSHU_FIELD_POSITION |
                                                   KOSHU_FIELD_VELOCITY,
                                           &v));
    koshu_status status = KOSHU_OK;
    const void *const from[] = {v.x, v.y, v.z, v.mass, v.id, v.vx, v.vy, v.vz};
    if (koshu_columns_allocate(home, v.n, COLUMN_GROUP)) {
        uint64_t *index = (uint64_t *)home->of[COLUMN_INDEX];
        for (size_t k = 0; k < COLUMN_INDEX; k++)
            memcpy(home->of[k], from[k], v.n * sizeof(double));
        for (size_t i = 0; i < v.n; i++)
            index[i] = koshu_particles_first(particles) + i;
    } else
        status = koshu_fail_memory(w->context, 8 * COLUMN_GROUP * v.n,
                                   "groups of particles");
    koshu_particles_release_read(particles);
    return status;
}

/* Moves all particles to the ranks of their slabs. */
static koshu_status
move_to_slabs(struct group_work *w, struct koshu_particles *particles)
{
    struct koshu_particle_exchange x = {.context = w->context};
    struct columns home = {0};
    koshu_status status;
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(
            w->context, take_home(w, particles, &home)));
    KOSHU_TRY_CLEANUP(koshu_particle_exchange_begin(&x, home.n));
    for (size_t i = 0; i < home.n; i++)
        x.owner[i] = (uint32_t)slab_of(w, home.of[COLUMN_X][i]);
    status = koshu_columns_move(&x, &home, COLUMN_GROUP, &w->own);
cleanup:
    koshu_particle_exchange_free(&x);
    koshu_columns_free(&home);
    return status;
}

/* ---- friends ------------------------------------------------------------- */

/* Whether it is within a linking length of the slab's lower face. */
static bool
is_low(const struct group_work *w, double x)
{
    const double box = w->o->friends.box, rounding = 1e-9 * box;
    const double face =
            box * (double)koshu_context_rank(w->context) / (double)w->slabs;
    return koshu_wrapped(x, box) - face <= w->o->friends.length + rounding;
}

static size_t
count_low(const struct group_work *w, const struct columns *own,
          uint32_t *index)
{
    size_t n = 0;
    for (size_t i = 0; i < own->n && w->slabs > 1; i++)
        if (is_low(w, own->of[COLUMN_X][i])) index[n++] = (uint32_t)i;
    return n;
}

/* Joins the slab's particles and those beside it as one set. */
static koshu_status
join_columns(const struct group_work *w, struct columns *both)
{
    const size_t n = w->own.n, more = w->beside.n;
    if (!koshu_columns_allocate(both, n + more, GHOST_COLUMNS))
        return koshu_fail_memory(w->context, 40 * (n + more), "groups");
    for (size_t k = 0; k < GHOST_COLUMNS; k++) {
        memcpy(both->of[k], w->own.of[k], n * sizeof(double));
        memcpy(both->of[k] + n, w->beside.of[k], more * sizeof(double));
    }
    return KOSHU_OK;
}

/* Each particle's label: the smallest id in its group here. */
static void
set_labels(const struct koshu_particle_const_view *v,
           const struct koshu_fof *fof, uint64_t *label)
{
    for (size_t g = 0; g < fof->n; g++) {
        uint64_t least = UINT64_MAX;
        for (size_t k = fof->first[g]; k < fof->first[g + 1]; k++)
            if (v->id[fof->member[k]] < least) least = v->id[fof->member[k]];
        for (size_t k = fof->first[g]; k < fof->first[g + 1]; k++)
            label[fof->member[k]] = least;
    }
}

static koshu_status
find_friends(struct group_work *w)
{
    struct koshu_friends_options o = w->o->friends;
    struct columns both = {0};
    struct koshu_fof fof = {0};
    koshu_status status = join_columns(w, &both);
    const struct koshu_particle_const_view v = koshu_columns_view(&both);
    o.least = 1;
    w->label = koshu_alloc(v.n + 1, sizeof *w->label);
    if (status == KOSHU_OK && !w->label)
        status = koshu_fail_memory(w->context, 8 * v.n, "groups");
    if (status == KOSHU_OK && v.n > 0)
        status = koshu_friends_of_friends(w->context, &v, &o, &fof);
    if (status == KOSHU_OK) set_labels(&v, &fof, w->label);
    koshu_fof_free(&fof);
    koshu_columns_free(&both);
    return koshu_ranks_collective_status(w->context, status);
}

/* ---- labels of two ranks ------------------------------------------------- */

/* Pairs the labels, here and on the rank below, of the particles that this rank
 * sent there. */
static koshu_status
pair_labels(struct group_work *w, struct koshu_particle_exchange *x, size_t n,
            const uint32_t *low)
{
    const size_t own = w->own.n;
    uint64_t *there = koshu_alloc(n + 1, sizeof *there);
    w->pairs = koshu_alloc(n + 1, sizeof *w->pairs);
    koshu_status status =
            there && w->pairs ? KOSHU_OK
                              : koshu_fail_memory(w->context, 24 * n, "groups");
    status = koshu_ranks_collective_status(w->context, status);
    if (status == KOSHU_OK)
        status = koshu_particle_exchange_return(x, (double *)(w->label + own),
                                                (double *)there);
    for (size_t k = 0; k < n && status == KOSHU_OK; k++) {
        const struct label_pair p = {w->label[low[k]], there[k]};
        const struct label_pair *last =
                w->n_pairs > 0 ? &w->pairs[w->n_pairs - 1] : NULL;
        if (!last || last->a != p.a || last->b != p.b)
            w->pairs[w->n_pairs++] = p;
    }
    koshu_free(there);
    return status;
}

/* Sends particles near the lower face to the rank below, finds friends, and
 * compares labels. */
static koshu_status
label_all(struct group_work *w)
{
    const size_t slab = (size_t)koshu_context_rank(w->context);
    struct koshu_particle_exchange x = {.context = w->context};
    struct columns low = {0};
    uint32_t *index = koshu_alloc(w->own.n + 1, sizeof *index);
    koshu_status status = KOSHU_OK;
    const size_t n = index ? count_low(w, &w->own, index) : 0;
    if (!index || !koshu_columns_allocate(&low, n, GHOST_COLUMNS))
        status = koshu_fail_memory(w->context, 4 * w->own.n, "groups");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(w->context, status));
    for (size_t k = 0; k < GHOST_COLUMNS; k++)
        for (size_t i = 0; i < n; i++) low.of[k][i] = w->own.of[k][index[i]];
    KOSHU_TRY_CLEANUP(koshu_particle_exchange_begin(&x, n));
    for (size_t i = 0; i < n; i++)
        x.owner[i] = (uint32_t)((slab + w->slabs - 1) % w->slabs);
    KOSHU_TRY_CLEANUP(koshu_columns_move(&x, &low, GHOST_COLUMNS, &w->beside));
    KOSHU_TRY_CLEANUP(find_friends(w));
    status = pair_labels(w, &x, n, index);
cleanup:
    koshu_particle_exchange_free(&x);
    koshu_columns_free(&low);
    koshu_free(index);
    return status;
}

/* ---- groups of all ranks ------------------------------------------------- */

static int
by_label(const void *a, const void *b)
{
    const struct labelled *p = a, *q = b;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* Counts own particles by label, ascending; returns the number of labels. */
static size_t
count_labels(const struct group_work *w, struct labelled *found)
{
    size_t n = 0;
    for (size_t i = 0; i < w->own.n; i++)
        found[i] = (struct labelled){w->label[i], 1};
    qsort(found, w->own.n, sizeof *found, by_label);
    for (size_t i = 0; i < w->own.n; i++)
        if (n > 0 && found[n - 1].label == found[i].label)
            found[n - 1].count++;
        else
            found[n++] = found[i];
    return n;
}

/* Replaces labels by numbers of groups. */
static void
replace_labels(struct group_work *w, size_t n, const struct labelled *found,
               const uint64_t *number)
{
    for (size_t i = 0; i < w->own.n; i++) {
        const struct labelled wanted = {w->label[i], 0};
        const struct labelled *at =
                bsearch(&wanted, found, n, sizeof *found, by_label);
        w->label[i] = number[at - found];
    }
}

static koshu_status
keep_groups(struct group_work *w, const struct numbered *found, size_t n)
{
    struct koshu_friend_groups *g = w->groups;
    bool good = (g->group = koshu_alloc(n + 1, sizeof *g->group));
    for (int k = 0; k < KOSHU_GROUP_SPHERES; k++)
        good = (g->sphere[k] = koshu_alloc(n + 1, sizeof *g->sphere[k])) &&
               good;
    g->n = n;
    for (size_t k = 0; k < n && good; k++) {
        g->group[k].n = (size_t)found[k].count;
        g->n_members += (size_t)found[k].count;
    }
    return good ? KOSHU_OK
                : koshu_fail_memory(w->context, n * sizeof *g->group, "groups");
}

static koshu_status
number_groups(struct group_work *w)
{
    struct labelled *found = koshu_alloc(w->own.n + 1, sizeof *found);
    uint64_t *number = koshu_alloc(w->own.n + 1, sizeof *number);
    struct numbered *all = NULL;
    size_t n = 0, n_all = 0;
    koshu_status status =
            found && number
                    ? KOSHU_OK
                    : koshu_fail_memory(w->context, 24 * w->own.n, "groups");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(w->context, status));
    n = count_labels(w, found);
    KOSHU_TRY_CLEANUP(koshu_labels_number(w->context, w->n_pairs, w->pairs, n,
                                          found, w->o->friends.least, number,
                                          &all, &n_all));
    replace_labels(w, n, found, number);
    status = koshu_ranks_collective_status(w->context,
                                           keep_groups(w, all, n_all));
cleanup:
    koshu_free(found);
    koshu_free(number);
    koshu_free(all);
    return status;
}

koshu_status
koshu_slabs_find(struct group_work *w, struct koshu_particles *particles)
{
    KOSHU_TRY(move_to_slabs(w, particles));
    KOSHU_TRY(label_all(w));
    return number_groups(w);
}
