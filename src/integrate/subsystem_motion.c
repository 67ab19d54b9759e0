/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystems.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

/* ---- motion about the centre of mass ------------------------------------- */

/* A particle from the centre of mass, in the axes of the chain. */
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

/* What perturbs a group: particles as polynomials from that time on, fields. */
static koshu_status
set_perturbers(struct koshu_subsystems *g, struct koshu_subsystem *group,
               double time)
{
    struct koshu_perturbers *p = &group->perturbers;
    KOSHU_TRY(KOSHU_GROW(p, body, group->n_near, g->context, "perturbers"));
    const struct koshu_subsystem_place centre =
            koshu_subsystems_predict(g, group->body[0], time);
    p->n = group->n_near;
    p->time = time;
    for (size_t j = 0; j < p->n; j++)
        p->body[j] = perturber_of(g, group->near[j], time, &centre);
    koshu_subsystems_set_field(g, group, time, &centre);
    return KOSHU_OK;
}

static koshu_status
fail_step(const struct koshu_subsystems *g, const struct koshu_subsystem *group)
{
    return koshu_fail(g->context, KOSHU_ERROR_NOT_FINITE,
                      "%zu bodies of a group, particle %zu among them: no step "
                      "converges, as where three meet in one point; give a "
                      "tolerance larger than %g",
                      group->n, group->body[0], g->options.tolerance);
}

static koshu_status
move_and_merge(struct koshu_subsystems *g, struct koshu_subsystem *group,
               double time)
{
    const struct koshu_radius_law *law = &g->options.radius;
    struct koshu_contact contact = {.law = law};
    do {
        if (koshu_chain_move(&g->gbs, &group->chain, &group->step, time,
                             law->radius > 0 ? &contact : NULL) != KOSHU_OK)
            return fail_step(g, group);
        if (law->radius == 0 || contact.link == KOSHU_NO_CONTACT)
            return KOSHU_OK;
        KOSHU_TRY(koshu_subsystems_merge(g, group, contact.link));
    } while (true);
}

koshu_status
koshu_subsystems_move(struct koshu_subsystems *groups,
                      struct koshu_subsystem *group, double time)
{
    struct koshu_chain *c = &group->chain;
    if (koshu_chain_until(c, time) == 0) return KOSHU_OK;
    const bool perturbed = koshu_subsystem_is_perturbed(group);
    const bool kepler = group->n == 2 && !perturbed;
    c->perturbers = NULL;
    if (perturbed) {
        KOSHU_TRY(set_perturbers(groups, group, time));
        c->perturbers = &group->perturbers;
    }
    if (kepler) c->rate[0] = 1;
    if (group->kepler && !kepler) {
        koshu_chain_bind(c);
        group->step.s = koshu_fewbody_first_step(c);
    }
    group->kepler = kepler;
    return move_and_merge(groups, group, time);
}

/* ---- what surrounds a group ---------------------------------------------- */

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

/* The cube of how far a particle of mass 1 perturbs. */
static double
reach3_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
          double radius)
{
    return 2 * radius * radius * radius /
           (g->mass[group->body[0]] * g->options.perturbation);
}

static double
length_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Of p, at that time. */
static struct koshu_subsystem_approach
place_of(const struct koshu_subsystems *g, size_t k, double time)
{
    const struct koshu_block_particles *p = g->p;
    const double dt = time - koshu_subsystems_time(g, p->tick[k]);
    const double *const x0[] = {p->x, p->y, p->z},
                        *v0[] = {p->vx, p->vy, p->vz},
                        *a[] = {p->ax, p->ay, p->az},
                        *jerk[] = {p->jx, p->jy, p->jz};
    struct koshu_subsystem_approach at = {.mass = g->mass[k]};
    for (int d = 0; d < 3; d++) {
        at.x[d] = hermite_predict_x_f64(x0[d][k], v0[d][k], a[d][k], jerk[d][k],
                                        dt);
        at.v[d] = v0[d][k] + dt * a[d][k];
    }
    return at;
}

/* Relative to another. */
static struct koshu_subsystem_approach
approach_of(struct koshu_subsystem_approach at,
            const struct koshu_subsystem_approach *centre)
{
    for (int d = 0; d < 3; d++) {
        at.x[d] -= centre->x[d];
        at.v[d] -= centre->v[d];
    }
    at.r = length_of(at.x);
    return at;
}

/* How near a particle comes: where it is, or, where it goes round the group
 * not far out, its pericentre. A companion that came and went with each
 * revolution would take some energy of the group with it, always the same. */
static double
nearest_of(const struct koshu_subsystems *g,
           const struct koshu_subsystem *group,
           const struct koshu_subsystem_approach *at)
{
    const double furthest = 2 * g->options.distance;
    double a;
    if (!(at->r < furthest)) return at->r;
    const double far = koshu_pair_apocentre(g->mass[group->body[0]] + at->mass,
                                            at->x, at->v, &a);
    return far > 0 && far < furthest ? fmin(at->r, 2 * a - far) : at->r;
}

/* A particle is around a group where it may come near until the group looks
 * around again, at twice the speed that it has. at: relative to the group. */
static koshu_status
consider(struct koshu_subsystems *g, struct koshu_subsystem *group, size_t k,
         double time, const struct koshu_subsystem_approach *at,
         bool *is_around)
{
    const double faster = 2, per_mass = reach3_of(g, group, group->reach),
                 speed = faster * length_of(at->v),
                 r = nearest_of(g, group, at),
                 near = r - (group->until - time) * speed;
    *is_around = !(near > 0) || near * near * near < per_mass * at->mass;
    if (!*is_around) return KOSHU_OK;
    const double wait = (r - cbrt(per_mass * at->mass)) / speed;
    KOSHU_TRY(KOSHU_GROW(group, around, group->n_around + 1, g->context,
                         "perturbers"));
    group->around[group->n_around++] =
            (struct koshu_subsystem_around){k, wait > 0 ? time + wait : time};
    return KOSHU_OK;
}

/* What is far off for certain, which most are: r > span v + reach where r^2 > 2
 * (span v)^2 + 2 reach^2, for masses up to the heaviest. */
struct far_off {
    double heaviest, reach2, span2;
};

static struct far_off
far_off_of(const struct koshu_subsystems *g,
           const struct koshu_subsystem *group, double span)
{
    const double faster = 2, heaviest = g->heaviest,
                 furthest = 2 * g->options.distance,
                 reach = cbrt(reach3_of(g, group, group->reach) * heaviest);
    return (struct far_off){heaviest,
                            fmax(2 * reach * reach, furthest * furthest),
                            2 * faster * faster * span * span};
}

static bool
is_far_off(const struct far_off *f,
           const struct koshu_subsystem_approach *place,
           const struct koshu_subsystem_approach *centre)
{
    double r2 = 0, v2 = 0;
    for (int d = 0; d < 3; d++) {
        const double x = place->x[d] - centre->x[d],
                     v = place->v[d] - centre->v[d];
        r2 += x * x;
        v2 += v * v;
    }
    return r2 > f->reach2 + f->span2 * v2 && place->mass <= f->heaviest;
}

/* All that may come near in some of the group's steps. place: of all particles
 * at that time; NULL: it is not known. */
static koshu_status
look_around(struct koshu_subsystems *g, struct koshu_subsystem *group,
            double time, const struct koshu_subsystem_approach *place)
{
    const double steps = 16, wider = 1.5;
    const size_t first = group->body[0];
    const struct koshu_subsystem_approach centre = place_of(g, first, time);
    const double span = steps * (double)g->p->step[first] * g->tick;
    bool is_around;
    group->reach = wider * group->widest;
    group->until = time + span;
    group->n_around = 0;
    const struct far_off far = far_off_of(g, group, span);
    for (size_t k = 0; k < g->p->n; k++) {
        if (k == first || g->mass[k] == 0) continue;
        const struct koshu_subsystem_approach there =
                place ? place[k] : place_of(g, k, time);
        if (is_far_off(&far, &there, &centre)) continue;
        const struct koshu_subsystem_approach at = approach_of(there, &centre);
        KOSHU_TRY(consider(g, group, k, time, &at, &is_around));
    }
    return KOSHU_OK;
}

/* Of those around it. */
static koshu_status
list_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
          double time, size_t *n)
{
    const double per_mass = reach3_of(g, group, group->widest);
    const struct koshu_subsystem_approach centre =
            place_of(g, group->body[0], time);
    KOSHU_TRY(
            KOSHU_GROW(group, near, group->n_around, g->context, "perturbers"));
    *n = 0;
    for (size_t i = 0; i < group->n_around; i++) {
        const size_t k = group->around[i].k;
        if (time < group->around[i].from) continue;
        const struct koshu_subsystem_approach at =
                approach_of(place_of(g, k, time), &centre);
        const double r = nearest_of(g, group, &at);
        if (r * r * r < per_mass * at.mass) group->near[(*n)++] = k;
    }
    return KOSHU_OK;
}

static void
measure(struct koshu_subsystem *group)
{
    group->radius = radius_of(group);
    group->widest = fmax(group->widest, group->radius);
}

/* Whether the tide of fields perturbs it, as particles do. */
static bool
is_in_field(const struct koshu_subsystems *g, struct koshu_subsystem *group,
            double time)
{
    const double r = group->widest, mass = g->mass[group->body[0]];
    if (!g->options.external) return false;
    group->tide = koshu_subsystems_tide(
            g, koshu_subsystems_predict(g, group->body[0], time).x);
    return group->tide * r * r * r > g->options.perturbation * mass;
}

/* Of those around it, which perturb it from now on. */
static koshu_status
take_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
          double time)
{
    size_t n;
    KOSHU_TRY(list_near(g, group, time, &n));
    const bool in_field = is_in_field(g, group, time);
    /* So far by Kepler's law: polynomials of perturbers say where they are from
     * now on, not where they were. */
    if ((n > 0 || in_field) && group->n == 2 &&
        !koshu_subsystem_is_perturbed(group))
        KOSHU_TRY(koshu_subsystems_move(g, group, time));
    group->n_near = n;
    group->in_field = in_field;
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_find_near(struct koshu_subsystems *groups,
                           struct koshu_subsystem *group, double time)
{
    measure(group);
    if (time > group->until || group->widest > group->reach)
        KOSHU_TRY(look_around(groups, group, time, NULL));
    return take_near(groups, group, time);
}

/* ---- where others have become groups, or single -------------------------- */

/* At that time, of all particles. */
static koshu_status
place_all(struct koshu_subsystems *g, double time)
{
    KOSHU_TRY(KOSHU_GROW(g, place, g->p->n, g->context, "places"));
    for (size_t k = 0; k < g->p->n; k++) g->place[k] = place_of(g, k, time);
    return KOSHU_OK;
}

/* Those that have changed are around a group, or no longer; *touched: some
 * are, or were. */
static koshu_status
look_again(struct koshu_subsystems *g, struct koshu_subsystem *group,
           const struct koshu_subsystem_changes *changes, double time,
           bool *touched)
{
    const struct koshu_subsystem_approach *centre = &g->place[group->body[0]];
    size_t left = 0;
    for (size_t i = 0; i < group->n_around; i++)
        if (!changes->is_changed[group->around[i].k])
            group->around[left++] = group->around[i];
    *touched = left < group->n_around;
    group->n_around = left;
    for (size_t i = 0; i < changes->n; i++) {
        const size_t k = changes->changed[i];
        bool is_around;
        if (g->mass[k] == 0) continue;
        const struct koshu_subsystem_approach at =
                approach_of(g->place[k], centre);
        KOSHU_TRY(consider(g, group, k, time, &at, &is_around));
        *touched = *touched || is_around;
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_renew_near(struct koshu_subsystems *groups,
                            const struct koshu_subsystem_changes *changes,
                            double time)
{
    struct koshu_subsystems *g = groups;
    KOSHU_TRY(place_all(g, time));
    for (size_t k = 0; k < g->n; k++) {
        struct koshu_subsystem *group = g->group[k];
        bool touched = true;
        if (changes->is_changed[group->body[0]]) {
            measure(group);
            KOSHU_TRY(look_around(g, group, time, g->place));
        } else
            KOSHU_TRY(look_again(g, group, changes, time, &touched));
        if (touched) KOSHU_TRY(take_near(g, group, time));
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_is_apart(struct koshu_subsystems *groups,
                          const struct koshu_subsystem *group, bool *apart)
{
    const double wider = 1.3;
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
    KOSHU_TRY(koshu_find_subsystems(groups->context, groups->options.distance,
                                    wider, &n, cluster, next));
    *apart = n > 1 || group->n == 1;
    return KOSHU_OK;
}
