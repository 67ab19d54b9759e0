/* SPDX-License-Identifier: MIT */
/*
 * What leaves of another rank ask of the tree, on the device (fmm/essential.c):
 * eight lanes hold a cell against the boxes of these leaves, one launch for a
 * level, from the first. Each cell that is opened marks its children; what is
 * marked is then numbered, in the order that it has.
 */
#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/tree/rank_step.cuh"

namespace koshu {

enum { LANES = 8 };

/* ---- boxes of leaves ----------------------------------------------------- */

/* Leaves that follow each other in the order of the tree: so many particles'.
 */
enum { LEAF_RUNS = 256 };

/* As integers, so that the device's atomics find it. radius 0: has no leaf. */
struct leaf_run {
    unsigned long long low[3], high[3], radius;
};

static cudaError_t
measure_runs(const fmm_step &s, uint32_t n, uint32_t runs, leaf_run *run)
{
    const fmm_view v = s.view;
    KOSHU_CUDA_TRY(for_each(s.cuda, runs, [=] __device__(size_t k) {
        run[k] = {{~0ull, ~0ull, ~0ull}, {0, 0, 0}, 0};
    }));
    return for_each(s.cuda, v.n_cells, [=] __device__(size_t k) {
        const tree_cell cell = v.cell[k];
        if (cell.children > 0) return;
        const fmm_place p = v.place[k];
        const double x[3] = {p.x, p.y, p.z};
        leaf_run *const to = run + (uint64_t)cell.first * runs / n;
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

cudaError_t
bound_leaves(fmm_rank_step *r, size_t *n, koshu_fmm_target *target)
{
    leaf_run seen[LEAF_RUNS];
    const uint32_t runs = std::min(r->n, (uint32_t)LEAF_RUNS);
    KOSHU_CUDA_TRY(r->targets.reserve(KOSHU_FMM_TARGETS * sizeof *target));
    static_assert(sizeof seen <= KOSHU_FMM_TARGETS * sizeof *target, "");
    leaf_run *const run = r->targets.as<leaf_run>();
    KOSHU_CUDA_TRY(measure_runs(r->own, r->n, runs, run));
    const host_copy copy = {run, seen, runs * sizeof *seen};
    KOSHU_CUDA_TRY(download(r->own.cuda, &copy, 1));
    *n = 0;
    for (uint32_t k = 0; k < runs; k++)
        if (seen[k].radius != 0) target[(*n)++] = target_of(seen[k]);
    return cudaSuccess;
}

/* ---- marks --------------------------------------------------------------- */

struct essential_args {
    fmm_level level; /* cells */
    fmm_view view;
    uint32_t n;
    const koshu_fmm_target *target;
    double theta, apart;
    uint32_t *fate; /* of each cell; of the last, and one more, left out */
};

/* Distances are computed in another way there: by so much they may differ. */
constexpr double rounding = 1e-12;

/* From every leaf there, and from any cell of its own size in the place of one:
 * then lists there find it far, or cut the target. */
KOSHU_DEVICE bool
is_far(const essential_args &s, const fmm_place &p, const koshu_fmm_target &t)
{
    const double x[3] = {p.x, p.y, p.z}, radius = fabs(p.radius);
    double d2 = 0;
    for (int c = 0; c < 3; c++) {
        const double d = fmax(fmax(t.low[c] - x[c], x[c] - t.high[c]), 0.0);
        d2 += d * d;
    }
    const double d = sqrt(d2) * (1 - rounding);
    const double both = radius + fmax(radius, t.radius);
    return both <= s.theta * d && d - both >= s.apart;
}

/* What is in one point is not cut. */
KOSHU_DEVICE cell_fate
fate_of(const tree_cell &cell, const fmm_place &place, bool near)
{
    if (!near) return CELL_WHOLE;
    return cell.children == 0 || place.radius < 0 ? CELL_WITH_PARTICLES
                                                  : CELL_WITH_CHILDREN;
}

/* Of the eight lanes of a cell. */
KOSHU_DEVICE bool
any_of_lanes(bool mine)
{
    const unsigned first = threadIdx.x % WARP / LANES * LANES;
    return __any_sync(0xffu << first, mine);
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
    bool near = false;
    for (uint32_t k = lane; k < s.n && !near; k += LANES)
        near = !is_far(s, place, s.target[k]);
    const cell_fate fate = fate_of(cell, place, any_of_lanes(near));
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

/* What goes of some cells, and the counts of those before each. */
struct part_numbers {
    const tree_cell *cell;
    const uint32_t *fate;
    const uint64_t *before;
};

/* A cell as it is in the part. */
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

/* Eight lanes for each cell; rows are whole sectors of memory. */
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
    koshu_fmm_part *const to = &cut->numbers;
    to->n_cells = cells_in(all);
    to->n_particles = particles_in(all);
    to->levels = count_levels(s);
    essential_part_args args = {s.view, numbers, row_bytes_of(s), {}};
    KOSHU_CUDA_TRY(reserve_part(s, to->n_cells, to->n_particles, &cut->memory,
                                &args.to));
    return launch(s.cuda, write_essential,
                  blocks_of((size_t)s.view.n_cells * LANES), ITEM_THREADS, 0,
                  args);
}

/* Marks lie where the accelerations will be. */
cudaError_t
cut_part(fmm_rank_step *r, size_t n, const koshu_fmm_target *target,
         fmm_cut *cut)
{
    const fmm_step &s = r->own;
    const uint32_t cells = s.view.n_cells;
    const host_copy copy = {r->targets.as<void>(),
                            const_cast<koshu_fmm_target *>(target),
                            n * sizeof *target};
    tree_range *marks[3];
    KOSHU_CUDA_TRY(upload(s.cuda, &copy, 1));
    KOSHU_CUDA_TRY(place_ranges(s.tree, (size_t)cells + 1, marks));
    uint64_t *const before = reinterpret_cast<uint64_t *>(marks[0]);
    uint32_t *const fate = reinterpret_cast<uint32_t *>(marks[1]);
    KOSHU_CUDA_TRY(mark_cells(s, {{},
                                  s.view,
                                  (uint32_t)n,
                                  r->targets.as<koshu_fmm_target>(),
                                  s.theta,
                                  nearest_cells(s.view.softening),
                                  fate}));
    KOSHU_CUDA_TRY(count_fates(s.tree.tree, fate, cells, before));
    KOSHU_CUDA_TRY(write_cells(s, {s.view.cell, fate, before}, cut));
    return cudaEventRecord(r->is_cut, s.cuda->stream);
}

} /* namespace koshu */
