/* SPDX-License-Identifier: MIT */
/* koshu bench cluster: the cost of a crossing time of a star cluster. */
#include <math.h>

#include <koshu/initial.h>

#include "bench/cases.h"

static const char doc[] =
        "Seconds that a crossing time of a star cluster with primordial "
        "binaries takes, against N and the part of systems that are binaries: "
        "a Plummer sphere of Kroupa's masses without softening, by the Hermite "
        "scheme with few-body groups.\v"
        "A crossing time is 2 sqrt(2) in Hénon units. The virial radius is 1 "
        "pc, masses are 0.1 to 2 Msun, periods of binaries follow Raghavan et "
        "al. (2010) up to --period-max; other laws are the defaults of koshu "
        "init. N counts stars. The first row of a fraction is not warmed up: "
        "groups are found as in any run.\n\n"
        "Examples:\n"
        "  koshu bench cluster\n"
        "  koshu bench cluster --n 16384 --fractions 0,0.5 --backend cuda";

struct options {
    struct bench_options base;
    struct number_list fractions;
    double eta, dt, crossings, period_max;
    double regularisation, perturbation, slow_down, tolerance;
};

struct row {
    struct bench_row base;
    double fraction;
    size_t blocks, steps; /* steps of single particles */
    double crossing;      /* seconds per crossing time */
    double energy_error;
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%7lld", n),
        {"binary_fraction", "binaries", "%8.2f", ROW(fraction)},
        {"blocks", "blocks", "%9lld", ROW(blocks)},
        {"steps", "steps", "%10lld", ROW(steps)},
        {"seconds_per_crossing", "s/crossing", "%10.4g", ROW(crossing)},
        BENCH_SHOW("pairs/s", "%8.2e", rate),
        {"energy_error", "dE/E", "%8.1e", ROW(energy_error)},
        BENCH_TELL("eta", struct options, eta),
        BENCH_TELL("dt", struct options, dt),
        BENCH_TELL("crossings", struct options, crossings),
        BENCH_TELL("period_max", struct options, period_max),
        BENCH_TELL("regularisation", struct options, regularisation),
        BENCH_TELL("perturbation", struct options, perturbation),
        BENCH_TELL("slow_down", struct options, slow_down),
        BENCH_TELL("tolerance", struct options, tolerance),
        BENCH_TELL("seed", struct bench_options, seed),
        {0}};

/* ---- the cluster --------------------------------------------------------- */

static koshu_status
make_stars(const struct bench *b, const struct row *row,
           struct koshu_particles **particles)
{
    const struct options *o = b->own;
    struct koshu_initial_options stars = koshu_initial_options_default();
    stars.n = (size_t)row->base.n;
    stars.seed = o->base.seed;
    stars.mass_function = KOSHU_MASS_FUNCTION_KROUPA;
    stars.mass_min = 0.1;
    stars.mass_max = 2;
    stars.binary_fraction = row->fraction;
    stars.period_max = o->period_max;
    stars.length_pc = 1;
    return koshu_initial_create(b->context, &stars, particles);
}

static koshu_status
make(const struct bench *b, const struct row *row, struct bench_system *s)
{
    const struct options *o = b->own;
    struct koshu_solver_options solver = bench_solver_options(b);
    struct koshu_integrator_options hermite =
            koshu_integrator_options_default();
    *s = (struct bench_system){.fields = KOSHU_FIELD_ACCELERATION};
    solver.softening = 0;
    hermite.scheme = KOSHU_SCHEME_HERMITE;
    hermite.dt = o->dt;
    hermite.eta = o->eta;
    hermite.regularisation = o->regularisation;
    hermite.perturbation = o->perturbation;
    hermite.slow_down = o->slow_down;
    hermite.tolerance = o->tolerance;
    KOSHU_TRY(koshu_solver_create(b->context, &solver, &s->solver));
    KOSHU_TRY(make_stars(b, row, &s->particles));
    return koshu_integrator_create(s->solver, s->particles, 0, &hermite,
                                   &s->integrator);
}

/* ---- a row --------------------------------------------------------------- */

static koshu_status
integrate(const struct options *o, struct bench_system *s, struct row *row)
{
    const double until = o->crossings * 2 * sqrt(2);
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    struct koshu_integrator_report report = {.size = sizeof report};
    double first, last;
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    KOSHU_TRY(bench_energy(s, &first));
    const double start = koshu_now();
    while (koshu_integrator_time(s->integrator) != until)
        KOSHU_TRY(koshu_integrator_advance(s->integrator, until, true));
    row->base.timing.seconds = koshu_now() - start;
    row->base.timing.repeats = 1;
    KOSHU_TRY(bench_energy(s, &last));
    KOSHU_TRY(koshu_integrator_clock(s->integrator, &clock));
    KOSHU_TRY(koshu_integrator_report(s->integrator, &report));
    row->base.interactions = (double)report.interactions;
    row->blocks = clock.steps;
    row->steps = clock.particle_steps;
    row->crossing = row->base.timing.seconds / o->crossings;
    row->energy_error = (last - first) / fabs(first);
    return KOSHU_OK;
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    struct bench_system s;
    koshu_status status = make(b, row, &s);
    if (status == KOSHU_OK) status = integrate(b->own, &s, row);
    bench_system_free(&s);
    return status;
}

/* ---- the case ------------------------------------------------------------ */

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "Seconds of a crossing time, of stars with binaries",
        .figure = {.y_label = "seconds of a crossing time",
                   .curves = {{"koshu", ROW(crossing)}},
                   .series = ROW(fraction),
                   .series_name = "binaries"},
        .measure = measure,
        .parts = {BENCH_OPTION(struct options, fractions), ROW(fraction)},
        .longest = 60,
        .power = 2.25,
};

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    for (size_t k = 0; k < o->fractions.n; k++)
        if (o->fractions.value[k] > 1)
            argp_error(state, "--fractions: %g is more than 1",
                       o->fractions.value[k]);
}

#define OWN(member) BENCH_OPTION(struct options, member)

static const struct command_option own[] = {
        {"fractions", 0, "F,F,...",
         "parts of the systems that are binaries (0, then 0.1, then 0.5)",
         OWN(fractions), .closed = true},
        {"crossings", 0, "C", "crossing times", OWN(crossings)},
        {"eta", 0, "E", "of Aarseth's criterion", OWN(eta)},
        {"dt", 0, "T", "longest step", OWN(dt)},
        {"period-max", 0, "D", "longest period of a binary, in days",
         OWN(period_max)},
        {"regularisation", 0, "R", "integrator.regularisation",
         OWN(regularisation)},
        {"perturbation", 0, "P", "integrator.perturbation", OWN(perturbation)},
        {"slow-down", 0, "S", "integrator.slow_down", OWN(slow_down),
         .closed = true},
        {"tolerance", 0, "T", "integrator.tolerance", OWN(tolerance)},
        {0}};

static const struct options defaults = {
        .base = {.n = {3, {256, 512, 1024}},
                 .precision = KOSHU_PRECISION_DOUBLE,
                 .seed = 1},
        .fractions = {3, {0, 0.1, 0.5}},
        .eta = 0.005,
        .dt = 1.0 / 32,
        .crossings = 1,
        .period_max = 1e6,
        .regularisation = 0.004,
        .perturbation = 1e-5,
        .slow_down = 1e-5,
        .tolerance = 1e-10};

const struct bench_case bench_cluster = {
        .name = "cluster",
        .summary = "star clusters with binaries: cost of a crossing time",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_SEED,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .table = &table,
};
