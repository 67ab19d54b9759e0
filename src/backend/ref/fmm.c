/* SPDX-License-Identifier: MIT */
/* The operators of the fast multipole method, in double precision: vectors of
 * one lane. */
#include <math.h>
#include <string.h>

#include "backend/ref/ref.h"
#include "kernels/kernels.h"

typedef double one_double __attribute__((vector_size(sizeof(double))));

static one_double
inverse_root(one_double r2)
{
    return (one_double){r2[0] > 0 ? 1 / sqrt(r2[0]) : 0};
}

#define KOSHU_REAL one_double
#define KOSHU_TYPED(name) name
#define SCALAR double
#define LANES 1
#define COEFFICIENTS f64
#define PAIRS pairs
#include "backend/fmm_operators.h"

const struct koshu_fmm_kernels *
koshu_ref_fmm_kernels(const struct koshu_backend *backend,
                      enum koshu_precision precision)
{
    (void)backend;
    (void)precision;
    return &fmm_kernels;
}
