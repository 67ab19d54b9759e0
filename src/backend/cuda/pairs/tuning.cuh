/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the kernels, and the sizes at which each is used: the fastest
 * found on an H100 (docs/tuning.md has the measurements).
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_TUNING_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_TUNING_CUH

#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

/* Template arguments of direct(): I i-particles per lane, J warps, at least
 * BLOCKS blocks per multiprocessor. */
template <int I_, int J_, int UNROLL_, int BLOCKS_> struct direct_shape {
    static constexpr int I = I_, J = J_, UNROLL = UNROLL_, BLOCKS = BLOCKS_;
};

/* Template arguments of mutual(). */
template <int I_, int T_, int FLUSH_, int UNROLL_, bool TWO_, int BLOCKS_>
struct mutual_shape {
    static constexpr int I = I_, T = T_, FLUSH = FLUSH_, UNROLL = UNROLL_,
                         BLOCKS = BLOCKS_;
    static constexpr bool TWO = TWO_;
    static constexpr unsigned width = I * T; /* particles per block */
};

/*
 * A store of n particles is summed by
 *
 *     direct() in the shape few,   n < mutual_from
 *     mutual()              small,     < large_from
 *     mutual()              large
 *
 * and a batch by direct(), in the shape many if its i-sets are large enough.
 */
template <class P> struct tuning;

template <> struct tuning<fast_precision> {
    using few = direct_shape<1, 16, 8, 2>;
    using many = direct_shape<4, 4, 4, 4>;
    using small = mutual_shape<8, 64, 2, 1, false, 6>;
    using large = mutual_shape<8, 128, 4, 1, false, 3>;
    static constexpr size_t mutual_from = 12288, large_from = 49152;
};

template <> struct tuning<single_precision> {
    using few = direct_shape<1, 16, 8, 2>;
    using many = direct_shape<4, 4, 4, 4>;
    using small = mutual_shape<8, 64, 2, 2, false, 8>;
    using large = mutual_shape<8, 128, 4, 2, false, 3>;
    static constexpr size_t mutual_from = 12288, large_from = 24576;
};

/* Only for stores of many particles; see MIXED_FROM. */
template <> struct tuning<mixed_precision> {
    using many = direct_shape<4, 4, 2, 3>; /* for separate i- and j-particles */
    using small = mutual_shape<4, 64, 1, 2, true, 8>;
    using large = mutual_shape<8, 128, 1, 2, true, 3>;
    static constexpr size_t large_from = 32768;
};

template <> struct tuning<double_precision> {
    using few = direct_shape<1, 16, 4, 2>;
    using many = direct_shape<4, 4, 2, 3>;
    using small = mutual_shape<6, 64, 2, 2, false, 4>;
    using large = mutual_shape<8, 64, 2, 2, false, 4>;
    static constexpr size_t mutual_from = 6144, large_from = 12288;
};

} /* namespace koshu */

#endif
