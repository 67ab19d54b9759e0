/* SPDX-License-Identifier: MIT */
/* Copies between the host's arrays and the device, counted in the report. */
#include "backend/cuda/fmm/laplace.cuh"
#include "base/base.h"

namespace koshu {

/* Copies with `copy`, and counts and times that. */
template <class Copy>
static cudaError_t
do_copies(const laplace_call &c, const host_copy *copies, size_t n,
          const Copy &copy)
{
    const double start = koshu_now();
    const cudaError_t error = copy();
    c.report->seconds.copies += koshu_now() - start;
    for (size_t k = 0; k < n; k++) c.report->copied_bytes += copies[k].bytes;
    return error;
}

cudaError_t
send(const laplace_call &c, const host_copy *copies, size_t n)
{
    return do_copies(c, copies, n,
                     [&] { return upload(c.fmm->cuda, copies, n); });
}

cudaError_t
fetch(const laplace_call &c, const host_copy *copies, size_t n)
{
    return do_copies(c, copies, n,
                     [&] { return download(c.fmm->cuda, copies, n); });
}

} /* namespace koshu */
