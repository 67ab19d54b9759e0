/* SPDX-License-Identifier: MIT */
/*
 * Interaction lists in batches, which a device sums while the thread makes
 * others. The thread writes lists into one of its two batches until that is
 * full, starts its sums, and continues with the other, after waiting for its
 * earlier sums.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solve/tree_worker.h"

/* The last batches of a step are summed after all lists have been made: with
 * large batches the host would wait long. */
enum { BATCHES = 2, MAX_BYTES = 16 << 20 };

/* Walks that are to be summed, or are being summed. */
struct batch {
    struct koshu_walk_memory *memory; /* NULL: not allocated yet */
    uint32_t *group;                  /* of each walk */
    struct koshu_walk_capacity used;
    bool started;
};

struct batch_worker {
    struct koshu_tree_worker base;
    struct batch batch[BATCHES];
    int at; /* index of the batch being filled */
};

static const struct koshu_walk_memory_ops *
ops_of(const struct batch_worker *w)
{
    return w->base.backend->ops->walk_memory;
}

/* ---- memory -------------------------------------------------------------- */

/*
 * The capacity within the bytes of a batch: about as much for particles as for
 * cells. A small tree needs less: a thread's part of the walks, with lists that
 * contain the whole tree.
 */
static struct koshu_walk_capacity
usual_capacity(const struct batch_worker *w, const struct koshu_tree_job *job)
{
    const size_t j_bytes = job->task.split ? 28 : 16, cell_bytes = 44,
                 i_bytes = 60;
    const size_t bytes = koshu_smaller(w->base.bytes / BATCHES, MAX_BYTES);
    const size_t half = bytes / 16 * 7;
    const size_t walks =
            job->groups->n / (size_t)w->base.workers + 1; /* walks per thread */
    const struct koshu_tree *t = job->others ? job->others : job->tree;
    const bool cells =
            t->options.multipole_order != KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    const size_t i = (bytes - 2 * half) / i_bytes;
    return (struct koshu_walk_capacity){
            .walks = koshu_smaller(walks, i),
            .i = koshu_smaller(walks * job->groups->largest, i),
            .j = koshu_smaller(walks * (t->n + t->n_cells),
                               (cells ? half : 2 * half) / j_bytes),
            .cells =
                    cells ? koshu_smaller(walks * t->n_cells, half / cell_bytes)
                          : 0};
}

static void
drop(const struct batch_worker *w, struct batch *b)
{
    ops_of(w)->destroy(b->memory);
    free(b->group);
    *b = (struct batch){0};
}

/* Allocates an empty batch with at least the needed capacity. */
static koshu_status
reserve_batch(const struct batch_worker *w, const struct koshu_tree_job *job,
              struct batch *b, struct koshu_walk_capacity need)
{
    struct koshu_walk_capacity capacity = usual_capacity(w, job);
    const struct koshu_walk_capacity old =
            b->memory ? b->memory->capacity : (struct koshu_walk_capacity){0};
    capacity.walks =
            koshu_larger(koshu_larger(capacity.walks, old.walks), need.walks);
    capacity.i = koshu_larger(koshu_larger(capacity.i, old.i), need.i);
    capacity.j = koshu_larger(koshu_larger(capacity.j, old.j), need.j);
    capacity.cells =
            koshu_larger(koshu_larger(capacity.cells, old.cells), need.cells);
    drop(w, b);
    b->group = malloc(capacity.walks * sizeof *b->group);
    if (!b->group)
        return koshu_fail_memory(w->base.backend->context,
                                 capacity.walks * sizeof *b->group,
                                 "batches of walks");
    return ops_of(w)->create(w->base.backend, &capacity, job->task.split,
                             &b->memory);
}

/* ---- a batch ------------------------------------------------------------- */

static void
count_bytes(struct koshu_tree_report *work, const struct koshu_tree_job *job,
            struct koshu_walk_capacity n)
{
    const size_t point = job->task.split ? 28 : 16, cell = 44, offsets = 24,
                 result = job->task.potential ? 32 : 24;
    work->device.bytes_up +=
            point * (n.i + n.j) + cell * n.cells + offsets * (n.walks + 1);
    work->device.bytes_down += result * n.i;
}

static koshu_status
start(const struct koshu_tree_job *job, struct batch_worker *w, struct batch *b)
{
    if (b->used.walks == 0) return KOSHU_OK;
    /* Allocated here, so that wait_for() cannot fail before it has waited. */
    KOSHU_TRY(KOSHU_GROW(&w->base, times, w->base.n_times + BATCHES,
                         w->base.backend->context, "times of batches"));
    KOSHU_TRY(ops_of(w)->start(b->memory, &job->task, b->used.walks));
    b->started = true;
    count_bytes(&w->base.work, job, b->used);
    return KOSHU_OK;
}

/* Brings the results to the particles and empties the batch. */
static koshu_status
wait_for(const struct koshu_tree_job *job, struct batch_worker *w,
         struct batch *b)
{
    const double start = koshu_now();
    const struct koshu_walk_memory *m = b->memory;
    if (!b->started) return KOSHU_OK;
    b->started = false;
    KOSHU_TRY(ops_of(w)->wait(b->memory, &w->base.times[w->base.n_times++]));
    bool finite = true;
    for (size_t k = 0; k < b->used.walks; k++) {
        const size_t i = m->at.i_offset[k];
        double *const sum[4] = {m->at.result[0] + i, m->at.result[1] + i,
                                m->at.result[2] + i, m->at.result[3] + i};
        finite &=
                koshu_tree_scatter(job, &job->groups->group[b->group[k]], sum);
    }
    b->used = (struct koshu_walk_capacity){0};
    w->base.work.seconds.force += koshu_now() - start;
    return finite ? KOSHU_OK : KOSHU_ERROR_UNSUPPORTED;
}

/* Starts the sums of the batch that was filled, and waits for the other one. */
static koshu_status
turn(const struct koshu_tree_job *job, struct batch_worker *w)
{
    KOSHU_TRY(start(job, w, &w->batch[w->at]));
    w->at = (w->at + 1) % BATCHES;
    return wait_for(job, w, &w->batch[w->at]);
}

/* ---- one group ----------------------------------------------------------- */

/* Lets the next list be written where the last one of the batch ends. */
static void
lend(struct koshu_list *list, const struct batch *b)
{
    const struct koshu_walk_memory *m = b->memory;
    list->lent = true;
    for (int r = 0; r < 7; r++)
        list->j[r] = m->at.j[r < 4 || m->split ? r : 0] + b->used.j;
    for (int r = 0; r < 11; r++) list->cell[r] = m->at.cell[r] + b->used.cells;
    list->capacity_j = m->capacity.j - b->used.j;
    list->capacity_cells = m->capacity.cells - b->used.cells;
}

/* Adds the list just made to the batch as one more walk. */
static void
keep(const struct koshu_tree_job *job, struct batch_worker *w, struct batch *b,
     size_t group)
{
    const struct koshu_list *list = &w->base.walker.list;
    const struct koshu_walk_memory *m = b->memory;
    const struct koshu_group *g = &job->groups->group[group];
    const size_t n = g->n, k = b->used.walks++;
    const float eps2 = (float)(job->task.eps * job->task.eps);
    m->at.i_offset[k] = b->used.i;
    m->at.j_offset[k] = b->used.j;
    m->at.cell_offset[k] = b->used.cells;
    float *i[7];
    for (int r = 0; r < 7; r++)
        i[r] = m->at.i[r < 4 || m->split ? r : 0] + b->used.i;
    koshu_group_copy(job->tree, g, m->split, i);
    for (size_t p = 0; p < n; p++) i[3][p] = eps2;
    m->at.i_offset[k + 1] = b->used.i += n;
    m->at.j_offset[k + 1] = b->used.j += list->n_j;
    m->at.cell_offset[k + 1] = b->used.cells += list->n_cells;
    b->group[k] = (uint32_t)group;
    koshu_tree_group_count(&w->base, job, g);
}

/* Writes the list of a group into the present batch. If that has not enough
 * capacity, nothing is added and the capacity needed is returned. */
static koshu_status
try_to_add(const struct koshu_tree_job *job, struct batch_worker *w,
           struct batch *b, size_t group, bool *added,
           struct koshu_walk_capacity *need)
{
    const struct koshu_group *g = &job->groups->group[group];
    const struct koshu_list *list = &w->base.walker.list;
    *need = (struct koshu_walk_capacity){.walks = 1, .i = g->n};
    *added = false;
    if (!b->memory || b->memory->split != job->task.split ||
        b->used.walks == b->memory->capacity.walks ||
        b->used.i + g->n > b->memory->capacity.i)
        return KOSHU_OK;
    const double start = koshu_now();
    lend(&w->base.walker.list, b);
    const koshu_status status = koshu_tree_group_walk(&w->base, job, group);
    need->j = list->n_j;
    need->cells = list->n_cells;
    *added = status == KOSHU_OK;
    if (*added) keep(job, w, b, group);
    w->base.work.seconds.walk += koshu_now() - start;
    if (*added || need->j > list->capacity_j ||
        need->cells > list->capacity_cells)
        return KOSHU_OK;
    return koshu_tree_no_list(job->backend->context);
}

static koshu_status
add(struct koshu_tree_worker *worker, const struct koshu_tree_job *job,
    size_t group)
{
    struct batch_worker *w = (struct batch_worker *)worker;
    for (;;) {
        struct batch *b = &w->batch[w->at];
        struct koshu_walk_capacity need;
        bool added;
        KOSHU_TRY(try_to_add(job, w, b, group, &added, &need));
        if (added) return KOSHU_OK;
        KOSHU_TRY(b->used.walks > 0 ? turn(job, w)
                                    : reserve_batch(w, job, b, need));
    }
}

/* ---- all of a thread's groups -------------------------------------------- */

/* Waits for all that was started, even after a failure, because the device
 * writes there. */
static koshu_status
end(struct koshu_tree_worker *worker, const struct koshu_tree_job *job)
{
    struct batch_worker *w = (struct batch_worker *)worker;
    koshu_status status = worker->status;
    if (status == KOSHU_OK) status = start(job, w, &w->batch[w->at]);
    for (int k = 1; k <= BATCHES; k++) {
        struct batch *b = &w->batch[(w->at + k) % BATCHES];
        const koshu_status waited = wait_for(job, w, b);
        if (status == KOSHU_OK) status = waited;
        b->used = (struct koshu_walk_capacity){0};
    }
    return status;
}

static void
free_batches(struct koshu_tree_worker *worker)
{
    struct batch_worker *w = (struct batch_worker *)worker;
    for (int k = 0; k < BATCHES; k++) drop(w, &w->batch[k]);
}

const struct koshu_tree_worker_ops koshu_tree_batches = {
        .size = sizeof(struct batch_worker),
        .add = add,
        .end = end,
        .free = free_batches};
