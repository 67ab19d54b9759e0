/* SPDX-License-Identifier: MIT */
/* The kernels of prune.cuh: eight lanes test a cell against the bounds, with
 * one launch per level, from the first down. */
#include <algorithm>
#include <cmath>

#include "backend/cuda/tree/nested_boxes.cuh"
#include "backend/cuda/tree/rank_step.cuh"
#include "backend/cuda/tree/sum_list.cuh"

namespace koshu {

enum { LANES = BOX_LANES };

/* Levels of nested boxes. */
enum { BOUND_LEVELS = 3 };

/* Groups of cells with at most 1 / BOUNDED_PARTS of the particles have bounds
 * of their own: about three times as many bounds. */
enum { BOUNDED_PARTS = 64 };

/* ---- bounds of groups ---------------------------------------------------- */

/*
 * Consecutive groups are bounded together as long as they start in the same
 * cell of few particles. A run across cells might have a box that contains what
 * is between them, like the core of a cluster between parts of its halo.
 */
struct runs_args {
    tree_view view;
    uint32_t max_n; /* largest number of particles of such a cell */
    uint32_t words; /* of bits, one per group that starts a run; the next word
                     * is zero */
    uint32_t *bits;
    const uint32_t *before; /* number of bits before each word */
    uint32_t *begin;        /* first group of each run */
    found_bounds *found;
};

KOSHU_DEVICE uint32_t
cell_of(const runs_args &s, uint32_t group)
{
    const uint32_t particle = s.view.group[group].first;
    uint32_t at = 0;
    for (;;) {
        const tree_cell cell = s.view.cell[at];
        if (cell.n <= s.max_n || cell.children == 0) return at;
        at = cell.child;
        while (s.view.cell[at].first + s.view.cell[at].n <= particle) at++;
    }
}

static __global__ void
__launch_bounds__(ITEM_THREADS) mark_runs(const __grid_constant__ runs_args s)
{
    wait_for_previous_kernel();
    const uint32_t k = blockIdx.x * ITEM_THREADS + threadIdx.x;
    const bool begins = k < s.view.n_groups &&
                        (k == 0 || cell_of(s, k) != cell_of(s, k - 1));
    const uint32_t word = __ballot_sync(~0u, begins);
    if (k % 32 == 0 && k / 32 <= s.words) s.bits[k / 32] = word;
}

/* Groups beyond the last available bounds belong to its run. */
KOSHU_DEVICE uint32_t
count_runs(const runs_args &s)
{
    return min(s.before[s.words], (uint32_t)KOSHU_TREE_BOUNDS);
}

static __global__ void
__launch_bounds__(ITEM_THREADS) list_runs(const __grid_constant__ runs_args s)
{
    wait_for_previous_kernel();
    const uint32_t word = blockIdx.x * ITEM_THREADS + threadIdx.x;
    if (word >= s.words) return;
    uint32_t run = s.before[word];
    for (uint32_t left = s.bits[word]; left != 0; left &= left - 1, run++)
        if (run < KOSHU_TREE_BOUNDS)
            s.begin[run] = 32 * word + count_bits((left & -left) - 1);
}

KOSHU_DEVICE koshu_tree_bounds
bounds_of_nothing()
{
    return {{INFINITY, INFINITY, INFINITY},
            {-INFINITY, -INFINITY, -INFINITY},
            0};
}

KOSHU_DEVICE void
add_group(const tree_group &g, koshu_tree_bounds *b)
{
    const double x[3] = {g.x, g.y, g.z};
    const float half[3] = {g.half_x, g.half_y, g.half_z};
    for (int c = 0; c < 3; c++) {
        b->low[c] = fmin(b->low[c], x[c] - half[c]);
        b->high[c] = fmax(b->high[c], x[c] + half[c]);
    }
    b->factor = fmax(b->factor, (double)g.factor);
}

/* Combines a warp's values, with the result in each lane. */
KOSHU_DEVICE void
gather_warp(koshu_tree_bounds *b)
{
    for (unsigned other = 16; other > 0; other /= 2) {
        for (int c = 0; c < 3; c++) {
            b->low[c] = fmin(b->low[c], __shfl_xor_sync(~0u, b->low[c], other));
            b->high[c] =
                    fmax(b->high[c], __shfl_xor_sync(~0u, b->high[c], other));
        }
        b->factor = fmax(b->factor, __shfl_xor_sync(~0u, b->factor, other));
    }
}

/* A block computes the bounds of one run. */
static __global__ void
__launch_bounds__(ITEM_THREADS) bound_runs(const __grid_constant__ runs_args s)
{
    enum { WARPS = ITEM_THREADS / WARP };
    __shared__ koshu_tree_bounds of_warp[WARPS];
    wait_for_previous_kernel();
    const uint32_t runs = count_runs(s), run = blockIdx.x;
    if (run == 0 && threadIdx.x == 0) s.found->n = runs;
    if (run >= runs) return;
    const uint32_t end = run + 1 < runs ? s.begin[run + 1] : s.view.n_groups;
    koshu_tree_bounds b = bounds_of_nothing();
    for (uint32_t k = s.begin[run] + threadIdx.x; k < end; k += ITEM_THREADS)
        add_group(s.view.group[k], &b);
    gather_warp(&b);
    if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = b;
    __syncthreads();
    if (threadIdx.x >= WARP) return;
    b = threadIdx.x < WARPS ? of_warp[threadIdx.x] : bounds_of_nothing();
    gather_warp(&b);
    if (threadIdx.x == 0) s.found->bounds[run] = b;
}

/* Places the bounds, and the scratch memory for finding them. */
static cudaError_t
place_runs(rank_step *r, runs_args *args)
{
    const tree_step &s = r->step;
    const uint32_t groups = s.tree->seen->groups, words = (groups + 31) / 32;
    const size_t u32 = 2 * ((size_t)words + 1) + KOSHU_TREE_BOUNDS;
    const size_t nested = count_nested(KOSHU_TREE_BOUNDS, BOUND_LEVELS) *
                          sizeof(koshu_tree_bounds);
    KOSHU_CUDA_TRY(r->bounds.reserve(
            std::max(nested, sizeof(found_bounds) + u32 * sizeof(uint32_t))));
    args->view = own_tree(s).view;
    args->max_n = std::max(s.n / BOUNDED_PARTS, 1u);
    args->words = words;
    args->found = r->bounds.as<found_bounds>();
    args->begin = reinterpret_cast<uint32_t *>(args->found + 1);
    args->bits = args->begin + KOSHU_TREE_BOUNDS;
    args->before = args->bits + words + 1;
    return cudaSuccess;
}

cudaError_t
bound_groups(rank_step *r)
{
    const tree_step &s = r->step;
    runs_args args;
    KOSHU_CUDA_TRY(place_runs(r, &args));
    KOSHU_CUDA_TRY(launch(s.cuda, mark_runs,
                          blocks_of(32 * ((size_t)args.words + 1)),
                          ITEM_THREADS, 0, args));
    KOSHU_CUDA_TRY(count_before(s.tree, args.bits,
                                const_cast<uint32_t *>(args.before),
                                args.words + 1));
    KOSHU_CUDA_TRY(launch(s.cuda, list_runs, blocks_of(args.words),
                          ITEM_THREADS, 0, args));
    KOSHU_CUDA_TRY(launch(s.cuda, bound_runs, KOSHU_TREE_BOUNDS, ITEM_THREADS,
                          0, args));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(r->bounds_on_host.as<void>(), args.found,
                                   sizeof *args.found, cudaMemcpyDeviceToHost,
                                   s.cuda->stream));
    return cudaEventRecord(r->bounded, s.cuda->stream);
}

/* ---- marks --------------------------------------------------------------- */

struct prune_level_args {
    uint32_t begin, end; /* cells */
    prune_args prune;
    nested_boxes<koshu_tree_bounds, BOUND_LEVELS> bounds;
};

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
    const bool near = any_target(s.bounds, [&](const koshu_tree_bounds &b) {
        return opens(b, place, p.nearest, p.edge);
    });
    const cell_fate fate = fate_of(p, cell, near);
    if (lane == 0) p.fate[number] = fate;
    if (fate == CELL_WITH_CHILDREN && lane < cell.children)
        p.fate[cell.child + lane] = CELL_WHOLE;
}

static cudaError_t
mark_cells(const tree_step &s, prune_level_args l)
{
    const tree_levels &levels = s.tree->levels;
    const size_t cells = (size_t)l.prune.view.n_cells + 1;
    KOSHU_CUDA_TRY(cudaMemsetAsync(
            l.prune.fate, 0, cells * sizeof *l.prune.fate, s.cuda->stream));
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
    if (!fits(s)) return;
    const uint32_t at = cells_in(s.before[number]),
                   first = particles_in(s.before[number]);
    const tree_cell from = s.view.cell[number];
    if (lane == 0) {
        s.to.place[at] = s.view.place[number];
        s.to.moments[at] = s.view.moments[number];
        s.to.cell[at] = cell_in_part(s, (uint32_t)number);
    }
    if (s.fate[number] != CELL_WITH_PARTICLES) return;
    for (uint32_t k = lane; k < from.n; k += LANES) {
        s.to.x[0][first + k] = s.view.x[from.first + k];
        s.to.x[1][first + k] = s.view.y[from.first + k];
        s.to.x[2][first + k] = s.view.z[from.first + k];
        s.to.x[3][first + k] = s.view.mass[from.first + k];
    }
}

/* Writes the cells, if they fit. */
static cudaError_t
write_cells(const rank_step *r, size_t rank, const tree_view &view,
            const uint32_t *fate, const uint64_t *before)
{
    const tree_step &s = r->step;
    const koshu_part_window &go = part_of(r, rank).go;
    const part_args args = {view,
                            fate,
                            before,
                            part_to_go(r, rank),
                            (uint32_t)go.n_cells,
                            (uint32_t)go.n_particles,
                            (uint32_t)go.first_cell,
                            (uint32_t)go.first_particle};
    KOSHU_CUDA_TRY(cudaMemcpyAsync(r->counts.as<uint64_t>() + rank,
                                   before + view.n_cells, sizeof *before,
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    if (go.n_cells == 0) return cudaSuccess;
    return launch(s.cuda, write_part, blocks_of((size_t)view.n_cells * LANES),
                  ITEM_THREADS, 0, args);
}

/* A walk opens cells nearer than this, whatever their opening distance. */
static double
nearest_of(const tree_step &s)
{
    return s.criterion.quadrupole ? sqrt((double)nearest_cell2) * s.u.length
                                  : 0;
}

static cudaError_t
place_marks(rank_step *r, size_t cells, uint64_t **before, uint32_t **fate)
{
    tree_range *marks[3];
    if (r->has_walked) {
        KOSHU_CUDA_TRY(
                r->marks.reserve(cells * (sizeof **before + sizeof **fate)));
        *before = r->marks.as<uint64_t>();
        *fate = reinterpret_cast<uint32_t *>(*before + cells);
        return cudaSuccess;
    }
    KOSHU_CUDA_TRY(place_ranges(r->step, cells, marks));
    *before = reinterpret_cast<uint64_t *>(marks[0]);
    *fate = reinterpret_cast<uint32_t *>(marks[1]);
    return cudaSuccess;
}

cudaError_t
cut_part(rank_step *r, size_t rank, size_t n, const koshu_tree_bounds *bounds)
{
    const tree_step &s = r->step;
    const tree_view view = own_tree(s).view;
    uint64_t *before;
    uint32_t *fate;
    prune_level_args level = {};
    KOSHU_CUDA_TRY(upload_nested(r->cuda, n, bounds, &koshu_tree_bounds::factor,
                                 r->bounds.as<koshu_tree_bounds>(),
                                 &level.bounds));
    KOSHU_CUDA_TRY(place_marks(r, (size_t)view.n_cells + 1, &before, &fate));
    level.prune = {view, nearest_of(s), s.tree->images.edge,
                   s.criterion.quadrupole ? 2u : 1u, fate};
    KOSHU_CUDA_TRY(mark_cells(s, level));
    KOSHU_CUDA_TRY(count_fates(s.tree, fate, view.n_cells, before));
    return write_cells(r, rank, view, fate, before);
}

} /* namespace koshu */
