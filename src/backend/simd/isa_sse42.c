/* SPDX-License-Identifier: MIT */
#define ISA_KERNEL koshu_simd_kernel_sse42
#include "backend/simd/kernels.h"
