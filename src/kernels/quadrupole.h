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
 * These are the first terms of the Taylor series of the softened potential.
 * With h they are correct for any eps, whereas the traceless tensor K - 2/3 h I
 * alone is correct only for eps = 0. Products are ordered so that no power of
 * rinv above the second is formed by itself: near cells do not overflow a
 * float.
 *
 * No include guard: once per number type.
 */

struct KOSHU_TYPED(quadrupole_cell) {
    KOSHU_REAL mass;
    KOSHU_REAL xx, xy, xz, yy, yz, zz; /* of K */
    KOSHU_REAL half_trace;             /* h */
};

/* 1 / 3 in the precision of this instance, folded at compile time. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(quadrupole_third)(void)
{
    const KOSHU_REAL zero = {0};
    return 1 / (zero + 3);
}

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
    KOSHU_REAL third = KOSHU_TYPED(quadrupole_third)();
    s->ax += rinv2 * (ux * along - rinv2 * qx);
    s->ay += rinv2 * (uy * along - rinv2 * qy);
    s->az += rinv2 * (uz * along - rinv2 * qz);
    s->mr += rinv * (c->mass + rinv2 * (0.5f * uq - third * c->half_trace));
}

/*
 * The same with two operations fewer per particle, by computing more once per
 * cell: with c = zz, K' = K - c I has one element fewer, and
 *
 *     g    = d . K' d - c eps^2
 *     pot -= rinv (M + rinv^2 (rinv^2 g / 2 + p)),        p = c / 2 - h / 3
 *     a   += rinv^3 d (M + rinv^2 (5/2 rinv^2 g + f)) - rinv^5 K' d,
 *                                                         f = 3/2 c - h
 *
 * Here rinv^5 is formed by itself: the caller chooses units in which it is in
 * range, and eps > 0 where rounding may make a distance 0.
 */
struct KOSHU_TYPED(reduced_cell) {
    KOSHU_REAL mass;
    KOSHU_REAL xx, xy, xz, yy, yz; /* of K' */
    KOSHU_REAL f, p;
    KOSHU_REAL c_eps2;
};

KOSHU_HD struct KOSHU_TYPED(reduced_cell) KOSHU_TYPED(quadrupole_reduce)(
        const struct KOSHU_TYPED(quadrupole_cell) * q, KOSHU_REAL eps2)
{
    struct KOSHU_TYPED(reduced_cell) cell;
    KOSHU_REAL c = q->zz;
    cell.mass = q->mass;
    cell.xx = q->xx - c;
    cell.xy = q->xy;
    cell.xz = q->xz;
    cell.yy = q->yy - c;
    cell.yz = q->yz;
    cell.f = 1.5f * c - q->half_trace;
    cell.p = 0.5f * c - KOSHU_TYPED(quadrupole_third)() * q->half_trace;
    cell.c_eps2 = c * eps2;
    return cell;
}

KOSHU_HD void
KOSHU_TYPED(quadrupole_add_reduced)(struct KOSHU_TYPED(gravity_sum) * s,
                                    KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                                    const struct KOSHU_TYPED(reduced_cell) * c,
                                    KOSHU_REAL rinv)
{
    KOSHU_REAL rinv2 = rinv * rinv;
    KOSHU_REAL rinv3 = rinv * rinv2;
    KOSHU_REAL qx = c->xx * dx + (c->xy * dy + c->xz * dz);
    KOSHU_REAL qy = c->xy * dx + (c->yy * dy + c->yz * dz);
    KOSHU_REAL qz = c->xz * dx + c->yz * dy;
    KOSHU_REAL g = dx * qx + (dy * qy + (dz * qz - c->c_eps2));
    KOSHU_REAL t = rinv2 * g;
    KOSHU_REAL along = rinv3 * (c->mass + rinv2 * (2.5f * t + c->f));
    KOSHU_REAL across = rinv3 * rinv2;
    s->ax += along * dx;
    s->ay += along * dy;
    s->az += along * dz;
    s->ax -= across * qx;
    s->ay -= across * qy;
    s->az -= across * qz;
    s->mr += rinv * (c->mass + rinv2 * (0.5f * t + c->p));
}
