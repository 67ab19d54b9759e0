/* SPDX-License-Identifier: MIT */
/* koshu init components: several models in one snapshot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/components.h>
#include <koshu/ranks.h>
#include <koshu/snapshot.h>
#include <koshu/units.h>

#include "app.h"
#include "init.h"
#include "options.h"

static const char doc[] =
        "Makes several initial models, each with its own mass, size, position, "
        "velocity and rotation, and writes them to one snapshot. TEXT lists "
        "the models, each followed by its values:\n\n"
        "  koshu init components 'plummer n=1000, x=-2, vx=0.5, king n=500, "
        "king_w0=7, x=2, vx=-0.5' -o pair.hdf5\n\n"
        "The names are the keys of `initial` (koshu run --help-parameters), "
        "and x, y, z, vx, vy, vz, inclination, node, rotation_period "
        "(docs/components.md).";

struct arguments {
    struct word_list words; /* "components", TEXT */
    const char *output, *format, *units;
    size_t seed, files;
    int threads;
    bool force;
};

#define OF(member) FIELD(struct arguments, member)

static const struct command_option option_table[] = {
        {"seed", 's', "S",
         "seed of the first model, increased by one for each further model (1)",
         OF(seed)},
        {"units", 'u', "U",
         "units of bare numbers and of the snapshot: pc,Msun,Myr or 'kpc, 1e10 "
         "Msun, km/s' (Hénon units)",
         OF(units)},
        {"output", 'o', "FILE",
         "the snapshot; its ending sets the format: .hdf5, .gad, .gad1, "
         ".tipsy, .csv",
         OF(output)},
        {"format", 'f', "F",
         "hdf5, gadget1, gadget2, tipsy or csv, whatever the ending of FILE",
         OF(format)},
        {"files", 0, "N", "divide FILE into N files (1)", OF(files), .min = 1},
        {"force", 0, NULL, "overwrite a file that is there already", OF(force)},
        {"threads", 't', "T", "CPU threads (one per core)", OF(threads),
         .parse = parse_threads},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct arguments *a = values;
    if (a->words.n < 2)
        argp_error(state, "give the models: koshu init components 'plummer "
                          "n=1000, x=-2, plummer n=500, x=2' -o FILE");
    if (a->words.n > 2)
        argp_error(state, "'%s': the models are one text, in quotes",
                   a->words.word[2]);
    if (!a->output) argp_error(state, "name the snapshot to write: -o FILE");
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
choose(struct koshu_context *context, const struct arguments *a,
       struct koshu_snapshot_info *info)
{
    KOSHU_TRY(a->format ? koshu_format_find(context, a->format, &info->format)
                        : koshu_format_of_path(context, a->output,
                                               &info->format));
    info->files = a->files;
    koshu_units_henon(&info->units);
    return a->units ? koshu_units_find(context, a->units, &info->units)
                    : KOSHU_OK;
}

/* Masses in files do not include G. */
static koshu_status
write_file(const struct arguments *a, const struct koshu_snapshot_info *info,
           struct koshu_particles *particles)
{
    const struct koshu_unit_factors f = {
            1, 1 / koshu_units_mass_factor(&info->units), 1};
    koshu_status status = KOSHU_OK;
    if (f.mass != 1) status = koshu_particles_scale(particles, &f);
    KOSHU_TRY(koshu_ranks_collective_status(koshu_particles_context(particles),
                                            status));
    KOSHU_TRY(koshu_snapshot_write(particles, a->output, info, NULL));
    printf("components  n = %zu  seed = %zu  -> %s\n",
           koshu_particles_total(particles), a->seed, printable(a->output));
    return KOSHU_OK;
}

static koshu_status
make_and_write(struct koshu_context *context, const struct arguments *a)
{
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    struct koshu_particles *particles;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(choose(context, a, &info));
    KOSHU_TRY(koshu_components_create(context, a->words.word[1], a->seed,
                                      &info.units, &particles));
    /* it may have been created meanwhile */
    koshu_status status = check_output(context, a);
    if (status == KOSHU_OK) status = write_file(a, &info, particles);
    koshu_particles_destroy(particles);
    return status;
}

int
init_components(int argc, char **argv)
{
    const struct command_line line = {.arguments = "components TEXT -o FILE",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = OF(words),
                                      .word_is = "model",
                                      .check = check};
    struct arguments a = {.seed = 1, .files = 1};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, a.threads);
    if (!context) return EXIT_FAILED;
    const koshu_status status = make_and_write(context, &a);
    free(a.words.word);
    return end_command(context, status);
}
