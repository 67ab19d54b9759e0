/* SPDX-License-Identifier: MIT */
/* Recomputes a job's results for a few i-particles with a better kernel. */
#include <math.h>

#include "backend/simd/range.h"

void
koshu_simd_recompute(const struct simd_job *job, const size_t *which, size_t n,
                     simd_kernel *kernel)
{
    double place[3][SIMD_JOB_I], sum[4][SIMD_JOB_I];
    uint64_t self[SIMD_JOB_I];
    const struct koshu_force_targets *i = &job->i;
    const struct koshu_force_sums *to = &job->result;
    if (n == 0) return;
    for (size_t k = 0; k < n; k++) {
        place[0][k] = i->x[which[k]];
        place[1][k] = i->y[which[k]];
        place[2][k] = i->z[which[k]];
        self[k] = i->self ? i->self[which[k]] : KOSHU_NO_SELF;
    }
    struct simd_job few = *job;
    few.i = (struct koshu_force_targets){n, place[0], place[1], place[2], self};
    few.result = (struct koshu_force_sums){sum[0], sum[1], sum[2],
                                           to->potential ? sum[3] : NULL};
    kernel(&few);
    for (size_t k = 0; k < n; k++) {
        to->ax[which[k]] = sum[0][k];
        to->ay[which[k]] = sum[1][k];
        to->az[which[k]] = sum[2][k];
        if (to->potential) to->potential[which[k]] = sum[3][k];
    }
}

/*
 * A term whose m / r^3 underflows (below 2^-126) at r below 2^64 is below
 * 2^-62; at larger r, 1 / r is 0. Forces above this bound, per pair, do not
 * change in float precision without such terms.
 */
#define WEAK 0x1p-38

bool
koshu_simd_recompute_lost(const struct simd_job *job, simd_kernel *kernel)
{
    const struct koshu_force_sums *r = &job->result;
    const double weak = WEAK * (double)(job->j_last - job->j_first);
    size_t which[SIMD_JOB_I], n = 0, weak_ones = 0;
    for (size_t k = 0; k < job->i.n; k++) {
        const double a = fabs(r->ax[k]) + fabs(r->ay[k]) + fabs(r->az[k]);
        which[n] = k;
        n += !isfinite(r->potential ? a + r->potential[k] : a);
        weak_ones += a < weak;
    }
    koshu_simd_recompute(job, which, n, kernel);
    return weak_ones > 0;
}
