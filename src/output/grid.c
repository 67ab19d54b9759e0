/* SPDX-License-Identifier: MIT */
/* Draws square panels in rows, with common axes and one colour bar. */
#include "output/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "output/palette.h"

/* ---- where things go, in units from the lower left corner ---------------- */

enum {
    NAME = 22, /* from the edge to the middle of an axis's name */
    NAME_TO_TICKS = 16,
    TICKS = 14, /* from the numbers of ticks to the panel */
    BOTTOM = 74,
    TOP = 20,
    TITLE = 30, /* added to the top, where there is a title */
    GAP = 10,   /* between panels */
    BAR_GAP = 16,
    BAR = 22,
    BAR_TEXT = 90,
    RIGHT = 24
};

/* The position of a panel's label, from its upper left corner. */
static const double label_at = 8, label_margin = 5, label_height = 24;

/* In smaller pictures text would be illegible. */
static const double scale_min = 0.6;

size_t
koshu_grid_pixels(size_t n_panels)
{
    return n_panels == 1 ? 640 : n_panels <= 4 ? 400 : 320;
}

/* Up to four panels form one row. More panels form rows of such a length that
 * the last is as full as possible, the whole being as wide as high or up to
 * twice as wide. */
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

static double
widest(const struct koshu_ticks *ticks)
{
    double width = 0;
    for (size_t k = 0; k < ticks->n; k++)
        width = fmax(width, koshu_text_width(ticks->text[k]));
    return width;
}

/* Rounds to whole pixels, so that pixels of images are pixels of the
 * picture. */
static double
whole(double units, double scale)
{
    return round(units * scale) / scale;
}

static void
choose_ticks(struct koshu_grid *d)
{
    const struct koshu_grid_options *o = &d->o;
    const double alone = d->rows == 1 ? 8 : 0;
    koshu_ticks_choose(&(struct koshu_tick_axis){.low = o->x.low,
                                                 .high = o->x.high,
                                                 .length = d->panel,
                                                 .beyond = o->n == 1 ? 24 : 2},
                       &d->x);
    koshu_ticks_choose(&(struct koshu_tick_axis){.low = o->y.low,
                                                 .high = o->y.high,
                                                 .length = d->panel,
                                                 .beyond = alone,
                                                 .upright = true},
                       &d->y);
}

static void
lay_out(struct koshu_grid *d, double scale)
{
    d->columns = choose_columns(d->o.n);
    d->rows = (d->o.n + d->columns - 1) / d->columns;
    d->panel = (double)d->o.pixels / scale;
    choose_ticks(d);
    d->left = whole(NAME + NAME_TO_TICKS + widest(&d->y) + TICKS, scale);
    d->bottom = whole(BOTTOM, scale);
    d->top = whole(TOP + (d->o.title ? TITLE : 0), scale);
    d->right = whole(d->o.palette ? BAR_GAP + BAR + BAR_TEXT + NAME : RIGHT,
                     scale);
}

/* From the first to the last column (or row): panels and gaps. */
static double
extent(const struct koshu_grid *d, size_t columns)
{
    return (double)columns * (d->panel + whole(GAP, d->g.canvas.scale)) -
           whole(GAP, d->g.canvas.scale);
}

/* ---- what all panels have ------------------------------------------------ */

static void
print_palette(struct koshu_gnuplot *g, const unsigned *palette)
{
    koshu_gnuplot_print(g, "set palette maxcolors 0\nset palette defined (");
    for (int k = 0; k < KOSHU_PALETTE_COUNT; k++)
        koshu_gnuplot_print(g, "%s%d '#%06x'", k ? "," : "", k, palette[k]);
    koshu_gnuplot_print(g, ")\n");
}

/* An entry in gnuplot's list of ticks: with text at level 0, without at level
 * 1. */
static void
print_bar_tick(struct koshu_grid *d, size_t k, double at, const char *text)
{
    koshu_gnuplot_print(&d->g, "%s'%s' %.10g %d", k ? "," : "", text, at,
                        !text[0]);
}

/* Returns the power of ten that the numbers leave to the bar's name. */
static int
print_bar_ticks(struct koshu_grid *d)
{
    const struct koshu_tick_axis axis = {.low = d->colours.low,
                                         .high = d->colours.high,
                                         .length = extent(d, d->rows),
                                         .upright = true};
    struct koshu_log_ticks powers = {.n = 0};
    struct koshu_ticks ticks = {.n = 0};
    if (d->colours.log)
        koshu_log_ticks_choose(axis.low, axis.high, &powers);
    else
        koshu_ticks_choose(&axis, &ticks);
    koshu_gnuplot_print(&d->g, "set y2tics out scale 0.7 (");
    for (size_t k = 0; k < powers.n; k++)
        print_bar_tick(d, k, powers.at[k], powers.text[k]);
    for (size_t k = 0; k < ticks.n; k++)
        print_bar_tick(d, k, ticks.at[k], ticks.text[k]);
    koshu_gnuplot_print(&d->g, ")\n");
    return ticks.exponent;
}

static void
print_name(struct koshu_grid *d, int label, const struct koshu_grid_axis *axis,
           int exponent, const char *place)
{
    char power[24] = "";
    if (exponent) snprintf(power, sizeof power, "10^{%d}", exponent);
    const bool bracket = axis->unit[0] || exponent;
    koshu_gnuplot_print(&d->g,
                        "set label %d '%s%s%s%s%s%s' at %s center textcolor "
                        "rgb '%s'\n",
                        label, axis->name, bracket ? "  [" : "", power,
                        axis->unit[0] && exponent ? " " : "", axis->unit,
                        bracket ? "]" : "", place, d->g.ink);
}

static void
print_bar_image(struct koshu_grid *d)
{
    const double low = d->colours.low, high = d->colours.high;
    const double step = (high - low) / KOSHU_PALETTE_COUNT;
    koshu_gnuplot_print(
            &d->g,
            "plot '-' binary array=(16,%d) format='%%float64' "
            "origin=(-0.46875,%.17g) dx=0.0625 dy=%.17g with image notitle\n",
            KOSHU_PALETTE_COUNT, low + step / 2, step);
    for (int k = 0; k < KOSHU_PALETTE_COUNT; k++) {
        /* wide enough that the blur of SVG renderers at the edges does not
         * show */
        double row[16];
        for (int c = 0; c < 16; c++) row[c] = low + (k + 0.5) * step;
        koshu_gnuplot_data(&d->g, row, 16);
    }
    koshu_gnuplot_print(&d->g, "\n");
}

/* As high as all panels. Drawn as an image, because gnuplot's own colour box
 * consists of many rectangles, between which a PDF shows seams. */
static void
print_colour_bar(struct koshu_grid *d)
{
    const double low = d->colours.low, high = d->colours.high;
    const struct koshu_canvas *c = &d->g.canvas;
    char place[96];
    if (!d->o.palette) return;
    koshu_gnuplot_place(&d->g, c->width - d->right + BAR_GAP, d->bottom, BAR,
                        extent(d, d->rows));
    koshu_gnuplot_print(&d->g,
                        "unset label\nunset object\nunset xtics\nunset ytics\n"
                        "set xrange [-0.5:0.5]\nset yrange [%.17g:%.17g]\n"
                        "set y2range [%.17g:%.17g]\n",
                        low, high, low, high);
    const int exponent = print_bar_ticks(d);
    snprintf(place, sizeof place, "screen %.8f,graph 0.5 rotate by 90",
             (c->width - NAME) / c->width);
    print_name(d, 4, &d->colours, exponent, place);
    print_bar_image(d);
}

static koshu_status
begin_canvas(struct koshu_grid *d, struct koshu_context *context, double scale)
{
    const struct koshu_grid_options *o = &d->o;
    d->g.canvas.scale = scale; /* extent() needs it */
    const struct koshu_canvas canvas = {
            .path = o->path,
            .width = d->left + extent(d, d->columns) + d->right,
            .height = d->bottom + extent(d, d->rows) + d->top,
            .font = 13,
            .scale = scale,
            .dark = o->dark};
    return koshu_gnuplot_begin(&d->g, context, &canvas);
}

koshu_status
koshu_grid_begin(struct koshu_grid *grid, struct koshu_context *context,
                 const struct koshu_grid_options *options)
{
    *grid = (struct koshu_grid){.o = *options};
    if (options->n == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture needs at least one panel, got none");
    const double usual = (double)koshu_grid_pixels(options->n);
    const double scale = fmax((double)options->pixels / usual, scale_min);
    lay_out(grid, scale);
    KOSHU_TRY(begin_canvas(grid, context, scale));
    koshu_gnuplot_print(&grid->g, "set multiplot\nunset key\nunset colorbox\n");
    koshu_gnuplot_title(&grid->g, options->title,
                        grid->left + extent(grid, grid->columns) / 2,
                        grid->g.canvas.height - grid->top / 2);
    return KOSHU_OK;
}

void
koshu_grid_colours(struct koshu_grid *grid,
                   const struct koshu_grid_axis *colours)
{
    grid->colours = *colours;
    print_palette(&grid->g, grid->o.palette);
    koshu_gnuplot_print(&grid->g, "set cbrange [%.17g:%.17g]\n", colours->low,
                        colours->high);
}

/* ---- one panel ----------------------------------------------------------- */

static void
print_ticks(struct koshu_grid *d, char axis,
            const struct koshu_grid_axis *range,
            const struct koshu_ticks *ticks, bool named)
{
    koshu_gnuplot_print(&d->g,
                        "set %crange [%.17g:%.17g]\nset %ctics out "
                        "nomirror scale 0.7 (",
                        axis, range->low, range->high, axis);
    for (size_t k = 0; k < ticks->n; k++)
        koshu_gnuplot_print(&d->g, "%s'%s' %.17g", k ? "," : "",
                            named ? ticks->text[k] : "", ticks->at[k]);
    koshu_gnuplot_print(&d->g, ")\n");
}

/* Axis names have a fixed position, however wide the numbers of the ticks
 * are. */
static void
print_axes(struct koshu_grid *d, size_t k, double bottom)
{
    const bool below = k + d->columns >= d->o.n, first = k % d->columns == 0;
    char place[96];
    print_ticks(d, 'x', &d->o.x, &d->x, below);
    print_ticks(d, 'y', &d->o.y, &d->y, first);
    koshu_gnuplot_print(&d->g, "unset label 3\nunset label 5\n");
    snprintf(place, sizeof place, "graph 0.5,screen %.8f",
             (bottom - d->bottom + NAME) / d->g.canvas.height);
    if (below) print_name(d, 3, &d->o.x, d->x.exponent, place);
    snprintf(place, sizeof place, "screen %.8f,graph 0.5 rotate by 90",
             NAME / d->g.canvas.width);
    if (first) print_name(d, 5, &d->o.y, d->y.exponent, place);
}

/* Light text on a dark strip. The strip is drawn here because the boxes that
 * gnuplot draws around labels are white in SVG. */
static void
print_label(struct koshu_grid *d, const char *label)
{
    koshu_gnuplot_print(&d->g, "unset label 2\nunset object 1\n");
    if (!label || !label[0]) return;
    const double width = koshu_text_width(label) + 2 * label_margin;
    koshu_gnuplot_print(&d->g,
                        "set object 1 rectangle from graph %.6f,graph %.6f to "
                        "graph %.6f,graph %.6f front fillcolor rgb '#90000000' "
                        "fillstyle solid noborder\nset label 2 ",
                        label_at / d->panel, 1 - label_at / d->panel,
                        (label_at + width) / d->panel,
                        1 - (label_at + label_height) / d->panel);
    koshu_gnuplot_quote(&d->g, label);
    koshu_gnuplot_print(&d->g,
                        " noenhanced at graph %.6f,graph %.6f left front "
                        "textcolor rgb 'white'\n",
                        (label_at + label_margin) / d->panel,
                        1 - (label_at + label_height / 2) / d->panel);
}

void
koshu_grid_panel(struct koshu_grid *grid, size_t k, const char *label)
{
    const double next = extent(grid, 2) - grid->panel;
    const size_t row = grid->rows - 1 - k / grid->columns;
    const double bottom = grid->bottom + (double)row * next;
    if (k == 1) koshu_gnuplot_print(&grid->g, "unset label 1\n");
    koshu_gnuplot_place(&grid->g,
                        grid->left + (double)(k % grid->columns) * next, bottom,
                        grid->panel, grid->panel);
    print_axes(grid, k, bottom);
    print_label(grid, label);
}

koshu_status
koshu_grid_finish(struct koshu_grid *grid)
{
    print_colour_bar(grid);
    koshu_gnuplot_print(&grid->g, "unset multiplot\n");
    return koshu_gnuplot_finish(&grid->g);
}

void
koshu_grid_abandon(struct koshu_grid *grid)
{
    koshu_gnuplot_abandon(&grid->g);
}
