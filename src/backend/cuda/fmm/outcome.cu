/* SPDX-License-Identifier: MIT */
/* Acquires the fields of a store for an evaluation, and reports its outcome. */
#include <cstdio>

#include "backend/cuda/fmm/engine.cuh"
#include "particles/particles.h"
#include "tree/tree.h"

using namespace koshu;

koshu_status
koshu::acquire_for_fmm(koshu_particles *particles, unsigned fields)
{
    KOSHU_TRY(koshu_particles_on_device(particles,
                                        KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

static koshu_status
failed(const koshu_cuda *cuda, cudaError_t error, size_t n)
{
    char what[64];
    snprintf(what, sizeof what, "forces of %zu particles by an FMM", n);
    return status_of(cuda, error, what);
}

koshu_status
koshu::status_of_fmm(const koshu_fmm_engine *f, koshu_particles *particles,
                     cudaError_t error, koshu_status outcome)
{
    koshu_context *context = f->backend->context;
    if (error != cudaSuccess)
        return failed(f->cuda, error, koshu_particles_count(particles));
    if (outcome == KOSHU_OK) return KOSHU_OK;
    if (outcome == KOSHU_ERROR_NOT_FINITE)
        return name_culprit(context, particles);
    const koshu_fmm_images *box = f->options.images;
    if (box)
        KOSHU_TRY(koshu_fmm_check_code(context, &f->code, f->cells,
                                       f->options.opening.theta[0]));
    return koshu_fail(context, outcome,
                      "an FMM of %zu particles on the device: charges are not "
                      "finite, or floats do not hold the sums; take double "
                      "precision",
                      koshu_particles_count(particles));
}
