/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/snapshot.h>

#include "app.h"
#include "options.h"

static const char doc[] =
        "Reads the snapshot IN, whatever its format, and writes it as OUT. The "
        "format of OUT follows from its ending (.hdf5 .h5, .gad .gadget, "
        ".gad1, "
        ".tipsy .std, .csv) or by --format. What the new format cannot hold is "
        "reported on standard error."
        " With --units all numbers are converted from the units that IN "
        "states, or that --from says where it states none."
        "\v"
        "Units: a length, a mass, and a time or a velocity: pc,Msun,Myr or "
        "'kpc, 1e10 Msun, km/s'. Without the third G is 1: a file in Hénon "
        "units gets a size by --from '0.8 pc, 1e4 Msun', its virial radius and "
        "mass.\n\n"
        "Examples:\n"
        "  koshu convert snap_0004.hdf5 snap_0004.csv\n"
        "  koshu convert ics.dat ics.hdf5\n"
        "  koshu convert gadget.dat cluster.hdf5 --from "
        "'kpc, 1e10 Msun, km/s' --units pc,Msun,Myr\n"
        "  koshu convert snap_0004.hdf5 galaxy --format gadget1";

struct arguments {
    struct word_list files;                       /* IN and OUT */
    const char *in, *out, *format, *from, *units; /* NULL: not given */
    bool force;
};

static const struct command_option option_table[] = {
        {"format", 'f', "F",
         "of OUT: hdf5, gadget1, gadget2, tipsy or csv (by its ending)",
         FIELD(struct arguments, format)},
        {"units", 'u', "U", "of OUT: pc,Msun,Myr (those of IN)",
         FIELD(struct arguments, units)},
        {"from", 0, "U",
         "the units of IN, where it states none; or, where it is in Hénon "
         "units, its size",
         FIELD(struct arguments, from)},
        {"force", 0, NULL, "overwrite a file that is there already",
         FIELD(struct arguments, force)},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    struct arguments *a = values;
    const char **file = a->files.word;
    if (a->files.n > 2)
        argp_error(state, "'%s' is one file too many: IN and OUT", file[2]);
    if (a->files.n < 2) argp_error(state, "name two files: IN and OUT");
    a->in = file[0];
    a->out = file[1];
}

/* ---- what is lost ------------------------------------------------------ */

/* A snapshot that was read. */
struct snapshot {
    struct koshu_particles *particles;
    struct koshu_snapshot_info info;
    char *parameters; /* NULL: none */
};

static koshu_status
read_snapshot(struct koshu_context *context, const char *path,
              struct snapshot *s)
{
    s->info.size = sizeof s->info;
    KOSHU_TRY(koshu_snapshot_read(context, path, &s->info, &s->particles));
    return koshu_snapshot_parameters(context, path, &s->parameters);
}

static void
free_snapshot(struct snapshot *s)
{
    koshu_particles_destroy(s->particles);
    free(s->parameters);
}

/* The largest relative change of a number. */
static double
largest_change(const struct koshu_particle_view *v,
               const struct koshu_particle_view *w, bool potential)
{
    double largest = 0;
    const size_t end =
            potential ? KOSHU_SNAPSHOT_ARRAYS : KOSHU_ARRAY_POTENTIAL;
    for (size_t k = KOSHU_ARRAY_MASS; k < end; k++) {
        const double *old = koshu_particle_array(v, k);
        const double *new = koshu_particle_array(w, k);
        for (size_t i = 0; i < v->n; i++)
            if (old[i] != new[i])
                largest = fmax(largest, fabs(new[i] - old[i]) / fabs(old[i]));
    }
    return largest;
}

static bool
same_units(const struct koshu_units *a, const struct koshu_units *b)
{
    return a->length_cm == b->length_cm && a->mass_g == b->mass_g &&
           a->velocity_cm_s == b->velocity_cm_s;
}

struct loss {
    bool is_lost;
    const char *what;
};

/* Of numbers: views of what was read, and of what is in the new file. */
static void
report_rounding(const char *path, const char *format,
                const struct koshu_particle_view *v,
                const struct koshu_particle_view *w, bool potential)
{
    double change = largest_change(v, w, potential);
    if (change > 0)
        fprintf(stderr,
                "koshu: %s (%s): numbers are rounded, by up to %.1e of their "
                "value\n",
                printable(path), format, change);
}

static void
print_losses(const char *path, const struct snapshot *in,
             const struct snapshot *out, const struct koshu_particle_view *v,
             const struct koshu_particle_view *w)
{
    const struct koshu_snapshot_info *a = &in->info, *b = &out->info;
    const char *format = koshu_format_name(b->format);
    char units[192], names[128];
    koshu_units_text(&a->units, sizeof names, names);
    snprintf(units, sizeof units, "the units are lost: numbers are in %s",
             names);
    const struct loss losses[] = {
            {memcmp(v->id, w->id, v->n * sizeof *v->id) != 0,
             "the particles' ids are lost: they are numbered in their order"},
            {a->has_potential && !b->has_potential, "the potential is lost"},
            {a->softening != b->softening, "the softening is lost or rounded"},
            {a->box_size != b->box_size, "the box size is lost"},
            {!same_units(&a->units, &b->units), units},
            {a->step != b->step, "the number of the step is lost"},
            {in->parameters && !out->parameters, "the parameter file is lost"},
            {a->n_types > 1, "particles of several types become of one type"}};
    report_rounding(path, format, v, w, a->has_potential && b->has_potential);
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; k++)
        if (losses[k].is_lost)
            fprintf(stderr, "koshu: %s (%s): %s\n", printable(path), format,
                    losses[k].what);
}

/* Reports what differs: `out` was read from the file just written. */
static koshu_status
report_losses(const char *path, const struct snapshot *in,
              const struct snapshot *out)
{
    struct koshu_particle_view v, w;
    KOSHU_TRY(koshu_particles_on_host(in->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_on_host(out->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &w));
    print_losses(path, in, out, &v, &w);
    return KOSHU_OK;
}

static void
print_done(const struct arguments *a, enum koshu_format format,
           const struct koshu_units *before,
           const struct koshu_snapshot_info *info)
{
    char time[QUANTITY_TEXT], from[128], to[128];
    printf("%s (%s)  n = %llu  t = %s", printable(a->in),
           koshu_format_name(info->format), (unsigned long long)info->n,
           quantity_text(&info->units, KOSHU_QUANTITY_TIME, info->time, time));
    koshu_units_text(before, sizeof from, from);
    koshu_units_text(&info->units, sizeof to, to);
    if (!same_units(before, &info->units)) printf("  %s -> %s", from, to);
    printf("  -> %s (%s)\n", printable(a->out), koshu_format_name(format));
}

/* ---- conversion -------------------------------------------------------- */

/* The new file is read back, so that losses are found by comparison. */
static koshu_status
write_and_check(struct koshu_context *context, const struct arguments *a,
                enum koshu_format format, const struct koshu_units *before,
                const struct snapshot *in)
{
    struct koshu_snapshot_info info = in->info;
    struct snapshot out = {0};
    info.format = format;
    KOSHU_TRY(koshu_particles_require(context,
                                      koshu_particles_total(in->particles),
                                      KOSHU_PARTICLE_BYTES));
    /* it may have been made meanwhile */
    KOSHU_TRY(refuse_to_overwrite(context, a->out, a->force));
    KOSHU_TRY(
            koshu_snapshot_write(in->particles, a->out, &info, in->parameters));
    koshu_status status = read_snapshot(context, a->out, &out);
    if (status == KOSHU_OK) status = report_losses(a->out, in, &out);
    free_snapshot(&out);
    if (status == KOSHU_OK) print_done(a, format, before, &in->info);
    return status;
}

/* ---- units ------------------------------------------------------------- */

/* What the file states wins. */
static koshu_status
take_from(struct koshu_context *context, const struct arguments *a,
          struct koshu_snapshot_info *info)
{
    struct koshu_units from;
    char is[128], given[128];
    if (!a->from) return KOSHU_OK;
    KOSHU_TRY(koshu_units_find(context, a->from, &from));
    const bool stated = info->has_units && !koshu_units_are_henon(&info->units);
    if (stated && !same_units(&info->units, &from)) {
        koshu_units_text(&info->units, sizeof is, is);
        koshu_units_text(&from, sizeof given, given);
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states units of %s, and --from says %s; leave "
                          "--from out",
                          a->in, is, given);
    }
    if (info->has_units && !stated &&
        fabs(koshu_units_gravitational_constant(&from) - 1) > 1e-3)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s is in Hénon units, with G = 1, and in --from G = "
                          "%.4g; give a length and a mass: --from 'pc, Msun'",
                          a->in, koshu_units_gravitational_constant(&from));
    info->units = from;
    info->has_units = true;
    return KOSHU_OK;
}

static koshu_status
refuse_henon(struct koshu_context *context, const struct arguments *a,
             const struct koshu_snapshot_info *info)
{
    if (!info->has_units)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states no units; say what they are: --from",
                          a->in);
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            koshu_units_are_henon(&info->units)
                    ? "%s is in Hénon units; give its virial radius and mass: "
                      "--from '1 pc, 1e4 Msun'"
                    : "%s has a size, Hénon units have none; give a unit of "
                      "length and of mass: --units '1 pc, 1e4 Msun'",
            a->in);
}

/* Particles and what goes with them, to --units. */
static koshu_status
convert_units(struct koshu_context *context, const struct arguments *a,
              struct snapshot *s)
{
    struct koshu_units to;
    struct koshu_snapshot_info *info = &s->info;
    KOSHU_TRY(take_from(context, a, info));
    if (!a->units) return KOSHU_OK;
    KOSHU_TRY(koshu_units_find(context, a->units, &to));
    if (!info->has_units ||
        koshu_units_are_henon(&info->units) != koshu_units_are_henon(&to))
        return refuse_henon(context, a, info);
    KOSHU_TRY(koshu_particles_convert(s->particles, &info->units, &to));
    const double length =
            koshu_units_factor(&info->units, &to, KOSHU_QUANTITY_LENGTH);
    info->time *= koshu_units_factor(&info->units, &to, KOSHU_QUANTITY_TIME);
    info->softening *= length;
    info->box_size *= length;
    info->units = to;
    return KOSHU_OK;
}

static koshu_status
convert(struct koshu_context *context, const struct arguments *a)
{
    struct snapshot in = {0};
    enum koshu_format format;
    if (a->format)
        KOSHU_TRY(koshu_format_find(context, a->format, &format));
    else
        KOSHU_TRY(koshu_format_of_path(context, a->out, &format));
    KOSHU_TRY(refuse_to_overwrite(context, a->out, a->force));
    koshu_status status = read_snapshot(context, a->in, &in);
    const struct koshu_units before = in.info.units;
    if (status == KOSHU_OK) status = convert_units(context, a, &in);
    if (status == KOSHU_OK)
        status = write_and_check(context, a, format, &before, &in);
    free_snapshot(&in);
    return status;
}

int
command_convert(int argc, char **argv)
{
    const struct command_line line = {.arguments = "IN OUT",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = FIELD(struct arguments, files),
                                      .check = check};
    struct arguments a = {0};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    const koshu_status status = convert(context, &a);
    free(a.files.word);
    return end_command(context, status);
}
