/* SPDX-License-Identifier: MIT */
/* koshu bench interactions: the options, and what is measured. */
#include "bench_interactions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "built_in_kernels.h"
#include "internal.h"

static const char doc[] =
        "The built-in interaction kernels (koshu interact --list), all "
        "particles on each other, particles and results in the host's memory: "
        "time, rate, rate over that of koshu's own kernel where there is one "
        "(koshu_force_direct(), a j-particle store), time to start from "
        "the cache, and errors against double precision of the same "
        "kernel source by ref.\v"
        "Particles are a Plummer sphere; other columns are random numbers of "
        "sensible sizes (app/bench_interactions_problem.c). In single "
        "precision all numbers are rounded to float beforehand, for ref too. "
        "Errors are those of a row of results as a vector.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_ONLY = 256,
    KEY_ERROR,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0, "numbers of particles (16384)", 0},
        {"only", KEY_ONLY, "NAME,...", 0, "these kernels only (all)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single or double (single)", 0},
        OPTION_BACKEND,
        OPTION_THREADS,
        {"error", KEY_ERROR, "WHICH", 0,
         "particles whose errors are taken: all, sample (1024), none; (sample)",
         0},
        OPTION_REPEATS,
        OPTION_SEED,
        OPTION_JSON,
        {0}};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct interactions_options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_ONLY: o->only = text; return 0;
    case KEY_PRECISION:
        o->precision = bench_precision(state, "--precision", text);
        if (o->precision == KOSHU_PRECISION_MIXED)
            argp_error(state, "--precision: interactions are in single or "
                              "double");
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_ERROR: o->errors = bench_compared_named(state, text); return 0;
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

struct evaluation {
    struct koshu_interaction *interaction;
    struct interaction_problem *problem;
};

static koshu_status
once(void *user)
{
    struct evaluation *e = user;
    struct interaction_problem *p = e->problem;
    return koshu_interaction_evaluate(e->interaction, p->n, p->n, p->i, p->j,
                                      p->out);
}

static koshu_status
create(struct koshu_context *context, const struct kernel_source *text,
       enum koshu_precision precision, struct koshu_interaction **interaction)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    options.name = text->path;
    options.precision = precision;
    return koshu_interaction_create(context, text->text, &options, interaction);
}

/* From a text that has been compiled before to results. */
static koshu_status
take_start(struct koshu_context *context, const struct kernel_source *text,
           const struct interactions_options *o, struct interaction_problem *p,
           double *seconds)
{
    enum { FEW = 64 };
    struct koshu_interaction *interaction;
    size_t n = p->n < FEW ? p->n : FEW;
    double start = koshu_now();
    KOSHU_TRY(create(context, text, o->precision, &interaction));
    koshu_status status =
            koshu_interaction_evaluate(interaction, n, n, p->i, p->j, p->out);
    *seconds = koshu_now() - start;
    koshu_interaction_destroy(interaction);
    return status;
}

/* Where there is no compiler for ref, a GPU can be measured all the same. */
static koshu_status
create_reference(struct koshu_context *ref, const struct kernel_source *text,
                 struct koshu_interaction **interaction)
{
    static bool warned;
    koshu_status status =
            create(ref, text, KOSHU_PRECISION_DOUBLE, interaction);
    if (status != KOSHU_ERROR_EXTERNAL) return status;
    if (!warned)
        fprintf(stderr, "koshu: without errors: %s\n",
                koshu_context_message(ref));
    warned = true;
    return KOSHU_OK;
}

/* The first particles, so that INDEX_I is theirs. */
static koshu_status
take_errors(struct koshu_context *ref, const struct kernel_source *text,
            const struct interactions_options *o,
            const struct interaction_problem *p, struct bench_errors *errors)
{
    size_t n = bench_compared_count_of(o->errors, p->n);
    if (n == 0) return KOSHU_OK;
    struct koshu_interaction *interaction = NULL;
    double *reference = calloc(n * p->n_outputs, sizeof *reference);
    double *error = calloc(n, sizeof *error);
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    if (!reference || !error) goto cleanup;
    KOSHU_TRY_CLEANUP(create_reference(ref, text, &interaction));
    if (!interaction) goto cleanup;
    KOSHU_TRY_CLEANUP(koshu_interaction_evaluate(interaction, n, p->n, p->i,
                                                 p->j, reference));
    for (size_t i = 0; i < n; i++) {
        double off = 0, size = 0;
        for (size_t k = i * p->n_outputs; k < (i + 1) * p->n_outputs; k++) {
            off = hypot(off, p->out[k] - reference[k]);
            size = hypot(size, reference[k]);
        }
        error[i] = off == 0 ? 0 : off / size;
    }
    bench_errors_sort(n, error, errors);
cleanup:
    koshu_interaction_destroy(interaction);
    free(reference);
    free(error);
    return status;
}

static koshu_status
name_device(struct koshu_context *context, struct interactions_row *row)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    row->threads = koshu_context_threads(context);
    snprintf(row->backend, sizeof row->backend, "%s", backend->ops->name);
    snprintf(row->device, sizeof row->device, "%s", backend->device);
    return KOSHU_OK;
}

static koshu_status
measure(struct koshu_context *context, struct koshu_context *ref,
        const struct interactions_options *o, struct interactions_row *row)
{
    struct kernel_source text = {0};
    struct interaction_problem problem = {0};
    struct koshu_interaction *interaction = NULL;
    koshu_status status;
    KOSHU_TRY_CLEANUP(name_device(context, row));
    KOSHU_TRY_CLEANUP(kernel_source_read(ref, row->name, &text));
    KOSHU_TRY_CLEANUP(create(context, &text, o->precision, &interaction));
    KOSHU_TRY_CLEANUP(interaction_problem_make(context, interaction, row->name,
                                               o->precision, o->seed, row->n,
                                               &problem));
    KOSHU_TRY_CLEANUP(
            take_start(context, &text, o, &problem, &row->warm_start));
    struct evaluation e = {interaction, &problem};
    const struct bench_work work = {once, NULL, &e};
    KOSHU_TRY_CLEANUP(interactions_time(context, row->name, o, &problem, &work,
                                        row->timings));
    KOSHU_TRY_CLEANUP(take_errors(ref, &text, o, &problem, &row->errors));
cleanup:
    koshu_interaction_destroy(interaction);
    interaction_problem_free(&problem);
    free(text.text);
    return status;
}

/* ---- all rows -------------------------------------------------------------
 */

static bool
is_chosen(const char *name, const char *only)
{
    size_t n = strlen(name);
    if (!only) return true;
    for (const char *at = only; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || !at[n])) return true;
    }
    return false;
}

/* KOSHU_ERROR_NOT_FOUND: --only has a name that is not there. */
static koshu_status
check_only(struct koshu_context *context, const struct built_in_kernels *g,
           const char *only)
{
    char *names = only ? strdup(only) : NULL, *rest = names, *name;
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK && (name = strsep(&rest, ","))) {
        bool found = false;
        for (size_t k = 0; k < g->n; k++)
            found = found || strcmp(name, g->names[k]) == 0;
        if (!found)
            status = koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                                "--only: there is no interaction '%s' in %s",
                                name, g->directory);
    }
    free(names);
    return status;
}

static int
run_all(struct koshu_context *context, struct koshu_context *ref,
        const struct interactions_options *o, const struct built_in_kernels *g)
{
    bool first = true;
    for (size_t k = 0; k < g->n; k++)
        for (size_t n = 0; is_chosen(g->names[k], o->only) && n < o->n_count;
             n++) {
            struct interactions_row row = {.name = g->names[k], .n = o->n[n]};
            koshu_status status = measure(context, ref, o, &row);
            if (status != KOSHU_OK)
                return report(koshu_context_message(context)[0] ? context : ref,
                              status);
            if (first && !o->json) interactions_print_head(o, &row);
            first = false;
            if (o->json)
                interactions_print_json(o, &row);
            else
                interactions_print_row(&row);
        }
    return EXIT_DONE;
}

int
bench_interactions(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct interactions_options o = {.n = {16384},
                                     .n_count = 1,
                                     .seed = 1,
                                     .precision = KOSHU_PRECISION_SINGLE,
                                     .errors = COMPARED_SAMPLE};
    struct built_in_kernels kernels = {0};
    int code = EXIT_FAILED;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *ref = make_context("ref", 0);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (!ref || !context) goto cleanup;
    code = report(ref, built_in_kernels_open(ref, &kernels));
    if (code == EXIT_DONE)
        code = report(ref, check_only(ref, &kernels, o.only));
    if (code == EXIT_DONE) code = run_all(context, ref, &o, &kernels);
cleanup:
    built_in_kernels_close(&kernels);
    koshu_context_destroy(context);
    koshu_context_destroy(ref);
    return code;
}
