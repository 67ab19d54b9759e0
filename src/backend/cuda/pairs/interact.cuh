/* SPDX-License-Identifier: MIT */
/* The interaction of one j-particle with one i-particle. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_INTERACT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_INTERACT_CUH

#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

/* Is the distance zero, or lost in r2 beside eps^2? */
template <class P> struct lost_in_r2 {
    KOSHU_DEVICE bool
    is(const typename P::vector &, typename P::real r2, typename P::real eps2)
    {
        return r2 <= eps2;
    }
};

/* ZERO_SAFE: a pair at distance 0 contributes as the formula says for any
 * eps. OnePlace: decides which pairs these are. SELF: leaves the pair out if
 * `self`. */
template <class P, bool ZERO_SAFE, bool SELF, class OnePlace = lost_in_r2<P>>
KOSHU_DEVICE void
interact(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, const softening<P> &soft, bool self)
{
    const typename P::vector d = P::difference(j, i);
    const typename P::real r2 = P::r2(d, soft.eps2);
    const typename P::real rinv = gravity_rinv_kept(
            &s->mr, j.m, P::rinv(r2), soft.coincident,
            ZERO_SAFE && OnePlace::is(d, r2, soft.eps2), SELF && self);
    P::add(s, d, j.m, r2, rinv);
}

} /* namespace koshu */

#endif
