/* SPDX-License-Identifier: MIT */
/*
 * Gravity and its time derivative, of one j-particle on one i-particle
 * (Belleman08 section 3; Makino & Aarseth 1992); see kernels.h for how this
 * file is included.
 *
 *     d     = x_j - x_i,  w = v_j - v_i
 *     r2    = d . d + eps^2          the softened distance squared
 *     pot  -= m_j / r
 *     a    += m_j d / r^3
 *     jerk += m_j (w / r^3 - 3 (d . w) d / r^5)
 *
 * No include guard: once per number type.
 */

struct KOSHU_TYPED(jerk_sum) {
    KOSHU_REAL ax, ay, az;
    KOSHU_REAL jx, jy, jz;
    KOSHU_REAL mr; /* sum of m_j / r: minus the potential */
};

/*
 * rinv = 1 / sqrt(r2), however the caller computes it. If rinv is c / sqrt(r2),
 * the caller passes three = 3 / c^2, gets c mr, c^3 a and c^3 j, and removes c
 * from the sums.
 */
KOSHU_HD void
KOSHU_TYPED(jerk_add_scaled)(struct KOSHU_TYPED(jerk_sum) * s, KOSHU_REAL dx,
                             KOSHU_REAL dy, KOSHU_REAL dz, KOSHU_REAL wx,
                             KOSHU_REAL wy, KOSHU_REAL wz, KOSHU_REAL mass,
                             KOSHU_REAL rinv, float three)
{
    KOSHU_REAL rinv2 = rinv * rinv;
    KOSHU_REAL mr = mass * rinv;
    KOSHU_REAL mr3 = mr * rinv2;
    KOSHU_REAL dw = dx * wx + (dy * wy + dz * wz);
    KOSHU_REAL q = (three * dw) * rinv2;
    s->mr += mr;
    s->ax += mr3 * dx;
    s->ay += mr3 * dy;
    s->az += mr3 * dz;
    s->jx += mr3 * (wx - q * dx);
    s->jy += mr3 * (wy - q * dy);
    s->jz += mr3 * (wz - q * dz);
}

KOSHU_HD void
KOSHU_TYPED(jerk_add)(struct KOSHU_TYPED(jerk_sum) * s, KOSHU_REAL dx,
                      KOSHU_REAL dy, KOSHU_REAL dz, KOSHU_REAL wx,
                      KOSHU_REAL wy, KOSHU_REAL wz, KOSHU_REAL mass,
                      KOSHU_REAL rinv)
{
    KOSHU_TYPED(jerk_add_scaled)
    (s, dx, dy, dz, wx, wy, wz, mass, rinv, 3);
}

/*
 * From an estimate y of 1 / sqrt(r2), with m / r^3 corrected as in
 * gravity_add_estimate(): the caller multiplies its sums of a and of j by
 * KOSHU_GRAVITY_ESTIMATE_SCALE. mr, and the second term of j relative to the
 * first, are only as accurate as the estimate.
 */
KOSHU_HD void
KOSHU_TYPED(jerk_add_estimate)(struct KOSHU_TYPED(jerk_sum) * s, KOSHU_REAL dx,
                               KOSHU_REAL dy, KOSHU_REAL dz, KOSHU_REAL wx,
                               KOSHU_REAL wy, KOSHU_REAL wz, KOSHU_REAL r2,
                               KOSHU_REAL mass, KOSHU_REAL y)
{
    KOSHU_REAL y2 = y * y;
    KOSHU_REAL mr = mass * y;
    KOSHU_REAL mr3 = mr * y2 * (5.0f / 3.0f - r2 * y2);
    KOSHU_REAL dw = dx * wx + (dy * wy + dz * wz);
    KOSHU_REAL q = (3 * dw) * y2;
    s->mr += mr;
    s->ax += mr3 * dx;
    s->ay += mr3 * dy;
    s->az += mr3 * dz;
    s->jx += mr3 * (wx - q * dx);
    s->jy += mr3 * (wy - q * dy);
    s->jz += mr3 * (wz - q * dz);
}

/*
 * Both interactions of a pair, i from j and j from i, given 1 / r and 1 / r^3:
 * 36 operations instead of 58. The cube is formed before the masses enter, so
 * it must neither overflow nor underflow: the caller chooses units in which
 * distances are not far from 1.
 */
KOSHU_HD void
KOSHU_TYPED(jerk_add_both)(struct KOSHU_TYPED(jerk_sum) * i,
                           struct KOSHU_TYPED(jerk_sum) * j, KOSHU_REAL dx,
                           KOSHU_REAL dy, KOSHU_REAL dz, KOSHU_REAL wx,
                           KOSHU_REAL wy, KOSHU_REAL wz, KOSHU_REAL mass_i,
                           KOSHU_REAL mass_j, KOSHU_REAL rinv, KOSHU_REAL rinv3)
{
    KOSHU_REAL dw = dx * wx + (dy * wy + dz * wz);
    KOSHU_REAL q = (3 * dw) * (rinv * rinv);
    KOSHU_REAL gx = wx - q * dx;
    KOSHU_REAL gy = wy - q * dy;
    KOSHU_REAL gz = wz - q * dz;
    KOSHU_REAL from_j = mass_j * rinv3;
    KOSHU_REAL from_i = mass_i * rinv3;
    i->ax += from_j * dx;
    i->ay += from_j * dy;
    i->az += from_j * dz;
    i->jx += from_j * gx;
    i->jy += from_j * gy;
    i->jz += from_j * gz;
    i->mr += mass_j * rinv;
    j->ax -= from_i * dx;
    j->ay -= from_i * dy;
    j->az -= from_i * dz;
    j->jx -= from_i * gx;
    j->jy -= from_i * gy;
    j->jz -= from_i * gz;
    j->mr += mass_i * rinv;
}
