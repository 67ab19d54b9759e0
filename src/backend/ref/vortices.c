/* SPDX-License-Identifier: MIT */
/* Sums over the vortices near a target, one by one. */
#include <math.h>

#include "backend/ref/ref.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/vortex_core.h"

/* d = x - x_j; returns s = |d|^2 / (2 sigma^2), or -1 out of reach. */
static double
find_distance(const struct koshu_fmm_rows *rows,
              const struct koshu_fmm_row *row, size_t j, double d[3])
{
    const double sigma = rows->core->radius, radius = sigma * rows->core->reach;
    double r2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = row->x[a] - rows->x[a][j];
        r2 += d[a] * d[a];
    }
    return r2 < radius * radius ? r2 / (2 * sigma * sigma) : -1;
}

/* 2 F_1 and 2 F_2 of the core less those of a point vortex, which contributes
 * nothing at distance 0. */
static void
find_difference(const struct koshu_fmm_core *core, double s, double *f1,
                double *f2)
{
    const double half_root = 0.88622692545275801365; /* pi^(1/2) / 2 */
    vortex_core_precise(s, core->p, f1, f2);
    if (s == 0) return;
    const double point = half_root / (s * sqrt(s));
    *f1 -= point;
    *f2 -= 1.5 * point / s;
}

bool
koshu_ref_cores(const struct koshu_fmm_rows *rows, double *to)
{
    const double length = sqrt(2) * rows->core->radius,
                 unit = 1.12837916709551257390 / (length * length);
    double sum[VORTEX_CORE_SUMS] = {0}, d[3], f1, f2;
    for (size_t k = 0; k < rows->n; k++)
        for (size_t j = rows->row[k].first; j < rows->row[k].end; j++) {
            const double s = find_distance(rows, &rows->row[k], j, d);
            if (s < 0) continue;
            find_difference(rows->core, s, &f1, &f2);
            vortex_core_add_f64(sum, d[0] / length, d[1] / length,
                                d[2] / length, f1, f2, rows->strength[0][j],
                                rows->strength[1][j], rows->strength[2][j],
                                VORTEX_CORE_SUMS);
        }
    vortex_core_give(sum, unit, unit / length, to);
    return true;
}

static void
add_gaussian(const struct koshu_fmm_rows *rows, size_t j, const double d[3],
             double w, double *sums)
{
    double along = 0;
    for (int a = 0; a < 3; a++) {
        const double alpha = rows->strength[a][j];
        sums[a] += w * alpha;
        along += d[a] * alpha;
    }
    sums[KOSHU_GAUSSIAN_WEIGHT] += w;
    sums[KOSHU_GAUSSIAN_ALONG] += w * along;
}

void
koshu_ref_gaussians(const struct koshu_fmm_rows *rows, const double *g,
                    double *sums)
{
    for (size_t k = 0; k < rows->n; k++)
        for (size_t j = rows->row[k].first; j < rows->row[k].end; j++) {
            double d[3], w = 0;
            const double s = find_distance(rows, &rows->row[k], j, d);
            if (s < 0) continue;
            for (int i = VORTEX_GAUSSIAN_TERMS - 1; i >= 0; i--)
                w = w * s + g[i];
            add_gaussian(rows, j, d, w * exp(-s), sums);
        }
}
