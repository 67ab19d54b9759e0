/* SPDX-License-Identifier: MIT */
/* koshu bench direct: the options, and what is measured. */
#include "bench_direct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/solver.h>

#include "bench_styles.h"
#include "internal.h"

static const char doc[] =
        "Forces of all particles of a Plummer sphere on each other by direct "
        "summation: time, rate, and errors against ref in double precision. "
        "In single precision the positions are rounded to float beforehand, "
        "for ref too.\v"
        "Beside them, where the papers have that N: the rates of Hamada & "
        "Iitaka 2007, Table 3, Belleman et al. 2008, Table 3, and Miki et al. "
        "2013, Fig. 11. Gflop/s are counted as 26 (Miki) and 38 (Hamada, "
        "Belleman) per interaction. On a GPU the particles stay on the device; "
        "the time with copies from and to the host is a column of its own.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_EPS2 = 256,
    KEY_ACCELERATION,
    KEY_FAST,
    KEY_ERROR,
    KEY_OFFSET,
    KEY_TABLE,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0,
         "numbers of particles (2048,4096, ... 131072)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (single)",
         0},
        OPTION_BACKEND,
        {"threads", KEY_THREADS, "T,T,...", 0,
         "CPU threads (one per core); several: how well it scales", 0},
        {"eps2", KEY_EPS2, "E", 0, "softening squared (0.01)", 0},
        {"acceleration-only", KEY_ACCELERATION, NULL, 0,
         "without the potential", 0},
        OPTION_FAST,
        {"error", KEY_ERROR, "WHICH", 0,
         "particles whose errors are taken: all, sample (1024), none; (all up "
         "to N = 131072, sample above)",
         0},
        {"offset", KEY_OFFSET, "X", 0, "moves the sphere to (X, X, X) (0)", 0},
        OPTION_REPEATS,
        OPTION_SEED,
        {"table", KEY_TABLE, "TABLE", 0,
         "koshu beside one paper's table: hamada07-2 (largest errors of the "
         "DIRECT style, of the Chamomile style and of koshu), or times and "
         "rates of hamada07-3, belleman08-3, miki13-11",
         0},
        OPTION_JSON,
        {0}};

/* ---- options ------------------------------------------------------------- */

static void
parse_table(struct argp_state *state, struct direct_options *o,
            const char *text)
{
    if (strcmp(text, "hamada07-2") == 0) {
        o->styles = true;
        return;
    }
    for (int k = 0; k < BENCH_PAPERS; k++)
        if (strcmp(text, bench_papers[k].option) == 0)
            o->paper = &bench_papers[k];
    if (!o->paper)
        argp_error(state,
                   "--table: '%s' is not hamada07-2, hamada07-3, belleman08-3 "
                   "or miki13-11",
                   text);
}

static error_t
parse_end(struct argp_state *state, const struct direct_options *o)
{
    if (o->problem.fast && o->problem.precision != KOSHU_PRECISION_SINGLE)
        argp_error(state, "--fast is for single precision");
    if (o->styles && o->problem.precision != KOSHU_PRECISION_SINGLE)
        argp_error(state, "--table hamada07-2 is for single precision");
    if (o->styles && o->errors != COMPARED_DEFAULT && o->errors != COMPARED_ALL)
        argp_error(state, "--table hamada07-2 is about errors of all "
                          "particles");
    return 0;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct direct_options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_PRECISION:
        o->problem.precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads_count = bench_threads(state, text, o->threads);
        return 0;
    case KEY_EPS2: o->problem.eps2 = bench_eps2(state, text); return 0;
    case KEY_ACCELERATION: o->problem.potential = false; return 0;
    case KEY_FAST: o->problem.fast = true; return 0;
    case KEY_ERROR: o->errors = bench_compared_named(state, text); return 0;
    case KEY_OFFSET:
        o->problem.offset = argument_number(state, "--offset", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SEED:
        o->problem.seed = argument_count(state, "--seed", text);
        return 0;
    case KEY_TABLE: parse_table(state, o, text); return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    case ARGP_KEY_END: return parse_end(state, o);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- errors ---------------------------------------------------------------
 */

static koshu_status
make_reference(struct koshu_context *ref, const struct direct_options *o,
               size_t n, struct bench_reference *reference)
{
    size_t compared = direct_error_particles(o, n);
    *reference = (struct bench_reference){0};
    if (compared == 0) return KOSHU_OK;
    struct koshu_particles *particles;
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(bench_particles(ref, &o->problem, n, &particles));
    koshu_status status;
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    status = bench_reference_make(ref, sqrt(o->problem.eps2), &v, compared,
                                  reference);
    koshu_particles_release_read(particles);
cleanup:
    koshu_particles_destroy(particles);
    return status;
}

/* ---- one row --------------------------------------------------------------
 */

/* With new positions from the host and the forces back there. */
static koshu_status
once_with_copies(void *user)
{
    struct bench_forces *forces = user;
    struct koshu_particle_view positions = {.size = sizeof positions};
    struct koshu_particle_const_view sums = {.size = sizeof sums};
    KOSHU_TRY(koshu_particles_acquire_write(
            forces->particles, KOSHU_FIELD_POSITION, KOSHU_ACCESS_READ_WRITE,
            &positions));
    koshu_particles_release_write(forces->particles);
    KOSHU_TRY(koshu_solver_forces(forces->solver, forces->particles,
                                  forces->fields));
    KOSHU_TRY(koshu_particles_acquire_read(forces->particles, forces->fields,
                                           &sums));
    koshu_particles_release_read(forces->particles);
    return KOSHU_OK;
}

/* Where the backend keeps particles, also with copies. */
static koshu_status
take_times(struct koshu_context *context, struct bench_forces *forces,
           size_t repeats, struct direct_row *row)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    KOSHU_TRY(bench_forces_time(forces, repeats, &row->timing));
    row->copied = row->timing;
    row->keeps = backend->ops->force_store != NULL;
    const struct bench_work copied = {once_with_copies, NULL, forces};
    return row->keeps ? bench_time(&copied, repeats, &row->copied) : KOSHU_OK;
}

/* The two styles, in the store's own arrays for accelerations and (borrowed)
 * velocities. */
static bool
compare_styles(const struct koshu_particle_const_view *v,
               const struct koshu_particle_view *sums,
               const struct direct_options *o,
               const struct bench_reference *reference, struct direct_row *row)
{
    const struct bench_style direct = {sums->ax, sums->ay, sums->az};
    const struct bench_style chamomile = {sums->vx, sums->vy, sums->vz};
    struct bench_errors errors;
    bench_styles_sum(v, sqrt(o->problem.eps2), row->threads, &direct,
                     &chamomile);
    if (!bench_errors_of(reference, sums->ax, sums->ay, sums->az, &errors))
        return false;
    row->direct_style = errors.max;
    if (!bench_errors_of(reference, sums->vx, sums->vy, sums->vz, &errors))
        return false;
    row->chamomile_style = errors.max;
    return true;
}

static koshu_status
take_styles(struct koshu_particles *particles,
            const struct koshu_particle_const_view *v,
            const struct direct_options *o,
            const struct bench_reference *reference, struct direct_row *row)
{
    struct koshu_particle_view sums = {.size = sizeof sums};
    KOSHU_TRY(koshu_particles_acquire_write(
            particles, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_VELOCITY,
            KOSHU_ACCESS_WRITE, &sums));
    bool done = compare_styles(v, &sums, o, reference, row);
    koshu_particles_release_write(particles);
    return done ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
}

static koshu_status
take_errors(struct bench_forces *forces, const struct direct_options *o,
            const struct bench_reference *reference, struct direct_row *row)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(koshu_particles_acquire_read(forces->particles, KOSHU_FIELD_ALL,
                                           &v));
    koshu_status status = KOSHU_OK;
    if (reference->n > 0 &&
        !bench_errors_of(reference, v.ax, v.ay, v.az, &row->errors))
        status = KOSHU_ERROR_OUT_OF_MEMORY;
    if (status == KOSHU_OK && reference->n > 0 && o->styles)
        status = take_styles(forces->particles, &v, o, reference, row);
    koshu_particles_release_read(forces->particles);
    return status;
}

static koshu_status
measure(struct koshu_context *context, const struct direct_options *o,
        const struct bench_reference *reference, struct direct_row *row)
{
    struct bench_forces forces;
    koshu_status status;
    row->threads = koshu_context_threads(context);
    KOSHU_TRY_CLEANUP(bench_forces_make(context, &o->problem, row->n, &forces));
    KOSHU_TRY_CLEANUP(take_times(context, &forces, o->repeats, row));
    KOSHU_TRY_CLEANUP(take_errors(&forces, o, reference, row));
    snprintf(row->backend, sizeof row->backend, "%s",
             koshu_solver_backend(forces.solver));
    snprintf(row->device, sizeof row->device, "%s",
             koshu_solver_device(forces.solver));
cleanup:
    bench_forces_free(&forces);
    return status;
}

/* ---- all rows -------------------------------------------------------------
 */

static void
print(const struct direct_options *o, const struct direct_row *row, bool first)
{
    if (o->json) {
        direct_print_json(o, row);
        return;
    }
    if (first) direct_print_head(o, row);
    direct_print_row(o, row);
}

/* One n, with each number of threads. */
static int
run_n(struct koshu_context *ref, const struct direct_options *o, size_t n,
      bool first)
{
    struct bench_reference reference;
    int code = report(ref, make_reference(ref, o, n, &reference));
    double per_thread = 0;
    for (size_t t = 0; code == EXIT_DONE && t < o->threads_count; t++) {
        struct koshu_context *context =
                make_context(o->backend, (int)o->threads[t]);
        if (!context) {
            code = EXIT_USAGE;
            break;
        }
        struct direct_row row = {.n = n};
        code = report(context, measure(context, o, &reference, &row));
        double rate = 1 / row.timing.seconds / row.threads;
        if (t == 0) per_thread = rate;
        row.efficiency = rate / per_thread;
        if (code == EXIT_DONE) print(o, &row, first && t == 0);
        koshu_context_destroy(context);
    }
    bench_reference_free(&reference);
    return code;
}

int
bench_direct(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct direct_options o = {
            .n = {2048, 4096, 8192, 16384, 32768, 65536, 131072},
            .n_count = 7,
            .threads_count = 1,
            .problem = {.precision = KOSHU_PRECISION_SINGLE,
                        .eps2 = 0.01,
                        .seed = 1,
                        .potential = true},
    };
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *ref = make_context("ref", 0);
    if (!ref) return EXIT_FAILED;
    int code = EXIT_DONE;
    for (size_t k = 0; code == EXIT_DONE && k < o.n_count; k++)
        code = run_n(ref, &o, o.n[k], k == 0);
    koshu_context_destroy(ref);
    return code;
}
