/* SPDX-License-Identifier: MIT */
/* Cell-to-cell operators for an order known to the compiler, a thread for each
 * translation. */
#ifndef KOSHU_BACKEND_CUDA_FMM_BY_ORDER_CUH
#define KOSHU_BACKEND_CUDA_FMM_BY_ORDER_CUH

#include "backend/cuda/fmm/lanes.cuh"
#include "backend/cuda/fmm/translation.cuh"

namespace koshu {

enum { ORDER_THREADS = 128, SIBLINGS = 8 };

struct order_args {
    fmm_level level; /* cells */
    fmm_view view;
};

/* A path from a far cell to a target: its direction, and both cells' lengths
 * over the distance, in floats; 0 if there is none. */
struct m2l_path {
    expansion_direction_f32 direction;
    float near, far;
};

KOSHU_DEVICE m2l_path
path_to(const fmm_place &to, const fmm_place &from)
{
    const double near = length_of(to), far = length_of(from);
    const double unit = inverse_of_power(fmax(near, far));
    const float x = (float)((to.x - from.x) * unit),
                y = (float)((to.y - from.y) * unit),
                z = (float)((to.z - from.z) * unit);
    const float across2 = x * x + y * y, distance2 = across2 + z * z;
    m2l_path p = {{1, 0, 1, 0}, 0, 0};
    if (across2 > 0) {
        const float per_across = rsqrtf(across2);
        p.direction.cos_first = y * per_across;
        p.direction.sin_first = -x * per_across;
    }
    if (distance2 > 0) {
        const float per_distance = rsqrtf(distance2);
        p.direction.cos_second = z * per_distance;
        p.direction.sin_second = sqrtf(across2) * per_distance;
        p.near = (float)(near * unit) * per_distance;
        p.far = (float)(far * unit) * per_distance;
    }
    return p;
}

/* ---- rows ---------------------------------------------------------------- */

template <int TERMS>
KOSHU_DEVICE void
load_row(float *v, const float *row)
{
    const float4 *quad = reinterpret_cast<const float4 *>(row);
#pragma unroll
    for (int k = 0; k < TERMS; k += 4) {
        const float4 q = quad[k / 4];
        v[k] = q.x;
        if (k + 1 < TERMS) v[k + 1] = q.y;
        if (k + 2 < TERMS) v[k + 2] = q.z;
        if (k + 3 < TERMS) v[k + 3] = q.w;
    }
}

/* ---- M2M and L2L --------------------------------------------------------- */

struct shift_path {
    expansion_direction_f32 direction;
    float ratio, shift;
};

KOSHU_DEVICE shift_path
path_of_child(const fmm_place &parent, const fmm_place &child)
{
    const auto path = path_between<float>(parent, child);
    const double per_length = inverse_of_power(length_of(parent));
    return {path.direction, (float)(length_of(child) * per_length),
            (float)(path.distance * per_length)};
}

/* Eight lanes for each parent, one for each child. */
template <int P>
static __global__ void
__launch_bounds__(ORDER_THREADS) m2m(const __grid_constant__ order_args a)
{
    constexpr int TERMS = EXPANSION_TERMS(P);
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * ORDER_THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % SIBLINGS;
    const size_t wanted = a.level.begin + thread / SIBLINGS;
    const bool there = wanted < a.level.end;
    const size_t parent = there ? wanted : a.level.end - 1;
    const tree_cell cell = a.view.cell[parent];
    float v[TERMS] = {};
    shift_path path = {{1, 0, 1, 0}, 0, 0};
    if (lane < cell.children) {
        const size_t child = cell.child + lane;
        path = path_of_child(a.view.place[parent], a.view.place[child]);
        load_row<TERMS>(v, row_of<float>(a.view.multipole, a.view, child));
    }
    shift<P, true>(v, path.direction, path.ratio, path.shift);
    float *to = row_of<float>(a.view.multipole, a.view, parent);
#pragma unroll
    for (int first = 0; first < TERMS; first += SIBLINGS) {
        float w[SIBLINGS];
#pragma unroll
        for (int k = 0; k < SIBLINGS; k++)
            w[k] = first + k < TERMS ? v[first + k] : 0.0f;
        const float sum = sum_by_lane<SIBLINGS / 2>(w);
        if (there && cell.children > 0 && first + (int)lane < TERMS)
            to[first + lane] = sum;
    }
}

/* A thread for each child. */
template <int P>
static __global__ void
__launch_bounds__(ORDER_THREADS) l2l(const __grid_constant__ order_args a)
{
    constexpr int TERMS = EXPANSION_TERMS(P);
    wait_for_previous_kernel();
    const size_t child =
            a.level.begin + (size_t)blockIdx.x * ORDER_THREADS + threadIdx.x;
    if (child >= a.level.end) return;
    const uint32_t parent = a.view.parent[child];
    const shift_path path =
            path_of_child(a.view.place[parent], a.view.place[child]);
    float v[TERMS];
    load_row<TERMS>(v, row_of<float>(a.view.local, a.view, parent));
    shift<P, false>(v, path.direction, path.ratio, path.shift);
    float *to = row_of<float>(a.view.local, a.view, child);
#pragma unroll
    for (int k = 0; k < TERMS; k++) to[k] += v[k];
}

/* ---- M2L ----------------------------------------------------------------- */

/* A warp for each target, a lane for each far cell; surplus lanes repeat the
 * last cell with weight 0. BOX: some cells are images in a periodic box, and
 * some are left to the double-precision operators. */
template <int P, bool BOX>
static __global__ void
__launch_bounds__(ORDER_THREADS) m2l(const __grid_constant__ order_args a)
{
    constexpr int TERMS = EXPANSION_TERMS(P),
                  GROUPS = (TERMS + WARP - 1) / WARP;
    wait_for_previous_kernel();
    const fmm_view &view = a.view;
    const size_t target =
            ((size_t)blockIdx.x * ORDER_THREADS + threadIdx.x) / WARP;
    const unsigned lane = threadIdx.x % WARP;
    if (target >= view.n_cells) return;
    const fmm_span far = view.lists[target].far;
    const fmm_place at = view.place[target];
    float sums[GROUPS] = {};
#pragma unroll 1
    for (uint32_t j = 0; j < far.n; j += WARP) {
        bool there = j + lane < far.n;
        uint32_t source = far.entry[min(j + lane, far.n - 1)];
        const fmm_place from =
                BOX ? place_of(view, source) : view.from.place[source];
        if (BOX) {
            source = cell_of(view, source);
            there = there && acts_here(view, (uint32_t)target, source);
        }
        const m2l_path path = path_to(at, from);
        float v[TERMS];
        load_row<TERMS>(v, row_of<float>(view.multipole, view, source));
        const float in_one_point =
                there && path.near == 0
                        ? v[0] * (float)same_point(view, length_of(at))
                        : 0;
        translate<P>(v, path.direction, there ? path.near : 0, path.far);
        v[0] += in_one_point;
        add_lanes<TERMS>(v, sums);
    }
    float *to = row_of<float>(view.local, view, target);
#pragma unroll
    for (int group = 0; group < GROUPS; group++)
        if (group * WARP + lane < TERMS) {
            const float before =
                    view.from.of_others ? to[group * WARP + lane] : 0;
            to[group * WARP + lane] = before + sums[group];
        }
}

/* ---- launches ------------------------------------------------------------ */

static cudaError_t
launch_order(const fmm_step &s, void (*kernel)(const order_args),
             const fmm_level &level, size_t threads)
{
    return launch(s.cuda, kernel,
                  (unsigned)blocks_for(threads, (size_t)ORDER_THREADS),
                  ORDER_THREADS, 0, order_args{level, s.view});
}

template <int P>
static cudaError_t
launch_m2m(const fmm_step &s, const fmm_level &level)
{
    return launch_order(s, m2m<P>, level,
                        (size_t)(level.end - level.begin) * SIBLINGS);
}

template <int P>
static cudaError_t
launch_m2l(const fmm_step &s)
{
    return launch_order(s,
                        s.view.images.code.mask ? m2l<P, true> : m2l<P, false>,
                        {}, (size_t)s.view.n_cells * WARP);
}

template <int P>
static cudaError_t
launch_l2l(const fmm_step &s, const fmm_level &level)
{
    return launch_order(s, l2l<P>, level, level.end - level.begin);
}

template <int P>
fmm_operators
operators_of_order()
{
    const fmm_operators any = operators_of_any_order<float>();
    return {any.p2m, launch_m2m<P>, launch_m2l<P>, launch_l2l<P>};
}

} /* namespace koshu */

#endif
