/* SPDX-License-Identifier: MIT */
/* koshu bench step: complete leapfrog steps with resident particles. */
#include <math.h>

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
    size_t steps;        /* in total */
    double time_unit;    /* seconds per unit of time */
    double energy_error; /* over all steps */
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        BENCH_SHOW("seconds/step", "%12.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%10.3e", rate),
        {"time_unit", "per time", "%12.4e", ROW(time_unit)},
        {"steps", "steps", "%9lld", ROW(steps)},
        {"energy_error", "energy error", "%13.1e", ROW(energy_error)},
        BENCH_TELL("fast", struct bench_options, fast),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("dt", struct options, dt),
        {0}};

static koshu_status
step(void *user)
{
    struct bench_system *s = user;
    return koshu_integrator_advance(s->integrator, INFINITY, false);
}

static koshu_status
energy(struct bench_system *s, double *total)
{
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    return bench_energy(s, total);
}

static koshu_status
take_steps(const struct options *o, struct bench_system *s, struct row *row)
{
    const struct bench_work work = {step, bench_wait, s};
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
measure(struct bench *b, void *row)
{
    const struct options *o = b->own;
    struct koshu_integrator_options leapfrog =
            koshu_integrator_options_default();
    struct bench_system s;
    leapfrog.dt = o->dt;
    koshu_status status = bench_system_make(b, ((struct row *)row)->base.n,
                                            NULL, &leapfrog, &s);
    if (status == KOSHU_OK) status = take_steps(o, &s, row);
    bench_system_free(&s);
    return status;
}

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {26, 38},
        .title = "leapfrog steps (per time: seconds that a unit of time takes)",
        .figure = {.y_label = "seconds of a step",
                   .curves = {{"koshu", ROW(base.timing.seconds)}}},
        .measure = measure,
};

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
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_EPS2 | BENCH_TAKES_FAST | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .rounds = true,
        .table = &table,
};
