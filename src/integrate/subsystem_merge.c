/* SPDX-License-Identifier: MIT */
/* Merges bodies that touch. Mass, momentum and centre of mass are conserved;
 * the energy lost is recorded. */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"

static double
square(const double *v)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* The additional energy in the frame of the particles and in external
 * fields. */
static double
energy_in_frame(const struct koshu_subsystems *g,
                const struct koshu_subsystem *group)
{
    const struct koshu_chain *c = &group->chain;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3],
            of_chain[KOSHU_FEWBODY_MAX][3], energy = 0;
    if (!g->options.external) return 0;
    const struct koshu_subsystem_place centre =
            koshu_subsystems_predict(g, group->body[0], koshu_chain_time(c));
    koshu_chain_bodies(c, NULL, of_chain);
    koshu_subsystems_bodies(g, c, x, v);
    for (size_t k = 0; k < c->n; k++) {
        const unsigned at = c->body[k];
        const struct koshu_field_sum s =
                koshu_subsystems_field(g, centre.x, centre.v, x[at], v[at]);
        energy += c->mass[k] *
                  (s.potential + (square(v[at]) - square(of_chain[at])) / 2);
    }
    return energy;
}

/* The energy of the bodies about their centre of mass and in the field of the
 * perturbers at their present positions. */
static double
energy_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
          const struct koshu_perturbers *p)
{
    const struct koshu_chain *c = &group->chain;
    double x[KOSHU_FEWBODY_MAX][3], u,
            energy = koshu_chain_energy(c, &u) + energy_in_frame(g, group);
    const double dt = p ? koshu_chain_time(c) - p->time : 0;
    koshu_chain_bodies(c, x, NULL);
    for (size_t j = 0; p && j < p->n; j++)
        for (size_t k = 0; k < c->n; k++) {
            const struct koshu_perturber *b = &p->body[j];
            const double *at = x[c->body[k]];
            double to[3];
            for (int d = 0; d < 3; d++) to[d] = b->x[d] + dt * b->v[d] - at[d];
            energy -= c->mass[k] * b->mass / sqrt(square(to));
        }
    return energy;
}

/* The two bodies of a link before they merge. */
static struct koshu_merger
merger_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
          size_t link)
{
    const struct koshu_chain *c = &group->chain;
    const unsigned a = c->body[link], b = c->body[link + 1],
                   both[] = {a < b ? a : b, a < b ? b : a};
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3];
    struct koshu_merger m = {.time = koshu_chain_time(c),
                             .stays = group->body[both[0]],
                             .goes = group->body[both[1]]};
    const struct koshu_subsystem_place centre =
            koshu_subsystems_predict(g, group->body[0], m.time);
    koshu_subsystems_bodies(g, c, x, v);
    for (int k = 0; k < 2; k++) {
        m.mass[k] = g->body_mass[group->body[both[k]]];
        for (int d = 0; d < 3; d++) {
            m.x[k][d] = centre.x[d] + x[both[k]][d];
            m.v[k][d] = centre.v[d] + v[both[k]][d];
        }
    }
    return m;
}

static void
remove_body(struct koshu_subsystems *g, struct koshu_subsystem *group,
            const struct koshu_merger *m)
{
    size_t k = 0;
    while (group->body[k] != m->goes) k++;
    for (group->n--; k < group->n; k++) group->body[k] = group->body[k + 1];
    g->body_mass[m->stays] = m->mass[0] + m->mass[1];
    g->body_mass[m->goes] = 0;
    g->of[m->goes] = NULL;
}

/* Records a merger. Several threads may do so at once; the list is sorted by
 * time at the end. */
static koshu_status
keep(struct koshu_subsystems *g, const struct koshu_merger *m)
{
    struct koshu_mergers *all = g->mergers;
    koshu_status status;
#pragma omp critical(koshu_mergers)
    {
        status = KOSHU_GROW(all, merger, all->n + 1, g->context, "mergers");
        if (status == KOSHU_OK) all->merger[all->n++] = *m;
    }
    return status;
}

koshu_status
koshu_subsystems_merge(struct koshu_subsystems *groups,
                       struct koshu_subsystem *group, size_t link)
{
    struct koshu_subsystems *g = groups;
    struct koshu_chain *c = &group->chain;
    struct koshu_merger m = merger_of(g, group, link);
    const struct koshu_perturbers *perturbers = c->perturbers;
    m.energy = energy_of(g, group, perturbers);
    koshu_chain_merge(c, link);
    m.energy -= energy_of(g, group, perturbers);
    remove_body(g, group, &m);
    group->step = (struct koshu_gbs_step){
            c->n > 1 ? koshu_fewbody_first_step(c) : 0, 5};
    return keep(g, &m);
}
