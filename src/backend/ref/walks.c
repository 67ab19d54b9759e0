/* SPDX-License-Identifier: MIT */
/* Sums over interaction lists, one pair after the other in double precision. */
#include <math.h>

#include "backend/ref/ref.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/quadrupole.h"

struct point {
    double x, y, z;
};

static struct point
point_of(float *const *row, size_t k, bool split)
{
    struct point at = {(double)row[0][k], (double)row[1][k], (double)row[2][k]};
    if (!split) return at;
    return (struct point){at.x + (double)row[4][k], at.y + (double)row[5][k],
                          at.z + (double)row[6][k]};
}

static struct quadrupole_cell_f64
cell_of(float *const *row, size_t k)
{
    return (struct quadrupole_cell_f64){
            .mass = (double)row[3][k],
            .xx = (double)row[4][k],
            .xy = (double)row[5][k],
            .xz = (double)row[6][k],
            .yy = (double)row[7][k],
            .yz = (double)row[8][k],
            .zz = (double)row[9][k],
            .half_trace = (double)row[10][k],
    };
}

static void
add_particle(struct gravity_sum_f64 *sum, struct point at, double eps2,
             struct point from, double mass)
{
    double dx = from.x - at.x, dy = from.y - at.y, dz = from.z - at.z;
    double r2 = gravity_r2_f64(dx, dy, dz, eps2);
    if (r2 > 0.0) gravity_add_f64(sum, dx, dy, dz, mass, 1.0 / sqrt(r2));
}

static void
add_cell(struct gravity_sum_f64 *sum, struct point at, double eps2,
         struct point from, const struct quadrupole_cell_f64 *cell)
{
    double dx = from.x - at.x, dy = from.y - at.y, dz = from.z - at.z;
    double r2 = gravity_r2_f64(dx, dy, dz, eps2);
    if (r2 > 0.0) quadrupole_add_f64(sum, dx, dy, dz, cell, 1.0 / sqrt(r2));
}

/* The force of all of walk w's list on i-particle i. */
static struct gravity_sum_f64
force_on(const struct koshu_walk_task *task, const struct koshu_walks *a,
         size_t w, size_t i)
{
    struct gravity_sum_f64 sum = {0};
    const struct point at = point_of(a->i, i, task->split);
    const double eps2 = (double)a->i[3][i];
    const size_t self =
            task->own ? a->j_offset[w] + (i - a->i_offset[w]) : SIZE_MAX;
    for (size_t j = a->j_offset[w]; j < a->j_offset[w + 1]; j++)
        if (j != self)
            add_particle(&sum, at, eps2, point_of(a->j, j, task->split),
                         (double)a->j[3][j]);
    for (size_t k = a->cell_offset[w]; k < a->cell_offset[w + 1]; k++) {
        const struct quadrupole_cell_f64 cell = cell_of(a->cell, k);
        add_cell(&sum, at, eps2, point_of(a->cell, k, false), &cell);
    }
    return sum;
}

koshu_status
koshu_ref_walks(struct koshu_backend *backend,
                const struct koshu_walk_task *task, size_t n_walks,
                const struct koshu_walks *walks)
{
    double *const *to = walks->result;
    (void)backend;
    for (size_t w = 0; w < n_walks; w++)
        for (size_t i = walks->i_offset[w]; i < walks->i_offset[w + 1]; i++) {
            struct gravity_sum_f64 sum = force_on(task, walks, w, i);
            to[0][i] = sum.ax;
            to[1][i] = sum.ay;
            to[2][i] = sum.az;
            if (task->potential) to[3][i] = -sum.mr;
        }
    return KOSHU_OK;
}
