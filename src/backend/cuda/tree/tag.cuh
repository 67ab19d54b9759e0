/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_BACKEND_CUDA_TREE_TAG_CUH
#define KOSHU_BACKEND_CUDA_TREE_TAG_CUH

#include <cstdint>

namespace koshu {

/* What a tree knows of a particle: 8 bytes, that move with it. */
struct particle_tag {
    uint32_t origin; /* its index on the host */
    float a;         /* |a| of the last step, for the relative criterion */
};

} /* namespace koshu */

#endif
