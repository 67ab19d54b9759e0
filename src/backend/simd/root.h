/* SPDX-License-Identifier: MIT */
/*
 * 1 / sqrt(r2) in the ways of enum root; included once per number type, after
 * kernels/rsqrt.h.
 */

/* root_factor() / sqrt(r2) from the estimate y. */
VECTOR_FN KOSHU_REAL
KOSHU_TYPED(root_refine)(KOSHU_REAL r2, KOSHU_REAL y, const enum root root)
{
    if (root == ROOT_THIRD) return KOSHU_TYPED(rsqrt_third_order)(r2, y);
    if (root == ROOT_TWICE) y = 0.5f * KOSHU_TYPED(rsqrt_newton_twice)(r2, y);
    if (root == ROOT_TWICE || root == ROOT_NEWTON)
        return KOSHU_TYPED(rsqrt_newton_twice)(r2, y);
    return y;
}

VECTOR_FN KOSHU_REAL
KOSHU_TYPED(root_begin)(KOSHU_REAL r2, const enum root root)
{
    return root == ROOT_EXACT ? KOSHU_TYPED(rsqrt_exact)(r2)
                              : KOSHU_TYPED(rsqrt_estimate)(r2);
}
