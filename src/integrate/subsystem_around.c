/* SPDX-License-Identifier: MIT */
/* Lists all particles that may come near a group for a while. */
#include <koshu/integrator.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/subsystem_near.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

double
koshu_subsystem_reach3(const struct koshu_subsystems *g,
                       const struct koshu_subsystem *group, double radius)
{
    return 2 * radius * radius * radius /
           (g->mass[group->body[0]] * g->options.perturbation);
}

/* ---- places -------------------------------------------------------------- */

struct koshu_subsystem_approach
koshu_subsystem_place_of(const struct koshu_subsystems *g, size_t k,
                         double time)
{
    const struct koshu_block_particles *p = g->p;
    const double dt = time - koshu_subsystems_time(g, p->tick[k]);
    const double *const x0[] = {p->x, p->y, p->z},
                        *v0[] = {p->vx, p->vy, p->vz},
                        *a[] = {p->ax, p->ay, p->az},
                        *jerk[] = {p->jx, p->jy, p->jz};
    struct koshu_subsystem_approach at = {.mass = g->mass[k],
                                          .root = g->root[k]};
    for (int d = 0; d < 3; d++) {
        at.x[d] = hermite_predict_x_f64(x0[d][k], v0[d][k], a[d][k], jerk[d][k],
                                        dt);
        at.v[d] = v0[d][k] + dt * a[d][k];
    }
    return at;
}

struct koshu_subsystem_approach
koshu_subsystem_approach_of(struct koshu_subsystem_approach at,
                            const struct koshu_subsystem_approach *centre)
{
    for (int d = 0; d < 3; d++) {
        at.x[d] -= centre->x[d];
        at.v[d] -= centre->v[d];
    }
    at.r = koshu_subsystem_length(at.x);
    return at;
}

/* The position given to particles of mass 0. */
static const double far_away = 1e100;

/* Sets the bounds of a chunk of places. */
static void
set_box(struct koshu_subsystems *g, size_t chunk)
{
    struct koshu_subsystem_places *p = &g->places;
    const size_t n = g->p->n, from = chunk * KOSHU_PLACES_CHUNK;
    struct koshu_subsystem_box *box = &p->box[chunk];
    double fastest2 = 0;
    for (int d = 0; d < 3; d++) {
        box->low[d] = far_away;
        box->high[d] = -far_away;
    }
    for (size_t k = from; k < n && k < from + KOSHU_PLACES_CHUNK; k++) {
        double v2 = 0;
        if (p->at[k] == far_away) continue;
        for (size_t d = 0; d < 3; d++) {
            const double v = p->at[(3 + d) * n + k] - g->mean_v[d];
            box->low[d] = fmin(box->low[d], p->at[d * n + k]);
            box->high[d] = fmax(box->high[d], p->at[d * n + k]);
            v2 += v * v;
        }
        fastest2 = fmax(fastest2, v2);
    }
    box->fastest = sqrt(fastest2);
}

koshu_status
koshu_subsystem_place_all(struct koshu_subsystems *groups, double time)
{
    struct koshu_subsystems *g = groups;
    const size_t n = g->p->n,
                 chunks = (n + KOSHU_PLACES_CHUNK - 1) / KOSHU_PLACES_CHUNK;
    struct koshu_subsystem_places *places = &g->places;
    double heaviest = 0;
    KOSHU_TRY(KOSHU_GROW(places, at, 6 * n, g->context, "places"));
    KOSHU_TRY(KOSHU_GROW(places, box, chunks, g->context, "places"));
#pragma omp parallel for reduction(max         \
                                   : heaviest) \
        num_threads(koshu_region_threads(g->context, n > 4096))
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        const size_t from = chunk * KOSHU_PLACES_CHUNK;
        for (size_t k = from; k < n && k < from + KOSHU_PLACES_CHUNK; k++) {
            const struct koshu_subsystem_approach at =
                    koshu_subsystem_place_of(g, places->order[k], time);
            for (size_t d = 0; d < 3; d++) {
                places->at[d * n + k] = at.mass > 0 ? at.x[d] : far_away;
                places->at[(3 + d) * n + k] = at.v[d];
            }
            heaviest = fmax(heaviest, at.mass);
        }
        set_box(g, chunk);
    }
    places->heaviest = heaviest;
    return KOSHU_OK;
}

static struct koshu_subsystem_approach
placed(const struct koshu_subsystems *g, size_t i)
{
    const double *const at = g->places.at + i;
    const size_t n = g->p->n, k = g->places.order[i];
    return (struct koshu_subsystem_approach){
            .mass = g->mass[k],
            .root = g->root[k],
            .x = {at[0], at[n], at[2 * n]},
            .v = {at[3 * n], at[4 * n], at[5 * n]}};
}

/* ---- what is around ------------------------------------------------------ */

/* The largest distance of a companion of that mass whose orbit may make it part
 * of the group. */
static double
furthest_of(const struct koshu_subsystems *g,
            const struct koshu_subsystem *group, double mass)
{
    const struct koshu_grouping how = koshu_grouping_of(g, 1);
    return koshu_grouping_limit(&how, g->mass[group->body[0]] + mass,
                                group->n + 1);
}

double
koshu_subsystem_nearest(const struct koshu_subsystems *g,
                        const struct koshu_subsystem *group,
                        const struct koshu_subsystem_approach *at)
{
    const double furthest = furthest_of(g, group, at->mass);
    double a;
    if (!(at->r < furthest)) return at->r;
    const double far = koshu_pair_apocentre(g->mass[group->body[0]] + at->mass,
                                            at->x, at->v, &a);
    return far > 0 && far < furthest ? fmin(at->r, 2 * a - far) : at->r;
}

/*
 * How soon can a particle at distance r be within R? At R the pull of the group
 * gives it the squared speed v^2 + 2 mu / R - 2 mu / r, which may be many times
 * v. It has that speed only when it arrives, so the time to reach r / 8 alone
 * is a lower bound. Other particles may accelerate it by a factor `faster`.
 */
static const double faster = 2, part_of_way = 1.0 / 8;

double
koshu_subsystem_wait(const struct koshu_subsystems *g,
                     const struct koshu_subsystem *group,
                     const struct koshu_subsystem_approach *at, double r)
{
    const double reach = group->far * at->root,
                 stop = fmax(reach, part_of_way * r),
                 v = koshu_subsystem_length(at->v),
                 mu = g->mass[group->body[0]] + at->mass;
    if (r != at->r || r <= reach) return 0;
    return (r - stop) /
           sqrt(faster * faster * v * v + 2 * mu * (1 / stop - 1 / r));
}

koshu_status
koshu_subsystem_consider(struct koshu_subsystems *g,
                         struct koshu_subsystem *group, size_t k, double time,
                         const struct koshu_subsystem_approach *at,
                         bool *is_around)
{
    const double wait = koshu_subsystem_wait(
            g, group, at, koshu_subsystem_nearest(g, group, at));
    *is_around = time + wait < group->until;
    if (!*is_around) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(group, around, group->n_around + 1, g->context,
                         "perturbers"));
    group->around[group->n_around++] = (struct koshu_subsystem_around){
            (uint32_t)k, g->version[k], time + wait};
    return KOSHU_OK;
}

/* The same bound for all distant particles of any mass: a particle is far off
 * if it is certainly not near within the span. */
struct far_off {
    /* falling2: squared speed gained in the pull of the group */
    double far, span, falling2;
    /* r > way + far holds if r^2 > (1 + c) way^2 + (1 + 1 / c) far^2; c
     * minimises the right-hand side for a typical way. */
    double far2, span2;
};

static struct far_off
far_off_of(const struct koshu_subsystems *g,
           const struct koshu_subsystem *group, double span)
{
    const double heaviest = g->places.heaviest,
                 reach = group->far * cbrt(heaviest),
                 mu = g->mass[group->body[0]] + heaviest;
    struct far_off f = {.far = fmax(reach, furthest_of(g, group, heaviest)),
                        .span = span / (1 - part_of_way)};
    f.falling2 = 2 * mu * (1 / part_of_way - 1) / f.far;
    const double usual = sqrt(2 * faster * faster * g->speed * g->speed +
                              f.falling2),
                 c = f.far / (usual * f.span);
    f.far2 = (1 + 1 / c) * f.far * f.far +
             (1 + c) * f.span * f.span * f.falling2;
    f.span2 = (1 + c) * faster * faster * f.span * f.span;
    return f;
}

/* Marks the particles of a chunk that are not far off. */
static unsigned
scan(const struct koshu_subsystem_places *places, size_t n, size_t from,
     const struct koshu_subsystem_approach *centre, const struct far_off *far,
     unsigned char *is_near)
{
    const double *x = places->at + from, *y = x + n, *z = y + n, *vx = z + n,
                 *vy = vx + n, *vz = vy + n;
    const double cx = centre->x[0], cy = centre->x[1], cz = centre->x[2],
                 ux = centre->v[0], uy = centre->v[1], uz = centre->v[2],
                 far2 = far->far2, span2 = far->span2;
    const size_t end =
            n - from < KOSHU_PLACES_CHUNK ? n - from : KOSHU_PLACES_CHUNK;
    unsigned any = 0;
    double beyond[KOSHU_PLACES_CHUNK];
    for (size_t k = 0; k < end; k++) {
        const double dx = x[k] - cx, dy = y[k] - cy, dz = z[k] - cz,
                     wx = vx[k] - ux, wy = vy[k] - uy, wz = vz[k] - uz;
        beyond[k] = dx * dx + dy * dy + dz * dz - far2 -
                    span2 * (wx * wx + wy * wy + wz * wz);
    }
    for (size_t k = 0; k < end; k++) {
        is_near[k] = !(beyond[k] > 0);
        any |= is_near[k];
    }
    return any;
}

/* Whether the whole chunk is far off; speed: of the centre, relative to the
 * mean velocity of all. */
static bool
is_box_far_off(const struct koshu_subsystem_box *box,
               const struct koshu_subsystem_approach *centre, double speed,
               const struct far_off *far)
{
    const double v = faster * (speed + box->fastest),
                 way = far->far + far->span * sqrt(v * v + far->falling2);
    double r2 = 0;
    for (int d = 0; d < 3; d++) {
        const double to = fmax(
                fmax(box->low[d] - centre->x[d], centre->x[d] - box->high[d]),
                0);
        r2 += to * to;
    }
    return r2 > way * way;
}

/* Its speed relative to the mean velocity of all particles. */
static double
speed_of(const struct koshu_subsystems *g,
         const struct koshu_subsystem_approach *at)
{
    double v[3];
    for (int d = 0; d < 3; d++) v[d] = at->v[d] - g->mean_v[d];
    return koshu_subsystem_length(v);
}

/* The time of the last tick plus one: then all groups look around anew. */
static double
end_of(const struct koshu_subsystems *g)
{
    return koshu_subsystems_time(g, g->base + KOSHU_TICKS + 1);
}

/* For how long a list of surrounding particles is to be valid: while a particle
 * travels the typical separation plus the reach of the group, or for some steps
 * of the group, but not beyond the end. If there is only one particle the
 * typical speed is 0: to the end. */
static double
span_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
        double time)
{
    const double steps = 8 * (double)g->p->step[group->body[0]] * g->tick,
                 rest = end_of(g) - time;
    const double way = g->spacing + group->far * cbrt(g->places.heaviest);
    const double passed = g->speed > 0 ? way / (faster * g->speed) : rest;
    return fmin(fmax(steps, passed), rest);
}

/* When the list expires: after between half the span and the whole, at a
 * multiple of a power of two, so that groups look around at the same times. All
 * particles must be predicted for that. */
static double
until_of(const struct koshu_subsystems *g, double time, double span)
{
    const double ticks = span / g->tick, interval = exp2(floor(log2(ticks)));
    if (!(time + span < end_of(g))) return end_of(g);
    return floor((time / g->tick + ticks) / interval) * interval * g->tick;
}

koshu_status
koshu_subsystem_look_around(struct koshu_subsystems *g,
                            struct koshu_subsystem *group, double time)
{
    enum { USUAL = 64 };
    const double wider = 1.5;
    const size_t first = group->body[0], n = g->p->n;
    const struct koshu_subsystem_approach centre =
            koshu_subsystem_place_of(g, first, time);
    unsigned char is_near[KOSHU_PLACES_CHUNK];
    bool is_around;
    group->reach = wider * group->widest;
    group->far = cbrt(koshu_subsystem_reach3(g, group, group->reach));
    const double span = span_of(g, group, time);
    group->until = until_of(g, time, span);
    group->n_around = 0;
    group->quiet = time;
    KOSHU_TRY(KOSHU_GROW(group, around, USUAL, g->context, "perturbers"));
    const struct far_off far = far_off_of(g, group, span);
    const double speed = speed_of(g, &centre);
    for (size_t from = 0; from < n; from += KOSHU_PLACES_CHUNK) {
        if (is_box_far_off(&g->places.box[from / KOSHU_PLACES_CHUNK], &centre,
                           speed, &far))
            continue;
        if (!scan(&g->places, n, from, &centre, &far, is_near)) continue;
        for (size_t i = from; i < n && i < from + KOSHU_PLACES_CHUNK; i++) {
            const size_t k = g->places.order[i];
            if (!is_near[i - from] || k == first || g->mass[k] == 0) continue;
            const struct koshu_subsystem_approach at =
                    koshu_subsystem_approach_of(placed(g, i), &centre);
            KOSHU_TRY(koshu_subsystem_consider(g, group, k, time, &at,
                                               &is_around));
        }
    }
    return KOSHU_OK;
}
