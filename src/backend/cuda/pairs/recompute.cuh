/* SPDX-License-Identifier: MIT */
/*
 * Recomputes forces that cancel (cancellation.cuh) in kernels after the sums:
 * the particles are listed, and recompute_sums() sums them.
 *
 * The order of the list is undefined, but each sum is independent, and divided
 * into parts that depend only on sizes and on the length of the list: results
 * are the same, bit for bit, in every run.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_RECOMPUTE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_RECOMPUTE_CUH

#include "backend/cuda/runtime/arrive.cuh"
#include "backend/cuda/pairs/cancellation.cuh"
#include "backend/cuda/pairs/sum_double.cuh"

namespace koshu {

enum { FIND_THREADS = 128, RECOMPUTE_THREADS = 256 };

/* Most items per block of recompute_sums(), if several belong to one
 * particle. */
enum { RECOMPUTE_ITEMS = 4 };

/* i-particles and their j-particles. */
struct particle_set {
    size_t i_first, i_count, j_first, j_count;
};

template <class P> struct cancellation {
    size_t i, set;
    typename P::quad at;
};

/* Consecutive sums alternate between two counters: each sets that of the next
 * to 0. */
template <class P> struct cancellation_list {
    unsigned long long *n, *next_n;
    cancellation<P> *which;
    double *partial;   /* [RECOMPUTE_ITEMS blocks of recompute_sums()][4] */
    unsigned *arrived; /* [RECOMPUTE_ITEMS blocks / 2], 0 before and after */
};

template <class P> struct recompute_args {
    packed<P> i, j;
    const particle_set *sets; /* NULL: only one, */
    particle_set whole;
    bool own; /* as in direct_args */
    const uint64_t *self;
    softening<P> soft;
    softening<double_precision> double_soft;
    force_out out; /* in double precision */
    double part;   /* if there is only one set: cancellation_part() */
    cancellation_list<P> list;

    __device__ particle_set set(size_t k) const
    {
        return sets ? sets[k] : whole;
    }
};

/* Samples first ... first + COUNT - 1 of a set's j-particles. */
template <class P, int COUNT>
KOSHU_DEVICE cancellation_sample
sample(const recompute_args<P> &a, const particle_set &set, unsigned first,
       const typename P::quad &at)
{
    return sample<P, COUNT>(a.j, a.soft, set.j_first, set.j_count, first,
                            P::unpack(&at));
}

/* Lists an i-particle if its force, with this sum of the components'
 * magnitudes, nearly cancels. */
template <class P>
KOSHU_DEVICE void
list_cancellation(const recompute_args<P> &a, size_t i, size_t set,
                  const typename P::quad &at, const cancellation_sample &s,
                  double absolute, double part)
{
    if (s.tell(absolute, part * a.out.a_unit))
        a.list.which[atomicAdd(a.list.n, 1ull)] = {i, set, at};
}

/* Checks sets of at most FIND_THREADS i-particles, one per block, after a
 * sum. */
template <class P>
__global__ void
__launch_bounds__(FIND_THREADS)
        find_cancellations(const __grid_constant__ recompute_args<P> a)
{
    wait_for_previous_kernel();
    const particle_set set = a.set(blockIdx.x);
    const size_t i = set.i_first + threadIdx.x;
    if (threadIdx.x >= set.i_count) return;
    const typename P::quad at = a.i.q[0][i];
    list_cancellation(a, i, blockIdx.x, at, sample<P, SAMPLES>(a, set, 0, at),
                      fabs(a.out.ax[i]) + fabs(a.out.ay[i]) + fabs(a.out.az[i]),
                      cancellation_part(set.j_count));
}

/* Sums the j-particles of one of 2^log_parts parts by the whole block; the
 * result is valid in its first warp. */
template <class P>
KOSHU_DEVICE double
sum_part(const recompute_args<P> &a, const cancellation<P> &which,
         unsigned part, unsigned log_parts)
{
    const particle_set set = a.set(which.set);
    const size_t chunk = (set.j_count + (1u << log_parts) - 1) >> log_parts;
    const size_t first = min(set.j_count, part * chunk);
    const size_t end = min(set.j_count, first + chunk);
    if (first == end) return 0;
    const size_t self = a.own ? which.i : a.self ? a.self[which.i] : SIZE_MAX;
    return sum_in_double<P, true, RECOMPUTE_THREADS>(
            a.j, set.j_first + first, set.j_first + end, which.at, self,
            a.double_soft);
}

/* Combines the sums of `parts` items, a power of two, that belong to one
 * particle of the list. Returns true, with the total, in the first warp of the
 * block that finished the last of them; else false. */
KOSHU_DEVICE bool
sum_of_parts(double *sum, double *partial, unsigned *arrived, size_t item,
             unsigned parts)
{
    const size_t first = item & ~(size_t)(parts - 1);
    const unsigned t = threadIdx.x, c = t / SUM_LANES, lane = t % SUM_LANES;
    if (c < 4 && lane == 0) partial[4 * item + c] = *sum;
    if (!comes_last(arrived, parts)) return false;
    if (t >= 32) return true;
    double mine = 0;
    for (unsigned part = lane; part < parts; part += SUM_LANES)
        mine += __ldcg(partial + 4 * (first + part) + c);
    *sum = sum_of_neighbours(mine);
    return true;
}

/* If the list is short, each sum is divided into parts, so that there are some
 * items per block, and all blocks end at the same time. */
template <class P>
__global__ void
__launch_bounds__(RECOMPUTE_THREADS, 4)
        recompute_sums(const __grid_constant__ recompute_args<P> a)
{
    const unsigned max_log = 5;
    wait_for_previous_kernel();
    const unsigned long long n = *a.list.n;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (first) *a.list.next_n = 0;
    if (first && n == 0) note_end(a.out.progress);
    unsigned log_parts = 0;
    while (log_parts < max_log &&
           n << (log_parts + 1) <= RECOMPUTE_ITEMS * gridDim.x)
        log_parts++;
    const unsigned parts = 1u << log_parts;
    for (size_t item = blockIdx.x; item < n << log_parts; item += gridDim.x) {
        const size_t k = item >> log_parts;
        const cancellation<P> which = a.list.which[k];
        double sum = sum_part(a, which, item & (parts - 1), log_parts);
        if (parts > 1 && !sum_of_parts(&sum, a.list.partial, a.list.arrived + k,
                                       item, parts))
            continue;
        if (threadIdx.x < 32) put_sum(a.out, which.i, sum);
        if (threadIdx.x == 0 && k + 1 == n) note_end(a.out.progress);
    }
}

} /* namespace koshu */

#endif
