/* SPDX-License-Identifier: MIT */
/* The treecode on the device: its life, and the operations of the backend. */
#include <cmath>
#include <cstdio>

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
    free_object(t);
}

static koshu_status
create(koshu_backend *backend, koshu_tree_engine **engine)
{
    koshu_cuda *cuda = enter(backend);
    koshu_tree_engine *t = make_object<koshu_tree_engine>();
    *engine = nullptr;
    if (!t) return koshu_fail_memory(backend->context, sizeof *t, "tree");
    t->backend = backend;
    t->cuda = cuda;
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

/* All that moves with the particles must be there; the accelerations, where
 * the criterion asks for them. */
static koshu_status
acquire(koshu_particles *particles, const koshu_tree_options &options,
        unsigned fields)
{
    unsigned read = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    if (options.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        read |= KOSHU_FIELD_ACCELERATION;
    KOSHU_TRY(koshu_particles_on_device(particles, read, KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

/* With what it would have taken, as memory is what it fails for: with leaves of
 * few particles their cells are most of it. */
static koshu_status
failed(const koshu_cuda *cuda, cudaError_t error, size_t n)
{
    char what[160];
    snprintf(what, sizeof what,
             "forces by a tree (%zu particles take some %.1f GiB of the GPU, "
             "more where solver.n_leaf is small; run.backend: cpu takes none)",
             n, TREE_BYTES * (double)n / (1 << 30));
    return status_of(cuda, error, what);
}

koshu_status
koshu::name_culprit(koshu_context *context, koshu_particles *particles)
{
    koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    return koshu_tree_name_culprit(context, v.n, v.x, v.y, v.z);
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
    KOSHU_TRY(koshu_tree_check_size(context, n, "device"));
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(acquire(particles, *options, fields));
    const cudaError_t error =
            do_step(engine, store, *task, *options, report, &outcome);
    if (error != cudaSuccess) return failed(engine->cuda, error, n);
    if (outcome == KOSHU_ERROR_NOT_FINITE)
        return name_culprit(context, particles);
    if (outcome == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(context, outcome,
                      "a tree of %zu particles with softening %g on the "
                      "device: lengths, masses or softening are too far "
                      "from each other, or pairs too near, for floats to "
                      "hold the sums; take solver.traversal: host, or "
                      "solver.method: direct with precision: double",
                      n, task->eps);
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

const koshu_tree_ops koshu_cuda_tree_ops = {.max_n_crit = WALK_WIDTH,
                                            .can = can,
                                            .create = create,
                                            .destroy = destroy,
                                            .forces = forces,
                                            .sample = sample};
