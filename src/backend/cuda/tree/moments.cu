/* SPDX-License-Identifier: MIT */
/* The kernels of moments.cuh: eight lanes compute a cell from its children or
 * its particles, with one launch per level, from the deepest up. */
#include "backend/cuda/tree/engine.cuh"

namespace koshu {

enum { LANES = 8 };

struct level_args {
    uint32_t begin, end; /* cells */
    tree_view view;
    tree_criterion criterion;
    tree_units u;
    tree_place *place;
    tree_moments *moments;
    tree_range *range[3];
};

KOSHU_DEVICE void
add_other(double *x, unsigned other)
{
    *x += __shfl_xor_sync(~0u, *x, other);
}

/* Sums all lanes' values, with the result in each. */
KOSHU_DEVICE void
add_lanes(tree_sums *s)
{
    for (unsigned other = 1; other < LANES; other *= 2) {
        double *const added[] = {&s->mass, &s->x,  &s->y,  &s->z,  &s->xx,
                                 &s->xy,   &s->xz, &s->yy, &s->yz, &s->zz};
#pragma unroll
        for (int k = 0; k < 10; k++) add_other(added[k], other);
#pragma unroll
        for (int c = 0; c < 3; c++) {
            s->low[c] = fmin(s->low[c], __shfl_xor_sync(~0u, s->low[c], other));
            s->high[c] =
                    fmax(s->high[c], __shfl_xor_sync(~0u, s->high[c], other));
        }
    }
}

static __global__ void
__launch_bounds__(ITEM_THREADS) sum_level(const __grid_constant__ level_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const uint32_t lane = threadIdx.x % LANES;
    const size_t wanted = s.begin + thread / LANES;
    const uint32_t number = (uint32_t)(wanted < s.end ? wanted : s.end - 1);
    const tree_cell cell = s.view.cell[number];
    tree_sums sums = sums_of_nothing();
    double about[3];
    reference_point(s.view, cell, about);
    if (cell.children == 0)
        for (uint32_t k = lane; k < cell.n; k += LANES)
            add_particle(s.view, cell.first + k, about, &sums);
    else if (lane < cell.children)
        add_child(s.view, s.u, s.range, cell.child + lane, about, &sums);
    __syncwarp();
    add_lanes(&sums);
    if (lane == 0 && wanted < s.end)
        finish_cell(s.criterion, s.u, number, &sums, about, s.place, s.moments,
                    s.range);
}

cudaError_t
place_ranges(const tree_step &s, size_t cells, tree_range *range[3])
{
    const bool fit = cells <= s.store->stride;
    if (!fit)
        KOSHU_CUDA_TRY(s.tree->ranges.reserve(3 * cells * sizeof(tree_range)));
    for (size_t c = 0; c < 3; c++)
        range[c] = fit ? reinterpret_cast<tree_range *>(s.store->f.a[c])
                       : s.tree->ranges.as<tree_range>() + c * cells;
    return cudaSuccess;
}

cudaError_t
sum_cells(const tree_step &s, const tree_view &view)
{
    const tree_levels &levels = s.tree->levels;
    level_args args = {};
    args.view = view;
    args.criterion = s.criterion;
    args.u = {s.u.length * s.u.length, s.u.mass};
    args.place = s.tree->place;
    args.moments = s.tree->moments;
    KOSHU_CUDA_TRY(place_ranges(s, view.n_cells, args.range));
    for (size_t level = levels.n - 1; level-- > 0;) {
        args.begin = levels.first[level];
        args.end = levels.first[level + 1];
        const size_t threads = (size_t)(args.end - args.begin) * LANES;
        KOSHU_CUDA_TRY(launch(s.cuda, sum_level, blocks_of(threads),
                              ITEM_THREADS, 0, args));
    }
    return cudaSuccess;
}

} /* namespace koshu */
