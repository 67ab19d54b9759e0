/* SPDX-License-Identifier: MIT */
/* Masses, centres and velocities of groups. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/centre.h"
#include "analysis/place.h"
#include "base/base.h"

struct work {
    const struct koshu_particle_const_view *v;
    const struct koshu_fof *groups;
    double box, softening;
};

/* Rows of a group's members: position relative to the first member, and
 * mass. */
static void
gather(const struct work *w, size_t g, double *place)
{
    const uint32_t *member = w->groups->member + w->groups->first[g];
    double origin[3], x[3];
    koshu_place_of(w->v, member[0], origin);
    for (size_t i = 0; i < w->groups->first[g + 1] - w->groups->first[g]; i++) {
        koshu_place_of(w->v, member[i], x);
        koshu_shortest(origin, x, w->box, place + 4 * i);
        place[4 * i + 3] = w->v->mass[member[i]];
    }
}

static double
mass_of(size_t n, const double *place)
{
    struct koshu_sum mass = {0};
    for (size_t i = 0; i < n; i++) koshu_sum_add(&mass, place[4 * i + 3]);
    return koshu_sum_value(mass);
}

/* Means of x, v and v^2, weighted by mass; with equal weights if there is
 * none. */
static void
add_up(const struct work *w, size_t g, const double *place,
       struct koshu_fof_group *group)
{
    const uint32_t *member = w->groups->member + w->groups->first[g];
    struct koshu_sum x[3] = {{0}}, u[3] = {{0}}, u2 = {0};
    group->mass = mass_of(group->n, place);
    const bool weighs = group->mass > 0;
    const double all = weighs ? group->mass : (double)group->n;
    for (size_t i = 0; i < group->n; i++) {
        const double m = weighs ? place[4 * i + 3] : 1;
        const double v[3] = {w->v->vx[member[i]], w->v->vy[member[i]],
                             w->v->vz[member[i]]};
        for (int a = 0; a < 3; a++) {
            koshu_sum_add(&x[a], m * place[4 * i + (size_t)a]);
            koshu_sum_add(&u[a], m * v[a]);
            koshu_sum_add(&u2, m * v[a] * v[a]);
        }
    }
    double square = koshu_sum_value(u2) / all;
    for (int a = 0; a < 3; a++) {
        group->centre[a] = koshu_sum_value(x[a]) / all;
        group->velocity[a] = koshu_sum_value(u[a]) / all;
        square -= group->velocity[a] * group->velocity[a];
    }
    group->dispersion = sqrt(fmax(square, 0) / 3);
}

static koshu_status
measure(const struct work *w, size_t g, struct koshu_fof_group *group)
{
    const uint32_t *member = w->groups->member + w->groups->first[g];
    size_t lowest = 0;
    double origin[3];
    group->n = w->groups->first[g + 1] - w->groups->first[g];
    double *place = koshu_alloc(group->n, 4 * sizeof *place);
    if (!place) return KOSHU_ERROR_OUT_OF_MEMORY;
    gather(w, g, place);
    add_up(w, g, place, group);
    const koshu_status status =
            koshu_lowest_potential(group->n, place, w->softening, &lowest);
    koshu_place_of(w->v, member[0], origin);
    for (int a = 0; a < 3; a++) {
        group->centre[a] = koshu_wrapped(origin[a] + group->centre[a], w->box);
        group->minimum[a] = koshu_wrapped(
                origin[a] + place[4 * lowest + (size_t)a], w->box);
    }
    group->minimum_id = w->v->id[member[lowest]];
    koshu_free(place);
    return status;
}

koshu_status
koshu_fof_measure(struct koshu_context *context,
                  const struct koshu_particle_const_view *particles,
                  const struct koshu_fof *groups, double box, double softening,
                  struct koshu_fof_group *group)
{
    const struct work w = {particles, groups, box, softening};
    bool good = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : good) \
        num_threads(koshu_region_threads(context, true))
    for (size_t g = 0; g < groups->n; g++)
        good = measure(&w, g, &group[g]) == KOSHU_OK && good;
    return good ? KOSHU_OK
                : koshu_fail_memory(context, 32 * groups->first[1],
                                    "the members of a group");
}
