/* SPDX-License-Identifier: MIT */
/*
 * Finds the part of the tree that leaves of another rank need, on the device
 * (see fmm/essential.c). Eight lanes compare a cell with the boxes of those
 * leaves; one launch for each level, from the root down. Each opened cell marks
 * its children; marked cells are then numbered in their order.
 */
#include <algorithm>
#include <cstring>

#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/tree/nested_boxes.cuh"
#include "backend/cuda/tree/rank_step.cuh"
#include "kernels/box_distance.h"

namespace koshu {

enum { LANES = BOX_LANES };

/* Levels of nested boxes. */
enum { TARGET_LEVELS = 4 };

/* ---- boxes of leaves ----------------------------------------------------- */

/*
 * Consecutive leaves are grouped in boxes that are neither large nor hold many
 * particles: a box ends where one of the largest cells begins, and after each
 * of PARTS equal parts of all particles. A box with a few large leaves and many
 * small ones would request too much.
 */
enum {
    MAX_RUNS = KOSHU_FMM_PART_TARGETS,
    LARGEST_CELLS = MAX_RUNS / 2,
    PARTS = MAX_RUNS - LARGEST_CELLS
};

/* Bit patterns as integers, for the device's atomics. radius 0: no leaf. */
struct leaf_run {
    unsigned long long low[3], high[3], radius;
};

/* The first particle of each run of leaves. */
struct leaf_runs {
    uint32_t n, first[MAX_RUNS];
};

/* Cells are stored by level. */
static cudaError_t
divide_leaves(const fmm_step &s, uint32_t n, leaf_runs *runs)
{
    tree_cell cell[LARGEST_CELLS];
    const uint32_t cells = std::min(s.view.n_cells, (uint32_t)LARGEST_CELLS);
    const host_copy copy = {const_cast<tree_cell *>(s.view.cell), cell,
                            cells * sizeof *cell};
    KOSHU_CUDA_TRY(download(s.cuda, &copy, 1));
    uint32_t all = 0;
    uint32_t *const first = runs->first;
    for (uint32_t k = 0; k < cells; k++) first[all++] = cell[k].first;
    for (uint64_t k = 0; k < PARTS; k++)
        first[all++] = (uint32_t)(k * n / PARTS);
    std::sort(first, first + all);
    runs->n = 0;
    for (uint32_t k = 0; k < all; k++)
        if (k == 0 || first[k] != first[k - 1]) first[runs->n++] = first[k];
    return cudaSuccess;
}

/* The last run that begins at or before this particle. */
KOSHU_DEVICE uint32_t
run_of(const uint32_t *first, uint32_t n, uint32_t particle)
{
    uint32_t low = 0;
    for (uint32_t high = n; high - low > 1;) {
        const uint32_t middle = (low + high) / 2;
        (first[middle] <= particle ? low : high) = middle;
    }
    return low;
}

static cudaError_t
measure_runs(const fmm_step &s, uint32_t n, const uint32_t *first,
             leaf_run *run)
{
    const fmm_view v = s.view;
    KOSHU_CUDA_TRY(for_each(s.cuda, n, [=] __device__(size_t k) {
        run[k] = {{~0ull, ~0ull, ~0ull}, {0, 0, 0}, 0};
    }));
    return for_each(s.cuda, v.n_cells, [=] __device__(size_t k) {
        const tree_cell cell = v.cell[k];
        if (cell.children > 0) return;
        const fmm_place p = v.place[k];
        const double x[3] = {p.x, p.y, p.z};
        leaf_run *const to = &run[run_of(first, n, cell.first)];
        for (int c = 0; c < 3; c++) {
            atomicMin(&to->low[c], (unsigned long long)ordered(x[c]));
            atomicMax(&to->high[c], (unsigned long long)ordered(x[c]));
        }
        atomicMax(&to->radius, (unsigned long long)ordered(fabs(p.radius)));
    });
}

static koshu_fmm_target
target_of(const leaf_run &run)
{
    koshu_fmm_target t;
    for (int c = 0; c < 3; c++) {
        t.low[c] = from_ordered(run.low[c]);
        t.high[c] = from_ordered(run.high[c]);
    }
    t.radius = from_ordered(run.radius);
    return t;
}

/* Runs are copied through the memory of the targets. */
static_assert(sizeof(leaf_run) == sizeof(koshu_fmm_target), "");

cudaError_t
bound_leaves(fmm_rank_step *r, size_t *n, koshu_fmm_target *target)
{
    const fmm_step &s = r->own;
    leaf_runs runs;
    const size_t nested =
            count_nested(MAX_RUNS, TARGET_LEVELS) * sizeof(leaf_run);
    KOSHU_CUDA_TRY(r->targets.reserve(
            std::max(nested, MAX_RUNS * sizeof(leaf_run) + sizeof runs.first)));
    leaf_run *const run = r->targets.as<leaf_run>();
    uint32_t *const first = reinterpret_cast<uint32_t *>(run + MAX_RUNS);
    KOSHU_CUDA_TRY(divide_leaves(s, r->n, &runs));
    const host_copy up = {first, runs.first, runs.n * sizeof *first},
                    down = {run, target, runs.n * sizeof *run};
    KOSHU_CUDA_TRY(upload(s.cuda, &up, 1));
    KOSHU_CUDA_TRY(measure_runs(s, runs.n, first, run));
    KOSHU_CUDA_TRY(download(s.cuda, &down, 1));
    *n = 0;
    for (uint32_t k = 0; k < runs.n; k++) {
        leaf_run seen;
        memcpy(&seen, &target[k], sizeof seen);
        if (seen.radius != 0) target[(*n)++] = target_of(seen);
    }
    return cudaSuccess;
}

/* ---- marks --------------------------------------------------------------- */

struct essential_args {
    fmm_level level; /* cells */
    fmm_view view;
    nested_boxes<koshu_fmm_target, TARGET_LEVELS> targets;
    koshu_opening opening;
    double apart;
    uint32_t *fate; /* of each cell; of the last level, with one extra,
                       excluded */
};

/* The other rank rounds distances differently: they may differ by this much. */
constexpr double rounding = 1e-12;

/* Whether a cell is far from every leaf there, and from any cell of its own
 * size at the place of one. Then lists there find it far, or divide the target.
 * In a periodic box, a cell far from the nearest image is far from all. */
KOSHU_DEVICE bool
is_far(const essential_args &s, const fmm_place &p, const koshu_fmm_target &t)
{
    const double x[3] = {p.x, p.y, p.z}, radius = fabs(p.radius);
    const double edge = s.view.images.edge;
    const double d2 = koshu_box_distance2(x, t.low, t.high, edge);
    const double d = sqrt(d2) * (1 - rounding) - edge * rounding;
    const double both = radius + fmax(radius, t.radius);
    return both <= koshu_opening_theta(&s.opening, both) * d &&
           d - both >= s.apart;
}

/* A cell whose particles are all at one point is not divided. */
KOSHU_DEVICE cell_fate
fate_of(const tree_cell &cell, const fmm_place &place, bool near)
{
    if (!near) return CELL_WHOLE;
    return cell.children == 0 || place.radius < 0 ? CELL_WITH_PARTICLES
                                                  : CELL_WITH_CHILDREN;
}

static __global__ void
__launch_bounds__(ITEM_THREADS)
        mark_essential(const __grid_constant__ essential_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint32_t lane = threadIdx.x % LANES;
    const size_t number = s.level.begin + thread / LANES;
    if (number >= s.level.end) return;
    if (number > 0 && s.fate[number] == CELL_LEFT_OUT) return;
    const tree_cell cell = s.view.cell[number];
    const fmm_place place = s.view.place[number];
    const bool near = any_target(s.targets, [&](const koshu_fmm_target &t) {
        return !is_far(s, place, t);
    });
    const cell_fate fate = fate_of(cell, place, near);
    if (lane == 0) s.fate[number] = fate;
    if (fate == CELL_WITH_CHILDREN && lane < cell.children)
        s.fate[cell.child + lane] = CELL_WHOLE;
}

static cudaError_t
mark_cells(const fmm_step &s, const essential_args &args)
{
    essential_args a = args;
    KOSHU_CUDA_TRY(cudaMemsetAsync(
            a.fate, 0, ((size_t)s.view.n_cells + 1) * sizeof *a.fate,
            s.cuda->stream));
    for (size_t level = 0; level < count_levels(s); level++) {
        a.level = level_of(s, level);
        const size_t threads = (size_t)(a.level.end - a.level.begin) * LANES;
        KOSHU_CUDA_TRY(launch(s.cuda, mark_essential, blocks_of(threads),
                              ITEM_THREADS, 0, a));
    }
    return cudaSuccess;
}

/* ---- the part ------------------------------------------------------------ */

/* What is sent of each cell, and how much is sent of those before it. */
struct part_numbers {
    const tree_cell *cell;
    const uint32_t *fate;
    const uint64_t *before;
};

/* The cell as numbered in the part. */
KOSHU_DEVICE tree_cell
cell_in_part(const part_numbers &s, uint32_t number)
{
    const tree_cell cell = s.cell[number];
    switch (s.fate[number]) {
    case CELL_WITH_PARTICLES:
        return {particles_in(s.before[number]), cell.n, 0, 0};
    case CELL_WITH_CHILDREN:
        return {0, cell.n, cells_in(s.before[cell.child]), cell.children};
    default: return {0, cell.n, 0, ALWAYS_WHOLE};
    }
}

struct essential_part_args {
    fmm_view view;
    part_numbers numbers;
    size_t row_bytes;
    fmm_part_arrays to;
};

/* Eight lanes for each cell; rows consist of whole memory sectors. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        write_essential(const __grid_constant__ essential_part_args s)
{
    wait_for_previous_kernel();
    const part_numbers &p = s.numbers;
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint32_t lane = threadIdx.x % LANES;
    const size_t number = thread / LANES;
    if (number >= s.view.n_cells || p.fate[number] == CELL_LEFT_OUT) return;
    const uint32_t at = cells_in(p.before[number]);
    const tree_cell from = s.view.cell[number];
    const tree_cell cell = cell_in_part(p, (uint32_t)number);
    const char *rows = static_cast<const char *>(s.view.multipole);
    const uint4 *row =
            reinterpret_cast<const uint4 *>(rows + number * s.row_bytes);
    uint4 *const to = reinterpret_cast<uint4 *>(s.to.row + at * s.row_bytes);
    if (lane == 0) {
        s.to.place[at] = s.view.place[number];
        s.to.cell[at] = cell;
    }
    for (size_t k = lane; k < s.row_bytes / sizeof *to; k += LANES)
        to[k] = row[k];
    if (p.fate[number] != CELL_WITH_PARTICLES) return;
    for (uint32_t k = lane; k < from.n; k += LANES) {
        s.to.x[0][cell.first + k] = s.view.x[from.first + k];
        s.to.x[1][cell.first + k] = s.view.y[from.first + k];
        s.to.x[2][cell.first + k] = s.view.z[from.first + k];
        s.to.x[3][cell.first + k] = s.view.mass[from.first + k];
    }
}

static cudaError_t
write_cells(const fmm_step &s, const part_numbers &numbers, fmm_cut *cut)
{
    uint64_t all;
    KOSHU_CUDA_TRY(cudaMemcpyAsync(&all, numbers.before + s.view.n_cells,
                                   sizeof all, cudaMemcpyDeviceToHost,
                                   s.cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(s.cuda->stream));
    const size_t cells = cells_in(all), particles = particles_in(all),
                 bytes = bytes_of_parts(s, cells, particles);
    cut->numbers = {cells, particles, count_levels(s)};
    if (!cut->memory.has(bytes))
        KOSHU_CUDA_TRY(cut->memory.reserve(bytes + bytes / 16));
    KOSHU_CUDA_TRY(
            cudaStreamWaitEvent(s.cuda->stream, s.fmm->event[FMM_UP_END], 0));
    const essential_part_args args = {
            s.view, numbers, row_bytes_of(s),
            lay_out_parts(s, cut->memory.as<void>(), cells, particles)};
    return launch(s.cuda, write_essential,
                  blocks_of((size_t)s.view.n_cells * LANES), ITEM_THREADS, 0,
                  args);
}

/* Marks are kept where the accelerations will be: see sum_own(). */
cudaError_t
cut_part(fmm_rank_step *r, size_t n, const koshu_fmm_target *target,
         fmm_cut *cut)
{
    const fmm_step &s = r->own;
    const uint32_t cells = s.view.n_cells;
    essential_args args = {
            {},     s.view, {}, s.opening, nearest_cells(s.view.softening),
            nullptr};
    tree_range *marks[3];
    KOSHU_CUDA_TRY(upload_nested(s.cuda, n, target, &koshu_fmm_target::radius,
                                 r->targets.as<koshu_fmm_target>(),
                                 &args.targets));
    KOSHU_CUDA_TRY(place_ranges(s.tree, (size_t)cells + 1, marks));
    uint64_t *const before = reinterpret_cast<uint64_t *>(marks[0]);
    uint32_t *const fate = reinterpret_cast<uint32_t *>(marks[1]);
    args.fate = fate;
    KOSHU_CUDA_TRY(mark_cells(s, args));
    KOSHU_CUDA_TRY(count_fates(s.tree.tree, fate, cells, before));
    return write_cells(s, {s.view.cell, fate, before}, cut);
}

} /* namespace koshu */
