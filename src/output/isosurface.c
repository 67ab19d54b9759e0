/* SPDX-License-Identifier: MIT */
/* Draws an isosurface with parallel rays, each followed until it hits the
 * surface. */
#include <math.h>

#include "output/output.h"

/* The direction of the rays, the axes of the image, and the direction of
 * light. */
static const double along[3] = {-0.48, 0.77, -0.42};
static const double light[3] = {0.70, -0.55, 0.46};

/* Half the side of the image in units of the box: its diagonal fits. */
static const double half = 0.87;
/* Steps of a ray per cell; the width of the drawn edges of the box. */
static const double steps_of_cell = 3, edge_width = 0.008;

static const double surface_colour[3] = {222, 128, 62};
/* Brightness where the box cuts through what is below the level. */
static const double cut_brightness = 0.6;
static const double edge_colour[3] = {120, 120, 120};

struct scene {
    size_t n;
    const double *field;
    double level, right[3], up[3], ray[3];
};

/* ---- the field ---------------------------------------------------------- */

/* The field, linear between its points; x in cells, periodic. */
static double
value_at(const struct scene *s, const double x[3])
{
    size_t at[3][2];
    double part[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        const double cell = floor(x[a] * (double)s->n);
        const long n = (long)s->n, k = ((long)cell % n + n) % n;
        part[a] = x[a] * (double)s->n - cell;
        at[a][0] = (size_t)k;
        at[a][1] = (size_t)((k + 1) % n);
    }
    for (int c = 0; c < 8; c++) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        const double weight = (i ? part[0] : 1 - part[0]) *
                              (j ? part[1] : 1 - part[1]) *
                              (k ? part[2] : 1 - part[2]);
        sum += weight *
               s->field[(at[0][i] * s->n + at[1][j]) * s->n + at[2][k]];
    }
    return sum - s->level;
}

static void
go(const double from[3], const double ray[3], double t, double to[3])
{
    for (int a = 0; a < 3; a++) to[a] = from[a] + t * ray[a];
}

static double
dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
scale_to_one(double v[3])
{
    const double size = sqrt(dot(v, v));
    for (int a = 0; a < 3; a++) v[a] = size > 0 ? v[a] / size : 0;
}

/* ---- rays --------------------------------------------------------------- */

/* The part t[0] ... t[1] of the ray in the box. */
static bool
enter(const double from[3], const double ray[3], double t[2])
{
    t[0] = 0;
    t[1] = INFINITY;
    for (int a = 0; a < 3; a++) {
        const double first = -from[a] / ray[a], last = (1 - from[a]) / ray[a];
        t[0] = fmax(t[0], fmin(first, last));
        t[1] = fmin(t[1], fmax(first, last));
    }
    return t[0] < t[1];
}

static bool
is_edge(const double x[3])
{
    int near = 0;
    for (int a = 0; a < 3; a++)
        near += fmin(fabs(x[a]), fabs(1 - x[a])) < edge_width;
    return near > 1;
}

enum meeting { MISSED, MET, CUT };

/* Where the ray first falls below the level. CUT: the field is below it already
 * where the ray enters the box. */
static enum meeting
meet(const struct scene *s, const double from[3], const double t[2],
     double place[3])
{
    const double h = 1 / (steps_of_cell * (double)s->n);
    double before = INFINITY;
    for (double at = t[0]; at < t[1]; at += h) {
        go(from, s->ray, at, place);
        const double now = value_at(s, place);
        if (now < 0 && !isfinite(before)) return CUT;
        if (now < 0) {
            go(from, s->ray, at - h * now / (now - before), place);
            return MET;
        }
        before = now;
    }
    return MISSED;
}

static void
shade(const struct scene *s, const double place[3], double colour[3])
{
    double slope[3];
    const double h = 0.5 / (double)s->n;
    for (int a = 0; a < 3; a++) {
        double up[3] = {place[0], place[1], place[2]},
               down[3] = {place[0], place[1], place[2]};
        up[a] += h;
        down[a] -= h;
        slope[a] = value_at(s, up) - value_at(s, down);
    }
    scale_to_one(slope);
    const double bright = 0.25 + 0.75 * fmax(0, dot(slope, light));
    for (int a = 0; a < 3; a++) colour[a] = bright * surface_colour[a];
}

static void
look(const struct scene *s, double x, double y, double colour[3])
{
    double from[3], t[2], place[3], entry[3], exit[3];
    for (int a = 0; a < 3; a++) {
        from[a] = 0.5 + x * s->right[a] + y * s->up[a] - 2 * s->ray[a];
        colour[a] = 255;
    }
    if (!enter(from, s->ray, t)) return;
    go(from, s->ray, t[0], entry);
    go(from, s->ray, t[1], exit);
    const enum meeting meeting = meet(s, from, t, place);
    if (meeting == MET) shade(s, place, colour);
    for (int a = 0; meeting == CUT && a < 3; a++)
        colour[a] = cut_brightness * surface_colour[a];
    if (is_edge(entry) || (meeting == MISSED && is_edge(exit)))
        for (int a = 0; a < 3; a++) colour[a] = edge_colour[a];
}

/* ---- all ---------------------------------------------------------------- */

static void
set_axes(struct scene *s)
{
    for (int a = 0; a < 3; a++) s->ray[a] = along[a];
    scale_to_one(s->ray);
    s->right[0] = s->ray[1];
    s->right[1] = -s->ray[0];
    s->right[2] = 0;
    scale_to_one(s->right);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        s->up[a] = s->right[b] * s->ray[c] - s->right[c] * s->ray[b];
    }
}

void
koshu_isosurface(size_t n, const double *field, double level, size_t pixels,
                 double *image)
{
    struct scene s = {.n = n, .field = field, .level = level};
    set_axes(&s);
    for (size_t p = 0; p < pixels * pixels; p++) {
        const double x = ((double)(p % pixels) + 0.5) / (double)pixels,
                     y = ((double)(p / pixels) + 0.5) / (double)pixels;
        look(&s, half * (2 * x - 1), half * (2 * y - 1), image + 3 * p);
    }
}
