/* SPDX-License-Identifier: MIT */
/* A group's list is made, and its sums are brought to the particles. */
#include <math.h>

#include "base/base.h"
#include "solve/tree_worker.h"

/* That the group's particles had; 0 where the criterion does not ask. */
static double
smallest_acceleration(const struct koshu_tree_job *job,
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

koshu_status
koshu_tree_group_walk(struct koshu_tree_worker *worker,
                      const struct koshu_tree_job *job,
                      const struct koshu_group *group)
{
    return koshu_tree_walk(job->tree, group, smallest_acceleration(job, group),
                           job->task.split, &worker->walker);
}

koshu_status
koshu_tree_no_list(struct koshu_context *context)
{
    return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the interaction lists of a tree");
}

void
koshu_tree_group_count(struct koshu_tree_worker *worker,
                       const struct koshu_group *group)
{
    const struct koshu_list *list = &worker->walker.list;
    worker->work.interactions += group->n * (list->n_j + list->n_cells);
    worker->work.with_cells += group->n * list->n_cells;
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
        if (!job->task.potential) continue;
        v->potential[order[k]] = sum[3][k];
        nothing += 0 * sum[3][k];
    }
    return nothing == 0;
}
