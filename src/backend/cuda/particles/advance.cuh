/* SPDX-License-Identifier: MIT */
/* The leapfrog operations on a particle, in one pass. */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_ADVANCE_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_ADVANCE_CUH

#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

enum { ADVANCE_THREADS = 128, ADVANCE_KICKS = 2 };

/* Arrays of n elements, in the caller's units. */
struct fields {
    double *mass, *x[3], *v[3], *a[3], *potential;
};

struct advance_args {
    fields f;
    size_t n;
    int kicks; /* at most ADVANCE_KICKS: v += a kick[k], in order */
    double kick[ADVANCE_KICKS];
    bool drifts; /* x += v drift after the kicks */
    double drift;
    bool packs; /* packed particles are updated afterwards */
    units u;
    int *not_finite; /* set to 1 if a result is infinite or NaN */
};

template <class P>
__global__ void
__launch_bounds__(ADVANCE_THREADS)
        advance(const __grid_constant__ advance_args s, packed<P> to)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.n) return;
    double x[3], sum = 0;
    for (int c = 0; c < 3; c++) {
        double v = 0;
        if (s.kicks > 0 || s.drifts) v = s.f.v[c][i];
        if (s.kicks > 0) {
            double a = s.f.a[c][i];
            for (int k = 0; k < s.kicks; k++) v += a * s.kick[k];
            s.f.v[c][i] = v;
        }
        if (s.drifts || s.packs) x[c] = s.f.x[c][i];
        if (s.drifts) s.f.x[c][i] = x[c] += v * s.drift;
        sum += 0 * v + (s.drifts ? 0 * x[c] : 0);
    }
    if (sum != 0) *s.not_finite = 1; /* NaN */
    if (s.packs) store_point(to, i, s.u, x[0], x[1], x[2], s.f.mass[i]);
}

} /* namespace koshu */

#endif
