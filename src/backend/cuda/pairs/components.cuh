/* SPDX-License-Identifier: MIT */
/* The sums of the formulas in kernels/, number by number. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_COMPONENTS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_COMPONENTS_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* How many a sum on a particle has; they are of one type, without gaps. */
template <class Sum>
constexpr int n_components = (int)(sizeof(Sum) / sizeof(Sum::ax));

/* Number c of them, in their order. */
template <class Sum>
KOSHU_DEVICE auto &
component(Sum &s, int c)
{
    return (&s.ax)[c];
}

template <class To, class From>
KOSHU_DEVICE void
add_components(To *to, const From &from)
{
    static_assert(n_components<To> == n_components<From>, "of one formula");
    for (int c = 0; c < n_components<To>; c++)
        component(*to, c) += component(from, c);
}

} /* namespace koshu */

#endif
