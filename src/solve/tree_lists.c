/* SPDX-License-Identifier: MIT */
/* A list for each group, which the thread that has made it hands to the backend
 * while it is in the cache. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solve/tree_sums.h"

/* What a thread needs for itself. */
struct worker {
    struct koshu_walker walker;
    float *eps2;     /* of each i-particle of a group */
    double *sum[4];  /* ax ay az potential, of a group */
    size_t capacity; /* particles of a group */
    struct koshu_tree_work work;
};

struct koshu_tree_lists {
    struct koshu_context *context;
    struct worker *worker;
    int workers;
};

koshu_status
koshu_tree_lists_create(struct koshu_context *context,
                        struct koshu_tree_lists **lists)
{
    const int workers = koshu_context_threads(context);
    struct koshu_tree_lists *l = calloc(1, sizeof *l);
    *lists = NULL;
    if (l) l->worker = calloc((size_t)workers, sizeof *l->worker);
    if (!l || !l->worker) {
        free(l);
        return koshu_fail_memory(context, (size_t)workers * sizeof *l->worker,
                                 "interaction lists");
    }
    l->context = context;
    l->workers = workers;
    *lists = l;
    return KOSHU_OK;
}

void
koshu_tree_lists_destroy(struct koshu_tree_lists *lists)
{
    if (!lists) return;
    for (int k = 0; k < lists->workers; k++) {
        koshu_walker_free(&lists->worker[k].walker);
        koshu_free(lists->worker[k].eps2);
        koshu_free(lists->worker[k].sum[0]);
    }
    free(lists->worker);
    free(lists);
}

/* ---- one group ----------------------------------------------------------- */

/* Room for the largest group; a walk's own memory grows as it goes. */
static koshu_status
prepare(struct worker *w, size_t largest, double eps)
{
    if (largest > w->capacity) {
        koshu_free(w->eps2);
        koshu_free(w->sum[0]);
        w->eps2 = koshu_alloc(largest, sizeof *w->eps2);
        w->sum[0] = koshu_alloc(4 * largest, sizeof *w->sum[0]);
        w->capacity = w->eps2 && w->sum[0] ? largest : 0;
        if (w->capacity == 0) return KOSHU_ERROR_OUT_OF_MEMORY;
        for (int k = 1; k < 4; k++) w->sum[k] = w->sum[0] + k * largest;
    }
    for (size_t i = 0; i < largest; i++) w->eps2[i] = (float)(eps * eps);
    w->work = (struct koshu_tree_work){0};
    w->walker.cells_tested = 0;
    return KOSHU_OK;
}

static koshu_status
sum_list(const struct koshu_tree_job *job, struct worker *w, size_t n)
{
    const struct koshu_list *l = &w->walker.list;
    size_t i_offset[2] = {0, n}, j_offset[2] = {0, l->n_j};
    size_t cell_offset[2] = {0, l->n_cells};
    struct koshu_walks walk = {.i_offset = i_offset,
                               .j_offset = j_offset,
                               .cell_offset = cell_offset};
    memcpy(walk.i, l->j, sizeof walk.i);
    memcpy(walk.j, l->j, sizeof walk.j);
    memcpy(walk.cell, l->cell, sizeof walk.cell);
    memcpy(walk.result, w->sum, sizeof walk.result);
    walk.i[3] = w->eps2;
    const struct koshu_walk_task task = {.eps = job->task->eps,
                                         .potential = job->task->potential,
                                         .fast = job->task->fast,
                                         .split = job->split,
                                         .own = true};
    w->work.interactions += n * (l->n_j + l->n_cells);
    w->work.with_cells += n * l->n_cells;
    return job->backend->ops->walks(job->backend, &task, 1, &walk);
}

/* Without a message KOSHU_ERROR_UNSUPPORTED: see koshu_tree_too_near(). */
static koshu_status
do_group(const struct koshu_tree_job *job, struct worker *w,
         const struct koshu_group *g)
{
    double start = koshu_now();
    KOSHU_TRY(koshu_tree_walk(job->tree, g,
                              koshu_tree_smallest_acceleration(job, g),
                              job->split, &w->walker));
    double middle = koshu_now();
    KOSHU_TRY(sum_list(job, w, g->n));
    const bool finite = koshu_tree_scatter(job, g, w->sum);
    w->work.walk += middle - start;
    w->work.force += koshu_now() - middle;
    return finite ? KOSHU_OK : KOSHU_ERROR_UNSUPPORTED;
}

/* ---- all groups ---------------------------------------------------------- */

static void
add_work(struct koshu_tree_work *to, const struct worker *w)
{
    to->walk += w->work.walk;
    to->force += w->work.force;
    to->interactions += w->work.interactions;
    to->with_cells += w->work.with_cells;
    to->cells_tested += w->walker.cells_tested;
}

koshu_status
koshu_tree_lists_sum(struct koshu_tree_lists *lists,
                     const struct koshu_tree_job *job,
                     struct koshu_tree_work *work)
{
    const struct koshu_groups *groups = job->groups;
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < lists->workers; k++)
        if (prepare(&lists->worker[k], groups->largest, job->task->eps) !=
            KOSHU_OK)
            return koshu_fail_memory(lists->context, groups->largest,
                                     "sums of a group");
    const int threads =
            koshu_region_threads(lists->context, job->tree->n > 128);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
    for (size_t k = 0; k < groups->n; k++) {
        koshu_status one = do_group(job, &lists->worker[omp_get_thread_num()],
                                    &groups->group[k]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    for (int k = 0; k < lists->workers; k++) add_work(work, &lists->worker[k]);
    if (status == KOSHU_ERROR_UNSUPPORTED)
        return koshu_tree_too_near(lists->context);
    if (status == KOSHU_ERROR_OUT_OF_MEMORY)
        return koshu_fail(lists->context, status,
                          "out of memory for the interaction lists of a tree");
    return status;
}
