/* SPDX-License-Identifier: MIT */
/*
 * The field of a cell as a Taylor series about a point, to be evaluated for all
 * particles near that point; see kernels.h for how this file is included, after
 * quadrupole.h.
 *
 *     psi(y) = sum_j m_j / sqrt(|x_j - y|^2 + eps^2),  pot = -psi, a = grad psi
 *            = c + c_i y_i + c_ij y_i y_j / 2 + c_ijk y_i y_j y_k / 6
 *                + c_ijkl y_i y_j y_k y_l / 24 + ...
 *
 * With quadrupole.h's d (from the point to the centre of mass), rinv, u, K, h,
 *
 *     k = rinv^2 K,  q = k u,  s = u . q,  t = rinv^2 h
 *     A0 = M + s / 2 - t / 3          c     = rinv A0
 *     A1 = M + 5/2 s - t              c_i   = rinv^2 (A1 u_i - q_i)
 *     A2 = 3 M + 35/2 s - 5 t         c_ij  = rinv^3 (A2 u_i u_j - A1 I_ij
 *                                           - 5 (u_i q_j + q_i u_j) + k_ij)
 *     A3 = 15 M + 315/2 s - 35 t      c_ijk = rinv^4 (A3 u_i u_j u_k
 *              + [5 k_ij u_k - A2 I_ij u_k + (5 I_ij - 35 u_i u_j) q_k])
 *
 *     A4 = 3 M                        c_ijkl = rinv^5 A4 (35 u_i u_j u_k u_l
 *              - 5 [I_ij u_k u_l] + [I_ij I_kl])
 *
 * where [ ] is the sum over all distinct permutations of the indices. These are
 * exact derivatives of what quadrupole_add() computes, softened or not, except
 * that the fourth is that of the mass alone.
 *
 * No include guard: once per number type.
 */

enum {
    /* c; x y z; xx xy xz yy yz zz; xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz;
     * xxxx xxxy xxxz xxyy xxyz xxzz xyyy xyyz xyzz xzzz
     * yyyy yyyz yyzz yzzz zzzz */
    KOSHU_TYPED(SERIES_TERMS) = 35
};

/* The last 15 terms, the fourth derivatives; m = rinv^5 A4, u = (x, y, z). */
KOSHU_HD void
KOSHU_TYPED(series_fourth)(KOSHU_REAL x, KOSHU_REAL y, KOSHU_REAL z,
                           KOSHU_REAL m, KOSHU_REAL *c)
{
    const KOSHU_REAL xx = x * x, xy = x * y, xz = x * z, yy = y * y, yz = y * z,
                     zz = z * z;
    const KOSHU_REAL bx = 35 * xx - 5, by = 35 * yy - 5, bz = 35 * zz - 5;
    c[0] = m * (xx * (bx - 25) + 3);
    c[1] = m * (xy * (bx - 10));
    c[2] = m * (xz * (bx - 10));
    c[3] = m * (xx * by + (1 - 5 * yy));
    c[4] = m * (yz * bx);
    c[5] = m * (xx * bz + (1 - 5 * zz));
    c[6] = m * (xy * (by - 10));
    c[7] = m * (xz * by);
    c[8] = m * (xy * bz);
    c[9] = m * (xz * (bz - 10));
    c[10] = m * (yy * (by - 25) + 3);
    c[11] = m * (yz * (by - 10));
    c[12] = m * (yy * bz + (1 - 5 * zz));
    c[13] = m * (yz * (bz - 10));
    c[14] = m * (zz * (bz - 25) + 3);
}

/* 35 / 3, rounded once; 35 times a rounded third would be rounded twice. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(series_35_thirds)(void)
{
    const KOSHU_REAL zero = {0};
    return 35 / (zero + 3);
}

KOSHU_HD void
KOSHU_TYPED(series_of_cell)(KOSHU_REAL dx, KOSHU_REAL dy, KOSHU_REAL dz,
                            const struct KOSHU_TYPED(quadrupole_cell) * cell,
                            KOSHU_REAL rinv, KOSHU_REAL *c)
{
    const KOSHU_REAL third = KOSHU_TYPED(quadrupole_third)();
    const KOSHU_REAL rinv2 = rinv * rinv, rinv3 = rinv * rinv2,
                     rinv4 = rinv2 * rinv2;
    const KOSHU_REAL x = dx * rinv, y = dy * rinv, z = dz * rinv;
    const KOSHU_REAL kxx = rinv2 * cell->xx, kxy = rinv2 * cell->xy,
                     kxz = rinv2 * cell->xz, kyy = rinv2 * cell->yy,
                     kyz = rinv2 * cell->yz, kzz = rinv2 * cell->zz;
    const KOSHU_REAL qx = kxx * x + (kxy * y + kxz * z),
                     qy = kxy * x + (kyy * y + kyz * z),
                     qz = kxz * x + (kyz * y + kzz * z);
    const KOSHU_REAL m = cell->mass, t = rinv2 * cell->half_trace,
                     s = x * qx + (y * qy + z * qz);
    const KOSHU_REAL a1 = m + (2.5f * s - t), a2 = 3 * m + (17.5f * s - 5 * t),
                     a3 = 5 * m +
                          (52.5f * s - KOSHU_TYPED(series_35_thirds)() * t);
    c[0] = rinv * (m + (0.5f * s - third * t));
    c[1] = rinv2 * (a1 * x - qx);
    c[2] = rinv2 * (a1 * y - qy);
    c[3] = rinv2 * (a1 * z - qz);
    const KOSHU_REAL xx = x * x, xy = x * y, xz = x * z, yy = y * y, yz = y * z,
                     zz = z * z;
    const KOSHU_REAL vx = -5 * qx, vy = -5 * qy, vz = -5 * qz;
    c[4] = rinv3 * (a2 * xx + (kxx - a1) + 2 * (x * vx));
    c[5] = rinv3 * (a2 * xy + kxy + (x * vy + y * vx));
    c[6] = rinv3 * (a2 * xz + kxz + (x * vz + z * vx));
    c[7] = rinv3 * (a2 * yy + (kyy - a1) + 2 * (y * vy));
    c[8] = rinv3 * (a2 * yz + kyz + (y * vz + z * vy));
    c[9] = rinv3 * (a2 * zz + (kzz - a1) + 2 * (z * vz));
    /* The third derivative in the form [p_ij u_k + w_ij v_k], v = -5 q. */
    const KOSHU_REAL pxx = a3 * xx + (5 * kxx - a2), pxy = a3 * xy + 5 * kxy,
                     pxz = a3 * xz + 5 * kxz, pyy = a3 * yy + (5 * kyy - a2),
                     pyz = a3 * yz + 5 * kyz, pzz = a3 * zz + (5 * kzz - a2);
    const KOSHU_REAL wxx = 7 * xx - 1, wxy = 7 * xy, wxz = 7 * xz,
                     wyy = 7 * yy - 1, wyz = 7 * yz, wzz = 7 * zz - 1;
    c[10] = rinv4 * (3 * (pxx * x + wxx * vx));
    c[11] = rinv4 * (pxx * y + wxx * vy + 2 * (pxy * x + wxy * vx));
    c[12] = rinv4 * (pxx * z + wxx * vz + 2 * (pxz * x + wxz * vx));
    c[13] = rinv4 * (pyy * x + wyy * vx + 2 * (pxy * y + wxy * vy));
    c[14] = rinv4 *
            (pxy * z + wxy * vz + (pxz * y + wxz * vy) + (pyz * x + wyz * vx));
    c[15] = rinv4 * (pzz * x + wzz * vx + 2 * (pxz * z + wxz * vz));
    c[16] = rinv4 * (3 * (pyy * y + wyy * vy));
    c[17] = rinv4 * (pyy * z + wyy * vz + 2 * (pyz * y + wyz * vy));
    c[18] = rinv4 * (pzz * y + wzz * vy + 2 * (pyz * z + wyz * vz));
    c[19] = rinv4 * (3 * (pzz * z + wzz * vz));
    KOSHU_TYPED(series_fourth)(x, y, z, 3 * m * (rinv * rinv4), c + 20);
}

/* Adds the field at (x, y, z) relative to the point of expansion. */
KOSHU_HD void
KOSHU_TYPED(series_add)(struct KOSHU_TYPED(gravity_sum) * sum,
                        const KOSHU_REAL *c, KOSHU_REAL x, KOSHU_REAL y,
                        KOSHU_REAL z)
{
    const KOSHU_REAL *l = c + 1, *q = c + 4, *o = c + 10;
    const KOSHU_REAL xx = 0.5f * x * x, xy = x * y, xz = x * z,
                     yy = 0.5f * y * y, yz = y * z, zz = 0.5f * z * z;
    const KOSHU_REAL qx = q[0] * x + (q[1] * y + q[2] * z),
                     qy = q[1] * x + (q[3] * y + q[4] * z),
                     qz = q[2] * x + (q[4] * y + q[5] * z);
    const KOSHU_REAL ox = o[0] * xx + (o[1] * xy + o[2] * xz) +
                          (o[3] * yy + o[4] * yz + o[5] * zz),
                     oy = o[1] * xx + (o[3] * xy + o[4] * xz) +
                          (o[6] * yy + o[7] * yz + o[8] * zz),
                     oz = o[2] * xx + (o[4] * xy + o[5] * xz) +
                          (o[7] * yy + o[8] * yz + o[9] * zz);
    const KOSHU_REAL *h = c + 20;
    const KOSHU_REAL third = KOSHU_TYPED(quadrupole_third)();
    const KOSHU_REAL xxx = third * xx * x, xxy = xx * y, xxz = xx * z,
                     xyy = yy * x, xyz = xy * z, xzz = zz * x,
                     yyy = third * yy * y, yyz = yy * z, yzz = zz * y,
                     zzz = third * zz * z;
    const KOSHU_REAL hx = h[0] * xxx + (h[1] * xxy + h[2] * xxz) +
                          (h[3] * xyy + h[4] * xyz + h[5] * xzz) +
                          (h[6] * yyy + h[7] * yyz + h[8] * yzz + h[9] * zzz),
                     hy = h[1] * xxx + (h[3] * xxy + h[4] * xxz) +
                          (h[6] * xyy + h[7] * xyz + h[8] * xzz) +
                          (h[10] * yyy + h[11] * yyz + h[12] * yzz +
                           h[13] * zzz),
                     hz = h[2] * xxx + (h[4] * xxy + h[5] * xxz) +
                          (h[7] * xyy + h[8] * xyz + h[9] * xzz) +
                          (h[11] * yyy + h[12] * yyz + h[13] * yzz +
                           h[14] * zzz);
    sum->ax += l[0] + (qx + (ox + hx));
    sum->ay += l[1] + (qy + (oy + hy));
    sum->az += l[2] + (qz + (oz + hz));
    sum->mr += c[0] + (x * (l[0] + 0.5f * qx + third * ox + 0.25f * hx) +
                       y * (l[1] + 0.5f * qy + third * oy + 0.25f * hy) +
                       z * (l[2] + 0.5f * qz + third * oz + 0.25f * hz));
}
