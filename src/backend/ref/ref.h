/* SPDX-License-Identifier: MIT */
/* Operations of the reference backend that are in other files than ref.c. */
#ifndef KOSHU_BACKEND_REF_REF_H
#define KOSHU_BACKEND_REF_REF_H

#include "backend/backend.h"
#include "base/base.h"

extern const struct koshu_j_store_ops koshu_ref_j_store;

/* Number of threads for this many pairs. */
static inline int
koshu_ref_threads(const struct koshu_context *context, size_t n_i, size_t n_j)
{
    const double pairs_alone = 1 << 15;
    return koshu_region_threads(context,
                                (double)n_i * (double)n_j >= pairs_alone);
}

/* cores() and gaussians() of struct koshu_fmm_kernels. */
bool koshu_ref_cores(const struct koshu_fmm_rows *rows, double *sums);
void koshu_ref_gaussians(const struct koshu_fmm_rows *rows, const double *g,
                         double *sums);

/* kernels() of struct koshu_fmm_ops: in double, whatever is requested. */
const struct koshu_fmm_kernels *
koshu_ref_fmm_kernels(const struct koshu_backend *backend,
                      enum koshu_precision precision);

/* walks() of struct koshu_backend_ops. */
koshu_status koshu_ref_walks(struct koshu_backend *backend,
                             const struct koshu_walk_task *task, size_t n_walks,
                             const struct koshu_walks *walks);

#endif
