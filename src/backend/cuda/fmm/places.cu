/* SPDX-License-Identifier: MIT */
/* Finds the centres and radii of cells: boxes from the leaves to the root, then
 * radii from the root to the leaves. Eight lanes work on a cell. */
#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

enum { LANES = 8 };

/* A mask of the lanes that work on the same cell as this one. */
KOSHU_DEVICE unsigned
lanes_of_cell()
{
    return 0xffu << (threadIdx.x % WARP / LANES * LANES);
}

struct fmm_box {
    double low[3], high[3];
};

struct places_args {
    fmm_level level;
    fmm_view view;
    fmm_place *place;
    uint32_t *parent;
    fmm_box *box;
    double least; /* minimum radius of the root */
};

/* Joins the boxes of all lanes of a cell, in each lane. */
KOSHU_DEVICE void
join_lanes(fmm_box *b)
{
    for (unsigned other = 1; other < LANES; other *= 2)
        for (int c = 0; c < 3; c++) {
            const unsigned all = lanes_of_cell();
            b->low[c] = fmin(b->low[c], __shfl_xor_sync(all, b->low[c], other));
            b->high[c] =
                    fmax(b->high[c], __shfl_xor_sync(all, b->high[c], other));
        }
}

KOSHU_DEVICE void
include(fmm_box *b, const fmm_box &other)
{
    for (int c = 0; c < 3; c++) {
        b->low[c] = fmin(b->low[c], other.low[c]);
        b->high[c] = fmax(b->high[c], other.high[c]);
    }
}

KOSHU_DEVICE fmm_box
box_of_lane(const places_args &s, const tree_cell &cell, unsigned lane)
{
    fmm_box b = {{INFINITY, INFINITY, INFINITY},
                 {-INFINITY, -INFINITY, -INFINITY}};
    const fmm_view &v = s.view;
    if (cell.children > 0) {
        if (lane < cell.children) b = s.box[cell.child + lane];
        return b;
    }
    for (uint32_t k = cell.first + lane; k < cell.first + cell.n; k += LANES)
        include(&b, {{v.x[k], v.y[k], v.z[k]}, {v.x[k], v.y[k], v.z[k]}});
    return b;
}

/* The largest distance of a leaf's particles from its centre; for other cells
 * half the diagonal of the box. */
KOSHU_DEVICE double
extent_of(const fmm_view &v, const tree_cell &cell, const fmm_place &p,
          const fmm_box &b, unsigned lane)
{
    double r2 = 0;
    if (cell.children > 0) {
        for (int c = 0; c < 3; c++) {
            const double half = 0.5 * (b.high[c] - b.low[c]);
            r2 += half * half;
        }
        return sqrt(r2) * (1 + 0x1p-40);
    }
    for (uint32_t k = cell.first + lane; k < cell.first + cell.n; k += LANES) {
        const double x = v.x[k] - p.x, y = v.y[k] - p.y, z = v.z[k] - p.z;
        r2 = fmax(r2, x * x + y * y + z * z);
    }
    for (unsigned other = 1; other < LANES; other *= 2)
        r2 = fmax(r2, __shfl_xor_sync(lanes_of_cell(), r2, other));
    return sqrt(r2);
}

static __global__ void
__launch_bounds__(ITEM_THREADS)
        measure_level(const __grid_constant__ places_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % LANES;
    const size_t wanted = s.level.begin + thread / LANES;
    const bool there = wanted < s.level.end;
    const uint32_t k = (uint32_t)(there ? wanted : s.level.end - 1);
    const tree_cell cell = s.view.cell[k];
    fmm_box b = box_of_lane(s, cell, lane);
    __syncwarp();
    join_lanes(&b);
    fmm_place p = {b.low[0] + 0.5 * (b.high[0] - b.low[0]),
                   b.low[1] + 0.5 * (b.high[1] - b.low[1]),
                   b.low[2] + 0.5 * (b.high[2] - b.low[2]), 0};
    if (s.view.images.edge > 0 && k == 0)
        p = place_of_box(s.view.images);
    else
        p.radius = extent_of(s.view, cell, p, b, lane);
    if (there && lane == 0) {
        s.box[k] = b;
        s.place[k] = p;
    }
    if (there && lane < cell.children) s.parent[cell.child + lane] = k;
}

/* Even a single particle gets a length, so that what is far from it is a
 * moderate number of lengths away. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        bound_level(const __grid_constant__ places_args s)
{
    wait_for_previous_kernel();
    const size_t k =
            s.level.begin + (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    if (k >= s.level.end) return;
    const double extent = s.place[k].radius;
    double radius = extent;
    if (k == 0) {
        radius = fmax(extent, s.least);
        if (radius == 0) radius = 1;
    } else {
        const double parent = s.place[s.parent[k]].radius;
        radius = fmax(radius, (parent < 0 ? 1 : fmm_least_part) * fabs(parent));
    }
    s.place[k].radius = extent > 0 ? radius : -radius;
}

cudaError_t
place_cells(const fmm_step &s, double least)
{
    places_args args = {
            {}, s.view, s.place, s.parent, s.fmm->boxes.as<fmm_box>(), least};
    for (size_t level = count_levels(s); level-- > 0;) {
        args.level = level_of(s, level);
        const size_t cells = args.level.end - args.level.begin;
        KOSHU_CUDA_TRY(launch(s.cuda, measure_level, blocks_of(cells * LANES),
                              ITEM_THREADS, 0, args));
    }
    for (size_t level = 0; level < count_levels(s); level++) {
        args.level = level_of(s, level);
        KOSHU_CUDA_TRY(launch(s.cuda, bound_level,
                              blocks_of(args.level.end - args.level.begin),
                              ITEM_THREADS, 0, args));
    }
    return cudaSuccess;
}

} /* namespace koshu */
