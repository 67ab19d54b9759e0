/* SPDX-License-Identifier: MIT */
/*
 * Expansions of 1 / r in solid harmonics, and their translations; see kernels.h
 * for how this file is included, with
 *
 *     #define SCALAR      the type of a coefficient: float, double
 *
 * Regular solid harmonics have Schmidt's normalisation, so that rotations of
 * one degree are orthogonal matrices:
 *
 *     R_n^m = sqrt((n - m)! / (n + m)!) r^n P_n^m(cos theta) e^(i m phi)
 *
 * They are kept as the real numbers R_n^0, sqrt(2) Re R_n^m and sqrt(2) Im
 * R_n^m, m = 1 ... n, at EXPANSION_AT(n, m) and EXPANSION_AT(n, -m): R_1 = y,
 * z, x. With S_n^m = R_n^m / r^(2n + 1),
 *
 *     1 / |x - y| = sum_n sum_m R_n^m(y) S_n^m(x),  |y| < |x|
 *
 * so that, for sources y within s of a centre and a position x near another,
 *
 *     M_n^m = sum_j (q_j + p_j grad) R_n^m(y_j / s)    P2M, dipoles p
 *     sum_j (q_j + p_j grad) 1 / |x - y_j| = 1/s sum_nm L_n^m R_n^m(x / s) L2P
 *
 * Each cell has its own length s, close to its size, so that coefficients stay
 * in the range of the number type whatever the units are.
 *
 * A translation by d rotates d onto the z axis, translates along z (where
 * different m do not mix: O(p^3) operations), and rotates back. A rotation
 * consists of a turn about z, the exchange of x and z (one matrix per degree,
 * three quarters of it zeros), another turn about z, and the exchange again.
 * Formulas: White & Head-Gordon 1996; Dehnen 2014 (Comput. Astrophys. 1, 1),
 * appendix A; Hamada09 section 4.1 has the same six operators without the
 * rotation.
 *
 * No include guard: once per number type.
 */

/* The index of the coefficient (n, m), and the number of coefficients up to
 * order p. */
#define EXPANSION_AT(n, m) ((n) * (n) + (n) + (m))
#define EXPANSION_TERMS(p) (((p) + 1) * ((p) + 1))

/*
 * v_to[r] = sum_c matrix[r][c] v_from[c]. columns is a compile-time constant,
 * so that the input stays in registers.
 */
KOSHU_HD void
KOSHU_TYPED(expansion_rows)(const struct koshu_expansion_block *block,
                            const SCALAR *matrix, const KOSHU_REAL *from,
                            KOSHU_REAL *to, const int columns)
{
    KOSHU_REAL v[KOSHU_MAX_ORDER + 1];
    KOSHU_UNROLL
    for (int c = 0; c < columns; c++) v[c] = from[block->from[c]];
    for (int r = 0; r < block->rows; r++, matrix += columns) {
        KOSHU_REAL even = matrix[0] * v[0];
        KOSHU_REAL odd = columns > 1 ? matrix[1] * v[1] : 0 * v[0];
        KOSHU_UNROLL
        for (int c = 2; c + 1 < columns; c += 2) {
            even += matrix[c] * v[c];
            odd += matrix[c + 1] * v[c + 1];
        }
        if (columns > 1 && columns % 2)
            even += matrix[columns - 1] * v[columns - 1];
        to[block->to[r]] = even + odd;
    }
}

/* All blocks of a list: to = the block-diagonal matrix times from. */
KOSHU_HD_CALLED void
KOSHU_TYPED(expansion_blocks)(const struct koshu_expansion_block *block,
                              int n_blocks, const SCALAR *coefficient,
                              const KOSHU_REAL *from, KOSHU_REAL *to)
{
#define KOSHU_ROWS(n)                                            \
    case n:                                                      \
        KOSHU_TYPED(expansion_rows)                              \
        (&block[b], coefficient + block[b].matrix, from, to, n); \
        break;
    for (int b = 0; b < n_blocks; b++) switch (block[b].columns) {
            KOSHU_ROWS(1)
            KOSHU_ROWS(2)
            KOSHU_ROWS(3)
            KOSHU_ROWS(4)
            KOSHU_ROWS(5)
            KOSHU_ROWS(6)
            KOSHU_ROWS(7)
            KOSHU_ROWS(8)
            KOSHU_ROWS(9)
            KOSHU_ROWS(10)
            KOSHU_ROWS(11)
            KOSHU_ROWS(12)
            KOSHU_ROWS(13)
            KOSHU_ROWS(14)
            KOSHU_ROWS(15)
            KOSHU_ROWS(16)
            KOSHU_ROWS(17)
            KOSHU_ROWS(18)
            KOSHU_ROWS(19)
            KOSHU_ROWS(20)
            KOSHU_ROWS(21)
        }
#undef KOSHU_ROWS
}

/* Turns the axes about z by an angle: each e^(i m phi) becomes e^(i m (phi -
 * angle)). */
KOSHU_HD void
KOSHU_TYPED(expansion_turn)(int p, KOSHU_REAL *v, KOSHU_REAL cosine,
                            KOSHU_REAL sine)
{
    KOSHU_REAL cm = cosine, sm = sine;
    for (int m = 1; m <= p; m++) {
        for (int n = m; n <= p; n++) {
            const KOSHU_REAL c = v[EXPANSION_AT(n, m)],
                             s = v[EXPANSION_AT(n, -m)];
            v[EXPANSION_AT(n, m)] = c * cm + s * sm;
            v[EXPANSION_AT(n, -m)] = s * cm - c * sm;
        }
        const KOSHU_REAL next = cm * cosine - sm * sine;
        sm = sm * cosine + cm * sine;
        cm = next;
    }
}

/* Multiplies coefficients of degree n by first factor^n. */
KOSHU_HD void
KOSHU_TYPED(expansion_scale)(int p, KOSHU_REAL *v, KOSHU_REAL first,
                             KOSHU_REAL factor)
{
    KOSHU_REAL power = first;
    for (int n = 0; n <= p; n++) {
        for (int k = n * n; k < (n + 1) * (n + 1); k++) v[k] *= power;
        power *= factor;
    }
}

/* The rotation of a direction onto the z axis: cosines and sines of the two
 * turns about z, which have exchanges of x and z between them. */
struct KOSHU_TYPED(expansion_direction) {
    KOSHU_REAL cos_first, sin_first, cos_second, sin_second;
};

/* Rotates v so that the direction becomes z; other: scratch as long as v. */
KOSHU_HD void
KOSHU_TYPED(expansion_align)(const struct koshu_expansion *e,
                             const SCALAR *coefficient,
                             const struct KOSHU_TYPED(expansion_direction) * d,
                             KOSHU_REAL *v, KOSHU_REAL *other)
{
    KOSHU_TYPED(expansion_turn)(e->p, v, d->cos_first, d->sin_first);
    KOSHU_TYPED(expansion_blocks)
    (e->exchange, e->n_exchange, coefficient, v, other);
    KOSHU_TYPED(expansion_turn)(e->p, other, d->cos_second, d->sin_second);
    KOSHU_TYPED(expansion_blocks)
    (e->exchange, e->n_exchange, coefficient, other, v);
}

/* The inverse of expansion_align(). */
KOSHU_HD void
KOSHU_TYPED(expansion_restore)(const struct koshu_expansion *e,
                               const SCALAR *coefficient,
                               const struct KOSHU_TYPED(expansion_direction) *
                                       d,
                               KOSHU_REAL *v, KOSHU_REAL *other)
{
    KOSHU_TYPED(expansion_blocks)
    (e->exchange, e->n_exchange, coefficient, v, other);
    KOSHU_TYPED(expansion_turn)(e->p, other, d->cos_second, -d->sin_second);
    KOSHU_TYPED(expansion_blocks)
    (e->exchange, e->n_exchange, coefficient, other, v);
    KOSHU_TYPED(expansion_turn)(e->p, v, d->cos_first, -d->sin_first);
}

/*
 * M2L: the local expansion, in `other`, of a distant cell's multipoles v; v is
 * destroyed. near and far are the lengths of the two cells divided by the
 * distance of their centres; d is the direction from the source cell to the
 * target cell.
 *
 *     L_k^m = near^(k + 1) sum_n (-1)^(k + m) (n + k)! / (A_k^m A_n^m)
 *             far^n M_n^m,  A_n^m = sqrt((n - m)! (n + m)!)
 */
KOSHU_HD void
KOSHU_TYPED(expansion_m2l)(const struct koshu_expansion *e,
                           const SCALAR *coefficient,
                           const struct KOSHU_TYPED(expansion_direction) * d,
                           KOSHU_REAL near, KOSHU_REAL far, KOSHU_REAL *v,
                           KOSHU_REAL *other)
{
    KOSHU_TYPED(expansion_scale)(e->p, v, 1 + 0 * far, far);
    KOSHU_TYPED(expansion_align)(e, coefficient, d, v, other);
    KOSHU_TYPED(expansion_blocks)(e->along, e->n_along, coefficient, v, other);
    KOSHU_TYPED(expansion_scale)(e->p, other, near, near);
    KOSHU_TYPED(expansion_restore)(e, coefficient, d, other, v);
}

/* x^0 ... x^p. */
KOSHU_HD void
KOSHU_TYPED(expansion_powers)(int p, KOSHU_REAL x, KOSHU_REAL *power)
{
    power[0] = 1 + 0 * x;
    for (int n = 1; n <= p; n++) power[n] = power[n - 1] * x;
}

/*
 * Moves the centre of expansion v; the result is in `other`, and v is
 * destroyed. Upwards: multipoles of a child about its parent's centre; down:
 * the parent's local expansion about the child's centre. d: direction from the
 * parent to the child; shift: their distance over the parent's length. Both are
 * sums over pairs k <= n, along z, with the coefficients
 *
 *     A_n^m / (A_k^m (n - k)!) shift^(n - k)
 */
KOSHU_HD void
KOSHU_TYPED(expansion_shift)(const struct koshu_expansion *e,
                             const SCALAR *coefficient,
                             const struct KOSHU_TYPED(expansion_direction) * d,
                             KOSHU_REAL shift, KOSHU_REAL *v, KOSHU_REAL *other,
                             const bool down)
{
    const SCALAR *c = coefficient + e->shift;
    KOSHU_REAL power[KOSHU_MAX_ORDER + 1];
    KOSHU_TYPED(expansion_powers)(e->p, shift, power);
    KOSHU_TYPED(expansion_align)(e, coefficient, d, v, other);
    for (int k = 0; k < EXPANSION_TERMS(e->p); k++) other[k] = 0 * shift;
    for (int n = 0; n <= e->p; n++)
        for (int k = 0; k <= n; k++)
            for (int m = -k; m <= k; m++) {
                const int high = EXPANSION_AT(n, m), low = EXPANSION_AT(k, m);
                const KOSHU_REAL f = c[m < 0 ? -m : m] * power[n - k];
                other[down ? low : high] += f * v[down ? high : low];
                if (m == k) c += k + 1;
            }
    KOSHU_TYPED(expansion_restore)(e, coefficient, d, other, v);
}

/*
 * M2M: the contribution of a child to its parent's multipoles, in `other`; v is
 * destroyed. ratio: the child's length over the parent's; shift: the distance
 * of the centres over the parent's length; d: direction from the parent to the
 * child.
 *
 *     M_n^m = sum_(k <= n) A_n^m / (A_k^m (n - k)!) shift^(n - k) ratio^k M_k^m
 */
KOSHU_HD void
KOSHU_TYPED(expansion_m2m)(const struct koshu_expansion *e,
                           const SCALAR *coefficient,
                           const struct KOSHU_TYPED(expansion_direction) * d,
                           KOSHU_REAL ratio, KOSHU_REAL shift, KOSHU_REAL *v,
                           KOSHU_REAL *other)
{
    KOSHU_TYPED(expansion_scale)(e->p, v, 1 + 0 * ratio, ratio);
    KOSHU_TYPED(expansion_shift)(e, coefficient, d, shift, v, other, false);
}

/*
 * L2L: the parent's local expansion v about a child's centre, in `other`; v is
 * destroyed. Arguments as in expansion_m2m().
 *
 *     L_k^m = ratio^(k + 1) sum_(n >= k) A_n^m / (A_k^m (n - k)!) shift^(n - k)
 *             L_n^m
 */
KOSHU_HD void
KOSHU_TYPED(expansion_l2l)(const struct koshu_expansion *e,
                           const SCALAR *coefficient,
                           const struct KOSHU_TYPED(expansion_direction) * d,
                           KOSHU_REAL ratio, KOSHU_REAL shift, KOSHU_REAL *v,
                           KOSHU_REAL *other)
{
    KOSHU_TYPED(expansion_shift)(e, coefficient, d, shift, v, other, true);
    KOSHU_TYPED(expansion_scale)(e->p, other, ratio, ratio);
}

/* ---- particles ----------------------------------------------------------- */

/*
 * R_n^m at a position, up to order p. With g_n, a and b from the coefficients,
 *
 *     R_n^n = g_n (x + i y) R_(n-1)^(n-1)
 *     R_n^m = a z R_(n-1)^m - b r^2 R_(n-2)^m
 */
KOSHU_HD void
KOSHU_TYPED(expansion_regular)(int p, const SCALAR *c, KOSHU_REAL x,
                               KOSHU_REAL y, KOSHU_REAL z, KOSHU_REAL *r)
{
    const KOSHU_REAL r2 = x * x + (y * y + z * z);
    r[0] = 1 + 0 * x;
    for (int n = 1; n <= p; n++) {
        const KOSHU_REAL *one = r + EXPANSION_AT(n - 1, 0);
        const KOSHU_REAL *two = r + EXPANSION_AT(n - 2, 0);
        KOSHU_REAL *to = r + EXPANSION_AT(n, 0);
        for (int m = 1 - n; m < n; m++, c += 2) {
            to[m] = c[0] * (z * one[m]);
            if (m > 1 - n && m < n - 1) to[m] -= c[1] * (r2 * two[m]);
        }
        const KOSHU_REAL s = n > 1 ? one[1 - n] : 0 * x;
        to[n] = *c * (x * one[n - 1] - y * s);
        to[-n] = *c++ * (x * s + y * one[n - 1]);
    }
}

/*
 * The gradient of sum L_n^m R_n^m, as three sums of the same form, of order p -
 * 1:
 *
 *     d/dx R_n^m = (a_nm R_(n-1)^(m-1) - b_nm R_(n-1)^(m+1)) / 2
 *     d/dy R_n^m = (a_nm R_(n-1)^(m-1) + b_nm R_(n-1)^(m+1)) i / 2
 *     d/dz R_n^m = g_nm R_(n-1)^m,  a_nm = sqrt((n + m) (n + m - 1)),
 *     b_nm = sqrt((n - m) (n - m - 1)),  g_nm = sqrt(n^2 - m^2)
 *
 * The coefficients include the factors 1 / 2, and the sqrt(2) next to R_n^0.
 */
KOSHU_HD void
KOSHU_TYPED(expansion_gradient)(int p, const SCALAR *c, const KOSHU_REAL *v,
                                KOSHU_REAL *gx, KOSHU_REAL *gy, KOSHU_REAL *gz)
{
    for (int k = 0; k < p * p; k++) gx[k] = gy[k] = gz[k] = 0 * v[0];
    for (int n = 1; n <= p; n++)
        for (int m = 0; m <= n; m++, c += 3) {
            const KOSHU_REAL even = v[EXPANSION_AT(n, m)];
            const KOSHU_REAL odd = m > 0 ? v[EXPANSION_AT(n, -m)] : 0 * even;
            const int below = EXPANSION_AT(n - 1, 0);
            if (m > 0) gx[below + m - 1] += c[0] * even;
            if (m > 0) gy[below + m - 1] += c[0] * odd;
            if (m > 1) gx[below - m + 1] += c[0] * odd;
            if (m > 1) gy[below - m + 1] -= c[0] * even;
            if (m < n) gz[below + m] += c[2] * even;
            if (m > 0 && m < n) gz[below - m] += c[2] * odd;
            if (m + 1 > n - 1) continue;
            gx[below + m + 1] -= c[1] * even;
            gy[below + m + 1] += c[1] * odd;
            gx[below - m - 1] -= c[1] * odd;
            gy[below - m - 1] -= c[1] * even;
        }
}

/*
 * The transpose of the gradient: adds to v the multipoles of dipoles, sum_j p_j
 * grad R_n^m(y_j), from the three sums d = sum_j p_j R_n^m(y_j) of order p - 1.
 */
KOSHU_HD void
KOSHU_TYPED(expansion_dipoles)(int p, const SCALAR *c, const KOSHU_REAL *dx,
                               const KOSHU_REAL *dy, const KOSHU_REAL *dz,
                               KOSHU_REAL *v)
{
    for (int n = 1; n <= p; n++)
        for (int m = 0; m <= n; m++, c += 3) {
            const int below = EXPANSION_AT(n - 1, 0);
            KOSHU_REAL even = 0 * v[0], odd = 0 * v[0];
            if (m > 0) even += c[0] * dx[below + m - 1];
            if (m > 0) odd += c[0] * dy[below + m - 1];
            if (m > 1) odd += c[0] * dx[below - m + 1];
            if (m > 1) even -= c[0] * dy[below - m + 1];
            if (m < n) even += c[2] * dz[below + m];
            if (m > 0 && m < n) odd += c[2] * dz[below - m];
            if (m < n - 1) {
                even -= c[1] * (dx[below + m + 1] + dy[below - m - 1]);
                odd += c[1] * (dy[below + m + 1] - dx[below - m - 1]);
            }
            v[EXPANSION_AT(n, m)] += even;
            if (m > 0) v[EXPANSION_AT(n, -m)] += odd;
        }
}
