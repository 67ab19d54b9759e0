/* SPDX-License-Identifier: MIT */
#include "plain_block.h"

#include <math.h>
#include <string.h>

#include <koshu/koshu.h>

#include "base/base.h"
#include "check.h"
#include "kernels/kernels.h"
#include "kernels/steps.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#include "kernels/jerk.h"
#include "particles/particles.h"

enum { DOUBLES = 14 }; /* doubles per particle, mass first */

static void
list_doubles(const struct koshu_block_particles *p, double *(*list)[DOUBLES])
{
    double *const all[DOUBLES] = {(double *)p->mass,
                                  p->x,
                                  p->y,
                                  p->z,
                                  p->vx,
                                  p->vy,
                                  p->vz,
                                  p->ax,
                                  p->ay,
                                  p->az,
                                  p->jx,
                                  p->jy,
                                  p->jz,
                                  p->potential};
    memcpy(*list, all, sizeof all);
}

struct koshu_block_particles
plain_particles(size_t n)
{
    double *d[DOUBLES];
    for (int k = 0; k < DOUBLES; k++) {
        d[k] = koshu_alloc(n, sizeof *d[k]);
        assert_non_null(d[k]);
    }
    struct koshu_block_particles p = {n,
                                      d[0],
                                      d[1],
                                      d[2],
                                      d[3],
                                      d[4],
                                      d[5],
                                      d[6],
                                      d[7],
                                      d[8],
                                      d[9],
                                      d[10],
                                      d[11],
                                      d[12],
                                      d[13],
                                      koshu_alloc(n, sizeof *p.tick),
                                      koshu_alloc(n, sizeof *p.step)};
    assert_non_null(p.tick);
    assert_non_null(p.step);
    return p;
}

void
plain_free(struct koshu_block_particles *p)
{
    double *d[DOUBLES];
    list_doubles(p, &d);
    for (int k = 0; k < DOUBLES; k++) koshu_free(d[k]);
    koshu_free(p->tick);
    koshu_free(p->step);
}

struct koshu_block_particles
plain_copy(const struct koshu_block_particles *p)
{
    struct koshu_block_particles c = plain_particles(p->n);
    double *from[DOUBLES], *to[DOUBLES];
    list_doubles(p, &from);
    list_doubles(&c, &to);
    for (int k = 0; k < DOUBLES; k++)
        memcpy(to[k], from[k], p->n * sizeof *to[k]);
    memcpy(c.tick, p->tick, p->n * sizeof *c.tick);
    memcpy(c.step, p->step, p->n * sizeof *c.step);
    return c;
}

struct koshu_block_particles
plain_plummer(size_t n, const struct koshu_block_task *task)
{
    struct koshu_context *context = test_context("ref", 0);
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *particles;
    struct koshu_particle_view v;
    struct koshu_block_particles p = plain_particles(n);
    double *to[DOUBLES];
    options.n = n;
    assert_ok(context, koshu_initial_create(context, &options, &particles));
    assert_ok(context,
              koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, &v));
    const double *from[] = {v.mass, v.x, v.y, v.z, v.vx, v.vy, v.vz};
    list_doubles(&p, &to);
    for (int k = 0; k < 7; k++) memcpy(to[k], from[k], n * sizeof *to[k]);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
    plain_begin(&p, task, 0.0025);
    return p;
}

/* ---- sums ---------------------------------------------------------------- */

/* x and v of all particles, component by component. */
struct places {
    double *x[3], *v[3];
};

static struct places
places_of(const struct koshu_block_particles *p)
{
    return (struct places){{p->x, p->y, p->z}, {p->vx, p->vy, p->vz}};
}

/* The sum on particle i, without itself. */
static struct jerk_sum_f64
sum_on(const struct places *at, const double *mass, size_t n, size_t i,
       double eps)
{
    struct jerk_sum_f64 s = {0};
    for (size_t j = 0; j < n; j++) {
        double d[3], w[3], r2 = eps * eps;
        if (j == i) continue;
        for (int c = 0; c < 3; c++) {
            d[c] = at->x[c][j] - at->x[c][i];
            w[c] = at->v[c][j] - at->v[c][i];
            r2 += d[c] * d[c];
        }
        jerk_add_f64(&s, d[0], d[1], d[2], w[0], w[1], w[2], mass[j],
                     1 / sqrt(r2));
    }
    return s;
}

void
plain_begin(struct koshu_block_particles *p,
            const struct koshu_block_task *task, double eta_start)
{
    const struct places at = places_of(p);
    for (size_t i = 0; i < p->n; i++) {
        struct jerk_sum_f64 s = sum_on(&at, p->mass, p->n, i, task->eps);
        double a2 = s.ax * s.ax + s.ay * s.ay + s.az * s.az;
        double j2 = s.jx * s.jx + s.jy * s.jy + s.jz * s.jz;
        double start = eta_start / task->tick;
        p->ax[i] = s.ax, p->ay[i] = s.ay, p->az[i] = s.az;
        p->jx[i] = s.jx, p->jy[i] = s.jy, p->jz[i] = s.jz;
        p->potential[i] = -s.mr;
        p->step[i] = task->fixed ? task->longest
                                 : koshu_first_step(task->longest,
                                                    start * start * a2 / j2);
    }
}

double
plain_energy(const struct koshu_block_particles *p, double eps)
{
    const struct places at = places_of(p);
    double energy = 0;
    for (size_t i = 0; i < p->n; i++) {
        double v2 =
                p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        energy += p->mass[i] * (v2 - sum_on(&at, p->mass, p->n, i, eps).mr) / 2;
    }
    return energy;
}

/* ---- block steps --------------------------------------------------------- */

/* A particle's x, v, a and jerk, by component. */
struct state {
    double x[3], v[3], a[3], j[3];
};

static struct state
state_of(const struct koshu_block_particles *p, size_t i)
{
    return (struct state){{p->x[i], p->y[i], p->z[i]},
                          {p->vx[i], p->vy[i], p->vz[i]},
                          {p->ax[i], p->ay[i], p->az[i]},
                          {p->jx[i], p->jy[i], p->jz[i]}};
}

static void
predict(const struct koshu_block_particles *p, uint64_t time, double tick,
        const struct places *at)
{
    for (size_t i = 0; i < p->n; i++) {
        struct state s = state_of(p, i);
        double dt = (double)(time - p->tick[i]) * tick;
        for (int c = 0; c < 3; c++) {
            at->x[c][i] =
                    hermite_predict_x_f64(s.x[c], s.v[c], s.a[c], s.j[c], dt);
            at->v[c][i] = hermite_predict_v_f64(s.v[c], s.a[c], s.j[c], dt);
        }
    }
}

static struct state
correct(const struct state *from, const struct jerk_sum_f64 *s, double dt)
{
    struct state to = {{0}, {0}, {s->ax, s->ay, s->az}, {s->jx, s->jy, s->jz}};
    for (int c = 0; c < 3; c++) {
        to.v[c] = hermite_correct_v_f64(from->v[c], from->a[c], from->j[c],
                                        to.a[c], to.j[c], dt);
        to.x[c] = hermite_correct_x_f64(from->x[c], from->v[c], from->a[c],
                                        to.v[c], to.a[c], dt);
    }
    return to;
}

static uint64_t
choose(const struct state *from, const struct state *to, double dt,
       uint64_t step, uint64_t time, const struct koshu_block_task *task)
{
    double a2 = 0, j2 = 0, snap2 = 0, crackle2 = 0;
    for (int c = 0; c < 3; c++) {
        double snap = hermite_snap_f64(from->a[c], from->j[c], to->a[c],
                                       to->j[c], dt) /
                      (dt * dt);
        double crackle = hermite_crackle_f64(from->a[c], from->j[c], to->a[c],
                                             to->j[c], dt) /
                         (dt * dt * dt);
        a2 += to->a[c] * to->a[c];
        j2 += to->j[c] * to->j[c];
        snap2 += snap * snap;
        crackle2 += crackle * crackle;
    }
    double dt2 = hermite_aarseth_f64(task->eta, sqrt(a2), sqrt(j2), sqrt(snap2),
                                     sqrt(crackle2));
    return koshu_next_step(step, time, task->longest,
                           dt2 / (task->tick * task->tick));
}

static void
accept(struct koshu_block_particles *p, size_t i, const struct state *s,
       double mr)
{
    p->x[i] = s->x[0], p->y[i] = s->x[1], p->z[i] = s->x[2];
    p->vx[i] = s->v[0], p->vy[i] = s->v[1], p->vz[i] = s->v[2];
    p->ax[i] = s->a[0], p->ay[i] = s->a[1], p->az[i] = s->a[2];
    p->jx[i] = s->j[0], p->jy[i] = s->j[1], p->jz[i] = s->j[2];
    p->potential[i] = -mr;
}

static void
make_block(struct koshu_block_particles *p, const struct koshu_block_task *task,
           uint64_t time, const struct places *at, struct state *end,
           double *mr)
{
    predict(p, time, task->tick, at);
    for (unsigned k = 0; k < task->iterations; k++) {
        for (size_t i = 0; i < p->n; i++) {
            if (p->tick[i] + p->step[i] != time) continue;
            struct state from = state_of(p, i);
            struct jerk_sum_f64 s = sum_on(at, p->mass, p->n, i, task->eps);
            end[i] = correct(&from, &s, (double)p->step[i] * task->tick);
            mr[i] = s.mr;
        }
        for (size_t i = 0; i < p->n; i++)
            for (int c = 0; c < 3 && p->tick[i] + p->step[i] == time; c++) {
                at->x[c][i] = end[i].x[c];
                at->v[c][i] = end[i].v[c];
            }
    }
    for (size_t i = 0; i < p->n; i++) {
        if (p->tick[i] + p->step[i] != time) continue;
        struct state from = state_of(p, i);
        double dt = (double)p->step[i] * task->tick;
        p->tick[i] = time;
        if (!task->fixed)
            p->step[i] = choose(&from, &end[i], dt, p->step[i], time, task);
        accept(p, i, &end[i], mr[i]);
    }
}

void
plain_run(struct koshu_block_particles *p, const struct koshu_block_task *task,
          uint64_t until)
{
    struct koshu_block_particles predicted = plain_particles(p->n);
    const struct places at = places_of(&predicted);
    struct state *end = koshu_alloc(p->n, sizeof *end);
    double *mr = koshu_alloc(p->n, sizeof *mr);
    assert_non_null(end);
    assert_non_null(mr);
    for (;;) {
        uint64_t time = UINT64_MAX;
        for (size_t i = 0; i < p->n; i++)
            if (p->tick[i] + p->step[i] < time) time = p->tick[i] + p->step[i];
        if (time > until) break;
        make_block(p, task, time, &at, end, mr);
    }
    koshu_free(mr);
    koshu_free(end);
    plain_free(&predicted);
}
