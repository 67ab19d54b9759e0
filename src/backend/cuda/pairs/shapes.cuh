/* SPDX-License-Identifier: MIT */
/* Shapes beyond those of tuning.cuh. They do not support very small softening,
 * which saves a third of the kernels. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_SHAPES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_SHAPES_CUH

#include "backend/cuda/pairs/launch.cuh"

namespace koshu {

/* Arguments as in direct_shape and mutual_shape. */
template <class P, int I, int J, int UNROLL, int BLOCKS>
constexpr shaped_kernel more_direct =
        direct_in<P, direct_shape<I, J, UNROLL, BLOCKS>, false>;

template <class P, int I, int T, int FLUSH, int UNROLL, bool TWO, int BLOCKS>
constexpr shaped_kernel more_mutual =
        mutual_in<P, mutual_shape<I, T, FLUSH, UNROLL, TWO, BLOCKS>, false>;

/* Candidates for float arithmetic, for `fast` and `single` alike. */
template <class P>
constexpr shaped_kernel more_in_float[] = {
        more_direct<P, 1, 8, 8, 4>,
        more_direct<P, 1, 16, 8, 1>,
        more_direct<P, 1, 32, 8, 1>,
        more_direct<P, 2, 8, 4, 4>,
        more_direct<P, 2, 16, 4, 2>,
        more_direct<P, 2, 16, 8, 1>,
        more_direct<P, 4, 8, 4, 2>,
        more_mutual<P, 4, 64, 2, 2, false, 10>,
        more_mutual<P, 4, 128, 4, 2, false, 5>,
        more_mutual<P, 4, 256, 8, 2, false, 2>,
        more_mutual<P, 6, 128, 4, 2, false, 4>,
        more_mutual<P, 8, 64, 2, 4, false, 6>,
        /* unrolled once or twice, whichever tuning.cuh does not do */
        more_mutual<P, 8, 128, 4, 3 - tuning<P>::large::UNROLL, false, 3>,
        more_mutual<P, 8, 128, 4, 4, false, 3>,
};

template <class P>
constexpr shaped_kernel more_in_mixed[] = {
        more_mutual<P, 4, 64, 1, 1, true, 8>,
        more_mutual<P, 4, 128, 1, 2, true, 4>,
        more_mutual<P, 6, 64, 1, 2, true, 6>,
        more_mutual<P, 6, 128, 1, 2, true, 3>,
        more_mutual<P, 8, 64, 1, 2, true, 6>,
        more_mutual<P, 8, 128, 1, 1, true, 3>,
        more_mutual<P, 8, 128, 1, 4, true, 3>,
};

template <class P>
constexpr shaped_kernel more_in_double[] = {
        more_direct<P, 1, 8, 8, 4>,
        more_direct<P, 2, 4, 4, 4>,
        more_direct<P, 2, 8, 4, 2>,
        more_direct<P, 1, 8, 4, 4>,
        more_direct<P, 1, 16, 8, 1>,
        more_direct<P, 2, 16, 4, 1>,
        more_direct<P, 4, 8, 2, 1>,
        more_mutual<P, 4, 64, 2, 1, false, 6>,
        more_mutual<P, 4, 64, 2, 2, false, 6>,
        more_mutual<P, 4, 128, 4, 2, false, 3>,
        more_mutual<P, 6, 64, 2, 1, false, 5>,
        more_mutual<P, 8, 64, 2, 1, false, 4>,
        more_mutual<P, 6, 128, 4, 2, false, 2>,
};

template <class P>
constexpr shape_list
more_of()
{
    if constexpr (!sums_sets<P>)
        return list_of(more_in_mixed<P>);
    else if constexpr (in_float<P>)
        return list_of(more_in_float<P>);
    else
        return list_of(more_in_double<P>);
}

} /* namespace koshu */

#endif
