/* SPDX-License-Identifier: MIT */
/*
 * The backend for CPUs: the kernels of the processor's best instruction set,
 * run by OpenMP threads over the items of a plan.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backend/simd/range.h"
#include "backend/simd/simd.h"
#include "base/base.h"

static int
devices(void)
{
    return 1;
}

static bool
describe(int k, struct koshu_device *device)
{
    const struct simd_isa *isa;
    if (koshu_simd_isa_choose(NULL, &isa) == KOSHU_OK)
        snprintf(device->name, sizeof device->name, "%s", isa->title);
    else
        snprintf(device->reason, sizeof device->reason, "%s",
                 koshu_context_message(NULL));
    return k == 0;
}

static koshu_status
open_simd(struct koshu_context *context, struct koshu_backend **backend)
{
    const struct simd_isa *isa;
    KOSHU_TRY(koshu_simd_isa_choose(context, &isa));
    struct simd_backend *b = calloc(1, sizeof *b);
    if (!b) return koshu_fail_memory(context, sizeof *b, "simd backend");
    int threads = koshu_context_threads(context);
    b->base.ops = &koshu_backend_simd;
    b->base.context = context;
    snprintf(b->base.device, sizeof b->base.device, "%s, %d thread%s",
             isa->title, threads, threads == 1 ? "" : "s");
    b->isa = isa;
    *backend = &b->base;
    return KOSHU_OK;
}

/* Results per i-particle: acceleration and potential. */
enum { RESULTS = 4 };

static void
close_simd(struct koshu_backend *backend)
{
    if (!backend) return;
    struct simd_backend *b = (struct simd_backend *)backend;
    koshu_simd_plan_free(&b->plan);
    free(b);
}

/* The kernel of a sum, and the kernel that recomputes sums that it loses; NULL:
 * it loses none. */
struct kernels {
    simd_kernel *sum, *recompute;
};

static simd_kernel *
exact_kernel(const struct simd_backend *b, const struct koshu_force_task *task)
{
    struct koshu_force_task exact = *task;
    exact.precision = KOSHU_PRECISION_DOUBLE;
    return b->isa->kernel(&exact);
}

/* The j-particles of one set. */
static struct koshu_force_sources
j_of_set(const struct koshu_force_batch *batch, size_t set)
{
    size_t first = batch->j_offset[set], n = batch->j_offset[set + 1] - first;
    if (n == 0) return (struct koshu_force_sources){0};
    return (struct koshu_force_sources){n, batch->j.x + first,
                                        batch->j.y + first, batch->j.z + first,
                                        batch->j.mass + first};
}

static struct koshu_force_sums
result_of_item(const struct simd_plan *plan, const struct simd_item *item,
               const struct koshu_force_task *task,
               const struct koshu_force_batch *batch)
{
    const struct koshu_force_sums *r = &batch->result;
    const size_t first = item->i_first, n = item->i_n;
    if (item->partial == SIMD_NOT_CUT)
        return (struct koshu_force_sums){
                r->ax + first, r->ay + first, r->az + first,
                task->potential ? r->potential + first : NULL};
    double *part = plan->partial + item->partial;
    return (struct koshu_force_sums){part, part + n, part + 2 * n,
                                     task->potential ? part + 3 * n : NULL};
}

/* Computes an item. Returns true if a force is so weak that it may lack terms
 * outside of a float's range. */
static bool
do_item(const struct simd_plan *plan, const struct simd_item *item,
        const struct kernels *kernels, const struct koshu_force_task *task,
        const struct koshu_force_batch *batch)
{
    const struct koshu_force_targets *i = &batch->i;
    const size_t first = item->i_first;
    struct simd_job job = {
            .i = {item->i_n, i->x + first, i->y + first, i->z + first,
                  i->self ? i->self + first : NULL},
            .j = j_of_set(batch, item->set),
            .j_first = item->j_first,
            .j_last = item->j_last,
            .eps = task->eps,
            .result = result_of_item(plan, item, task, batch),
    };
    kernels->sum(&job);
    return kernels->recompute &&
           koshu_simd_recompute_lost(&job, kernels->recompute);
}

/* sum[0 ... n-1] = from[...] + from[stride + ...] + ... */
static void
add_chunks(double *sum, size_t n, const double *from, size_t chunks,
           size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        sum[i] = from[i];
        for (size_t c = 1; c < chunks; c++) sum[i] += from[c * stride + i];
    }
}

/* If item p is the first of a row of chunks, adds up their sums. */
static void
fold(const struct simd_plan *plan, size_t p,
     const struct koshu_force_task *task, const struct koshu_force_batch *batch)
{
    const struct simd_item *item = &plan->items[p];
    if (item->partial == SIMD_NOT_CUT || item->j_first > 0) return;
    size_t chunks = 1, n = item->i_n;
    while (p + chunks < plan->n_items && item[chunks].j_first > 0) chunks++;
    const double *from = plan->partial + item->partial;
    const struct koshu_force_sums *r = &batch->result;
    double *const to[RESULTS] = {r->ax, r->ay, r->az, r->potential};
    for (size_t k = 0; k < 3u + task->potential; k++)
        add_chunks(to[k] + item->i_first, n, from + k * n, chunks, RESULTS * n);
}

/* Computes all items. Returns true if a force is weak. */
static bool
sum_all(struct koshu_backend *backend, const struct kernels *kernels,
        const struct koshu_force_task *task,
        const struct koshu_force_batch *batch)
{
    const struct simd_plan *plan = &((struct simd_backend *)backend)->plan;
    int threads = koshu_region_threads(backend->context, !plan->alone);
    int weak = 0;
#pragma omp parallel num_threads(threads) reduction(| : weak)
    {
#pragma omp for schedule(dynamic, plan->at_once)
        for (size_t p = 0; p < plan->n_items; p++)
            weak |= do_item(plan, &plan->items[p], kernels, task, batch);
        if (plan->cut) {
#pragma omp for schedule(static)
            for (size_t p = 0; p < plan->n_items; p++)
                fold(plan, p, task, batch);
        }
    }
    return weak;
}

/* Computes in double if terms may be outside of a float's range; that is only
 * checked if a force is weak. */
static koshu_status
force(struct koshu_backend *backend, const struct koshu_force_task *task,
      const struct koshu_force_batch *batch)
{
    struct simd_backend *b = (struct simd_backend *)backend;
    simd_kernel *exact = exact_kernel(b, task);
    const bool is_exact = task->precision == KOSHU_PRECISION_DOUBLE;
    const struct kernels kernels = {b->isa->kernel(task),
                                    is_exact ? NULL : exact};
    KOSHU_TRY(koshu_simd_plan_make(backend->context, &b->plan, batch, RESULTS));
    if (!sum_all(backend, &kernels, task, batch)) return KOSHU_OK;
    const struct simd_range range = koshu_simd_range_of_batch(
            batch,
            koshu_region_threads(backend->context, batch->j.n > 1 << 16));
    if (koshu_simd_range_fits(&range, task->precision, task->eps))
        return KOSHU_OK;
    (void)sum_all(backend, &(struct kernels){exact, NULL}, task, batch);
    return KOSHU_OK;
}

/* ---- interaction lists --------------------------------------------------- */

/* The rows from an element on. */
static void
rows_from(const float **to, float *const *row, size_t rows, size_t first)
{
    for (size_t r = 0; r < rows; r++) to[r] = row[r] + first;
}

static struct simd_walk
walk_of(const struct koshu_walk_task *task, const struct koshu_walks *a,
        size_t w)
{
    const size_t i = a->i_offset[w], j = a->j_offset[w], c = a->cell_offset[w];
    const size_t rows = task->split ? KOSHU_WALK_SPLIT : KOSHU_WALK_POINT;
    struct simd_walk walk = {.n_i = a->i_offset[w + 1] - i,
                             .n_j = a->j_offset[w + 1] - j,
                             .n_cells = a->cell_offset[w + 1] - c,
                             .own = task->own};
    rows_from(walk.i, a->i, rows, i);
    if (walk.n_j > 0) rows_from(walk.j, a->j, rows, j);
    if (walk.n_cells > 0) rows_from(walk.cell, a->cell, KOSHU_WALK_CELL, c);
    for (int k = 0; k < 3 + task->potential; k++)
        walk.result[k] = a->result[k] + i;
    return walk;
}

static koshu_status
sum_walks(struct koshu_backend *backend, const struct koshu_walk_task *task,
          size_t n_walks, const struct koshu_walks *walks)
{
    const struct simd_isa *isa = ((struct simd_backend *)backend)->isa;
    simd_walk_kernel *kernel = isa->walk(task);
    for (size_t w = 0; w < n_walks; w++) {
        const struct simd_walk walk = walk_of(task, walks, w);
        kernel(&walk);
    }
    return KOSHU_OK;
}

/* ---- what it costs ------------------------------------------------------- */

static koshu_status
shape(struct koshu_backend *backend, const struct koshu_force_task *task,
      size_t n, struct koshu_force_shape *shape)
{
    struct simd_backend *b = (struct simd_backend *)backend;
    const size_t offset[2] = {0, n};
    const struct koshu_force_batch batch = {.n_sets = 1,
                                            .i_offset = offset,
                                            .j_offset = offset,
                                            .i.n = n,
                                            .j.n = n};
    (void)task;
    KOSHU_TRY(
            koshu_simd_plan_make(backend->context, &b->plan, &batch, RESULTS));
    const struct simd_plan *plan = &b->plan;
    int threads = plan->alone ? 1 : koshu_context_threads(backend->context);
    size_t blocks = (plan->n_items + plan->at_once - 1) / plan->at_once;
    *shape = (struct koshu_force_shape){.units = (size_t)threads,
                                        .lanes = 1,
                                        .at_once = 1,
                                        .blocks = blocks,
                                        .tiles = 1,
                                        .evaluations = (double)n * (double)n /
                                                       (double)blocks,
                                        .both = 1,
                                        .launches = 1};
    snprintf(shape->kernel, sizeof shape->kernel, "%s", b->isa->title);
    return KOSHU_OK;
}

static koshu_status
cost(struct koshu_backend *backend, enum koshu_cost what, size_t n, void *host)
{
    (void)host;
    return koshu_simd_cost(what, n,
                           koshu_region_threads(backend->context, true));
}

/* ---- the table ----------------------------------------------------------- */

/* User-defined interactions are compiled for the instruction set in use. */
static koshu_status
compile(struct koshu_backend *backend, const struct koshu_kernel_source *source,
        struct koshu_interaction_program **program)
{
    const struct simd_backend *b = (const struct simd_backend *)backend;
    return koshu_compiled_create(backend, source, &b->isa->target, program);
}

static const struct koshu_interaction_ops interaction = {
        .compile = compile,
        .destroy = koshu_compiled_destroy,
        .evaluate = koshu_compiled_evaluate,
};

const struct koshu_backend_ops koshu_backend_simd = {
        .name = "simd",
        .devices = devices,
        .describe = describe,
        .open = open_simd,
        .close = close_simd,
        .force = force,
        .walks = sum_walks,
        .walks_in_caller = true,
        .shape = shape,
        .cost = cost,
        .j_store = &koshu_simd_j_store,
        .fmm = &koshu_simd_fmm,
        .interaction = &interaction,
};
