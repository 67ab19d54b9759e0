/* SPDX-License-Identifier: MIT */
/* Moves targets that almost coincide with a particle onto it. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/near.h"

/* In core radii. Close to a particle the sum without cores and the correction
 * for the cores cancel: the rounding error is 1e-16 (sigma / d)^3 of alpha /
 * sigma^2. */
static const double nearest = 1e-4;
static const double reach = 0.5; /* of the search for a particle, in core
                                    radii */

enum { PLACE = 3, FOUND = PLACE, SUMS };

static void
find_in_row(const struct koshu_fmm_rows *rows, const struct koshu_fmm_row *row,
            double limit, double *sums)
{
    for (size_t j = row->first; j < row->end; j++) {
        double r2 = 0;
        for (int a = 0; a < PLACE; a++) {
            const double d = row->x[a] - rows->x[a][j];
            r2 += d * d;
        }
        if (r2 == 0 || r2 > limit) continue;
        for (int a = 0; a < PLACE; a++) sums[a] = rows->x[a][j];
        sums[FOUND] = 1;
    }
}

static void
find_particle(const struct koshu_fmm_rows *rows, const void *argument,
              double *sums)
{
    for (size_t k = 0; k < rows->n; k++)
        find_in_row(rows, &rows->row[k], *(const double *)argument, sums);
}

static void
move(size_t n, const double *found, double *target)
{
    for (size_t k = 0; k < PLACE * n; k++)
        if (found[FOUND * n + k % n] != 0) target[k] = found[k];
}

koshu_status
koshu_vortex_coincide(const struct koshu_vortices *v, size_t n, double *target)
{
    const double limit = nearest * nearest * v->core * v->core;
    struct koshu_near near;
    double *found = koshu_alloc(SUMS * n, sizeof *found);
    if (!found) return koshu_fail_memory(v->context, 32 * n, "targets");
    const struct koshu_near_targets targets = {n, target, SUMS, found, 0};
    const koshu_status status = koshu_near_create(v, reach * v->core, &near);
    if (status == KOSHU_OK) {
        koshu_near_sum(&near, &targets, find_particle, &limit);
        koshu_near_free(&near);
        move(n, found, target);
    }
    koshu_free(found);
    return status;
}
