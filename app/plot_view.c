/* SPDX-License-Identifier: MIT */
/* Chooses what a picture of snapshots shows: the centres of its panels and
 * their width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "plot.h"

/* The automatic width is the radius that contains this fraction of the mass,
 * with a margin: models with an edge are shown completely. */
static const double shown_fraction = 0.9, margin = 1.2;

/* Up to so many particles are drawn one by one. */
enum { STARS_MAX = 5000 };

/* ---- the middle ---------------------------------------------------------- */

static bool
is_automatic(const struct plot *p)
{
    return isnan(p->a->centre[0]);
}

/* The centre of mass; for a periodic box, which has none, its middle. */
static koshu_status
measure(struct plot *p, size_t k)
{
    struct plot_panel *panel = &p->panels[k];
    const double box = panel->info.box_size;
    memcpy(panel->centre, p->a->centre, sizeof p->a->centre);
    if (is_automatic(p) && box > 0)
        for (int d = 0; d < 3; d++) panel->centre[d] = box / 2;
    else if (is_automatic(p))
        KOSHU_TRY(koshu_picture_view_centre(p->particles, panel->centre));
    panel->radius = box / 2;
    if (box > 0) return KOSHU_OK;
    return koshu_picture_view_radius(p->particles, panel->centre,
                                     shown_fraction, &panel->radius);
}

/* If the centres of mass are nearly the same, all panels get the same one,
 * rounded: axes then show coordinates. */
static void
unite_centres(struct plot *p)
{
    const double near = 0.1 * p->view.half_width, grain = near / 2;
    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < p->n; k++) {
            low = fmin(low, p->panels[k].centre[d]);
            high = fmax(high, p->panels[k].centre[d]);
        }
        if (high - low > near) continue;
        for (size_t k = 0; k < p->n; k++)
            p->panels[k].centre[d] = grain * round((low + high) / 2 / grain);
    }
}

/* ---- the width ----------------------------------------------------------- */

/* Rounds up to the next round number. */
static double
round_up(double x)
{
    static const double digits[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double power = pow(10, floor(log10(x)));
    size_t k = 0;
    while (digits[k] * power < x && k + 1 < sizeof digits / sizeof digits[0])
        k++;
    return digits[k] * power;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A common width for all panels: the median of the widths that each would have
 * alone, so that neither a dense beginning nor a wide end makes the others
 * small; the whole of a box. 1 if all mass is in points. */
static koshu_status
choose_width(struct plot *p, double *half_width)
{
    *half_width = p->a->half_width;
    if (*half_width > 0) return KOSHU_OK;
    double *radii = reallocarray(NULL, p->n, sizeof *radii);
    if (!radii)
        return koshu_fail_memory(p->context, p->n * sizeof *radii,
                                 "radii of a picture");
    for (size_t k = 0; k < p->n; k++) radii[k] = p->panels[k].radius;
    qsort(radii, p->n, sizeof *radii, compare);
    const double median = radii[p->n / 2];
    free(radii);
    *half_width = !(median > 0)                    ? 1
                  : p->panels[0].info.box_size > 0 ? median
                                                   : round_up(margin * median);
    return KOSHU_OK;
}

static size_t
common_pixels(const struct plot *p)
{
    if (p->a->pixels) return p->a->pixels;
    if (p->a->movie) return 720;
    return p->n == 1 ? 640 : p->n <= 4 ? 400 : 320;
}

/* ---- all of it ----------------------------------------------------------- */

static bool
draws_stars(const struct plot *p)
{
    const char *what = p->a->what ? p->a->what : "all";
    if (strcmp(what, "stars") == 0 || strcmp(what, "density") == 0)
        return strcmp(what, "stars") == 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->panels[k].info.n > STARS_MAX) return false;
    return true;
}

koshu_status
plot_choose_view(struct plot *plot)
{
    for (size_t k = 0; k < plot->n; k++) {
        KOSHU_TRY(plot_read(plot, k));
        KOSHU_TRY(plot_name_file(plot, k, measure(plot, k)));
    }
    const struct plot_arguments *a = plot->a;
    plot->view = koshu_picture_view_default();
    plot->view.axis = a->axis;
    plot->view.weight = a->weight;
    plot->view.pixels = common_pixels(plot);
    KOSHU_TRY(choose_width(plot, &plot->view.half_width));
    if (is_automatic(plot)) unite_centres(plot);
    plot->stars = draws_stars(plot);
    plot->options = koshu_density_options_default();
    plot->options.view = &plot->view;
    plot->options.min = a->min;
    plot->options.max = a->max;
    plot->options.units = plot->panels[0].info.units;
    plot->options.dark = a->dark;
    plot->in_phase_space = a->what && strncmp(a->what, "phase", 5) == 0;
    return plot->in_phase_space ? plot_choose_phase(plot) : KOSHU_OK;
}
