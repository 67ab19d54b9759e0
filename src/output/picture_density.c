/* SPDX-License-Identifier: MIT */
/* Panels of surface density with axes and a colour bar. */
#include <koshu/picture.h>

#include <math.h>

#include "base/base.h"
#include "output/gnuplot.h"
#include "output/output.h"
#include "output/palette.h"
#include "output/scale.h"
#include "particles/particles.h"

KOSHU_DEFINE_DEFAULT(koshu_density_options, .min = NAN, .max = NAN,
                     .units = KOSHU_HENON_UNITS)

/* ---- where things go, in pixels from the lower left corner ------------- */

enum {
    LEFT = 92, /* tick labels and the name of the axis */
    NAME_LEFT = 20,
    BOTTOM = 66,
    TOP = 18,
    TITLE = 34, /* more of the top, where there is a title */
    GAP = 10,   /* between panels */
    BAR_GAP = 16,
    BAR = 22,
    RIGHT = 96 /* tick labels and the name of the colour bar */
};

struct layout {
    size_t n, columns, rows, panel;
    size_t width, height;
};

/* Up to four panels form one row; more form rows that are filled
 * best, about as wide as high or up to twice as wide. */
static size_t
choose_columns(size_t n)
{
    if (n <= 4) return n;
    size_t best = (size_t)ceil(sqrt((double)n));
    size_t widest = (size_t)ceil(sqrt(2.0 * (double)n));
    for (size_t c = best + 1; c <= widest; c++)
        if ((c - n % c) % c < (best - n % best) % best) best = c;
    return best;
}

static struct layout
lay_out(size_t n, size_t panel, bool title)
{
    size_t columns = choose_columns(n), rows = (n + columns - 1) / columns;
    return (struct layout){.n = n,
                           .columns = columns,
                           .rows = rows,
                           .panel = panel,
                           .width = LEFT + columns * panel +
                                    (columns - 1) * GAP + BAR_GAP + BAR + RIGHT,
                           .height = BOTTOM + rows * panel + (rows - 1) * GAP +
                                     TOP + (title ? TITLE : 0)};
}

/* ---- drawing ----------------------------------------------------------- */

struct picture {
    struct koshu_gnuplot g;
    struct layout layout;
    const struct koshu_density_options *options;
    const struct koshu_density_panel *panels;
    struct koshu_scale colours; /* of log10 sigma */
};

static void
print_palette(struct koshu_gnuplot *g)
{
    koshu_gnuplot_print(g, "set palette maxcolors 0\nset palette defined (");
    for (int k = 0; k < KOSHU_PALETTE_COUNT; k++)
        koshu_gnuplot_print(g, "%s%d '#%06x'", k ? "," : "", k,
                            koshu_palette[k]);
    koshu_gnuplot_print(g, ")\n");
}

/* Panels and gaps from the first to the last column, or row. */
static double
extent(const struct layout *l, size_t columns)
{
    return (double)(columns * (l->panel + GAP)) - GAP;
}

static void
print_title(struct picture *p)
{
    koshu_gnuplot_title(&p->g, p->options->title,
                        LEFT + extent(&p->layout, p->layout.columns) / 2,
                        p->g.height - (TOP + TITLE) / 2);
}

/* The colour bar belongs to one panel and is as high as all of them. */
static void
print_colour_bar(struct picture *p)
{
    const struct layout *l = &p->layout;
    double w = p->g.width, h = p->g.height;
    double left = LEFT + extent(l, l->columns) + BAR_GAP;
    double high = extent(l, l->rows);
    char unit[KOSHU_UNIT_TEXT];
    koshu_surface_unit(&p->options->units, unit, sizeof unit);
    koshu_gnuplot_print(&p->g,
                        "set colorbox vertical user origin screen %.8f,screen "
                        "%.8f size screen %.8f,screen %.8f\n"
                        "set cblabel 'log_{10} {/:Italic Σ}%s' offset 1,0\n"
                        "set cbtics %g format '%%g'\n",
                        left / w, BOTTOM / h, BAR / w, high / h, unit,
                        p->colours.step);
}

static void
print_axis(struct picture *p, char axis, unsigned dimension, bool named)
{
    const struct koshu_density_options *o = p->options;
    struct koshu_scale scale =
            koshu_scale_about_zero(o->view->half_width, o->view->pixels);
    koshu_gnuplot_print(&p->g, "set %crange [%.17g:%.17g]\n", axis,
                        -o->view->half_width, o->view->half_width);
    koshu_gnuplot_print(&p->g,
                        "set %ctics %.17g,%.17g,%.17g out nomirror scale 0.7 "
                        "format '%s'\n",
                        axis, scale.min, scale.step, scale.max,
                        named ? "%g" : "");
    char name[KOSHU_AXIS_TEXT] = "";
    if (named)
        koshu_axis_label(p->layout.n, p->panels, o, dimension, name,
                         sizeof name);
    if (axis == 'x')
        koshu_gnuplot_print(&p->g, "set xlabel '%s'\n", name);
    else /* always at the same place, however wide the ticks' numbers are */
        koshu_gnuplot_print(&p->g,
                            "set label 3 '%s' at screen %.8f,graph 0.5 center "
                            "rotate by 90\n",
                            name, NAME_LEFT / p->g.width);
}

static void
print_axes(struct picture *p, size_t k)
{
    const struct layout *l = &p->layout;
    size_t column = k % l->columns, row = l->rows - 1 - k / l->columns;
    koshu_gnuplot_place(&p->g, LEFT + extent(l, column) + GAP,
                        BOTTOM + extent(l, row) + GAP, (double)l->panel,
                        (double)l->panel);
    unsigned axis = p->options->view->axis;
    print_axis(p, 'x', (axis + 1) % 3, k + l->columns >= l->n);
    print_axis(p, 'y', (axis + 2) % 3, column == 0);
}

static void
print_label(struct picture *p, size_t k)
{
    const char *label = p->panels[k].label;
    koshu_gnuplot_print(&p->g, "unset label 2\n");
    if (!label || !label[0]) return;
    koshu_gnuplot_print(&p->g, "set label 2 ");
    koshu_gnuplot_quote(&p->g, label);
    koshu_gnuplot_print(&p->g,
                        " noenhanced at graph 0,graph 1 offset 1,-1 left "
                        "front textcolor rgb 'white' boxed bs 1\n");
}

/* log10 of sigma, row by row; what is empty gets the lowest colour. */
static void
print_sigma(struct picture *p, const double *sigma)
{
    size_t pixels = p->options->view->pixels;
    double half = p->options->view->half_width, line[KOSHU_PICTURE_PIXELS_MAX];
    double pixel = 2 * half / (double)pixels, low = p->colours.min;
    koshu_gnuplot_print(&p->g,
                        "plot '-' binary array=(%zu,%zu) format='%%float64' "
                        "origin=(%.17g,%.17g) dx=%.17g dy=%.17g with image "
                        "notitle\n",
                        pixels, pixels, -half + pixel / 2, -half + pixel / 2,
                        pixel, pixel);
    for (size_t r = 0; r < pixels; r++) {
        for (size_t c = 0; c < pixels; c++)
            line[c] = fmax(log10(sigma[r * pixels + c]), low);
        koshu_gnuplot_data(&p->g, line, pixels);
    }
    koshu_gnuplot_print(&p->g, "\n");
}

static void
print_panels(struct picture *p)
{
    const struct layout *l = &p->layout;
    print_palette(&p->g);
    koshu_gnuplot_print(&p->g,
                        "set multiplot\nset border linewidth 1.2\n"
                        "set style textbox 1 opaque noborder fillcolor rgb "
                        "'#80000000' margins 1,1\n"
                        "set cbrange [%.17g:%.17g]\n",
                        p->colours.min, p->colours.max);
    print_title(p);
    print_colour_bar(p);
    for (size_t k = 0; k < l->n; k++) {
        print_axes(p, k);
        print_label(p, k);
        print_sigma(p, p->panels[k].sigma);
        koshu_gnuplot_print(&p->g, "unset colorbox\nunset label 1\n");
    }
    koshu_gnuplot_print(&p->g, "unset multiplot\n");
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
    struct koshu_density_options o;
    struct koshu_picture_view view;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_density_options, options, &o));
    KOSHU_TRY(koshu_picture_view_read(context, o.view, &view));
    o.view = &view;
    if (n_panels == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture needs at least one panel, got none");
    struct picture p = {.options = &o, .panels = panels};
    p.layout = lay_out(n_panels, view.pixels, o.title);
    KOSHU_TRY(koshu_gnuplot_begin(&p.g, context, p.layout.width,
                                  p.layout.height, 13));
    koshu_status status =
            koshu_density_range(context, n_panels, panels, &o, &p.colours);
    if (status != KOSHU_OK) {
        koshu_gnuplot_abandon(&p.g);
        return status;
    }
    print_panels(&p);
    return koshu_gnuplot_finish(&p.g, path);
}
