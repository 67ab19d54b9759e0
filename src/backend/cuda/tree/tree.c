/* SPDX-License-Identifier: MIT */
/* The treecode on the device: the operations of the CUDA backend. */
#include "backend/cuda/tree/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/cuda/internal.h"
#include "base/base.h"
#include "particles/particles.h"

struct koshu_tree_engine {
    struct koshu_backend *backend;
    struct koshu_cuda_tree *device;
};

static bool
can(const struct koshu_backend *backend, const struct koshu_force_task *task)
{
    return task->precision != KOSHU_PRECISION_DOUBLE &&
           backend->ops->can(backend, task);
}

static void
destroy(struct koshu_tree_engine *engine)
{
    if (!engine) return;
    koshu_cuda_enter(((struct koshu_cuda_backend *)engine->backend)->cuda);
    koshu_cuda_tree_destroy(engine->device);
    free(engine);
}

static koshu_status
create(struct koshu_backend *backend, struct koshu_tree_engine **engine)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    struct koshu_tree_engine *e = calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) return koshu_fail_memory(backend->context, sizeof *e, "tree");
    e->backend = backend;
    koshu_cuda_enter(b->cuda);
    koshu_status status = koshu_cuda_check(
            backend->context, koshu_cuda_tree_create(b->cuda, &e->device),
            "making a tree on the device");
    if (status == KOSHU_OK)
        *engine = e;
    else
        destroy(e);
    return status;
}

/* Which particle's fault it is that there is no box. */
static koshu_status
name_culprit(struct koshu_context *context, struct koshu_particles *particles)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++)
        if (!isfinite(v.x[i]) || !isfinite(v.y[i]) || !isfinite(v.z[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu of a tree is at (%g, %g, %g)", i,
                              v.x[i], v.y[i], v.z[i]);
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "particles of a tree are further from each other than a "
                      "double can tell");
}

/* All that moves with the particles must be there; the accelerations, where
 * the criterion asks for them. */
static koshu_status
acquire(struct koshu_particles *particles,
        const struct koshu_tree_options *options, unsigned fields)
{
    unsigned read = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    if (options->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        read |= KOSHU_FIELD_ACCELERATION;
    KOSHU_TRY(koshu_particles_on_device(particles, read, KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

/* With what it would have taken, as memory is what it fails for: with leaves of
 * few particles their cells are most of it. */
static koshu_status
failed(struct koshu_context *context, int error, size_t n)
{
    char what[160];
    snprintf(what, sizeof what,
             "forces by a tree (%zu particles take some %.1f GiB of the GPU, "
             "more where solver.n_leaf is small; run.backend: cpu takes none)",
             n, KOSHU_CUDA_TREE_BYTES * (double)n / (1 << 30));
    return koshu_cuda_check(context, error, what);
}

static koshu_status
forces(struct koshu_tree_engine *engine, const struct koshu_force_task *task,
       const struct koshu_tree_options *options,
       struct koshu_particles *particles, unsigned fields,
       struct koshu_tree_report *report)
{
    struct koshu_context *context = engine->backend->context;
    const size_t n = koshu_particles_count(particles);
    struct koshu_cuda_store *store;
    koshu_status outcome = KOSHU_OK;
    if (n >= UINT32_MAX)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a tree of %zu particles: fewer than 2^32 - 1 are "
                          "possible on one device",
                          n);
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(acquire(particles, options, fields));
    const int error = koshu_cuda_tree_forces(engine->device, store, task,
                                             options, report, &outcome);
    if (error != 0) return failed(context, error, n);
    if (outcome == KOSHU_ERROR_NOT_FINITE)
        return name_culprit(context, particles);
    if (outcome == KOSHU_ERROR_UNSUPPORTED)
        return koshu_fail(context, outcome,
                          "a tree of %zu particles with softening %g on the "
                          "device: lengths, masses or softening are too far "
                          "from each other, or pairs too near, for floats to "
                          "hold the sums; take solver.traversal: host, or "
                          "solver.method: direct with precision: double",
                          n, task->eps);
    return KOSHU_OK;
}

static koshu_status
sample(struct koshu_tree_engine *engine, double eps,
       struct koshu_particles *particles, size_t n, double *accelerations)
{
    struct koshu_cuda_store *store;
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(koshu_particles_on_device(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_ACCELERATION,
            KOSHU_ACCESS_READ));
    return koshu_cuda_check(engine->backend->context,
                            koshu_cuda_tree_sample(engine->device, store, eps,
                                                   n, accelerations),
                            "exact forces on a sample");
}

const struct koshu_tree_ops koshu_cuda_tree_ops = {
        .max_n_crit = KOSHU_CUDA_TREE_N_CRIT,
        .can = can,
        .create = create,
        .destroy = destroy,
        .forces = forces,
        .sample = sample};
