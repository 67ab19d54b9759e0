/* SPDX-License-Identifier: MIT */
/* koshu bench tree --table belleman08-7: a time unit by tree and leapfrog. */
#include <math.h>

#include "bench/cases/tree.h"

struct row {
    struct bench_row base;
    size_t steps;
    double time_unit, energy_error, theta, list_length;
    const char *order;
    struct koshu_tree_report total;
};

#define STAGE(name)                                        \
    {                                                      \
#name "_seconds", .field = ROW(total.seconds.name) \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"steps", "steps", "%6lld", ROW(steps)},
        BENCH_SHOW("seconds", "%9.4g", timing.seconds),
        {"list_length", "list", "%7.0f", ROW(list_length)},
        {"energy_error", "dE/E", "%9.2e", ROW(energy_error)},
        BENCH_BAR(0),
        {NULL, "7 GRAPE", "%8.4g", PAPER("belleman08-7.grape")},
        {"paper_kirin_seconds", "kirin", "%8.4g", PAPER("belleman08-7.kirin")},
        {"paper_cpu_seconds", "Xeon", "%8.4g", PAPER("belleman08-7.cpu")},
        BENCH_BAR(0),
        {NULL, "8 GRAPE", "%8.1e", PAPER("belleman08-8.grape")},
        {"paper_kirin_energy_error", "kirin", "%8.1e",
         PAPER("belleman08-8.kirin")},
        {"paper_cpu_energy_error", "Xeon", "%8.1e", PAPER("belleman08-8.cpu")},
        STAGE(keys),
        STAGE(sort),
        STAGE(build),
        STAGE(moments),
        STAGE(groups),
        STAGE(walk),
        STAGE(transfer),
        STAGE(force),
        {"time_unit", .field = ROW(time_unit)},
        {"order", .field = ROW(order), .views = BENCH_HEAD},
        {"theta", .field = ROW(theta), .views = BENCH_HEAD},
        {"n_crit", .field = ROW(total.n_crit)},
        BENCH_TELL("table", struct bench_options, table),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("dt", struct tree_options, dt),
        {0}};

/* Times the first forces, and all steps. */
static koshu_status
take_time(const struct bench_system *s, double *seconds, double *energy_error)
{
    const double unit = 1;
    double first, last;
    const double start = koshu_now();
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    *seconds = koshu_now() - start;
    KOSHU_TRY(bench_energy(s, &first));
    const double go_on = koshu_now();
    while (koshu_integrator_time(s->integrator) < unit)
        KOSHU_TRY(koshu_integrator_advance(s->integrator, unit, true));
    KOSHU_TRY(koshu_solver_wait(s->solver));
    *seconds += koshu_now() - go_on;
    KOSHU_TRY(bench_energy(s, &last));
    *energy_error = (last - first) / fabs(first);
    return KOSHU_OK;
}

static koshu_status
integrate(const struct bench_system *s, struct row *row)
{
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    struct bench_timing *timing = &row->base.timing;
    KOSHU_TRY(take_time(s, &timing->seconds, &row->energy_error));
    KOSHU_TRY(koshu_integrator_clock(s->integrator, &clock));
    row->total.size = sizeof row->total;
    KOSHU_TRY(koshu_solver_tree_total(s->solver, &row->total));
    timing->repeats = 1;
    row->steps = clock.steps;
    row->base.interactions = (double)row->total.interactions;
    row->list_length = row->base.interactions / (double)row->total.particles;
    return KOSHU_OK;
}

static koshu_status
measure(struct bench *b, void *user)
{
    const struct tree_options *o = b->own;
    const struct koshu_solver_options solver = tree_solver_options(b, &o->tree);
    struct koshu_integrator_options leapfrog =
            koshu_integrator_options_default();
    struct row *row = user;
    struct bench_system s;
    leapfrog.dt = o->dt;
    row->time_unit = 1;
    row->theta = o->tree.theta;
    row->order = koshu_multipole_order_name(o->order.value);
    koshu_status status =
            bench_system_make(b, row->base.n, &solver, &leapfrog, &s);
    if (status == KOSHU_OK) status = integrate(&s, row);
    bench_system_free(&s);
    return status;
}

const struct bench_table tree_time_unit = {
        .name = "tree --table",
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title = "treecode and leapfrog over one time unit",
        .figure = {.y_label = "seconds of a time unit",
                   .curves = {{"koshu", ROW(base.timing.seconds)}},
                   .papers = {"belleman08-7.grape", "belleman08-7.kirin",
                              "belleman08-7.cpu"}},
        .measure = measure,
        .longest = 30,
        .power = 1.2,
};
