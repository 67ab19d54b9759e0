/* SPDX-License-Identifier: MIT */
/* Makes a list for each group, and passes it to the backend on the same thread
 * while it is in the cache. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solve/tree_worker.h"

struct list_worker {
    struct koshu_tree_worker base;
    float *points;  /* of a group, as: */
    float *i[7];    /* x y z eps2 x_low y_low z_low */
    double *sums;   /* on these, as: */
    double *sum[4]; /* ax ay az potential */
    size_t capacity_points, capacity_sums;
};

static void
free_sums(struct koshu_tree_worker *worker)
{
    struct list_worker *w = (struct list_worker *)worker;
    koshu_free(w->points);
    koshu_free(w->sums);
}

/* Reserves memory for the largest group; a walk's own memory grows as
 * needed. */
static koshu_status
reserve(struct list_worker *w, size_t largest)
{
    struct koshu_context *context = w->base.backend->context;
    KOSHU_TRY(KOSHU_GROW(w, points, 7 * largest, context, "sums of a group"));
    KOSHU_TRY(KOSHU_GROW(w, sums, 4 * largest, context, "sums of a group"));
    for (size_t k = 0; k < 7; k++) w->i[k] = w->points + k * largest;
    for (size_t k = 0; k < 4; k++) w->sum[k] = w->sums + k * largest;
    return KOSHU_OK;
}

static koshu_status
begin(struct koshu_tree_worker *worker, const struct koshu_tree_job *job)
{
    struct list_worker *w = (struct list_worker *)worker;
    const float eps2 = (float)(job->task.eps * job->task.eps);
    KOSHU_TRY(reserve(w, job->groups->largest));
    for (size_t i = 0; i < job->groups->largest; i++) w->i[3][i] = eps2;
    return KOSHU_OK;
}

static koshu_status
sum_list(const struct koshu_tree_job *job, const struct list_worker *w,
         size_t n)
{
    const struct koshu_list *l = &w->base.walker.list;
    size_t i_offset[2] = {0, n}, j_offset[2] = {0, l->n_j};
    size_t cell_offset[2] = {0, l->n_cells};
    struct koshu_walks walk = {.i_offset = i_offset,
                               .j_offset = j_offset,
                               .cell_offset = cell_offset};
    memcpy(walk.i, w->i, sizeof walk.i);
    memcpy(walk.j, l->j, sizeof walk.j);
    memcpy(walk.cell, l->cell, sizeof walk.cell);
    memcpy(walk.result, w->sum, sizeof walk.result);
    return job->backend->ops->walks(job->backend, &job->task, 1, &walk);
}

static koshu_status
add(struct koshu_tree_worker *worker, const struct koshu_tree_job *job,
    size_t group)
{
    struct list_worker *w = (struct list_worker *)worker;
    const struct koshu_group *g = &job->groups->group[group];
    const double start = koshu_now();
    koshu_group_copy(job->tree, g, job->task.split, w->i);
    if (koshu_tree_group_walk(worker, job, group) != KOSHU_OK)
        return koshu_tree_no_list(worker->backend->context);
    const double middle = koshu_now();
    KOSHU_TRY(sum_list(job, w, g->n));
    koshu_tree_group_count(worker, job, g);
    const bool finite = koshu_tree_scatter(job, g, w->sum);
    worker->work.seconds.walk += middle - start;
    worker->work.seconds.force += koshu_now() - middle;
    return finite ? KOSHU_OK : KOSHU_ERROR_UNSUPPORTED;
}

const struct koshu_tree_worker_ops koshu_tree_lists = {
        .size = sizeof(struct list_worker),
        .begin = begin,
        .add = add,
        .free = free_sums};
