/* SPDX-License-Identifier: MIT */
#include "fields/assign.h"

#include <math.h>

#include "base/base.h"

static const char *const names[] = {"cic", "tsc", "pcs"};
KOSHU_ENUM_NAMES(koshu_assignment, "a mass assignment", names)

/* ---- along one axis ------------------------------------------------------ */

/* Points that a particle reaches, from the first on, and its part at each. */
struct reach {
    size_t first;
    double part[4];
};

enum { MAX_POINTS = 4 };

static int
points_of(enum koshu_assignment assignment)
{
    return (int)assignment + 2;
}

/* x in cells, 0 to n: rounding may give n itself. */
static double
cells_of(double x, double box, size_t n, double shift)
{
    const double u = x / box - shift / (double)n;
    return (u - floor(u)) * (double)n;
}

static struct reach
cic(double u, size_t n)
{
    const double base = floor(u), d = u - base;
    return (struct reach){(size_t)base % n, {1 - d, d}};
}

static struct reach
tsc(double u, size_t n)
{
    const double base = floor(u + 0.5), d = u - base;
    return (struct reach){((size_t)base + n - 1) % n,
                          {0.5 * (0.5 - d) * (0.5 - d), 0.75 - d * d,
                           0.5 * (0.5 + d) * (0.5 + d)}};
}

static double
inner(double d)
{
    return (4 - 6 * d * d + 3 * d * d * d) / 6;
}

static struct reach
pcs(double u, size_t n)
{
    const double base = floor(u), d = u - base, e = 1 - d;
    return (struct reach){((size_t)base + n - 1) % n,
                          {e * e * e / 6, inner(d), inner(e), d * d * d / 6}};
}

static struct reach
reach_of(enum koshu_assignment assignment, double u, size_t n)
{
    switch (assignment) {
    case KOSHU_ASSIGNMENT_CIC: return cic(u, n);
    case KOSHU_ASSIGNMENT_TSC: return tsc(u, n);
    default: return pcs(u, n);
    }
}

/* ---- planes -------------------------------------------------------------- */

/* Particles by the first plane that they reach: each plane then is the work of
 * one thread, in an order that does not depend on threads. */
struct work {
    const struct koshu_mesh *mesh;
    const struct koshu_points *points;
    enum koshu_assignment assignment;
    double shift;
    size_t *start, *index; /* of plane i: index[start[i]] ... */
};

static struct reach
reach_along(const struct work *w, int axis, size_t p)
{
    const size_t n = w->mesh->n[axis];
    return reach_of(
            w->assignment,
            cells_of(w->points->x[axis][p], w->mesh->box[axis], n, w->shift),
            n);
}

static void
sort_into_planes(struct work *w)
{
    const size_t n = w->mesh->n[0];
    for (size_t p = 0; p < w->points->n; p++)
        w->start[reach_along(w, 0, p).first + 2]++;
    for (size_t i = 2; i < n + 2; i++) w->start[i] += w->start[i - 1];
    for (size_t p = 0; p < w->points->n; p++)
        w->index[w->start[reach_along(w, 0, p).first + 1]++] = p;
}

static void
add_to_plane(const struct work *w, size_t p, double mass, double *plane)
{
    const struct reach y = reach_along(w, 1, p), z = reach_along(w, 2, p);
    const size_t *n = w->mesh->n, row = 2 * koshu_mesh_row(w->mesh);
    const int points = points_of(w->assignment);
    for (int b = 0; b < points; b++) {
        double *at = plane + (y.first + (size_t)b) % n[1] * row;
        for (int c = 0; c < points; c++)
            at[(z.first + (size_t)c) % n[2]] += mass * y.part[b] * z.part[c];
    }
}

static void
fill_plane(const struct work *w, size_t i, double *plane)
{
    const size_t n = w->mesh->n[0];
    for (int a = 0; a < points_of(w->assignment); a++) {
        const size_t from = (i + MAX_POINTS * n - (size_t)a) % n;
        for (size_t k = w->start[from]; k < w->start[from + 1]; k++) {
            const size_t p = w->index[k];
            const double part = reach_along(w, 0, p).part[a];
            add_to_plane(w, p, w->points->mass[p] * part, plane);
        }
    }
}

koshu_status
koshu_points_assign_planes(const struct koshu_mesh *mesh, size_t first,
                           size_t n, int threads,
                           const struct koshu_points *points,
                           enum koshu_assignment assignment, double shift,
                           double *field)
{
    const size_t size = mesh->n[1] * 2 * koshu_mesh_row(mesh);
    struct work w = {mesh,
                     points,
                     assignment,
                     shift,
                     koshu_alloc(mesh->n[0] + 2, sizeof *w.start),
                     koshu_alloc(points->n, sizeof *w.index)};
    const bool good = w.start && w.index;
    if (good) {
        sort_into_planes(&w);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (size_t i = 0; i < n; i++)
            fill_plane(&w, first + i, field + i * size);
    }
    koshu_free(w.start);
    koshu_free(w.index);
    return good ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
}

koshu_status
koshu_points_assign(const struct koshu_transform *transform, int threads,
                    const struct koshu_points *points,
                    enum koshu_assignment assignment, double shift,
                    double *field)
{
    const struct koshu_mesh *mesh = koshu_transform_mesh(transform);
    return koshu_points_assign_planes(mesh, 0, mesh->n[0], threads, points,
                                      assignment, shift, field);
}

size_t
koshu_assignment_planes(enum koshu_assignment assignment)
{
    return (size_t)points_of(assignment);
}

size_t
koshu_points_first_plane(const struct koshu_mesh *mesh, double x,
                         enum koshu_assignment assignment, double shift)
{
    const size_t n = mesh->n[0];
    return reach_of(assignment, cells_of(x, mesh->box[0], n, shift), n).first;
}

/* ---- waves --------------------------------------------------------------- */

double
koshu_assignment_window(enum koshu_assignment assignment, size_t n, long f)
{
    const double x = M_PI * (double)f / (double)n;
    const double sinc = f ? sin(x) / x : 1;
    return pow(sinc, (double)assignment + 2);
}

/* Values of the B-spline of degree 2 p - 1 at 0, 1, ... and at 1/2, 3/2, ...,
 * which is what the sums over images are Fourier series of. */
static const struct spline {
    double whole[4], half[4];
} splines[] = {
        {{2. / 3, 1. / 6}, {23. / 48, 1. / 48}},
        {{66. / 120, 26. / 120, 1. / 120},
         {1682. / 3840, 237. / 3840, 1. / 3840}},
        {{2416. / 5040, 1191. / 5040, 120. / 5040, 1. / 5040},
         {259723. / 645120, 60657. / 645120, 2179. / 645120, 1. / 645120}}};

double
koshu_assignment_images(enum koshu_assignment assignment, size_t n, long f,
                        bool alternating)
{
    const struct spline *s = &splines[assignment];
    const double x = 2 * M_PI * (double)f / (double)n;
    double sum = alternating ? 0 : s->whole[0];
    for (int k = 0; k < 4; k++)
        if (alternating)
            sum += 2 * s->half[k] * cos((k + 0.5) * x);
        else if (k > 0)
            sum += 2 * s->whole[k] * cos(k * x);
    return sum;
}
