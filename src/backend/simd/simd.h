/* SPDX-License-Identifier: MIT */
/* The opened backend, for operations in other files. */
#ifndef KOSHU_BACKEND_SIMD_SIMD_H
#define KOSHU_BACKEND_SIMD_SIMD_H

#include "backend/backend.h"
#include "backend/simd/isa.h"
#include "backend/simd/plan.h"

struct simd_backend {
    struct koshu_backend base; /* first: pointers are cast */
    const struct simd_isa *isa;
    struct simd_plan plan;
};

extern const struct koshu_fmm_ops koshu_simd_fmm;
extern const struct koshu_j_store_ops koshu_simd_j_store;

/* See enum koshu_cost. Status: KOSHU_ERROR_UNSUPPORTED (only devices do
 * that). */
koshu_status koshu_simd_cost(enum koshu_cost what, size_t n, int threads);

/* In single precision eps^2 and 1 / eps must fit floats; so too in mixed
 * precision, whose roots are taken from floats. */
static inline bool
simd_can_soften(enum koshu_precision precision, double eps)
{
    return precision == KOSHU_PRECISION_DOUBLE || eps == 0 ||
           (eps >= SIMD_SMALLEST_EPS && eps <= SIMD_LARGEST_EPS);
}

#endif
