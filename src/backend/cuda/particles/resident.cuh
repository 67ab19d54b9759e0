/* SPDX-License-Identifier: MIT */
/* Particles of a domain that stay on a device: implements struct
 * koshu_resident_ops. */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_RESIDENT_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_RESIDENT_CUH

#include "backend/cuda/particles/store.cuh"
#include "particles/particles.h"

namespace koshu {

/* ---- outline.cu ---------------------------------------------------------- */

/* Waits. */
cudaError_t outline_store(koshu_cuda_store *s, bool accelerations,
                          koshu_particle_outline *outline);

/* ---- cuts.cu ------------------------------------------------------------- */

/* From start_cuts() to the last of these functions, boxes occupy the memory
 * between steps, and nothing else may use it. Functions that count or list
 * particles wait. */
cudaError_t start_cuts(koshu_cuda_store *s);
cudaError_t count_bins(koshu_cuda_store *s, size_t n, size_t zooms,
                       const koshu_cut *cut, size_t bins, uint64_t *count);
cudaError_t divide_boxes(koshu_cuda_store *s, size_t n, const koshu_cut *cut);
cudaError_t list_others(koshu_cuda_store *s, uint32_t box, size_t capacity,
                        uint64_t *other, size_t *n);

/* ---- change.cu ----------------------------------------------------------- */

/* Both wait. */
cudaError_t read_rows(koshu_cuda_store *s, unsigned fields, unsigned there,
                      size_t n, const uint32_t *number, void *rows);
cudaError_t
change_store(koshu_cuda_store *s, const koshu_change &change, unsigned there);

/* ---- work of particles --------------------------------------------------- */

/* Between evaluations of forces, a tag holds the work instead of |a|. */
KOSHU_HD uint32_t
work_of(const particle_tag &tag)
{
    uint32_t work;
    memcpy(&work, &tag.a, sizeof work);
    return work;
}

KOSHU_HD void
put_work(particle_tag *tag, uint32_t work)
{
    memcpy(&tag->a, &work, sizeof work);
}

KOSHU_HD uint32_t
work_from(double x)
{
    const double max = 4294967295.0;
    return x > 0 ? (uint32_t)(x < max ? x : max) : 0;
}

} /* namespace koshu */

#endif
