/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystems.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/jerk.h"

/* What stands at the end of a step: a single particle, or the bodies of a
 * group about their centre of mass. */
struct side {
    double mass, x[3], v[3]; /* of the centre of mass */
    size_t n;
    double m[KOSHU_FEWBODY_MAX], of_x[KOSHU_FEWBODY_MAX][3],
            of_v[KOSHU_FEWBODY_MAX][3];
};

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

/* ---- where the sides are ------------------------------------------------- */

/* What has been predicted for a member of the block, or is now. */
static void
set_centre(const struct koshu_subsystems *g,
           const struct koshu_block_step *step, size_t k, double time,
           struct side *side)
{
    const size_t m = g->in_block[k];
    side->mass = g->mass[k];
    const struct koshu_subsystem_place at =
            koshu_subsystems_predict(g, k, time);
    for (int d = 0; d < 3; d++) {
        side->x[d] = m > 0 ? step->end[m - 1].x[d] : at.x[d];
        side->v[d] = m > 0 ? step->end[m - 1].v[d] : at.v[d];
    }
}

static koshu_status
set_side(struct koshu_subsystems *g, const struct koshu_block_step *step,
         size_t k, double time, struct side *side)
{
    struct koshu_subsystem *group = g->of[k];
    set_centre(g, step, k, time, side);
    side->n = 1;
    side->m[0] = side->mass;
    for (int d = 0; d < 3; d++) side->of_x[0][d] = side->of_v[0][d] = 0;
    if (!group) return KOSHU_OK;
    KOSHU_TRY(koshu_subsystems_move(g, group, time));
    side->n = group->n;
    koshu_subsystems_moving(g, &group->chain, side->of_x, side->of_v);
    for (size_t i = 0; i < side->n; i++)
        side->m[i] = g->body_mass[group->body[i]];
    return KOSHU_OK;
}

/* ---- pulls --------------------------------------------------------------- */

/* Of the bodies of b on those of a, on average, less that of the centre of mass
 * on the other. */
static struct jerk_sum_f64
more_pull(const struct side *a, const struct side *b)
{
    struct jerk_sum_f64 all = {0}, point = {0};
    double x[3], v[3], to[3], rate[3];
    for (int d = 0; d < 3; d++) {
        to[d] = b->x[d] - a->x[d];
        rate[d] = b->v[d] - a->v[d];
    }
    for (size_t i = 0; i < a->n; i++) {
        struct jerk_sum_f64 one = {0};
        for (size_t j = 0; j < b->n; j++) {
            for (int d = 0; d < 3; d++) {
                x[d] = to[d] + (b->of_x[j][d] - a->of_x[i][d]);
                v[d] = rate[d] + (b->of_v[j][d] - a->of_v[i][d]);
            }
            add_body(&one, b->m[j], x, v);
        }
        add_part(&all, &one, a->m[i] / a->mass);
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

static bool
is_near(const struct koshu_subsystem *group, size_t k)
{
    for (size_t j = 0; j < group->n_near; j++)
        if (group->near[j] == k) return true;
    return false;
}

/* Two groups near each other meet once, as the near ones of the first. */
static bool
is_met(const struct koshu_subsystems *g, const struct koshu_subsystem *group,
       size_t k)
{
    const struct koshu_subsystem *other = g->of[k];
    return other && k < group->body[0] && is_near(other, group->body[0]);
}

/* By action and reaction. */
static koshu_status
meet(struct koshu_subsystems *g, struct koshu_block_step *step, size_t k,
     size_t j, double time)
{
    struct side a, b;
    const size_t in_k = g->in_block[k], in_j = g->in_block[j];
    KOSHU_TRY(set_side(g, step, k, time, &a));
    KOSHU_TRY(set_side(g, step, j, time, &b));
    const struct jerk_sum_f64 pull = more_pull(&a, &b);
    if (in_k > 0) add(&step->result[in_k - 1], &pull, 1);
    if (in_j > 0) add(&step->result[in_j - 1], &pull, -a.mass / b.mass);
    return KOSHU_OK;
}

/* What fields do to the bodies of a group on average, less what they do at its
 * centre of mass. */
static koshu_status
resolve_field(struct koshu_subsystems *g, struct koshu_block_step *step,
              size_t k, double time)
{
    struct side a;
    KOSHU_TRY(set_side(g, step, k, time, &a));
    struct koshu_jerk_result *r = &step->result[g->in_block[k] - 1];
    for (size_t i = 0; i < a.n; i++) {
        const struct koshu_field_sum s =
                koshu_subsystems_field(g, a.x, a.v, a.of_x[i], a.of_v[i]);
        for (int d = 0; d < 3; d++) {
            r->a[d] += a.m[i] / a.mass * s.a[d];
            r->jerk[d] += a.m[i] / a.mass * s.jerk[d];
        }
    }
    return KOSHU_OK;
}

static koshu_status
resolve_group(struct koshu_subsystems *g, struct koshu_block_step *step,
              const struct koshu_subsystem *group, double time)
{
    const size_t k = group->body[0];
    for (size_t i = 0; i < group->n_near; i++) {
        const size_t j = group->near[i];
        if (g->in_block[k] == 0 && g->in_block[j] == 0) continue;
        if (!is_met(g, group, j)) KOSHU_TRY(meet(g, step, k, j, time));
    }
    if (group->in_field && g->in_block[k] > 0)
        return resolve_field(g, step, k, time);
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_resolve(struct koshu_subsystems *groups,
                         struct koshu_block_step *step, double time)
{
    struct koshu_subsystems *g = groups;
    koshu_status status = KOSHU_OK;
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = m + 1;
    for (size_t k = 0; k < g->n && status == KOSHU_OK; k++)
        status = resolve_group(g, step, g->group[k], time);
    for (size_t m = 0; m < step->n; m++) g->in_block[step->members[m]] = 0;
    return status;
}
