/* SPDX-License-Identifier: MIT */
/* Draws what was measured of star clusters. */
#include <stdio.h>
#include <stdlib.h>

#include "analyse_cluster.h"
#include "app.h"

/* A panel: up to two columns against another, for each snapshot. */
struct drawn {
    const char *name, *x, *y;
    enum koshu_quantity of_x, of_y;
    bool has_x, has_y;         /* units */
    size_t at_x, at_y, beside; /* in a row; beside 0: no second one */
    enum koshu_curve_style style;
    bool rises, linear;
};
enum { N_CURVES = 2 };

/* Columns of the tables, in the order of koshu_cluster_row(). */
enum {
    DENSITY = 6,
    WITHIN = 5,
    RADIUS = 3,
    RADIAL = 10,
    TANGENTIAL = 11,
    ANISOTROPY = 13
};
enum { AXIS = 9, ECCENTRICITY = 10, PERIOD = 11, HARDNESS = 14, PLACE = 21 };

static const struct drawn of_profiles[] = {
        {"density", "r", "density", KOSHU_QUANTITY_LENGTH,
         KOSHU_QUANTITY_DENSITY, true, true, RADIUS, DENSITY, 0,
         KOSHU_CURVE_LINE, false, false},
        {"mass within r", "r", "M(r)", KOSHU_QUANTITY_LENGTH,
         KOSHU_QUANTITY_MASS, true, true, RADIUS, WITHIN, 0, KOSHU_CURVE_LINE,
         true, false},
        {"dispersion along the radius (dashed: across)", "r", "sigma",
         KOSHU_QUANTITY_LENGTH, KOSHU_QUANTITY_VELOCITY, true, true, RADIUS,
         RADIAL, TANGENTIAL, KOSHU_CURVE_LINE, false, false},
        {"anisotropy", "r", "1 - sigma_t^2 / sigma_r^2", KOSHU_QUANTITY_LENGTH,
         0, true, false, RADIUS, ANISOTROPY, 0, KOSHU_CURVE_LINE, false, true}};

static const struct drawn of_binaries[] = {
        {"binding energy", "a", "E/kT", KOSHU_QUANTITY_LENGTH, 0, true, false,
         AXIS, HARDNESS, 0, KOSHU_CURVE_DOTS, false, false},
        {"eccentricity", "period", "e", KOSHU_QUANTITY_TIME, 0, true, false,
         PERIOD, ECCENTRICITY, 0, KOSHU_CURVE_DOTS, true, true},
        {"distance from the centre", "r", "E/kT", KOSHU_QUANTITY_LENGTH, 0,
         true, false, PLACE, HARDNESS, 0, KOSHU_CURVE_DOTS, false, false}};

static void
name_axis(const struct analysis *w, const char *name, bool has_unit,
          enum koshu_quantity quantity, size_t size, char *text)
{
    char unit[64] = "";
    if (has_unit) koshu_units_label(&w->units, quantity, sizeof unit, unit);
    snprintf(text, size, unit[0] ? "%s [%s]" : "%s", name, unit);
}

/* The points of a column of one snapshot that can be shown on the axes. */
static koshu_status
make_curve(const struct analysis *w, const struct cluster_of *c,
           const struct drawn *d, size_t column, struct koshu_curve *curve,
           double **xy)
{
    const bool pairs = w->a->binaries;
    const size_t n = pairs ? c->n_pairs : c->n_shells;
    double row[KOSHU_CLUSTER_MAX_COLUMNS], *p = koshu_alloc(2 * n + 1, 8);
    if (!p) return koshu_fail_memory(w->context, 16 * n, "a curve");
    *xy = p;
    *curve = (struct koshu_curve){
            pairs || d->linear || column != d->at_y ? "" : c->label,
            column == d->at_y ? d->style : KOSHU_CURVE_BESIDE, 0, p};
    for (size_t k = 0; k < n; k++) {
        if (pairs)
            koshu_cluster_row(KOSHU_CLUSTER_TABLE_PAIRS, &c->pair[k], row);
        else
            koshu_cluster_row(KOSHU_CLUSTER_TABLE_SHELLS, &c->shell[k], row);
        if (!(row[d->at_x] > 0) || (!d->linear && !(row[column] > 0))) continue;
        p[2 * curve->n] = row[d->at_x];
        p[2 * curve->n++ + 1] = row[column];
    }
    return KOSHU_OK;
}

/* The curves and points of all panels, one after the other. */
struct page {
    size_t n; /* panels */
    const struct drawn *drawn;
    struct koshu_page_panel panel[4];
    char axis[4][2][96];
    struct koshu_curve *curve;
    double **xy;
};

/* Makes panel p. */
static koshu_status
make_curves(const struct analysis *w, const struct cluster_of *c,
            struct page *g, size_t p)
{
    const struct drawn *d = &g->drawn[p];
    size_t points = 0;
    for (size_t k = 0; k < N_CURVES * w->a->files.n; k++) {
        const size_t at = p * N_CURVES * w->a->files.n + k;
        const size_t column = k % N_CURVES ? d->beside : d->at_y;
        if (column == 0) {
            g->curve[at].name = "";
            continue;
        }
        KOSHU_TRY(make_curve(w, &c[k / N_CURVES], d, column, &g->curve[at],
                             &g->xy[at]));
        points += g->curve[at].n;
    }
    if (points > 0) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "--picture: there is nothing to draw: no %s",
                      w->a->binaries ? "pairs" : "shells");
}

static koshu_status
draw_page(const struct analysis *w, const struct cluster_of *c, struct page *g)
{
    const size_t files = w->a->files.n;
    char title[200];
    for (size_t p = 0; p < g->n; p++) {
        const struct drawn *d = &g->drawn[p];
        KOSHU_TRY(make_curves(w, c, g, p));
        name_axis(w, d->x, d->has_x, d->of_x, sizeof g->axis[p][0],
                  g->axis[p][0]);
        name_axis(w, d->y, d->has_y, d->of_y, sizeof g->axis[p][1],
                  g->axis[p][1]);
        g->panel[p] = (struct koshu_page_panel){.name = d->name,
                                                .abscissa = g->axis[p][0],
                                                .ordinate = g->axis[p][1],
                                                .n_curves = N_CURVES * files,
                                                .curves = g->curve +
                                                          p * N_CURVES * files,
                                                .rises = d->rises,
                                                .linear = d->linear};
    }
    snprintf(title, sizeof title, "%s, %s%s%s",
             w->a->binaries ? "Binaries and hierarchies"
                            : "Profiles of bound systems",
             c[0].label, files > 1 ? " ... " : "",
             files > 1 ? c[files - 1].label : "");
    return koshu_picture_page(w->context, title, g->panel, g->n, w->a->picture);
}

koshu_status
draw_clusters(const struct analysis *w, const struct cluster_of *c)
{
    struct page g = {.n = w->a->binaries ? 3 : 4,
                     .drawn = w->a->binaries ? of_binaries : of_profiles};
    const size_t n = g.n * N_CURVES * w->a->files.n;
    g.curve = calloc(n, sizeof *g.curve);
    g.xy = calloc(n, sizeof *g.xy);
    const koshu_status status =
            g.curve && g.xy ? draw_page(w, c, &g)
                            : koshu_fail_memory(w->context, n * sizeof *g.curve,
                                                "the curves of a picture");
    for (size_t k = 0; g.xy && k < n; k++) koshu_free(g.xy[k]);
    free(g.xy);
    free(g.curve);
    if (status == KOSHU_OK) printf("-> %s\n", printable(w->a->picture));
    return status;
}
