/* SPDX-License-Identifier: MIT */
#include "integrate/integrate.h"

#include "base/base.h"

/* ---- leapfrog ------------------------------------------------------------ */

static void
destroy_leapfrog(void *self)
{
    koshu_leapfrog_destroy(self);
}

static koshu_status
evaluate_leapfrog(void *self)
{
    return koshu_leapfrog_evaluate(self);
}

static koshu_status
advance_leapfrog(void *self, double until, bool potential)
{
    return koshu_leapfrog_step(self, until, potential);
}

static struct koshu_integrator_clock
clock_leapfrog(const void *self)
{
    struct koshu_leapfrog_clock c = koshu_leapfrog_clock_of(self);
    return (struct koshu_integrator_clock){.time = c.time,
                                           .synchronised = c.time,
                                           .steps = c.steps,
                                           .rounds = c.steps,
                                           .origin_time = c.origin_time,
                                           .origin_rounds = c.origin_steps};
}

static koshu_status
resume_leapfrog(void *self, const struct koshu_integrator_clock *clock,
                bool changed)
{
    struct koshu_leapfrog_clock c = {.time = clock->time,
                                     .steps = clock->steps,
                                     .origin_time = clock->origin_time,
                                     .origin_steps = clock->origin_rounds};
    if (changed) {
        c.origin_time = c.time;
        c.origin_steps = c.steps;
    }
    koshu_leapfrog_resume(self, &c);
    return changed ? koshu_leapfrog_evaluate(self) : KOSHU_OK;
}

static struct koshu_integrator_work
work_leapfrog(const void *self)
{
    (void)self;
    return (struct koshu_integrator_work){0};
}

static const struct koshu_integrator_ops leapfrog = {
        .destroy = destroy_leapfrog,
        .evaluate = evaluate_leapfrog,
        .advance = advance_leapfrog,
        .clock = clock_leapfrog,
        .resume = resume_leapfrog,
        .work = work_leapfrog};

koshu_status
koshu_integrator_leapfrog(const struct koshu_leapfrog_options *options,
                          struct koshu_solver *solver,
                          struct koshu_particles *particles, double time,
                          struct koshu_integrator *integrator)
{
    struct koshu_leapfrog *self;
    KOSHU_TRY(koshu_leapfrog_create(options, solver, particles, time, &self));
    *integrator = (struct koshu_integrator){&leapfrog, self};
    return KOSHU_OK;
}

/* ---- Hermite ------------------------------------------------------------- */

static void
destroy_hermite(void *self)
{
    koshu_hermite_destroy(self);
}

static koshu_status
evaluate_hermite(void *self)
{
    return koshu_hermite_evaluate(self);
}

static koshu_status
advance_hermite(void *self, double until, bool potential)
{
    return koshu_hermite_advance(self, until, potential);
}

static struct koshu_integrator_clock
clock_hermite(const void *self)
{
    struct koshu_hermite_clock c = koshu_hermite_clock_of(self);
    return (struct koshu_integrator_clock){.time = c.time,
                                           .synchronised = c.synchronised,
                                           .steps = c.blocks,
                                           .particle_steps = c.steps,
                                           .rounds = c.origin_rounds +
                                                     c.ticks / KOSHU_TICKS,
                                           .origin_time = c.origin_time,
                                           .origin_rounds = c.origin_rounds,
                                           .tick = c.dt / (double)KOSHU_TICKS,
                                           .ticks = c.ticks};
}

static koshu_status
resume_hermite(void *self, const struct koshu_integrator_clock *clock,
               bool changed)
{
    const struct koshu_hermite_clock c = {
            .time = clock->time,
            .synchronised = clock->synchronised,
            .origin_time = clock->origin_time,
            .dt = clock->tick * (double)KOSHU_TICKS,
            .ticks = clock->ticks,
            .blocks = clock->steps,
            .steps = clock->particle_steps,
            .origin_rounds = clock->origin_rounds};
    koshu_hermite_resume(self, &c);
    return changed ? koshu_hermite_evaluate(self) : KOSHU_OK;
}

static struct koshu_integrator_work
work_hermite(const void *self)
{
    return (struct koshu_integrator_work){koshu_hermite_interactions(self),
                                          koshu_hermite_seconds(self)};
}

static const struct koshu_integrator_ops hermite = {.destroy = destroy_hermite,
                                                    .evaluate =
                                                            evaluate_hermite,
                                                    .advance = advance_hermite,
                                                    .clock = clock_hermite,
                                                    .resume = resume_hermite,
                                                    .work = work_hermite};

koshu_status
koshu_integrator_hermite(const struct koshu_hermite_options *options,
                         struct koshu_solver *solver,
                         struct koshu_particles *particles, double time,
                         struct koshu_integrator *integrator)
{
    struct koshu_hermite *self;
    KOSHU_TRY(koshu_hermite_create(options, solver, particles, time, &self));
    *integrator = (struct koshu_integrator){&hermite, self};
    return KOSHU_OK;
}
