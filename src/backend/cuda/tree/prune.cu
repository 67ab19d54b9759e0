/* SPDX-License-Identifier: MIT */
/* Kernels of prune.cuh: eight lanes hold a cell against the bounds, one launch
 * for a level, from the first. */
#include <algorithm>
#include <cmath>

#include "backend/cuda/tree/rank_step.cuh"
#include "backend/cuda/tree/sum_list.cuh"

namespace koshu {

enum { LANES = 8 };

/* ---- bounds of groups ---------------------------------------------------- */

struct bounds_args {
    uint32_t groups, runs;
    const tree_group *group;
    koshu_tree_bounds *bounds;
};

/* A warp bounds groups that follow each other. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        bound_runs(const __grid_constant__ bounds_args s)
{
    wait_for_previous_kernel();
    const uint64_t thread = (uint64_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint64_t run = thread / 32;
    if (run >= s.runs) return;
    const uint32_t end = (uint32_t)((run + 1) * s.groups / s.runs);
    koshu_tree_bounds b = {{INFINITY, INFINITY, INFINITY},
                           {-INFINITY, -INFINITY, -INFINITY},
                           0};
    for (uint32_t k = (uint32_t)(run * s.groups / s.runs) + threadIdx.x % 32;
         k < end; k += 32) {
        const tree_group g = s.group[k];
        const double x[3] = {g.x, g.y, g.z};
        const float half[3] = {g.half_x, g.half_y, g.half_z};
        for (int c = 0; c < 3; c++) {
            b.low[c] = fmin(b.low[c], x[c] - half[c]);
            b.high[c] = fmax(b.high[c], x[c] + half[c]);
        }
        b.factor = fmax(b.factor, (double)g.factor);
    }
    for (unsigned other = 16; other > 0; other /= 2) {
        for (int c = 0; c < 3; c++) {
            b.low[c] = fmin(b.low[c], __shfl_xor_sync(~0u, b.low[c], other));
            b.high[c] = fmax(b.high[c], __shfl_xor_sync(~0u, b.high[c], other));
        }
        b.factor = fmax(b.factor, __shfl_xor_sync(~0u, b.factor, other));
    }
    if (threadIdx.x % 32 == 0) s.bounds[run] = b;
}

cudaError_t
bound_groups(rank_step *r, size_t *n, koshu_tree_bounds *bounds)
{
    const tree_step &s = r->step;
    const uint32_t groups = s.tree->seen->groups;
    const uint32_t runs = std::min(groups, (uint32_t)KOSHU_TREE_BOUNDS);
    KOSHU_CUDA_TRY(r->bounds.reserve(KOSHU_TREE_BOUNDS * sizeof *bounds));
    const bounds_args args = {groups, runs, s.tree->groups.as<tree_group>(),
                              r->bounds.as<koshu_tree_bounds>()};
    KOSHU_CUDA_TRY(launch(s.cuda, bound_runs, blocks_of((size_t)runs * 32),
                          ITEM_THREADS, 0, args));
    *n = runs;
    const host_copy copy = {args.bounds, bounds, runs * sizeof *bounds};
    return download(s.cuda, &copy, 1);
}

/* ---- marks --------------------------------------------------------------- */

struct prune_level_args {
    uint32_t begin, end; /* cells */
    prune_args prune;
};

/* Of the eight lanes of a cell. */
KOSHU_DEVICE bool
any_of_lanes(bool mine)
{
    const unsigned first = threadIdx.x % 32 / LANES * LANES;
    return __any_sync(0xffu << first, mine);
}

static __global__ void
__launch_bounds__(ITEM_THREADS)
        prune_level(const __grid_constant__ prune_level_args s)
{
    wait_for_previous_kernel();
    const prune_args &p = s.prune;
    const uint64_t thread = (uint64_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint32_t lane = threadIdx.x % LANES;
    const uint64_t number = s.begin + thread / LANES;
    if (number >= s.end) return;
    if (number > 0 && p.fate[number] == CELL_LEFT_OUT) return;
    const tree_cell cell = p.view.cell[number];
    const tree_place place = p.view.place[number];
    bool near = false;
    for (uint32_t k = lane; k < p.n_bounds && !near; k += LANES)
        near = opens(p.bounds[k], place, p.nearest);
    const cell_fate fate = fate_of(p, cell, any_of_lanes(near));
    if (lane == 0) p.fate[number] = fate;
    if (fate == CELL_WITH_CHILDREN && lane < cell.children)
        p.fate[cell.child + lane] = CELL_WHOLE;
}

static cudaError_t
mark_cells(const tree_step &s, const prune_args &args)
{
    const tree_levels &levels = s.tree->levels;
    prune_level_args l = {0, 0, args};
    KOSHU_CUDA_TRY(cudaMemsetAsync(
            args.fate, 0, ((size_t)args.view.n_cells + 1) * sizeof *args.fate,
            s.cuda->stream));
    for (size_t level = 0; level + 1 < levels.n; level++) {
        l.begin = levels.first[level];
        l.end = levels.first[level + 1];
        const size_t threads = (size_t)(l.end - l.begin) * LANES;
        KOSHU_CUDA_TRY(launch(s.cuda, prune_level, blocks_of(threads),
                              ITEM_THREADS, 0, l));
    }
    return cudaSuccess;
}

/* ---- the part ------------------------------------------------------------ */

static __global__ void
__launch_bounds__(ITEM_THREADS) write_part(const __grid_constant__ part_args s)
{
    wait_for_previous_kernel();
    const uint64_t thread = (uint64_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint32_t lane = threadIdx.x % LANES;
    const uint64_t number = thread / LANES;
    if (number >= s.view.n_cells || s.fate[number] == CELL_LEFT_OUT) return;
    const uint32_t at = cells_in(s.before[number]);
    const tree_cell from = s.view.cell[number];
    const tree_cell cell = cell_in_part(s, (uint32_t)number);
    if (lane == 0) {
        s.to.place[at] = s.view.place[number];
        s.to.moments[at] = s.view.moments[number];
        s.to.cell[at] = cell;
    }
    if (s.fate[number] != CELL_WITH_PARTICLES) return;
    for (uint32_t k = lane; k < from.n; k += LANES) {
        s.to.x[0][cell.first + k] = s.view.x[from.first + k];
        s.to.x[1][cell.first + k] = s.view.y[from.first + k];
        s.to.x[2][cell.first + k] = s.view.z[from.first + k];
        s.to.x[3][cell.first + k] = s.view.mass[from.first + k];
    }
}

static cudaError_t
write_cells(rank_step *r, const tree_view &view, const uint32_t *fate,
            const uint64_t *before)
{
    const tree_step &s = r->step;
    uint64_t all;
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&all, before + view.n_cells, sizeof all,
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(s.cuda->stream));
    r->cut.n_cells = cells_in(all);
    r->cut.n_particles = particles_in(all);
    r->cut.levels = s.tree->levels.n;
    KOSHU_CUDA_TRY(reserve_parts(r, r->cut.n_cells, r->cut.n_particles));
    const part_args args = {view, fate, before,
                            lay_out_parts(r->parts.as<void>(), r->cut.n_cells,
                                          r->cut.n_particles)};
    return launch(s.cuda, write_part, blocks_of((size_t)view.n_cells * LANES),
                  ITEM_THREADS, 0, args);
}

/* A walk opens cells that are nearer, whatever their reach. */
static double
nearest_of(const tree_step &s)
{
    return s.criterion.quadrupole ? sqrt((double)nearest_cell2) * s.u.length
                                  : 0;
}

cudaError_t
cut_part(rank_step *r, size_t n, const koshu_tree_bounds *bounds)
{
    const tree_step &s = r->step;
    const tree_view view = own_tree(s).view;
    tree_range *marks[3];
    const host_copy copy = {r->bounds.as<void>(),
                            const_cast<koshu_tree_bounds *>(bounds),
                            n * sizeof *bounds};
    KOSHU_CUDA_TRY(upload(s.cuda, &copy, 1));
    KOSHU_CUDA_TRY(place_ranges(s, (size_t)view.n_cells + 1, marks));
    uint64_t *before = reinterpret_cast<uint64_t *>(marks[0]);
    uint32_t *fate = reinterpret_cast<uint32_t *>(marks[1]);
    const prune_args args = {view,
                             (uint32_t)n,
                             r->bounds.as<koshu_tree_bounds>(),
                             nearest_of(s),
                             s.criterion.quadrupole ? 2u : 1u,
                             fate};
    KOSHU_CUDA_TRY(mark_cells(s, args));
    KOSHU_CUDA_TRY(count_fates(s.tree, fate, view.n_cells, before));
    return write_cells(r, view, fate, before);
}

} /* namespace koshu */
