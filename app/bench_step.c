/* SPDX-License-Identifier: MIT */
/* koshu bench step: whole leapfrog steps, the particles staying where they
 * are. */
#include <math.h>
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>

#include "bench.h"
#include "internal.h"

static const char doc[] =
        "The time of a leapfrog step (kick, drift, forces, kick) of a Plummer "
        "sphere, without log and snapshots, and the energy error after all the "
        "steps that were made.\v"
        "Steps follow each other without a wait, as in `koshu run`: on a GPU "
        "the particles stay there, and the host prepares steps ahead.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_EPS2 = 256,
    KEY_DT,
    KEY_FAST,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0,
         "numbers of particles (1024,2048, ... 16384)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (single)",
         0},
        OPTION_BACKEND,
        OPTION_THREADS,
        {"eps2", KEY_EPS2, "E", 0, "softening squared (0.01)", 0},
        {"dt", KEY_DT, "T", 0, "time step (1/1024)", 0},
        OPTION_FAST,
        OPTION_REPEATS,
        OPTION_SEED,
        OPTION_JSON,
        {0}};

struct step_options {
    size_t n[BENCH_LIST], n_count;
    struct bench_problem problem;
    double dt;
    const char *backend;
    int threads;
    size_t repeats;
    bool json;
};

struct step_row {
    size_t n;
    char backend[16], device[128];
    struct bench_timing timing;
    uint64_t steps; /* made in all */
    double energy_error;
};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct step_options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_PRECISION:
        o->problem.precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_EPS2: o->problem.eps2 = bench_eps2(state, text); return 0;
    case KEY_DT:
        o->dt = argument_number(state, "--dt", text);
        if (!(o->dt > 0)) argp_error(state, "--dt: %s is not above 0", text);
        return 0;
    case KEY_FAST: o->problem.fast = true; return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SEED:
        o->problem.seed = argument_count(state, "--seed", text);
        return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    case ARGP_KEY_END:
        if (o->problem.fast && o->problem.precision != KOSHU_PRECISION_SINGLE)
            argp_error(state, "--fast is for single precision");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

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
take_steps(struct stepper *s, size_t repeats, struct step_row *row)
{
    const struct bench_work work = {step, wait, s};
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    double before, after;
    KOSHU_TRY(energy(s, &before));
    KOSHU_TRY(bench_time(&work, repeats, &row->timing));
    KOSHU_TRY(koshu_integrator_clock(s->integrator, &clock));
    row->steps = clock.steps;
    KOSHU_TRY(energy(s, &after));
    row->energy_error = fabs(after / before - 1);
    return KOSHU_OK;
}

static koshu_status
measure(struct koshu_context *context, const struct step_options *o,
        struct step_row *row)
{
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    struct stepper s = {0};
    koshu_status status;
    options.dt = o->dt;
    KOSHU_TRY_CLEANUP(
            bench_forces_make(context, &o->problem, row->n, &s.forces));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(
            s.forces.solver, s.forces.particles, 0, &options, &s.integrator));
    KOSHU_TRY_CLEANUP(take_steps(&s, o->repeats, row));
    snprintf(row->backend, sizeof row->backend, "%s",
             koshu_solver_backend(s.forces.solver));
    snprintf(row->device, sizeof row->device, "%s",
             koshu_solver_device(s.forces.solver));
cleanup:
    koshu_integrator_destroy(s.integrator);
    bench_forces_free(&s.forces);
    return status;
}

/* ---- printing -------------------------------------------------------------
 */

static double
rate(const struct step_row *row)
{
    return (double)row->n * (double)row->n / row->timing.seconds;
}

static void
print_head(const struct step_options *o, const struct step_row *row)
{
    printf("leapfrog steps of a Plummer sphere, eps^2 = %g, dt = %g, %s "
           "precision%s\nbackend %s: %s\n"
           "per time: seconds that a unit of time takes\n\n"
           "%9s %12s %10s %12s %9s %13s\n",
           o->problem.eps2, o->dt, koshu_precision_name(o->problem.precision),
           o->problem.fast ? " (fast)" : "", row->backend, row->device, "N",
           "seconds/step", "pairs/s", "per time", "steps", "energy error");
}

static void
print_row(const struct step_options *o, const struct step_row *row)
{
    printf("%9zu %12.4e %10.3e %12.4e %9llu %13.1e\n", row->n,
           row->timing.seconds, rate(row), row->timing.seconds / o->dt,
           (unsigned long long)row->steps, row->energy_error);
    fflush(stdout);
}

static void
print_json(const struct step_options *o, const struct step_row *row)
{
    bench_print_json(json_pack(
            "{s:s, s:s, s:s, s:s, s:b, s:I, s:f, s:f, s:I, s:f, s:f, s:f, s:f, "
            "s:f, s:I, s:f, s:f}",
            "bench", "step", "backend", row->backend, "device", row->device,
            "precision", koshu_precision_name(o->problem.precision), "fast",
            (int)o->problem.fast, "n", (json_int_t)row->n, "seconds",
            row->timing.seconds, "seconds_least", row->timing.least, "repeats",
            (json_int_t)row->timing.repeats, "interactions_per_s", rate(row),
            "gflops_26", rate(row) * 26e-9, "gflops_38", rate(row) * 38e-9,
            "eps2", o->problem.eps2, "dt", o->dt, "steps",
            (json_int_t)row->steps, "time_unit", row->timing.seconds / o->dt,
            "energy_error", row->energy_error));
}

static int
run_n(const struct step_options *o, size_t k)
{
    struct koshu_context *context = make_context(o->backend, o->threads);
    if (!context) return EXIT_USAGE;
    struct step_row row = {.n = o->n[k]};
    int code = report(context, measure(context, o, &row));
    if (code == EXIT_DONE && o->json) print_json(o, &row);
    if (code == EXIT_DONE && !o->json) {
        if (k == 0) print_head(o, &row);
        print_row(o, &row);
    }
    koshu_context_destroy(context);
    return code;
}

int
bench_step(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct step_options o = {
            .n = {1024, 2048, 4096, 8192, 16384},
            .n_count = 5,
            .problem = {.precision = KOSHU_PRECISION_SINGLE,
                        .eps2 = 0.01,
                        .seed = 1},
            .dt = 1.0 / 1024,
    };
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    int code = EXIT_DONE;
    for (size_t k = 0; code == EXIT_DONE && k < o.n_count; k++)
        code = run_n(&o, k);
    return code;
}
