/* SPDX-License-Identifier: MIT */
/*
 * The perturbers of a group: particles near it, and external fields.
 *
 * Another group among the perturbers is a point at its centre of mass, unless
 * it is a pair beside the group: two bodies so close that their pull differs
 * from that of their centre of mass by as much as a perturber's, and that are
 * themselves perturbed by the group. Two such groups act on each other's
 * centres of mass body by body. If each moved in the field of a point, it would
 * not gain the energy that the other loses. So the pair acts as two bodies, on
 * the orbit that it had before groups last moved. Its present position must not
 * be used: groups are moved by all threads, and how far others have got differs
 * from run to run.
 */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_near.h"
#include "integrate/subsystem_outside.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

/* ---- pairs --------------------------------------------------------------- */

/* Whether a pair of width w is beside a group. Its quadrupole tide is (w / r)^2
 * of the tide of its centre of mass. */
static bool
is_beside(double per_mass, double mass, double r, double w)
{
    return r * r * r * r * r < per_mass * mass * w * w;
}

bool
koshu_subsystem_may_be_beside(const struct koshu_subsystems *groups,
                              double per_mass, double mass, double r)
{
    const struct koshu_grouping how =
            koshu_grouping_of(groups, koshu_grouping_stays);
    return is_beside(per_mass, mass, r, koshu_grouping_limit(&how, mass, 2));
}

static koshu_status
list_beside(struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    if (group->is_beside) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(g, beside, g->n_beside + 1, g->context, "groups"));
    g->beside[g->n_beside++] = group;
    group->is_beside = true;
    return KOSHU_OK;
}

void
koshu_subsystems_leave_pairs(struct koshu_subsystems *groups,
                             struct koshu_subsystem *group)
{
    struct koshu_subsystems *g = groups;
    size_t k = 0;
    group->n_pairs = 0;
    if (!group->is_beside) return;
    group->is_beside = false;
    while (g->beside[k] != group) k++;
    for (g->n_beside--; k < g->n_beside; k++) g->beside[k] = g->beside[k + 1];
}

/* The state of a group of two bodies. */
static struct koshu_subsystem_pair
pair_of(const struct koshu_subsystem *group, size_t j)
{
    const struct koshu_chain *c = &group->chain;
    struct koshu_subsystem_pair pair = {.j = j,
                                        .mass = {c->mass[0], c->mass[1]},
                                        .time = koshu_chain_time(c),
                                        .rate = c->rate[0]};
    koshu_chain_values(c, pair.x, pair.v);
    return pair;
}

/* The largest separation of a pair. */
static double
width_of(const struct koshu_subsystem_pair *pair)
{
    double a;
    const double far = koshu_pair_apocentre(pair->mass[0] + pair->mass[1],
                                            pair->x, pair->v, &a);
    return fmax(koshu_subsystem_length(pair->x), far);
}

static bool
is_pair(const struct koshu_subsystem *group)
{
    return group && group->n == 2;
}

/* Lists the pairs among its perturbers that the group is beside. */
static koshu_status
list_pairs(const struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time)
{
    const double per_mass = koshu_subsystem_reach3(g, group, group->widest);
    const struct koshu_subsystem_approach centre =
            koshu_subsystem_place_of(g, group->body[0], time);
    KOSHU_TRY(KOSHU_GROW(group, pair, group->n_near, g->context, "pairs"));
    for (size_t j = 0; j < group->n_near; j++) {
        const size_t k = group->near[j];
        if (!is_pair(g->of[k]) ||
            !koshu_subsystem_has_near(g->of[k], group->body[0]))
            continue;
        const struct koshu_subsystem_pair pair = pair_of(g->of[k], j);
        const struct koshu_subsystem_approach at = koshu_subsystem_approach_of(
                koshu_subsystem_place_of(g, k, time), &centre);
        const double r = koshu_subsystem_nearest(g, group, &at);
        if (is_beside(per_mass, at.mass, r, width_of(&pair)))
            group->pair[group->n_pairs++] = pair;
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_find_beside(struct koshu_subsystems *groups,
                             struct koshu_subsystem *group, double time)
{
    group->n_pairs = 0;
    if (group->found_beside) KOSHU_TRY(list_pairs(groups, group, time));
    if (group->n_pairs > 0) return list_beside(groups, group);
    koshu_subsystems_leave_pairs(groups, group);
    return KOSHU_OK;
}

/* Updates the pairs. One that no longer exists is removed; the group will look
 * again. */
static void
show_pairs(const struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    size_t n = 0;
    for (size_t k = 0; k < group->n_pairs; k++) {
        const size_t j = group->pair[k].j;
        const struct koshu_subsystem *other = g->of[group->near[j]];
        if (is_pair(other)) group->pair[n++] = pair_of(other, j);
    }
    group->n_pairs = n;
}

void
koshu_subsystems_show_pairs(struct koshu_subsystems *groups)
{
    for (size_t k = 0; k < groups->n_beside; k++)
        show_pairs(groups, groups->beside[k]);
}

/* ---- forces on bodies ---------------------------------------------------- */

static void
add_pull(double mass, const double *from, const double *x, double *f)
{
    double r[3], r2 = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = from[d] - x[d];
        r2 += r[d] * r[d];
    }
    const double q = mass / (r2 * sqrt(r2));
    for (int d = 0; d < 3; d++) f[d] += q * r[d];
}

/* Adds the pull of the two bodies minus that of their centre of mass, which is
 * among the perturbers. */
static void
add_pair(const struct koshu_perturbers *p,
         const struct koshu_subsystem_pair *pair, double time, size_t n,
         const double (*x)[3], double (*f)[3])
{
    const struct koshu_perturber *at = &p->body[pair->j];
    const double dt = time - p->time, *m = pair->mass, mass = m[0] + m[1];
    double link[3], rate[3], centre[3], body[2][3];
    for (int d = 0; d < 3; d++) {
        link[d] = pair->x[d];
        rate[d] = pair->v[d];
    }
    koshu_kepler_move(mass, pair->rate * (time - pair->time), link, rate);
    for (int d = 0; d < 3; d++) {
        centre[d] = hermite_predict_x_f64(at->x[d], at->v[d], at->a[d],
                                          at->jerk[d], dt);
        body[0][d] = centre[d] - m[1] / mass * link[d];
        body[1][d] = centre[d] + m[0] / mass * link[d];
    }
    for (size_t k = 0; k < n; k++) {
        add_pull(m[0], body[0], x[k], f[k]);
        add_pull(m[1], body[1], x[k], f[k]);
        add_pull(-mass, centre, x[k], f[k]);
    }
}

/* The `field` of koshu_perturbers. */
static void
add_field(const void *user, double time, size_t n, const double (*x)[3],
          double (*f)[3])
{
    const struct koshu_subsystem_outside *o = user;
    if (o->in_field) koshu_subsystems_add_field(&o->field, time, n, x, f);
    for (size_t k = 0; k < o->n_pairs; k++)
        add_pair(&o->perturbers, &o->pair[k], time, n, x, f);
}

/* ---- surroundings of a chain --------------------------------------------- */

/* A particle relative to the centre of mass, in the axes of the chain. */
static struct koshu_perturber
perturber_of(const struct koshu_subsystems *g, size_t k, double time,
             const struct koshu_subsystem_place *centre)
{
    struct koshu_perturber b = {.mass = g->mass[k]};
    struct koshu_subsystem_place at = koshu_subsystems_predict(g, k, time);
    for (int d = 0; d < 3; d++) {
        at.x[d] -= centre->x[d];
        at.v[d] -= centre->v[d];
        at.a[d] -= centre->a[d];
        at.jerk[d] -= centre->jerk[d];
    }
    koshu_subsystems_to_chain(g, time, &at);
    for (int d = 0; d < 3; d++) {
        b.x[d] = at.x[d];
        b.v[d] = at.v[d];
        b.a[d] = at.a[d];
        b.jerk[d] = at.jerk[d];
    }
    return b;
}

/* Copies the pairs. Their revolution sets the rate at which the field
 * changes. */
static koshu_status
take_pairs(const struct koshu_subsystems *g,
           const struct koshu_subsystem *group,
           struct koshu_subsystem_outside *outside)
{
    double *rate = &outside->perturbers.rate;
    *rate = 0;
    outside->n_pairs = group->n_pairs;
    KOSHU_TRY(KOSHU_GROW(outside, pair, group->n_pairs, g->context, "pairs"));
    for (size_t k = 0; k < group->n_pairs; k++) {
        const struct koshu_subsystem_pair *pair = &group->pair[k];
        const double w = width_of(pair), mass = pair->mass[0] + pair->mass[1];
        outside->pair[k] = *pair;
        *rate = fmax(*rate, pair->rate * sqrt(mass / (w * w * w)));
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_look_outside(struct koshu_subsystems *groups,
                              const struct koshu_subsystem *group, double time,
                              struct koshu_subsystem_outside *outside,
                              struct koshu_chain *chain)
{
    struct koshu_subsystems *g = groups;
    struct koshu_perturbers *p = &outside->perturbers;
    if (group->is_other) koshu_chain_settle(chain);
    chain->perturbers = NULL;
    outside->n_pairs = 0;
    if (!koshu_subsystem_is_perturbed(group)) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(p, body, group->n_near, g->context, "perturbers"));
    const struct koshu_subsystem_place centre =
            koshu_subsystems_predict(g, group->body[0], time);
    p->n = group->n_near;
    p->time = time;
    for (size_t j = 0; j < p->n; j++)
        p->body[j] = perturber_of(g, group->near[j], time, &centre);
    p->tide = group->in_field ? group->tide : 0;
    outside->in_field = group->in_field;
    outside->field = (struct koshu_subsystem_field){g, time, centre};
    KOSHU_TRY(take_pairs(g, group, outside));
    p->field = group->in_field || outside->n_pairs > 0 ? add_field : NULL;
    p->user = outside;
    chain->perturbers = p;
    return KOSHU_OK;
}
