/* SPDX-License-Identifier: MIT */
/*
 * Sums over near pairs with kernels/laplace.h: a part of fmm_operators.h. The
 * lanes of a vector are targets. Terms that depend only on the distance are
 * computed once for all right-hand sides. In floats, positions are split into
 * high and low parts, so that near pairs keep their precision.
 */
#include "kernels/laplace.h"

enum {
    KOSHU_TYPED(pairs_tile) = 16, /* sources whose terms stay in the cache */
    KOSHU_TYPED(split) = sizeof(SCALAR) == sizeof(float)
};

struct KOSHU_TYPED(tile) {
    int n;
    SCALAR high[3][KOSHU_TYPED(pairs_tile)], low[3][KOSHU_TYPED(pairs_tile)];
    size_t n_rhs;
    SCALAR charge[KOSHU_TYPED(max_rhs)][KOSHU_TYPED(pairs_tile)];
    SCALAR dipole[KOSHU_TYPED(max_rhs)][3][KOSHU_TYPED(pairs_tile)];
};

/* Variants of the pair kernel. */
struct KOSHU_TYPED(pairs_variant) {
    bool hessian, dipole;
};

static inline void
KOSHU_TYPED(round_all)(SCALAR *to, const double *from, int n)
{
    for (int j = 0; j < n; j++) to[j] = (SCALAR)from[j];
}

static inline void
KOSHU_TYPED(load_strengths)(struct KOSHU_TYPED(tile) * t,
                            const struct koshu_fmm_pairs *p, size_t first,
                            size_t rhs)
{
    for (size_t k = 0; k < t->n_rhs; k++) {
        const double *charge = p->charge + (rhs + k) * p->n_j + first;
        const size_t dipole = 3 * (rhs + k) * p->n_j + first;
        KOSHU_TYPED(round_all)(t->charge[k], charge, t->n);
        for (size_t a = 0; p->dipole && a < 3; a++) KOSHU_TYPED(round_all)
        (t->dipole[k][a], p->dipole + dipole + a * p->n_j, t->n);
    }
}

/* Loads sources from `first` on, and their right-hand sides from `rhs` on. */
static inline void
KOSHU_TYPED(load_tile)(struct KOSHU_TYPED(tile) * t,
                       const struct koshu_fmm_pairs *p, size_t first,
                       size_t rhs)
{
    const size_t left = p->n_j - first, rest = p->n_rhs - rhs;
    t->n = left < KOSHU_TYPED(pairs_tile) ? (int)left : KOSHU_TYPED(pairs_tile);
    t->n_rhs = rest < KOSHU_TYPED(max_rhs) ? rest : KOSHU_TYPED(max_rhs);
    for (int d = 0; d < 3; d++)
        for (int j = 0; j < t->n; j++) {
            const double x = p->j[d][first + (size_t)j];
            t->high[d][j] = (SCALAR)x;
            t->low[d][j] = (SCALAR)(x - (double)t->high[d][j]);
        }
    KOSHU_TYPED(load_strengths)(t, p, first, rhs);
}

struct KOSHU_TYPED(targets) {
    KOSHU_REAL high[3], low[3];
};

/* Loads LANES targets; lanes past the last repeat it. */
static inline struct KOSHU_TYPED(targets)
        KOSHU_TYPED(load_targets)(const struct koshu_fmm_pairs *p, size_t first)
{
    struct KOSHU_TYPED(targets) t;
    for (int d = 0; d < 3; d++)
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t i = first + lane < p->n_i ? first + lane : p->n_i - 1;
            const SCALAR high = (SCALAR)p->i[d][i];
            t.high[d][lane] = high;
            t.low[d][lane] = (SCALAR)(p->i[d][i] - (double)high);
        }
    return t;
}

/* Computes the terms of each source of a tile. */
static inline __attribute__((always_inline)) void
KOSHU_TYPED(find_terms)(KOSHU_REAL (*terms)[LAPLACE_TERMS],
                        const struct KOSHU_TYPED(tile) * t,
                        const struct KOSHU_TYPED(targets) * i, const int order)
{
    for (int j = 0; j < t->n; j++) {
        KOSHU_REAL d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = i->high[k] - t->high[k][j];
            if (KOSHU_TYPED(split)) d[k] += i->low[k] - t->low[k][j];
        }
        const KOSHU_REAL r2 = d[0] * d[0] + (d[1] * d[1] + d[2] * d[2]);
        KOSHU_TYPED(laplace_derivatives)
        (terms[j], d[0], d[1], d[2], KOSHU_TYPED(inverse_root)(r2), order);
    }
}

/* Adds n fields of one right-hand side to the targets from `first` on. */
static inline void
KOSHU_TYPED(add_fields)(const struct koshu_fmm_pairs *p, size_t rhs,
                        size_t first, const KOSHU_REAL *sum, int n)
{
    double *to = p->sums + rhs * KOSHU_FMM_FIELDS * p->n_i + first;
    const size_t left = p->n_i - first, lanes = left < LANES ? left : LANES;
    for (int field = 0; field < n; field++, to += p->n_i)
        for (size_t lane = 0; lane < lanes; lane++)
            to[lane] += (double)sum[field][lane];
}

/* Sums a tile's sources of one right-hand side, with terms already computed. */
static inline __attribute__((always_inline)) void
KOSHU_TYPED(add_sources)(KOSHU_REAL *sum,
                         const KOSHU_REAL (*terms)[LAPLACE_TERMS],
                         const struct KOSHU_TYPED(tile) * t, size_t k,
                         const int fields, const bool dipole)
{
    for (int j = 0; j < t->n; j++) {
        const KOSHU_REAL zero = {0};
        KOSHU_TYPED(laplace_add_charge)
        (sum, terms[j], t->charge[k][j] - zero, fields);
        if (dipole) KOSHU_TYPED(laplace_add_dipole)
        (sum, terms[j], t->dipole[k][0][j] - zero, t->dipole[k][1][j] - zero,
         t->dipole[k][2][j] - zero, fields);
    }
}

/* Sums a tile's sources on LANES targets. */
static inline __attribute__((always_inline)) void
KOSHU_TYPED(add_tile)(const struct koshu_fmm_pairs *p,
                      const struct KOSHU_TYPED(tile) * t, size_t rhs,
                      size_t first, const struct KOSHU_TYPED(pairs_variant) v)
{
    const int fields = v.hessian ? LAPLACE_FIELDS : LAPLACE_XX;
    KOSHU_REAL terms[KOSHU_TYPED(pairs_tile)][LAPLACE_TERMS];
    const struct KOSHU_TYPED(targets) i = KOSHU_TYPED(load_targets)(p, first);
    KOSHU_TYPED(find_terms)(terms, t, &i, 1 + v.hessian + v.dipole);
    for (size_t k = 0; k < t->n_rhs; k++) {
        KOSHU_REAL sum[LAPLACE_FIELDS] = {0};
        KOSHU_TYPED(add_sources)(sum, terms, t, k, fields, v.dipole);
        KOSHU_TYPED(add_fields)(p, rhs + k, first, sum, fields);
    }
}

static inline __attribute__((always_inline)) void
KOSHU_TYPED(pairs_of)(const struct koshu_fmm_pairs *p, const bool hessian,
                      const bool dipole)
{
    const struct KOSHU_TYPED(pairs_variant) v = {hessian, dipole};
    struct KOSHU_TYPED(tile) t;
    for (size_t rhs = 0; rhs < p->n_rhs; rhs += t.n_rhs)
        for (size_t j = 0; j < p->n_j; j += (size_t)t.n) {
            KOSHU_TYPED(load_tile)(&t, p, j, rhs);
            for (size_t i = 0; i < p->n_i; i += LANES)
                KOSHU_TYPED(add_tile)(p, &t, rhs, i, v);
        }
}

static void
KOSHU_TYPED(pairs)(const struct koshu_fmm_pairs *p)
{
    memset(p->sums, 0, p->n_rhs * KOSHU_FMM_FIELDS * p->n_i * sizeof *p->sums);
    if (p->n_j == 0) return;
    if (p->hessian && p->dipole)
        KOSHU_TYPED(pairs_of)(p, true, true);
    else if (p->hessian)
        KOSHU_TYPED(pairs_of)(p, true, false);
    else if (p->dipole)
        KOSHU_TYPED(pairs_of)(p, false, true);
    else
        KOSHU_TYPED(pairs_of)(p, false, false);
}
