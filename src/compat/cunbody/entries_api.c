/* SPDX-License-Identifier: MIT */
/* The entry point that cunbody_api() calls in C. */
#include <koshu-cunbody/evaluate.h>

#include "compat/cunbody/cunbody.h"

KOSHU_API int
cunbody_evaluate(const struct cunbody_pipeline *pipeline, const double *xj,
                 const double *xi, double *f, int ni, int nj)
{
    return koshu_cunbody_evaluate(pipeline, xj, xi, f, ni, nj);
}
