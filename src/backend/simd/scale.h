/* SPDX-License-Identifier: MIT */
/* The factors by which gravity sums must be multiplied, depending on the root
 * that was used; include after vector.h and kernels/gravity.h. */
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
