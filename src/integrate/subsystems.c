/* SPDX-License-Identifier: MIT */
/* Forms, dissolves and predicts few-body groups. */
#include "integrate/subsystems.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_helpers.h"
#include "integrate/subsystem_outside.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#include "kernels/jerk.h"

/* ---- life ---------------------------------------------------------------- */

static void
set_mass(struct koshu_subsystems *g, size_t k, double mass)
{
    g->mass[k] = mass;
    g->root[k] = cbrt(mass);
}

koshu_status
koshu_subsystems_create(struct koshu_context *context,
                        const struct koshu_subsystem_options *options,
                        double tick, uint64_t base,
                        struct koshu_block_particles *p, double *mass,
                        struct koshu_subsystems **groups)
{
    const size_t n = p->n;
    struct koshu_subsystems *g = *groups = koshu_alloc(1, sizeof *g);
    if (!g) return koshu_fail_memory(context, sizeof *g, "groups");
    g->context = context;
    g->options = *options;
    g->tick = tick;
    g->base = base;
    g->p = p;
    g->mass = mass;
    g->omega = koshu_external_rotation(options->external);
    const size_t threads = (size_t)koshu_context_threads(context);
    g->gbs = koshu_alloc(threads, sizeof *g->gbs);
    g->seen = koshu_alloc(n, sizeof *g->seen);
    g->places.order = koshu_alloc(n, sizeof *g->places.order);
    g->body_mass = koshu_alloc(n, sizeof *g->body_mass);
    g->of = koshu_alloc(n, sizeof *g->of);
    g->root = koshu_alloc(n, sizeof *g->root);
    g->version = koshu_alloc(n, sizeof *g->version);
    g->in_block = koshu_alloc(n, sizeof *g->in_block);
    g->next = koshu_alloc(n, sizeof *g->next);
    g->cluster = koshu_alloc(n, sizeof *g->cluster);
    if (!g->gbs || !g->seen || !g->places.order || !g->root || !g->version ||
        !g->body_mass || !g->of || !g->in_block || !g->next || !g->cluster) {
        koshu_subsystems_destroy(g);
        *groups = NULL;
        return koshu_fail_memory(context, n * sizeof *g->cluster, "groups");
    }
    for (size_t k = 0; k < threads; k++) {
        g->gbs[k].tolerance = options->tolerance;
        g->gbs[k].slow_down = options->slow_down;
    }
    for (size_t k = 0; k < n; k++) {
        g->body_mass[k] = mass[k];
        set_mass(g, k, mass[k]);
        g->places.order[k] = (uint32_t)k;
    }
    g->usual = koshu_usual_mass(n, mass);
    g->outside = koshu_subsystems_distance_outside(g);
    return KOSHU_OK;
}

static void
destroy_group(struct koshu_subsystem *group)
{
    if (!group) return;
    koshu_subsystem_drop_ahead(group);
    koshu_free(group->body);
    koshu_free(group->x);
    koshu_free(group->v);
    koshu_free(group->near);
    koshu_free(group->found);
    koshu_free(group->around);
    koshu_free(group->pair);
    koshu_subsystem_outside_free(&group->outside);
    koshu_free(group);
}

void
koshu_subsystems_destroy(struct koshu_subsystems *groups)
{
    struct koshu_subsystems *g = groups;
    if (!g) return;
    for (size_t k = 0; k < g->n; k++) destroy_group(g->group[k]);
    koshu_subsystem_helpers_end(g);
    for (size_t k = 0; g->seen && k < g->p->n; k++) koshu_free(g->seen[k].by);
    koshu_free(g->seen);
    koshu_free(g->beside);
    koshu_free(g->gbs);
    koshu_free(g->root);
    koshu_free(g->version);
    koshu_free(g->places.order);
    koshu_free(g->places.at);
    koshu_free(g->places.box);
    koshu_free(g->meeting);
    koshu_free(g->wanted);
    koshu_free(g->slow);
    koshu_free(g->group);
    koshu_free(g->body_mass);
    koshu_free(g->of);
    koshu_free(g->in_block);
    koshu_free(g->next);
    koshu_free(g->cluster);
    koshu_free(g->place);
    koshu_free(g);
}

/* ---- places -------------------------------------------------------------- */

double
koshu_subsystems_time(const struct koshu_subsystems *groups, uint64_t tick)
{
    return (double)(int64_t)(tick - groups->base) * groups->tick;
}

struct koshu_subsystem_place
koshu_subsystems_predict(const struct koshu_subsystems *groups, size_t k,
                         double time)
{
    const struct koshu_block_particles *p = groups->p;
    const double dt = time - koshu_subsystems_time(groups, p->tick[k]);
    const double x[] = {p->x[k], p->y[k], p->z[k]},
                 v[] = {p->vx[k], p->vy[k], p->vz[k]},
                 a[] = {p->ax[k], p->ay[k], p->az[k]},
                 jerk[] = {p->jx[k], p->jy[k], p->jz[k]};
    struct koshu_subsystem_place place;
    for (int d = 0; d < 3; d++) {
        place.x[d] = hermite_predict_x_f64(x[d], v[d], a[d], jerk[d], dt);
        place.v[d] = hermite_predict_v_f64(v[d], a[d], jerk[d], dt);
        place.a[d] = a[d] + dt * jerk[d];
        place.jerk[d] = jerk[d];
    }
    return place;
}

static void
set_place(const struct koshu_block_particles *p, size_t k,
          const struct koshu_subsystem_place *at)
{
    double *const to[4][3] = {{&p->x[k], &p->y[k], &p->z[k]},
                              {&p->vx[k], &p->vy[k], &p->vz[k]},
                              {&p->ax[k], &p->ay[k], &p->az[k]},
                              {&p->jx[k], &p->jy[k], &p->jz[k]}};
    for (int d = 0; d < 3; d++) {
        *to[0][d] = at->x[d];
        *to[1][d] = at->v[d];
        *to[2][d] = at->a[d];
        *to[3][d] = at->jerk[d];
    }
}

/* ---- a group from bodies ------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    return i < j ? -1 : i > j;
}

static struct koshu_subsystem *
new_group(const struct koshu_subsystems *g, const struct koshu_clump *cluster)
{
    struct koshu_subsystem *group = koshu_alloc(1, sizeof *group);
    if (!group) return NULL;
    group->n = cluster->n;
    group->radius = group->span = cluster->radius;
    group->body = koshu_alloc(group->n, sizeof *group->body);
    group->x = koshu_alloc(group->n, sizeof *group->x);
    group->v = koshu_alloc(group->n, sizeof *group->v);
    if (!group->body || !group->x || !group->v) {
        destroy_group(group);
        return NULL;
    }
    size_t k = cluster->first;
    for (size_t i = 0; i < group->n; i++, k = g->next[k]) group->body[i] = k;
    qsort(group->body, group->n, sizeof *group->body, compare);
    return group;
}

/* Transforms differences from the first body to the axes of the chain. */
static void
to_chain(const struct koshu_subsystems *g, double time, size_t n,
         double (*x)[3], double (*v)[3])
{
    for (size_t i = n; i-- > 0;) {
        struct koshu_subsystem_place at = {0};
        for (int d = 0; d < 3; d++) {
            at.x[d] = x[i][d] - x[0][d];
            at.v[d] = v[i][d] - v[0][d];
        }
        koshu_subsystems_to_chain(g, time, &at);
        for (int d = 0; d < 3; d++) {
            x[i][d] = at.x[d];
            v[i][d] = at.v[d];
        }
    }
}

/* The chain and centre of mass of the bodies, by differences from the first. */
static struct koshu_subsystem_place
gather(const struct koshu_subsystems *g, struct koshu_subsystem *group,
       double time)
{
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3],
            m[KOSHU_FEWBODY_MAX], total = 0;
    struct koshu_subsystem_place centre = {0}, at;
    for (size_t i = 0; i < group->n; i++) {
        at = koshu_subsystems_predict(g, group->body[i], time);
        m[i] = g->body_mass[group->body[i]];
        total += m[i];
        for (int d = 0; d < 3; d++) {
            x[i][d] = at.x[d];
            v[i][d] = at.v[d];
            centre.x[d] += m[i] * (x[i][d] - x[0][d]);
            centre.v[d] += m[i] * (v[i][d] - v[0][d]);
            centre.a[d] += m[i] * at.a[d];
            centre.jerk[d] += m[i] * at.jerk[d];
        }
    }
    for (int d = 0; d < 3; d++) {
        centre.x[d] = x[0][d] + centre.x[d] / total;
        centre.v[d] = v[0][d] + centre.v[d] / total;
        centre.a[d] /= total;
        centre.jerk[d] /= total;
    }
    if (g->omega != 0) to_chain(g, time, group->n, x, v);
    koshu_chain_make(&group->chain, group->n, m, (const double(*)[3])x,
                     (const double(*)[3])v, time);
    group->step =
            (struct koshu_gbs_step){koshu_fewbody_first_step(&group->chain), 5};
    return centre;
}

/* Puts a body of mass 0 where it cannot coincide with the group's particle or
 * be any particle's nearest neighbour. */
static void
set_aside(struct koshu_subsystems *g, size_t k,
          const struct koshu_subsystem_place *at)
{
    struct koshu_subsystem_place aside = {.x = {at->x[0], at->x[1], at->x[2]}};
    aside.x[0] += g->outside;
    set_place(g->p, k, &aside);
    set_mass(g, k, 0);
}

static koshu_status
check_apart(const struct koshu_subsystems *g,
            const struct koshu_subsystem *group)
{
    const struct koshu_block_particles *p = g->p;
    for (size_t i = 0; i < group->n; i++)
        for (size_t j = i + 1; j < group->n; j++) {
            const size_t a = group->body[i], b = group->body[j];
            if (p->x[a] == p->x[b] && p->y[a] == p->y[b] && p->z[a] == p->z[b])
                return koshu_fail(g->context, KOSHU_ERROR_BAD_INPUT,
                                  "particles %zu and %zu are at one place, "
                                  "where their force is infinite; move one",
                                  a, b);
        }
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_form(struct koshu_subsystems *groups,
                      const struct koshu_clump *cluster)
{
    struct koshu_subsystems *g = groups;
    KOSHU_TRY(KOSHU_GROW(g, group, g->n + 1, g->context, "groups"));
    struct koshu_subsystem *group = new_group(g, cluster);
    if (!group) return koshu_fail_memory(g->context, sizeof *group, "a group");
    const koshu_status status = check_apart(g, group);
    if (status != KOSHU_OK) {
        destroy_group(group);
        return status;
    }
    const size_t first = group->body[0];
    const double time = koshu_subsystems_time(g, g->p->tick[first]);
    const struct koshu_subsystem_place centre = gather(g, group, time);
    for (size_t i = 0; i < group->n; i++) {
        g->of[group->body[i]] = group;
        set_aside(g, group->body[i], &centre);
    }
    set_place(g->p, first, &centre);
    set_mass(g, first, group->chain.total_mass);
    g->group[g->n++] = group;
    return KOSHU_OK;
}

/* ---- bodies from a group ------------------------------------------------- */

/* Adds the force of body j on body i. */
static void
add_body(struct jerk_sum_f64 *sum, double mass, const double *x_i,
         const double *v_i, const double *x_j, const double *v_j)
{
    const double x = x_j[0] - x_i[0], y = x_j[1] - x_i[1], z = x_j[2] - x_i[2];
    jerk_add_f64(sum, x, y, z, v_j[0] - v_i[0], v_j[1] - v_i[1],
                 v_j[2] - v_i[2], mass, 1 / sqrt(x * x + y * y + z * z));
}

/* Adds the acceleration by external fields and the rotation of the frame, at x
 * from a centre of mass. */
static void
add_external(const struct koshu_subsystems *g,
             const struct koshu_subsystem_place *centre,
             struct koshu_subsystem_place *at)
{
    const struct koshu_field_sum s =
            koshu_subsystems_field(g, centre->x, centre->v, at->x, at->v);
    for (int d = 0; d < 3; d++) {
        at->a[d] += s.a[d];
        at->jerk[d] += s.jerk[d];
    }
    koshu_field_coriolis(g->omega, at->v, at->a, at->jerk);
}

/* The bodies relative to the centre of mass, with the accelerations and jerks
 * by each other and by fields. */
static void
place_bodies(const struct koshu_subsystems *g,
             const struct koshu_subsystem *group,
             const struct koshu_subsystem_place *centre,
             struct koshu_subsystem_place *at)
{
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3],
            mass[KOSHU_FEWBODY_MAX];
    const struct koshu_chain *c = &group->chain;
    koshu_subsystems_bodies(g, c, x, v);
    for (size_t k = 0; k < c->n; k++) mass[c->body[k]] = c->mass[k];
    for (size_t i = 0; i < c->n; i++) {
        struct jerk_sum_f64 sum = {0};
        for (size_t j = 0; j < c->n; j++)
            if (j != i) add_body(&sum, mass[j], x[i], v[i], x[j], v[j]);
        at[i] = (struct koshu_subsystem_place){
                .x = {x[i][0], x[i][1], x[i][2]},
                .v = {v[i][0], v[i][1], v[i][2]},
                .a = {sum.ax, sum.ay, sum.az},
                .jerk = {sum.jx, sum.jy, sum.jz}};
        if (g->options.external) add_external(g, centre, &at[i]);
    }
}

void
koshu_subsystems_write(const struct koshu_subsystems *groups,
                       const struct koshu_subsystem *group,
                       const struct koshu_block_particles *p)
{
    const struct koshu_subsystems *g = groups;
    const size_t first = group->body[0];
    const uint64_t tick = g->p->tick[first], step = g->p->step[first];
    const double potential = g->p->potential[first];
    const struct koshu_subsystem_place centre =
            koshu_subsystems_predict(g, first, koshu_subsystems_time(g, tick));
    struct koshu_subsystem_place at[KOSHU_FEWBODY_MAX];
    place_bodies(g, group, &centre, at);
    for (size_t i = 0; i < group->n; i++) {
        const size_t k = group->body[i];
        for (int d = 0; d < 3; d++) {
            at[i].x[d] += centre.x[d];
            at[i].v[d] += centre.v[d];
            at[i].a[d] += centre.a[d];
            at[i].jerk[d] += centre.jerk[d];
        }
        set_place(p, k, &at[i]);
        p->potential[k] = potential;
        p->tick[k] = tick;
        p->step[k] = step;
    }
}

void
koshu_subsystems_dissolve(struct koshu_subsystems *groups,
                          struct koshu_subsystem *group)
{
    struct koshu_subsystems *g = groups;
    size_t at = 0;
    koshu_group_cost_add(&g->cost, group->cost, group->n, group->body[0]);
    koshu_subsystems_write(g, group, g->p);
    for (size_t i = 0; i < group->n; i++) {
        set_mass(g, group->body[i], g->body_mass[group->body[i]]);
        g->of[group->body[i]] = NULL;
    }
    while (g->group[at] != group) at++;
    for (g->n--; at < g->n; at++) g->group[at] = g->group[at + 1];
    destroy_group(group);
}
