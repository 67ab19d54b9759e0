/* SPDX-License-Identifier: MIT */
/* Far cells, which act on a walking group by a series expansion of their
 * fields. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_SERIES_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_SERIES_CUH

#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

template <class G>
KOSHU_DEVICE void
start_series(G &g)
{
    const double f = g.factor;
    const float ratio = g.factor > 0 ? g.a.relative_ratio : g.a.geometric_ratio;
    g.radius2 = gravity_r2_f32(g.half_x, g.half_y, g.half_z, 0);
    g.series_from2 = ratio * ratio * g.radius2;
    g.series_scale = (float)(g.a.series_error * (f * f) * (f * f) * f);
    for (int c = 0; c < SERIES_TERMS_f32; c++) g.lists.series[c][g.lane] = 0;
}

/* Is the group small compared to the distance of a cell of mass m? */
template <class G>
KOSHU_DEVICE bool
is_far(const G &g, float dx, float dy, float dz, float m)
{
    const float d2 = gravity_r2_f32(dx, dy, dz, g.a.cell_eps2),
                rinv = estimate(d2), size2 = rinv * rinv * g.radius2;
    return d2 > g.series_from2 && d2 > size2 * size2 * (m * g.series_scale);
}

/* Each lane adds one cell to its series, which is common to all i-particles. */
template <class G>
KOSHU_DEVICE void
add_far_cells(G &g)
{
    const unsigned count = min(g.far.n, (unsigned)LIST_HALF);
    __syncwarp(); /* the list is complete */
    if (g.takes_turn() && g.lane < count) {
        const uint32_t index = g.lists.far[g.far.first + g.lane];
        const tree_place p = g.a.tree.place[index];
        const quadrupole_cell_f32 cell = g.moments_of(index);
        const float dx = (float)g.from(p.x, g.x), dy = (float)g.from(p.y, g.y),
                    dz = (float)g.from(p.z, g.z);
        const float r2 = gravity_r2_f32(dx, dy, dz, g.a.cell_eps2);
        float c[SERIES_TERMS_f32];
        series_of_cell_f32(dx, dy, dz, &cell, estimate(r2), c);
        for (int k = !G::POTENTIAL; k < SERIES_TERMS_f32; k++)
            g.lists.series[k][g.lane] += c[k];
    }
    g.far.drop(count);
    __syncwarp(); /* and may be overwritten */
}

/* Sums the lanes' series, one term per lane and row, into the first column. */
template <class G>
KOSHU_DEVICE void
add_lanes_of_series(const G &g)
{
    enum { ROWS = (SERIES_TERMS_f32 + WARP - 1) / WARP };
    double total[ROWS] = {};
    __syncwarp();
    for (unsigned r = 0; r < ROWS; r++)
        if (r * WARP + g.lane < SERIES_TERMS_f32)
            for (unsigned k = 0; k < WARP; k++)
                total[r] +=
                        g.lists.series[r * WARP + g.lane][(k + g.lane) % WARP];
    __syncwarp();
    for (unsigned r = 0; r < ROWS; r++)
        if (r * WARP + g.lane < SERIES_TERMS_f32)
            g.lists.series[r * WARP + g.lane][0] = (float)total[r];
    __syncwarp();
}

/* Evaluates the series at the i-particles. */
template <class G>
KOSHU_DEVICE void
add_series(G &g)
{
    add_lanes_of_series(g);
    float c[SERIES_TERMS_f32];
    for (int k = 0; k < SERIES_TERMS_f32; k++) c[k] = g.lists.series[k][0];
    gravity_sum_f32 s[G::I] = {};
    for (int i = 0; i < G::I; i++)
        series_add_f32(&s[i], c, g.at[i].x, g.at[i].y, g.at[i].z);
    g.flush(s, 1);
    __syncwarp();
}

} /* namespace koshu */

#endif
