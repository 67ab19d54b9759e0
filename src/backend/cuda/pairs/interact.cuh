/* SPDX-License-Identifier: MIT */
/* One j-particle on one i-particle. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_INTERACT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_INTERACT_CUH

#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

/* ZERO_SAFE: zero-distance-safe: a pair at no distance counts as the formula
 * says, whatever eps is. SELF: leave the pair out where self. */
template <class P, bool ZERO_SAFE, bool SELF>
KOSHU_DEVICE void
interact(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, const softening<P> &soft, bool self)
{
    typename P::vector d = P::difference(j, i);
    typename P::real r2 = P::r2(d, soft.eps2);
    typename P::real rinv = P::rinv(r2);
    if (ZERO_SAFE && r2 <= soft.eps2) {
        s->mr += SELF && self ? 0 : j.m * soft.coincident;
        rinv = 0;
    }
    if (SELF && self) rinv = 0;
    P::add(s, d, j.m, r2, rinv);
}

/* The pair on both of its particles. */
template <class P, bool ZERO_SAFE>
KOSHU_DEVICE void
interact_both(typename P::sum *si, typename P::sum *sj,
              const typename P::point &i, const typename P::point &j,
              const softening<P> &soft)
{
    typename P::vector d = P::difference(j, i);
    typename P::real r2 = P::r2(d, soft.eps2);
    typename P::real rinv = P::rinv(r2);
    typename P::real rinv3 = P::rinv3(r2, rinv);
    if (ZERO_SAFE && r2 <= soft.eps2) {
        rinv = soft.coincident;
        rinv3 = 0;
    }
    P::add_both(si, sj, d, i.m, j.m, rinv, rinv3);
}

} /* namespace koshu */

#endif
