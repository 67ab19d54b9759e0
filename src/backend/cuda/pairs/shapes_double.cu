/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/shapes.cuh"

namespace koshu {

using P = double_precision;

static constexpr shaped_kernel kernels[] = {
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

const shape_list more_double = list_of(kernels);

} /* namespace koshu */
