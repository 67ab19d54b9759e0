/* SPDX-License-Identifier: MIT */
/* koshu bench tree --table: a time unit by tree and leapfrog. */
#include <math.h>
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>

#include "bench/cases/tree.h"
#include "bench/internal.h"

struct row {
    struct bench_row base;
    size_t steps;
    double time_unit, energy_error, theta, list_length;
    const char *order;
    struct koshu_tree_report total;
};

/* ---- columns ------------------------------------------------------------- */

#define STAGE(name)                                                          \
    {                                                                        \
#name "_seconds", .field = BENCH_ROW(struct row, total.seconds.name) \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"steps", "steps", "%6lld", BENCH_ROW(struct row, steps)},
        BENCH_SHOW("seconds", "%9.4g", timing.seconds),
        {"list_length", "list", "%7.0f", BENCH_ROW(struct row, list_length)},
        {"energy_error", "dE/E", "%9.2e", BENCH_ROW(struct row, energy_error)},
        BENCH_BAR(0),
        {NULL, "7 GRAPE", "%8.4g", BENCH_PAPER("belleman08-7.grape")},
        {"paper_kirin_seconds", "kirin", "%8.4g",
         BENCH_PAPER("belleman08-7.kirin")},
        {"paper_cpu_seconds", "Xeon", "%8.4g", BENCH_PAPER("belleman08-7.cpu")},
        BENCH_BAR(0),
        {NULL, "8 GRAPE", "%8.1e", BENCH_PAPER("belleman08-8.grape")},
        {"paper_kirin_energy_error", "kirin", "%8.1e",
         BENCH_PAPER("belleman08-8.kirin")},
        {"paper_cpu_energy_error", "Xeon", "%8.1e",
         BENCH_PAPER("belleman08-8.cpu")},
        STAGE(keys),
        STAGE(sort),
        STAGE(build),
        STAGE(moments),
        STAGE(groups),
        STAGE(walk),
        STAGE(transfer),
        STAGE(force),
        {"time_unit", .field = BENCH_ROW(struct row, time_unit)},
        {"order", .field = BENCH_ROW(struct row, order), .views = BENCH_HEAD},
        {"theta", .field = BENCH_ROW(struct row, theta), .views = BENCH_HEAD},
        {"n_crit", .field = BENCH_ROW(struct row, total.n_crit)},
        BENCH_TELL("table", struct bench_options, table),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("dt", struct tree_options, dt),
        {0}};

static const struct bench_table table = {
        .name = "tree --table",
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title = "treecode and leapfrog over one time unit",
        .figure = {.y_label = "seconds of a time unit",
                   .curves = {{"koshu",
                               BENCH_ROW(struct bench_row, timing.seconds)}},
                   .papers = {"belleman08-7.grape", "belleman08-7.kirin",
                              "belleman08-7.cpu"}},
};

/* ---- measuring ----------------------------------------------------------- */

struct system {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static koshu_status
make(struct bench *b, size_t n, struct system *s)
{
    const struct tree_options *o = b->own;
    const struct koshu_tree_options tree = tree_options_of(o);
    const struct koshu_solver_options solver = tree_solver_options(o, &tree);
    struct koshu_integrator_options integrator =
            koshu_integrator_options_default();
    integrator.dt = o->dt;
    KOSHU_TRY(bench_particles(b, n, &s->particles));
    KOSHU_TRY(koshu_solver_create(b->context, &solver, &s->solver));
    return koshu_integrator_create(s->solver, s->particles, 0, &integrator,
                                   &s->integrator);
}

static koshu_status
energy(const struct system *s, double *total)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    KOSHU_TRY(koshu_diagnostics_compute(s->particles, &diagnostics));
    *total = diagnostics.total;
    return KOSHU_OK;
}

/* The first forces, and all steps. */
static koshu_status
take_time(const struct system *s, double *seconds, double *energy_error)
{
    const double unit = 1;
    double first, last;
    const double start = koshu_now();
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    *seconds = koshu_now() - start;
    KOSHU_TRY(energy(s, &first));
    const double go_on = koshu_now();
    while (koshu_integrator_time(s->integrator) < unit)
        KOSHU_TRY(koshu_integrator_advance(s->integrator, unit, true));
    KOSHU_TRY(koshu_solver_wait(s->solver));
    *seconds += koshu_now() - go_on;
    KOSHU_TRY(energy(s, &last));
    *energy_error = (last - first) / fabs(first);
    return KOSHU_OK;
}

static koshu_status
integrate(const struct system *s, struct row *row)
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
measure(struct bench *b, struct row *row)
{
    struct system s = {0};
    koshu_status status = make(b, row->base.n, &s);
    if (status == KOSHU_OK) status = integrate(&s, row);
    koshu_integrator_destroy(s.integrator);
    koshu_solver_destroy(s.solver);
    koshu_particles_destroy(s.particles);
    return status;
}

koshu_status
tree_time_unit(struct bench *b)
{
    const double longest = 30, power = 1.2;
    const struct tree_options *o = b->own;
    size_t before = 0;
    double seconds = 0;
    bench_start(b, &table, 0);
    for (size_t k = 0; k < o->base.n.n; k++) {
        const size_t n = o->base.n.value[k];
        struct row row = {.base = bench_row(b, n),
                          .time_unit = 1,
                          .theta = o->theta.value[0],
                          .order = koshu_multipole_order_name(o->order.value)};
        if (bench_skips(b, n, longest, before, seconds, power)) continue;
        KOSHU_TRY(measure(b, &row));
        KOSHU_TRY(bench_add(b, &row));
        before = n;
        seconds = row.base.timing.seconds;
    }
    return KOSHU_OK;
}
