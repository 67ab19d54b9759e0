/* SPDX-License-Identifier: MIT */
/* Writes the sums and counts of a walk to device memory. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_RESULTS_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_RESULTS_CUH

#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/arrive.cuh"
#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

/* Like put_result(), or adds to the previous result. */
KOSHU_DEVICE void
put_sum(const force_out &out, bool adds, unsigned c, size_t i, double sum)
{
    double *to = out.potential; /* not an array: it would be in local memory */
    if (c == 0) to = out.ax;
    if (c == 1) to = out.ay;
    if (c == 2) to = out.az;
    const double unit = c < 3 ? out.a_unit : out.potential_unit;
    to[i] = adds ? to[i] + unit * sum : unit * sum;
}

template <class G>
KOSHU_DEVICE void
put(const G &g, unsigned k, const double *total)
{
    if (k >= g.last - g.first) return;
    for (unsigned c = 0; c < 3 + G::POTENTIAL; c++) {
        put_sum(g.a.out, !g.walks_own, c, g.first + k, total[c]);
        if (!isfinite(total[c])) g.a.counts->lost = 1;
    }
}

/* Parts are added in order, by the warp that comes last. */
template <class G>
KOSHU_DEVICE void
combine_parts(const G &g, unsigned index)
{
    constexpr unsigned row = WALK_WIDTH, partial = 4 * row;
    double *own = g.a.partial + (size_t)index * partial;
    for (int i = 0; i < G::I; i++)
        for (unsigned c = 0; c < 3 + G::POTENTIAL; c++)
            own[c * row + g.lane + WARP * i] = g.sum[i][c];
    __syncwarp();
    unsigned before = 0;
    if (g.lane == 0)
        before = count_up(g.a.arrived + index / g.a.parts, g.a.parts - 1);
    if (__shfl_sync(~0u, before, 0) != g.a.parts - 1) return;
    __syncwarp(); /* makes what lane 0 has seen of the others visible to all
                   * lanes */
    const double *all = own - (size_t)g.part * partial;
    for (int i = 0; i < G::I; i++) {
        double total[4] = {};
        for (unsigned p = 0; p < g.a.parts; p++)
            for (unsigned c = 0; c < 3 + G::POTENTIAL; c++)
                total[c] +=
                        __ldcg(all + p * partial + c * row + g.lane + WARP * i);
        put(g, g.lane + WARP * i, total);
    }
}

/* Writes what each particle has interacted with to its tag, or adds it. */
template <class G>
KOSHU_DEVICE void
put_works(const G &g)
{
    const uint32_t work = g.with_points + g.with_cells;
    for (uint32_t k = g.first + g.lane; k < g.last; k += WARP) {
        particle_tag *const tag = &g.a.tag[k];
        put_work(tag, g.walks_own ? work : work_of(*tag) + work);
    }
}

/* Writes the results of part `index` of the walk. */
template <class G>
KOSHU_DEVICE void
give(G &g, unsigned index)
{
    const uint32_t n = g.last - g.first;
    if (g.a.parts == 1)
        for (int i = 0; i < G::I; i++) put(g, g.lane + WARP * i, g.sum[i]);
    else
        combine_parts(g, index);
    if (g.part > 0) return; /* all parts find the same */
    if (g.a.tag) put_works(g);
    g.counted.cells_tested += g.cells_tested;
    g.counted.with_cells += (unsigned long long)n * g.with_cells;
    g.counted.interactions +=
            (unsigned long long)n * (g.with_points + g.with_cells);
}

/* Writes the counts of all groups of a warp. */
template <class G>
KOSHU_DEVICE void
give_counts(const G &g)
{
    if (g.lane != 0) return;
    atomicAdd(&g.a.counts->interactions, g.counted.interactions);
    atomicAdd(&g.a.counts->with_cells, g.counted.with_cells);
    atomicAdd(&g.a.counts->cells_tested, g.counted.cells_tested);
}

} /* namespace koshu */

#endif
