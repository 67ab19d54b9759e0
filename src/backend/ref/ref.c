/* SPDX-License-Identifier: MIT */
/*
 * The reference backend: scalar double precision, one pair after the other.
 * Written to be read; the others are tested against it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/compiled/compiled.h"
#include "backend/ref/ref.h"
#include "base/base.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"

static int
devices(void)
{
    return 1;
}

static bool
describe(int k, struct koshu_device *device)
{
    snprintf(device->name, sizeof device->name, "scalar, double precision");
    return k == 0;
}

static koshu_status
open_ref(struct koshu_context *context, struct koshu_backend **backend)
{
    struct koshu_backend *b = calloc(1, sizeof *b);
    if (!b) return koshu_fail_memory(context, sizeof *b, "ref backend");
    b->ops = &koshu_backend_ref;
    b->context = context;
    snprintf(b->device, sizeof b->device,
             "scalar double precision, %d thread%s",
             koshu_context_threads(context),
             koshu_context_threads(context) == 1 ? "" : "s");
    *backend = b;
    return KOSHU_OK;
}

static void
close_ref(struct koshu_backend *backend)
{
    free(backend);
}

/* Sums the j-particles first ... last - 1 on one i-particle. */
static struct gravity_sum_f64
force_on(const struct koshu_force_task *task,
         const struct koshu_force_batch *batch, size_t i, size_t first,
         size_t last)
{
    const struct koshu_force_targets *pi = &batch->i;
    const struct koshu_force_sources *pj = &batch->j;
    double eps2 = task->eps * task->eps;
    size_t self = pi->self && pi->self[i] != KOSHU_NO_SELF
                          ? first + (size_t)pi->self[i]
                          : SIZE_MAX;
    struct gravity_sum_f64 sum = {0};
    for (size_t j = first; j < last; j++) {
        double dx = pj->x[j] - pi->x[i];
        double dy = pj->y[j] - pi->y[i];
        double dz = pj->z[j] - pi->z[i];
        double r2 = gravity_r2_f64(dx, dy, dz, eps2);
        if (j == self) continue;
        if (dx == 0 && dy == 0 && dz == 0) { /* eps^2 and 1 / eps^3 may
                                              * overflow */
            if (task->eps > 0) sum.mr += pj->mass[j] / task->eps;
            continue;
        }
        if (r2 == 0.0) continue;
        gravity_add_f64(&sum, dx, dy, dz, pj->mass[j], 1.0 / sqrt(r2));
    }
    return sum;
}

static void
sum_on(const struct koshu_force_task *task,
       const struct koshu_force_batch *batch, size_t i, size_t first,
       size_t last)
{
    const struct koshu_force_sums *result = &batch->result;
    const struct gravity_sum_f64 sum = force_on(task, batch, i, first, last);
    result->ax[i] = sum.ax;
    result->ay[i] = sum.ay;
    result->az[i] = sum.az;
    if (task->potential) result->potential[i] = -sum.mr;
}

static koshu_status
force(struct koshu_backend *backend, const struct koshu_force_task *task,
      const struct koshu_force_batch *batch)
{
    for (size_t set = 0; set < batch->n_sets; set++) {
        size_t j_first = batch->j_offset[set],
               j_last = batch->j_offset[set + 1];
        const size_t n_i = batch->i_offset[set + 1] - batch->i_offset[set];
        int threads =
                koshu_ref_threads(backend->context, n_i, j_last - j_first);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (size_t i = batch->i_offset[set]; i < batch->i_offset[set + 1]; i++)
            sum_on(task, batch, i, j_first, j_last);
    }
    return KOSHU_OK;
}

static const struct koshu_fmm_ops fmm = {.kernels = koshu_ref_fmm_kernels};

static koshu_status
shape(struct koshu_backend *backend, const struct koshu_force_task *task,
      size_t n, struct koshu_force_shape *shape)
{
    (void)task;
    *shape = (struct koshu_force_shape){
            .kernel = "scalar",
            .units = (size_t)koshu_context_threads(backend->context),
            .lanes = 1,
            .at_once = 1,
            .blocks = n,
            .tiles = 1,
            .evaluations = (double)n,
            .both = 1,
            .launches = 1};
    return KOSHU_OK;
}

/* User-defined interactions are compiled as written: one pair after the other,
 * without optimisations that change results. */
static koshu_status
compile(struct koshu_backend *backend, const struct koshu_kernel_source *source,
        struct koshu_interaction_program **program)
{
    const struct compiled_target target = {0};
    return koshu_compiled_create(backend, source, &target, program);
}

static const struct koshu_interaction_ops interaction = {
        .always_double = true,
        .compile = compile,
        .destroy = koshu_compiled_destroy,
        .evaluate = koshu_compiled_evaluate,
};

const struct koshu_backend_ops koshu_backend_ref = {
        .name = "ref",
        .devices = devices,
        .describe = describe,
        .open = open_ref,
        .close = close_ref,
        .force = force,
        .walks = koshu_ref_walks,
        .walks_in_caller = true,
        .shape = shape,
        .j_store = &koshu_ref_j_store,
        .fmm = &fmm,
        .interaction = &interaction,
};
