/* SPDX-License-Identifier: MIT */
#define ISA_JERK koshu_simd_jerk_avx512
#include "backend/simd/jerk_kernels.h"
