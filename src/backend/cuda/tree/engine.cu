/* SPDX-License-Identifier: MIT */
/* The treecode on the device: creation and destruction of engines, and the
 * operations of the backend. */
#include <cmath>

#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/object.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "particles/particles.h"
#include "tree/tree.h"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open(koshu_tree_engine *t)
{
    KOSHU_CUDA_TRY(t->state.reserve(sizeof(tree_state)));
    KOSHU_CUDA_TRY(t->state_on_host.reserve(sizeof *t->seen));
    t->seen = t->state_on_host.as<tree_state>();
    const koshu_tree_images &box = t->images;
    const size_t bytes = box.n * sizeof *box.shift;
    KOSHU_CUDA_TRY(t->shifts.reserve(bytes));
    if (bytes > 0)
        KOSHU_CUDA_TRY(cudaMemcpy(t->shifts.as<void>(), box.shift, bytes,
                                  cudaMemcpyHostToDevice));
    for (event &end : t->event) KOSHU_CUDA_TRY(end.open(cudaEventDefault));
    return cudaSuccess;
}

static void
destroy(koshu_tree_engine *t)
{
    if (!t) return;
    koshu_cuda_enter(t->cuda);
    cudaStreamSynchronize(t->cuda->stream);
    free(t->levels.first);
    free_rank_step(t->rank_step);
    free_object(t);
}

static koshu_status
create(koshu_backend *backend, const koshu_tree_images *images,
       koshu_tree_engine **engine)
{
    koshu_cuda *cuda = enter(backend);
    koshu_tree_engine *t = make_object<koshu_tree_engine>();
    *engine = nullptr;
    if (!t) return koshu_fail_memory(backend->context, sizeof *t, "tree");
    t->backend = backend;
    t->cuda = cuda;
    t->images = *images;
    const cudaError_t error = open(t);
    if (error == cudaSuccess)
        *engine = t;
    else
        destroy(t);
    return status_of(cuda, error, "making a tree on the device");
}

/* ---- forces -------------------------------------------------------------- */

static bool
can(const koshu_backend *backend, const koshu_force_task *task)
{
    return task->precision != KOSHU_PRECISION_DOUBLE &&
           backend->ops->can(backend, task);
}

static koshu_status
forces(koshu_tree_engine *engine, const koshu_force_task *task,
       const koshu_tree_options *options, koshu_particles *particles,
       unsigned fields, koshu_tree_report *report)
{
    koshu_context *context = engine->backend->context;
    const size_t n = koshu_particles_count(particles);
    koshu_cuda_store *store;
    koshu_status outcome = KOSHU_OK;
    tree_step s = {};
    KOSHU_TRY(koshu_tree_check_size(context, n, "device"));
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(acquire_fields(particles, *options, fields));
    s.n = (uint32_t)n;
    s.task = *task;
    cudaError_t error = cudaSuccess;
    if (engine->images.n > 0)
        error = wrap_positions(store, options->corner, options->box);
    if (error == cudaSuccess)
        error = do_step(engine, store, *task, *options, report, &outcome);
    if (error == cudaSuccess && outcome == KOSHU_ERROR_NOT_FINITE)
        return name_culprit(context, particles);
    return status_of_step(engine, s, error, outcome);
}

static bool
had_accelerations(const koshu_tree_engine *engine)
{
    return engine->seen->accelerated != 0;
}

static koshu_status
sample(koshu_tree_engine *engine, double eps, koshu_particles *particles,
       size_t n, double *accelerations)
{
    koshu_cuda_store *store;
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(koshu_particles_on_device(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_ACCELERATION,
            KOSHU_ACCESS_READ));
    return status_of(engine->cuda,
                     sample_store(engine, store, eps, n, accelerations),
                     "exact forces on a sample");
}

const koshu_tree_ops koshu_cuda_tree_ops = {
        .max_n_crit = WALK_WIDTH,
        .can = can,
        .create = create,
        .destroy = destroy,
        .forces = forces,
        .had_accelerations = had_accelerations,
        .sample = sample,
        .parts = &koshu_cuda_tree_parts_ops};
