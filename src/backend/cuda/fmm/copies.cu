/* SPDX-License-Identifier: MIT */
/* Copies between the host's arrays and the device, in the report. */
#include "backend/cuda/fmm/laplace.cuh"
#include "base/base.h"

namespace koshu {

static void
count_copies(const laplace_call &c, const host_copy *copies, size_t n)
{
    for (size_t k = 0; k < n; k++) c.report->copied_bytes += copies[k].bytes;
}

cudaError_t
send(const laplace_call &c, const host_copy *copies, size_t n)
{
    const double start = koshu_now();
    const cudaError_t error = c.fmm->copies.upload(c.fmm->cuda, copies, n);
    c.report->seconds.copies += koshu_now() - start;
    count_copies(c, copies, n);
    return error;
}

cudaError_t
fetch(const laplace_call &c, const host_copy *copies, size_t n)
{
    const double start = koshu_now();
    const cudaError_t error = c.fmm->copies.download(c.fmm->cuda, copies, n);
    c.report->seconds.copies += koshu_now() - start;
    count_copies(c, copies, n);
    return error;
}

} /* namespace koshu */
