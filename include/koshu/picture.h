/* SPDX-License-Identifier: MIT */
/*
 * Pictures: the surface density of particles, and curves of a run's log, as
 * PNG, PDF or SVG files. gnuplot draws them, through pipes: it must be in PATH
 * when a picture is made, not when koshu is built.
 *
 * Threads: a context, and the particles made from it, are used by one thread at
 * a time; each picture has a gnuplot process of its own.
 */
#ifndef KOSHU_PICTURE_H
#define KOSHU_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- surface density ---------------------------------------------------- */

/* The line of sight. The picture's axes, to the right and up, are y z for
 * KOSHU_AXIS_X, z x for KOSHU_AXIS_Y, x y for KOSHU_AXIS_Z. */
enum koshu_axis { KOSHU_AXIS_X, KOSHU_AXIS_Y, KOSHU_AXIS_Z };

/* Name ("x", "y", "z"); NULL past the last. */
KOSHU_API const char *koshu_axis_name(enum koshu_axis axis);

/* Axis of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no axis has it; KOSHU_ERROR_INVALID_ARGUMENT:
 * NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_axis_find(
        struct koshu_context *context, const char *name, enum koshu_axis *axis);

/* Which quantity of the particles is summed. Light: mass^3.5, as for
 * main-sequence stars (in solar units, if masses are). */
enum koshu_weight {
    KOSHU_WEIGHT_MASS,
    KOSHU_WEIGHT_NUMBER,
    KOSHU_WEIGHT_LIGHT
};

/* Name ("mass", "number", "light"); NULL past the last. */
KOSHU_API const char *koshu_weight_name(enum koshu_weight weight);

/* Weight of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it; KOSHU_ERROR_INVALID_ARGUMENT:
 * NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_weight_find(struct koshu_context *context, const char *name,
                  enum koshu_weight *weight);

/* Pixels per side. */
#define KOSHU_PICTURE_PIXELS_MIN 16
#define KOSHU_PICTURE_PIXELS_MAX 4096

/* The view: a square of side 2 half_width about the centre, projected along the
 * axis over all depths. */
struct koshu_picture_view {
    size_t size; /* of the struct */
    enum koshu_axis axis;
    double centre[3];
    double half_width; /* > 0 */
    size_t pixels;     /* per side */
    enum koshu_weight weight;
};

/* Along z, about the origin, half-width 1, 640 pixels, mass. */
KOSHU_DECLARE_DEFAULT(koshu_picture_view)

/*
 * Computes the centre of mass, for a view.
 * Shapes: centre[3].
 * Units: of the particles' positions.
 * Status: KOSHU_ERROR_BAD_INPUT: the particles have no mass, or one has a
 * negative mass; KOSHU_ERROR_NOT_FINITE: a particle is not finite;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL; KOSHU_ERROR_DEVICE: a copy from a device
 * failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_picture_view_centre(struct koshu_particles *particles, double centre[3]);

/*
 * Computes the radius about the centre that encloses the fraction (in (0, 1])
 * of the mass; 0 if that much mass is at the centre.
 * Shapes: centre[3].
 * Units: of the particles' positions.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: the fraction, the centre, or NULL;
 * KOSHU_ERROR_BAD_INPUT: no mass, a negative mass, or a distance whose square
 * is beyond the range of double; KOSHU_ERROR_NOT_FINITE: a particle is not
 * finite; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE: a copy from a device
 * failed.
 * Error: never less than that radius, and at most 0.8 % more.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_picture_view_radius(
        struct koshu_particles *particles, const double centre[3],
        double fraction, double *radius);

/*
 * Computes the surface density of the view's weight w (mass, number of
 * particles, light), mean over each pixel; columns and rows count
 * along the picture's axes from its lower left corner. view NULL: the default.
 * The particles in the view are distributed by an adaptive kernel:
 *
 *     sigma(x) = sum_i w_i [ (1 - f_i) W_l(x, x_i) + f_i W_l+1(x, x_i) ]
 *
 * W_l has cells of 2^l pixels: the particle is divided among the four cells
 * about it (cloud in cell), the cells are smoothed by (1 4 6 4 1) / 16 and
 * refined to pixels by the subdivision of quadratic B-splines, all reflected at
 * the view's edges. l + f is where the number of particles in such a cell,
 * interpolated bilinearly, reaches 16: dense parts keep their detail, sparse
 * parts lose their shot noise. Where pixels is not a multiple of the widest
 * cell, cells are smaller than that by up to a 32nd, and the result is averaged
 * to the pixels. O(n + pixels^2) work; the same bits for any number of threads.
 *
 * Shapes: sigma[pixels * pixels], sigma[row * pixels + column].
 * Units: mass / length^2 of the particles; 1 / length^2; mass^3.5 / length^2.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: the view, or NULL;
 * KOSHU_ERROR_UNSUPPORTED: the view has members that this koshu does not know;
 * KOSHU_ERROR_BAD_INPUT: no weight in the view, a negative mass;
 * KOSHU_ERROR_NOT_FINITE: a particle, which is named;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE: a copy from a device failed.
 * Error: the sum of sigma times the pixel's area is the weight in the view, to
 * rounding. The scatter of sigma is below 10 %; it is less where a pixel holds
 * more than 16 particles, and more where the widest cell, a 32nd of the view or
 * less, holds fewer. tests/unit/output/test_surface checks these, and the
 * profile of a Plummer sphere.
 * Source: adaptive kernels with a pilot estimate, Silverman 1986, Density
 * Estimation, 5.3; B-splines by subdivision, Chaikin 1974.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_surface_density(struct koshu_particles *particles,
                      const struct koshu_picture_view *view, double *sigma);

/* ---- pictures ----------------------------------------------------------- */

/*
 * The functions below write a file whole or not at all: PDF or SVG if its name
 * ends so, in upper or lower case, and PNG otherwise; identical data give
 * identical bytes. The layout, text sizes and line widths scale with the number
 * of pixels. In PDF and SVG a pixel is 1/96 inch, and their number determines
 * the resolution of the density. Text may hold any characters; it is drawn
 * unchanged, control characters as spaces.
 */

/* One panel. Used in arrays, so the struct never grows. */
struct koshu_density_panel {
    const double *sigma; /* pixels * pixels, see koshu_surface_density() */
    double centre[3];    /* of this panel's view */
    const char *label;   /* "t = 1.5"; NULL: none */
};

struct koshu_density_options {
    size_t size; /* of the struct */
    /* For all panels; its centre is not used. NULL: the default. */
    const struct koshu_picture_view *view;
    double min, max;          /* log10 of sigma; NaN: from the panels */
    const char *title;        /* NULL: none */
    struct koshu_units units; /* shown on the axes if known */
    bool dark;                /* light lines and text on black */
};

/* The default view, range from the panels, no title, no units. */
KOSHU_DECLARE_DEFAULT(koshu_density_options)

/*
 * Draws the panels, row after row in one picture, with one range of colours and
 * one colour bar of log10 sigma. Axes show the distance from each panel's
 * centre. options NULL: the defaults.
 * Shapes: panels[n_panels], each with sigma[pixels * pixels].
 * Units: of the options, named on the axes.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: no panels or too many for a picture of
 * 32,767 pixels, the view, a range that is empty, or NULL;
 * KOSHU_ERROR_UNSUPPORTED: options that this koshu does not know;
 * KOSHU_ERROR_BAD_INPUT: no positive sigma in any panel; KOSHU_ERROR_EXTERNAL:
 * gnuplot is missing or failed, the message has its words; KOSHU_ERROR_IO:
 * cannot write; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_picture_density(
        struct koshu_context *context, size_t n_panels,
        const struct koshu_density_panel *panels, const char *path,
        const struct koshu_density_options *options);

/* Kinds of curves, to be combined with |; drawn below each other. */
enum koshu_curves {
    KOSHU_CURVES_ENERGY = 1u << 0,     /* |E - E(0)| / |E(0)| */
    KOSHU_CURVES_VIRIAL = 1u << 1,     /* T / |W| */
    KOSHU_CURVES_LAGRANGIAN = 1u << 2, /* Lagrangian radii */
    KOSHU_CURVES_STAGES = 1u << 3,     /* seconds of a tree's step, stacked */
    KOSHU_CURVES_LISTS = 1u << 4,      /* length of its interaction lists */
    KOSHU_CURVES_ERRORS = 1u << 5,     /* errors of its forces */
    KOSHU_CURVES_RATES = 1u << 6,      /* Gflop/s of a step of the tree */
    /* Whatever the log contains: stages, rates and lists for performance.csv,
     * errors and lists for errors.csv, the kinds below for cluster.csv, else
     * the first three. */
    KOSHU_CURVES_ALL = (1u << 7) - 1,
    KOSHU_CURVES_CORE = 1u << 7,         /* core radius and half-mass radius */
    KOSHU_CURVES_BOUND = 1u << 8,        /* the bound mass */
    KOSHU_CURVES_BINARIES = 1u << 9,     /* numbers of pairs and hierarchies */
    KOSHU_CURVES_SEGREGATION = 1u << 10, /* Lambda_MSR */
    KOSHU_CURVES_DISPERSION = 1u << 11   /* velocity dispersion */
};

/* Name of one kind ("energy", "virial", "lagrangian", ...); NULL for other
 * numbers. Bits count up from 1u << 0. */
KOSHU_API const char *koshu_curves_name(enum koshu_curves curves);

/* Kind of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no kind has it, the message lists those that
 * have one; KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_curves_find(struct koshu_context *context, const char *name,
                  enum koshu_curves *curves);

struct koshu_curves_options {
    size_t size;       /* of the struct */
    unsigned curves;   /* kinds, combined with | */
    const char *title; /* NULL: none */
    double pixels;     /* of the time axis, in a PNG */
    bool dark;         /* light lines and text on black */
};

/* All kinds, no title, 608 pixels, on white. */
KOSHU_DECLARE_DEFAULT(koshu_curves_options)

/*
 * Draws curves against time from the log of a run: CSV, the first line names
 * the columns. Needs the columns time and, for the kinds of curves, total;
 * virial_ratio; at least one of r01, r05 ... (radii of so many per cent); walk
 * and other stages; gflops_38; list_length; err_median, err_p90, err_p99,
 * err_max; core_radius, r50, r90; bound_mass; n_pairs, n_hard, n_hierarchies;
 * segregation; velocity_dispersion. options NULL: the defaults.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: no curves, or NULL;
 * KOSHU_ERROR_UNSUPPORTED: options that this koshu does not know;
 * KOSHU_ERROR_NOT_FOUND, KOSHU_ERROR_BAD_INPUT: there is no such log;
 * KOSHU_ERROR_BAD_FORMAT: a column is missing, a line is not numbers, there is
 * no line; KOSHU_ERROR_EXTERNAL: gnuplot is missing or failed, the message has
 * its words; KOSHU_ERROR_IO: cannot read or write; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_picture_curves(
        struct koshu_context *context, const char *log_path, const char *path,
        const struct koshu_curves_options *options);

#ifdef __cplusplus
}
#endif

#endif
