/* SPDX-License-Identifier: MIT */
/* The cost of the force on a particle, which determines the cuts between
 * domains: its pairs, and its share of the cells' translations expressed in
 * pairs. */
#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* The cost of a particle of each cell, without that of the cells above. */
cudaError_t
count_work(fmm_rank_step *r, const fmm_step &s)
{
    const fmm_view v = s.view;
    const double translation = r->common.translation;
    const bool adds = v.from.of_others;
    KOSHU_CUDA_TRY(r->work.reserve(v.n_cells * sizeof(double)));
    double *const work = r->work.as<double>();
    return for_each(s.cuda, v.n_cells, [=] __device__(size_t k) {
        const tree_cell cell = v.cell[k];
        const fmm_lists l = v.lists[k];
        double pairs = 0;
        if (cell.children == 0)
            for (uint32_t j = 0; j < l.near.n; j++)
                pairs += v.source[cell_of(v, l.near.entry[j])].n;
        const double own = pairs + translation * l.far.n / cell.n;
        work[k] = adds ? work[k] + own : own;
    });
}

/* Adds the cost of the cells above. */
static cudaError_t
hand_down(const fmm_step &s, double *work)
{
    const uint32_t *const parent = s.view.parent;
    for (size_t level = 1; level < count_levels(s); level++) {
        const fmm_level l = level_of(s, level);
        KOSHU_CUDA_TRY(
                for_each(s.cuda, l.end - l.begin, [=] __device__(size_t at) {
                    const size_t k = l.begin + at;
                    work[k] += work[parent[k]];
                }));
    }
    return cudaSuccess;
}

/* Writes to the memory of the tags' accelerations. */
cudaError_t
write_work(fmm_rank_step *r)
{
    const fmm_step &s = r->own;
    const fmm_view v = s.view;
    double *const work = r->work.as<double>();
    particle_tag *const tag = s.tree.store->tag;
    KOSHU_CUDA_TRY(hand_down(s, work));
    return for_each(s.cuda, (size_t)v.n_cells * WARP,
                    [=] __device__(size_t thread) {
                        const size_t k = thread / WARP;
                        const tree_cell leaf = v.cell[k];
                        if (leaf.children > 0) return;
                        const uint32_t own = work_from(work[k]);
                        for (uint32_t i = thread % WARP; i < leaf.n; i += WARP)
                            put_work(&tag[leaf.first + i], own);
                    });
}

} /* namespace koshu */
