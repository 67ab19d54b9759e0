/* SPDX-License-Identifier: MIT */
/* Makes a group's interaction list, and writes its sums to the particles. */
#include <math.h>

#include "base/base.h"
#include "solve/tree_worker.h"

koshu_status
koshu_tree_group_walk(struct koshu_tree_worker *worker,
                      const struct koshu_tree_job *job, size_t group)
{
    const struct koshu_group *g = &job->groups->group[group];
    const bool split = job->task.split;
    const double a = job->a[group];
    return job->others
                   ? koshu_tree_walk_others(job->others, g, a, split,
                                            &worker->walker)
                   : koshu_tree_walk(job->tree, g, a, split, &worker->walker);
}

koshu_status
koshu_tree_no_list(struct koshu_context *context)
{
    return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the interaction lists of a tree");
}

void
koshu_tree_group_count(struct koshu_tree_worker *worker,
                       const struct koshu_tree_job *job,
                       const struct koshu_group *group)
{
    const struct koshu_list *list = &worker->walker.list;
    const uint32_t *order = job->tree->order + group->first;
    const size_t length = list->n_j + list->n_cells;
    worker->work.interactions += group->n * length;
    worker->work.with_cells += group->n * list->n_cells;
    for (size_t k = 0; job->work && k < group->n; k++)
        job->work[order[k]] += (double)length;
}

/* Writes the sums of a component to the particles. Returns 0, or NaN if one is
 * not finite. */
static double
scatter(const struct koshu_tree_job *job, const struct koshu_group *group,
        const double *sum, double *to)
{
    const uint32_t *order = job->tree->order + group->first;
    double nothing = 0;
    for (size_t k = 0; k < group->n; k++) {
        to[order[k]] = job->others ? to[order[k]] + sum[k] : sum[k];
        nothing += 0 * sum[k];
    }
    return nothing;
}

bool
koshu_tree_scatter(const struct koshu_tree_job *job,
                   const struct koshu_group *group, double *const sum[4])
{
    const struct koshu_particle_view *v = job->particles;
    double *const to[4] = {v->ax, v->ay, v->az, v->potential};
    double nothing = 0;
    for (int k = 0; k < (job->task.potential ? 4 : 3); k++)
        nothing += scatter(job, group, sum[k], to[k]);
    return nothing == 0;
}
