/* SPDX-License-Identifier: MIT */
/* Preparation of a tree step, and its status. */
#include <cstdio>

#include "backend/cuda/cuda.h"
#include "backend/cuda/tree/engine.cuh"
#include "particles/particles.h"
#include "tree/tree.h"

using namespace koshu;

koshu_status
koshu::acquire_fields(koshu_particles *particles,
                      const koshu_tree_options &options, unsigned fields)
{
    unsigned read = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION;
    if (options.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        read |= KOSHU_FIELD_ACCELERATION;
    KOSHU_TRY(koshu_particles_on_device(particles, read, KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

/* The message says how much memory was needed: with small leaves, most of it is
 * for cells. */
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
koshu::status_of_step(const koshu_tree_engine *t, const tree_step &s,
                      cudaError_t error, koshu_status outcome)
{
    if (error != cudaSuccess) return failed(t->cuda, error, s.n);
    if (outcome == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(t->backend->context, outcome,
                      "a tree of %u particles with softening %g on the "
                      "device: lengths, masses or softening are too far "
                      "from each other, or pairs too near, for floats to "
                      "hold the sums; take solver.traversal: host, or "
                      "solver.method: direct with precision: double",
                      s.n, s.task.eps);
}

koshu_status
koshu::name_culprit(koshu_context *context, koshu_particles *particles)
{
    koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    return koshu_tree_name_culprit(context, v.n, v.x, v.y, v.z);
}
