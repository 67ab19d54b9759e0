/* SPDX-License-Identifier: MIT */
/* koshu bench chamomile: Hamada & Iitaka 2007, Tables 2 and 3. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "bench.h"
#include "bench_papers.h"
#include "bench_styles.h"
#include "built_in_kernels.h"
#include "internal.h"

static const char doc[] =
        "Hamada & Iitaka 2007 (The Chamomile Scheme), Tables 2 and 3, "
        "with the pipeline of their Fig. 14 as the user's own interaction, "
        "compiled at run time, beside koshu's own kernel and what they print. "
        "Particles and results are in the host's memory, as theirs were: "
        "copies to a GPU and back are in the times.\v"
        "Table 2: largest error of the force of a Plummer sphere, in single "
        "precision: added up in one float sum (DIRECT style), in sums over "
        "J-BAGs of 512 that are added up in float (Chamomile), by koshu's "
        "kernel, and by the pipeline. Table 3: times, and Gflop/s at 38 "
        "operations per interaction.";

enum key {
    KEY_N = 'n',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_JSON = 256
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0,
         "numbers of particles (2048,4096, ... 131072)", 0},
        OPTION_BACKEND,
        OPTION_THREADS,
        OPTION_REPEATS,
        OPTION_SEED,
        OPTION_JSON,
        {0}};

struct options {
    size_t n[BENCH_LIST], n_count;
    const char *backend;
    int threads;
    size_t repeats;
    uint64_t seed;
    bool json;
};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SEED: o->seed = argument_count(state, "--seed", text); return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one row --------------------------------------------------------------
 */

static const double eps2 = 0.01; /* Hamada07 Fig. 10 */

struct row {
    size_t n;
    struct bench_timing pipeline, kernel;
    double direct_style, chamomile_style;
    struct bench_errors pipeline_errors, kernel_errors;
};

/* The sphere, and the same for either kind of sum; all of single precision. */
struct sphere {
    struct koshu_context *context;
    struct koshu_interaction *interaction;
    struct koshu_particles *particles;
    struct koshu_particle_const_view v;
    struct koshu_particle_view sums; /* of accelerations and velocities */
    double *i, *j, *out;             /* rows of 4, 4, 3 */
    double *a;                       /* ax, ay, az */
};

static koshu_status
pipeline_once(void *user)
{
    struct sphere *s = user;
    return koshu_interaction_evaluate(s->interaction, s->v.n, s->v.n, s->i,
                                      s->j, s->out);
}

static koshu_status
kernel_once(void *user)
{
    struct sphere *s = user;
    const struct koshu_particle_const_view *v = &s->v;
    struct koshu_force_options options = koshu_force_options_default();
    options.softening = sqrt(eps2);
    const struct koshu_i_particles i = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z};
    const struct koshu_j_particles j = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z, .mass = v->mass};
    const struct koshu_force_result result = {
            .ax = s->a, .ay = s->a + v->n, .az = s->a + 2 * v->n};
    return koshu_force_direct(s->context, &i, &j, &options, &result);
}

static koshu_status
make_sphere(struct sphere *s, const struct options *o, size_t n)
{
    const struct bench_problem problem = {.precision = KOSHU_PRECISION_SINGLE,
                                          .seed = o->seed};
    KOSHU_TRY(bench_particles_of(s->context, &problem, n, &s->particles));
    s->v.size = sizeof s->v;
    s->sums.size = sizeof s->sums;
    KOSHU_TRY(koshu_particles_acquire_read(
            s->particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &s->v));
    KOSHU_TRY(koshu_particles_acquire_write(
            s->particles, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_VELOCITY,
            KOSHU_ACCESS_WRITE, &s->sums));
    s->i = calloc(n, 4 * sizeof *s->i);
    s->j = calloc(n, 4 * sizeof *s->j);
    s->out = calloc(n, 3 * sizeof *s->out);
    s->a = calloc(n, 3 * sizeof *s->a);
    if (!s->i || !s->j || !s->out || !s->a)
        return koshu_fail_memory(s->context, 14 * n * sizeof *s->i,
                                 "particles");
    for (size_t k = 0; k < n; k++) {
        const double x[3] = {s->v.x[k], s->v.y[k], s->v.z[k]};
        memcpy(s->i + 4 * k, x, sizeof x);
        memcpy(s->j + 4 * k, x, sizeof x);
        s->i[4 * k + 3] = eps2;
        s->j[4 * k + 3] = s->v.mass[k];
    }
    return KOSHU_OK;
}

static void
free_sphere(struct sphere *s)
{
    koshu_particles_release_write(s->particles);
    koshu_particles_release_read(s->particles);
    koshu_particles_destroy(s->particles);
    free(s->i);
    free(s->j);
    free(s->out);
    free(s->a);
    s->particles = NULL;
    s->i = s->j = s->out = s->a = NULL;
}

/* Of the two styles, in the store's own accelerations and (borrowed)
 * velocities; of the kernel; and of the pipeline, put where they were. */
static bool
take_errors(struct sphere *s, const struct bench_reference *reference,
            int threads, struct row *row)
{
    const struct koshu_particle_view *v = &s->sums;
    const struct bench_style direct = {v->ax, v->ay, v->az};
    const struct bench_style chamomile = {v->vx, v->vy, v->vz};
    struct bench_errors errors;
    bench_styles_sum(&s->v, sqrt(eps2), threads, &direct, &chamomile);
    if (!bench_errors_of(reference, v->ax, v->ay, v->az, &errors)) return false;
    row->direct_style = errors.max;
    if (!bench_errors_of(reference, v->vx, v->vy, v->vz, &errors)) return false;
    row->chamomile_style = errors.max;
    if (!bench_errors_of(reference, s->a, s->a + v->n, s->a + 2 * v->n,
                         &row->kernel_errors))
        return false;
    for (size_t k = 0; k < v->n; k++) {
        v->ax[k] = s->out[3 * k];
        v->ay[k] = s->out[3 * k + 1];
        v->az[k] = s->out[3 * k + 2];
    }
    return bench_errors_of(reference, v->ax, v->ay, v->az,
                           &row->pipeline_errors);
}

static koshu_status
measure(struct sphere *s, struct koshu_context *ref, const struct options *o,
        struct row *row)
{
    const struct bench_work works[] = {{pipeline_once, NULL, s},
                                       {kernel_once, NULL, s}};
    struct bench_timing timings[2];
    struct bench_reference reference = {0};
    koshu_status status;
    KOSHU_TRY_CLEANUP(make_sphere(s, o, row->n));
    KOSHU_TRY_CLEANUP(bench_times(2, works, o->repeats, timings));
    row->pipeline = timings[0];
    row->kernel = timings[1];
    KOSHU_TRY_CLEANUP(bench_reference_make_of(ref, sqrt(eps2), &s->v, row->n,
                                              &reference));
    if (!take_errors(s, &reference, koshu_context_threads(ref), row))
        status = koshu_fail_memory(s->context, 0, "errors");
cleanup:
    bench_reference_free_of(&reference);
    free_sphere(s);
    return status;
}

/* ---- what is printed ------------------------------------------------------
 */

enum { HAMADA07_3 = 0 }; /* of bench_papers */

static double
gflops(size_t n, double seconds)
{
    return 38e-9 * (double)n * (double)n / seconds;
}

static void
print_errors_head(const char *backend, const char *device)
{
    printf("Plummer sphere, eps^2 = %g, single precision\nbackend %s: %s\n\n"
           "Table 2: largest errors; H07: Hamada & Iitaka 2007\n\n"
           "%9s %10s %10s %10s %10s %13s %16s\n",
           eps2, backend, device, "N", "DIRECT", "Chamomile", "koshu",
           "pipeline", "DIRECT (H07)", "Chamomile (H07)");
}

static void
print_errors(const struct row *row)
{
    const struct bench_style_row *paper = bench_style_row(row->n);
    printf("%9zu %10.1e %10.1e %10.1e %10.1e", row->n, row->direct_style,
           row->chamomile_style, row->kernel_errors.max,
           row->pipeline_errors.max);
    if (paper) printf(" %13.1e %16.1e", paper->direct_style, paper->chamomile);
    putchar('\n');
    fflush(stdout);
}

static void
print_times(size_t n_rows, const struct row *rows)
{
    const struct bench_paper *paper = &bench_papers[HAMADA07_3];
    printf("\nTable 3: times; ratio: rate of the pipeline over koshu's kernel "
           "(fastest repeats);\nH07: one %s; faster: times\n\n"
           "%9s %11s %9s %11s %9s %6s %11s %9s %8s\n"
           "%9s %11s %9s %11s %9s %6s %11s %9s\n",
           paper->device, "N", "seconds", "GF/s(38)", "seconds", "GF/s(38)",
           "ratio", "seconds", "GF/s(38)", "faster", "", "pipeline", "",
           "koshu", "", "", paper->tag, paper->tag);
    for (size_t k = 0; k < n_rows; k++) {
        const struct row *r = &rows[k];
        const struct bench_paper_row *printed = bench_paper_row(paper, r->n);
        printf("%9zu %11.4e %9.1f %11.4e %9.1f %6.2f", r->n,
               r->pipeline.seconds, gflops(r->n, r->pipeline.seconds),
               r->kernel.seconds, gflops(r->n, r->kernel.seconds),
               r->kernel.least / r->pipeline.least);
        if (printed)
            printf(" %11.3e %9.0f %8.1f", printed->seconds, printed->gflops,
                   printed->seconds / r->pipeline.seconds);
        putchar('\n');
    }
}

static void
print_json(const struct row *r, const char *backend, const char *device)
{
    json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:I, s:f, s:f, s:f, s:f, s:f, "
            "s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
            "bench", "chamomile", "backend", backend, "device", device,
            "precision", "single", "n", (json_int_t)r->n, "seconds",
            r->pipeline.seconds, "seconds_least", r->pipeline.least, "repeats",
            (json_int_t)r->pipeline.repeats, "interactions_per_s",
            (double)r->n * (double)r->n / r->pipeline.seconds, "gflops_38",
            gflops(r->n, r->pipeline.seconds), "seconds_built_in",
            r->kernel.seconds, "seconds_built_in_least", r->kernel.least,
            "ratio", r->kernel.least / r->pipeline.least, "err_median",
            r->pipeline_errors.median, "err_p99", r->pipeline_errors.p99,
            "err_max", r->pipeline_errors.max, "err_rms",
            r->pipeline_errors.rms, "err_max_built_in", r->kernel_errors.max,
            "err_max_direct_style", r->direct_style, "err_max_chamomile_style",
            r->chamomile_style);
    const struct bench_style_row *style = bench_style_row(r->n);
    const struct bench_paper_row *time =
            bench_paper_row(&bench_papers[HAMADA07_3], r->n);
    if (style)
        json_object_set_new(object, "hamada07-2",
                            json_pack("{s:f, s:f}", "direct_style",
                                      style->direct_style, "chamomile",
                                      style->chamomile));
    if (time)
        json_object_set_new(object, bench_papers[HAMADA07_3].option,
                            json_pack("{s:f, s:f}", "seconds", time->seconds,
                                      "gflops", time->gflops));
    bench_print_json(object);
}

/* ---- all rows -------------------------------------------------------------
 */

static koshu_status
run_all(struct sphere *s, struct koshu_context *ref, const struct options *o)
{
    struct row rows[BENCH_LIST] = {0};
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(s->context, &backend));
    if (!o->json) print_errors_head(backend->ops->name, backend->device);
    for (size_t k = 0; k < o->n_count; k++) {
        rows[k].n = o->n[k];
        KOSHU_TRY(measure(s, ref, o, &rows[k]));
        if (o->json)
            print_json(&rows[k], backend->ops->name, backend->device);
        else
            print_errors(&rows[k]);
    }
    if (!o->json) print_times(o->n_count, rows);
    return KOSHU_OK;
}

static koshu_status
run(struct koshu_context *context, struct koshu_context *ref,
    const struct options *o)
{
    struct sphere s = {.context = context};
    struct kernel_source text;
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    KOSHU_TRY(kernel_source_read(context, "gravity", &text)); /* Fig. 14 */
    options.name = text.path;
    koshu_status status = koshu_interaction_create(context, text.text, &options,
                                                   &s.interaction);
    free(text.text);
    if (status == KOSHU_OK) status = run_all(&s, ref, o);
    koshu_interaction_destroy(s.interaction);
    return status;
}

int
bench_chamomile(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct options o = {.n = {2048, 4096, 8192, 16384, 32768, 65536, 131072},
                        .n_count = 7,
                        .seed = 1};
    int code = EXIT_FAILED;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *ref = make_context("ref", 0);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (ref && context) {
        koshu_status status = run(context, ref, &o);
        code = report(koshu_context_message(context)[0] ? context : ref,
                      status);
    }
    koshu_context_destroy(context);
    koshu_context_destroy(ref);
    return code;
}
