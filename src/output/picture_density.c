/* SPDX-License-Identifier: MIT */
/* Draws panels of surface density with axes and a colour bar. */
#include <koshu/picture.h>

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/grid.h"
#include "output/output.h"
#include "output/palette.h"
#include "output/scale.h"
#include "particles/particles.h"

struct picture {
    struct koshu_grid grid;
    const struct koshu_density_options *options;
    const struct koshu_density_panel *panels;
    struct koshu_plane plane;
};

/* Writes log10 of sigma, row by row; empty pixels get the lowest colour. */
static void
print_sigma(struct picture *p, const double *sigma)
{
    const size_t pixels = p->options->view->pixels;
    const struct koshu_grid_options *o = &p->grid.o;
    const double low = p->grid.colours.low, n = (double)pixels;
    const double dx = (o->x.high - o->x.low) / n,
                 dy = (o->y.high - o->y.low) / n;
    double line[KOSHU_PICTURE_PIXELS_MAX];
    koshu_gnuplot_print(&p->grid.g,
                        "plot '-' binary array=(%zu,%zu) format='%%float64' "
                        "origin=(%.17g,%.17g) dx=%.17g dy=%.17g with image "
                        "notitle\n",
                        pixels, pixels, o->x.low + dx / 2, o->y.low + dy / 2,
                        dx, dy);
    for (size_t r = 0; r < pixels; r++) {
        for (size_t c = 0; c < pixels; c++)
            line[c] = fmax(log10(sigma[r * pixels + c]), low);
        koshu_gnuplot_data(&p->grid.g, line, pixels);
    }
    koshu_gnuplot_print(&p->grid.g, "\n");
}

static koshu_status
choose_colours(struct picture *p, struct koshu_context *context)
{
    struct koshu_grid_axis colours = {.log = true};
    struct koshu_scale range;
    KOSHU_TRY(koshu_density_range(context, p->grid.o.n, p->panels, p->options,
                                  &range));
    colours.low = range.min;
    colours.high = range.max;
    snprintf(colours.name, sizeof colours.name, "%s", p->plane.density);
    snprintf(colours.unit, sizeof colours.unit, "%s", p->plane.density_unit);
    koshu_grid_colours(&p->grid, &colours);
    return KOSHU_OK;
}

static koshu_status
begin(struct picture *p, struct koshu_context *context, size_t n_panels,
      const char *path)
{
    const struct koshu_density_options *o = p->options;
    const struct koshu_grid_options grid = {.path = path,
                                            .title = o->title,
                                            .n = n_panels,
                                            .pixels = o->view->pixels,
                                            .x = p->plane.x,
                                            .y = p->plane.y,
                                            .palette = koshu_palette,
                                            .dark = o->dark};
    return koshu_grid_begin(&p->grid, context, &grid);
}

static koshu_status
draw(struct koshu_context *context, struct picture *p, size_t n_panels,
     const char *path)
{
    KOSHU_TRY(begin(p, context, n_panels, path));
    const koshu_status status = choose_colours(p, context);
    if (status != KOSHU_OK) {
        koshu_grid_abandon(&p->grid);
        return status;
    }
    for (size_t k = 0; k < n_panels; k++) {
        koshu_grid_panel(&p->grid, k, p->panels[k].label);
        print_sigma(p, p->panels[k].sigma);
    }
    return koshu_grid_finish(&p->grid);
}

koshu_status
koshu_picture_density_in(struct koshu_context *context, size_t n_panels,
                         const struct koshu_density_panel *panels,
                         const char *path,
                         const struct koshu_density_options *options,
                         const struct koshu_plane *plane)
{
    struct koshu_density_options o;
    struct koshu_picture_view view;
    KOSHU_TRY(
            koshu_picture_options_read(context, n_panels, options, &o, &view));
    struct picture p = {.options = &o, .panels = panels};
    if (plane)
        p.plane = *plane;
    else
        koshu_place_plane(n_panels, panels->centre, sizeof *panels, &o,
                          &p.plane);
    return draw(context, &p, n_panels, path);
}

koshu_status
koshu_picture_density(struct koshu_context *context, size_t n_panels,
                      const struct koshu_density_panel *panels,
                      const char *path,
                      const struct koshu_density_options *options)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, panels);
    KOSHU_REQUIRE(context, path);
    return koshu_picture_density_in(context, n_panels, panels, path, options,
                                    NULL);
}
