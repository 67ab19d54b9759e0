/* SPDX-License-Identifier: MIT */
/* Cells of vortex particles, and sums over those near a target. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"

/* Cells are half as long as the radius, larger where there would be many more
 * of them than particles. */
static const double cells_of_radius = 2;
/* Keeps rounding at the face of a cell from leaving out a vortex. */
static const double spare = 1e-9;
enum { MAX_REACH = 16 };

/* ---- cells -------------------------------------------------------------- */

static void
find_extent(const struct koshu_vortices *v, int axis, double *low, double *high)
{
    const double *x = koshu_vortices_position(v, axis);
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < v->n; i++) {
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
    if (v->n == 0) *low = *high = 0;
}

static void
divide_axis(const struct koshu_vortices *v, int axis, struct koshu_near *near)
{
    const double max = cbrt(8.0 * (double)v->n + 64);
    double low = 0, high = v->box;
    if (!(v->box > 0)) find_extent(v, axis, &low, &high);
    const double length = fmax(high - low, near->radius / cells_of_radius);
    const double cells = fmin(max, cells_of_radius * length / near->radius);
    near->origin[axis] = low;
    near->m[axis] = cells < 1 ? 1 : (long)cells;
    near->edge[axis] = length / (double)near->m[axis];
}

/* The cell of a coordinate along an axis; it may lie outside the grid. */
static long
cell_along(const struct koshu_near *near, int axis, double x)
{
    const double c = floor((x - near->origin[axis]) / near->edge[axis]);
    const double out = (double)near->m[axis] + MAX_REACH + 1;
    return (long)fmax(-out, fmin(out, c));
}

/* A vortex that has left the box within a step counts where it re-enters. */
static double
coordinate_of(const struct koshu_vortices *v, int axis, size_t i)
{
    const double x = koshu_vortices_position(v, axis)[i];
    return v->box > 0 ? x - v->box * floor(x / v->box) : x;
}

static size_t
cell_of(const struct koshu_near *near, const struct koshu_vortices *v, size_t i)
{
    size_t cell = 0;
    for (int a = 0; a < 3; a++) {
        long c = cell_along(near, a, coordinate_of(v, a, i));
        c = c < 0 ? 0 : c >= near->m[a] ? near->m[a] - 1 : c;
        cell = cell * (size_t)near->m[a] + (size_t)c;
    }
    return cell;
}

static size_t
count_cells(const struct koshu_near *near)
{
    return (size_t)near->m[0] * (size_t)near->m[1] * (size_t)near->m[2];
}

static void
find_cells(const struct koshu_near *near, const struct koshu_vortices *v,
           uint32_t *cell)
{
    const int threads = koshu_region_threads(v->context, v->n > 4096);
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < v->n; i++) cell[i] = (uint32_t)cell_of(near, v, i);
}

/* A counting sort by cell, stable within each cell. */
static void
order_cells(struct koshu_near *near, size_t n, const uint32_t *cell,
            uint32_t *order)
{
    const size_t cells = count_cells(near);
    for (size_t i = 0; i < n; i++) near->first[cell[i] + 2]++;
    for (size_t c = 2; c < cells + 2; c++) near->first[c] += near->first[c - 1];
    for (size_t i = 0; i < n; i++)
        order[near->first[cell[i] + 1]++] = (uint32_t)i;
}

static void
gather(const struct koshu_vortices *v, const uint32_t *order,
       struct koshu_near *near)
{
    const int threads = koshu_region_threads(v->context, v->n > 4096);
#pragma omp parallel for num_threads(threads)
    for (size_t k = 0; k < v->n; k++)
        for (int a = 0; a < 3; a++) {
            near->x[a][k] = coordinate_of(v, a, order[k]);
            near->strength[a][k] = koshu_vortices_strength(v, a)[order[k]];
        }
}

static koshu_status
sort(const struct koshu_vortices *v, struct koshu_near *near)
{
    uint32_t *const cell = koshu_alloc(2 * v->n, sizeof *cell);
    if (!cell)
        return koshu_fail_memory(v->context, 8 * v->n, "cells of vortices");
    find_cells(near, v, cell);
    uint32_t *const order = cell + v->n;
    order_cells(near, v->n, cell, order);
    gather(v, order, near);
    koshu_free(cell);
    return KOSHU_OK;
}

koshu_status
koshu_near_create(const struct koshu_vortices *v, double radius,
                  struct koshu_near *near)
{
    *near = (struct koshu_near){
            .context = v->context, .radius = radius, .box = v->box};
    for (int a = 0; a < 3; a++) {
        divide_axis(v, a, near);
        if (near->radius > MAX_REACH * near->edge[a])
            return koshu_fail(v->context, KOSHU_ERROR_BAD_INPUT,
                              "the core radius %g of vortex particles is too "
                              "large for a box of %g",
                              v->core, v->box);
    }
    double *block = koshu_alloc(6 * v->n, sizeof *block);
    near->first = koshu_alloc(count_cells(near) + 2, sizeof *near->first);
    near->x[0] = block;
    if (!block || !near->first) {
        koshu_near_free(near);
        return koshu_fail_memory(v->context, 48 * v->n, "cells of vortices");
    }
    for (size_t a = 0; a < 3; a++) {
        near->x[a] = block + a * v->n;
        near->strength[a] = block + (3 + a) * v->n;
    }
    const koshu_status status = sort(v, near);
    if (status != KOSHU_OK) koshu_near_free(near);
    return status;
}

void
koshu_near_free(struct koshu_near *near)
{
    koshu_free(near->x[0]);
    koshu_free(near->first);
}

/* ---- sums --------------------------------------------------------------- */

/* The sum at one target: rows are collected and added in batches. */
enum { MAX_ROWS = 64 };
struct visit {
    const struct koshu_near *near;
    koshu_near_add *add;
    const void *argument;
    double x[3], place[3]; /* place: x shifted to where the row's image sees
                              it */
    size_t n;
    struct koshu_fmm_row row[MAX_ROWS];
    double *sum;
};

static void
add_rows(struct visit *v)
{
    const struct koshu_near *near = v->near;
    const struct koshu_fmm_rows rows = {
            .x = {near->x[0], near->x[1], near->x[2]},
            .strength = {near->strength[0], near->strength[1],
                         near->strength[2]},
            .n = v->n,
            .row = v->row};
    v->add(&rows, v->argument, v->sum);
    v->n = 0;
}

/* Maps cell c of a periodic axis into the box and shifts the target to
 * match. */
static long
wrap_cell(struct visit *v, int axis, long c)
{
    const long m = v->near->m[axis];
    const long image = c >= 0 ? c / m : -((m - 1 - c) / m);
    v->place[axis] = v->x[axis] - (double)image * v->near->box;
    return c - image * m;
}

/* Cells low ... high of a row, in chunks that do not cross the box's edge. */
static void
visit_row(struct visit *v, size_t row, long low, long high)
{
    const long m = v->near->m[2];
    const uint32_t *first = v->near->first + row * (size_t)m;
    while (low <= high) {
        long from = low, last = high;
        if (v->near->box > 0) from = wrap_cell(v, 2, low);
        if (last - low > m - 1 - from) last = low + m - 1 - from;
        v->row[v->n++] =
                (struct koshu_fmm_row){first[from],
                                       first[from + last - low + 1],
                                       {v->place[0], v->place[1], v->place[2]}};
        if (v->n == MAX_ROWS) add_rows(v);
        low = last + 1;
    }
}

/* The cells of an axis that have places nearer to the target than `reach`. */
static void
range_of(const struct visit *v, int axis, double reach, long range[2])
{
    const struct koshu_near *near = v->near;
    range[0] = cell_along(near, axis, v->x[axis] - reach);
    range[1] = cell_along(near, axis, v->x[axis] + reach);
    if (near->box > 0) return;
    if (range[0] < 0) range[0] = 0;
    if (range[1] >= near->m[axis]) range[1] = near->m[axis] - 1;
}

/* The reach along the other axes that is left in cell c of this axis. */
static double
reach_beside(const struct visit *v, int axis, double reach, long c)
{
    const double edge = v->near->edge[axis],
                 low = v->near->origin[axis] + (double)c * edge - v->x[axis],
                 away = fmax(0, fmax(low, -(low + edge)));
    return sqrt(fmax(0, reach * reach - away * away));
}

static void
visit_plane(struct visit *v, double reach, size_t plane)
{
    const struct koshu_near *near = v->near;
    long rows[2], range[2];
    range_of(v, 1, reach, rows);
    for (long j = rows[0]; j <= rows[1]; j++) {
        const long b = near->box > 0 ? wrap_cell(v, 1, j) : j;
        range_of(v, 2, reach_beside(v, 1, reach, j), range);
        visit_row(v, plane * (size_t)near->m[1] + (size_t)b, range[0],
                  range[1]);
    }
}

static void
visit_all(struct visit *v)
{
    const struct koshu_near *near = v->near;
    const double reach = near->radius * (1 + spare);
    long planes[2];
    for (int a = 0; a < 3; a++) v->place[a] = v->x[a];
    range_of(v, 0, reach, planes);
    for (long i = planes[0]; i <= planes[1]; i++) {
        const long a = near->box > 0 ? wrap_cell(v, 0, i) : i;
        visit_plane(v, reach_beside(v, 0, reach, i), (size_t)a);
    }
    add_rows(v);
}

void
koshu_near_sum(const struct koshu_near *near,
               const struct koshu_near_targets *t, koshu_near_add *add,
               const void *argument)
{
    const int threads = koshu_region_threads(near->context, t->n > 64);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
    for (size_t i = 0; i < t->n; i++) {
        double sum[KOSHU_NEAR_SUMS] = {0};
        struct visit visit = {near, add, argument, .sum = sum};
        for (size_t a = 0; a < 3; a++) visit.x[a] = t->x[a * t->n + i];
        visit_all(&visit);
        for (size_t k = 0; k < (size_t)t->n_sums; k++)
            t->to[k * t->n + i] += sum[(size_t)t->first + k];
    }
}
