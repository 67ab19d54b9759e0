/* SPDX-License-Identifier: MIT */
/*
 * 1 / sqrt(x) from an estimate y of it; see kernels.h for how this file is
 * included. Let y = (1 + d) / sqrt(x); e = 1 - x y^2 = -2 d - d^2.
 *
 * No include guard: once per number type.
 */

/*
 * One Newton step without the factor 1 / 2: y (3 - x y^2) = 2 / sqrt(x), with
 * the relative error -3/2 d^2. This saves a multiplication here; the caller
 * removes the factor of two from its sums at no cost.
 */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(rsqrt_newton_twice)(KOSHU_REAL x, KOSHU_REAL y)
{
    return y * (3 - x * (y * y));
}

/*
 * One third-order step, y (1 + e/2 + 3/8 e^2): relative error 5/2 d^3. y^2 is
 * not formed: the estimate has so few digits that half of its squares lie
 * midway between two floats, so rounding them would be biased.
 */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(rsqrt_third_order)(KOSHU_REAL x, KOSHU_REAL y)
{
    KOSHU_REAL e = 1 - (x * y) * y;
    return y + (y * e) * (0.5f + 0.375f * e);
}
