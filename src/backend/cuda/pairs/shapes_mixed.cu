/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/shapes.cuh"

namespace koshu {

using P = mixed_precision;

static constexpr shaped_kernel kernels[] = {
        more_mutual<P, 4, 64, 1, 1, true, 8>,
        more_mutual<P, 4, 128, 1, 2, true, 4>,
        more_mutual<P, 6, 64, 1, 2, true, 6>,
        more_mutual<P, 6, 128, 1, 2, true, 3>,
        more_mutual<P, 8, 64, 1, 2, true, 6>,
        more_mutual<P, 8, 128, 1, 1, true, 3>,
        more_mutual<P, 8, 128, 1, 4, true, 3>,
};

const shape_list more_mixed = list_of(kernels);

} /* namespace koshu */
