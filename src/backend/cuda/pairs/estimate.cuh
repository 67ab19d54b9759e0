/* SPDX-License-Identifier: MIT */
/* The device's estimates of 1 / sqrt(x). Also compiled at run time;
 * KOSHU_DEVICE must be defined before. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_ESTIMATE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_ESTIMATE_CUH

namespace koshu {

/* The device's estimate of 1 / sqrt(r2), accurate to 1 part in 2^22.9. */
KOSHU_DEVICE float
estimate(float r2)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(r2));
    return y;
}

/* Accurate to about 20 bits; the low half of the result is zero. */
KOSHU_DEVICE double
estimate(double r2)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(r2));
    return y;
}

} /* namespace koshu */

#endif
