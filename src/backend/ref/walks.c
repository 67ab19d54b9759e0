/* SPDX-License-Identifier: MIT */
/* Interaction lists, one pair after the other in double precision. */
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
point_of(const struct koshu_walk_points *p, size_t k)
{
    struct point at = {(double)p->x[k], (double)p->y[k], (double)p->z[k]};
    if (!p->x_low) return at;
    return (struct point){at.x + (double)p->x_low[k],
                          at.y + (double)p->y_low[k],
                          at.z + (double)p->z_low[k]};
}

static struct quadrupole_cell_f64
cell_of(const struct koshu_walk_cells *c, size_t k)
{
    return (struct quadrupole_cell_f64){
            .mass = (double)c->mass[k],
            .xx = (double)c->xx[k],
            .xy = (double)c->xy[k],
            .xz = (double)c->xz[k],
            .yy = (double)c->yy[k],
            .yz = (double)c->yz[k],
            .zz = (double)c->zz[k],
            .half_trace = (double)c->half_trace[k],
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

/* All of walk w on i-particle i. */
static struct gravity_sum_f64
force_on(const struct koshu_walk_batch *b, size_t w, size_t i)
{
    struct gravity_sum_f64 sum = {0};
    const struct point at = point_of(&b->i, i);
    const double eps2 = (double)b->eps2[i];
    const size_t self =
            b->own ? b->j_offset[w] + (i - b->i_offset[w]) : SIZE_MAX;
    for (size_t j = b->j_offset[w]; j < b->j_offset[w + 1]; j++)
        if (j != self)
            add_particle(&sum, at, eps2, point_of(&b->j, j),
                         (double)b->j_mass[j]);
    const struct koshu_walk_cells *c = &b->cells;
    for (size_t k = b->cell_offset[w]; k < b->cell_offset[w + 1]; k++) {
        const struct quadrupole_cell_f64 cell = cell_of(c, k);
        const struct point from = {(double)c->x[k], (double)c->y[k],
                                   (double)c->z[k]};
        add_cell(&sum, at, eps2, from, &cell);
    }
    return sum;
}

koshu_status
koshu_ref_walks(struct koshu_backend *backend,
                const struct koshu_walk_task *task,
                const struct koshu_walk_batch *b)
{
    (void)backend;
    for (size_t w = 0; w < b->n_walks; w++)
        for (size_t i = b->i_offset[w]; i < b->i_offset[w + 1]; i++) {
            struct gravity_sum_f64 sum = force_on(b, w, i);
            b->result.ax[i] = sum.ax;
            b->result.ay[i] = sum.ay;
            b->result.az[i] = sum.az;
            if (task->potential) b->result.potential[i] = -sum.mr;
        }
    return KOSHU_OK;
}
