/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/snapshot.h>

#include "app.h"
#include "base/base.h"
#include "io/io.h"

static const char doc[] =
        "Reads the snapshot IN, whatever its format, and writes it as OUT. The "
        "format of OUT is told by its ending (.hdf5 .h5, .gad .gadget, .gad1, "
        ".tipsy .std, .csv) or by --format. What the new format cannot keep is "
        "said on standard error."
        "\v"
        "Examples:\n"
        "  koshu convert snap_0004.hdf5 snap_0004.csv\n"
        "  koshu convert ics.dat ics.hdf5\n"
        "  koshu convert snap_0004.hdf5 galaxy --format gadget1";

struct arguments {
    const char *in, *out, *format;
};

static const struct argp_option option_table[] = {
        {"format", 'f', "F", 0,
         "of OUT: hdf5, gadget1, gadget2, tipsy or csv (by its ending)", 0},
        {0}};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'f': a->format = text; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "'%s' is one file too many: IN and OUT", text);
        *(state->arg_num == 0 ? &a->in : &a->out) = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->out) argp_error(state, "name two files: IN and OUT");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what is lost ------------------------------------------------------ */

static bool
any_rounds(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((double)(float)numbers[i] != numbers[i]) return true;
    return false;
}

static bool
is_rounded(const struct koshu_particle_view *v, bool potential)
{
    const double *const fields[] = {v->mass, v->x,  v->y, v->z,
                                    v->vx,   v->vy, v->vz};
    for (int k = 0; k < 7; k++)
        if (any_rounds(fields[k], v->n)) return true;
    return potential && any_rounds(v->potential, v->n);
}

static bool
is_numbered(const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->id[i] != i) return false;
    return true;
}

static bool
has_units(const struct koshu_units *units)
{
    return units->length_cm != 1 || units->mass_g != 1 ||
           units->velocity_cm_s != 1;
}

/* Says what the format of `out` cannot keep of this snapshot. */
static void
say_losses(const struct arguments *a, enum koshu_format out,
           const struct koshu_particle_view *v,
           const struct koshu_snapshot_info *in, const char *parameters)
{
    unsigned lost = ~koshu_format_keeps(out);
    const struct {
        bool is_lost;
        const char *what;
    } losses[] = {
            {lost & KOSHU_KEEPS_DOUBLE && is_rounded(v, in->has_potential),
             "numbers are rounded to single precision"},
            {lost & KOSHU_KEEPS_IDS && !is_numbered(v),
             "the particles' ids are lost: their order is all there is"},
            {lost & KOSHU_KEEPS_SOFTENING && in->softening != 0,
             "the softening is lost"},
            {lost & KOSHU_KEEPS_BOX_SIZE && in->box_size != 0,
             "the box size is lost"},
            {lost & KOSHU_KEEPS_UNITS && has_units(&in->units),
             "the units are lost"},
            {lost & KOSHU_KEEPS_STEP && in->step != 0,
             "the number of the step is lost"},
            {lost & KOSHU_KEEPS_PARAMETERS && parameters,
             "the parameter file is lost"},
            {in->n_types > 1,
             "particles of several types become particles of one type"},
    };
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; k++)
        if (losses[k].is_lost)
            fprintf(stderr, "koshu: %s (%s): %s\n", a->out,
                    koshu_format_name(out), losses[k].what);
}

/* ---- conversion -------------------------------------------------------- */

static koshu_status
write_converted(const struct arguments *a, enum koshu_format format,
                struct koshu_particles *particles,
                const struct koshu_snapshot_info *in, const char *parameters)
{
    struct koshu_snapshot_info out = *in;
    struct koshu_particle_view view;
    out.format = format;
    KOSHU_TRY(koshu_particles_acquire(particles, KOSHU_ALL_FIELDS, KOSHU_READ,
                                      &view));
    KOSHU_TRY(koshu_snapshot_write(a->out, particles, &out, parameters));
    say_losses(a, format, &view, in, parameters);
    printf("%s (%s)  n = %llu  t = %g  -> %s (%s)\n", a->in,
           koshu_format_name(in->format), (unsigned long long)in->n, in->time,
           a->out, koshu_format_name(format));
    return KOSHU_OK;
}

static koshu_status
convert(struct koshu_context *context, const struct arguments *a)
{
    struct koshu_particles *particles = NULL;
    struct koshu_snapshot_info info;
    enum koshu_format format;
    char *parameters = NULL;
    if (a->format)
        KOSHU_TRY(koshu_format_find(context, a->format, &format));
    else
        KOSHU_TRY(koshu_format_of_name(context, a->out, &format));
    KOSHU_TRY(koshu_snapshot_read(context, a->in, &particles, &info));
    koshu_status status =
            koshu_snapshot_parameters(context, a->in, &parameters);
    if (status == KOSHU_OK)
        status = write_converted(a, format, particles, &info, parameters);
    free(parameters);
    koshu_particles_destroy(particles);
    return status;
}

int
command_convert(int argc, char **argv)
{
    const struct argp parser = {.options = option_table,
                                .parser = parse,
                                .args_doc = "IN OUT",
                                .doc = doc};
    struct arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    int code = report(context, convert(context, &a));
    koshu_context_destroy(context);
    return code;
}
