/* SPDX-License-Identifier: MIT */
/* The lists of a walking group, of particles and of cells, and their sums. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_SUMS_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_SUMS_CUH

#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

enum { UNROLL_POINTS = 4, UNROLL_CELLS = 2 };

/* Puts particle j of `from` into the list. */
template <class G, class Particles>
KOSHU_DEVICE void
put_particle_of(const G &g, unsigned k, const Particles &from, uint32_t j)
{
    put_point<typename G::P>(g.lists.points, k, g.from(from.x[j], g.x),
                             g.from(from.y[j], g.y), g.from(from.z[j], g.z),
                             (float)(from.mass[j] * g.a.per_mass));
}

/* The same for a particle of the tree or of the others'. */
template <class G>
KOSHU_DEVICE void
put_particle(const G &g, unsigned k, uint32_t j)
{
    const other_trees &others = g.a.others;
    if (j < others.first_particle)
        put_particle_of(g, k, g.a.tree, j);
    else
        put_particle_of(g, k, others, j - others.first_particle);
}

template <class G>
KOSHU_DEVICE void
put_padding_particle(const G &g, unsigned k)
{
    put_point<typename G::P>(g.lists.points, k, padding_coordinate,
                             padding_coordinate, padding_coordinate, 0);
}

/* ---- the group's own particles ------------------------------------------- */

template <class G>
KOSHU_DEVICE void
load_own(G &g)
{
    for (int i = 0; i < G::I; i++) {
        const unsigned k = g.lane + WARP * i;
        if (g.first + k < g.last)
            put_particle_of(g, k, g.a.tree, g.first + k);
        else
            put_padding_particle(g, k);
    }
    __syncwarp();
    for (int i = 0; i < G::I; i++)
        g.at[i] = get_point<typename G::P>(
                g.lists.points, min(g.lane + WARP * i, g.last - g.first - 1));
}

/* The forces of the group's particles on each other. */
template <class G>
KOSHU_DEVICE void
sum_own(G &g)
{
    using P = typename G::P;
    const unsigned n = g.last - g.first;
    unsigned self[G::I];
    for (int i = 0; i < G::I; i++) self[i] = g.lane + WARP * i;
    typename P::sum s[G::I] = {};
    if (g.wide)
        sum_points<P, G::ZERO_SAFE, true, G::I, 1>(s, g.at, g.lists.points, 0,
                                                   n, g.a.soft, self);
    else
        sum_points<P, G::ZERO_SAFE, true, 1, 1>(s, g.at, g.lists.points, 0, n,
                                                g.a.soft, self);
    g.flush(s, P::a_factor);
}

/* ---- halves of lists ----------------------------------------------------- */

/* Number of elements of a half to sum; less than all only at the end of a
 * walk. */
template <int UNROLL>
KOSHU_DEVICE unsigned
rounded(unsigned n)
{
    return min((n + UNROLL - 1) / UNROLL * UNROLL, (unsigned)LIST_HALF);
}

template <class G>
KOSHU_DEVICE void
sum_half_of_points(G &g)
{
    using P = typename G::P;
    const unsigned count = rounded<UNROLL_POINTS>(g.points.n);
    if (g.points.n + g.lane < count)
        put_padding_particle(g, g.points.behind(g.lane));
    __syncwarp();
    typename P::sum s[G::I] = {};
    if (g.wide)
        sum_points<P, G::ZERO_SAFE, false, G::I, UNROLL_POINTS>(
                s, g.at, g.lists.points, g.points.first, count, g.a.soft,
                nullptr);
    else
        sum_points<P, G::ZERO_SAFE, false, 1, UNROLL_POINTS>(
                s, g.at, g.lists.points, g.points.first, count, g.a.soft,
                nullptr);
    g.flush(s, P::a_factor);
}

template <class G>
KOSHU_DEVICE void
add_points(G &g)
{
    if (g.takes_turn()) sum_half_of_points(g);
    g.points.drop(min(g.points.n, (unsigned)LIST_HALF));
    __syncwarp(); /* all lanes have finished with it */
}

template <class G>
KOSHU_DEVICE void
sum_half_of_cells(G &g)
{
    using P = typename G::P;
    const unsigned count = rounded<UNROLL_CELLS>(g.cells.n);
    if (g.cells.n + g.lane < count)
        put_cell(g.lists.cells, g.cells.behind(g.lane), padding_coordinate,
                 padding_coordinate, padding_coordinate, {});
    __syncwarp();
    gravity_sum_f32 s[G::I] = {};
    if (g.wide)
        sum_cells<P, G::I, UNROLL_CELLS>(s, g.at, g.lists.cells, g.cells.first,
                                         count, g.a.cell_eps2);
    else
        sum_cells<P, 1, UNROLL_CELLS>(s, g.at, g.lists.cells, g.cells.first,
                                      count, g.a.cell_eps2);
    g.flush(s, 1);
}

template <class G>
KOSHU_DEVICE void
add_cells(G &g)
{
    if (g.takes_turn()) sum_half_of_cells(g);
    g.cells.drop(min(g.cells.n, (unsigned)LIST_HALF));
    __syncwarp();
}

} /* namespace koshu */

#endif
