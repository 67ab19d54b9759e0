/* SPDX-License-Identifier: MIT */
#include "solve/tree_sums.h"

#include <math.h>

double
koshu_tree_smallest_acceleration(const struct koshu_tree_job *job,
                                 const struct koshu_group *group)
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->tree->order + group->first;
    double a2 = INFINITY;
    if (job->tree->options.criterion != KOSHU_CRITERION_RELATIVE) return 0;
    for (size_t k = 0; k < group->n; k++) {
        const size_t i = order[k];
        a2 = fmin(a2, v->ax[i] * v->ax[i] + v->ay[i] * v->ay[i] +
                              v->az[i] * v->az[i]);
    }
    return sqrt(a2);
}

void
koshu_tree_scatter(const struct koshu_tree_job *job,
                   const struct koshu_group *group, double *const sum[4])
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->tree->order + group->first;
    for (size_t k = 0; k < group->n; k++) {
        v->ax[order[k]] = sum[0][k];
        v->ay[order[k]] = sum[1][k];
        v->az[order[k]] = sum[2][k];
        if (job->task->potential) v->potential[order[k]] = sum[3][k];
    }
}
