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

/* By constant indices: where a loop has them, sums become registers only after
 * it has been unrolled, and the pairs around it are scheduled worse. */
template <int C = 0, class To, class From>
KOSHU_DEVICE void
add_components(To *to, const From &from)
{
    static_assert(n_components<To> == n_components<From>, "of one formula");
    if constexpr (C < n_components<To>) {
        (&to->ax)[C] += (&from.ax)[C];
        add_components<C + 1>(to, from);
    }
}

/* From another lane, the first N of them. */
template <int N, int C = 0, class Sum>
KOSHU_DEVICE void
rotate_components(Sum *s, int from)
{
    if constexpr (C < N) {
        (&s->ax)[C] = __shfl_sync(~0u, (&s->ax)[C], from);
        rotate_components<N, C + 1>(s, from);
    }
}

} /* namespace koshu */

#endif
