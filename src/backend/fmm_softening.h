/* SPDX-License-Identifier: MIT */
/*
 * The operators of struct koshu_softening_kernels. A part of fmm_operators.h.
 */
#include "kernels/cartesian.h"

enum { KOSHU_TYPED(max_cartesian) = WHOLE_VECTORS(KOSHU_MAX_CARTESIAN_TERMS) };

/* Unit vectors from the common cell to the others, or the reverse for
 * children. */
static inline void
KOSHU_TYPED(unit_vectors)(const struct KOSHU_TYPED(paths) * path,
                          KOSHU_REAL u[3])
{
    const struct KOSHU_TYPED(expansion_direction) *d = &path->direction;
    u[0] = -d->sin_first * d->sin_second;
    u[1] = d->cos_first * d->sin_second;
    u[2] = d->cos_second;
}

/* T of the displacements to the other cells. */
static inline void
KOSHU_TYPED(shifts_of)(const struct koshu_cartesian *c, int order,
                       const struct KOSHU_TYPED(others) * o, KOSHU_REAL *t)
{
    KOSHU_REAL x[3];
    KOSHU_TYPED(unit_vectors)(&o->path, x);
    for (int axis = 0; axis < 3; axis++) x[axis] *= o->path.distance;
    KOSHU_TYPED(cartesian_powers)(c, order, x, t);
}

static void
KOSHU_TYPED(soften_m2m)(const struct koshu_cartesian *c, int order,
                        const struct koshu_fmm_cells *cells, uint32_t parent)
{
    KOSHU_REAL v[KOSHU_TYPED(max_cartesian)], t[KOSHU_TYPED(max_cartesian)];
    KOSHU_REAL sum[KOSHU_TYPED(max_cartesian)] = {0};
    SCALAR *to = KOSHU_TYPED(row_of)(cells->multipole, cells, parent);
    const int terms = CARTESIAN_TERMS(order);
    struct KOSHU_TYPED(others) o;
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        KOSHU_TYPED(to_children)(&o, cells, parent, k, cells->multipole);
        KOSHU_TYPED(read_rows)(v, terms, o.row, c->begin, o.n);
        KOSHU_TYPED(cartesian_scale)(order, v, 1 + 0 * o.ratio, o.ratio);
        KOSHU_TYPED(shifts_of)(c, order, &o, t);
        KOSHU_TYPED(cartesian_multiply)(c, order, v, t, sum);
    }
    KOSHU_TYPED(sum_lanes)(to + c->begin, sum, terms, false);
}

static void
KOSHU_TYPED(soften_l2l)(const struct koshu_cartesian *c, int order,
                        const struct koshu_fmm_cells *cells, uint32_t parent)
{
    KOSHU_REAL v[KOSHU_TYPED(max_cartesian)], t[KOSHU_TYPED(max_cartesian)];
    const SCALAR *from =
            KOSHU_TYPED(row_of)(cells->local, cells, parent) + c->begin;
    const int terms = CARTESIAN_TERMS(order);
    struct KOSHU_TYPED(others) o;
    for (int a = 0; a < terms; a++) v[a] = from[a] + (KOSHU_REAL){0};
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        KOSHU_REAL to[KOSHU_TYPED(max_cartesian)] = {0};
        KOSHU_TYPED(to_children)(&o, cells, parent, k, cells->local);
        KOSHU_TYPED(shifts_of)(c, order, &o, t);
        KOSHU_TYPED(cartesian_contract)(c, order, v, t, to);
        KOSHU_TYPED(cartesian_scale)(order, to, o.ratio, o.ratio);
        for (int a = 0; a < terms; a++)
            for (int lane = 0; lane < o.n; lane++)
                o.row[lane][c->begin + (size_t)a] = to[a][lane];
    }
}

/* 1 / sqrt(1 + eps^2) with eps in units of each distance; the argument eps is
 * in units of the paths. */
static inline KOSHU_REAL
KOSHU_TYPED(sigmas_of)(const struct KOSHU_TYPED(others) * o, double eps)
{
    KOSHU_REAL sigma = {0};
    for (int lane = 0; lane < LANES; lane++) {
        const double part = eps / (double)o->path.distance[lane];
        sigma[lane] = (SCALAR)(1 / sqrt(1 + part * part));
    }
    return sigma;
}

static void
KOSHU_TYPED(soften_m2l)(const struct koshu_cartesian *c, int order, double eps,
                        const struct koshu_fmm_cells *targets, uint32_t target,
                        const struct koshu_fmm_cells *sources, size_t n,
                        const uint32_t *source)
{
    KOSHU_REAL v[KOSHU_TYPED(max_cartesian)], d[KOSHU_TYPED(max_cartesian)];
    KOSHU_REAL to[KOSHU_TYPED(max_cartesian)], u[3];
    KOSHU_REAL sum[KOSHU_TYPED(max_cartesian)] = {0};
    SCALAR *row = KOSHU_TYPED(row_of)(targets->local, targets, target);
    const int terms = CARTESIAN_TERMS(order);
    struct KOSHU_TYPED(others) o;
    for (size_t at = 0; at < n; at += LANES) {
        KOSHU_TYPED(to_target)
        (&o, targets, target, sources, n - at, source + at);
        const KOSHU_REAL near = 1 / o.path.distance;
        KOSHU_TYPED(unit_vectors)(&o.path, u);
        KOSHU_TYPED(read_rows)(v, terms, o.row, c->begin, o.n);
        KOSHU_TYPED(cartesian_derivatives)
        (c, order, u, KOSHU_TYPED(sigmas_of)(&o, eps / targets->length[target]),
         d);
        KOSHU_TYPED(cartesian_m2l)(c, order, d, near, o.ratio * near, v, to);
        for (int a = 0; a < terms; a++) sum[a] += to[a];
    }
    KOSHU_TYPED(sum_lanes)(row + c->begin, sum, terms, true);
}

/* ---- particles ----------------------------------------------------------- */

static inline void
KOSHU_TYPED(powers_of)(const struct koshu_cartesian *c, int order,
                       const struct koshu_fmm_cells *cells, uint32_t cell,
                       size_t first, int n, KOSHU_REAL *t)
{
    KOSHU_REAL x[3];
    KOSHU_TYPED(places_of)(cells, cell, first, n, x);
    KOSHU_TYPED(cartesian_powers)(c, order, x, t);
}

static void
KOSHU_TYPED(soften_p2m)(const struct koshu_cartesian *c, int order,
                        const struct koshu_fmm_cells *cells, uint32_t leaf)
{
    KOSHU_REAL t[KOSHU_TYPED(max_cartesian)];
    KOSHU_REAL sum[KOSHU_TYPED(max_cartesian)] = {0};
    SCALAR *to = KOSHU_TYPED(row_of)(cells->multipole, cells, leaf);
    const struct koshu_cell *cell = &cells->cell[leaf];
    const int terms = CARTESIAN_TERMS(order);
    for (uint32_t i = 0; i < cell->n; i += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(i, cell->n);
        const KOSHU_REAL q =
                KOSHU_TYPED(charges_of)(cells, 0, cell->first + i, n);
        KOSHU_TYPED(powers_of)(c, order, cells, leaf, cell->first + i, n, t);
        for (int a = 0; a < terms; a++) sum[a] += q * t[a];
    }
    KOSHU_TYPED(sum_lanes)(to + c->begin, sum, terms, false);
}

static void
KOSHU_TYPED(soften_l2p)(const struct koshu_cartesian *c, int order,
                        const struct koshu_fmm_cells *cells, uint32_t leaf,
                        double *const *to)
{
    KOSHU_REAL t[KOSHU_TYPED(max_cartesian)];
    const struct koshu_cell *cell = &cells->cell[leaf];
    const int terms = CARTESIAN_TERMS(order);
    const SCALAR *from =
            KOSHU_TYPED(row_of)(cells->local, cells, leaf) + c->begin;
    for (uint32_t first = 0; first < cell->n; first += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(first, cell->n);
        KOSHU_REAL sum[4] = {0};
        KOSHU_TYPED(powers_of)
        (c, order, cells, leaf, cell->first + first, n, t);
        for (int a = 0; a < terms; a++) sum[0] += from[a] * t[a];
        for (int a = 0; a < CARTESIAN_TERMS(order - 1); a++)
            for (int axis = 0; axis < 3; axis++)
                sum[1 + axis] +=
                        from[c->product[c->first[a] + 1 + axis]] * t[a];
        for (int d = 0; d < 4; d++)
            for (int lane = 0; lane < n; lane++)
                to[d][first + (uint32_t)lane] += (double)sum[d][lane];
    }
}

static const struct koshu_softening_kernels
        KOSHU_TYPED(softening_kernels) = {.p2m = KOSHU_TYPED(soften_p2m),
                                          .m2m = KOSHU_TYPED(soften_m2m),
                                          .m2l = KOSHU_TYPED(soften_m2l),
                                          .l2l = KOSHU_TYPED(soften_l2l),
                                          .l2p = KOSHU_TYPED(soften_l2p)};
