/* SPDX-License-Identifier: MIT */
/* First steps, synchronisation and potentials of a Hermite integrator. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/block_step.h"
#include "integrate/hermite.h"
#include "kernels/steps.h"
#include "particles/particles.h"

/* Makes all particles one block. */
static koshu_status
all_members(struct koshu_hermite *h, const struct koshu_block_particles *p,
            struct koshu_block_step *step)
{
    struct koshu_block_task task = koshu_hermite_task(h);
    int ranks = koshu_context_ranks(h->base.context);
    size_t total = koshu_particles_total(h->base.particles);
    koshu_status status =
            koshu_block_step_create(h->base.backend, &task, p->n, step);
    status = koshu_ranks_collective_status(h->base.context, status);
    if (status != KOSHU_OK) {
        koshu_block_step_destroy(step);
        return status;
    }
    step->external = h->base.external;
    step->omega = koshu_external_rotation(h->base.external);
    for (int r = 0; r < ranks; r++)
        step->members_of[r] = koshu_slice_of(total, r, ranks).n;
    koshu_block_step_take_all(step, p->n);
    return KOSHU_OK;
}

/* Counts `times` sums on all particles. */
static void
count(struct koshu_hermite *h, unsigned times, double start)
{
    uint64_t n = koshu_particles_total(h->base.particles);
    h->base.work.interactions += n * n * times;
    h->base.work.seconds += koshu_now() - start;
}

void
koshu_hermite_new_origin(struct koshu_hermite *h,
                         const struct koshu_block_particles *p)
{
    koshu_clock_new_origin(&h->base.clock);
    h->base.clock.tick = h->base.options.dt / (double)KOSHU_TICKS;
    memset(p->tick, 0, p->n * sizeof *p->tick);
}

/* ---- the beginning ------------------------------------------------------- */

static double
length2(double x, double y, double z)
{
    return x * x + y * y + z * z;
}

/* The square of the time in which the acceleration changes. |a| / |jerk| is
 * useless where the jerk happens to vanish: for bodies at rest, or for one
 * among many thousands. There sqrt(|pot|) / |a|, the time to fall through the
 * distance |pot| / |a|, is used: the smaller of both; fmin() skips 0/0. |a| /
 * |jerk| is also useless where accelerations cancel, as midway between three
 * bodies. There the bound is a hundredth of sqrt(sqrt(|pot|) / |jerk|), the
 * time in which a speed of sqrt(|pot|) changes. */
static double
time_scale2(const struct koshu_block_particles *p, size_t i, double speed2)
{
    double a2 = length2(p->ax[i], p->ay[i], p->az[i]);
    double jerk2 = length2(p->jx[i], p->jy[i], p->jz[i]);
    const double cancelled = 1e-4 * sqrt(speed2 / jerk2);
    return fmin(fmax(a2 / jerk2, cancelled), speed2 / a2);
}

/* In external fields the potential may be 0 anywhere, and a single body has no
 * other potential, so its speed counts as well. If all of them are 0, nothing
 * is known and any step will do. */
double
koshu_hermite_time_scale2(const struct koshu_block_particles *p, size_t i,
                          const struct koshu_external *external)
{
    const double pot = fabs(p->potential[i]);
    const double x[3] = {p->x[i], p->y[i], p->z[i]};
    const double v[3] = {p->vx[i], p->vy[i], p->vz[i]};
    if (!external) return time_scale2(p, i, pot);
    const struct koshu_field_sum s = koshu_external_at(external, x, v);
    const double speed2 = pot + fabs(s.potential) + length2(v[0], v[1], v[2]);
    return speed2 > 0 ? time_scale2(p, i, speed2) : INFINITY;
}

/* Sets the first steps; 0: it would be shorter than a tick. */
static void
first_steps(struct koshu_hermite *h, const struct koshu_block_particles *p)
{
    const struct koshu_integrator_options *o = &h->base.options;
    double per_tick = o->eta_start * (double)KOSHU_TICKS / o->dt;
    for (size_t i = 0; i < p->n; i++) {
        double dt2 = koshu_hermite_time_scale2(p, i, h->base.external) *
                     per_tick * per_tick;
        p->step[i] = o->step_rule == KOSHU_STEP_RULE_FIXED
                             ? KOSHU_TICKS
                             : koshu_first_step(KOSHU_TICKS, dt2);
        /* its binary becomes a group, which has its own step */
        if (o->regularisation > 0 && p->step[i] == 0) p->step[i] = 1;
    }
}

/* A step of 0 must not be predicted from whatever the arrays hold. */
static void
forget_sums(const struct koshu_block_particles *p)
{
    double *const old[] = {p->ax, p->ay, p->az, p->jx, p->jy, p->jz};
    for (int k = 0; k < 6; k++) memset(old[k], 0, p->n * sizeof *old[k]);
}

/* Sums at the positions of the particles p, which are synchronised. */
static koshu_status
sum_all(struct koshu_hermite *h, const struct koshu_block_particles *particles)
{
    const struct koshu_block_particles p = *particles;
    struct koshu_block_step step;
    KOSHU_TRY(all_members(h, &p, &step));
    forget_sums(&p);
    /* the synchronised time is time 0 of the store */
    memset(step.dt, 0, p.n * sizeof *step.dt);
    koshu_status status = koshu_block_step_load(&step, &p, step.dt);
    status = koshu_ranks_collective_status(h->base.context, status);
    step.iterations = 1;
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                h->base.context, koshu_block_step_make(&step, &p, 0));
    if (status == KOSHU_OK) koshu_block_step_accept_sums(&step, &p);
    koshu_block_step_destroy(&step);
    return status;
}

koshu_status
koshu_hermite_renew(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    const double start = koshu_now();
    koshu_hermite_drop_engine(h);
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    KOSHU_TRY(sum_all(h, &p));
    count(h, 1, start);
    return koshu_hermite_potential(h);
}

koshu_status
koshu_hermite_start(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    double start = koshu_now();
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    KOSHU_TRY(sum_all(h, &p));
    koshu_hermite_new_origin(h, &p);
    first_steps(h, &p);
    count(h, 1, start);
    return KOSHU_OK;
}

/* ---- all to one time ----------------------------------------------------- */

/* Chooses the next steps, except after a step cut to less than half: there the
 * differences of accelerations are mostly rounding, and the criterion waits for
 * the next step. */
static void
next_steps(const struct koshu_hermite *h, const struct koshu_block_step *step,
           const struct koshu_block_particles *p, double tick)
{
    const uint64_t odd = 1; /* after an odd number of steps none is doubled */
    if (h->base.options.step_rule == KOSHU_STEP_RULE_FIXED) return;
    for (size_t i = 0; i < p->n; i++) {
        if (2 * fabs(step->dt[i]) < (double)p->step[i] * fabs(tick)) continue;
        double dt2 =
                koshu_block_step_criterion(step, p, i, h->base.options.eta);
        p->step[i] = koshu_next_step(p->step[i], odd, KOSHU_TICKS,
                                     dt2 / (tick * tick));
    }
}

/* The store's times count from the end of the step. */
static koshu_status
step_to(struct koshu_hermite *h, const struct koshu_block_particles *p,
        struct koshu_block_step *step, double time)
{
    const double tick = h->base.clock.tick;
    double rest = time - h->base.clock.origin_time;
    for (size_t i = 0; i < p->n; i++)
        step->dt[i] = (double)p->tick[i] * tick - rest;
    koshu_status status = koshu_block_step_load(step, p, step->dt);
    KOSHU_TRY(koshu_ranks_collective_status(h->base.context, status));
    for (size_t i = 0; i < p->n; i++) step->dt[i] = -step->dt[i];
    status = koshu_block_step_make(step, p, 0);
    KOSHU_TRY(koshu_ranks_collective_status(h->base.context, status));
    next_steps(h, step, p, tick);
    status = koshu_block_step_accept(step, p);
    return koshu_ranks_collective_status(h->base.context, status);
}

koshu_status
koshu_hermite_synchronise(struct koshu_hermite *h, double time)
{
    struct koshu_integrator_clock *c = &h->base.clock;
    struct koshu_block_particles p;
    struct koshu_block_step step;
    double start = koshu_now();
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    KOSHU_TRY(all_members(h, &p, &step));
    koshu_status status = step_to(h, &p, &step, time);
    koshu_block_step_destroy(&step);
    if (status == KOSHU_ERROR_NOT_FINITE)
        return koshu_name_not_finite(&h->base, time, "a block step");
    KOSHU_TRY(status);
    c->time = c->synchronised = time;
    c->steps++;
    c->synchronised_steps++;
    c->particle_steps += koshu_particles_total(h->base.particles);
    koshu_hermite_new_origin(h, &p);
    count(h, h->base.options.iterations, start);
    return KOSHU_OK;
}

/* ---- potentials ---------------------------------------------------------- */

static void
copy_vectors(double *const to[3], double *const from[3], size_t n)
{
    for (int c = 0; n > 0 && c < 3; c++)
        memcpy(to[c], from[c], n * sizeof *to[c]);
}

koshu_status
koshu_hermite_potential(struct koshu_hermite *h)
{
    struct koshu_particle_view v;
    size_t n = koshu_particles_count(h->base.particles);
    koshu_status status = KOSHU_GROW(h, accelerations, 3 * n, h->base.context,
                                     "accelerations");
    KOSHU_TRY(koshu_ranks_collective_status(h->base.context, status));
    double *a = h->accelerations;
    KOSHU_TRY(koshu_particles_on_host(h->base.particles,
                                      KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    double *const kept[] = {a, a + n, a + 2 * n};
    copy_vectors(kept, (double *const[]){v.ax, v.ay, v.az}, n);
    KOSHU_TRY(koshu_solver_forces(h->base.solver, h->base.particles,
                                  KOSHU_FIELD_ACCELERATION |
                                          KOSHU_FIELD_POTENTIAL));
    KOSHU_TRY(koshu_particles_on_host(h->base.particles,
                                      KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_WRITE, &v));
    copy_vectors((double *const[]){v.ax, v.ay, v.az}, kept, n);
    return KOSHU_OK;
}
