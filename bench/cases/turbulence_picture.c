/* SPDX-License-Identifier: MIT */
/* Draws the figures of Hamada09's second application on a page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases/turbulence.h"

enum { PANELS = 5, PIXELS = 380, POINTS = 512 };

/* Surfaces are drawn where II is this many rms. */
static const double level = -2;

struct page {
    size_t n;
    struct koshu_page_panel panels[PANELS];
    struct koshu_curve curves[PANELS][2];
    double xy[PANELS][2][2 * POINTS];
    double images[2][3 * PIXELS * PIXELS];
    char fit[64];
};

static struct koshu_page_panel *
add_panel(struct page *p, const char *name, const char *abscissa,
          const char *ordinate)
{
    struct koshu_page_panel *panel = &p->panels[p->n];
    for (size_t c = 0; c < 2; c++) p->curves[p->n][c].xy = p->xy[p->n][c];
    *panel = (struct koshu_page_panel){.name = name,
                                       .abscissa = abscissa,
                                       .ordinate = ordinate,
                                       .n_curves = 2,
                                       .curves = p->curves[p->n]};
    p->n++;
    return panel;
}

/* Adds a point to curve c of the last panel, unless it has no logarithm. */
static void
add_point(struct page *p, size_t c, double x, double y)
{
    struct koshu_curve *curve = &p->curves[p->n - 1][c];
    double *xy = p->xy[p->n - 1][c];
    if (curve->n == POINTS || !(x > 0) || !(y > 0)) return;
    xy[2 * curve->n] = x;
    xy[2 * curve->n++ + 1] = y;
}

static void
name_curve(struct page *p, size_t c, const char *name,
           enum koshu_curve_style style)
{
    p->curves[p->n - 1][c].name = name;
    p->curves[p->n - 1][c].style = style;
}

static void
add_times(struct page *p, const struct turbulence_times *t)
{
    struct koshu_page_panel *panel =
            add_panel(p, "Fig. 11: velocities by the FMM", "N", "seconds");
    panel->rises = true;
    snprintf(p->fit, sizeof p->fit, "~ N^%.2f", t->exponent);
    name_curve(p, 0, "koshu", KOSHU_CURVE_LINE);
    name_curve(p, 1, p->fit, KOSHU_CURVE_BESIDE);
    for (size_t k = 0; k < t->n; k++) {
        add_point(p, 0, t->xy[k][0], t->xy[k][1]);
        add_point(p, 1, t->xy[k][0], t->at_one * pow(t->xy[k][0], t->exponent));
    }
}

static void
name_methods(struct page *p)
{
    name_curve(p, 0, "spectral", KOSHU_CURVE_LINE);
    name_curve(p, 1, "vortex", KOSHU_CURVE_DASHED);
}

static void
add_flow(struct page *p, const struct turbulence_run *r)
{
    add_panel(p, "Fig. 13: decay of kinetic energy", "t / T", "K");
    name_methods(p);
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < r[c].rows; k++)
            add_point(p, c, r[c].time[k], r[c].energy[k]);
    add_panel(p, "Fig. 14: energy spectra at the end", "k", "E(k)");
    name_methods(p);
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 1; k < r[c].n / 2; k++)
            add_point(p, c, (double)k * r[c].spectrum.unit,
                      r[c].spectrum.energy[k]);
}

static void
add_surfaces(struct page *p, const struct turbulence_run *r)
{
    static const char *const names[] = {"Fig. 15a: II = -2 rms, spectral",
                                        "Fig. 15b: II = -2 rms, vortex"};
    const double at = level * turbulence_invariant_rms(&r[0]);
    for (size_t k = 0; k < 2; k++) {
        koshu_isosurface(r[k].n, r[k].invariant, at, PIXELS, p->images[k]);
        p->panels[p->n++] = (struct koshu_page_panel){
                .name = names[k], .pixels = PIXELS, .image = p->images[k]};
    }
}

koshu_status
turbulence_draw(struct bench *b, const struct turbulence_times *times,
                const struct turbulence_run *runs)
{
    struct page *p = calloc(1, sizeof *p);
    char title[256];
    if (!p) return koshu_fail_memory(b->context, sizeof *p, "a picture");
    if (times->n > 1) add_times(p, times);
    if (runs) {
        add_flow(p, runs);
        add_surfaces(p, runs);
    }
    snprintf(title, sizeof title, "koshu bench turbulence: %s",
             bench_row(b, 0).device);
    const koshu_status status = koshu_picture_page(b->context, title, p->panels,
                                                   p->n, b->options->plot);
    free(p);
    return status;
}
