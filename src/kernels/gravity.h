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

/* d . d + eps^2, three fused multiply-adds (Miki13 section 2.2). */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_r2)(KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                        KOSHU_REAL eps2)
{
    return dx * dx + (dy * dy + (dz * dz + eps2));
}

/* rinv = 1 / sqrt(r2), from whatever the caller has for it. */
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
