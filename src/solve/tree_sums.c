/* SPDX-License-Identifier: MIT */
/*
 * Lists and their sums on the host's threads (Hamada09 section 2.3). No thread
 * waits for another. If a device sums, it gets the batches of all threads, so
 * that copies, sums and list making overlap.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "solve/solve.h"
#include "solve/tree_worker.h"

struct koshu_tree_sums {
    struct koshu_backend *backend;
    int workers;
    struct koshu_tree_worker *worker[];
};

/* ---- life ---------------------------------------------------------------- */

void
koshu_tree_sums_destroy(struct koshu_tree_sums *sums)
{
    if (!sums) return;
    for (int k = 0; k < sums->workers && sums->worker[k]; k++) {
        struct koshu_tree_worker *w = sums->worker[k];
        w->ops->free(w);
        koshu_walker_free(&w->walker);
        koshu_free(w->times);
        free(w);
    }
    free(sums);
}

static koshu_status
add_worker(struct koshu_tree_sums *sums, int k, size_t bytes)
{
    const struct koshu_tree_worker_ops *ops =
            sums->backend->ops->walks_in_caller ? &koshu_tree_lists
                                                : &koshu_tree_batches;
    struct koshu_tree_worker *w = calloc(1, ops->size);
    if (!w)
        return koshu_fail_memory(sums->backend->context, ops->size,
                                 "interaction lists");
    w->ops = ops;
    w->backend = sums->backend;
    w->workers = sums->workers;
    w->bytes = bytes;
    sums->worker[k] = w;
    return KOSHU_OK;
}

koshu_status
koshu_tree_sums_create(struct koshu_backend *backend,
                       struct koshu_tree_sums **sums)
{
    const int workers = koshu_context_threads(backend->context);
    const size_t bytes = backend->ops->walks_in_caller
                                 ? 0
                                 : backend->ops->walk_memory->bytes(backend);
    const size_t size = sizeof(struct koshu_tree_sums) +
                        (size_t)workers * sizeof(struct koshu_tree_worker *);
    struct koshu_tree_sums *s = calloc(1, size);
    koshu_status status = KOSHU_OK;
    *sums = NULL;
    if (!s)
        return koshu_fail_memory(backend->context, size, "interaction lists");
    s->backend = backend;
    s->workers = workers;
    for (int k = 0; k < workers && status == KOSHU_OK; k++)
        status = add_worker(s, k, bytes / (size_t)workers);
    if (status == KOSHU_OK)
        *sums = s;
    else
        koshu_tree_sums_destroy(s);
    return status;
}

/* ---- device time --------------------------------------------------------- */

static int
by_begin(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The total time covered by at least one of n sorted intervals. */
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

/* Adds the time in which the device worked on batches of any thread. */
static koshu_status
add_device_times(const struct koshu_tree_sums *sums,
                 struct koshu_tree_report *work)
{
    size_t n = 0, at = 0;
    for (int k = 0; k < sums->workers; k++) n += sums->worker[k]->n_times;
    double(*span)[2] = malloc(3 * (n + 1) * sizeof *span);
    if (!span)
        return koshu_fail_memory(sums->backend->context, 3 * n * sizeof *span,
                                 "times of batches");
    for (int k = 0; k < sums->workers; k++) {
        const struct koshu_tree_worker *w = sums->worker[k];
        for (size_t t = 0; t < w->n_times; t++, at++) {
            memcpy(span[at], w->times[t].up, sizeof *span);
            memcpy(span[n + at], w->times[t].sums, sizeof *span);
            memcpy(span[2 * n + at], w->times[t].down, sizeof *span);
        }
    }
    work->device.up += covered(span, n);
    work->device.sums += covered(span + n, n);
    work->device.down += covered(span + 2 * n, n);
    free(span);
    return KOSHU_OK;
}

/* ---- all groups ---------------------------------------------------------- */

static koshu_status
begin(struct koshu_tree_sums *sums, const struct koshu_tree_job *job)
{
    if (!sums->backend->ops->walks_in_caller)
        KOSHU_TRY(sums->backend->ops->walk_memory->start_clock(sums->backend));
    for (int k = 0; k < sums->workers; k++) {
        struct koshu_tree_worker *w = sums->worker[k];
        w->work = (struct koshu_tree_report){0};
        w->walker.cells_tested = w->n_times = 0;
        w->status = KOSHU_OK;
        if (w->ops->begin) KOSHU_TRY(w->ops->begin(w, job));
    }
    return KOSHU_OK;
}

/* Lets MPI make progress, which it does only when called, and only from the
 * first thread. */
static koshu_status
move_messages(const struct koshu_tree_job *job)
{
    if (!job->moves_messages || omp_get_thread_num() > 0) return KOSHU_OK;
    return koshu_transfer_progress(job->backend->context);
}

static void
work_of_thread(struct koshu_tree_worker *w, const struct koshu_tree_job *job)
{
#pragma omp for schedule(dynamic, 4) nowait
    for (size_t k = 0; k < job->groups->n; k++) {
        if (w->status == KOSHU_OK) w->status = w->ops->add(w, job, k);
        if (w->status == KOSHU_OK) w->status = move_messages(job);
    }
    const koshu_status ended = w->ops->end ? w->ops->end(w, job) : KOSHU_OK;
    if (w->status == KOSHU_OK) w->status = ended;
}

static koshu_status
too_near(struct koshu_context *context)
{
    return koshu_fail(
            context, KOSHU_ERROR_UNSUPPORTED,
            "particles of a tree are so near to each other, or masses "
            "so large, that floats do not hold the force: take a "
            "softening, or solver.method: direct with precision: "
            "double");
}

koshu_status
koshu_tree_sums_do(struct koshu_tree_sums *sums,
                   const struct koshu_tree_job *job,
                   struct koshu_tree_report *work)
{
    struct koshu_context *context = sums->backend->context;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(begin(sums, job));
    const int threads = koshu_region_threads(context, job->tree->n > 128);
#pragma omp parallel num_threads(threads)
    work_of_thread(sums->worker[omp_get_thread_num()], job);
    for (int k = 0; k < sums->workers; k++) {
        struct koshu_tree_worker *w = sums->worker[k];
        w->work.cells_tested = w->walker.cells_tested;
        w->work.device.batches = w->n_times;
        koshu_tree_report_add(work, &w->work);
        if (status == KOSHU_OK) status = w->status;
    }
    if (status == KOSHU_ERROR_UNSUPPORTED) return too_near(context);
    KOSHU_TRY(status);
    return add_device_times(sums, work);
}
