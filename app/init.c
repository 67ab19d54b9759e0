/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>
#include <koshu/ranks.h>
#include <koshu/snapshot.h>
#include <koshu/solver.h>

#include "app.h"
#include "init.h"
#include "options.h"

static const char doc[] =
        "Makes an initial model and writes it to a snapshot. The same seed "
        "gives the same particles on any number of threads.\v"
        "Models:";

/* What a model calls 1, in the order of its options. */
enum { VIRIAL_RADIUS, RADIUS, EDGE, SCALE_LENGTH, SEMI_MAJOR_AXIS, N_LENGTHS };

struct arguments {
    struct koshu_initial_options initial;
    const char *model, *output, *format;
    const char *units, *total_mass; /* as they are given; NULL: not */
    const char *length[N_LENGTHS];
    int threads;
    size_t files;
    bool force;
};

/* Of options for some models. */
#define MODEL(name) (1u << KOSHU_MODEL_##name)
#define OWN(member, models)                                                \
    FIELD(struct arguments, initial.member), .min = -INFINITY, .group = 1, \
                                             .only = (models)

#define LENGTH(which, models)                              \
    {                                                      \
            .type = FIELD_TEXT,                            \
            .offset = offsetof(struct arguments, length) + \
                      (which) * sizeof(char *),            \
    },                                                     \
            .group = 2, .only = (models)

static const struct command_option option_table[] = {
        {"n", 'n', "N", "number of particles (16384; two-body: 2)",
         FIELD(struct arguments, initial.n)},
        {"seed", 's', "S", "seed of the random numbers (1)",
         FIELD(struct arguments, initial.seed)},
        {"output", 'o', "FILE",
         "the snapshot; its ending sets the format: .hdf5, .gad, .gad1, "
         ".tipsy, .csv",
         FIELD(struct arguments, output)},
        {"format", 'f', "F",
         "hdf5, gadget1, gadget2, tipsy or csv, whatever the ending of FILE",
         FIELD(struct arguments, format)},
        {"files", 0, "N",
         "divide FILE into N files, as GADGET does: FILE.0.hdf5, ...; on ranks "
         "written by as many of them (1)",
         FIELD(struct arguments, files), .min = 1},
        {"force", 0, NULL, "overwrite a file that is there already",
         FIELD(struct arguments, force)},
        {"threads", 't', "T", "CPU threads (one per core)",
         FIELD(struct arguments, threads), .parse = parse_threads},
        {.text = "Options of some models:", .group = 1},
        {"mass-fraction", 0, "F",
         "plummer, hernquist: cut at the radius that holds this fraction of "
         "the mass, in (0, 1] (0.999)",
         OWN(mass_fraction, MODEL(PLUMMER) | MODEL(HERNQUIST))},
        {"virial-ratio", 0, "Q", "sphere, cube: T/|W|, 0 or more (0: at rest)",
         OWN(virial_ratio, MODEL(SPHERE) | MODEL(CUBE))},
        {"w0", 0, "W", "king: central potential, in [0.5, 15] (6)",
         OWN(king_w0, MODEL(KING))},
        {"eccentricity", 0, "E", "two-body: in [0, 1) (0.9)",
         OWN(eccentricity, MODEL(TWO_BODY))},
        {"two-body-mass", 0, "M",
         "two-body: mass of the second, in (0, 1) (0.5)",
         OWN(two_body_mass, MODEL(TWO_BODY))},
        {"exact-virial", 0, NULL,
         "all but two-body: rescale to T = 1/4 and W = -1/2 exactly; O(n^2) "
         "work; sphere and cube: with --virial-ratio 0.5",
         OWN(exact_virial, 0)},
        {.text = "The model in units (none, Hénon units: mass and size 1):",
         .group = 2},
        {"units", 'u', "U",
         "of the snapshot: pc,Msun,Myr or 'kpc, 1e10 Msun, km/s'; with a mass "
         "and a size, which may have units of their own",
         FIELD(struct arguments, units), .group = 2},
        {"total-mass", 0, "M", "of all particles: '1e4 Msun'",
         FIELD(struct arguments, total_mass), .group = 2},
        {"virial-radius", 0, "R", "plummer, king: '0.8 pc'",
         LENGTH(VIRIAL_RADIUS, MODEL(PLUMMER) | MODEL(KING))},
        {"radius", 0, "R", "sphere: its radius", LENGTH(RADIUS, MODEL(SPHERE))},
        {"edge", 0, "L", "cube: its edge", LENGTH(EDGE, MODEL(CUBE))},
        {"scale-length", 0, "A", "hernquist: its scale length",
         LENGTH(SCALE_LENGTH, MODEL(HERNQUIST))},
        {"semi-major-axis", 0, "A", "two-body: of the orbit",
         LENGTH(SEMI_MAJOR_AXIS, MODEL(TWO_BODY))},
        {0}};
enum { N_GIVEN = 1 }; /* the bit of the first of them */

static void
check(struct argp_state *state, void *values)
{
    const struct arguments *a = values;
    if (!a->model)
        argp_error(state, "name a model; `koshu init --help` lists them");
    if (!a->output) argp_error(state, "name the snapshot to write: -o FILE");
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
    fprintf(out,
            "  %-10s a periodic box or a sphere of a cold dark matter "
            "universe; its options: koshu init cosmology --help\n",
            "cosmology");
    fclose(out);
    return list;
}

/* Model and format by their names; are the options those of the model? */
static int
resolve(struct koshu_context *context, struct arguments *a, uint64_t given,
        enum koshu_format *format)
{
    struct koshu_initial_options *o = &a->initial;
    koshu_status status = koshu_model_find(context, a->model, &o->model);
    if (status == KOSHU_OK)
        status = a->format ? koshu_format_find(context, a->format, format)
                           : koshu_format_of_path(context, a->output, format);
    if (status != KOSHU_OK) return report(context, status);
    for (int k = 0; option_table[k].text; k++)
        if (given >> k & 1 && option_table[k].only &&
            !(option_table[k].only & 1u << o->model)) {
            fprintf(stderr, "koshu: --%s is not an option of the model %s\n",
                    option_table[k].name, a->model);
            return EXIT_USAGE;
        }
    if (o->model == KOSHU_MODEL_TWO_BODY && !(given & N_GIVEN)) o->n = 2;
    return EXIT_DONE;
}

/* ---- units ------------------------------------------------------------- */

/* The model's particles in other units: what these are, and what their numbers
 * are multiplied by. */
struct scale {
    struct koshu_units units;
    struct koshu_unit_factors factor;
};

/* One of the options of lengths is of the model, and has its place. */
static int
length_of(enum koshu_model model)
{
    switch (model) {
    case KOSHU_MODEL_SPHERE: return RADIUS;
    case KOSHU_MODEL_CUBE: return EDGE;
    case KOSHU_MODEL_HERNQUIST: return SCALE_LENGTH;
    case KOSHU_MODEL_TWO_BODY: return SEMI_MAJOR_AXIS;
    default: return VIRIAL_RADIUS;
    }
}

/* text NULL: it is not given, and 1 in dimensionless units alone. */
static koshu_status
parse_size(struct koshu_context *context, const char *option, const char *text,
           enum koshu_quantity quantity, const struct koshu_units *units,
           double *value)
{
    char names[128];
    *value = 1;
    koshu_units_text(units, sizeof names, names);
    if (!text && koshu_units_are_henon(units)) return KOSHU_OK;
    if (!text)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "a model in units of %s has no %s of its own: give "
                          "--%s",
                          names, koshu_quantity_name(quantity), option);
    KOSHU_TRY(koshu_quantity_parse(context, text, quantity, units, value));
    if (*value > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "--%s: %s is not positive", option, text);
}

static koshu_status
choose_scale(struct koshu_context *context, const struct arguments *a,
             struct scale *s)
{
    static const char *const names[N_LENGTHS] = {"virial-radius", "radius",
                                                 "edge", "scale-length",
                                                 "semi-major-axis"};
    const int k = length_of(a->initial.model);
    struct koshu_unit_factors *f = &s->factor;
    koshu_units_henon(&s->units);
    if (a->units) KOSHU_TRY(koshu_units_find(context, a->units, &s->units));
    KOSHU_TRY(parse_size(context, "total-mass", a->total_mass,
                         KOSHU_QUANTITY_MASS, &s->units, &f->mass));
    KOSHU_TRY(parse_size(context, names[k], a->length[k], KOSHU_QUANTITY_LENGTH,
                         &s->units, &f->length));
    f->velocity = sqrt(koshu_units_gravitational_constant(&s->units) * f->mass /
                       f->length);
    return KOSHU_OK;
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

/* As the model is measured, with G, its mass and its size 1. */
static void
print_measured(const struct scale *s, const struct koshu_diagnostics *d)
{
    const struct koshu_unit_factors *f = &s->factor;
    char energy[64], length[64];
    koshu_units_label(&s->units, KOSHU_QUANTITY_ENERGY, sizeof energy, energy);
    koshu_units_label(&s->units, KOSHU_QUANTITY_LENGTH, sizeof length, length);
    if (length[0])
        printf("  E = %.6g [%s]  Q = %.6f  r_h = %.6g [%s]",
               d->total * f->mass * f->velocity * f->velocity, energy,
               d->virial_ratio, d->lagrangian_radius[HALF_MASS] * f->length,
               length);
    else
        printf("  E = %.6f  Q = %.6f  r_h = %.6f",
               d->total * f->mass * f->velocity * f->velocity, d->virial_ratio,
               d->lagrangian_radius[HALF_MASS] * f->length);
}

static koshu_status
summarize(struct koshu_context *context, const struct arguments *a,
          const struct scale *s, struct koshu_particles *particles)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    bool measured = a->initial.n <= ENERGY_LIMIT;
    if (measured) KOSHU_TRY(measure(context, particles, &d));
    printf("%s  n = %zu  seed = %llu", a->model, a->initial.n,
           (unsigned long long)a->initial.seed);
    if (measured) print_measured(s, &d);
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
write_scaled(const struct arguments *a, enum koshu_format format,
             const struct scale *s, struct koshu_particles *particles)
{
    const struct koshu_snapshot_info info = {.size = sizeof info,
                                             .format = format,
                                             .units = s->units,
                                             .files = a->files};
    const struct koshu_unit_factors *f = &s->factor;
    koshu_status status = KOSHU_OK;
    if (f->mass != 1 || f->length != 1)
        status = koshu_particles_scale(particles, f);
    status = koshu_ranks_collective_status(koshu_particles_context(particles),
                                           status);
    return status == KOSHU_OK
                   ? koshu_snapshot_write(particles, a->output, &info, NULL)
                   : status;
}

static koshu_status
make_and_write(struct koshu_context *context, const struct arguments *a,
               enum koshu_format format)
{
    struct koshu_particles *particles;
    struct scale scale;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(choose_scale(context, a, &scale));
    KOSHU_TRY(koshu_initial_create(context, &a->initial, &particles));
    koshu_status status = check_output(context, a); /* made meanwhile? */
    if (status == KOSHU_OK) status = summarize(context, a, &scale, particles);
    if (status == KOSHU_OK) status = write_scaled(a, format, &scale, particles);
    koshu_particles_destroy(particles);
    return status;
}

/* The models, and a universe, which has a command line of its own. */
static const char *
model_name(int k)
{
    const char *name = koshu_model_name((enum koshu_model)k);
    if (name || (k > 0 && !koshu_model_name((enum koshu_model)(k - 1))))
        return name;
    return "cosmology";
}

static bool
names_cosmology(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "cosmology") == 0 &&
            strcmp(argv[k - 1], "-o") != 0 && strcmp(argv[k - 1], "--output"))
            return true;
    return false;
}

int
command_init(int argc, char **argv)
{
    const struct command_line line = {.arguments = "MODEL -o FILE",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = FIELD(struct arguments, model),
                                      .word_is = "model",
                                      .word_name = model_name,
                                      .check = check,
                                      .help_filter = add_models};
    struct arguments a = {.initial = koshu_initial_options_default(),
                          .files = 1};
    if (names_cosmology(argc, argv)) return init_cosmology(argc, argv);
    const uint64_t given = options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, a.threads);
    if (!context) return EXIT_FAILED;
    enum koshu_format format;
    int code = resolve(context, &a, given, &format);
    if (code == EXIT_DONE)
        code = report(context, make_and_write(context, &a, format));
    koshu_context_destroy(context);
    return code;
}
