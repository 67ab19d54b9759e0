/* SPDX-License-Identifier: MIT */
#define ISA_KERNEL koshu_simd_kernel_base
#include "backend/simd/kernels.h"
