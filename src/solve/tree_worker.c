/* SPDX-License-Identifier: MIT */
#include "solve/tree_worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- memory -------------------------------------------------------------- */

/*
 * Room in that many bytes: about as much for particles as for cells. A small
 * tree needs less: a thread's share of the walks, of lists that hold everything
 * there is.
 */
static struct koshu_walk_capacity
usual_capacity(const struct koshu_tree_worker *w,
               const struct koshu_tree_job *job)
{
    const size_t j_bytes = job->split ? 28 : 16, cell_bytes = 44, i_bytes = 60;
    const size_t half = w->bytes / 16 * 7;
    const size_t walks =
            job->groups->n / (size_t)w->workers + 1; /* of a thread */
    const bool cells = job->tree->options.multipole_order !=
                       KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    const size_t i = (w->bytes - 2 * half) / i_bytes;
    return (struct koshu_walk_capacity){
            .walks = smaller(walks, i),
            .i = smaller(walks * job->groups->largest, i),
            .j = smaller(walks * (job->tree->n + job->tree->n_cells),
                         (cells ? half : 2 * half) / j_bytes),
            .cells = cells ? smaller(walks * job->tree->n_cells,
                                     half / cell_bytes)
                           : 0};
}

static void
drop(const struct koshu_tree_worker *w, struct koshu_tree_batch *b)
{
    w->backend->ops->walk_memory->destroy(b->memory);
    free(b->group);
    *b = (struct koshu_tree_batch){0};
}

static koshu_status
reserve_times(struct koshu_tree_worker *w, size_t n)
{
    if (n <= w->capacity_times) return KOSHU_OK;
    const size_t bytes = 2 * n * sizeof *w->times;
    struct koshu_walk_times *times = realloc(w->times, bytes);
    if (!times)
        return koshu_fail_memory(w->backend->context, bytes,
                                 "times of batches");
    w->times = times;
    w->capacity_times = 2 * n;
    return KOSHU_OK;
}

/* An empty batch that holds what is needed at least. */
static koshu_status
reserve_batch(const struct koshu_tree_worker *w,
              const struct koshu_tree_job *job, struct koshu_tree_batch *b,
              struct koshu_walk_capacity need)
{
    struct koshu_walk_capacity capacity = usual_capacity(w, job);
    const struct koshu_walk_capacity old =
            b->memory ? b->memory->capacity : (struct koshu_walk_capacity){0};
    capacity.walks = larger(larger(capacity.walks, old.walks), need.walks);
    capacity.i = larger(larger(capacity.i, old.i), need.i);
    capacity.j = larger(larger(capacity.j, old.j), need.j);
    capacity.cells = larger(larger(capacity.cells, old.cells), need.cells);
    drop(w, b);
    b->group = malloc(capacity.walks * sizeof *b->group);
    if (!b->group)
        return koshu_fail_memory(w->backend->context,
                                 capacity.walks * sizeof *b->group,
                                 "batches of walks");
    return w->backend->ops->walk_memory->create(w->backend, &capacity,
                                                job->split, &b->memory);
}

/* ---- a batch ------------------------------------------------------------- */

static koshu_status
begin(const struct koshu_tree_job *job, struct koshu_tree_worker *w,
      struct koshu_tree_batch *b)
{
    /* There are many batches at once, which fill the device with whole walks;
     * how many is the threads' affair, and not that of the results. */
    const struct koshu_walk_task task = {.eps = job->task->eps,
                                         .potential = job->task->potential,
                                         .fast = job->task->fast,
                                         .split = job->split,
                                         .own = true};
    if (b->used.walks == 0) return KOSHU_OK;
    /* Here, as nothing may keep end() from waiting for what was started. */
    KOSHU_TRY(reserve_times(w, w->n_times + KOSHU_TREE_BATCHES));
    KOSHU_TRY(w->backend->ops->walk_memory->start(b->memory, &task,
                                                  b->used.walks));
    b->begun = true;
    const struct koshu_walk_capacity n = b->used;
    const size_t point = job->split ? 28 : 16, cell = 44, offsets = 24,
                 result = job->task->potential ? 32 : 24;
    w->work.bytes_up +=
            point * (n.i + n.j) + cell * n.cells + offsets * (n.walks + 1);
    w->work.bytes_down += result * n.i;
    return KOSHU_OK;
}

/* Results to the particles, and an empty batch. */
static koshu_status
end(const struct koshu_tree_job *job, struct koshu_tree_worker *w,
    struct koshu_tree_batch *b)
{
    const double start = koshu_now();
    const struct koshu_walk_memory *m = b->memory;
    if (!b->begun) return KOSHU_OK;
    b->begun = false;
    KOSHU_TRY(w->backend->ops->walk_memory->wait(b->memory,
                                                 &w->times[w->n_times++]));
    bool finite = true;
    for (size_t k = 0; k < b->used.walks; k++) {
        const size_t i = m->at.i_offset[k];
        double *const sum[4] = {m->at.result[0] + i, m->at.result[1] + i,
                                m->at.result[2] + i, m->at.result[3] + i};
        finite &=
                koshu_tree_scatter(job, &job->groups->group[b->group[k]], sum);
    }
    b->used = (struct koshu_walk_capacity){0};
    w->work.force += koshu_now() - start;
    return finite ? KOSHU_OK : KOSHU_ERROR_UNSUPPORTED; /* without a message */
}

/* The batch that was filled is summed, the other is free again. */
static koshu_status
turn(const struct koshu_tree_job *job, struct koshu_tree_worker *w)
{
    KOSHU_TRY(begin(job, w, &w->batch[w->at]));
    w->at = (w->at + 1) % KOSHU_TREE_BATCHES;
    return end(job, w, &w->batch[w->at]);
}

/* ---- one group ----------------------------------------------------------- */

/* The next list goes where the batch's last one ends. */
static void
lend(struct koshu_list *list, const struct koshu_tree_batch *b)
{
    const struct koshu_walk_memory *m = b->memory;
    list->lent = true;
    for (int r = 0; r < 7; r++)
        list->j[r] = m->at.j[r < 4 || m->split ? r : 0] + b->used.j;
    for (int r = 0; r < 11; r++) list->cell[r] = m->at.cell[r] + b->used.cells;
    list->capacity_j = m->capacity.j - b->used.j;
    list->capacity_cells = m->capacity.cells - b->used.cells;
}

/* The list that was made is one more walk of the batch. */
static void
keep(const struct koshu_tree_job *job, struct koshu_tree_worker *w,
     struct koshu_tree_batch *b, size_t group)
{
    const struct koshu_list *list = &w->walker.list;
    const struct koshu_walk_memory *m = b->memory;
    const size_t n = job->groups->group[group].n, k = b->used.walks++;
    const float eps2 = (float)(job->task->eps * job->task->eps);
    m->at.i_offset[k] = b->used.i;
    m->at.j_offset[k] = b->used.j;
    m->at.cell_offset[k] = b->used.cells;
    for (int r = 0; r < (m->split ? 7 : 4); r++)
        if (r != 3)
            memcpy(m->at.i[r] + b->used.i, list->j[r], n * sizeof(float));
    for (size_t i = 0; i < n; i++) m->at.i[3][b->used.i + i] = eps2;
    m->at.i_offset[k + 1] = b->used.i += n;
    m->at.j_offset[k + 1] = b->used.j += list->n_j;
    m->at.cell_offset[k + 1] = b->used.cells += list->n_cells;
    b->group[k] = (uint32_t)group;
    w->work.interactions += n * (list->n_j + list->n_cells);
    w->work.with_cells += n * list->n_cells;
}

/* The list of a group into the present batch; where that has not enough
 * capacity, nothing is added, and what is needed is written. */
static koshu_status
add(const struct koshu_tree_job *job, struct koshu_tree_worker *w,
    struct koshu_tree_batch *b, size_t group, bool *added,
    struct koshu_walk_capacity *need)
{
    const struct koshu_group *g = &job->groups->group[group];
    const struct koshu_list *list = &w->walker.list;
    *need = (struct koshu_walk_capacity){.walks = 1, .i = g->n};
    *added = false;
    if (!b->memory || b->memory->split != job->split ||
        b->used.walks == b->memory->capacity.walks ||
        b->used.i + g->n > b->memory->capacity.i)
        return KOSHU_OK;
    const double start = koshu_now();
    lend(&w->walker.list, b);
    const koshu_status status = koshu_tree_walk(
            job->tree, g, koshu_tree_smallest_acceleration(job, g), job->split,
            &w->walker);
    need->j = list->n_j;
    need->cells = list->n_cells;
    *added = status == KOSHU_OK;
    if (*added) keep(job, w, b, group);
    w->work.walk += koshu_now() - start;
    if (*added || need->j > list->capacity_j ||
        need->cells > list->capacity_cells)
        return KOSHU_OK;
    return koshu_fail(job->backend->context, status,
                      "out of memory for the interaction lists of a tree");
}

koshu_status
koshu_tree_worker_add(struct koshu_tree_worker *worker,
                      const struct koshu_tree_job *job, size_t group)
{
    struct koshu_tree_worker *w = worker;
    for (;;) {
        struct koshu_tree_batch *b = &w->batch[w->at];
        struct koshu_walk_capacity need;
        bool added;
        KOSHU_TRY(add(job, w, b, group, &added, &need));
        if (added) return KOSHU_OK;
        KOSHU_TRY(b->used.walks > 0 ? turn(job, w)
                                    : reserve_batch(w, job, b, need));
    }
}

/* ---- all of a thread's groups -------------------------------------------- */

void
koshu_tree_worker_begin(struct koshu_tree_worker *worker)
{
    worker->work = (struct koshu_tree_work){0};
    worker->walker.cells_tested = worker->n_times = 0;
    worker->status = KOSHU_OK;
}

void
koshu_tree_worker_end(struct koshu_tree_worker *worker,
                      const struct koshu_tree_job *job)
{
    struct koshu_tree_worker *w = worker;
    if (w->status == KOSHU_OK) w->status = begin(job, w, &w->batch[w->at]);
    for (int k = 1; k <= KOSHU_TREE_BATCHES; k++) {
        struct koshu_tree_batch *b =
                &w->batch[(w->at + k) % KOSHU_TREE_BATCHES];
        const koshu_status status = end(job, w, b);
        if (w->status == KOSHU_OK) w->status = status;
        b->used = (struct koshu_walk_capacity){0};
    }
}

void
koshu_tree_worker_free(struct koshu_tree_worker *worker)
{
    for (int k = 0; k < KOSHU_TREE_BATCHES; k++)
        drop(worker, &worker->batch[k]);
    worker->walker.list = (struct koshu_list){0}; /* was lent */
    koshu_walker_free(&worker->walker);
    free(worker->times);
}
