/* SPDX-License-Identifier: MIT */
/* Access to the sums of the formulas in kernels/ by component. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_COMPONENTS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_COMPONENTS_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* The number of components of a sum on a particle; they have one type and no
 * gaps. */
template <class Sum>
constexpr int n_components = (int)(sizeof(Sum) / sizeof(Sum::ax));

/* Component c. */
template <class Sum>
KOSHU_DEVICE auto &
component(Sum &s, int c)
{
    return (&s.ax)[c];
}

/* Uses constant indices: with a loop, sums become registers only after it has
 * been unrolled, and the surrounding pairs are scheduled worse. */
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

/* Moves the first N components from another lane. */
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
