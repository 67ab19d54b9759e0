/* SPDX-License-Identifier: MIT */
/*
 * Pictures: the surface density of particles, and curves of a run's log, as
 * PNG files. gnuplot draws them, through pipes: it must be in PATH when a
 * picture is made, not when koshu is built.
 */
#ifndef KOSHU_PICTURE_H
#define KOSHU_PICTURE_H

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

/* What a picture shows: a square of side 2 half_width about the centre. All
 * depths along the axis are in it. */
struct koshu_picture_view {
    enum koshu_axis axis;
    double centre[3];
    double half_width; /* > 0 */
    size_t pixels;     /* per side, 16 ... 4096 */
};

/* along z, about the origin, half-width 1, 640 pixels */
KOSHU_API struct koshu_picture_view koshu_picture_view_default(void);

/* Centre of mass. KOSHU_ERROR_BAD_INPUT: the particles have no mass;
 * KOSHU_ERROR_NOT_FINITE. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_picture_view_centre(struct koshu_particles *particles, double centre[3]);

/*
 * The radius about the centre within which the fraction (in (0, 1]) of the
 * mass lies: never less than that radius, and at most 0.8 % more. 0 where so
 * much of the mass sits at the centre. KOSHU_ERROR_INVALID_ARGUMENT: the
 * fraction; KOSHU_ERROR_BAD_INPUT: no mass; KOSHU_ERROR_NOT_FINITE;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_picture_view_radius(
        struct koshu_particles *particles, const double centre[3],
        double fraction, double *radius);

/*
 * Mass per area, sigma[row * pixels + column], mean over each pixel; column
 * and row count along the picture's axes from its lower left corner. The
 * particles in the frame are spread by an adaptive kernel:
 *
 *     sigma(x) = sum_i m_i [ (1 - f_i) W_l(x, x_i) + f_i W_l+1(x, x_i) ]
 *
 * W_l has cells of 2^l pixels: the particle is shared among the four cells
 * about it (cloud in cell), the cells are smoothed by (1 4 6 4 1) / 16 and
 * brought down to pixels by the subdivision of quadratic B-splines, all
 * reflected at the frame's edges. l + f is where the number of particles in
 * such a cell, interpolated bilinearly, reaches 16: dense parts keep their
 * detail, sparse parts lose their shot noise. The scatter of sigma is below
 * 10 %; it is less where a pixel holds more than 16 particles, and more where
 * the widest cell, a 32nd of the frame or less, holds fewer. Where pixels is
 * not a multiple of the widest cell, cells are smaller than said by up to a
 * 32nd, and the result is averaged to the pixels.
 *
 * The sum of sigma times the pixel's area is the mass in the frame, to
 * rounding; tests/unit/output/test_surface holds that, the scatter, and the
 * profile of a Plummer sphere. O(n + pixels^2) work; the same bits for any
 * number of threads. Sources: adaptive kernels with a pilot estimate,
 * Silverman 1986, Density Estimation, 5.3; B-splines by subdivision, Chaikin
 * 1974.
 *
 * KOSHU_ERROR_INVALID_ARGUMENT: the frame; KOSHU_ERROR_BAD_INPUT: no mass in
 * the frame, a negative mass; KOSHU_ERROR_NOT_FINITE names the particle;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_surface_density(struct koshu_particles *particles,
                      const struct koshu_picture_view *frame, double *sigma);

/* ---- pictures ----------------------------------------------------------- */

/*
 * All functions below write path whole or not at all, whatever its name (the
 * content is PNG), identical data giving identical bytes, and return besides
 * what they say: KOSHU_ERROR_EXTERNAL, gnuplot is missing or failed (the
 * message has its words); KOSHU_ERROR_IO; KOSHU_ERROR_OUT_OF_MEMORY. Text may
 * hold any characters; it is drawn as it is, control characters as spaces.
 */

struct koshu_density_panel {
    const double *sigma; /* pixels * pixels, see koshu_surface_density() */
    double centre[3];    /* of this panel's frame */
    const char *label;   /* "t = 1.5"; NULL: none */
};

struct koshu_density_options {
    struct koshu_picture_view frame; /* of all panels; its centre is not used */
    double min, max;                 /* log10 of sigma; NaN: from the panels */
    const char *title;               /* NULL: none */
    struct koshu_units units; /* named on the axes where they are known */
};

/* koshu_picture_view_default(), range from the panels, no title, no units */
KOSHU_API struct koshu_density_options koshu_density_options_default(void);

/*
 * The panels, row after row in one picture, with one range of colours and one
 * colour bar of log10 sigma. Axes show the distance from each panel's centre.
 * KOSHU_ERROR_INVALID_ARGUMENT: no panels or too many for a picture of 32,767
 * pixels, the frame, a range that is empty; KOSHU_ERROR_BAD_INPUT: no positive
 * sigma in any panel.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_picture_density(struct koshu_context *context,
                      const struct koshu_density_options *options,
                      const struct koshu_density_panel *panels, size_t n_panels,
                      const char *path);

/* Kinds of curves, to be combined with |; drawn below each other. */
enum koshu_curves {
    KOSHU_CURVES_ENERGY = 1u << 0,     /* |E - E(0)| / |E(0)| */
    KOSHU_CURVES_VIRIAL = 1u << 1,     /* T / |W| */
    KOSHU_CURVES_LAGRANGIAN = 1u << 2, /* Lagrangian radii */
    KOSHU_CURVES_STAGES = 1u << 3,     /* seconds of a tree's step, stacked */
    KOSHU_CURVES_LISTS = 1u << 4,      /* length of its interaction lists */
    KOSHU_CURVES_ERRORS = 1u << 5,     /* errors of its forces */
    KOSHU_CURVES_RATES = 1u << 6,      /* Gflop/s of a step of the tree */
    /* What the log has: stages, rates and lists of performance.csv, errors and
     * lists of errors.csv, else the first three. */
    KOSHU_CURVES_ALL = (1u << 7) - 1
};

struct koshu_curves_options {
    unsigned curves;
    const char *title; /* NULL: none */
};

/* all, no title */
KOSHU_API struct koshu_curves_options koshu_curves_options_default(void);

/*
 * Curves against time from the log of a run: CSV, the first line names the
 * columns. Needs the columns time and, as the curves ask, total;
 * virial_ratio; at least one of r01, r05 ... (radii of so many per cent); walk
 * and other stages; gflops_38; list_length; err_median, err_p90, err_p99,
 * err_max. KOSHU_ERROR_INVALID_ARGUMENT: no curves; KOSHU_ERROR_BAD_FORMAT: a
 * column is missing, a line is not numbers, there is no line.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_picture_curves(struct koshu_context *context,
                     const struct koshu_curves_options *options,
                     const char *log_path, const char *path);

#ifdef __cplusplus
}
#endif

#endif
