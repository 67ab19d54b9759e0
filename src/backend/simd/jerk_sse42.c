/* SPDX-License-Identifier: MIT */
#define ISA_JERK koshu_simd_jerk_sse42
#include "backend/simd/jerk_kernels.h"
