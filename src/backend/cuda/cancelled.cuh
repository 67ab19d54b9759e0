/* SPDX-License-Identifier: MIT */
/*
 * Forces that nearly cancel, in single precision.
 *
 * A difference of floats x_j - x_i drops the digits of x_i below the last one
 * of x_j, the same digits for all distant j-particles: an error that does not
 * average out, and that no better way to add up repairs. It is about 2e-9, at
 * most 6e-9 of
 *
 *     S_i = sum_j |m_j d / r^3|      (magnitudes: |x| + |y| + |z|)
 *
 * and small beside the force, but where forces from all sides cancel, as in
 * the middle of a cluster. Particles whose force is less than the CANCELLEDth
 * part of S (two in ten thousand in a Plummer sphere) are put on a list, and
 * sum_again() sums them in double precision, from the same floats.
 *
 * The list has no order, but each sum on it is by itself, and cut into parts
 * that depend on sizes and on the length of the list alone: results are the
 * same, bit for bit, from run to run.
 */
#ifndef KOSHU_BACKEND_CUDA_CANCELLED_CUH
#define KOSHU_BACKEND_CUDA_CANCELLED_CUH

#include "backend/cuda/arrive.cuh"
#include "backend/cuda/direct.cuh"
#include "backend/cuda/result.cuh"

namespace koshu {

/*
 * S is estimated from a few j-particles: right to a third or so. The largest
 * part is left out, or the one heavy particle of a model would stand for a
 * SAMPLESth of all.
 */
constexpr double CANCELLED = 1.0 / 24;
enum { SAMPLES = 32 };

enum { FIND_THREADS = 128, AGAIN_THREADS = 256 };

template <class P>
constexpr bool sums_again = std::is_same<P, single_precision>::value;

/* i-particles and the j-particles that act on them. */
struct particle_set {
    size_t i_first, i_count, j_first, j_count;
};

template <class P> struct cancelled {
    size_t i, set;
    typename P::quad at;
};

/* For sums that follow each other there are two counters: each sets that of
 * the next to 0. */
template <class P> struct cancelled_list {
    unsigned long long *n, *next_n;
    cancelled<P> *which;
    double *partial;   /* [blocks of sum_again()][4] */
    unsigned *arrived; /* [blocks], 0 before and after */
};

template <class P> struct again_args {
    packed<P> i, j;
    const particle_set *sets; /* NULL: only one, */
    particle_set whole;
    bool own; /* as in direct_args */
    const uint64_t *self;
    softening<P> soft;
    softening<double_precision> double_soft;
    force_out out; /* of sums in double precision */
    cancelled_list<P> list;

    __device__ particle_set set(size_t k) const
    {
        return sets ? sets[k] : whole;
    }
};

/* ---- the list ----------------------------------------------------------- */

/* Of some of the samples, or all. */
struct sampled_magnitude {
    float sum, most;

    __device__ __forceinline__ void add(const sampled_magnitude &s)
    {
        sum += s.sum;
        most = fmaxf(most, s.most);
    }
};

/* Samples first ... first + COUNT - 1 of a set's j-particles. */
template <class P, int COUNT>
KOSHU_DEVICE sampled_magnitude
sample(const again_args<P> &a, const particle_set &set, unsigned first,
       const typename P::quad &at)
{
    const size_t stride = set.j_count / SAMPLES;
    sampled_magnitude s = {0, 0};
#pragma unroll
    for (unsigned k = first; k < first + COUNT; k++) {
        const typename P::point pj = load_point(a.j, set.j_first + k * stride);
        const typename P::vector d = P::difference(pj, P::unpack(&at));
        const float r2 = P::r2(d, a.soft.eps2);
        float of_one = pj.m * gravity_cube_f32(P::rinv(r2)) *
                       (fabsf(d.x) + fabsf(d.y) + fabsf(d.z));
        if (!(r2 > a.soft.eps2)) of_one = 0; /* itself, where eps = 0 */
        s.add({of_one, of_one});
    }
    return s;
}

/* Puts an i-particle on the list if its force, with this sum of the
 * components' magnitudes, nearly cancels. */
template <class P>
KOSHU_DEVICE void
list_cancelled(const again_args<P> &a, size_t i, size_t set,
               const typename P::quad &at, const sampled_magnitude &s,
               double magnitude)
{
    const double of_all =
            (double)a.set(set).j_count * (s.sum - s.most) / (SAMPLES - 1);
    if (magnitude < CANCELLED * a.out.a_unit * of_all)
        a.list.which[atomicAdd(a.list.n, 1ull)] = {i, set, at};
}

/* Of sets with at most FIND_THREADS i-particles, one a block; after a sum. */
template <class P>
__global__ void
__launch_bounds__(FIND_THREADS)
        find_cancelled(const __grid_constant__ again_args<P> a)
{
    wait_for_previous_kernel();
    const particle_set set = a.set(blockIdx.x);
    const size_t i = set.i_first + threadIdx.x;
    if (threadIdx.x >= set.i_count) return;
    const typename P::quad at = a.i.q[0][i];
    list_cancelled(a, i, blockIdx.x, at, sample<P, SAMPLES>(a, set, 0, at),
                   fabs(a.out.ax[i]) + fabs(a.out.ay[i]) + fabs(a.out.az[i]));
}

/* ---- the sums ----------------------------------------------------------- */

KOSHU_DEVICE void
add_double(gravity_sum_f64 *to, const gravity_sum_f64 &s)
{
    to->ax += s.ax;
    to->ay += s.ay;
    to->az += s.az;
    to->mr += s.mr;
}

/* The sum over the block, for its first thread. */
KOSHU_DEVICE gravity_sum_f64
sum_of_block(gravity_sum_f64 s)
{
    __shared__ gravity_sum_f64 of_warp[AGAIN_THREADS / 32];
    for (int other = 16; other > 0; other /= 2)
        add_double(&s, {__shfl_xor_sync(~0u, s.ax, other),
                        __shfl_xor_sync(~0u, s.ay, other),
                        __shfl_xor_sync(~0u, s.az, other),
                        __shfl_xor_sync(~0u, s.mr, other)});
    __syncthreads(); /* all have done with the sum before */
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = s;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < AGAIN_THREADS / 32; w++)
        add_double(&s, of_warp[w]);
    return s;
}

template <class P>
KOSHU_DEVICE double_precision::point
in_double(const typename P::quad &q)
{
    const typename P::point p = P::unpack(&q);
    return {p.x, p.y, p.z, p.m};
}

/* The j-particles of one part of 2^log_parts, summed by the block; for its
 * first thread. */
template <class P>
KOSHU_DEVICE gravity_sum_f64
sum_part(const again_args<P> &a, const cancelled<P> &which, unsigned part,
         unsigned log_parts)
{
    constexpr int at_once = 4;
    const particle_set set = a.set(which.set);
    const size_t chunk = (set.j_count + (1u << log_parts) - 1) >> log_parts;
    const size_t first = min(set.j_count, part * chunk);
    const size_t end = set.j_first + min(set.j_count, first + chunk);
    const size_t self = a.own ? which.i : a.self ? a.self[which.i] : SIZE_MAX;
    const double_precision::point pi = in_double<P>(which.at);
    gravity_sum_f64 sum = {0, 0, 0, 0};
    for (size_t j = set.j_first + first + threadIdx.x; j < end;
         j += at_once * AGAIN_THREADS) {
        typename P::quad q[at_once]; /* loaded before any is used */
#pragma unroll
        for (int k = 0; k < at_once; k++)
            q[k] = a.j.q[0][min(j + k * AGAIN_THREADS, end - 1)];
#pragma unroll
        for (int k = 0; k < at_once; k++) {
            const size_t at = j + k * AGAIN_THREADS;
            double_precision::point pj = in_double<P>(q[k]);
            if (at >= end) pj.m = 0;
            interact<double_precision, true, true>(&sum, pi, pj, a.double_soft,
                                                   at == self);
        }
    }
    return sum_of_block(sum);
}

KOSHU_DEVICE void
put_sum(const force_out &out, size_t i, const gravity_sum_f64 &sum)
{
    out.ax[i] = out.a_unit * sum.ax;
    out.ay[i] = out.a_unit * sum.ay;
    out.az[i] = out.a_unit * sum.az;
    if (out.potential) out.potential[i] = out.potential_unit * sum.mr;
}

/* The k-th of the list, of which each of the blocks k parts ... (k + 1) parts
 * - 1 has summed a part: the whole, for the first thread of the last of them;
 * false: this is another. */
KOSHU_DEVICE bool
add_parts(gravity_sum_f64 *sum, double *partial, unsigned *arrived,
          unsigned parts)
{
    const unsigned first = blockIdx.x & ~(parts - 1);
    double *const mine = partial + 4 * blockIdx.x;
    if (threadIdx.x == 0) {
        mine[0] = sum->ax;
        mine[1] = sum->ay;
        mine[2] = sum->az;
        mine[3] = sum->mr;
    }
    if (!comes_last(arrived, parts)) return false;
    const double *from = partial + 4 * (first + threadIdx.x);
    gravity_sum_f64 part = {0, 0, 0, 0};
    if (threadIdx.x < parts)
        part = {__ldcg(from), __ldcg(from + 1), __ldcg(from + 2),
                __ldcg(from + 3)};
    *sum = sum_of_block(part);
    return true;
}

/* With few on the list, many blocks share each. */
template <class P>
__global__ void
__launch_bounds__(AGAIN_THREADS)
        sum_again(const __grid_constant__ again_args<P> a)
{
    const unsigned most_log = 5; /* 2^5 <= AGAIN_THREADS */
    wait_for_previous_kernel();
    const unsigned long long n = *a.list.n;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (first) *a.list.next_n = 0;
    if (first && n == 0) note_end(a.out.progress);
    unsigned log_parts = 0; /* parts n <= blocks, where there are several */
    while (log_parts < most_log && n << (log_parts + 1) <= gridDim.x)
        log_parts++;
    const unsigned part = blockIdx.x & ((1u << log_parts) - 1);
    for (size_t k = blockIdx.x >> log_parts; k < n; k += gridDim.x) {
        const cancelled<P> which = a.list.which[k];
        gravity_sum_f64 sum = sum_part(a, which, part, log_parts);
        if (log_parts > 0 && !add_parts(&sum, a.list.partial,
                                        a.list.arrived + k, 1u << log_parts))
            return;
        if (threadIdx.x > 0) continue;
        put_sum(a.out, which.i, sum);
        if (k + 1 == n) note_end(a.out.progress);
    }
}

} /* namespace koshu */

#endif
