/* SPDX-License-Identifier: MIT */
/*
 * Lists made by the threads of the host while a device sums over others
 * (Hamada09 section 2.3). Each thread has two batches (tree_worker.h). The
 * device sees the batches of all threads, so that copies, sums and lists
 * overlap; and no thread waits for another.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solve/tree_worker.h"

/* The last batches of a step are summed when all lists are made: large ones
 * keep the host waiting. */
enum { MAX_BYTES = 16 << 20 };

struct koshu_tree_batches {
    struct koshu_backend *backend;
    struct koshu_tree_worker *worker;
    int workers;
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_tree_batches_create(struct koshu_backend *backend,
                          struct koshu_tree_batches **batches)
{
    const int workers = koshu_context_threads(backend->context);
    const size_t size = (size_t)workers * sizeof(struct koshu_tree_worker);
    const size_t each = backend->ops->walk_memory->bytes(backend) /
                        (KOSHU_TREE_BATCHES * (size_t)workers);
    struct koshu_tree_batches *b = calloc(1, sizeof *b);
    *batches = NULL;
    if (b) b->worker = calloc(1, size);
    if (!b || !b->worker) {
        free(b);
        return koshu_fail_memory(backend->context, size, "batches of walks");
    }
    b->backend = backend;
    b->workers = workers;
    for (int k = 0; k < workers; k++)
        b->worker[k] = (struct koshu_tree_worker){
                .backend = backend,
                .bytes = each < MAX_BYTES ? each : MAX_BYTES,
                .workers = workers};
    *batches = b;
    return KOSHU_OK;
}

void
koshu_tree_batches_destroy(struct koshu_tree_batches *batches)
{
    if (!batches) return;
    for (int k = 0; k < batches->workers; k++)
        koshu_tree_worker_free(&batches->worker[k]);
    free(batches->worker);
    free(batches);
}

/* ---- what it took ----------------------------------------------------------
 */

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
        const struct koshu_tree_worker *w = &batches->worker[k];
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
add_work(struct koshu_tree_work *to, const struct koshu_tree_worker *w)
{
    to->walk += w->work.walk;
    to->force += w->work.force;
    to->interactions += w->work.interactions;
    to->with_cells += w->work.with_cells;
    to->cells_tested += w->walker.cells_tested;
    to->batches += w->n_times;
    to->bytes_up += w->work.bytes_up;
    to->bytes_down += w->work.bytes_down;
}

/* ---- all groups ---------------------------------------------------------- */

koshu_status
koshu_tree_batches_sum(struct koshu_tree_batches *batches,
                       const struct koshu_tree_job *job,
                       struct koshu_tree_work *work)
{
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(job->backend->ops->walk_memory->start_clock(job->backend));
    for (int k = 0; k < batches->workers; k++)
        koshu_tree_worker_begin(&batches->worker[k]);
    const int threads =
            koshu_region_threads(job->backend->context, job->tree->n > 128);
#pragma omp parallel num_threads(threads)
    {
        struct koshu_tree_worker *w = &batches->worker[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 8) nowait
        for (size_t k = 0; k < job->groups->n; k++)
            if (w->status == KOSHU_OK)
                w->status = koshu_tree_worker_add(w, job, k);
        koshu_tree_worker_end(w, job);
    }
    for (int k = 0; k < batches->workers; k++) {
        add_work(work, &batches->worker[k]);
        if (status == KOSHU_OK) status = batches->worker[k].status;
    }
    if (status == KOSHU_ERROR_UNSUPPORTED)
        return koshu_tree_too_near(batches->backend->context);
    KOSHU_TRY(status);
    return add_device_times(batches, work);
}
