/* SPDX-License-Identifier: MIT */
/* What sums of gravity must be multiplied by, for the root that they were taken
 * with; after vector.h and kernels/gravity.h. */
#ifndef KOSHU_BACKEND_SIMD_SCALE_H
#define KOSHU_BACKEND_SIMD_SCALE_H

struct scale {
    double a, mr;
};

VECTOR_FN struct scale
scale_of(const enum root root)
{
    double f = 1 / root_factor(root);
    if (root == ROOT_CUBED)
        return (struct scale){KOSHU_GRAVITY_ESTIMATE_SCALE, 1};
    return (struct scale){f * f * f, f};
}

#endif
