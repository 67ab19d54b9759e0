/* SPDX-License-Identifier: MIT */
/*
 * Gravity of one j-particle on one i-particle (Hamada07 eq. 1); see kernels.h
 * for how this file is included.
 *
 *     d     = x_j - x_i
 *     r2    = d . d + eps^2          the softened distance squared
 *     pot  -= m_j / r
 *     a    += m_j d / r^3
 *
 * No include guard: once per number type.
 */

struct KOSHU_TYPED(gravity_sum) {
    KOSHU_REAL ax, ay, az;
    KOSHU_REAL mr; /* sum of m_j / r: minus the potential */
};

/* x_j - x_i for coordinates stored as unevaluated sums high + low: the high
 * parts of near particles cancel without rounding. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_difference)(KOSHU_REAL j_high, KOSHU_REAL j_low,
                                KOSHU_REAL i_high, KOSHU_REAL i_low)
{
    return (j_high - i_high) + (j_low - i_low);
}

/* d . d + eps^2, three fused multiply-adds (Miki13 section 2.2). */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_r2)(KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                        KOSHU_REAL eps2)
{
    return dx * dx + (dy * dy + (dz * dz + eps2));
}

/* d . d, for callers that need it by itself and add eps^2 later. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_distance2)(KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz)
{
    return dx * dx + (dy * dy + dz * dz);
}

/*
 * rinv = 1 / sqrt(r2), however the caller computes it. If rinv is c / sqrt(r2),
 * the sums are c mr and c^3 a, and the caller removes c from them.
 */
KOSHU_HD void
KOSHU_TYPED(gravity_add)(struct KOSHU_TYPED(gravity_sum) * s, KOSHU_REAL dx,
                         KOSHU_REAL dy, KOSHU_REAL dz, KOSHU_REAL mass,
                         KOSHU_REAL rinv)
{
    KOSHU_REAL mr = mass * rinv;
    KOSHU_REAL mr3 = mr * (rinv * rinv);
    s->ax += mr3 * dx;
    s->ay += mr3 * dy;
    s->az += mr3 * dz;
    s->mr += mr;
}

/*
 * Acceleration alone, from an estimate y of 1 / sqrt(r2), with one
 * multiplication fewer than a Newton step and gravity_add(): with e = 1 - r2
 * y^2
 *
 *     1 / r^3 = y^3 (1 + 3/2 e + O(15/8 e^2)) = y^3 3/2 (5/3 - r2 y^2)
 *
 * The caller multiplies its sums by KOSHU_GRAVITY_ESTIMATE_SCALE, which is 3/2
 * corrected for the rounding of 5/3 to float, so that e = 0 is exact.
 */
#define KOSHU_GRAVITY_ESTIMATE_SCALE (1.0 / ((double)(5.0f / 3.0f) - 1.0))

KOSHU_HD void
KOSHU_TYPED(gravity_add_estimate)(struct KOSHU_TYPED(gravity_sum) * s,
                                  KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                                  KOSHU_REAL r2, KOSHU_REAL mass, KOSHU_REAL y)
{
    KOSHU_REAL y2 = y * y;
    KOSHU_REAL mr3 = (mass * y) * y2 * (5.0f / 3.0f - r2 * y2);
    s->ax += mr3 * dx;
    s->ay += mr3 * dy;
    s->az += mr3 * dz;
}

/* y^3; times the factor of gravity_add_estimate() it is the improved 1 /
 * r^3. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_cube)(KOSHU_REAL y)
{
    return y * (y * y);
}

KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_cube_estimate)(KOSHU_REAL r2, KOSHU_REAL y)
{
    KOSHU_REAL y2 = y * y;
    return (y * y2) * (5.0f / 3.0f - r2 * y2);
}

/*
 * Both interactions of a pair, i from j and j from i, given 1 / r and 1 / r^3:
 * 19 operations instead of 28. The cube is formed before the masses enter, so
 * it must neither overflow nor underflow: the caller chooses units in which
 * distances are not far from 1.
 */
KOSHU_HD void
KOSHU_TYPED(gravity_add_both)(struct KOSHU_TYPED(gravity_sum) * i,
                              struct KOSHU_TYPED(gravity_sum) * j,
                              KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                              KOSHU_REAL mass_i, KOSHU_REAL mass_j,
                              KOSHU_REAL rinv, KOSHU_REAL rinv3)
{
    KOSHU_REAL from_j = mass_j * rinv3;
    KOSHU_REAL from_i = mass_i * rinv3;
    i->ax += from_j * dx;
    i->ay += from_j * dy;
    i->az += from_j * dz;
    i->mr += mass_j * rinv;
    j->ax -= from_i * dx;
    j->ay -= from_i * dy;
    j->az -= from_i * dz;
    j->mr += mass_i * rinv;
}
