/* SPDX-License-Identifier: MIT */
/* koshu bench step: whole leapfrog steps, the particles staying where they
 * are. */
#include <math.h>
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>

#include "bench/cases.h"

static const char doc[] =
        "The time of a leapfrog step (kick, drift, forces, kick) of a Plummer "
        "sphere, without log and snapshots, and the energy error after all the "
        "steps that were made.\v"
        "Steps follow each other without a wait, as in `koshu run`: on a GPU "
        "the particles stay there, and the host prepares steps ahead.";

struct options {
    struct bench_options base;
    double dt;
};

struct row {
    struct bench_row base;
    size_t steps;        /* made in all */
    double time_unit;    /* seconds that a unit of time takes */
    double energy_error; /* over all steps */
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        BENCH_SHOW("seconds/step", "%12.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%10.3e", rate),
        {"time_unit", "per time", "%12.4e", BENCH_ROW(struct row, time_unit)},
        {"steps", "steps", "%9lld", BENCH_ROW(struct row, steps)},
        {"energy_error", "energy error", "%13.1e",
         BENCH_ROW(struct row, energy_error)},
        BENCH_TELL("fast", struct bench_options, fast),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("dt", struct options, dt),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {26, 38},
        .title = "leapfrog steps (per time: seconds that a unit of time takes)",
        .figure = {.y_label = "seconds of a step",
                   .curves = {{"koshu",
                               BENCH_ROW(struct bench_row, timing.seconds)}}},
};

/* ---- measuring ----------------------------------------------------------- */

struct stepper {
    struct bench_forces forces;
    struct koshu_integrator *integrator;
};

static koshu_status
step(void *user)
{
    struct stepper *s = user;
    return koshu_integrator_advance(s->integrator, INFINITY, false);
}

static koshu_status
wait(void *user)
{
    struct stepper *s = user;
    return koshu_solver_wait(s->forces.solver);
}

static koshu_status
energy(struct stepper *s, double *total)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    KOSHU_TRY(koshu_diagnostics_compute(s->forces.particles, &diagnostics));
    *total = diagnostics.total;
    return KOSHU_OK;
}

static koshu_status
take_steps(const struct options *o, struct stepper *s, struct row *row)
{
    const struct bench_work work = {step, wait, s};
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    double before, after;
    KOSHU_TRY(energy(s, &before));
    KOSHU_TRY(bench_time(&work, o->base.repeats, &row->base.timing));
    KOSHU_TRY(koshu_integrator_clock(s->integrator, &clock));
    KOSHU_TRY(energy(s, &after));
    row->steps = clock.steps;
    row->time_unit = row->base.timing.seconds / o->dt;
    row->energy_error = fabs(after / before - 1);
    return KOSHU_OK;
}

static koshu_status
measure(struct bench *b, struct row *row)
{
    const struct options *o = b->own;
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    struct stepper s = {0};
    koshu_status status;
    options.dt = o->dt;
    KOSHU_TRY_CLEANUP(bench_forces_make(b, row->base.n, &s.forces));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(
            s.forces.solver, s.forces.particles, 0, &options, &s.integrator));
    KOSHU_TRY_CLEANUP(take_steps(o, &s, row));
cleanup:
    koshu_integrator_destroy(s.integrator);
    bench_forces_free(&s.forces);
    return status;
}

static koshu_status
run(struct bench *b)
{
    const struct count_list *n = &b->options->n;
    bench_start(b, &table, 0);
    for (size_t k = 0; k < n->n; k++) {
        struct row row = {.base = bench_row(b, n->value[k])};
        KOSHU_TRY(measure(b, &row));
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

static const struct command_option own[] = {
        {"dt", 0, "T", "time step (1/1024)", BENCH_OPTION(struct options, dt)},
        {0}};

static const struct options defaults = {
        .base = {.n = {5, {1024, 2048, 4096, 8192, 16384}},
                 .eps2 = 0.01,
                 .seed = 1},
        .dt = 1.0 / 1024,
};

const struct bench_case bench_step = {
        .name = "step",
        .summary = "whole leapfrog steps",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_BACKEND |
                 BENCH_TAKES_THREADS | BENCH_TAKES_EPS2 | BENCH_TAKES_FAST |
                 BENCH_TAKES_REPEATS | BENCH_TAKES_SEED | BENCH_TAKES_FILE |
                 BENCH_TAKES_PLOT,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .run = run,
};
