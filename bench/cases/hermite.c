/* SPDX-License-Identifier: MIT */
/* koshu bench hermite: Belleman08 Tables 1, 2, 5 and 6. */
#include <math.h>

#include <string.h>

#include "bench/cases.h"
#include "bench/cases/hermite_g6.h"

static const char doc[] =
        "Seconds that the Hermite scheme takes from t = 1/4 to 1/2 of a "
        "Plummer sphere in Hénon units, and the energy error from 0 to 1/2, "
        "beside Belleman et al. 2008, Tables 1, 2, 5 and 6.\v"
        "Without --n: the N of the paper that take less than a minute each, "
        "as far as the row before tells. Times are those of a run without log "
        "and snapshots, the particles on the host again at the end. With "
        "--through g6, as in Tables 5 and 6, the scheme is that of a client "
        "of the GRAPE-6 library (libkoshu-g6), on the host, with P(EC)^1.";

struct options {
    struct bench_options base;
    struct number_list eps;
    double eta, dt;
    size_t iterations;
    const char *through; /* NULL: koshu/integrator.h */
    bool all;
};

/* Timed from t = 1/4 to t = 1/2; the energy error is that from 0 to 1/2. */
struct row {
    struct bench_row base;
    const char *engine;
    size_t blocks, steps; /* steps of single particles */
    double block_size;    /* particle steps per block */
    double time_unit;     /* seconds per unit of time */
    double energy_error;  /* (E_start - E_end) / E_start, Belleman08 eq. 2 */
};

static const double measured_from = 0.25, measured_to = 0.5;

/* By the softening: eps = 1/256 as in the paper; 0 as for kira in Tables 5 and
 * 6; another. */
enum view { SOFT = 1, HARD = 2, OTHER = 4 };

static unsigned
view_of(double eps)
{
    const double paper_eps = 1.0 / 256;
    return eps == paper_eps ? SOFT : eps == 0 ? HARD : OTHER;
}

#define B08(key, heading, format, printed, views)                         \
    {                                                                     \
        "belleman08_" key, heading, format, PAPER("belleman08-" printed), \
                views                                                     \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%7lld", n),
        {"blocks", "blocks", "%8lld", ROW(blocks)},
        {NULL, "in each", "%7.1f", ROW(block_size)},
        BENCH_SHOW("seconds", "%9.4g", timing.seconds),
        BENCH_SHOW("pairs/s", "%8.2e", rate),
        {"energy_error", "dE/E", "%8.1e", ROW(energy_error)},
        BENCH_BAR(SOFT),
        B08("1_2.grape_seconds", "1 GRAPE", "%7.4g", "1.grape", SOFT),
        B08("1_2.kirin_seconds", "kirin", "%7.5g", "1.kirin", SOFT),
        B08("1_2.grape_energy_error", "2 GRAPE", "%7.1e", "2.grape", SOFT),
        B08("1_2.kirin_energy_error", "kirin", "%7.1e", "2.kirin", SOFT),
        BENCH_BAR(SOFT | HARD),
        B08("5_6.grape_seconds", "5 GRAPE", "%7.4g", "5.grape", SOFT | HARD),
        B08("5_6.kirin_seconds", "kirin", "%7.5g", "5.kirin", SOFT | HARD),
        B08("5_6.grape_energy_error", "6 GRAPE", "%7.1e", "6.grape",
            SOFT | HARD),
        B08("5_6.kirin_energy_error", "kirin", "%7.1e", "6.kirin", SOFT | HARD),
        BENCH_TELL("through", struct options, through),
        {"engine", .field = ROW(engine), .views = BENCH_HEAD},
        {"eps", .field = ROW(base.eps), .views = BENCH_HEAD},
        {"steps", .field = ROW(steps)},
        {"time_unit", .field = ROW(time_unit)},
        BENCH_TELL("eta", struct options, eta),
        BENCH_TELL("dt", struct options, dt),
        BENCH_TELL("iterations", struct options, iterations),
        BENCH_TELL("seed", struct bench_options, seed),
        {0}};

/* Sets what both kinds of rows have. */
static void
fill(struct row *row, double seconds, double first, double last)
{
    row->base.timing.seconds = seconds;
    row->base.timing.repeats = 1;
    row->block_size = (double)row->steps / (double)row->blocks;
    row->time_unit = seconds / (measured_to - measured_from);
    row->energy_error = (first - last) / first;
}

static koshu_status
advance(struct bench_system *s, double until)
{
    while (koshu_integrator_time(s->integrator) != until)
        KOSHU_TRY(koshu_integrator_advance(s->integrator, until, false));
    return KOSHU_OK;
}

/* The energy of the particles at their present positions. */
static koshu_status
energy(struct bench_system *s, double *total)
{
    KOSHU_TRY(koshu_solver_forces(s->solver, s->particles,
                                  KOSHU_FIELD_ACCELERATION |
                                          KOSHU_FIELD_POTENTIAL));
    return bench_energy(s, total);
}

/* The state of a run at some time. */
static koshu_status
read_state(const struct bench_system *r, struct koshu_integrator_clock *clock,
           struct koshu_integrator_report *report)
{
    clock->size = sizeof *clock;
    report->size = sizeof *report;
    KOSHU_TRY(koshu_integrator_clock(r->integrator, clock));
    return koshu_integrator_report(r->integrator, report);
}

static koshu_status
integrate(struct bench_system *r, struct row *row)
{
    double first, last;
    struct koshu_integrator_clock from, to;
    struct koshu_integrator_report before, after;
    KOSHU_TRY(energy(r, &first));
    KOSHU_TRY(advance(r, measured_from));
    KOSHU_TRY(read_state(r, &from, &before));
    const double start = koshu_now();
    KOSHU_TRY(advance(r, measured_to));
    const double seconds = koshu_now() - start;
    KOSHU_TRY(read_state(r, &to, &after));
    KOSHU_TRY(energy(r, &last));
    row->base.interactions = (double)(after.interactions - before.interactions);
    row->engine = after.engine;
    row->blocks = to.steps - from.steps;
    row->steps = to.particle_steps - from.particle_steps;
    fill(row, seconds, first, last);
    return KOSHU_OK;
}

/* ---- through the GRAPE-6 library ----------------------------------------- */

static koshu_status
integrate_g6(struct hermite_g6 *code, struct row *row)
{
    double first, last;
    KOSHU_TRY(hermite_g6_energy(code, &first));
    KOSHU_TRY(hermite_g6_advance(code, measured_from));
    const struct hermite_g6_counts before = hermite_g6_counts(code);
    const double start = koshu_now();
    KOSHU_TRY(hermite_g6_advance(code, measured_to));
    const double seconds = koshu_now() - start;
    const struct hermite_g6_counts after = hermite_g6_counts(code);
    KOSHU_TRY(hermite_g6_energy(code, &last));
    row->engine = "a client of libkoshu-g6";
    row->blocks = after.blocks - before.blocks;
    row->steps = after.steps - before.steps;
    row->base.interactions = (double)row->steps * (double)row->base.n;
    fill(row, seconds, first, last);
    return KOSHU_OK;
}

static koshu_status
measure_g6(struct bench *b, struct row *row)
{
    const struct options *o = b->own;
    const struct hermite_g6_options options = {row->base.eps, o->eta, o->dt};
    struct hermite_g6 *code = NULL;
    struct koshu_particles *particles;
    KOSHU_TRY(bench_particles(b, row->base.n, &particles));
    koshu_status status = hermite_g6_make(b, particles, &options, &code);
    if (status == KOSHU_OK) status = integrate_g6(code, row);
    hermite_g6_free(code);
    koshu_particles_destroy(particles);
    return status;
}

/* ---- by koshu's integrator ---------------------------------------------- */

static koshu_status
measure(struct bench *b, void *user)
{
    const struct options *o = b->own;
    struct row *row = user;
    struct koshu_solver_options solver = bench_solver_options(b);
    struct koshu_integrator_options hermite =
            koshu_integrator_options_default();
    struct bench_system s;
    bench_view(b, view_of(row->base.eps));
    if (o->through) return measure_g6(b, row);
    solver.softening = row->base.eps;
    hermite.scheme = KOSHU_SCHEME_HERMITE;
    hermite.dt = o->dt;
    hermite.eta = o->eta;
    hermite.iterations = (unsigned)o->iterations;
    hermite.max_block_steps = UINT64_MAX; /* a single call goes on to the end */
    koshu_status status =
            bench_system_make(b, row->base.n, &solver, &hermite, &s);
    if (status == KOSHU_OK) status = integrate(&s, row);
    bench_system_free(&s);
    return status;
}

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {60},
        .title = "Hermite block steps from t = 1/4 to 1/2; dE/E: (E(0) - "
                 "E(1/2)) / E(0)",
        .figure = {.y_label = "seconds from t = 1/4 to 1/2",
                   .curves = {{"koshu", ROW(base.timing.seconds)}},
                   .series = ROW(base.eps),
                   .series_name = "eps",
                   .papers = {"belleman08-1.grape", "belleman08-1.kirin",
                              "belleman08-5.grape", "belleman08-5.kirin"}},
        .measure = measure,
        .parts = {BENCH_OPTION(struct options, eps), ROW(base.eps)},
        /* there are N^2 interactions per step, and steps become shorter */
        .longest = 60,
        .power = 2.25,
};

static void
check(struct argp_state *state, void *options)
{
    struct options *o = options;
    const double parts = measured_from / o->dt;
    if (o->all) o->base.n.given = true;
    if (parts < 1 || parts != floor(parts))
        argp_error(state, "--dt: %g is not 1/4 divided by a whole number",
                   o->dt);
    if (o->through && strcmp(o->through, "g6") != 0)
        argp_error(state, "--through: '%s' is not g6", o->through);
    if (o->through && o->iterations != 1)
        argp_error(state, "--iterations: a client of the GRAPE-6 library "
                          "corrects once");
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
        {"through", 0, "g6",
         "sums through the GRAPE-6 library, KOSHU_G6_NPIPES (48) particles at "
         "a time, steps on the host (default: koshu's integrator)",
         BENCH_OPTION(struct options, through)},
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
        .items =
                (const struct bench_item[]){
                        {"Belleman08", "Table 1", "times of the Hermite scheme",
                         ""},
                        {"Belleman08", "Table 2", "its energy errors", ""},
                        {"Belleman08", "Fig. 2", "the times, drawn",
                         "--plot hermite.png"},
                        {"Belleman08", "Table 5",
                         "times of a client of the GRAPE-6 library",
                         "--through g6"},
                        {"Belleman08", "Table 6", "its energy errors",
                         "--through g6"},
                        {"Belleman08", "Fig. 3", "the times, drawn",
                         "--through g6 --plot client.png"},
                        {0}},
        .summary = "clusters with block time steps: speed and energy",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_SEED,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .papers = (const char *const[]){"belleman08-1", "belleman08-2",
                                        "belleman08-5", "belleman08-6", NULL},
        .table = &table,
};
