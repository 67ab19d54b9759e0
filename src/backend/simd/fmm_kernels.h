/* SPDX-License-Identifier: MIT */
/*
 * The operators of the fast multipole method in one instruction set: compiled
 * once for each, by a file fmm_kernels_*.c with its own compiler options, after
 *
 *     #define ISA_FMM   the name of the function that finds them
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

static void pairs_single(const struct koshu_fmm_pairs *p);

#include "backend/simd/real_f32.h"
#define PAIRS pairs_single
#define COEFFICIENTS f32
#define ROOT ROOT_SINGLE
#include "backend/simd/inverse_root.h"
#include "backend/fmm_operators.h"
#undef ROOT
#undef PAIRS
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#define PAIRS pairs_f64
#define COEFFICIENTS f64
#define ROOT ROOT_DOUBLE
#include "backend/simd/inverse_root.h"
#include "backend/fmm_operators.h"
#undef ROOT
#undef PAIRS
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

/* In double where a pair is so near that floats do not hold what it gives. */
static void
pairs_single(const struct koshu_fmm_pairs *p)
{
    const size_t n = p->n_rhs * KOSHU_FMM_FIELDS * p->n_i;
    bool finite = true;
    pairs_f32(p);
    for (size_t k = 0; k < n; k++) finite &= isfinite(p->sums[k]) != 0;
    if (!finite) pairs_f64(p);
}

const struct koshu_fmm_kernels *
ISA_FMM(enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_DOUBLE ? &fmm_kernels_f64
                                               : &fmm_kernels_f32;
}
