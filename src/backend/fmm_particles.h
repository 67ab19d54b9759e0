/* SPDX-License-Identifier: MIT */
/* Between particles and expansions, P2M and L2P: a part of fmm_operators.h. */

/* Positions of particles first ... first + n - 1 relative to a cell's centre,
 * in units of its length. */
static inline void
KOSHU_TYPED(places_of)(const struct koshu_fmm_cells *cells, uint32_t cell,
                       size_t first, int n, KOSHU_REAL x[3])
{
    const double per_length = 1 / cells->length[cell];
    x[0] = x[1] = x[2] = (KOSHU_REAL){0};
    for (int lane = 0; lane < n; lane++) {
        const size_t i = first + (size_t)lane;
        x[0][lane] = (SCALAR)((cells->px[i] - cells->x[cell]) * per_length);
        x[1][lane] = (SCALAR)((cells->py[i] - cells->y[cell]) * per_length);
        x[2][lane] = (SCALAR)((cells->pz[i] - cells->z[cell]) * per_length);
    }
}

/* R_n^m at these positions. */
static inline void
KOSHU_TYPED(regular_of)(const struct koshu_expansion *e,
                        const struct koshu_fmm_cells *cells, uint32_t cell,
                        size_t first, int n, KOSHU_REAL *r)
{
    KOSHU_REAL x[3];
    KOSHU_TYPED(places_of)(cells, cell, first, n, x);
    KOSHU_TYPED(expansion_regular)
    (e->p, e->COEFFICIENTS + e->regular, x[0], x[1], x[2], r);
}

/* Charges of the particles first ... first + n - 1. */
static inline KOSHU_REAL
KOSHU_TYPED(charges_of)(const struct koshu_fmm_cells *cells, size_t rhs,
                        size_t first, int n)
{
    const double *charge = cells->charge + rhs * cells->n + first;
    const double per_charge = cells->per_charge[rhs];
    KOSHU_REAL q = {0};
    for (int lane = 0; lane < n; lane++)
        q[lane] = (SCALAR)(charge[lane] * per_charge);
    return q;
}

/* Adds LANES particles of a leaf, whose harmonics are r, to the multipoles of
 * right-hand sides from first_rhs on. */
static inline void
KOSHU_TYPED(add_particles)(struct KOSHU_TYPED(sums) * sums,
                           const struct koshu_fmm_cells *cells,
                           size_t first_rhs, size_t first, int n,
                           const KOSHU_REAL *r, int terms)
{
    for (size_t rhs = 0; rhs < sums->n; rhs++) {
        const KOSHU_REAL q =
                KOSHU_TYPED(charges_of)(cells, first_rhs + rhs, first, n);
        for (int k = 0; k < terms; k++) sums->of[rhs][k] += q * r[k];
    }
}

/* One component of the dipoles, in units of a cell's length. */
static inline KOSHU_REAL
KOSHU_TYPED(dipoles_of)(const struct koshu_fmm_cells *cells, uint32_t cell,
                        size_t component, size_t first, int n)
{
    const double *dipole = cells->dipole + component * cells->n + first;
    const double unit = cells->per_charge[component / 3] / cells->length[cell];
    KOSHU_REAL d = {0};
    for (int lane = 0; lane < n; lane++)
        d[lane] = (SCALAR)(dipole[lane] * unit);
    return d;
}

/* Adds a leaf's dipoles of one right-hand side. */
static inline void
KOSHU_TYPED(add_dipoles)(const struct koshu_expansion *e,
                         const struct koshu_fmm_cells *cells, uint32_t leaf,
                         size_t rhs, KOSHU_REAL *to)
{
    KOSHU_REAL r[KOSHU_TYPED(max_terms)], sum[3][KOSHU_TYPED(max_terms)];
    const struct koshu_cell *cell = &cells->cell[leaf];
    const int terms = EXPANSION_TERMS(e->p - 1);
    for (int k = 0; k < terms; k++)
        sum[0][k] = sum[1][k] = sum[2][k] = (KOSHU_REAL){0};
    for (uint32_t i = 0; i < cell->n; i += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(i, cell->n);
        KOSHU_TYPED(regular_of)(e, cells, leaf, cell->first + i, n, r);
        for (size_t a = 0; a < 3; a++) {
            const KOSHU_REAL d = KOSHU_TYPED(dipoles_of)(
                    cells, leaf, 3 * rhs + a, cell->first + i, n);
            for (int k = 0; k < terms; k++) sum[a][k] += d * r[k];
        }
    }
    KOSHU_TYPED(expansion_dipoles)
    (e->p, e->COEFFICIENTS + e->gradient, sum[0], sum[1], sum[2], to);
}

static void
KOSHU_TYPED(p2m)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t leaf)
{
    KOSHU_REAL r[KOSHU_TYPED(max_terms)];
    struct KOSHU_TYPED(sums) sums;
    SCALAR *const to = KOSHU_TYPED(row_of)(cells->multipole, cells, leaf);
    const struct koshu_cell *cell = &cells->cell[leaf];
    const size_t stride = cells->stride;
    for (size_t k = 0; k < cells->n_rhs; k += sums.n) {
        KOSHU_TYPED(clear_sums)(&sums, cells->n_rhs - k, e->p);
        for (uint32_t i = 0; i < cell->n; i += LANES) {
            const int n = KOSHU_TYPED(lanes_of)(i, cell->n);
            KOSHU_TYPED(regular_of)(e, cells, leaf, cell->first + i, n, r);
            KOSHU_TYPED(add_particles)
            (&sums, cells, k, cell->first + i, n, r, EXPANSION_TERMS(e->p));
        }
        for (size_t rhs = 0; cells->dipole && rhs < sums.n; rhs++)
            KOSHU_TYPED(add_dipoles)(e, cells, leaf, k + rhs, sums.of[rhs]);
        KOSHU_TYPED(write_sums)(&sums, to + k * stride, stride, e->p, false);
    }
}

/* For each field, a local expansion or its derivative as an expansion. */
struct KOSHU_TYPED(derivatives) {
    SCALAR of[KOSHU_FMM_FIELDS][KOSHU_TYPED(max_terms)];
};

/* Keeps one lane: all lanes are equal. */
static inline void
KOSHU_TYPED(keep_derivative)(struct KOSHU_TYPED(derivatives) * d, int field,
                             const KOSHU_REAL *v, int p)
{
    for (int k = 0; k < EXPANSION_TERMS(p); k++) d->of[field][k] = v[k][0];
}

static inline void
KOSHU_TYPED(derive)(const struct koshu_expansion *e, const SCALAR *from,
                    bool hessian, struct KOSHU_TYPED(derivatives) * d)
{
    const SCALAR *c = e->COEFFICIENTS + e->gradient;
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], g[3][KOSHU_TYPED(max_terms)];
    KOSHU_REAL h[3][KOSHU_TYPED(max_terms)];
    const int p = e->p, gradient = KOSHU_FMM_GRADIENT, xx = KOSHU_FMM_HESSIAN;
    for (int k = 0; k < EXPANSION_TERMS(p); k++)
        v[k] = from[k] + (KOSHU_REAL){0};
    KOSHU_TYPED(keep_derivative)(d, KOSHU_FMM_POTENTIAL, v, p);
    KOSHU_TYPED(expansion_gradient)(p, c, v, g[0], g[1], g[2]);
    for (int a = 0; a < 3; a++)
        KOSHU_TYPED(keep_derivative)(d, gradient + a, g[a], p - 1);
    for (int a = 0; hessian && a < 2; a++) {
        KOSHU_TYPED(expansion_gradient)(p - 1, c, g[a], h[0], h[1], h[2]);
        for (int b = a; b < 3; b++)
            KOSHU_TYPED(keep_derivative)(d, xx + 2 * a + b, h[b], p - 2);
    }
}

/* Evaluates n fields at a vector of particles, whose harmonics are r, from
 * expansions of order p. */
static inline __attribute__((always_inline)) void
KOSHU_TYPED(evaluate)(const struct KOSHU_TYPED(derivatives) * d, int field,
                      const int n, int p, const KOSHU_REAL *r, KOSHU_REAL *sum)
{
    for (int f = 0; f < n; f++) sum[field + f] = (KOSHU_REAL){0};
    for (int k = 0; k < EXPANSION_TERMS(p); k++)
#pragma GCC unroll 5
        for (int f = 0; f < n; f++)
            sum[field + f] += d->of[field + f][k] * r[k];
}

static inline void
KOSHU_TYPED(store_lanes)(double *to, KOSHU_REAL v, int n)
{
    for (int lane = 0; lane < n; lane++) to[lane] = (double)v[lane];
}

static void
KOSHU_TYPED(l2p)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t leaf, size_t rhs,
                 bool hessian, double *const *to)
{
    KOSHU_REAL r[KOSHU_TYPED(max_terms)], sum[KOSHU_FMM_FIELDS];
    struct KOSHU_TYPED(derivatives) d;
    const struct koshu_cell *cell = &cells->cell[leaf];
    const int fields = hessian ? KOSHU_FMM_FIELDS : KOSHU_FMM_HESSIAN;
    const SCALAR *from = KOSHU_TYPED(row_of)(cells->local, cells, leaf);
    KOSHU_TYPED(derive)(e, from + rhs * cells->stride, hessian, &d);
    for (uint32_t first = 0; first < cell->n; first += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(first, cell->n);
        KOSHU_TYPED(regular_of)(e, cells, leaf, cell->first + first, n, r);
        KOSHU_TYPED(evaluate)(&d, KOSHU_FMM_POTENTIAL, 1, e->p, r, sum);
        KOSHU_TYPED(evaluate)(&d, KOSHU_FMM_GRADIENT, 3, e->p - 1, r, sum);
        if (hessian)
            KOSHU_TYPED(evaluate)(&d, KOSHU_FMM_HESSIAN, 5, e->p - 2, r, sum);
        for (int f = 0; f < fields; f++)
            KOSHU_TYPED(store_lanes)(to[f] + first, sum[f], n);
    }
}
