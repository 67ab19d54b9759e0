/* SPDX-License-Identifier: MIT */
/* koshu init: writes the initial conditions of a model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/initial.h>
#include <koshu/ranks.h>
#include <koshu/snapshot.h>

#include "app.h"
#include "init.h"
#include "init_scale.h"
#include "init_summary.h"
#include "options.h"

static const char doc[] =
        "Makes an initial model and writes it to a snapshot. The same seed "
        "gives the same particles on any number of threads.\v"
        "Models:";

/* The bits of models that an option is for. */
#define MODEL(name) (1u << KOSHU_MODEL_##name)
#define OWN(member, models)                                         \
    FIELD(struct init_arguments, initial.member), .min = -INFINITY, \
                                                  .group = 1, .only = (models)

#define STARS(member) FIELD(struct init_arguments, initial.member), .group = 3
#define LAW(function)                                                          \
    static void parse_##function(struct argp_state *state, const char *option, \
                                 char *text, void *member)                     \
    {                                                                          \
        OPTION_FIND(state, option, text, koshu_##function##_find,              \
                    (enum koshu_##function *)member);                          \
    }
LAW(mass_function)
LAW(period_law)
LAW(mass_ratio_law)
LAW(eccentricity_law)

#define LENGTH(which, models)                                   \
    {                                                           \
            .type = FIELD_TEXT,                                 \
            .offset = offsetof(struct init_arguments, length) + \
                      (which) * sizeof(char *),                 \
    },                                                          \
            .group = 2, .only = (models)

static const struct command_option option_table[] = {
        {"n", 'n', "N", "number of particles (16384; two-body: 2)",
         FIELD(struct init_arguments, initial.n)},
        {"seed", 's', "S", "seed of the random numbers (1)",
         FIELD(struct init_arguments, initial.seed)},
        {"output", 'o', "FILE",
         "the snapshot; its ending sets the format: .hdf5, .gad, .gad1, "
         ".tipsy, .csv",
         FIELD(struct init_arguments, output)},
        {"format", 'f', "F",
         "hdf5, gadget1, gadget2, tipsy or csv, whatever the ending of FILE",
         FIELD(struct init_arguments, format)},
        {"files", 0, "N",
         "divide FILE into N files, as GADGET does: FILE.0.hdf5, ...; with "
         "mpirun up to N ranks write them (1)",
         FIELD(struct init_arguments, files), .min = 1},
        {"force", 0, NULL, "overwrite a file that is there already",
         FIELD(struct init_arguments, force)},
        {"threads", 't', "T", "CPU threads (one per core)",
         FIELD(struct init_arguments, threads), .parse = parse_threads},
        {.text = "Options of some models:", .group = 1},
        {"mass-fraction", 0, "F",
         "plummer, hernquist, dehnen, eff, galaxy: cut at the radius that "
         "holds "
         "this fraction of the mass, in (0, 1] (0.999)",
         OWN(mass_fraction, MODEL(PLUMMER) | MODEL(HERNQUIST) | MODEL(DEHNEN) |
                                    MODEL(EFF) | MODEL(GALAXY))},
        {"virial-ratio", 0, "Q",
         "sphere, cube, fractal: T/|W|, 0 or more (0: at rest)",
         OWN(virial_ratio, MODEL(SPHERE) | MODEL(CUBE) | MODEL(FRACTAL))},
        {"w0", 0, "W", "king: central potential, in [0.5, 15] (6)",
         OWN(king_w0, MODEL(KING))},
        {"dehnen-gamma", 0, "G", "dehnen: inner slope, in [0, 2] (1)",
         OWN(dehnen_gamma, MODEL(DEHNEN))},
        {"concentration", 0, "C",
         "nfw: cut-off radius, in scale lengths, in [1, 1000] (10)",
         OWN(concentration, MODEL(NFW))},
        {"eff-gamma", 0, "G",
         "eff: outer slope of the surface density, in [2.1, 20] (3)",
         OWN(eff_gamma, MODEL(EFF))},
        {"fractal-dimension", 0, "D", "fractal: its dimension, in [1, 3] (1.6)",
         OWN(fractal_dimension, MODEL(FRACTAL))},
        {"disk-fraction", 0, "F",
         "galaxy: fraction of the mass in the disk, in (0, 1] (0.07)",
         OWN(disk_fraction, MODEL(GALAXY))},
        {"bulge-fraction", 0, "F",
         "galaxy: fraction of the mass in the bulge, in [0, 1) (0.03)",
         OWN(bulge_fraction, MODEL(GALAXY))},
        {"disk-height", 0, "Z",
         "galaxy: z0 of sech^2(z / z0), in scale lengths of the disk, in "
         "[0.01, 1] (0.2)",
         OWN(disk_height, MODEL(GALAXY))},
        {"toomre-q", 0, "Q",
         "galaxy: Toomre's Q at 2.5 scale lengths, in (0, 10] (1.5)",
         OWN(toomre_q, MODEL(GALAXY))},
        {"bulge-length", 0, "A",
         "galaxy: scale length of the bulge, in [0.01, 100] (0.2)",
         OWN(bulge_length, MODEL(GALAXY))},
        {"halo-length", 0, "A",
         "galaxy: scale length of the halo, in [0.01, 100] (4)",
         OWN(halo_length, MODEL(GALAXY))},
        {"eccentricity", 0, "E",
         "two-body: eccentricity of the orbit, in [0, 1) (0.9)",
         OWN(eccentricity, MODEL(TWO_BODY))},
        {"two-body-mass", 0, "M",
         "two-body: mass of the second body, in (0, 1) (0.5)",
         OWN(two_body_mass, MODEL(TWO_BODY))},
        {"exact-virial", 0, NULL,
         "all but two-body: rescale to T = 1/4 and W = -1/2 exactly; O(n^2) "
         "work; sphere, cube and fractal: with --virial-ratio 0.5",
         OWN(exact_virial, 0)},
        {.text = "A model in physical units (default: Hénon units, mass and "
                 "size 1):",
         .group = 2},
        {"units", 'u', "U",
         "units of the snapshot: pc,Msun,Myr or 'kpc, 1e10 Msun, km/s'; needs "
         "a mass and a size, which may have units of their own",
         FIELD(struct init_arguments, units), .group = 2},
        {"total-mass", 0, "M", "total mass of all particles: '1e4 Msun'",
         FIELD(struct init_arguments, total_mass), .group = 2},
        {"virial-radius", 0, "R", "plummer, king: its virial radius: '0.8 pc'",
         LENGTH(VIRIAL_RADIUS, MODEL(PLUMMER) | MODEL(KING))},
        {"radius", 0, "R", "sphere, fractal: its radius",
         LENGTH(RADIUS, MODEL(SPHERE) | MODEL(FRACTAL))},
        {"edge", 0, "L", "cube: its edge", LENGTH(EDGE, MODEL(CUBE))},
        {"scale-length", 0, "A",
         "hernquist, dehnen, nfw, eff: its scale length; galaxy: the disk's",
         LENGTH(SCALE_LENGTH, MODEL(HERNQUIST) | MODEL(DEHNEN) | MODEL(NFW) |
                                      MODEL(EFF) | MODEL(GALAXY))},
        {"semi-major-axis", 0, "A", "two-body: semi-major axis of the orbit",
         LENGTH(SEMI_MAJOR_AXIS, MODEL(TWO_BODY))},
        {.text = "Stars of a model (all but two-body and galaxy):", .group = 3},
        {"mass-function", 0, "LAW",
         "equal, salpeter, kroupa (2001), chabrier (2003), or table, with "
         "limits (equal)",
         STARS(mass_function), .parse = parse_mass_function},
        {"mass-min", 0, "M",
         "lower limit of the masses, in solar masses (none; table: its "
         "beginning)",
         STARS(mass_min)},
        {"mass-max", 0, "M",
         "upper limit of the masses, in solar masses (none; table: its end)",
         STARS(mass_max)},
        {"mass-table", 0, "FILE",
         "for table: CSV with the columns mass and xi; between rows a power "
         "law",
         STARS(mass_table)},
        {"mass-segregation", 0, "S",
         "plummer, king, hernquist, dehnen, nfw, eff: 0: none, 1: the heavier "
         "a star, the more tightly bound (0)",
         STARS(mass_segregation), .max = 1, .closed = true},
        {"binary-fraction", 0, "F",
         "fraction of all systems that are binaries; needs --units (0)",
         STARS(binary_fraction), .max = 1, .closed = true},
        {"period-law", 0, "LAW",
         "distribution of periods: raghavan (2010), duquennoy-mayor (1991), "
         "kroupa (1995) or opik (raghavan)",
         STARS(period_law), .parse = parse_period_law},
        {"period-min", 0, "P", "shortest period, in days (1)",
         STARS(period_min)},
        {"period-max", 0, "P", "longest period, in days (1e8)",
         STARS(period_max)},
        {"mass-ratio-law", 0, "LAW", "uniform, random or equal (uniform)",
         STARS(mass_ratio_law), .parse = parse_mass_ratio_law},
        {"mass-ratio-min", 0, "Q", "uniform: the smallest mass ratio (0.1)",
         STARS(mass_ratio_min), .max = 1},
        {"eccentricity-law", 0, "LAW", "thermal, uniform or circular (thermal)",
         STARS(eccentricity_law), .parse = parse_eccentricity_law},
        {0}};
enum { N_GIVEN = 1 }; /* the bit of the first option, N */

static void
check(struct argp_state *state, void *values)
{
    const struct init_arguments *a = values;
    if (!a->model)
        argp_error(state, "name a model; `koshu init --help` lists them");
    if (!a->output) argp_error(state, "name the snapshot to write: -o FILE");
}

/* Appends the list of models to the options in --help. */
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
            "universe: koshu init cosmology --help\n",
            "cosmology");
    fprintf(out,
            "  %-10s several models at once: koshu init components --help\n",
            "components");
    fclose(out);
    return list;
}

/* Finds model and format by name; checks that the options belong to the
 * model. */
static int
resolve(struct koshu_context *context, struct init_arguments *a, uint64_t given,
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

/* ---- making and writing -------------------------------------------------- */

/* The first rank writes. */
static koshu_status
check_output(struct koshu_context *context, const struct init_arguments *a)
{
    koshu_status status = KOSHU_OK;
    if (koshu_ranks_rank(context) == 0)
        status = refuse_to_overwrite(context, a->output, a->force);
    return koshu_ranks_collective_status(context, status);
}

static koshu_status
write_scaled(const struct init_arguments *a, enum koshu_format format,
             const struct init_scale *s, struct koshu_particles *particles)
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
make_and_write(struct koshu_context *context, struct init_arguments *a,
               enum koshu_format format)
{
    struct koshu_particles *particles;
    struct init_scale scale;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(init_choose_scale(context, a, &scale));
    KOSHU_TRY(koshu_initial_create(context, &a->initial, &particles));
    /* it may have been created meanwhile */
    koshu_status status = check_output(context, a);
    if (status == KOSHU_OK)
        status = init_summarize(context, a, &scale, particles);
    if (status == KOSHU_OK) status = write_scaled(a, format, &scale, particles);
    koshu_particles_destroy(particles);
    return status;
}

/* Prints the names of models, including those with a command line of their
 * own. */
static const char *
model_name(int k)
{
    static const char *const others[] = {"cosmology", "components"};
    int models = 0;
    while (koshu_model_name((enum koshu_model)models)) models++;
    if (k < models) return koshu_model_name((enum koshu_model)k);
    return k < models + 2 ? others[k - models] : NULL;
}

static bool
names(const char *model, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], model) == 0 && strcmp(argv[k - 1], "-o") != 0 &&
            strcmp(argv[k - 1], "--output") != 0)
            return true;
    return false;
}

int
command_init(int argc, char **argv)
{
    const struct command_line line = {
            .arguments = "MODEL -o FILE",
            .doc = doc,
            .options = option_table,
            .word = FIELD(struct init_arguments, model),
            .word_is = "model",
            .word_name = model_name,
            .check = check,
            .help_filter = add_models};
    struct init_arguments a = {.initial = koshu_initial_options_default(),
                               .files = 1};
    if (names("cosmology", argc, argv)) return init_cosmology(argc, argv);
    if (names("components", argc, argv)) return init_components(argc, argv);
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
