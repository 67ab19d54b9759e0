/* SPDX-License-Identifier: MIT */
/* koshu bench hermite: Belleman08 Tables 1, 2, 5 and 6. */
#include <math.h>
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>

#include "bench/cases.h"
#include "bench/internal.h"

static const char doc[] =
        "Seconds that the Hermite scheme takes from t = 1/4 to 1/2 of a "
        "Plummer sphere in Hénon units, and the energy error from 0 to 1/2, "
        "beside Belleman et al. 2008, Tables 1, 2, 5 and 6.\v"
        "Without --n: the N of the paper that take less than a minute each, "
        "as far as the row before tells. Times are those of a run without log "
        "and snapshots, the particles on the host again at the end.";

struct options {
    struct bench_options base;
    struct number_list eps;
    double eta, dt;
    size_t iterations;
    bool all;
};

/* From t = 1/4 to t = 1/2; the energy error is that from 0 to 1/2. */
struct row {
    struct bench_row base;
    const char *engine;
    size_t blocks, steps; /* of one particle */
    double block_size;    /* steps of a block */
    double time_unit;     /* seconds that a unit of time takes */
    double energy_error;  /* (E_start - E_end) / E_start, Belleman08 eq. 2 */
    double whole_seconds; /* from the making of the particles on */
};

static const double measured_from = 0.25, measured_to = 0.5;

/* ---- columns ------------------------------------------------------------- */

/* By the softening: the paper has eps = 1/256, kira's Tables 5 and 6 also 0. */
enum view { SOFT = 1, HARD = 2, OTHER = 4 };
static const double paper_eps = 1.0 / 256;

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%7lld", n),
        {"blocks", "blocks", "%8lld", BENCH_ROW(struct row, blocks)},
        {NULL, "in each", "%7.1f", BENCH_ROW(struct row, block_size)},
        BENCH_SHOW("seconds", "%9.4g", timing.seconds),
        BENCH_SHOW("pairs/s", "%8.2e", rate),
        {"energy_error", "dE/E", "%8.1e", BENCH_ROW(struct row, energy_error)},
        BENCH_BAR(SOFT),
        {"belleman08_1_2.grape_seconds", "1 GRAPE", "%7.4g",
         BENCH_PAPER("belleman08-1.grape"), SOFT},
        {"belleman08_1_2.kirin_seconds", "kirin", "%7.5g",
         BENCH_PAPER("belleman08-1.kirin"), SOFT},
        {"belleman08_1_2.grape_energy_error", "2 GRAPE", "%7.1e",
         BENCH_PAPER("belleman08-2.grape"), SOFT},
        {"belleman08_1_2.kirin_energy_error", "kirin", "%7.1e",
         BENCH_PAPER("belleman08-2.kirin"), SOFT},
        BENCH_BAR(SOFT | HARD),
        {"belleman08_5_6.grape_seconds", "5 GRAPE", "%7.4g",
         BENCH_PAPER("belleman08-5.grape"), SOFT | HARD},
        {"belleman08_5_6.kirin_seconds", "kirin", "%7.5g",
         BENCH_PAPER("belleman08-5.kirin"), SOFT | HARD},
        {"belleman08_5_6.grape_energy_error", "6 GRAPE", "%7.1e",
         BENCH_PAPER("belleman08-6.grape"), SOFT | HARD},
        {"belleman08_5_6.kirin_energy_error", "kirin", "%7.1e",
         BENCH_PAPER("belleman08-6.kirin"), SOFT | HARD},
        {"engine", .field = BENCH_ROW(struct row, engine), .views = BENCH_HEAD},
        {"eps", .field = BENCH_ROW(struct bench_row, eps), .views = BENCH_HEAD},
        {"steps", .field = BENCH_ROW(struct row, steps)},
        {"time_unit", .field = BENCH_ROW(struct row, time_unit)},
        BENCH_TELL("eta", struct options, eta),
        BENCH_TELL("dt", struct options, dt),
        BENCH_TELL("iterations", struct options, iterations),
        BENCH_TELL("seed", struct bench_options, seed),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {60},
        .title = "Hermite block steps from t = 1/4 to 1/2; dE/E: (E(0) - "
                 "E(1/2)) / E(0)",
        .figure = {.y_label = "seconds from t = 1/4 to 1/2",
                   .curves = {{"koshu",
                               BENCH_ROW(struct bench_row, timing.seconds)}},
                   .series = BENCH_ROW(struct bench_row, eps),
                   .series_name = "eps",
                   .papers = {"belleman08-1.grape", "belleman08-1.kirin",
                              "belleman08-5.grape", "belleman08-5.kirin"}},
};

/* ---- measuring ----------------------------------------------------------- */

struct run {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static koshu_status
make(const struct bench *b, const struct row *row, struct run *r)
{
    const struct options *o = b->own;
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_integrator_options integrator =
            koshu_integrator_options_default();
    solver.precision = o->base.precision;
    solver.softening = row->base.eps;
    integrator.scheme = KOSHU_SCHEME_HERMITE;
    integrator.dt = o->dt;
    integrator.eta = o->eta;
    integrator.iterations = (unsigned)o->iterations;
    integrator.max_block_steps = UINT64_MAX; /* one call reaches the end */
    KOSHU_TRY(bench_particles(b, row->base.n, &r->particles));
    KOSHU_TRY(koshu_solver_create(b->context, &solver, &r->solver));
    return koshu_integrator_create(r->solver, r->particles, 0, &integrator,
                                   &r->integrator);
}

static koshu_status
advance(struct run *r, double until)
{
    while (koshu_integrator_time(r->integrator) != until)
        KOSHU_TRY(koshu_integrator_advance(r->integrator, until, false));
    return KOSHU_OK;
}

/* Of the particles as they stand. */
static koshu_status
energy(struct run *r, double *total)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    KOSHU_TRY(koshu_solver_forces(r->solver, r->particles,
                                  KOSHU_FIELD_ACCELERATION |
                                          KOSHU_FIELD_POTENTIAL));
    KOSHU_TRY(koshu_diagnostics_compute(r->particles, &diagnostics));
    *total = diagnostics.total;
    return KOSHU_OK;
}

/* Where a run stands. */
struct state {
    struct koshu_integrator_clock clock;
    struct koshu_integrator_report report;
};

static koshu_status
read_state(const struct run *r, struct state *state)
{
    state->clock.size = sizeof state->clock;
    state->report.size = sizeof state->report;
    KOSHU_TRY(koshu_integrator_clock(r->integrator, &state->clock));
    return koshu_integrator_report(r->integrator, &state->report);
}

static koshu_status
integrate(struct run *r, struct row *row)
{
    double first, last;
    struct state before, after;
    KOSHU_TRY(energy(r, &first));
    KOSHU_TRY(advance(r, measured_from));
    KOSHU_TRY(read_state(r, &before));
    const double start = koshu_now();
    KOSHU_TRY(advance(r, measured_to));
    const double seconds = koshu_now() - start;
    KOSHU_TRY(read_state(r, &after));
    KOSHU_TRY(energy(r, &last));
    row->base.timing.seconds = seconds;
    row->base.timing.repeats = 1;
    row->base.interactions =
            (double)(after.report.interactions - before.report.interactions);
    row->engine = after.report.engine;
    row->blocks = after.clock.steps - before.clock.steps;
    row->steps = after.clock.particle_steps - before.clock.particle_steps;
    row->block_size = (double)row->steps / (double)row->blocks;
    row->time_unit = seconds / (measured_to - measured_from);
    row->energy_error = (first - last) / first;
    return KOSHU_OK;
}

static koshu_status
measure(const struct bench *b, struct row *row)
{
    struct run r = {0};
    const double start = koshu_now();
    koshu_status status = make(b, row, &r);
    if (status == KOSHU_OK) status = integrate(&r, row);
    koshu_integrator_destroy(r.integrator);
    koshu_solver_destroy(r.solver);
    koshu_particles_destroy(r.particles);
    row->whole_seconds = koshu_now() - start;
    return status;
}

/* ---- rows ---------------------------------------------------------------- */

/* N^2 interactions per step, and steps that grow shorter. */
static bool
is_skipped(const struct bench *b, size_t n, const struct row *before)
{
    const double longest = 60, power = 2.25;
    return !((const struct options *)b->own)->all &&
           bench_skips(b, n, longest, before->base.n, before->whole_seconds,
                       power);
}

static koshu_status
run_eps(struct bench *b, double eps)
{
    const struct count_list *n = &b->options->n;
    struct row before = {0};
    bench_start(b, &table, eps == paper_eps ? SOFT : eps == 0 ? HARD : OTHER);
    for (size_t k = 0; k < n->n; k++) {
        struct row row = {.base = bench_row(b, n->value[k])};
        if (is_skipped(b, row.base.n, &before)) continue;
        row.base.eps = eps;
        KOSHU_TRY(measure(b, &row));
        KOSHU_TRY(bench_add(b, &row));
        before = row;
    }
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    const struct number_list *eps = &((const struct options *)b->own)->eps;
    for (size_t k = 0; k < eps->n; k++) KOSHU_TRY(run_eps(b, eps->value[k]));
    return KOSHU_OK;
}

/* ---- options ------------------------------------------------------------- */

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    const double parts = measured_from / o->dt;
    if (parts < 1 || parts != floor(parts))
        argp_error(state, "--dt: %g is not 1/4 divided by a whole number",
                   o->dt);
}

static const struct command_option own[] = {
        {"all", 'a', NULL, "rows that take longer than a minute too",
         BENCH_OPTION(struct options, all)},
        {"eps", 0, "E,E,...", "softening (0.00390625, then 0)",
         BENCH_OPTION(struct options, eps), .closed = true},
        {"eta", 0, "E", "of Aarseth's criterion",
         BENCH_OPTION(struct options, eta)},
        {"dt", 0, "T", "longest step, 1/4 divided by a whole number",
         BENCH_OPTION(struct options, dt)},
        {"iterations", 0, "I", "n of P(EC)^n",
         BENCH_OPTION(struct options, iterations), .min = 1},
        {0}};

static const struct options defaults = {
        .base = {.n = {13,
                       {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
                        131072, 262144, 524288, 1048576}},
                 .precision = KOSHU_PRECISION_MIXED,
                 .seed = 1},
        .eps = {2, {1.0 / 256, 0}},
        .eta = 0.002,
        .dt = 1.0 / 8,
        .iterations = 1};

const struct bench_case bench_hermite = {
        .name = "hermite",
        .summary = "clusters with block time steps: speed and energy",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_BACKEND |
                 BENCH_TAKES_THREADS | BENCH_TAKES_SEED | BENCH_TAKES_PLOT,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .papers = (const char *const[]){"belleman08-1", "belleman08-2",
                                        "belleman08-5", "belleman08-6", NULL},
        .run = run,
};
