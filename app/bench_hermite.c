/* SPDX-License-Identifier: MIT */
/* koshu bench hermite: Belleman08 Tables 1, 2, 5 and 6. */
#include "bench_hermite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>

#include "internal.h"

static const char doc[] =
        "Seconds that the Hermite scheme takes from t = 1/4 to 1/2 of a "
        "Plummer "
        "sphere in Hénon units, and the energy error from 0 to 1/2, beside "
        "Belleman et al. 2008, Tables 1, 2, 5 and 6.\v"
        "Without --n: the N of the paper that take less than a minute each, "
        "as far as the row before tells. Times are those of a run without log "
        "and snapshots, the particles on the host again at the end.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_SEED = 's',
    KEY_ALL = 'a',
    KEY_EPS = 256,
    KEY_ETA,
    KEY_DT,
    KEY_ITERATIONS,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0, "numbers of particles (256 ... 1048576)", 0},
        {"all", KEY_ALL, NULL, 0, "rows that take longer than a minute too", 0},
        {"eps", KEY_EPS, "E", 0, "softening (0.00390625, then 0)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (mixed)",
         0},
        OPTION_BACKEND,
        OPTION_THREADS,
        {"eta", KEY_ETA, "E", 0, "of Aarseth's criterion (0.002)", 0},
        {"dt", KEY_DT, "T", 0,
         "longest step, 1/4 divided by a whole number "
         "(0.125)",
         0},
        {"iterations", KEY_ITERATIONS, "I", 0, "n of P(EC)^n (1)", 0},
        OPTION_SEED,
        OPTION_JSON,
        {0}};

static const double measured_from = 0.25, measured_to = 0.5;

/* ---- the command line ---------------------------------------------------- */

static double
positive(struct argp_state *state, const char *option, const char *text)
{
    double x = argument_number(state, option, text);
    if (!(x > 0)) argp_error(state, "%s: %s is not above 0", option, text);
    return x;
}

static void
check_dt(struct argp_state *state, double dt)
{
    double parts = measured_from / dt;
    if (parts < 1 || parts != floor(parts))
        argp_error(state, "--dt: %g is not 1/4 divided by a whole number", dt);
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct hermite_bench_options *o = state->input;
    switch (key) {
    case KEY_N:
        o->n_count = bench_counts(state, "--n", text, o->n);
        o->n_given = true;
        return 0;
    case KEY_ALL: o->all = true; return 0;
    case KEY_EPS:
        o->eps[0] = argument_number(state, "--eps", text);
        o->eps_count = 1;
        if (o->eps[0] < 0) argp_error(state, "--eps: %s is negative", text);
        return 0;
    case KEY_PRECISION:
        o->precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_ETA: o->integrator.eta = positive(state, "--eta", text); return 0;
    case KEY_DT:
        o->integrator.dt = positive(state, "--dt", text);
        check_dt(state, o->integrator.dt);
        return 0;
    case KEY_ITERATIONS:
        o->integrator.iterations =
                (unsigned)argument_count(state, "--iterations", text);
        if (o->integrator.iterations == 0)
            argp_error(state, "--iterations: 1 or more");
        return 0;
    case KEY_SEED: o->seed = argument_count(state, "--seed", text); return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- measuring ----------------------------------------------------------- */

struct run {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static koshu_status
make(struct koshu_context *context, const struct hermite_bench_options *o,
     const struct hermite_row *row, struct run *r)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_solver_options solver = koshu_solver_options_default();
    initial.n = row->n;
    initial.seed = o->seed;
    solver.precision = o->precision;
    solver.softening = row->eps;
    KOSHU_TRY(koshu_initial_create(context, &initial, &r->particles));
    KOSHU_TRY(koshu_solver_create(context, &solver, &r->solver));
    return koshu_integrator_create(r->solver, r->particles, 0, &o->integrator,
                                   &r->integrator);
}

static koshu_status
advance(struct run *r, double until, bool potential)
{
    while (koshu_integrator_time(r->integrator) != until)
        KOSHU_TRY(koshu_integrator_advance(r->integrator, until, potential));
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
integrate(struct run *r, struct hermite_row *row)
{
    double first, last;
    KOSHU_TRY(energy(r, &first));
    KOSHU_TRY(advance(r, measured_from, false));
    struct state before, after;
    KOSHU_TRY(read_state(r, &before));
    double start = koshu_now();
    KOSHU_TRY(advance(r, measured_to, false));
    row->seconds = koshu_now() - start;
    KOSHU_TRY(read_state(r, &after));
    row->blocks = after.clock.steps - before.clock.steps;
    row->steps = after.clock.particle_steps - before.clock.particle_steps;
    row->interactions =
            (double)(after.report.interactions - before.report.interactions);
    row->engine = after.report.engine;
    KOSHU_TRY(energy(r, &last));
    row->energy_error = (first - last) / first;
    return KOSHU_OK;
}

static koshu_status
measure(struct koshu_context *context, const struct hermite_bench_options *o,
        struct hermite_row *row)
{
    struct run r = {0};
    double start = koshu_now();
    koshu_status status = make(context, o, row, &r);
    if (status == KOSHU_OK) status = integrate(&r, row);
    if (status == KOSHU_OK) {
        snprintf(row->backend, sizeof row->backend, "%s",
                 koshu_solver_backend(r.solver));
        snprintf(row->device, sizeof row->device, "%s",
                 koshu_solver_device(r.solver));
    }
    koshu_integrator_destroy(r.integrator);
    koshu_solver_destroy(r.solver);
    koshu_particles_destroy(r.particles);
    row->whole_seconds = koshu_now() - start;
    return status;
}

/* ---- rows ---------------------------------------------------------------- */

/* What a row takes, from one before: N^2 interactions per step, and steps that
 * grow shorter. */
static double
predicted(const struct hermite_row *before, size_t n)
{
    const double power = 2.25;
    return before->whole_seconds * pow((double)n / (double)before->n, power);
}

static bool
is_skipped(const struct hermite_bench_options *o, size_t n,
           const struct hermite_row *before)
{
    const double longest = 60;
    if (o->all || o->n_given || before->n == 0) return false;
    return predicted(before, n) > longest;
}

static void
print(const struct hermite_bench_options *o, const struct hermite_row *row,
      bool first)
{
    if (o->json) {
        hermite_print_json(o, row);
        return;
    }
    if (first) hermite_print_head(o, row);
    hermite_print_row(row);
}

static koshu_status
rows(struct koshu_context *context, const struct hermite_bench_options *o,
     double eps)
{
    struct hermite_row before = {0};
    for (size_t k = 0; k < o->n_count; k++) {
        struct hermite_row row = {.n = o->n[k], .eps = eps};
        if (is_skipped(o, row.n, &before)) {
            if (!o->json)
                hermite_print_skipped(row.n, predicted(&before, row.n));
            continue;
        }
        KOSHU_TRY(measure(context, o, &row));
        print(o, &row, before.n == 0);
        before = row;
    }
    return KOSHU_OK;
}

int
bench_hermite(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct hermite_bench_options o = {.n_count = HERMITE_PAPER_ROWS,
                                      .eps = {1.0 / 256, 0},
                                      .eps_count = 2,
                                      .precision = KOSHU_PRECISION_MIXED,
                                      .seed = 1};
    o.integrator = koshu_integrator_options_default();
    o.integrator.scheme = KOSHU_SCHEME_HERMITE;
    o.integrator.dt = 1.0 / 8;
    o.integrator.eta = 0.002;
    o.integrator.iterations = 1;
    o.integrator.max_block_steps = UINT64_MAX; /* one call reaches the end */
    for (size_t k = 0; k < HERMITE_PAPER_ROWS; k++) o.n[k] = hermite_paper[k].n;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (!context) return EXIT_USAGE;
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < o.eps_count && status == KOSHU_OK; k++) {
        if (k > 0 && !o.json) printf("\n");
        status = rows(context, &o, o.eps[k]);
    }
    int code = report(context, status);
    koshu_context_destroy(context);
    return code;
}
