/* SPDX-License-Identifier: MIT */
/* The Hermite step of a block: see block_step.h. */
#include "integrate/block_step.h"

#include <math.h>

#include "base/base.h"
#include "external/external.h"
#include "integrate/block_interaction.h"
#include "integrate/subsystems.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

/* Blocks with fewer members are moved by one thread, as starting others takes
 * longer. */
enum { FEW = 2048 };

static int
threads_for(const struct koshu_block_step *s)
{
    return koshu_region_threads(s->backend->context, s->n > FEW);
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
allocate(struct koshu_block_step *s, size_t n)
{
    const size_t ranks = (size_t)koshu_context_ranks(s->backend->context);
    s->members_of = koshu_alloc(ranks, sizeof *s->members_of);
    s->members = koshu_alloc(n, sizeof *s->members);
    s->dt = koshu_alloc(n, sizeof *s->dt);
    s->knows_nearest = koshu_alloc(n, sizeof *s->knows_nearest);
    s->end = koshu_alloc(n, sizeof *s->end);
    s->result = koshu_alloc(n, sizeof *s->result);
    s->j = koshu_alloc(n, sizeof *s->j);
    if (s->members_of && s->members && s->dt && s->knows_nearest && s->end &&
        s->result && s->j)
        return KOSHU_OK;
    size_t bytes = sizeof *s->members + sizeof *s->dt +
                   sizeof *s->knows_nearest + sizeof *s->end +
                   sizeof *s->result + sizeof *s->j;
    return koshu_fail_memory(s->backend->context, n * bytes, "block steps");
}

static koshu_status
open_j_store(struct koshu_block_step *s, const struct koshu_block_task *task,
             size_t n)
{
    const enum koshu_precision precision = task->precision;
    if (task->interaction)
        return koshu_block_interaction_create(
                s->backend->context, task->interaction, n, &s->interaction);
    if (task->j_store)
        s->j_store = task->j_store;
    else
        KOSHU_TRY(koshu_backend_j_store_create(s->backend, precision,
                                               n > 0 ? n : 1, &s->j_store));
    return koshu_backend_j_store_require(s->j_store, &s->task);
}

koshu_status
koshu_block_step_create(struct koshu_backend *backend,
                        const struct koshu_block_task *task, size_t n,
                        struct koshu_block_step *step)
{
    *step = (struct koshu_block_step){.backend = backend,
                                      .task = {task->eps, task->nearest},
                                      .owns_store = !task->j_store,
                                      .first = task->first,
                                      .iterations = task->iterations};
    koshu_status status = allocate(step, n);
    if (status == KOSHU_OK && step->owns_store &&
        koshu_context_ranks(backend->context) > 1)
        status = koshu_block_ranks_create(backend->context, &step->ranks);
    if (status == KOSHU_OK) status = open_j_store(step, task, n);
    if (status != KOSHU_OK) koshu_block_step_destroy(step);
    return status;
}

void
koshu_block_step_destroy(struct koshu_block_step *step)
{
    if (step->owns_store) koshu_backend_j_store_destroy(step->j_store);
    koshu_block_interaction_destroy(step->interaction);
    koshu_block_ranks_destroy(step->ranks);
    koshu_free(step->members_of);
    koshu_free(step->members);
    koshu_free(step->dt);
    koshu_free(step->knows_nearest);
    koshu_free(step->end);
    koshu_free(step->result);
    koshu_free(step->j);
    *step = (struct koshu_block_step){0};
}

/* ---- the j-particle store ------------------------------------------------ */

void
koshu_block_step_take_all(struct koshu_block_step *step, size_t n)
{
    step->n = n;
    for (size_t i = 0; i < n; i++) step->members[i] = i;
}

static koshu_status
set(struct koshu_block_step *s)
{
    if (s->n == 0) return KOSHU_OK;
    if (s->interaction) {
        koshu_block_interaction_set(s->interaction, s->n, s->members, s->j);
        return KOSHU_OK;
    }
    return koshu_backend_j_store_set_structs(s->j_store, s->n, s->members,
                                             s->j);
}

/* Particles at the beginning of their steps, stored by coordinate. */
struct beginning {
    double x[3], v[3], a[3], jerk[3];
};

static struct beginning
beginning_of(const struct koshu_block_particles *p, size_t k)
{
    return (struct beginning){{p->x[k], p->y[k], p->z[k]},
                              {p->vx[k], p->vy[k], p->vz[k]},
                              {p->ax[k], p->ay[k], p->az[k]},
                              {p->jx[k], p->jy[k], p->jz[k]}};
}

/* Member m as it goes to the store. */
static void
put(struct koshu_block_step *s, const struct koshu_block_particles *p, size_t m,
    double time, const double x[3], const double v[3], const double a[3],
    const double jerk[3])
{
    const size_t k = s->members[m];
    s->j[m] = (struct koshu_j_particle){.id = (int64_t)(s->first + k),
                                        .time = time,
                                        .mass = p->mass[k],
                                        .x = {x[0], x[1], x[2]},
                                        .v = {v[0], v[1], v[2]},
                                        .a = {a[0], a[1], a[2]},
                                        .jerk = {jerk[0], jerk[1], jerk[2]}};
}

koshu_status
koshu_block_step_load(struct koshu_block_step *s,
                      const struct koshu_block_particles *p, const double *time)
{
#pragma omp parallel for num_threads(threads_for(s))
    for (size_t m = 0; m < s->n; m++) {
        const struct beginning b = beginning_of(p, s->members[m]);
        put(s, p, m, time[m], b.x, b.v, b.a, b.jerk);
    }
    return set(s);
}

static koshu_status
sum(struct koshu_block_step *s, size_t n_j, double time)
{
    if (s->interaction)
        return koshu_block_interaction_sum(s->interaction, s->task.eps, time,
                                           s->n, s->members, s->end, s->result);
    if (s->ranks) return koshu_block_ranks_sum(s->ranks, s, n_j, time);
    const struct koshu_j_store_ops *ops = s->j_store->ops;
    KOSHU_TRY(ops->start(s->j_store, &s->task, time, n_j, s->n, s->end));
    return ops->wait(s->j_store, s->result);
}

/* Sums with few-body groups, which are moved while the sums are computed. */
static koshu_status
sum_with_groups(struct koshu_block_step *s, size_t n_j, double time)
{
    const struct koshu_j_store_ops *ops = s->j_store->ops;
    KOSHU_TRY(ops->start(s->j_store, &s->task, time, n_j, s->n, s->end));
    const koshu_status moved = koshu_subsystems_meet(s->groups, s, time);
    KOSHU_TRY(ops->wait(s->j_store, s->result));
    KOSHU_TRY(moved);
    koshu_subsystems_resolve(s->groups, s, time);
    return KOSHU_OK;
}

/* ---- predictor and corrector --------------------------------------------- */

static void
predict(struct koshu_block_step *s, const struct koshu_block_particles *p)
{
#pragma omp parallel for num_threads(threads_for(s))
    for (size_t m = 0; m < s->n; m++) {
        struct beginning b = beginning_of(p, s->members[m]);
        struct koshu_i_particle *end = &s->end[m];
        double dt = s->dt[m];
        *end = (struct koshu_i_particle){
                .id = (int64_t)(s->first + s->members[m]),
                .knows_nearest = s->knows_nearest[m]};
        for (int c = 0; c < 3; c++) {
            end->x[c] = hermite_predict_x_f64(b.x[c], b.v[c], b.a[c], b.jerk[c],
                                              dt);
            end->v[c] = hermite_predict_v_f64(b.v[c], b.a[c], b.jerk[c], dt);
        }
    }
}

static void
correct_member(struct koshu_block_step *s, const struct beginning *b, size_t m)
{
    const struct koshu_jerk_result *r = &s->result[m];
    struct koshu_i_particle *end = &s->end[m];
    const double dt = s->dt[m];
    for (int c = 0; c < 3; c++) {
        end->v[c] = hermite_correct_v_f64(b->v[c], b->a[c], b->jerk[c], r->a[c],
                                          r->jerk[c], dt);
        end->x[c] = hermite_correct_x_f64(b->x[c], b->v[c], b->a[c], end->v[c],
                                          r->a[c], dt);
    }
}

/* The Coriolis force of the predicted velocity, whose error goes as dt^3, would
 * reduce the scheme to third order. It is therefore computed from the corrected
 * velocity; each iteration reduces the error by a factor dt. The sums are not
 * recomputed. */
static void
correct_in_field(struct koshu_block_step *s, const struct beginning *b,
                 size_t m)
{
    enum { TURNS = 3 };
    const struct koshu_jerk_result sums = s->result[m];
    const struct koshu_i_particle *end = &s->end[m];
    for (int k = 0; k < TURNS; k++) {
        struct koshu_jerk_result *r = &s->result[m];
        *r = sums;
        koshu_external_add(s->external, s->omega, end->x, end->v, r->a,
                           r->jerk);
        correct_member(s, b, m);
    }
}

static void
correct(struct koshu_block_step *s, const struct koshu_block_particles *p)
{
#pragma omp parallel for num_threads(threads_for(s))
    for (size_t m = 0; m < s->n; m++) {
        const struct beginning b = beginning_of(p, s->members[m]);
        if (s->external)
            correct_in_field(s, &b, m);
        else
            correct_member(s, &b, m);
    }
}

/* Makes the corrected state the one that the next iteration's sums use. */
static koshu_status
load_end(struct koshu_block_step *s, const struct koshu_block_particles *p,
         double time)
{
#pragma omp parallel for num_threads(threads_for(s))
    for (size_t m = 0; m < s->n; m++)
        put(s, p, m, time, s->end[m].x, s->end[m].v, s->result[m].a,
            s->result[m].jerk);
    return set(s);
}

/* One evaluation of P(EC)^n; the first uses the predicted state. */
static koshu_status
evaluate(struct koshu_block_step *s, const struct koshu_block_particles *p,
         double time, bool first)
{
    if (!first && s->status == KOSHU_OK) s->status = load_end(s, p, time);
    if (!s->ranks) KOSHU_TRY(s->status);
    KOSHU_TRY(s->groups ? sum_with_groups(s, p->n, time) : sum(s, p->n, time));
    correct(s, p);
    return KOSHU_OK;
}

koshu_status
koshu_block_step_make(struct koshu_block_step *step,
                      const struct koshu_block_particles *p, double time)
{
    step->status = KOSHU_OK;
    predict(step, p);
    for (unsigned k = 0; k < step->iterations; k++)
        KOSHU_TRY(evaluate(step, p, time, k == 0));
    return step->status;
}

static void
accept_sums(const struct koshu_block_particles *p, size_t k,
            const struct koshu_jerk_result *r)
{
    p->ax[k] = r->a[0];
    p->ay[k] = r->a[1];
    p->az[k] = r->a[2];
    p->jx[k] = r->jerk[0];
    p->jy[k] = r->jerk[1];
    p->jz[k] = r->jerk[2];
    p->potential[k] = r->potential;
}

void
koshu_block_step_accept_sums(const struct koshu_block_step *step,
                             const struct koshu_block_particles *p)
{
    for (size_t m = 0; m < step->n; m++)
        accept_sums(p, step->members[m], &step->result[m]);
}

koshu_status
koshu_block_step_accept(const struct koshu_block_step *s,
                        const struct koshu_block_particles *p)
{
    int bad = 0;
#pragma omp parallel for num_threads(threads_for(s)) reduction(| : bad)
    for (size_t m = 0; m < s->n; m++) {
        const struct koshu_i_particle *end = &s->end[m];
        size_t k = s->members[m];
        p->x[k] = end->x[0];
        p->y[k] = end->x[1];
        p->z[k] = end->x[2];
        p->vx[k] = end->v[0];
        p->vy[k] = end->v[1];
        p->vz[k] = end->v[2];
        accept_sums(p, k, &s->result[m]);
        for (int c = 0; c < 3; c++)
            bad |= !isfinite(end->x[c]) | !isfinite(end->v[c]);
    }
    return bad ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

/* ---- the criterion ------------------------------------------------------- */

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

double
koshu_block_step_criterion(const struct koshu_block_step *step,
                           const struct koshu_block_particles *p, size_t m,
                           double eta)
{
    struct beginning b = beginning_of(p, step->members[m]);
    const struct koshu_jerk_result *r = &step->result[m];
    double dt = step->dt[m], snap[3], crackle[3];
    for (int c = 0; c < 3; c++) {
        snap[c] = hermite_snap_f64(b.a[c], b.jerk[c], r->a[c], r->jerk[c], dt) /
                  (dt * dt);
        crackle[c] = hermite_crackle_f64(b.a[c], b.jerk[c], r->a[c], r->jerk[c],
                                         dt) /
                     (dt * dt * dt);
    }
    return hermite_aarseth_f64(eta, length(r->a), length(r->jerk), length(snap),
                               length(crackle));
}
