/* SPDX-License-Identifier: MIT */
#include "output/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"

/* ---- ticks ------------------------------------------------------------- */

double
koshu_tick_step(double length, double parts)
{
    double rough = length / parts, power = pow(10, floor(log10(rough)));
    double digit = rough / power; /* in [1, 10) */
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

struct koshu_scale
koshu_scale_about_zero(double half, size_t pixels)
{
    double step = koshu_tick_step(half, pixels < 400 ? 1.6 : 2.2);
    double last = step * floor(0.97 * half / step);
    return (struct koshu_scale){-last, last, step};
}

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

/* Decades below the largest sigma that hold all but 0.5 % of the mass. */
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

/* Of all that the options leave open. */
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
    scale->min = scale->max - fmax(DECADES_MIN, ceil(decades * 10) / 10);
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
    scale->step = koshu_tick_step(scale->max - scale->min, 5);
    if (scale->min < scale->max && isfinite(scale->max - scale->min))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the range of colours, log10 from %g to %g, is empty; "
                      "--min must be less than --max",
                      scale->min, scale->max);
}

/* ---- names ------------------------------------------------------------- */

void
koshu_surface_unit(const struct koshu_units *units, char *text, size_t size)
{
    char unit[KOSHU_UNIT_TEXT];
    koshu_units_drawn_label(units, KOSHU_QUANTITY_SURFACE_DENSITY, sizeof unit,
                            unit);
    snprintf(text, size, unit[0] ? "  [%s]" : "%s", unit);
}

void
koshu_axis_label(size_t n_panels, const struct koshu_density_panel *panels,
                 const struct koshu_density_options *options,
                 unsigned dimension, char *text, size_t size)
{
    char x = "xyz"[dimension], offset[64] = "", length[KOSHU_UNIT_TEXT];
    double pixel =
            2 * options->view->half_width / (double)options->view->pixels;
    double first = panels[0].centre[dimension];
    bool one_centre = true;
    for (size_t k = 1; k < n_panels; k++)
        one_centre =
                one_centre && fabs(panels[k].centre[dimension] - first) < pixel;
    if (!one_centre)
        snprintf(offset, sizeof offset, " − {/:Italic %c}_c", x);
    else if (fabs(first) >= pixel)
        snprintf(offset, sizeof offset, " %s %g", first < 0 ? "+" : "−",
                 fabs(first));
    koshu_units_drawn_label(&options->units, KOSHU_QUANTITY_LENGTH,
                            sizeof length, length);
    snprintf(text, size, "{/:Italic %c}%s%s%s%s", x, offset,
             length[0] ? "  [" : "", length, length[0] ? "]" : "");
}
