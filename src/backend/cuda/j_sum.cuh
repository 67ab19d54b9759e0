/* SPDX-License-Identifier: MIT */
/*
 * Sums of the predicted j-particles on the i-particles, in two stages.
 *
 * A block of the first has one group of i-particles and one slice of the
 * j-particles, which its warps share out: so a single i-particle keeps all
 * multiprocessors busy (Belleman08 section 3.2, with the reduction on the
 * device). The second adds up the slices of an i-particle, in an order that
 * depends on the sizes alone, and writes the results to host memory.
 */
#ifndef KOSHU_BACKEND_CUDA_J_SUM_CUH
#define KOSHU_BACKEND_CUDA_J_SUM_CUH

#include "backend/cuda/j_predict.cuh"

namespace koshu {

/* ---- first stage -------------------------------------------------------- */

/* T i-particles across the lanes of a warp, I in each lane; W warps a block,
 * B blocks on a multiprocessor at least. */
template <int T_, int I_, int W_, int FLUSH_, int UNROLL_, int B_>
struct j_shape {
    static constexpr int T = T_, I = I_, W = W_, FLUSH = FLUSH_,
                         UNROLL = UNROLL_, B = B_;
    static constexpr int width = T * I;
};

/* Sums of a slice, and with nearest neighbours their r2 and their chunk. */
template <bool NEAREST>
constexpr int slice_rows = JERK_COMPONENTS + (NEAREST ? 2 : 0);
enum { ROW_NEAREST_R2 = JERK_COMPONENTS, ROW_NEAREST_CHUNK };

template <class P> struct j_sum_args {
    j_packed<P> j;
    i_packed<P> i;
    uint32_t n_j, n_i;
    uint32_t slices, span; /* j-particles of a slice */
    typename P::real eps2;
    double *partial; /* [group][slice][row][width] */
};

/* Pairs of equal ids. */
template <class P, int T, int I> struct exclude_ids {
    uint32_t own[I];
    const int64_t *id_j, *id_i; /* of the lane's first i-particle */

    __device__ __forceinline__ bool may(int k, uint32_t chunk) const
    {
        return own[k] - chunk < JERK_CHUNK || own[k] == SEVERAL_OWN;
    }
    __device__ __forceinline__ uint32_t mask(int k, uint32_t chunk,
                                             uint32_t end) const
    {
        if (own[k] - chunk < JERK_CHUNK) return 1u << (own[k] - chunk);
        if (own[k] != SEVERAL_OWN) return 0;
        uint32_t found = 0;
        for (uint32_t m = 0; m < JERK_CHUNK && chunk + m < end; m++)
            found |= (uint32_t)(id_j[chunk + m] == id_i[T * k]) << m;
        return found;
    }
    __device__ __forceinline__ bool is(int k, uint32_t j) const
    {
        return own[k] == j || (own[k] == SEVERAL_OWN && id_j[j] == id_i[T * k]);
    }
};

/* Are the sums in double kept in shared memory? */
template <class P, class S>
constexpr bool keeps_shared = in_float<P> &&S::T == WARP;

template <class P, class S, bool NEAREST, bool = keeps_shared<P, S>>
struct j_sum_shared {
    jerk_stage<P> stage[S::W];
    double part[S::W][slice_rows<NEAREST>][S::width];
};
template <class P, class S, bool NEAREST>
struct j_sum_shared<P, S, NEAREST, false> {
    union { /* one after the other */
        jerk_stage<P> stage[S::W];
        double part[S::W][slice_rows<NEAREST>][S::width];
    };
};

template <class P, class Lane, class Exclude>
KOSHU_DEVICE void
load_group(Lane *lane, Exclude *exclude, const j_sum_args<P> &a, uint32_t first)
{
    const uint32_t mine = first + Lane::column();
    exclude->id_j = a.j.id;
    exclude->id_i = a.i.id + mine;
    for (int k = 0; k < Lane::I; k++) {
        const uint32_t i = mine + Lane::T * k;
        const bool there = i < a.n_i;
        lane->i[k] = load_jerk_point(a.i.points, there ? i : first);
        exclude->own[k] = there ? a.i.own[i] : (uint32_t)NO_OWN;
    }
}

/* What the warp has found, to its part of shared memory. */
template <bool SUMS, int ROWS, class Lane, int WIDTH>
KOSHU_DEVICE void
store_part(double (*to)[WIDTH], const Lane &lane)
{
    if (Lane::row() > 0) return;
    for (int k = 0; k < Lane::I; k++) {
        const int r = Lane::T * k + Lane::column();
        const jerk_sum_f64 &s = lane.total[k];
        const double sums[JERK_COMPONENTS] = {s.ax, s.ay, s.az, s.jx,
                                              s.jy, s.jz, s.mr};
        for (int c = 0; c < JERK_COMPONENTS && SUMS; c++) to[c][r] = sums[c];
        if (!Lane::NEAREST) continue;
        to[ROWS - 2][r] = lane.nearest_r2[k];
        to[ROWS - 1][r] = lane.nearest_chunk[k];
    }
}

/* The warp's share of the slice, to its part of shared memory. Warps take turns
 * at the chunks: those with i-particles in them take longer, and may be near
 * each other. */
template <class S, class Shared, class Lane, class Exclude, class P>
KOSHU_DEVICE void
sum_share(Shared *shared, Lane *lane, const Exclude &exclude,
          const j_sum_args<P> &a, uint32_t slice)
{
    constexpr int rows = slice_rows<Lane::NEAREST>;
    constexpr uint32_t stride = S::W * JERK_CHUNK;
    const int warp = threadIdx.x / WARP;
    const uint32_t first = slice * a.span + warp * JERK_CHUNK,
                   end = min((slice + 1) * a.span, a.n_j);
    auto &part = shared->part[warp];
    if constexpr (keeps_shared<P, S>) {
        const totals_in_shared<S::width> totals = {part};
        sum_jerk_to<S::FLUSH, S::UNROLL>(totals, lane, a.j.points, first, end,
                                         a.eps2, exclude, &shared->stage[warp],
                                         stride);
        store_part<false, rows>(part, *lane);
    } else {
        sum_jerk<S::FLUSH, S::UNROLL>(lane, a.j.points, first, end, a.eps2,
                                      exclude, &shared->stage[warp], stride);
        __syncthreads(); /* all have done with the stages */
        store_part<true, rows>(part, *lane);
    }
    __syncthreads();
}

/* Of (r2, chunk), the nearer; of equal ones the lower. */
KOSHU_DEVICE bool
is_nearer(double r2, double chunk, double than_r2, double than_chunk)
{
    return r2 < than_r2 || (r2 == than_r2 && chunk < than_chunk);
}

template <class P, class S, bool NEAREST>
__global__ void
__launch_bounds__(S::W *WARP, S::B)
        sum_slices(const __grid_constant__ j_sum_args<P> a)
{
    constexpr int rows = slice_rows<NEAREST>, width = S::width;
    __shared__ j_sum_shared<P, S, NEAREST> shared;
    wait_for_previous_kernel();
    const uint32_t group = blockIdx.x / a.slices, slice = blockIdx.x % a.slices;
    jerk_lane<P, S::T, S::I, NEAREST> lane;
    exclude_ids<P, S::T, S::I> exclude;
    load_group(&lane, &exclude, a, group * width);
    sum_share<S>(&shared, &lane, exclude, a, slice);
    double *to = a.partial + (size_t)blockIdx.x * rows * width;
    for (int k = threadIdx.x; k < JERK_COMPONENTS * width; k += S::W * WARP) {
        double sum = 0;
        for (int w = 0; w < S::W; w++) sum += (&shared.part[w][0][0])[k];
        to[k] = sum;
    }
    for (int r = threadIdx.x; r < width && NEAREST; r += S::W * WARP) {
        double r2 = INFINITY, chunk = 0;
        for (int w = 0; w < S::W; w++) {
            const double w_r2 = shared.part[w][rows - 2][r],
                         w_chunk = shared.part[w][rows - 1][r];
            if (is_nearer(w_r2, w_chunk, r2, chunk)) {
                r2 = w_r2;
                chunk = w_chunk;
            }
        }
        to[(rows - 2) * width + r] = r2;
        to[(rows - 1) * width + r] = chunk;
    }
}

/* ---- second stage ------------------------------------------------------- */

enum { END_THREADS = 256, END_LANES = 32 };

template <class P> struct j_end_args {
    j_sum_args<P> sum;
    uint32_t width;
    uint32_t lanes; /* i-particles of a block, a power of two up to END_LANES;
                       its other threads share out the slices */
    double eps2;
    units u;
    koshu_jerk_result *result; /* in host memory */
    uint32_t *blocks_done;     /* 0, and again in the end */
    volatile uint64_t *done;   /* in host memory: becomes `number` */
    uint64_t number;
};

template <bool NEAREST> struct j_end_shared {
    double row[slice_rows<NEAREST>][END_THREADS];
    koshu_jerk_result result[END_LANES];
};

/* Rows of the thread's i-particle, over the slices that are its. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
add_slices(j_end_shared<NEAREST> *shared, const j_end_args<P> &a)
{
    constexpr int rows = slice_rows<NEAREST>;
    const uint32_t lane = threadIdx.x % a.lanes, share = threadIdx.x / a.lanes,
                   shares = END_THREADS / a.lanes;
    const uint32_t i = min(blockIdx.x * a.lanes + lane, a.sum.n_i - 1);
    const size_t stride = (size_t)rows * a.width;
    const double *from = a.sum.partial +
                         (size_t)(i / a.width) * a.sum.slices * stride +
                         i % a.width;
    double row[rows];
    for (int c = 0; c < rows; c++) row[c] = 0;
    if (NEAREST) row[rows - 2] = INFINITY;
#pragma unroll 4
    for (uint32_t s = share; s < a.sum.slices; s += shares) {
        const double *slice = from + s * stride;
        for (int c = 0; c < JERK_COMPONENTS; c++) row[c] += slice[c * a.width];
        if (!NEAREST) continue;
        const double r2 = slice[(rows - 2) * a.width],
                     chunk = slice[(rows - 1) * a.width];
        if (is_nearer(r2, chunk, row[rows - 2], row[rows - 1])) {
            row[rows - 2] = r2;
            row[rows - 1] = chunk;
        }
    }
    for (int c = 0; c < rows; c++) shared->row[c][threadIdx.x] = row[c];
}

/* Adds up the shares of each i-particle. */
template <bool NEAREST>
KOSHU_DEVICE void
add_shares(j_end_shared<NEAREST> *shared, uint32_t lanes)
{
    constexpr int rows = slice_rows<NEAREST>;
    const uint32_t t = threadIdx.x;
    for (uint32_t half = END_THREADS / 2; half >= lanes; half /= 2) {
        __syncthreads();
        if (t >= half) continue;
        auto &row = shared->row;
        for (int c = 0; c < JERK_COMPONENTS; c++) row[c][t] += row[c][t + half];
        if (!NEAREST) continue;
        const double r2 = row[rows - 2][t + half],
                     chunk = row[rows - 1][t + half];
        if (is_nearer(r2, chunk, row[rows - 2][t], row[rows - 1][t])) {
            row[rows - 2][t] = r2;
            row[rows - 1][t] = chunk;
        }
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

/* By a warp: the result of i-particle `lane` of the block. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
make_result(j_end_shared<NEAREST> *shared, const j_end_args<P> &a,
            uint32_t lane)
{
    constexpr int rows = slice_rows<NEAREST>;
    const auto &row = shared->row;
    const uint32_t i = blockIdx.x * a.lanes + lane;
    jerk_sum_f64 s = {row[0][lane], row[1][lane], row[2][lane], row[3][lane],
                      row[4][lane], row[5][lane], row[6][lane]};
    const bool finite = is_finite_jerk(s);
    koshu_jerk_result *to = &shared->result[lane];
    if (!finite || NEAREST) {
        const typename P::point point = load_jerk_point(a.sum.i.points, i);
        const exclude_ids<P, 1, 1> exclude = {
                {a.sum.i.own[i]}, a.sum.j.id, a.sum.i.id + i};
        if (!finite)
            s = sum_jerk_carefully<P>(point, a.sum.j.points, a.sum.n_j, a.eps2,
                                      exclude, 0);
        if (NEAREST) {
            const nearest_neighbour n = nearest_in_chunk<P>(
                    point, a.sum.j.points, (uint32_t)row[rows - 1][lane],
                    a.sum.n_j, exclude, 0);
            to->nearest_r2 = n.r2 * (a.u.length * a.u.length);
            to->nearest = isinf(n.r2) ? KOSHU_NO_ADDRESS : n.address;
        }
    }
    write_sum<P>(to, s, a.u);
}

/* In pieces that the bus carries well. */
KOSHU_DEVICE void
copy_results(koshu_jerk_result *to, const koshu_jerk_result *from, uint32_t n)
{
    const double *word = reinterpret_cast<const double *>(from);
    double *to_word = reinterpret_cast<double *>(to);
    for (uint32_t k = threadIdx.x; k < n * (sizeof *to / sizeof *word);
         k += END_THREADS)
        to_word[k] = word[k];
}

/* Tells the host, when all blocks have written. */
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
    add_shares(&shared, a.lanes);
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
