/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app.h"
#include "plot.h"

static const char doc[] =
        "Draws snapshots, or the log of a run, to a PNG file. Snapshots give "
        "their surface density, one panel for each, all with one scale and "
        "one range of colours. A log gives curves against time: energy error "
        "and virial ratio, Lagrangian radii; of runs with the tree, the stages "
        "of a step and its rate (performance.csv), and errors of the forces "
        "(errors.csv). What a file is, is told from its content."
        "\v"
        "Examples:\n"
        "  koshu plot snap_*.hdf5 -o strip.png\n"
        "  koshu plot snap_0004.hdf5 --axis x --width 2 -o side.png\n"
        "  koshu plot energy.csv --what lagrangian -o radii.png";

enum key {
    KEY_AXIS = 'a',
    KEY_CENTRE = 'c',
    KEY_OUTPUT = 'o',
    KEY_PIXELS = 'p',
    KEY_TITLE = 't',
    KEY_WIDTH = 'w',
    KEY_MIN = 256,
    KEY_MAX,
    KEY_WHAT,
    KEY_FORCE
};

static const struct argp_option option_table[] = {
        {"output", KEY_OUTPUT, "OUT.png", 0,
         "the picture to write; replaces a picture of that name", 0},
        {"force", KEY_FORCE, NULL, 0,
         "overwrite a file that is there and is not a picture", 0},
        {"title", KEY_TITLE, "TEXT", 0,
         "above the picture (time and number of particles)", 0},
        {"what", KEY_WHAT, "KIND", 0,
         "density (of snapshots), energy (and virial ratio), lagrangian, or "
         "all that the log has (all)",
         0},
        {NULL, 0, NULL, 0, "Options for snapshots:", 1},
        {"axis", KEY_AXIS, "AXIS", 0, "the line of sight: x, y or z (z)", 1},
        {"center", KEY_CENTRE, "X,Y,Z", 0,
         "middle of the picture; auto: centre of mass of each snapshot (auto)",
         1},
        {"centre", KEY_CENTRE, NULL, OPTION_ALIAS, NULL, 1},
        {"width", KEY_WIDTH, "R", 0,
         "half-width of the picture (1.2 times the radius that holds 90 % of "
         "the mass; several panels: the median of these)",
         1},
        {"pixels", KEY_PIXELS, "N", 0,
         "per side of a panel, 16 ... 4096 (640; several panels: 400, more "
         "than four: 320)",
         1},
        {"min", KEY_MIN, "V", 0,
         "log10 surface density of the lowest colour (all but 0.5 % of the "
         "mass is above it)",
         1},
        {"max", KEY_MAX, "V", 0, "of the highest colour (the largest there is)",
         1},
        {0}};

/* ---- arguments --------------------------------------------------------- */

static void
parse_axis(struct argp_state *state, const char *text, enum koshu_axis *axis)
{
    const char *name = text[0] ? strchr("xyz", text[0]) : NULL;
    if (!name || text[1])
        argp_error(state, "--axis: '%s' is not x, y or z", text);
    *axis = (enum koshu_axis)(name - "xyz");
}

static void
parse_centre(struct argp_state *state, const char *text,
             struct plot_arguments *a)
{
    char rest;
    a->centre_given = strcmp(text, "auto") != 0;
    if (!a->centre_given) return;
    double *c = a->centre;
    if (sscanf(text, "%lf,%lf,%lf%c", c, c + 1, c + 2, &rest) != 3 ||
        !isfinite(c[0]) || !isfinite(c[1]) || !isfinite(c[2]))
        argp_error(state,
                   "--center: '%s' is neither auto nor three numbers X,Y,Z",
                   text);
}

static void
parse_pixels(struct argp_state *state, const char *text,
             struct plot_arguments *a)
{
    a->pixels = argument_count(state, "--pixels", text);
    if (a->pixels < KOSHU_PICTURE_PIXELS_MIN ||
        a->pixels > KOSHU_PICTURE_PIXELS_MAX)
        argp_error(state, "--pixels: %s is not in %d ... %d", text,
                   KOSHU_PICTURE_PIXELS_MIN, KOSHU_PICTURE_PIXELS_MAX);
}

static void
parse_what(struct argp_state *state, const char *text, struct plot_arguments *a)
{
    static const char *const kinds[] = {"density", "energy", "lagrangian",
                                        "all"};
    for (int k = 0; k < 4; k++)
        if (strcmp(text, kinds[k]) == 0) a->what = kinds[k];
    if (a->what) return;
    argp_error(state,
               "--what: '%s' is not density, energy, lagrangian or all%s", text,
               name_hint(text, kinds, 4));
}

static void
check_whole(struct argp_state *state, const struct plot_arguments *a)
{
    if (a->n_files == 0)
        argp_error(state, "name the snapshots, or the log, to draw");
    if (!a->output) argp_error(state, "name the picture to write: -o OUT.png");
    size_t n = strlen(a->output);
    if (n < 5 || strcasecmp(a->output + n - 4, ".png") != 0)
        argp_error(state,
                   "-o: '%s' does not end in .png; PNG is what is "
                   "written",
                   a->output);
}

/* Options for snapshots. */
static error_t
parse_view(int key, const char *text, struct argp_state *state)
{
    struct plot_arguments *a = state->input;
    switch (key) {
    case KEY_AXIS: parse_axis(state, text, &a->axis); break;
    case KEY_CENTRE: parse_centre(state, text, a); break;
    case KEY_PIXELS: parse_pixels(state, text, a); break;
    case KEY_WIDTH:
        a->half_width = argument_number(state, "--width", text);
        if (!(a->half_width > 0))
            argp_error(state, "--width: %s is not more than 0", text);
        break;
    case KEY_MIN: a->min = argument_number(state, "--min", text); break;
    case KEY_MAX: a->max = argument_number(state, "--max", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    a->view_given = true;
    return 0;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct plot_arguments *a = state->input;
    switch (key) {
    case KEY_OUTPUT: a->output = text; return 0;
    case KEY_FORCE: a->force = true; return 0;
    case KEY_TITLE: a->title = text; return 0;
    case KEY_WHAT: parse_what(state, text, a); return 0;
    case ARGP_KEY_ARG:
        append_argument(state, &a->files, &a->n_files, text);
        return 0;
    case ARGP_KEY_END: check_whole(state, a); return 0;
    default: return parse_view(key, text, state);
    }
}

/* ---- what the files are ------------------------------------------------ */

/* Refuses to write the picture over what it is made of. */
static koshu_status
check_output(struct koshu_context *context, const struct plot_arguments *a)
{
    for (size_t k = 0; k < a->n_files; k++)
        if (same_file(a->files[k], a->output))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "'%s' is to be drawn, and is also the picture "
                              "to write; choose another name after -o",
                              a->files[k]);
    return refuse_to_draw_over(context, a->output, a->force);
}

/* The first log among the files, and the first that is none; NULL: none. */
static koshu_status
sort_files(struct koshu_context *context, const struct plot_arguments *a,
           const char **log, const char **snapshot)
{
    *log = *snapshot = NULL;
    for (size_t k = 0; k < a->n_files; k++) {
        bool is_log;
        KOSHU_TRY(koshu_is_log(context, a->files[k], &is_log));
        const char **first = is_log ? log : snapshot;
        if (!*first) *first = a->files[k];
    }
    if (*log && *snapshot)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is the log of a run and '%s' is not; a "
                          "picture is made of one log or of snapshots",
                          *log, *snapshot);
    return KOSHU_OK;
}

/* Does one log give what was requested? */
static koshu_status
check_log(struct koshu_context *context, const struct plot_arguments *a,
          const char *what)
{
    const char *log = a->files[0];
    if (a->n_files > 1)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture is made of one log, got %zu: '%s', '%s'",
                          a->n_files, log, a->files[1]);
    if (strcmp(what, "density") == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is the log of a run; --what density needs "
                          "snapshots",
                          log);
    if (!a->view_given) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "'%s' is the log of a run; --axis, --center, --width, "
                      "--pixels, --min and --max are for snapshots",
                      log);
}

static koshu_status
plot_log(struct koshu_context *context, const struct plot_arguments *a)
{
    struct koshu_curves_options options = koshu_curves_options_default();
    const char *what = a->what ? a->what : "all";
    KOSHU_TRY(check_log(context, a, what));
    if (strcmp(what, "energy") == 0)
        options.curves = KOSHU_CURVES_ENERGY | KOSHU_CURVES_VIRIAL;
    if (strcmp(what, "lagrangian") == 0)
        options.curves = KOSHU_CURVES_LAGRANGIAN;
    options.title = a->title;
    return koshu_picture_curves(context, a->files[0], a->output, &options);
}

static koshu_status
plot(struct koshu_context *context, const struct plot_arguments *a)
{
    const char *log, *snapshot;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(sort_files(context, a, &log, &snapshot));
    if (log) return plot_log(context, a);
    if (a->what && strcmp(a->what, "density") != 0 &&
        strcmp(a->what, "all") != 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is not the log of a run; --what %s needs one",
                          snapshot, a->what);
    return plot_snapshots(context, a);
}

int
command_plot(int argc, char **argv)
{
    const struct argp parser = {option_table, parse, "FILE...", doc,
                                NULL,         NULL,  NULL};
    struct plot_arguments arguments = {
            .axis = KOSHU_AXIS_Z, .min = NAN, .max = NAN};
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    int code = end_command(context, plot(context, &arguments));
    free(arguments.files);
    return code;
}
