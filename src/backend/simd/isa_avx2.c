/* SPDX-License-Identifier: MIT */
#define ISA_KERNEL koshu_simd_kernel_avx2
#include "backend/simd/kernels.h"
