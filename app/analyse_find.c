/* SPDX-License-Identifier: MIT */
/* Finds the groups of a snapshot, and their masses. */
#include <math.h>
#include <stdlib.h>

#include "analyse_groups.h"

/* Densities are comoving, as lengths are: rho_c a^3 = <rho> E^2 a^3 /
 * Omega_m. */
static koshu_status
set_densities(struct analysis *w, const struct analyse_snapshot *s,
              struct found_groups *f)
{
    const double box = s->info.box_size, a = s->info.time;
    KOSHU_TRY(analyse_mass(s, &f->mass));
    f->density = f->mass / (box * box * box);
    if (is_universe(s))
        f->critical_density = f->density * koshu_expansion2(&s->cosmology, a) *
                              a * a * a / s->cosmology.omega_m;
    if (f->mass > 0) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "%s: its particles have no mass, so their groups have "
                      "no centres: give masses to them",
                      s->path);
}

/* ---- on one rank --------------------------------------------------------- */

static koshu_status
allocate(const struct analysis *w, const struct koshu_fof *fof,
         const struct koshu_friend_groups_options *o,
         struct koshu_friend_groups *g)
{
    const size_t n = fof->n + 1;
    bool good = (g->group = koshu_alloc(n, sizeof *g->group));
    for (int k = 0; k < KOSHU_GROUP_SPHERES; k++)
        good = (g->sphere[k] = koshu_alloc(n, sizeof *g->sphere[k])) && good;
    g->n = fof->n;
    g->n_members = fof->first[fof->n];
    if (o->members)
        good = (g->member = koshu_alloc(g->n_members + 1, 8)) && good;
    if (good) return KOSHU_OK;
    return koshu_fail_memory(w->context, n * sizeof *g->group, "groups");
}

static koshu_status
measure_spheres(const struct analysis *w,
                const struct koshu_particle_const_view *v,
                const struct koshu_friend_groups_options *o,
                struct koshu_friend_groups *g)
{
    struct koshu_linked_cells cells;
    koshu_status status =
            koshu_linked_cells_create(w->context, v, o->friends.box, &cells);
    if (status == KOSHU_OK)
        status = koshu_spheres_of_groups(w->context, &cells, g->n, g->group,
                                         o->density, g->sphere);
    koshu_linked_cells_free(&cells);
    return status;
}

static koshu_status
find(const struct analysis *w, const struct koshu_particle_const_view *v,
     const struct koshu_friend_groups_options *o, struct koshu_friend_groups *g)
{
    struct koshu_fof fof;
    koshu_status status =
            koshu_friends_of_friends(w->context, v, &o->friends, &fof);
    if (status == KOSHU_OK) status = allocate(w, &fof, o, g);
    if (status == KOSHU_OK)
        status = koshu_fof_measure(w->context, v, &fof, o->friends.box,
                                   o->softening, g->group);
    for (size_t i = 0; status == KOSHU_OK && o->members && i < g->n_members;
         i++)
        g->member[i] = v->id[fof.member[i]];
    koshu_fof_free(&fof);
    return status == KOSHU_OK ? measure_spheres(w, v, o, g) : status;
}

static koshu_status
find_on_one_rank(const struct analysis *w, struct koshu_particles *particles,
                 const struct koshu_friend_groups_options *o,
                 struct koshu_friend_groups *g)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(koshu_particles_acquire_read(particles,
                                           KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                                   KOSHU_FIELD_POSITION |
                                                   KOSHU_FIELD_VELOCITY,
                                           &v));
    const koshu_status status = find(w, &v, o, g);
    koshu_particles_release_read(particles);
    return status;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
find_by(const struct analysis *w, const struct analyse_snapshot *s,
        const struct koshu_friend_groups_options *o,
        struct koshu_friend_groups *groups)
{
    return koshu_ranks_count(w->context) > 1
                   ? koshu_friend_groups_over_ranks(s->particles, o, groups)
                   : find_on_one_rank(w, s->particles, o, groups);
}

koshu_status
find_groups(struct analysis *w, struct analyse_snapshot *s,
            struct found_groups *f)
{
    const double box = s->info.box_size, times = 200;
    *f = (struct found_groups){.total = koshu_particles_total(s->particles)};
    f->length = w->a->linking * box / cbrt((double)f->total);
    KOSHU_TRY(set_densities(w, s, f));
    const struct koshu_friend_groups_options o = {
            .friends = {box, f->length, w->a->least},
            .softening = s->info.softening,
            .density = {times * f->density, times * f->critical_density},
            .members = w->a->members};
    return find_by(w, s, &o, &f->of);
}

koshu_status
find_halos(struct analysis *w, struct analyse_snapshot *s,
           struct found_groups *f)
{
    const double box = s->info.box_size, times = 200;
    const struct koshu_friend_groups_options o = {
            .friends = {box, KOSHU_CORE_LINKING * f->length, KOSHU_SPHERE_MIN},
            .softening = s->info.softening,
            .density = {times * f->density}};
    struct koshu_friend_groups cores = {0};
    koshu_status status = find_by(w, s, &o, &cores);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                w->context, koshu_halos_of_cores(w->context, &cores, box,
                                                 &f->halo, &f->n_halos));
    koshu_friend_groups_free(&cores);
    return status;
}

void
found_free(struct found_groups *f)
{
    koshu_friend_groups_free(&f->of);
    koshu_free(f->halo);
}
