/* SPDX-License-Identifier: MIT */
/* koshu convert: converts, changes and joins snapshots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "options.h"
#include "snapshot_text.h"

static const char doc[] =
        "Reads the snapshot IN, whatever its format, and writes it as OUT; or "
        "joins several snapshots as one. The format of OUT follows from its "
        "ending (.hdf5 .h5, .gad .gadget, .gad1, .tipsy .std, .csv) or from "
        "--format. What the new format cannot hold is reported on standard "
        "error. With --units all numbers are converted from the units that IN "
        "states, or those of --from if it states none.\v"
        "Changes are made in the order given. Those after a file apply to its "
        "particles; those before all files or after OUT apply to everything "
        "that is written. Their numbers are in the units of these particles, "
        "or have their own: '10 pc,0,0', '0,0,5 km/s'. Joined particles are in "
        "the units of the first file; ids that are already used are replaced "
        "by larger ones.\n\n"
        "CENTRE is X,Y,Z, mass (the centre of mass) or density (the density "
        "centre).\n\n"
        "Units: a length, a mass, and a time or a velocity: pc,Msun,Myr or "
        "'kpc, 1e10 Msun, km/s'. Without the third, G = 1: a file in Hénon "
        "units gets a physical size by --from '0.8 pc, 1e4 Msun', its virial "
        "radius and mass.\n\n"
        "Examples:\n"
        "  koshu convert snap_0004.hdf5 snap_0004.csv\n"
        "  koshu convert a.hdf5 b.hdf5 --shift 10,0,0 --boost -0.5,0,0 -o "
        "both.hdf5\n"
        "  koshu convert snap_0004.hdf5 --sphere 2@density --centre density "
        "core.csv\n"
        "  koshu convert gadget.dat cluster.hdf5 --from 'kpc, 1e10 Msun, km/s' "
        "--units pc,Msun,Myr\n"
        "  koshu convert snap_0004.hdf5 galaxy --format gadget1";

#define CHANGE                                                    \
    {                                                             \
        .type = FIELD_ENUM /* the value is of the whole struct */ \
    }

/* Options after --output, up to the next file, apply to all files. */
static void
note_output(struct argp_state *state, const char *option, char *text,
            void *arguments)
{
    struct convert_arguments *a = arguments;
    (void)state;
    (void)option;
    a->out = text;
    a->before_out = a->files.n;
}

static const struct command_option option_table[] = {
        {"output", 'o', "OUT", "join all named files into this one", CHANGE,
         .parse = note_output},
        {"format", 'f', "F",
         "format of OUT: hdf5, gadget1, gadget2, tipsy or csv (by its ending)",
         FIELD(struct convert_arguments, format)},
        {"units", 'u', "U", "units of OUT: pc,Msun,Myr (those of IN)",
         FIELD(struct convert_arguments, units)},
        {"from", 0, "U",
         "the units of IN, if it states none; or its size, if it is in Hénon "
         "units",
         CHANGE, .parse = note_change},
        {"files", 0, "N",
         "divide OUT into N files, as GADGET does: OUT.0.hdf5, OUT.1.hdf5, ... "
         "(1)",
         FIELD(struct convert_arguments, n_files), .min = 1},
        {"force", 0, NULL, "overwrite a file that is there already",
         FIELD(struct convert_arguments, force)},
        {.text = "Selecting particles:", .group = 1},
        {"ids", 0, "A..B", "particles with ids A to B", CHANGE, .group = 1,
         .parse = note_change},
        {"every", 0, "N", "the first particle, and every N-th after it", CHANGE,
         .group = 1, .parse = note_change},
        {"fraction", 0, "F",
         "each particle with probability F, by its id: the same ones in each "
         "snapshot",
         CHANGE, .group = 1, .parse = note_change},
        {"seed", 0, "S", "seed of --fraction",
         FIELD(struct convert_arguments, seed), .group = 1},
        {"sphere", 0, "R@CENTRE",
         "particles within R of a point (without @: the origin)", CHANGE,
         .group = 1, .parse = note_change},
        {"box", 0, "W@CENTRE",
         "particles in a cube of edge W, or a box WX,WY,WZ, around a point "
         "(without @: the origin)",
         CHANGE, .group = 1, .parse = note_change},
        {.text = "Moving, rotating, scaling:", .group = 2},
        {"shift", 0, "X,Y,Z", "add to positions", CHANGE, .group = 2,
         .parse = note_change},
        {"boost", 0, "VX,VY,VZ", "add to velocities", CHANGE, .group = 2,
         .parse = note_change},
        {"centre", 0, "C",
         "move the centre of mass or density to the origin, and bring the "
         "centre of mass to rest",
         CHANGE, .group = 2, .parse = note_change},
        {"rotate", 0, "AXIS,DEG",
         "rotate about x, y, z or a vector X,Y,Z through the origin, by "
         "degrees",
         CHANGE, .group = 2, .parse = note_change},
        {"scale-position", 0, "F", "multiply positions", CHANGE, .group = 2,
         .parse = note_change},
        {"scale-velocity", 0, "F", "multiply velocities", CHANGE, .group = 2,
         .parse = note_change},
        {"scale-mass", 0, "F", "multiply masses", CHANGE, .group = 2,
         .parse = note_change},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    struct convert_arguments *a = values;
    const char **file = a->files.word;
    if (!a->out && a->files.n > 2)
        argp_error(state,
                   "'%s' is one file too many: IN and OUT, or join files with "
                   "--output OUT",
                   file[2]);
    if (!a->out && a->files.n < 2)
        argp_error(state, "name two files: IN and OUT");
    if (a->files.n == 0) argp_error(state, "name the files to read");
    a->n_in = a->out ? a->files.n : 1;
    if (!a->out) a->out = file[1];
    for (size_t k = 0; k < a->n_changes; k++)
        if (a->change[k].file > a->n_in) a->change[k].file = 0;
}

/* ---- files --------------------------------------------------------------- */

koshu_status
read_snapshot(struct koshu_context *context, const char *path,
              struct snapshot *s)
{
    s->path = path;
    s->info.size = sizeof s->info;
    KOSHU_TRY(koshu_snapshot_read(context, path, &s->info, &s->particles));
    s->before = s->info.units;
    return koshu_snapshot_parameters(context, path, &s->parameters);
}

void
free_snapshot(struct snapshot *s)
{
    koshu_particles_destroy(s->particles);
    free(s->parameters);
}

/* Prints "a.hdf5 (hdf5)  n = 100 of 1000  t = 0", and which units become
 * which. */
static void
print_snapshot(const struct snapshot *s, const struct koshu_units *after)
{
    const struct koshu_snapshot_info *info = &s->info;
    const size_t n = koshu_particles_total(s->particles);
    char time[SNAPSHOT_TIME], from[128], to[128];
    printf("%s (%s)  n = %zu", printable(s->path),
           koshu_format_name(info->format), n);
    if (n != info->n) printf(" of %llu", (unsigned long long)info->n);
    printf("  %s", snapshot_time_text(info, time));
    koshu_units_text(&s->before, sizeof from, from);
    koshu_units_text(after, sizeof to, to);
    if (!same_units(&s->before, after)) printf("  %s -> %s", from, to);
}

static void
print_done(const struct convert_arguments *a, enum koshu_format format,
           const struct snapshot *parts, const struct snapshot *whole)
{
    for (size_t k = 0; a->n_in > 1 && k < a->n_in; k++) {
        print_snapshot(&parts[k], &whole->info.units);
        putchar('\n');
    }
    if (a->n_in > 1)
        printf("joined  n = %zu", koshu_particles_total(whole->particles));
    else
        print_snapshot(whole, &whole->info.units);
    printf("  -> %s (%s)\n", printable(a->out), koshu_format_name(format));
}

/* Writes the new file and reads it back, to find losses by comparison. */
static koshu_status
write_and_check(struct koshu_context *context,
                const struct convert_arguments *a, enum koshu_format format,
                const struct snapshot *in)
{
    struct koshu_snapshot_info info = in->info;
    struct snapshot out = {0};
    info.format = format;
    info.files = a->n_files;
    KOSHU_TRY(koshu_particles_require(context,
                                      koshu_particles_total(in->particles),
                                      KOSHU_PARTICLE_BYTES));
    /* it may have been created meanwhile */
    KOSHU_TRY(refuse_to_overwrite(context, a->out, a->force));
    KOSHU_TRY(
            koshu_snapshot_write(in->particles, a->out, &info, in->parameters));
    if (a->n_files > 1) remove(a->out); /* several files replace it */
    koshu_status status = read_snapshot(context, a->out, &out);
    if (status == KOSHU_OK) status = report_losses(a->out, in, &out);
    free_snapshot(&out);
    return status;
}

/* ---- conversion ---------------------------------------------------------- */

/* Reads a file, and applies the options that follow it on the command line. */
static koshu_status
read_part(struct koshu_context *context, const struct convert_arguments *a,
          size_t k, struct snapshot *part)
{
    KOSHU_TRY(read_snapshot(context, a->files.word[k], part));
    KOSHU_TRY(take_from(context, units_given(a, k + 1), part));
    KOSHU_TRY(apply_changes(context, a, k + 1, part));
    return convert_units(context, a->units, part);
}

static koshu_status
make_whole(struct koshu_context *context, const struct convert_arguments *a,
           struct snapshot *parts, struct snapshot *whole)
{
    for (size_t k = 0; k < a->n_in; k++)
        KOSHU_TRY(read_part(context, a, k, &parts[k]));
    if (a->n_in > 1)
        KOSHU_TRY(join_snapshots(context, a->n_in, parts, whole));
    else {
        *whole = parts[0];
        parts[0] = (struct snapshot){0};
    }
    if (a->n_in > 1) whole->path = a->out;
    return apply_changes(context, a, 0, whole);
}

static koshu_status
convert(struct koshu_context *context, const struct convert_arguments *a)
{
    struct snapshot whole = {0};
    enum koshu_format format;
    if (a->format)
        KOSHU_TRY(koshu_format_find(context, a->format, &format));
    else
        KOSHU_TRY(koshu_format_of_path(context, a->out, &format));
    KOSHU_TRY(refuse_to_overwrite(context, a->out, a->force));
    struct snapshot *parts = calloc(a->n_in, sizeof *parts);
    if (!parts)
        return koshu_fail_memory(context, a->n_in * sizeof *parts, "files");
    koshu_status status = make_whole(context, a, parts, &whole);
    if (status == KOSHU_OK)
        status = write_and_check(context, a, format, &whole);
    if (status == KOSHU_OK) print_done(a, format, parts, &whole);
    for (size_t k = 0; k < a->n_in; k++) free_snapshot(&parts[k]);
    free_snapshot(&whole);
    free(parts);
    return status;
}

int
command_convert(int argc, char **argv)
{
    const struct command_line line = {
            .arguments = "IN OUT\nIN [CHANGES] [IN [CHANGES]]... -o OUT",
            .doc = doc,
            .options = option_table,
            .word = FIELD(struct convert_arguments, files),
            .in_order = true,
            .check = check};
    struct convert_arguments a = {.seed = 1, .n_files = 1};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    const koshu_status status = convert(context, &a);
    free(a.files.word);
    free(a.change);
    return end_command(context, status);
}
