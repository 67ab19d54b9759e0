/* SPDX-License-Identifier: MIT */
/*
 * Lists made by the threads of the host while a device sums over others
 * (Hamada09 section 2.3). Each thread has two batches: it writes lists into
 * one until that is full, begins its sums, and takes the other, whose sums were
 * begun before. The device sees the batches of all threads, so that copies,
 * sums and lists overlap; and no thread waits for another.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solve/tree_sums.h"

/* The last batches of a step are summed when all lists are made: large ones
 * keep the host waiting. */
enum { BATCHES = 2, MOST_BYTES = 16 << 20 };

/* Walks that wait to be summed, or are. */
struct batch {
    struct koshu_walk_memory *memory; /* NULL: not made yet */
    uint32_t *group;                  /* of each walk */
    struct koshu_walk_room used;
    bool begun;
};

/* What a thread has for itself. */
struct worker {
    struct koshu_walker walker;
    struct batch batch[BATCHES];
    int at; /* which of them is filled */
    struct koshu_walk_times *times;
    size_t n_times, room_times;
    struct koshu_tree_work work;
    koshu_status status;
};

struct koshu_tree_batches {
    struct koshu_backend *backend;
    struct worker *worker;
    int workers;
    size_t bytes; /* of a batch */
};

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

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_tree_batches_create(struct koshu_backend *backend,
                          struct koshu_tree_batches **batches)
{
    const int workers = koshu_context_threads(backend->context);
    const size_t bytes = (size_t)workers * sizeof(struct worker);
    struct koshu_tree_batches *b = calloc(1, sizeof *b);
    *batches = NULL;
    if (b) b->worker = calloc(1, bytes);
    if (!b || !b->worker) {
        free(b);
        return koshu_fail_memory(backend->context, bytes, "batches of walks");
    }
    b->backend = backend;
    b->workers = workers;
    b->bytes = smaller(MOST_BYTES, backend->ops->walk_memory->bytes(backend) /
                                           (BATCHES * (size_t)workers));
    *batches = b;
    return KOSHU_OK;
}

static void
drop(const struct koshu_tree_batches *batches, struct batch *b)
{
    batches->backend->ops->walk_memory->destroy(b->memory);
    free(b->group);
    *b = (struct batch){0};
}

void
koshu_tree_batches_destroy(struct koshu_tree_batches *batches)
{
    if (!batches) return;
    for (int k = 0; k < batches->workers; k++) {
        struct worker *w = &batches->worker[k];
        for (int b = 0; b < BATCHES; b++) drop(batches, &w->batch[b]);
        w->walker.list = (struct koshu_list){0}; /* was lent */
        koshu_walker_free(&w->walker);
        free(w->times);
    }
    free(batches->worker);
    free(batches);
}

/* ---- memory -------------------------------------------------------------- */

/*
 * Room in that many bytes: about as much for particles as for cells. A small
 * tree needs less: a thread's share of the walks, of lists that hold everything
 * there is.
 */
static struct koshu_walk_room
usual_room(const struct koshu_tree_batches *batches,
           const struct koshu_tree_job *job)
{
    const size_t j_bytes = job->split ? 28 : 16, cell_bytes = 44, i_bytes = 60;
    const size_t half = batches->bytes / 16 * 7;
    const size_t walks =
            job->groups->n / (size_t)batches->workers + 1; /* of a thread */
    const bool cells = job->tree->options.order != KOSHU_ORDER_MONOPOLE;
    const size_t i = (batches->bytes - 2 * half) / i_bytes;
    return (struct koshu_walk_room){
            .walks = smaller(walks, i),
            .i = smaller(walks * job->groups->largest, i),
            .j = smaller(walks * (job->tree->n + job->tree->n_cells),
                         (cells ? half : 2 * half) / j_bytes),
            .cells = cells ? smaller(walks * job->tree->n_cells,
                                     half / cell_bytes)
                           : 0};
}

static koshu_status
reserve_times(const struct koshu_tree_batches *batches, struct worker *w,
              size_t n)
{
    if (n <= w->room_times) return KOSHU_OK;
    const size_t bytes = 2 * n * sizeof *w->times;
    struct koshu_walk_times *times = realloc(w->times, bytes);
    if (!times)
        return koshu_fail_memory(batches->backend->context, bytes,
                                 "times of batches");
    w->times = times;
    w->room_times = 2 * n;
    return KOSHU_OK;
}

/* An empty batch that holds what is needed at least. */
static koshu_status
make_room(const struct koshu_tree_batches *batches,
          const struct koshu_tree_job *job, struct batch *b,
          struct koshu_walk_room need)
{
    struct koshu_walk_room room = usual_room(batches, job);
    const struct koshu_walk_room old =
            b->memory ? b->memory->room : (struct koshu_walk_room){0};
    room.walks = larger(larger(room.walks, old.walks), need.walks);
    room.i = larger(larger(room.i, old.i), need.i);
    room.j = larger(larger(room.j, old.j), need.j);
    room.cells = larger(larger(room.cells, old.cells), need.cells);
    drop(batches, b);
    b->group = malloc(room.walks * sizeof *b->group);
    if (!b->group)
        return koshu_fail_memory(batches->backend->context,
                                 room.walks * sizeof *b->group,
                                 "batches of walks");
    return batches->backend->ops->walk_memory->create(batches->backend, &room,
                                                      job->split, &b->memory);
}

/* ---- a batch ------------------------------------------------------------- */

static koshu_status
begin(const struct koshu_tree_batches *batches,
      const struct koshu_tree_job *job, struct worker *w, struct batch *b)
{
    const struct koshu_walk_task task = {.eps = job->task->eps,
                                         .potential = job->task->potential,
                                         .fast = job->task->fast};
    if (b->used.walks == 0) return KOSHU_OK;
    /* Here, as nothing may keep end() from waiting for what was begun. */
    KOSHU_TRY(reserve_times(batches, w, w->n_times + BATCHES));
    KOSHU_TRY(batches->backend->ops->walk_memory->begin(b->memory, &task,
                                                        b->used.walks, true));
    b->begun = true;
    const struct koshu_walk_room n = b->used;
    const size_t point = job->split ? 28 : 16, cell = 44, offsets = 24,
                 result = job->task->potential ? 32 : 24;
    w->work.bytes_up +=
            point * (n.i + n.j) + cell * n.cells + offsets * (n.walks + 1);
    w->work.bytes_down += result * n.i;
    return KOSHU_OK;
}

/* Results to the particles, and an empty batch. */
static koshu_status
end(const struct koshu_tree_batches *batches, const struct koshu_tree_job *job,
    struct worker *w, struct batch *b)
{
    const double start = koshu_now();
    const struct koshu_walk_memory *m = b->memory;
    if (!b->begun) return KOSHU_OK;
    b->begun = false;
    KOSHU_TRY(batches->backend->ops->walk_memory->end(b->memory,
                                                      &w->times[w->n_times++]));
    for (size_t k = 0; k < b->used.walks; k++) {
        const size_t i = m->i_offset[k];
        double *const sum[4] = {m->result[0] + i, m->result[1] + i,
                                m->result[2] + i, m->result[3] + i};
        koshu_tree_scatter(job, &job->groups->group[b->group[k]], sum);
    }
    b->used = (struct koshu_walk_room){0};
    w->work.force += koshu_now() - start;
    return KOSHU_OK;
}

/* The batch that was filled is summed, the other is free again. */
static koshu_status
turn(const struct koshu_tree_batches *batches, const struct koshu_tree_job *job,
     struct worker *w)
{
    KOSHU_TRY(begin(batches, job, w, &w->batch[w->at]));
    w->at = (w->at + 1) % BATCHES;
    return end(batches, job, w, &w->batch[w->at]);
}

/* ---- one group ----------------------------------------------------------- */

/* The next list goes where the batch's last one ends. */
static void
lend(struct koshu_list *list, const struct batch *b)
{
    const struct koshu_walk_memory *m = b->memory;
    list->lent = true;
    for (int r = 0; r < 7; r++)
        list->j[r] = m->j[r < 4 || m->split ? r : 0] + b->used.j;
    for (int r = 0; r < 11; r++) list->cell[r] = m->cell[r] + b->used.cells;
    list->room_j = m->room.j - b->used.j;
    list->room_cells = m->room.cells - b->used.cells;
}

/* The list that was made is one more walk of the batch. */
static void
keep(const struct koshu_tree_job *job, struct worker *w, struct batch *b,
     size_t group)
{
    const struct koshu_list *list = &w->walker.list;
    const struct koshu_walk_memory *m = b->memory;
    const size_t n = job->groups->group[group].n, k = b->used.walks++;
    const float eps2 = (float)(job->task->eps * job->task->eps);
    m->i_offset[k] = b->used.i;
    m->j_offset[k] = b->used.j;
    m->cell_offset[k] = b->used.cells;
    for (int r = 0; r < (m->split ? 7 : 4); r++)
        if (r != 3) memcpy(m->i[r] + b->used.i, list->j[r], n * sizeof(float));
    for (size_t i = 0; i < n; i++) m->i[3][b->used.i + i] = eps2;
    m->i_offset[k + 1] = b->used.i += n;
    m->j_offset[k + 1] = b->used.j += list->n_j;
    m->cell_offset[k + 1] = b->used.cells += list->n_cells;
    b->group[k] = (uint32_t)group;
    w->work.interactions += n * (list->n_j + list->n_cells);
    w->work.with_cells += n * list->n_cells;
}

/* The list of a group into the present batch; where that has not enough room,
 * nothing is added, and what is needed is written. */
static koshu_status
add(const struct koshu_tree_job *job, struct worker *w, struct batch *b,
    size_t group, bool *added, struct koshu_walk_room *need)
{
    const struct koshu_group *g = &job->groups->group[group];
    const struct koshu_list *list = &w->walker.list;
    *need = (struct koshu_walk_room){.walks = 1, .i = g->n};
    *added = false;
    if (!b->memory || b->memory->split != job->split ||
        b->used.walks == b->memory->room.walks ||
        b->used.i + g->n > b->memory->room.i)
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
    if (*added || need->j > list->room_j || need->cells > list->room_cells)
        return KOSHU_OK;
    return koshu_fail(job->backend->context, status,
                      "out of memory for the interaction lists of a tree");
}

static koshu_status
do_group(const struct koshu_tree_batches *batches,
         const struct koshu_tree_job *job, struct worker *w, size_t group)
{
    for (;;) {
        struct batch *b = &w->batch[w->at];
        struct koshu_walk_room need;
        bool added;
        KOSHU_TRY(add(job, w, b, group, &added, &need));
        if (added) return KOSHU_OK;
        KOSHU_TRY(b->used.walks > 0 ? turn(batches, job, w)
                                    : make_room(batches, job, b, need));
    }
}

/* ---- all groups ---------------------------------------------------------- */

/* What a thread has begun is ended, come what may: the device writes there. */
static void
finish(const struct koshu_tree_batches *batches,
       const struct koshu_tree_job *job, struct worker *w)
{
    if (w->status == KOSHU_OK)
        w->status = begin(batches, job, w, &w->batch[w->at]);
    for (int k = 1; k <= BATCHES; k++) {
        struct batch *b = &w->batch[(w->at + k) % BATCHES];
        const koshu_status status = end(batches, job, w, b);
        if (w->status == KOSHU_OK) w->status = status;
        b->used = (struct koshu_walk_room){0};
    }
}

static int
by_begin(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time that is covered by at least one of n spans, which are sorted. */
static double
covered(double (*span)[2], size_t n)
{
    double sum = 0, until = 0;
    qsort(span, n, sizeof *span, by_begin);
    for (size_t k = 0; k < n; k++) {
        const double from = span[k][0] > until ? span[k][0] : until;
        if (span[k][1] <= from) continue;
        sum += span[k][1] - from;
        until = span[k][1];
    }
    return sum;
}

/* When the device was at work on batches of any thread. */
static koshu_status
add_device_times(const struct koshu_tree_batches *batches,
                 struct koshu_tree_work *work)
{
    size_t n = 0, at = 0;
    for (int k = 0; k < batches->workers; k++) n += batches->worker[k].n_times;
    double(*span)[2] = malloc(3 * (n + 1) * sizeof *span);
    if (!span)
        return koshu_fail_memory(batches->backend->context,
                                 3 * n * sizeof *span, "times of batches");
    for (int k = 0; k < batches->workers; k++) {
        const struct worker *w = &batches->worker[k];
        for (size_t t = 0; t < w->n_times; t++, at++) {
            memcpy(span[at], w->times[t].up, sizeof *span);
            memcpy(span[n + at], w->times[t].sums, sizeof *span);
            memcpy(span[2 * n + at], w->times[t].down, sizeof *span);
        }
    }
    work->up = covered(span, n);
    work->sums = covered(span + n, n);
    work->down = covered(span + 2 * n, n);
    free(span);
    return KOSHU_OK;
}

static void
add_work(struct koshu_tree_work *to, const struct worker *w)
{
    to->walk += w->work.walk;
    to->force += w->work.force;
    to->interactions += w->work.interactions;
    to->with_cells += w->work.with_cells;
    to->visits += w->walker.visits;
    to->batches += w->n_times;
    to->bytes_up += w->work.bytes_up;
    to->bytes_down += w->work.bytes_down;
}

koshu_status
koshu_tree_batches_sum(struct koshu_tree_batches *batches,
                       const struct koshu_tree_job *job,
                       struct koshu_tree_work *work)
{
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(job->backend->ops->walk_memory->start_clock(job->backend));
    for (int k = 0; k < batches->workers; k++) {
        struct worker *w = &batches->worker[k];
        w->work = (struct koshu_tree_work){0};
        w->walker.visits = w->n_times = 0;
        w->status = KOSHU_OK;
    }
#pragma omp parallel num_threads(batches->workers)
    {
        struct worker *w = &batches->worker[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 8) nowait
        for (size_t k = 0; k < job->groups->n; k++)
            if (w->status == KOSHU_OK) w->status = do_group(batches, job, w, k);
        finish(batches, job, w);
    }
    for (int k = 0; k < batches->workers; k++) {
        add_work(work, &batches->worker[k]);
        if (status == KOSHU_OK) status = batches->worker[k].status;
    }
    KOSHU_TRY(status);
    return add_device_times(batches, work);
}
