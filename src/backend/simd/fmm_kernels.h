/* SPDX-License-Identifier: MIT */
/*
 * The operators of the fast multipole method in one instruction set: compiled
 * once for each, by a file fmm_kernels_*.c with its own compiler options, after
 *
 *     #define ISA_FMM   the name of the function that finds them
 */
#include <math.h>

#include "backend/simd/isa.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

#include "backend/simd/real_f32.h"
#define COEFFICIENTS f32
#include "backend/fmm_cells.h"
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#define COEFFICIENTS f64
#include "backend/fmm_cells.h"
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

const struct koshu_fmm_kernels *
ISA_FMM(enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_DOUBLE ? &fmm_kernels_f64
                                               : &fmm_kernels_f32;
}
