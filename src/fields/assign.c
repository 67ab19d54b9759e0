/* SPDX-License-Identifier: MIT */
/* Assigns the masses of particles to the points of a mesh. */
#include "fields/assign.h"

#include <math.h>

#include "base/base.h"
#include "kernels/assignment.h"

static const char *const names[] = {"cic", "tsc", "pcs"};
KOSHU_ENUM_NAMES(koshu_assignment, "a mass assignment", names)

static int
points_of(enum koshu_assignment assignment)
{
    return (int)assignment + 2;
}

/* ---- planes -------------------------------------------------------------- */

/* Particles sorted, in a stable way, by the first plane they contribute to. */
struct work {
    const struct koshu_mesh *mesh;
    const struct koshu_points *points;
    enum koshu_assignment assignment;
    double shift;
    size_t first, n; /* planes that the field holds */
    int threads;
    double *field;
    size_t *start, *index; /* of plane i: index[start[i]] ... */
};

static inline struct koshu_reach
reach_along(const struct work *w, int axis, size_t p)
{
    return koshu_reach(points_of(w->assignment), w->points->x[axis][p],
                       w->mesh->box[axis], w->mesh->n[axis], w->shift);
}

/* The points are sorted in this many parts, whatever the number of threads. */
enum { PARTS = 64 };

static size_t
part_of(const struct work *w, size_t part)
{
    const size_t n = w->points->n;
    return n / PARTS * part + n % PARTS * part / PARTS;
}

/* On entry part p has next[p n + i] points in plane i; on return next[p n + i]
 * is where in index[] they begin. */
static void
count_planes(struct work *w, size_t *next)
{
    const size_t n = w->mesh->n[0];
#pragma omp parallel for num_threads(w->threads)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t p = part_of(w, part); p < part_of(w, part + 1); p++)
            next[part * n + reach_along(w, 0, p).first]++;
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
        w->start[i] = all;
        for (size_t part = 0; part < PARTS; part++) {
            const size_t here = next[part * n + i];
            next[part * n + i] = all;
            all += here;
        }
    }
    w->start[n] = all;
}

static void
sort_into_planes(struct work *w, size_t *next)
{
    const size_t n = w->mesh->n[0];
    count_planes(w, next);
#pragma omp parallel for num_threads(w->threads)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t p = part_of(w, part); p < part_of(w, part + 1); p++)
            w->index[next[part * n + reach_along(w, 0, p).first]++] = p;
}

static void
add_to_row(const struct koshu_reach *z, int points, size_t n, double mass,
           double *row)
{
    if (z->first + (size_t)points <= n)
        for (int c = 0; c < points; c++)
            row[z->first + (size_t)c] += mass * z->part[c];
    else
        for (int c = 0; c < points; c++)
            row[(z->first + (size_t)c) % n] += mass * z->part[c];
}

static void
add_to_plane(const struct work *w, const struct koshu_reach *y,
             const struct koshu_reach *z, double mass, double *plane)
{
    const size_t *n = w->mesh->n, row = 2 * koshu_mesh_row(w->mesh);
    const int points = points_of(w->assignment);
    size_t j = y->first;
    for (int b = 0; b < points; b++) {
        add_to_row(z, points, n[2], mass * y->part[b], plane + j * row);
        j = j + 1 < n[1] ? j + 1 : 0;
    }
}

/* Adds to all planes that the point reaches and the field holds. */
static void
add_point(const struct work *w, size_t p)
{
    const struct koshu_reach x = reach_along(w, 0, p), y = reach_along(w, 1, p),
                             z = reach_along(w, 2, p);
    const size_t size = w->mesh->n[1] * 2 * koshu_mesh_row(w->mesh);
    for (int a = 0; a < points_of(w->assignment); a++) {
        const size_t i = (x.first + (size_t)a) % w->mesh->n[0];
        if (i < w->first || i - w->first >= w->n) continue;
        add_to_plane(w, &y, &z, w->points->mass[p] * x.part[a],
                     w->field + (i - w->first) * size);
    }
}

/* ---- blocks -------------------------------------------------------------- */

/* The points of a block, by the first row they contribute to, in a stable way:
 * the rows then stay in the caches. */
struct rows {
    size_t n, *order, *next; /* next: where the next point of a row goes */
    uint32_t *row;           /* of each point */
};

static void
sort_into_rows(const struct work *w, const size_t *index, struct rows *r)
{
    for (size_t k = 0; k < r->n; k++) {
        r->row[k] = (uint32_t)reach_along(w, 1, index[k]).first;
        r->next[r->row[k] + 1]++;
    }
    for (size_t j = 0; j < w->mesh->n[1]; j++) r->next[j + 1] += r->next[j];
    for (size_t k = 0; k < r->n; k++) r->order[r->next[r->row[k]]++] = index[k];
}

/* Points of a row are scattered in memory. */
static void
fetch_point(const struct work *w, size_t p)
{
    for (int a = 0; a < 3; a++) __builtin_prefetch(&w->points->x[a][p]);
    __builtin_prefetch(&w->points->mass[p]);
}

static void
add_rows(const struct work *w, const struct rows *r)
{
    enum { AHEAD = 16 };
    for (size_t k = 0; k < r->n; k++) {
        if (k + AHEAD < r->n) fetch_point(w, r->order[k + AHEAD]);
        add_point(w, r->order[k]);
    }
}

/*
 * Each block of planes is one thread's work. As a block's points also reach the
 * next block, even blocks are done first, then odd ones, then the last if their
 * number is odd. So no two threads write to the same plane, and the order of
 * sums does not depend on threads. Returns whether there was memory.
 */
static bool
add_block(const struct work *w, size_t block, size_t blocks)
{
    const size_t n = w->mesh->n[0], begin = w->start[n * block / blocks],
                 points = w->start[n * (block + 1) / blocks] - begin;
    struct rows r = {.n = points,
                     .order = koshu_alloc_unset(points, sizeof *r.order),
                     .next = koshu_alloc(w->mesh->n[1] + 1, sizeof *r.next),
                     .row = koshu_alloc_unset(points, sizeof *r.row)};
    const bool good = r.order && r.next && r.row;
    if (good) {
        sort_into_rows(w, w->index + begin, &r);
        add_rows(w, &r);
    }
    koshu_free(r.order);
    koshu_free(r.next);
    koshu_free(r.row);
    return good;
}

static bool
add_points(const struct work *w)
{
    bool good = true;
    const size_t blocks = w->mesh->n[0] / KOSHU_REACH_MAX,
                 pairs = blocks / 2; /* blocks have KOSHU_REACH_MAX planes or
                                        more */
    for (size_t odd = 0; odd < 2; odd++) {
#pragma omp parallel for num_threads(w->threads) schedule(dynamic) \
        reduction(&& : good)
        for (size_t k = 0; k < pairs; k++)
            good = add_block(w, 2 * k + odd, blocks) && good;
    }
    if (blocks == 0)
        good = add_block(w, 0, 1);
    else if (blocks % 2)
        good = add_block(w, blocks - 1, blocks) && good;
    return good;
}

koshu_status
koshu_points_assign(const struct koshu_mesh *mesh, size_t first, size_t n,
                    int threads, const struct koshu_points *points,
                    enum koshu_assignment assignment, double shift,
                    double *field)
{
    struct work w = {mesh,
                     points,
                     assignment,
                     shift,
                     first,
                     n,
                     threads,
                     field,
                     koshu_alloc(mesh->n[0] + 1, sizeof *w.start),
                     koshu_alloc_unset(points->n, sizeof *w.index)};
    size_t *next = koshu_alloc(PARTS * mesh->n[0], sizeof *next);
    bool good = w.start && w.index && next;
    if (good) {
        sort_into_planes(&w, next);
        good = add_points(&w);
    }
    koshu_free(next);
    koshu_free(w.start);
    koshu_free(w.index);
    return good ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
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
    return koshu_reach(points_of(assignment), x, mesh->box[0], mesh->n[0],
                       shift)
            .first;
}

/* ---- waves --------------------------------------------------------------- */

double
koshu_assignment_window(enum koshu_assignment assignment, size_t n, long f)
{
    const double x = M_PI * (double)f / (double)n;
    const double sinc = f ? sin(x) / x : 1;
    return pow(sinc, (double)assignment + 2);
}

/* Values of the B-spline of degree 2 p - 1 at 0, 1, ... and at 1/2, 3/2, ...:
 * the coefficients of the Fourier series that the sums over images are. */
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
