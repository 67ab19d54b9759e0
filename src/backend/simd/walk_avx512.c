/* SPDX-License-Identifier: MIT */
#define ISA_WALK koshu_simd_walk_avx512
#include "backend/simd/walk_kernels.h"
