/* SPDX-License-Identifier: MIT */
/* Computes the forces of groups body by body where points are too coarse. */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_outside.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/jerk.h"

/* ---- who meets whom ------------------------------------------------------ */

static koshu_status
want(struct koshu_subsystems *g, struct koshu_subsystem *group)
{
    if (group->is_wanted) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(g, wanted, g->n_wanted + 1, g->context, "groups"));
    group->is_wanted = true;
    g->wanted[g->n_wanted++] = group;
    return KOSHU_OK;
}

/* Lists a group and a particle near it. Two groups that perturb each other are
 * listed once, by the first. A group that the other does not perturb acts on it
 * as a point, as on all other particles: if its bodies acted, the force would
 * vary with their orbits, which the block steps do not resolve and which would
 * shorten them. */
static koshu_status
meet(struct koshu_subsystems *g, struct koshu_subsystem *group, size_t j)
{
    const size_t k = group->body[0];
    struct koshu_subsystem *other = g->of[j];
    const bool both = other && koshu_subsystem_has_near(other, k);
    if (both && j < k) return KOSHU_OK;
    KOSHU_TRY(KOSHU_GROW(g, meeting, g->n_meetings + 1, g->context, "groups"));
    g->meeting[g->n_meetings++] = (struct koshu_subsystem_meeting){k, j, both};
    KOSHU_TRY(want(g, group));
    return both ? want(g, other) : KOSHU_OK;
}

/* Lists each pair once, from the first of its two that is a member. */
static koshu_status
list_meetings(struct koshu_subsystems *g, const struct koshu_block_step *step)
{
    g->n_meetings = g->n_wanted = 0;
    for (size_t m = 0; m < step->n; m++) {
        const size_t k = step->members[m];
        struct koshu_subsystem *group = g->of[k];
        const struct koshu_subsystem_seen *seen = &g->seen[k];
        for (size_t i = 0; group && i < group->n_near; i++)
            KOSHU_TRY(meet(g, group, group->near[i]));
        if (group && group->in_field) KOSHU_TRY(want(g, group));
        for (size_t i = 0; i < seen->n; i++)
            if (g->in_block[seen->by[i]->body[0]] == 0)
                KOSHU_TRY(meet(g, seen->by[i], k));
    }
    return KOSHU_OK;
}

static koshu_status
place_bodies(struct koshu_subsystems *g, struct koshu_subsystem *group,
             double time, size_t thread)
{
    KOSHU_TRY(koshu_subsystems_move(g, group, time, thread));
    koshu_subsystems_moving(g, &group->chain, group->x, group->v);
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_meet(struct koshu_subsystems *groups,
                      const struct koshu_block_step *step, double time)
{
    struct koshu_subsystems *g = groups;
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = m + 1;
    koshu_status status = list_meetings(g, step);
    for (size_t i = 0; i < g->n_wanted; i++) g->wanted[i]->is_wanted = false;
    if (status == KOSHU_OK)
        status = koshu_subsystems_each(g, g->n_wanted, g->wanted, time,
                                       place_bodies, KOSHU_FEW_MOVES);
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = 0;
    return status;
}

/* ---- where the sides are ------------------------------------------------- */

/* One side of a pair at the end of the step: a point, or the bodies of a group
 * about their centre of mass. */
struct side {
    double mass, x[3], v[3];             /* of the centre of mass */
    const struct koshu_subsystem *group; /* NULL: a point */
    size_t n;
};

/* At the predicted end of the step for members of the block, at the present
 * time for others. */
static struct side
side_of(const struct koshu_subsystems *g, const struct koshu_block_step *step,
        size_t k, double time, bool is_group)
{
    const size_t m = g->in_block[k];
    struct side side = {.mass = g->mass[k],
                        .group = is_group ? g->of[k] : NULL,
                        .n = is_group ? g->of[k]->n : 1};
    const struct koshu_subsystem_place at =
            koshu_subsystems_predict(g, k, time);
    for (int d = 0; d < 3; d++) {
        side.x[d] = m > 0 ? step->end[m - 1].x[d] : at.x[d];
        side.v[d] = m > 0 ? step->end[m - 1].v[d] : at.v[d];
    }
    return side;
}

static double
mass_of(const struct koshu_subsystems *g, const struct side *side, size_t i)
{
    return side->group ? g->body_mass[side->group->body[i]] : side->mass;
}

/* ---- forces -------------------------------------------------------------- */

static void
add_body(struct jerk_sum_f64 *sum, double mass, const double *x,
         const double *v)
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    jerk_add_f64(sum, x[0], x[1], x[2], v[0], v[1], v[2], mass, 1 / sqrt(r2));
}

static void
add_part(struct jerk_sum_f64 *sum, const struct jerk_sum_f64 *s, double part)
{
    sum->ax += part * s->ax;
    sum->ay += part * s->ay;
    sum->az += part * s->az;
    sum->jx += part * s->jx;
    sum->jy += part * s->jy;
    sum->jz += part * s->jz;
    sum->mr += part * s->mr;
}

/* The mean force of the bodies of b on those of a, minus the force between the
 * centres of mass. */
static struct jerk_sum_f64
more_pull(const struct koshu_subsystems *g, const struct side *a,
          const struct side *b)
{
    static const double none[3];
    struct jerk_sum_f64 all = {0}, point = {0};
    double x[3], v[3], to[3], rate[3];
    for (int d = 0; d < 3; d++) {
        to[d] = b->x[d] - a->x[d];
        rate[d] = b->v[d] - a->v[d];
    }
    for (size_t i = 0; i < a->n; i++) {
        struct jerk_sum_f64 one = {0};
        const double *x_i = a->group ? a->group->x[i] : none,
                     *v_i = a->group ? a->group->v[i] : none;
        for (size_t j = 0; j < b->n; j++) {
            const double *x_j = b->group ? b->group->x[j] : none,
                         *v_j = b->group ? b->group->v[j] : none;
            for (int d = 0; d < 3; d++) {
                x[d] = to[d] + (x_j[d] - x_i[d]);
                v[d] = rate[d] + (v_j[d] - v_i[d]);
            }
            add_body(&one, mass_of(g, b, j), x, v);
        }
        add_part(&all, &one, mass_of(g, a, i) / a->mass);
    }
    add_body(&point, b->mass, to, rate);
    add_part(&all, &point, -1);
    return all;
}

static void
add(struct koshu_jerk_result *r, const struct jerk_sum_f64 *s, double part)
{
    r->a[0] += part * s->ax;
    r->a[1] += part * s->ay;
    r->a[2] += part * s->az;
    r->jerk[0] += part * s->jx;
    r->jerk[1] += part * s->jy;
    r->jerk[2] += part * s->jz;
    r->potential -= fabs(part) * s->mr;
}

/* The opposite force acts on the other side. */
static void
resolve_meeting(const struct koshu_subsystems *g, struct koshu_block_step *step,
                const struct koshu_subsystem_meeting *m, double time)
{
    const size_t in_k = g->in_block[m->k], in_j = g->in_block[m->j];
    const struct side a = side_of(g, step, m->k, time, true),
                      b = side_of(g, step, m->j, time, m->both);
    const struct jerk_sum_f64 pull = more_pull(g, &a, &b);
    if (in_k > 0) add(&step->result[in_k - 1], &pull, 1);
    if (in_j > 0) add(&step->result[in_j - 1], &pull, -a.mass / b.mass);
}

/* Adds the mean force of external fields on the bodies of a group, minus the
 * force at its centre of mass. */
static void
resolve_field(const struct koshu_subsystems *g, struct koshu_block_step *step,
              size_t m, double time)
{
    const size_t k = step->members[m];
    const struct koshu_subsystem *group = g->of[k];
    struct koshu_jerk_result *r = &step->result[m];
    if (!group || !group->in_field) return;
    const struct side a = side_of(g, step, k, time, true);
    for (size_t i = 0; i < a.n; i++) {
        const double part = mass_of(g, &a, i) / a.mass;
        const struct koshu_field_sum s =
                koshu_subsystems_field(g, a.x, a.v, group->x[i], group->v[i]);
        for (int d = 0; d < 3; d++) {
            r->a[d] += part * s.a[d];
            r->jerk[d] += part * s.jerk[d];
        }
    }
}

void
koshu_subsystems_resolve(struct koshu_subsystems *groups,
                         struct koshu_block_step *step, double time)
{
    struct koshu_subsystems *g = groups;
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = m + 1;
    for (size_t i = 0; i < g->n_meetings; i++)
        resolve_meeting(g, step, &g->meeting[i], time);
    for (size_t m = 0; m < step->n; m++) resolve_field(g, step, m, time);
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = 0;
}
