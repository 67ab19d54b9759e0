/* SPDX-License-Identifier: MIT */
/* Where the results of a sum go. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_RESULT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_RESULT_CUH

#include "backend/cuda/pairs/precision.cuh"
#include "backend/cuda/runtime/progress.cuh"

namespace koshu {

/* The result arrays, and the factors from the packed particles' units to the
 * caller's. potential may be NULL. */
struct force_out {
    double *ax, *ay, *az, *potential;
    double a_unit, potential_unit;
    koshu::progress progress;
};

/* Component c of particle i: the acceleration, then the potential. */
KOSHU_DEVICE void
put_result(const force_out &out, unsigned c, size_t i, double sum)
{
    double *to = out.potential; /* not an array: it would be in local memory */
    if (c == 0) to = out.ax;
    if (c == 1) to = out.ay;
    if (c == 2) to = out.az;
    if (to) to[i] = (c < 3 ? out.a_unit : out.potential_unit) * sum;
}

} /* namespace koshu */

#endif
