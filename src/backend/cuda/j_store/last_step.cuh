/* SPDX-License-Identifier: MIT */
/*
 * The second stage of the sums on i-particles: adds up the slices of each, in
 * an order that depends only on the sizes, recomputes sums that are not finite,
 * finds the nearest neighbour, and writes the results to host memory.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_LAST_STEP_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_LAST_STEP_CUH

#include "backend/cuda/j_store/sum.cuh"
#include "backend/cuda/pairs/zero_distance_safe.cuh"

namespace koshu {

enum { END_THREADS = 256, END_LANES = 32 };

template <class P> struct j_end_args : j_setup {
    j_sum_args<P> sum;
    uint32_t width;
    bool of_stored;        /* sums of all j-particles, at own indices */
    uint32_t nearest_span; /* to search from ROW_NEAREST_FIRST on */
    uint32_t lanes; /* i-particles per block, a power of two up to END_LANES;
                     * the other threads divide the slices */
    double eps2;
};

template <bool NEAREST> struct j_end_shared {
    double row[jerk_rows<NEAREST>][END_THREADS];
    koshu_jerk_result result[END_LANES];
};

/* Adds the rows of the thread's i-particle over the thread's slices. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
add_slices(j_end_shared<NEAREST> *shared, const j_end_args<P> &a)
{
    constexpr int rows = jerk_rows<NEAREST>;
    const uint32_t lane = threadIdx.x % a.lanes, group = threadIdx.x / a.lanes,
                   groups = END_THREADS / a.lanes;
    const uint32_t i = min(blockIdx.x * a.lanes + lane, a.sum.n_i - 1),
                   at = a.of_stored ? a.sum.i.own[i] : i;
    const size_t stride = (size_t)rows * a.width;
    const double *from = a.sum.partial +
                         (size_t)(at / a.width) * a.sum.slices * stride +
                         at % a.width;
    double row[rows];
    clear_jerk_rows<NEAREST>(row);
#pragma unroll 4
    for (uint32_t s = group; s < a.sum.slices; s += groups)
        add_jerk_rows<NEAREST>(row, from + s * stride, a.width);
    for (int c = 0; c < rows; c++) shared->row[c][threadIdx.x] = row[c];
}

/* Adds up the groups' sums of each i-particle. */
template <bool NEAREST>
KOSHU_DEVICE void
add_groups_of(j_end_shared<NEAREST> *shared, uint32_t lanes)
{
    constexpr int rows = jerk_rows<NEAREST>;
    const uint32_t t = threadIdx.x;
    for (uint32_t half = END_THREADS / 2; half >= lanes; half /= 2) {
        __syncthreads();
        if (t >= half) continue;
        auto &row = shared->row;
        for (int c = 0; c < JERK_COMPONENTS; c++) row[c][t] += row[c][t + half];
        if (NEAREST)
            keep_nearer(&row[rows - 2][t], &row[rows - 1][t],
                        row[rows - 2][t + half], row[rows - 1][t + half]);
    }
    __syncthreads();
}

template <class P>
KOSHU_DEVICE void
write_sum(koshu_jerk_result *to, const jerk_sum_f64 &s, const units &u)
{
    const double a = jerk_unit<P>(JERK_AX, u), j = jerk_unit<P>(JERK_JX, u);
    to->a[0] = s.ax * a;
    to->a[1] = s.ay * a;
    to->a[2] = s.az * a;
    to->jerk[0] = s.jx * j;
    to->jerk[1] = s.jy * j;
    to->jerk[2] = s.jz * j;
    to->potential = s.mr * jerk_unit<P>(JERK_MR, u);
}

/* One warp makes the result of i-particle `lane` of the block. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
make_result(j_end_shared<NEAREST> *shared, const j_end_args<P> &a,
            uint32_t lane)
{
    const auto &row = shared->row;
    const uint32_t i = blockIdx.x * a.lanes + lane;
    jerk_sum_f64 s = {row[0][lane], row[1][lane], row[2][lane], row[3][lane],
                      row[4][lane], row[5][lane], row[6][lane]};
    const bool finite = is_finite_jerk(s);
    koshu_jerk_result *to = &shared->result[lane];
    if (!finite || NEAREST) {
        const typename P::point point = load_point(a.sum.i.points, i);
        const exclude_ids<P, 1, 1> exclude = {
                {a.sum.i.own[i]}, a.sum.j.id, a.sum.i.id + i};
        if (!finite)
            s = sum_jerk_zero_distance_safe<P>(point, a.sum.j.points, a.sum.n_j,
                                               a.eps2, exclude, 0);
        if (NEAREST) {
            const uint32_t first = (uint32_t)row[ROW_NEAREST_FIRST][lane];
            const nearest_neighbour n = nearest_among<P>(
                    point, a.sum.j.points, first,
                    min(first + a.nearest_span, a.sum.n_j), exclude, 0);
            to->nearest_r2 = n.r2 * (a.u.length * a.u.length);
            to->nearest = isinf(n.r2) ? KOSHU_NO_INDEX : n.address;
        }
    }
    write_sum<P>(to, s, a.u);
}

/* Copies word by word, which uses the bus efficiently. */
KOSHU_DEVICE void
copy_results(koshu_jerk_result *to, const koshu_jerk_result *from, uint32_t n)
{
    const double *word = reinterpret_cast<const double *>(from);
    double *to_word = reinterpret_cast<double *>(to);
    for (uint32_t k = threadIdx.x; k < n * (sizeof *to / sizeof *word);
         k += END_THREADS)
        to_word[k] = word[k];
}

/* Tells the host when all blocks have written their results. */
template <class P>
KOSHU_DEVICE void
note_done(const j_end_args<P> &a)
{
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (atomicAdd(a.blocks_done, 1) < gridDim.x - 1) return;
    *a.blocks_done = 0;
    __threadfence_system();
    *a.done = a.number;
}

template <class P, bool NEAREST>
__global__ void
__launch_bounds__(END_THREADS) end_sums(const __grid_constant__ j_end_args<P> a)
{
    __shared__ j_end_shared<NEAREST> shared;
    wait_for_previous_kernel();
    add_slices(&shared, a);
    add_groups_of(&shared, a.lanes);
    const uint32_t first = blockIdx.x * a.lanes;
    const uint32_t n = min(a.lanes, a.sum.n_i - first);
    for (uint32_t k = threadIdx.x / WARP; k < n; k += END_THREADS / WARP)
        make_result(&shared, a, k);
    __syncthreads();
    copy_results(a.result + first, shared.result, n);
    note_done(a);
}

} /* namespace koshu */

#endif
