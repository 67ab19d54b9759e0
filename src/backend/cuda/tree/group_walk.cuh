/* SPDX-License-Identifier: MIT */
/* The walk of one group by one warp; see walk.cuh. */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUP_WALK_CUH

#include "backend/cuda/tree/group_results.cuh"
#include "backend/cuda/tree/group_series.cuh"
#include "backend/cuda/tree/group_sums.cuh"

namespace koshu {

KOSHU_DEVICE float
beyond(float d, float half)
{
    return fmaxf(fabsf(d) - half, 0.0f);
}

/* The smallest value in a warp; none is negative. */
KOSHU_DEVICE float
smallest(float x)
{
#if __CUDA_ARCH__ >= 800
    return __uint_as_float(__reduce_min_sync(~0u, __float_as_uint(x)));
#else
    for (int step = WARP / 2; step > 0; step /= 2)
        x = fminf(x, __shfl_xor_sync(~0u, x, step));
    return x;
#endif
}

/* Pushes the roots; those of others are contiguous like siblings. */
template <class G>
KOSHU_DEVICE void
push_roots(G &g)
{
    const other_trees &o = g.a.others;
    const unsigned own = g.walks_own ? 1 : 0;
    g.top = own + (o.roots + 7) / 8;
    if (own && g.lane == 0) g.stack[0] = siblings::of(0, 1);
    for (unsigned k = g.lane; own + k < g.top; k += WARP)
        g.stack[own + k] =
                siblings::of(o.first_cell + 8 * k, min(o.roots - 8 * k, 8u));
}

template <class G>
KOSHU_DEVICE void
begin(G &g, const tree_group &group, bool walks_own)
{
    const double u = g.a.per_length;
    g.x = group.x * u;
    g.y = group.y * u;
    g.z = group.z * u;
    g.half_x = group.half_x * (float)u;
    g.half_y = group.half_y * (float)u;
    g.half_z = group.half_z * (float)u;
    g.factor = group.factor;
    g.first = group.first;
    g.last = group.first + group.n;
    g.wide = group.n > WARP;
    g.points = g.cells = g.far = {};
    g.leaves = {};
    g.turn = 0;
    g.walks_own = walks_own;
    g.of_others = !walks_own;
    g.with_points = walks_own ? group.n : 0;
    g.cells_tested = g.with_cells = 0;
    for (int i = 0; i < G::I; i++)
        for (int c = 0; c < 4; c++) g.sum[i][c] = 0;
    start_series(g);
}

/* Instead of moving the tree to an image, the group is moved the opposite
 * way. */
template <class G>
KOSHU_DEVICE void
begin_image(G &g, const tree_group &group, uint32_t image)
{
    push_roots(g);
    if (image == 0) return;
    const double *shift = g.a.shift[image], u = g.a.per_length;
    g.x = (group.x - shift[0]) * u;
    g.y = (group.y - shift[1]) * u;
    g.z = (group.z - shift[2]) * u;
    g.of_others = true;
}

/* ---- leaves -------------------------------------------------------------- */

/* Moves the next 32 particles of the leaves to the list. */
template <class G>
KOSHU_DEVICE void
take_particles(G &g)
{
    const leaf_particles &leaves = g.leaves;
    const unsigned k = leaves.done + g.lane;
    unsigned owner = 0; /* the first lane whose leaf ends after k */
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        const unsigned end =
                __shfl_sync(~0u, leaves.end, (int)(owner + step - 1));
        if (end <= k) owner += step;
    }
    const uint32_t begin = __shfl_sync(~0u, leaves.end - leaves.n, (int)owner);
    const uint32_t own = __shfl_sync(~0u, leaves.own, (int)owner);
    const uint32_t leaf = __shfl_sync(~0u, leaves.first, (int)owner);
    uint32_t j = leaf + (k - begin);
    if (j >= max(leaf, g.first)) j += own;
    if (k < leaves.total) put_particle(g, g.points.behind(g.lane), j);
    const unsigned n = min(leaves.total - leaves.done, (unsigned)WARP);
    g.points.n += n;
    g.with_points += n;
    g.leaves.done += n;
}

/* Lanes with a leaf append its particles to the sequence, except the group's
 * own. */
template <class G>
KOSHU_DEVICE void
open_leaves(G &g, bool mine, const tree_cell &leaf)
{
    leaf_particles &leaves = g.leaves;
    const uint32_t end = leaf.first + leaf.n;
    const uint32_t begin_own = max(leaf.first, g.first),
                   end_own = min(end, g.last);
    leaves.first = leaf.first;
    leaves.own = !g.of_others && end_own > begin_own ? end_own - begin_own : 0;
    leaves.n = mine ? leaf.n - leaves.own : 0;
    uint32_t sum = leaves.n;
    for (unsigned step = 1; step < WARP; step *= 2) {
        const uint32_t before = __shfl_up_sync(~0u, sum, step);
        if (g.lane >= step) sum += before;
    }
    leaves.end = sum;
    leaves.done = 0;
    leaves.total = __shfl_sync(~0u, sum, WARP - 1);
}

/* ---- cells --------------------------------------------------------------- */

/* Takes siblings from the stack, one cell per lane. If little space is left,
 * takes the children of one cell only, so that the stack is bounded by the
 * levels of the tree. */
template <class G>
KOSHU_DEVICE bool
take_cell(G &g, uint32_t *index)
{
    enum { ENTRIES = WARP / 8 };
    const bool fits =
            g.top + WARP - ENTRIES + 7 * g.a.levels <= g.a.stack_capacity;
    const unsigned taken = min(g.top, fits ? (unsigned)ENTRIES : 1u);
    const unsigned entry = g.lane / 8, k = g.lane % 8;
    g.top -= taken;
    siblings s = {};
    __syncwarp(); /* the stack is complete */
    if (entry < taken) s = g.stack[g.top + entry];
    __syncwarp(); /* and may be overwritten */
    *index = s.first() + k;
    return entry < taken && k < s.n();
}

/* 0 if the cell is a point. */
template <class G>
KOSHU_DEVICE float
squared_reach(const G &g, const tree_place &p)
{
    const float reach =
            fmaxf(p.reach, p.strength * g.factor) * (float)g.a.per_length;
    return reach > 0 ? fmaxf(reach * reach, g.a.nearest_cell2) : 0.0f;
}

/*
 * The box of a group may extend over more than its particles: for some in the
 * halo of a cluster it may contain the centre, and the list would be very long.
 * So cells of many particles that are small compared to the box are tested
 * against each particle of the group.
 */
template <class G>
KOSHU_DEVICE bool
spans(const G &g, const tree_cell &cell, float reach2)
{
    return cell.n > WALK_WIDTH && reach2 < g.radius2;
}

/* Also counts as distant: a tested cell that is far from all i-particles. */
template <class G>
KOSHU_DEVICE bool
far_from_all(const G &g, bool distant, bool tested, float dx, float dy,
             float dz, float reach2)
{
    unsigned left = __ballot_sync(~0u, tested && !distant);
    for (; left; left &= left - 1) {
        const int of = __ffs((int)left) - 1;
        const float cx = __shfl_sync(~0u, dx, of),
                    cy = __shfl_sync(~0u, dy, of),
                    cz = __shfl_sync(~0u, dz, of);
        float d2[G::I];
        for (int i = 0; i < G::I; i++)
            d2[i] = gravity_r2_f32(cx - g.at[i].x, cy - g.at[i].y,
                                   cz - g.at[i].z, 0);
        const float least = smallest(fminf(d2[0], d2[G::I - 1]));
        if ((int)g.lane == of) distant = least >= reach2;
    }
    return distant;
}

/* Accepts cells that act as a whole; those of no extent act as particles. */
template <class G>
KOSHU_DEVICE void
take_cells(G &g, bool whole, bool point, uint32_t index, float dx, float dy,
           float dz)
{
    float mass = 0;
    if (whole) mass = g.a.tree.moments[index].mass;
    const bool by_series = whole && !point && is_far(g, dx, dy, dz, mass);
    const unsigned as_point = __ballot_sync(~0u, point);
    const unsigned as_series = __ballot_sync(~0u, by_series);
    const unsigned as_cell = __ballot_sync(~0u, whole) & ~as_point & ~as_series;
    if (point)
        put_point<typename G::P>(
                g.lists.points, g.points.behind(lanes_before(as_point, g.lane)),
                dx, dy, dz, mass);
    else if (by_series)
        g.lists.far[g.far.behind(lanes_before(as_series, g.lane))] = index;
    else if (whole) {
        const quadrupole_cell_f32 q = g.moments_of(index);
        put_cell(g.lists.cells, g.cells.behind(lanes_before(as_cell, g.lane)),
                 dx, dy, dz, quadrupole_reduce_f32(&q, g.a.cell_eps2));
    }
    const unsigned n_points = (unsigned)__popc(as_point),
                   n_series = (unsigned)__popc(as_series),
                   n_cells = (unsigned)__popc(as_cell);
    g.points.n += n_points;
    g.far.n += n_series;
    g.cells.n += n_cells;
    g.with_points += g.a.monopole ? n_points : 0;
    g.with_cells += n_cells + n_series + (g.a.monopole ? 0 : n_points);
}

template <class G>
KOSHU_DEVICE void
test_cells(G &g)
{
    uint32_t index;
    const bool there = take_cell(g, &index);
    tree_cell cell = {};
    float dx = 0, dy = 0, dz = 0, reach2 = 0;
    bool distant = false;
    if (there) {
        const tree_place p = g.a.tree.place[index];
        cell = g.a.tree.cell[index];
        dx = (float)g.from(p.x, g.x);
        dy = (float)g.from(p.y, g.y);
        dz = (float)g.from(p.z, g.z);
        reach2 = squared_reach(g, p);
        const float ex = beyond(dx, g.half_x), ey = beyond(dy, g.half_y),
                    ez = beyond(dz, g.half_z);
        distant = ex * ex + ey * ey + ez * ez >= reach2 ||
                  cell.children == ALWAYS_WHOLE;
    }
    const bool apart = g.of_others || cell.first >= g.last ||
                       cell.first + cell.n <= g.first;
    const bool few = cell.n <= g.a.few;
    distant = far_from_all(g, distant, there && apart && spans(g, cell, reach2),
                           dx, dy, dz, reach2);
    const bool whole = there && distant && apart && !few;
    const bool single = there && (few || (!whole && cell.children == 0));
    const bool open = there && !whole && !single;
    g.cells_tested += (unsigned)__popc(__ballot_sync(~0u, there));
    const unsigned to_open = __ballot_sync(~0u, open);
    if (open)
        g.stack[g.top + lanes_before(to_open, g.lane)] =
                siblings::of(cell.child, cell.children);
    g.top += (unsigned)__popc(to_open);
    take_cells(g, whole, whole && (g.a.monopole || reach2 == 0), index, dx, dy,
               dz);
    open_leaves(g, single, cell);
}

/* ---- the walk ------------------------------------------------------------ */

/* Lists of far cells are relative to the image, so they are completed for each
 * image; the other lists, and the sums, are relative to the group, and continue
 * with the next image. */
template <class G>
KOSHU_DEVICE void
walk_image(G &g, bool last)
{
    for (;;) {
        const bool over = g.top == 0 && g.leaves.done == g.leaves.total;
        const bool ends = over && last;
        if (g.points.n >= LIST_HALF || (ends && g.points.n > 0))
            add_points(g);
        else if (g.cells.n >= LIST_HALF || (ends && g.cells.n > 0))
            add_cells(g);
        else if (g.far.n >= LIST_HALF || (over && g.far.n > 0))
            add_far_cells(g);
        else if (over)
            break;
        else if (g.leaves.done < g.leaves.total)
            take_particles(g);
        else
            test_cells(g);
    }
}

/* Does part `index` of all walks; the parts of a group are consecutive. */
template <class G>
KOSHU_DEVICE void
walk(G &g, unsigned index)
{
    const uint32_t number = g.a.begin + index / g.a.parts;
    const tree_group &group = g.a.tree.group[number];
    g.part = index % g.a.parts;
    begin(g, group, number < g.a.own_end);
    load_own(g);
    if (g.walks_own && g.takes_turn()) sum_own(g);
    for (uint32_t image = 0; image < g.a.images; image++) {
        begin_image(g, group, image);
        walk_image(g, image == g.a.images - 1);
    }
    add_series(g);
    give(g, index);
}

} /* namespace koshu */

#endif
