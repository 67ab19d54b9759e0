/* SPDX-License-Identifier: MIT */
/*
 * Gravity of a cell, to second order in its size, on one i-particle; see
 * kernels.h for how this file is included, after gravity.h.
 *
 *     d     = x_c - x_i              to the centre of mass
 *     rinv  = 1 / sqrt(d . d + eps^2)
 *     u     = rinv d
 *     K     = 3 sum_j m_j (x_j - x_c) (x_j - x_c)^T,  h = tr(K) / 2
 *     q     = K u,  s = u . q
 *     pot  -= rinv (M + rinv^2 (s / 2 - h / 3))
 *     a    += rinv^2 (u (M + rinv^2 (5/2 s - h)) - rinv^2 q)
 *
 * These are the first terms of the Taylor series of the softened potential:
 * with h they are right for any eps, where the traceless tensor K - 2/3 h I
 * alone would be for eps = 0. Products are taken in an order in which no power
 * of rinv above the second stands alone: close cells do not overflow a float.
 *
 * No include guard: once per number type.
 */

struct KOSHU_TYPED(quadrupole_cell) {
    KOSHU_REAL mass;
    KOSHU_REAL xx, xy, xz, yy, yz, zz; /* of K */
    KOSHU_REAL half_trace;             /* h */
};

KOSHU_HD void
KOSHU_TYPED(quadrupole_add)(struct KOSHU_TYPED(gravity_sum) * s, KOSHU_REAL dx,
                            KOSHU_REAL dy, KOSHU_REAL dz,
                            const struct KOSHU_TYPED(quadrupole_cell) * c,
                            KOSHU_REAL rinv)
{
    KOSHU_REAL rinv2 = rinv * rinv;
    KOSHU_REAL ux = dx * rinv, uy = dy * rinv, uz = dz * rinv;
    KOSHU_REAL qx = c->xx * ux + (c->xy * uy + c->xz * uz);
    KOSHU_REAL qy = c->xy * ux + (c->yy * uy + c->yz * uz);
    KOSHU_REAL qz = c->xz * ux + (c->yz * uy + c->zz * uz);
    KOSHU_REAL uq = ux * qx + (uy * qy + uz * qz);
    KOSHU_REAL along = c->mass + rinv2 * (2.5f * uq - c->half_trace);
    s->ax += rinv2 * (ux * along - rinv2 * qx);
    s->ay += rinv2 * (uy * along - rinv2 * qy);
    s->az += rinv2 * (uz * along - rinv2 * qz);
    s->mr += rinv *
             (c->mass + rinv2 * (0.5f * uq - (float)(1.0 / 3) * c->half_trace));
}
