/* SPDX-License-Identifier: MIT */
#include "solve/tree_sums.h"

#include <math.h>

#include "base/base.h"

double
koshu_tree_smallest_acceleration(const struct koshu_tree_job *job,
                                 const struct koshu_group *group)
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->tree->order + group->first;
    double a2 = INFINITY;
    if (job->tree->options.opening_criterion !=
        KOSHU_OPENING_CRITERION_RELATIVE)
        return 0;
    for (size_t k = 0; k < group->n; k++) {
        const size_t i = order[k];
        a2 = fmin(a2, v->ax[i] * v->ax[i] + v->ay[i] * v->ay[i] +
                              v->az[i] * v->az[i]);
    }
    return sqrt(a2);
}

bool
koshu_tree_scatter(const struct koshu_tree_job *job,
                   const struct koshu_group *group, double *const sum[4])
{
    const struct koshu_particle_view *v = job->particles;
    const uint32_t *order = job->tree->order + group->first;
    double nothing = 0; /* NaN where a sum is no number */
    for (size_t k = 0; k < group->n; k++) {
        v->ax[order[k]] = sum[0][k];
        v->ay[order[k]] = sum[1][k];
        v->az[order[k]] = sum[2][k];
        nothing += 0 * (sum[0][k] + sum[1][k] + sum[2][k]);
        if (!job->task->potential) continue;
        v->potential[order[k]] = sum[3][k];
        nothing += 0 * sum[3][k];
    }
    return nothing == 0;
}

koshu_status
koshu_tree_too_near(struct koshu_context *context)
{
    return koshu_fail(
            context, KOSHU_ERROR_UNSUPPORTED,
            "particles of a tree are so near to each other, or masses "
            "so large, that floats do not hold the force: take a "
            "softening, or solver.method: direct with precision: "
            "double");
}
