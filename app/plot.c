/* SPDX-License-Identifier: MIT */
/* koshu plot: draws snapshots or the log of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app.h"
#include "options.h"
#include "movie.h"
#include "plot.h"

static const char doc[] =
        "Draws snapshots, or the log of a run, to a PNG, PDF or SVG file. Each "
        "snapshot becomes a panel, all with the same scale and range of "
        "colours: single stars where there are few, else the surface density. "
        "A log gives curves against time: energy error and virial ratio, "
        "Lagrangian radii; for runs with the tree also the stages of a step "
        "and its rate (performance.csv) and errors of the forces (errors.csv); "
        "for star clusters the columns of cluster.csv. Kinds of files are "
        "recognised by their content.\v"
        "Examples:\n"
        "  koshu plot snap_*.hdf5 -o strip.png\n"
        "  koshu plot snap_0004.hdf5 --axis x --width 2 -o side.png\n"
        "  koshu plot energy.csv --what lagrangian -o radii.png\n"
        "  koshu plot snap_*.hdf5 --dark --movie cluster.mp4";

/* ---- arguments --------------------------------------------------------- */

static void
parse_axis(struct argp_state *state, const char *option, char *text,
           void *member)
{
    if (koshu_axis_find(NULL, text, member) != KOSHU_OK)
        argp_error(state, "%s: '%s' is not x, y or z", option, text);
}

static void
parse_weight(struct argp_state *state, const char *option, char *text,
             void *member)
{
    OPTION_FIND(state, option, text, koshu_weight_find, member);
}

static void
parse_centre(struct argp_state *state, const char *option, char *text,
             void *member)
{
    double *c = member;
    char rest;
    c[0] = c[1] = c[2] = NAN;
    if (strcmp(text, "auto") == 0) return;
    if (sscanf(text, "%lf,%lf,%lf%c", c, c + 1, c + 2, &rest) != 3 ||
        !isfinite(c[0]) || !isfinite(c[1]) || !isfinite(c[2]))
        argp_error(state, "%s: '%s' is neither auto nor three numbers X,Y,Z",
                   option, text);
}

static void
parse_width(struct argp_state *state, const char *option, char *text,
            void *member)
{
    double *half_width = member;
    *half_width = argument_number(state, option, text);
    if (!(*half_width > 0))
        argp_error(state, "%s: %s is not more than 0", option, text);
}

static void
parse_pixels(struct argp_state *state, const char *option, char *text,
             void *member)
{
    size_t *pixels = member;
    *pixels = argument_count(state, option, text);
    if (*pixels < KOSHU_PICTURE_PIXELS_MIN ||
        *pixels > KOSHU_PICTURE_PIXELS_MAX)
        argp_error(state, "%s: %s is not in %d ... %d", option, text,
                   KOSHU_PICTURE_PIXELS_MIN, KOSHU_PICTURE_PIXELS_MAX);
}

/* the first OF_SNAPSHOTS are of snapshots */
enum { N_KINDS = 10, OF_SNAPSHOTS = 7 };
static const char *const kinds[N_KINDS] = {
        "stars",   "density", "phase",  "phase-x",    "phase-y",
        "phase-z", "profile", "energy", "lagrangian", "all"};

static bool
is_of_snapshots(const char *what)
{
    for (int k = 0; k < OF_SNAPSHOTS; k++)
        if (strcmp(what, kinds[k]) == 0) return true;
    return false;
}

static void
parse_what(struct argp_state *state, const char *option, char *text,
           void *member)
{
    const char **what = member;
    for (int k = 0; k < N_KINDS; k++)
        if (strcmp(text, kinds[k]) == 0) *what = kinds[k];
    if (*what) return;
    argp_error(state,
               "%s: '%s' is not stars, density, phase, phase-x, phase-y, "
               "phase-z, profile, energy, lagrangian or all%s",
               option, text, name_hint(text, kinds, N_KINDS));
}

#define VALUE(member) FIELD(struct plot_arguments, member)

static const struct command_option option_table[] = {
        {"output", 'o', "OUT",
         "the picture to write, .png, .pdf or .svg; replaces a picture of that "
         "name",
         VALUE(output)},
        {"movie", 0, "OUT.mp4",
         "instead of a picture, a movie of all snapshots in order of time; "
         ".mp4, .mkv or .webm, by ffmpeg",
         VALUE(movie)},
        {"fps", 0, "F", "frames per second of a movie (25)", VALUE(fps),
         .max = 240},
        {"force", 0, NULL, "overwrite an existing file that is not a picture",
         VALUE(force)},
        {"title", 't', "TEXT",
         "title above the picture (the title in the run's parameters, and the "
         "number of particles)",
         VALUE(title)},
        {"pixels", 'p', "N",
         "pixels along a side of a panel, 16 ... 4096 (640; several panels: "
         "400, more than four: 320), or along a log's time axis (608). Text "
         "and lines are scaled with them. The size of a PDF or SVG is fixed; "
         "there they are the resolution of a density",
         VALUE(pixels), .parse = parse_pixels},
        {"dark", 0, NULL, "light lines and text on black", VALUE(dark)},
        {"what", 0, "KIND",
         "for snapshots: stars (the default up to 5000 particles), density "
         "(above), phase space: phase (radius and radial velocity), phase-x, "
         "phase-y, phase-z (a coordinate and its velocity), profile (density "
         "against radius, all snapshots in one picture); for a log: energy "
         "(and virial ratio), lagrangian, or all that it has (all)",
         VALUE(what), .parse = parse_what},
        {.text = "Options for snapshots:", .group = 1},
        {"axis", 'a', "AXIS", "the line of sight: x, y or z (z)", VALUE(axis),
         .parse = parse_axis, .group = 1},
        {"center", 'c', "X,Y,Z",
         "middle of the picture; auto: the centre of mass, or of a periodic "
         "box (auto)",
         VALUE(centre), .parse = parse_centre, .group = 1},
        {"centre", .group = 1},
        {"width", 'w', "R",
         "half-width of the picture (1.2 times the radius that holds 90 % of "
         "the mass; several panels: the median of these)",
         VALUE(half_width), .parse = parse_width, .group = 1},
        {"speed", 0, "V",
         "half-height of phase-space pictures, a velocity (3.2 times the rms "
         "velocity, or the largest)",
         VALUE(half_speed), .group = 1},
        {"weight", 0, "W",
         "mass, number (of particles) or light (mass^3.5): what densities sum, "
         "and what sets the size of stars (mass)",
         VALUE(weight), .parse = parse_weight, .group = 1},
        {"min", 0, "V",
         "lowest end of the colours: for densities, log10 of the density (all "
         "but 0.5 % of the mass is above it); for stars, log10 of the mass, or "
         "the speed (the smallest)",
         VALUE(min), .min = -INFINITY, .group = 1},
        {"max", 0, "V", "highest end of the colours (the largest value)",
         VALUE(max), .min = -INFINITY, .group = 1},
        {0}};
/* the options from this one on are for snapshots */
enum { FIRST_OF_SNAPSHOTS = 8 };

/* Does the name end like a picture, with something before the ending? */
static bool
names_picture(const char *path)
{
    static const char *const endings[] = {".png", ".pdf", ".svg"};
    const size_t n = strlen(path);
    for (int k = 0; k < 3; k++)
        if (n > 4 && strcasecmp(path + n - 4, endings[k]) == 0) return true;
    return false;
}

static void
check(struct argp_state *state, void *values)
{
    const struct plot_arguments *a = values;
    if (a->files.n == 0)
        argp_error(state, "name the snapshots, or the log, to draw");
    if (!a->output == !a->movie)
        argp_error(state, "name the picture to write, -o OUT.png, or the "
                          "movie, --movie OUT.mp4");
    if (a->movie && !names_movie(a->movie))
        argp_error(state,
                   "--movie: '%s' does not end in .mp4, .mkv or .webm, which "
                   "is what is written",
                   a->movie);
    if (a->output && !names_picture(a->output))
        argp_error(state,
                   "-o: '%s' does not end in .png, .pdf or .svg, which is what "
                   "is written",
                   a->output);
}

/* ---- what the files are ------------------------------------------------ */

/* Refuses to write the picture over a file that it is made from. */
static koshu_status
check_output(struct koshu_context *context, const struct plot_arguments *a)
{
    for (size_t k = 0; k < a->files.n; k++)
        if (same_file(a->files.word[k], a->output ? a->output : a->movie))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "'%s' is to be drawn, and is also the picture "
                              "to write; choose another name for that",
                              a->files.word[k]);
    return a->movie ? refuse_to_overwrite(context, a->movie, a->force)
                    : refuse_to_draw_over(context, a->output, a->force);
}

/* The first log among the files, and the first other file; NULL: none. */
static koshu_status
sort_files(struct koshu_context *context, const struct plot_arguments *a,
           const char **log, const char **snapshot)
{
    *log = *snapshot = NULL;
    for (size_t k = 0; k < a->files.n; k++) {
        bool is_log;
        KOSHU_TRY(koshu_is_log(context, a->files.word[k], &is_log));
        const char **first = is_log ? log : snapshot;
        if (!*first) *first = a->files.word[k];
    }
    if (*log && *snapshot)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is the log of a run and '%s' is not; a "
                          "picture is made of one log or of snapshots",
                          *log, *snapshot);
    return KOSHU_OK;
}

/* Can what was requested be drawn from one log? */
static koshu_status
check_log(struct koshu_context *context, const struct plot_arguments *a,
          const char *what)
{
    const char *log = a->files.word[0];
    if (a->files.n > 1)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture is made of one log, got %zu: '%s', '%s'",
                          a->files.n, log, a->files.word[1]);
    if (is_of_snapshots(what))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is the log of a run; --what %s needs "
                          "snapshots",
                          log, what);
    if (a->movie)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is the log of a run; a movie is made of "
                          "snapshots",
                          log);
    if (!a->of_snapshots) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "'%s' is the log of a run; --axis, --center, --width, "
                      "--weight, --min and --max are for snapshots",
                      log);
}

static koshu_status
plot_log(struct koshu_context *context, const struct plot_arguments *a)
{
    struct koshu_curves_options options = koshu_curves_options_default();
    const char *what = a->what ? a->what : "all";
    char title[200];
    KOSHU_TRY(check_log(context, a, what));
    if (strcmp(what, "energy") == 0)
        options.curves = KOSHU_CURVES_ENERGY | KOSHU_CURVES_VIRIAL;
    if (strcmp(what, "lagrangian") == 0)
        options.curves = KOSHU_CURVES_LAGRANGIAN;
    plot_title_of_log(context, a->files.word[0], title, sizeof title);
    options.title = a->title ? a->title : title[0] ? title : NULL;
    options.dark = a->dark;
    if (a->pixels) options.pixels = (double)a->pixels;
    return koshu_picture_curves(context, a->files.word[0], a->output, &options);
}

static koshu_status
plot_profile(struct koshu_context *context, const struct plot_arguments *a)
{
    if (!a->movie) return plot_profiles(context, a);
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a movie shows stars, density or phase space; profiles "
                      "are drawn into one picture, -o OUT.png");
}

static koshu_status
plot_files(struct koshu_context *context, const struct plot_arguments *a)
{
    const char *log, *snapshot;
    KOSHU_TRY(sort_files(context, a, &log, &snapshot));
    if (log) return plot_log(context, a);
    if (a->what && !is_of_snapshots(a->what) && strcmp(a->what, "all") != 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "'%s' is not the log of a run; --what %s needs one",
                          snapshot, a->what);
    if (a->what && strcmp(a->what, "profile") == 0)
        return plot_profile(context, a);
    return a->movie ? plot_movie(context, a) : plot_snapshots(context, a);
}

/* Where a file could not be read as what is drawn, says what else it is. */
static koshu_status
name_other(struct koshu_context *context, const struct plot_arguments *a,
           koshu_status status)
{
    for (size_t k = 0; k < a->files.n; k++) {
        const struct koshu_other_output *other;
        const char *path = a->files.word[k];
        /* the name of a set of files, or of none */
        if (access(path, R_OK) != 0) continue;
        KOSHU_TRY(koshu_recognise_other(context, path, &other));
        if (other)
            return koshu_fail(context, status,
                              "'%s' is of the kind '%s', which koshu plot does "
                              "not draw; %s",
                              path, other->kind, other->drawn_by);
    }
    return status;
}

static koshu_status
plot(struct koshu_context *context, const struct plot_arguments *a)
{
    KOSHU_TRY(check_output(context, a));
    const koshu_status status = plot_files(context, a);
    return status == KOSHU_ERROR_BAD_FORMAT || status == KOSHU_ERROR_BAD_INPUT
                   ? name_other(context, a, status)
                   : status;
}

int
command_plot(int argc, char **argv)
{
    const struct command_line line = {.arguments = "FILE...",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = VALUE(files),
                                      .check = check};
    struct plot_arguments a = {.fps = 25,
                               .axis = KOSHU_AXIS_Z,
                               .centre = {NAN, NAN, NAN},
                               .min = NAN,
                               .max = NAN};
    a.of_snapshots =
            options_parse(&line, argc, argv, &a) >> FIRST_OF_SNAPSHOTS != 0;
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    a.files.n = koshu_snapshot_names_once(context, a.files.n, a.files.word);
    int code = end_command(context, plot(context, &a));
    free(a.files.word);
    return code;
}
