/* SPDX-License-Identifier: MIT */
/* What the files of this module share. */
#ifndef KOSHU_OUTPUT_OUTPUT_H
#define KOSHU_OUTPUT_OUTPUT_H

#include <stdbool.h>

#include <koshu/diagnostics.h>
#include <koshu/particles.h>
#include <koshu/picture.h>

#include "output/neighbours.h"
#include "output/phase.h"
#include "output/profile.h"
#include "output/scale.h"
#include "output/stars.h"

/* Reads and checks the view that a caller has given (NULL: the default).
 * Statuses of koshu_options_read(), and KOSHU_ERROR_INVALID_ARGUMENT. */
KOSHU_MUST_CHECK koshu_status koshu_picture_view_read(
        struct koshu_context *context, const struct koshu_picture_view *given,
        struct koshu_picture_view *view);

/* Reads and checks the options that a caller has given for so many panels, with
 * their view. The same statuses. */
KOSHU_MUST_CHECK koshu_status koshu_picture_options_read(
        struct koshu_context *context, size_t n_panels,
        const struct koshu_density_options *given,
        struct koshu_density_options *options, struct koshu_picture_view *view);

/* Masses and positions of particles that can be drawn. Statuses of
 * koshu_particles_check() and koshu_particles_on_host(). */
KOSHU_MUST_CHECK koshu_status koshu_picture_particles(
        struct koshu_particles *particles, struct koshu_particle_view *view);

/* sum 1/2 m v^2 and sum m v, computed where the particles are: on a device, or
 * on the host. Collective. */
KOSHU_MUST_CHECK koshu_status koshu_kinetic_energy(
        struct koshu_particles *particles, double *kinetic, double momentum[3]);

/* koshu_diagnostics_compute() without potentials: T, momenta, centre and radii;
 * members that depend on the potential are meaningless. */
KOSHU_MUST_CHECK koshu_status
koshu_diagnostics_of_motion(struct koshu_particles *particles,
                            struct koshu_diagnostics *diagnostics);

/*
 * The fraction of the mass that is not bound: |v - u|^2 / 2 + potential > 0,
 * with u the velocity of the centre of mass. Collective; the same bits for any
 * number of ranks. KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
koshu_escaped_fraction(struct koshu_particles *particles, double *fraction);

/*
 * The density centre and the core radius, from six neighbours (Casertano & Hut
 * 1985; McMillan, Hut & Makino 1990). Collective: each rank gathers all
 * particles. KOSHU_ERROR_UNSUPPORTED: fewer than 7 particles, or 2^32 or more;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_core(struct koshu_particles *particles,
                                         double centre[3], double *radius);

/* A particle's weight: its mass, 1, or its mass^3.5. */
double koshu_weight_of(enum koshu_weight weight, double mass);

/* koshu_picture_density() in another plane. */
KOSHU_MUST_CHECK koshu_status koshu_picture_density_in(
        struct koshu_context *context, size_t n_panels,
        const struct koshu_density_panel *panels, const char *path,
        const struct koshu_density_options *options,
        const struct koshu_plane *plane);

/*
 * Does the file look like the log of a run: a text with named columns, one of
 * them time? Its name does not matter. KOSHU_ERROR_NOT_FOUND,
 * KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_is_log(struct koshu_context *context,
                                           const char *path, bool *is_log);

/* A file that koshu writes, but neither a snapshot of particles nor the log of
 * a run: what it is, and the command that draws it. */
struct koshu_other_output {
    const char *kind, *drawn_by;
};

/* Recognises such a file by the names of its columns or HDF5 groups; NULL: it
 * is none. Statuses of koshu_is_log(), and KOSHU_ERROR_BAD_FORMAT. */
KOSHU_MUST_CHECK koshu_status
koshu_recognise_other(struct koshu_context *context, const char *path,
                      const struct koshu_other_output **other);

/* A curve of koshu_picture_rates(): n pairs (x, y), all > 0. */
struct koshu_curve {
    const char *name; /* beside its line in the first panel */
    enum koshu_curve_style {
        KOSHU_CURVE_DOTS,
        KOSHU_CURVE_LINE,
        KOSHU_CURVE_DASHED,
        /* dashed, without points, in the colour of the curve before */
        KOSHU_CURVE_BESIDE
    } style;
    size_t n;
    const double *xy;
};

/* The curves of one panel; at least one of them has points. */
struct koshu_rates {
    const char *name;
    size_t n_curves;
    const struct koshu_curve *curves;
    const char *ordinate; /* NULL: the common one, with its range */
};

/* Draws the panels side by side into a PNG. Both axes are logarithmic, and the
 * same in all panels that have no ordinate of their own; abscissa NULL: "N".
 * Statuses of koshu_gnuplot_begin() and koshu_gnuplot_finish(). */
KOSHU_MUST_CHECK koshu_status koshu_picture_rates(
        struct koshu_context *context, const char *title, const char *abscissa,
        const char *ordinate, const struct koshu_rates *panels, size_t n_panels,
        const char *path);

/*
 * A panel of koshu_picture_page(): either curves on two logarithmic axes, with
 * their names in the lower corner that is free; or an image of pixels > 0 along
 * each side: red, green and blue from 0 to 255 of each, rows from below.
 */
struct koshu_page_panel {
    const char *name, *abscissa, *ordinate;
    size_t n_curves;
    const struct koshu_curve *curves;
    bool rises;  /* of curves: their names are on the right */
    bool linear; /* the ordinate is linear, and may be negative */
    size_t pixels;
    const double *image;
};

/* Draws the panels into a PNG, three in a row. Statuses of
 * koshu_picture_rates(). */
KOSHU_MUST_CHECK koshu_status
koshu_picture_page(struct koshu_context *context, const char *title,
                   const struct koshu_page_panel *panels, size_t n_panels,
                   const char *path);

/*
 * The image of the region below a level, lit, in a periodic box of n^3 points
 * (the last index is along z), seen from above with x to the right: 3 pixels^2
 * numbers, as in a panel. Between points the field is linear.
 */
void koshu_isosurface(size_t n, const double *field, double level,
                      size_t pixels, double *image);

#endif
