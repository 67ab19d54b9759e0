/* SPDX-License-Identifier: MIT */
/*
 * What surrounds groups. A group knows all particles that may come near it for
 * a while, and looks among these, at each of its steps, for those that perturb
 * it; particles know the groups that they perturb.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/subsystems.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

/* ---- sizes --------------------------------------------------------------- */

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

/* The cube of how far a particle of mass 1 perturbs. */
static double
reach3_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
          double radius)
{
    return 2 * radius * radius * radius /
           (g->mass[group->body[0]] * g->options.perturbation);
}

/* ---- places -------------------------------------------------------------- */

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

/* Far from everything. */
static const double nowhere = 1e100;

/* Of all particles at that time, but for those of mass 0. */
static koshu_status
place_all(struct koshu_subsystems *g, double time)
{
    const size_t n = g->p->n;
    struct koshu_subsystem_places *places = &g->places;
    double heaviest = 0;
    KOSHU_TRY(KOSHU_GROW(places, at, 6 * n, g->context, "places"));
#pragma omp parallel for reduction(max         \
                                   : heaviest) \
        num_threads(koshu_region_threads(g->context, n > 4096))
    for (size_t k = 0; k < n; k++) {
        const struct koshu_subsystem_approach at = place_of(g, k, time);
        for (size_t d = 0; d < 3; d++) {
            places->at[d * n + k] = at.mass > 0 ? at.x[d] : nowhere;
            places->at[(3 + d) * n + k] = at.v[d];
        }
        heaviest = fmax(heaviest, at.mass);
    }
    places->heaviest = heaviest;
    return KOSHU_OK;
}

/* ---- what is around ------------------------------------------------------ */

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

/* Those around may be so much faster by then. */
static const double faster = 2;

/* For how long a particle that comes as near as r will not be as near as what
 * perturbs. */
static double
wait_for(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
         const struct koshu_subsystem_approach *at, double r)
{
    const double reach = cbrt(reach3_of(g, group, group->reach) * at->mass),
                 speed = faster * length_of(at->v);
    return r > reach ? (r - reach) / speed : 0;
}

/* A particle is around a group where it may come near until the group looks
 * around again. at: relative to the group. */
static koshu_status
consider(struct koshu_subsystems *g, struct koshu_subsystem *group, size_t k,
         double time, const struct koshu_subsystem_approach *at,
         bool *is_around)
{
    const double per_mass = reach3_of(g, group, group->reach),
                 speed = faster * length_of(at->v),
                 r = nearest_of(g, group, at),
                 near = r - (group->until - time) * speed;
    *is_around = !(near > 0) || near * near * near < per_mass * at->mass;
    if (!*is_around) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(group, around, group->n_around + 1, g->context,
                         "perturbers"));
    group->around[group->n_around++] = (struct koshu_subsystem_around){
            k, time + wait_for(g, group, at, r)};
    return KOSHU_OK;
}

/* What is far off for certain, which most are: r > span v + reach where r^2 > 2
 * (span v)^2 + 2 reach^2, for masses up to the heaviest. */
struct far_off {
    double reach2, span2;
};

static struct far_off
far_off_of(const struct koshu_subsystems *g,
           const struct koshu_subsystem *group, double span, double heaviest)
{
    const double furthest = 2 * g->options.distance,
                 reach = cbrt(reach3_of(g, group, group->reach) * heaviest);
    return (struct far_off){fmax(2 * reach * reach, furthest * furthest),
                            2 * faster * faster * span * span};
}

/* Of a chunk of places, [from, from + CHUNK), which are not far off. */
enum { CHUNK = 64 };

static unsigned
scan(const struct koshu_subsystem_places *places, size_t n, size_t from,
     const struct koshu_subsystem_approach *centre, const struct far_off *far,
     unsigned char *is_near)
{
    const double *x = places->at + from, *y = x + n, *z = y + n, *vx = z + n,
                 *vy = vx + n, *vz = vy + n;
    const double cx = centre->x[0], cy = centre->x[1], cz = centre->x[2],
                 ux = centre->v[0], uy = centre->v[1], uz = centre->v[2],
                 reach2 = far->reach2, span2 = far->span2;
    const size_t end = n - from < CHUNK ? n - from : CHUNK;
    unsigned any = 0;
    double beyond[CHUNK];
    for (size_t k = 0; k < end; k++) {
        const double dx = x[k] - cx, dy = y[k] - cy, dz = z[k] - cz,
                     wx = vx[k] - ux, wy = vy[k] - uy, wz = vz[k] - uz;
        beyond[k] = dx * dx + dy * dy + dz * dz - reach2 -
                    span2 * (wx * wx + wy * wy + wz * wz);
    }
    for (size_t k = 0; k < end; k++) {
        is_near[k] = !(beyond[k] > 0);
        any |= is_near[k];
    }
    return any;
}

/* So long that what is between particles has been passed, or what the group
 * reaches; or some of its steps. */
static double
span_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
        double heaviest)
{
    const double steps = 16 * (double)g->p->step[group->body[0]] * g->tick;
    const double way =
            g->spacing + cbrt(reach3_of(g, group, group->reach) * heaviest);
    return g->speed > 0 ? fmax(steps, way / (faster * g->speed)) : steps;
}

/* So long, or half of it at least: where others look around as well, as all
 * particles must be placed for that. */
static double
until_of(const struct koshu_subsystems *g, double time, double span)
{
    const double ticks = fmin(span / g->tick, 0x1p60),
                 slot = exp2(floor(log2(ticks)));
    return floor((time / g->tick + ticks) / slot) * slot * g->tick;
}

/* The mean of numbers of particles of mass > 0. */
static double
mean_of(const struct koshu_subsystems *g, const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < g->p->n; k++)
        if (g->mass[k] > 0) sum += x[k];
    return sum / (double)n;
}

void
koshu_subsystems_gauge(struct koshu_subsystems *groups)
{
    struct koshu_subsystems *g = groups;
    const struct koshu_block_particles *p = g->p;
    const double *const x[] = {p->x, p->y, p->z}, *v[] = {p->vx, p->vy, p->vz};
    double v2 = 0, distance = 0;
    size_t n = 0;
    for (size_t k = 0; k < p->n; k++) n += g->mass[k] > 0;
    for (int d = 0; n > 0 && d < 3; d++) {
        const double centre = mean_of(g, x[d], n), mean = mean_of(g, v[d], n);
        for (size_t k = 0; k < p->n; k++) {
            if (g->mass[k] == 0) continue;
            distance += fabs(x[d][k] - centre) / (3 * (double)n);
            v2 += (v[d][k] - mean) * (v[d][k] - mean) / (double)n;
        }
    }
    g->speed = sqrt(v2);
    g->spacing = distance / cbrt((double)n);
}

/* All that may come near for a while. The places are those of that time. */
static koshu_status
look_around(struct koshu_subsystems *g, struct koshu_subsystem *group,
            double time)
{
    enum { USUAL = 64 };
    const double wider = 1.5;
    const size_t first = group->body[0], n = g->p->n;
    const struct koshu_subsystem_approach centre = place_of(g, first, time);
    unsigned char is_near[CHUNK];
    bool is_around;
    group->reach = wider * group->widest;
    const double span = span_of(g, group, g->places.heaviest);
    group->until = until_of(g, time, span);
    group->n_around = 0;
    KOSHU_TRY(KOSHU_GROW(group, around, USUAL, g->context, "perturbers"));
    const struct far_off far = far_off_of(g, group, span, g->places.heaviest);
    for (size_t from = 0; from < n; from += CHUNK) {
        if (!scan(&g->places, n, from, &centre, &far, is_near)) continue;
        for (size_t k = from; k < n && k < from + CHUNK; k++) {
            if (!is_near[k - from] || k == first || g->mass[k] == 0) continue;
            const struct koshu_subsystem_approach at =
                    approach_of(place_of(g, k, time), &centre);
            KOSHU_TRY(consider(g, group, k, time, &at, &is_around));
        }
    }
    return KOSHU_OK;
}

/* ---- what perturbs ------------------------------------------------------- */

/* Of those around it: group->found. */
static koshu_status
list_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
          double time)
{
    const double per_mass = reach3_of(g, group, group->widest);
    const struct koshu_subsystem_approach centre =
            place_of(g, group->body[0], time);
    KOSHU_TRY(KOSHU_GROW(group, found, group->n_around, g->context,
                         "perturbers"));
    group->n_found = 0;
    for (size_t i = 0; i < group->n_around; i++) {
        struct koshu_subsystem_around *one = &group->around[i];
        if (time < one->from) continue;
        const struct koshu_subsystem_approach at =
                approach_of(place_of(g, one->k, time), &centre);
        const double r = nearest_of(g, group, &at);
        if (r * r * r < per_mass * at.mass)
            group->found[group->n_found++] = one->k;
        else
            one->from = time + wait_for(g, group, &at, r);
    }
    return KOSHU_OK;
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

/* What perturbs it from now on, to be taken. So far by Kepler's law:
 * polynomials of perturbers say where they are from now on, not where they
 * were. */
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
}

/* What has been found perturbs it from now on. */
static koshu_status
take_found(struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    const size_t n = group->n_found;
    group->in_field = group->found_field;
    if (n == group->n_near && (n == 0 || memcmp(group->near, group->found,
                                                n * sizeof *group->near) == 0))
        return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(group, near, n, g->context, "perturbers"));
    forget(g, group);
    group->n_near = n;
    if (n > 0) memcpy(group->near, group->found, n * sizeof *group->near);
    return remember(g, group);
}

static koshu_status
take_all_found(struct koshu_subsystems *g, size_t n,
               struct koshu_subsystem **list)
{
    for (size_t i = 0; i < n; i++)
        if (list[i]->looks) KOSHU_TRY(take_found(g, list[i]));
    return KOSHU_OK;
}

/* ---- at the end of a step ------------------------------------------------ */

/* Two bodies on their own stay together, and need not be moved. */
static koshu_status
look_at_itself(struct koshu_subsystems *g, struct koshu_subsystem *group,
               double time, size_t thread)
{
    group->apart = false;
    if (group->n != 2 || koshu_subsystem_is_perturbed(group) ||
        !group->is_bound) {
        KOSHU_TRY(koshu_subsystems_move(g, group, time, thread));
        KOSHU_TRY(koshu_subsystems_is_apart(g, group, &group->apart));
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
    if (is_to_look_around(group, time)) KOSHU_TRY(look_around(g, group, time));
    return find_near(g, group, time, thread);
}

static koshu_status
place_if_needed(struct koshu_subsystems *g, size_t n,
                struct koshu_subsystem **list, double time)
{
    for (size_t i = 0; i < n; i++)
        if (is_to_look_around(list[i], time)) return place_all(g, time);
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_look(struct koshu_subsystems *groups, size_t n,
                      struct koshu_subsystem **list, double time)
{
    struct koshu_subsystems *g = groups;
    KOSHU_TRY(koshu_subsystems_each(g, n, list, time, look_at_itself));
    KOSHU_TRY(place_if_needed(g, n, list, time));
    KOSHU_TRY(koshu_subsystems_each(g, n, list, time, look));
    return take_all_found(g, n, list);
}

koshu_status
koshu_subsystems_find_near(struct koshu_subsystems *groups,
                           struct koshu_subsystem *group, double time)
{
    struct koshu_subsystems *g = groups;
    measure(group);
    group->looks = true;
    KOSHU_TRY(place_if_needed(g, 1, &group, time));
    KOSHU_TRY(look(g, group, time, 0));
    return take_found(g, group);
}

/* ---- where others have become groups, or single -------------------------- */

/* Those that have changed are around a group, or no longer; group->looks: some
 * are, or were. */
static koshu_status
look_again(struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time)
{
    const struct koshu_subsystem_changes *changes = g->changes;
    const struct koshu_subsystem_approach centre =
            place_of(g, group->body[0], time);
    size_t left = 0;
    for (size_t i = 0; i < group->n_around; i++)
        if (!changes->is_changed[group->around[i].k])
            group->around[left++] = group->around[i];
    group->looks = left < group->n_around;
    group->n_around = left;
    for (size_t i = 0; i < changes->n; i++) {
        const size_t k = changes->changed[i];
        bool is_around;
        if (g->mass[k] == 0) continue;
        const struct koshu_subsystem_approach at =
                approach_of(g->place[i], &centre);
        KOSHU_TRY(consider(g, group, k, time, &at, &is_around));
        group->looks = group->looks || is_around;
    }
    return KOSHU_OK;
}

static koshu_status
renew_near(struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time, size_t thread)
{
    group->looks = true;
    if (g->changes->is_changed[group->body[0]]) {
        measure(group);
        KOSHU_TRY(look_around(g, group, time));
    } else
        KOSHU_TRY(look_again(g, group, time));
    return group->looks ? find_near(g, group, time, thread) : KOSHU_OK;
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
    KOSHU_TRY(KOSHU_GROW(g, place, changes->n, g->context, "places"));
    for (size_t i = 0; i < changes->n; i++)
        g->place[i] = place_of(g, changes->changed[i], time);
    if (is_any_group(g, changes)) KOSHU_TRY(place_all(g, time));
    g->changes = changes;
    KOSHU_TRY(koshu_subsystems_each(g, g->n, g->group, time, renew_near));
    return take_all_found(g, g->n, g->group);
}
