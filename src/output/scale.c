/* SPDX-License-Identifier: MIT */
/* Ranges of colours, and names of axes and colour bars. */
#include "output/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"

/* ---- colours ----------------------------------------------------------- */

enum { DECADES_MIN = 2, DECADES_MAX = 6, BINS_PER_DECADE = 50 };

static double
largest(const struct koshu_density_panel *panels, size_t n_panels,
        size_t n_pixels)
{
    double peak = 0;
    for (size_t p = 0; p < n_panels; p++)
        for (size_t k = 0; k < n_pixels; k++)
            peak = fmax(peak, panels[p].sigma[k]);
    return peak;
}

/* How many decades below the largest sigma contain all but 0.5 % of the
 * mass. */
static double
decades_of_mass(const struct koshu_density_panel *panels, size_t n_panels,
                size_t n_pixels, double peak)
{
    double bins[DECADES_MAX * BINS_PER_DECADE] = {0}, total = 0, above = 0;
    int last = DECADES_MAX * BINS_PER_DECADE - 1, bin = 0;
    for (size_t p = 0; p < n_panels; p++)
        for (size_t k = 0; k < n_pixels; k++) {
            double sigma = panels[p].sigma[k];
            if (!(sigma > 0)) continue;
            double place = log10(peak / sigma) * BINS_PER_DECADE;
            bins[place < last ? (int)place : last] += sigma;
            total += sigma;
        }
    while (bin < last && above + bins[bin] < 0.995 * total)
        above += bins[bin++];
    return (double)(bin + 1) / BINS_PER_DECADE;
}

/* Decades down to the smallest sigma: all, where no pixel is empty, as in a
 * periodic box. */
static double
decades_of_all(const struct koshu_density_panel *panels, size_t n_panels,
               size_t n_pixels, double peak)
{
    double least = peak;
    for (size_t p = 0; p < n_panels; p++)
        for (size_t k = 0; k < n_pixels; k++)
            least = fmin(least, panels[p].sigma[k]);
    return fmax(log10(peak / least), 0.3);
}

/* Chooses what the options leave open. */
static void
choose_range(size_t n_panels, const struct koshu_density_panel *panels,
             const struct koshu_density_options *options, size_t n_pixels,
             double peak, struct koshu_scale *scale)
{
    scale->max =
            isnan(options->max) ? ceil(10 * log10(peak)) / 10 : options->max;
    scale->min = options->min;
    if (!isnan(scale->min)) return;
    double decades = decades_of_mass(panels, n_panels, n_pixels, peak);
    const double all = decades_of_all(panels, n_panels, n_pixels, peak);
    const double shown = all < DECADES_MIN ? all : fmax(DECADES_MIN, decades);
    scale->min = scale->max - ceil(shown * 10) / 10;
}

koshu_status
koshu_check_range(struct koshu_context *context, double min, double max)
{
    if (min < max && isfinite(max - min)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the range of colours, from %g to %g, is empty; --min "
                      "must be less than --max",
                      min, max);
}

koshu_status
koshu_density_range(struct koshu_context *context, size_t n_panels,
                    const struct koshu_density_panel *panels,
                    const struct koshu_density_options *options,
                    struct koshu_scale *scale)
{
    size_t n_pixels = options->view->pixels * options->view->pixels;
    double peak = largest(panels, n_panels, n_pixels);
    if (!(peak > 0) || !isfinite(peak))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "the largest surface density of the picture is %g; "
                          "a logarithm needs a positive, finite one",
                          peak);
    choose_range(n_panels, panels, options, n_pixels, peak, scale);
    return koshu_check_range(context, scale->min, scale->max);
}

/* ---- names ------------------------------------------------------------- */

static const char *
surface_name(enum koshu_weight weight)
{
    return weight == KOSHU_WEIGHT_NUMBER  ? "particles per area"
           : weight == KOSHU_WEIGHT_LIGHT ? "surface brightness"
                                          : "surface density";
}

void
koshu_surface_unit(const struct koshu_units *units, enum koshu_weight weight,
                   char *text, size_t size)
{
    char length[KOSHU_AXIS_TEXT], mass[KOSHU_AXIS_TEXT];
    koshu_units_drawn_label(units, KOSHU_QUANTITY_LENGTH, sizeof length,
                            length);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_MASS, sizeof mass, mass);
    text[0] = '\0';
    if (weight == KOSHU_WEIGHT_MASS)
        koshu_units_drawn_label(units, KOSHU_QUANTITY_SURFACE_DENSITY, size,
                                text);
    else if (weight == KOSHU_WEIGHT_NUMBER)
        koshu_units_drawn_label(units, KOSHU_QUANTITY_SURFACE_NUMBER_DENSITY,
                                size, text);
    else if (strcmp(mass, "M_☉") == 0) /* the power law is for solar masses */
        snprintf(text, size, "L_☉ {%s}^{-2}", length);
}

/* "M_☉ pc^{-1} (km s^{-1})^{-1}" */
void
koshu_phase_unit(const struct koshu_units *units, enum koshu_weight weight,
                 char *text, size_t size)
{
    char length[48], velocity[48], mass[48];
    text[0] = '\0';
    koshu_units_drawn_label(units, KOSHU_QUANTITY_LENGTH, sizeof length,
                            length);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_VELOCITY, sizeof velocity,
                            velocity);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_MASS, sizeof mass, mass);
    if (length[0] && weight != KOSHU_WEIGHT_LIGHT)
        snprintf(text, size, "%s%s%s^{-1} (%s)^{-1}",
                 weight == KOSHU_WEIGHT_MASS ? mass : "",
                 weight == KOSHU_WEIGHT_MASS ? " " : "", length, velocity);
}

/* Coordinates of more half-widths than this would be long numbers. */
static const double far = 1000;

/* The centres of the panels: the first, and the dimensions along which others
 * differ from it by a pixel or more. */
struct centres {
    size_t n;
    double first[3];
    bool differ[3];
};

static void
add_centre(struct centres *centres, const double centre[3], double pixel)
{
    if (centres->n++ == 0) memcpy(centres->first, centre, 3 * sizeof *centre);
    for (int d = 0; d < 3; d++)
        if (fabs(centre[d] - centres->first[d]) >= pixel)
            centres->differ[d] = true;
}

static void
set_axis(const struct centres *centres,
         const struct koshu_density_options *options, unsigned dimension,
         struct koshu_grid_axis *axis)
{
    const double half = options->view->half_width;
    const double centre = centres->first[dimension];
    const bool differ = centres->differ[dimension];
    const bool places = !differ && fabs(centre) < far * half;
    char offset[64] = "";
    if (differ)
        snprintf(offset, sizeof offset, " from the centre");
    else if (!places)
        snprintf(offset, sizeof offset, " %s %g", centre < 0 ? "+" : "−",
                 fabs(centre));
    axis->low = (places ? centre : 0) - half;
    axis->high = (places ? centre : 0) + half;
    snprintf(axis->name, sizeof axis->name, "{/:Italic %c}%s", "xyz"[dimension],
             offset);
    koshu_units_drawn_label(&options->units, KOSHU_QUANTITY_LENGTH,
                            sizeof axis->unit, axis->unit);
}

void
koshu_place_plane(size_t n_panels, const double *centre, size_t stride,
                  const struct koshu_density_options *options,
                  struct koshu_plane *plane)
{
    const struct koshu_picture_view *view = options->view;
    const double pixel = 2 * view->half_width / (double)view->pixels;
    const unsigned axis = view->axis;
    struct centres centres = {.n = 0};
    for (size_t k = 0; k < n_panels; k++)
        add_centre(&centres,
                   (const double *)((const char *)centre + k * stride), pixel);
    set_axis(&centres, options, (axis + 1) % 3, &plane->x);
    set_axis(&centres, options, (axis + 2) % 3, &plane->y);
    snprintf(plane->density, sizeof plane->density, "%s",
             surface_name(view->weight));
    koshu_surface_unit(&options->units, view->weight, plane->density_unit,
                       sizeof plane->density_unit);
}

void
koshu_name_mass(const struct koshu_units *units, struct koshu_grid_axis *axis)
{
    snprintf(axis->name, sizeof axis->name, "mass");
    koshu_units_drawn_label(units, KOSHU_QUANTITY_MASS, sizeof axis->unit,
                            axis->unit);
}

void
koshu_name_speed(const struct koshu_units *units, struct koshu_grid_axis *axis)
{
    snprintf(axis->name, sizeof axis->name, "speed");
    koshu_units_drawn_label(units, KOSHU_QUANTITY_VELOCITY, sizeof axis->unit,
                            axis->unit);
}
