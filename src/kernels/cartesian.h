/* SPDX-License-Identifier: MIT */
/*
 * Cartesian expansions of what Plummer softening adds to 1 / r,
 *
 *     g(r) = 1 / sqrt(r^2 + eps^2) - 1 / r,
 *
 * which is not harmonic, so that solid harmonics cannot expand it. It is small
 * and falls as r^-3, so a low order suffices. See kernels.h for how this file
 * is included, with SCALAR as for expansion.h.
 *
 * Terms a = (i, j, k) have degree |a| = i + j + k and the numbering of struct
 * koshu_cartesian; T_a(x) = x^i y^j z^k / (i! j! k!). For sources y within s of
 * a centre, and a position x near another,
 *
 *     M_a = sum_j q_j T_a(y_j / s)                         P2M
 *     sum_j q_j g(|x - y_j|) = 1/s sum_a L_a T_a(x / s)    L2P
 *
 * where s is the length of the cell, as in expansion.h. All translations follow
 * from T_c(x + y) = sum_(a + b = c) T_a(x) T_b(y).
 *
 * Source: Dehnen 2002 (J. Comput. Phys. 179, 27), eqs. 2 to 5; derivatives of a
 * function of r: McMurchie & Davidson 1978 (J. Comput. Phys. 26, 218).
 *
 * No include guard: once per number type.
 */

/* The number of terms of degree up to n. */
#define CARTESIAN_TERMS(n) (((n) + 1) * ((n) + 2) * ((n) + 3) / 6)

/* T_a(x) for all terms up to this order. */
KOSHU_HD void
KOSHU_TYPED(cartesian_powers)(const struct koshu_cartesian *c, int order,
                              const KOSHU_REAL x[3], KOSHU_REAL *t)
{
    t[0] = 1 + 0 * x[0];
    for (int a = 1; a < CARTESIAN_TERMS(order); a++)
        t[a] = (SCALAR)c->inverse[a] * (x[c->axis[a]] * t[c->parent[a]]);
}

/* Multiplies terms of degree n by first factor^n. */
KOSHU_HD void
KOSHU_TYPED(cartesian_scale)(int order, KOSHU_REAL *v, KOSHU_REAL first,
                             KOSHU_REAL factor)
{
    int k = 0;
    for (int n = 0; n <= order; n++) {
        for (; k < CARTESIAN_TERMS(n); k++) v[k] *= first;
        first *= factor;
    }
}

/* to[a + b] += v[a] t[b] */
KOSHU_HD void
KOSHU_TYPED(cartesian_multiply)(const struct koshu_cartesian *c, int order,
                                const KOSHU_REAL *v, const KOSHU_REAL *t,
                                KOSHU_REAL *to)
{
    for (int a = 0; a < CARTESIAN_TERMS(order); a++) {
        const uint16_t *product = c->product + c->first[a];
        const int end = CARTESIAN_TERMS(order - c->degree[a]);
        for (int b = 0; b < end; b++) to[product[b]] += v[a] * t[b];
    }
}

/* to[a] += sum_b v[a + b] t[b] */
KOSHU_HD void
KOSHU_TYPED(cartesian_contract)(const struct koshu_cartesian *c, int order,
                                const KOSHU_REAL *v, const KOSHU_REAL *t,
                                KOSHU_REAL *to)
{
    for (int a = 0; a < CARTESIAN_TERMS(order); a++) {
        const uint16_t *product = c->product + c->first[a];
        const int end = CARTESIAN_TERMS(order - c->degree[a]);
        KOSHU_REAL sum = to[a];
        for (int b = 0; b < end; b++) sum += v[product[b]] * t[b];
        to[a] = sum;
    }
}

/*
 * The derivatives D_a of g along the unit vector u, where eps in units of the
 * distance is such that 1 / sqrt(1 + eps^2) = sigma. With G_k = (1/r d/dr)^k g
 * and e any axis with a_e > 0,
 *
 *     D_0^k = G_k = (-1)^k (2k - 1)!! (sigma^(2k + 1) - 1)
 *     D_a^k = u_e D_(a - e)^(k + 1) + (a_e - 1) D_(a - 2e)^(k + 1)
 *     D_a   = D_a^0
 */
KOSHU_HD void
KOSHU_TYPED(cartesian_derivatives)(const struct koshu_cartesian *c, int order,
                                   const KOSHU_REAL u[3], KOSHU_REAL sigma,
                                   KOSHU_REAL *d)
{
    KOSHU_REAL radial[KOSHU_MAX_CARTESIAN_ORDER + 1], power = sigma;
    SCALAR factor = 1;
    for (int k = 0; k <= order; k++) {
        radial[k] = factor * (power - 1);
        power *= sigma * sigma;
        factor *= (SCALAR)(-1 - 2 * k);
    }
    for (int k = order; k >= 0; k--) {
        for (int a = CARTESIAN_TERMS(order - k) - 1; a > 0; a--)
            d[a] = u[c->axis[a]] * d[c->parent[a]] +
                   (SCALAR)c->less[a] * d[c->grand[a]];
        d[0] = radial[k];
    }
}

/*
 * M2L: L_b += near^(|b| + 1) sum_a (-far)^|a| M_a D_(a + b). near and far are
 * the lengths of the two cells divided by the distance of their centres. v has
 * the multipoles and is destroyed; local is overwritten.
 */
KOSHU_HD void
KOSHU_TYPED(cartesian_m2l)(const struct koshu_cartesian *c, int order,
                           const KOSHU_REAL *d, KOSHU_REAL near, KOSHU_REAL far,
                           KOSHU_REAL *v, KOSHU_REAL *local)
{
    for (int a = 0; a < CARTESIAN_TERMS(order); a++) local[a] = 0 * near;
    KOSHU_TYPED(cartesian_scale)(order, v, 1 + 0 * far, -far);
    KOSHU_TYPED(cartesian_contract)(c, order, d, v, local);
    KOSHU_TYPED(cartesian_scale)(order, local, near, near);
}
