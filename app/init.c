/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>
#include <koshu/ranks.h>
#include <koshu/snapshot.h>
#include <koshu/solver.h>

#include "app.h"

static const char doc[] =
        "Makes an initial model and writes it to a snapshot. The same seed "
        "gives the same particles on any number of threads.\v"
        "Models:";

enum key {
    KEY_N = 'n',
    KEY_OUTPUT = 'o',
    KEY_SEED = 's',
    KEY_THREADS = 't',
    KEY_FORMAT = 'f',
    KEY_FRACTION = 256,
    KEY_RATIO,
    KEY_W0,
    KEY_ECCENTRICITY,
    KEY_MASS,
    KEY_EXACT,
    KEY_FORCE
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N", 0, "number of particles (16384; two-body: 2)", 0},
        OPTION_SEED,
        {"output", KEY_OUTPUT, "FILE", 0,
         "the snapshot; its ending sets the format: .hdf5, .gad, .gad1, "
         ".tipsy, .csv",
         0},
        {"format", KEY_FORMAT, "F", 0,
         "hdf5, gadget1, gadget2, tipsy or csv, whatever the ending of FILE",
         0},
        OPTION_FORCE,
        OPTION_THREADS,
        {NULL, 0, NULL, 0, "Options of some models:", 1},
        {"mass-fraction", KEY_FRACTION, "F", 0,
         "plummer, hernquist: cut at the radius that holds this fraction of "
         "the mass, in (0, 1] (0.999)",
         1},
        {"virial-ratio", KEY_RATIO, "Q", 0,
         "sphere, cube: T/|W|, 0 or more (0: at rest)", 1},
        {"w0", KEY_W0, "W", 0, "king: central potential, in [0.5, 15] (6)", 1},
        {"eccentricity", KEY_ECCENTRICITY, "E", 0, "two-body: in [0, 1) (0.9)",
         1},
        {"two-body-mass", KEY_MASS, "M", 0,
         "two-body: mass of the second, in (0, 1) (0.5)", 1},
        {"exact-virial", KEY_EXACT, NULL, 0,
         "all but two-body: rescale to T = 1/4 and W = -1/2 exactly; O(n^2) "
         "work; sphere and cube: with --virial-ratio 0.5",
         1},
        {0}};

/* The options that not every model has: numbers. */
#define NUMBER(member) offsetof(struct koshu_initial_options, member)
static const struct own_option {
    enum key key;
    const char *name;
    size_t number;   /* offset */
    unsigned models; /* bits */
} own_options[] = {
        {KEY_FRACTION, "--mass-fraction", NUMBER(mass_fraction),
         1u << KOSHU_MODEL_PLUMMER | 1u << KOSHU_MODEL_HERNQUIST},
        {KEY_RATIO, "--virial-ratio", NUMBER(virial_ratio),
         1u << KOSHU_MODEL_SPHERE | 1u << KOSHU_MODEL_CUBE},
        {KEY_W0, "--w0", NUMBER(king_w0), 1u << KOSHU_MODEL_KING},
        {KEY_ECCENTRICITY, "--eccentricity", NUMBER(eccentricity),
         1u << KOSHU_MODEL_TWO_BODY},
        {KEY_MASS, "--two-body-mass", NUMBER(two_body_mass),
         1u << KOSHU_MODEL_TWO_BODY},
};
enum { N_OWN = sizeof own_options / sizeof own_options[0] };

struct arguments {
    struct koshu_initial_options options;
    const char *model, *output, *format;
    int threads;
    bool n_given, force, own_given[N_OWN];
};

static error_t
parse_own_option(struct argp_state *state, struct arguments *a, int key,
                 const char *text)
{
    for (int k = 0; k < N_OWN; k++) {
        const struct own_option *o = &own_options[k];
        if ((int)o->key != key) continue;
        double value = argument_number(state, o->name, text);
        memcpy((char *)&a->options + o->number, &value, sizeof value);
        a->own_given[k] = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t
parse_end(struct argp_state *state, const struct arguments *a)
{
    if (!a->model)
        argp_error(state, "name a model; `koshu init --help` lists them");
    if (!a->output) argp_error(state, "name the snapshot to write: -o FILE");
    return 0;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct koshu_initial_options *o = &a->options;
    switch (key) {
    case KEY_N:
        o->n = argument_count(state, "--n", text);
        a->n_given = true;
        return 0;
    case KEY_SEED: o->seed = argument_count(state, "--seed", text); return 0;
    case KEY_OUTPUT: a->output = text; return 0;
    case KEY_FORMAT: a->format = text; return 0;
    case KEY_THREADS:
        a->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_EXACT: o->exact_virial = true; return 0;
    case KEY_FORCE: a->force = true; return 0;
    case ARGP_KEY_ARG:
        if (a->model) argp_error(state, "two models: %s, %s", a->model, text);
        a->model = text;
        return 0;
    case ARGP_KEY_END: return parse_end(state, a);
    default: return parse_own_option(state, a, key, text);
    }
}

/* The list of models, below the options of --help. */
static char *
add_models(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC || !text) return (char *)text;
    char *list = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&list, &size);
    if (!out) return (char *)text;
    fprintf(out, "%s\n", text);
    const char *name;
    for (unsigned m = 0; (name = koshu_model_name((enum koshu_model)m)); m++)
        fprintf(out, "  %-10s %s\n", name,
                koshu_model_summary((enum koshu_model)m));
    fclose(out);
    return list;
}

/* Model and format by their names; are the options those of the model? */
static int
resolve(struct koshu_context *context, struct arguments *a,
        enum koshu_format *format)
{
    struct koshu_initial_options *o = &a->options;
    koshu_status status = koshu_model_find(context, a->model, &o->model);
    if (status == KOSHU_OK)
        status = a->format ? koshu_format_find(context, a->format, format)
                           : koshu_format_of_path(context, a->output, format);
    if (status != KOSHU_OK) return report(context, status);
    for (int k = 0; k < N_OWN; k++)
        if (a->own_given[k] && !(own_options[k].models & 1u << o->model)) {
            fprintf(stderr, "koshu: %s is not an option of the model %s\n",
                    own_options[k].name, a->model);
            return EXIT_USAGE;
        }
    if (o->model == KOSHU_MODEL_TWO_BODY && !a->n_given) o->n = 2;
    return EXIT_DONE;
}

/* The sum over pairs takes seconds at most up to here. */
enum { ENERGY_LIMIT = 65536 };

enum { HALF_MASS = 4 }; /* of koshu_lagrangian_fractions */

static koshu_status
measure(struct koshu_context *context, struct koshu_particles *particles,
        struct koshu_diagnostics *diagnostics)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = KOSHU_PRECISION_MIXED;
    koshu_status status = koshu_solver_create(context, &options, &solver);
    if (status != KOSHU_OK) return status;
    status = koshu_solver_forces(solver, particles,
                                 KOSHU_FIELD_ACCELERATION |
                                         KOSHU_FIELD_POTENTIAL);
    if (status == KOSHU_OK)
        status = koshu_diagnostics_compute(particles, diagnostics);
    koshu_solver_destroy(solver);
    return status;
}

static koshu_status
summarize(struct koshu_context *context, const struct arguments *a,
          struct koshu_particles *particles)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    bool measured = a->options.n <= ENERGY_LIMIT;
    if (measured) KOSHU_TRY(measure(context, particles, &d));
    printf("%s  n = %zu  seed = %llu", a->model, a->options.n,
           (unsigned long long)a->options.seed);
    if (measured)
        printf("  E = %.6f  Q = %.6f  r_h = %.6f", d.total, d.virial_ratio,
               d.lagrangian_radius[HALF_MASS]);
    printf("  -> %s\n", printable(a->output));
    return KOSHU_OK;
}

/* The first rank writes. */
static koshu_status
check_output(struct koshu_context *context, const struct arguments *a)
{
    koshu_status status = KOSHU_OK;
    if (koshu_ranks_rank(context) == 0)
        status = refuse_to_overwrite(context, a->output, a->force);
    return koshu_ranks_collective_status(context, status);
}

static koshu_status
make_and_write(struct koshu_context *context, const struct arguments *a,
               enum koshu_format format)
{
    struct koshu_particles *particles;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(koshu_initial_create(context, &a->options, &particles));
    struct koshu_snapshot_info info = {.size = sizeof info, .format = format};
    koshu_units_henon(&info.units);
    koshu_status status = check_output(context, a); /* made meanwhile? */
    if (status == KOSHU_OK)
        status = koshu_snapshot_write(particles, a->output, &info, NULL);
    if (status == KOSHU_OK) status = summarize(context, a, particles);
    koshu_particles_destroy(particles);
    return status;
}

int
command_init(int argc, char **argv)
{
    const struct argp parser = {.options = option_table,
                                .parser = parse,
                                .args_doc = "MODEL -o FILE",
                                .doc = doc,
                                .help_filter = add_models};
    struct arguments a = {.options = koshu_initial_options_default()};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    struct koshu_context *context = make_context(NULL, a.threads);
    if (!context) return EXIT_FAILED;
    enum koshu_format format;
    int code = resolve(context, &a, &format);
    if (code == EXIT_DONE)
        code = report(context, make_and_write(context, &a, format));
    koshu_context_destroy(context);
    return code;
}
