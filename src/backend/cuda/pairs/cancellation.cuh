/* SPDX-License-Identifier: MIT */
/*
 * Forces that nearly cancel, in single precision.
 *
 * The difference of floats x_j - x_i loses the digits of x_i below the last
 * digit of x_j. For all distant j-particles these are the same digits, so the
 * error does not average out, and more accurate summation does not remove it.
 * It is about 2e-9, and at most 6e-9, of
 *
 *     S_i = sum_j |m_j d / r^3|      (magnitudes: |x| + |y| + |z|)
 *
 * and the other roundings of n pairs, which do average out, are 7e-7 / sqrt(n)
 * of S at most. Both are small beside the force, unless forces from all sides
 * cancel, as in the middle of a cluster. Particles whose force is a small
 * fraction of S (in a Plummer sphere three or four in ten thousand) are
 * recomputed in double precision, from the same floats: by the block of
 * direct() that has their sums (cancellation_check.cuh), or by a subsequent
 * kernel (recompute.cuh).
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_CANCELLATION_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_CANCELLATION_CUH

#include <cmath>

#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

/*
 * S is estimated from a few j-particles: accurate to about a third, and at
 * least half of S. The largest term is left out, lest the one heavy particle of
 * a model count SAMPLES times too little or too much.
 */
enum { SAMPLES = 32 };

/*
 * For n pairs: a force nearly cancels if the sum of its components' magnitudes
 * is less than this times the samples' sum without the largest. Among 4800
 * Plummer spheres of 2049 to 8191 particles, of equal or unequal masses, 203
 * had a particle with an error beyond 5e-7, 2.4e-6 at most; this finds all of
 * them, and what is not recomputed has 4.9e-7 at most.
 */
KOSHU_HD double
cancellation_part(size_t n)
{
    const double least = 0.27 * sqrt((double)n), largest = 20;
    return (double)n / (SAMPLES - 1) / (least < largest ? least : largest);
}

template <class P>
constexpr bool recomputes = std::is_same<P, single_precision>::value;

/* Sums over some of the samples, or all. */
struct cancellation_sample {
    float sum, largest;

    __device__ __forceinline__ void add(const cancellation_sample &s)
    {
        sum += s.sum;
        largest = fmaxf(largest, s.largest);
    }
    /* Does a force with this sum of its components' magnitudes nearly cancel?
     * Called with all samples. Also true for forces that overflowed floats. */
    __device__ __forceinline__ bool tell(double absolute, double part) const
    {
        return absolute < part * (sum - largest) || !isfinite(absolute);
    }
};

/* Samples first ... first + COUNT - 1 of the n j-particles from j_first on, for
 * an i-particle at pi; if n < SAMPLES, some are used several times. */
template <class P, int COUNT>
KOSHU_DEVICE cancellation_sample
sample(const packed<P> &j, const softening<P> &soft, size_t j_first, size_t n,
       unsigned first, const typename P::point &pi)
{
    cancellation_sample s = {0, 0};
#pragma unroll
    for (unsigned k = first; k < first + COUNT; k++) {
        const typename P::point pj = load_point(j, j_first + k * n / SAMPLES);
        const typename P::vector d = P::difference(pj, pi);
        const float r2 = P::r2(d, soft.eps2);
        float of_one = pj.m * gravity_cube_f32(P::rinv(r2)) *
                       (fabsf(d.x) + fabsf(d.y) + fabsf(d.z));
        if (!(r2 > soft.eps2)) of_one = 0; /* the particle itself, if eps = 0 */
        s.add({of_one, of_one});
    }
    return s;
}

} /* namespace koshu */

#endif
