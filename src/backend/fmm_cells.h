/* SPDX-License-Identifier: MIT */
/*
 * The operators of backend/fmm.h, in one number type: the lanes of a vector are
 * particles of a leaf, children of a cell, or cells that act on one. After
 *
 *     #define KOSHU_REAL, KOSHU_TYPED(name)   as kernels.h says
 *     #define SCALAR, LANES   the type and the number of the lanes
 *     #define COEFFICIENTS    of struct koshu_expansion: f32, f64
 *
 * No include guard: once per number type.
 */
#include "kernels/expansion.h"

enum { KOSHU_TYPED(max_terms) = EXPANSION_TERMS(KOSHU_MAX_ORDER) };

static inline SCALAR *
KOSHU_TYPED(row_of)(void *expansions, const struct koshu_fmm_cells *cells,
                    uint32_t cell)
{
    return (SCALAR *)expansions + cells->stride * cell;
}

/* to[k] = the sum over the lanes of v[k]; add: and what was there. */
static inline void
KOSHU_TYPED(sum_lanes)(SCALAR *to, const KOSHU_REAL *v, int terms, bool add)
{
    for (int k = 0; k < terms; k++) {
        SCALAR sum = v[k][0];
        for (int lane = 1; lane < LANES; lane++) sum += v[k][lane];
        to[k] = add ? to[k] + sum : sum;
    }
}

/* n rows into as many lanes; the others are 0. */
static inline void
KOSHU_TYPED(read_rows)(KOSHU_REAL *v, int terms, const SCALAR *const *row,
                       int n)
{
    for (int k = 0; k < terms; k++) {
        KOSHU_REAL x = {0};
        for (int lane = 0; lane < n; lane++) x[lane] = row[lane][k];
        v[k] = x;
    }
}

/* ---- from cell to cell --------------------------------------------------- */

/* Between centres, for each lane. */
struct KOSHU_TYPED(paths) {
    struct KOSHU_TYPED(expansion_direction) direction;
    KOSHU_REAL distance; /* in some cell's lengths */
};

/* Lane `lane`: along (x, y, z), measured in `length`s. */
static inline void
KOSHU_TYPED(set_path)(struct KOSHU_TYPED(paths) * path, int lane, double x,
                      double y, double z, double length)
{
    const double across = sqrt(x * x + y * y);
    const double distance = sqrt(x * x + y * y + z * z);
    path->direction.cos_first[lane] = (SCALAR)(across > 0 ? y / across : 1);
    path->direction.sin_first[lane] = (SCALAR)(across > 0 ? -x / across : 0);
    path->direction.cos_second[lane] =
            (SCALAR)(distance > 0 ? z / distance : 1);
    path->direction.sin_second[lane] =
            (SCALAR)(distance > 0 ? across / distance : 0);
    path->distance[lane] = (SCALAR)(distance / length);
}

static inline int
KOSHU_TYPED(lanes_of)(uint32_t first, uint32_t end)
{
    return end - first < LANES ? (int)(end - first) : LANES;
}

/* From a cell's centre to those of its children from the k-th on, in the cell's
 * lengths; ratio: of the lengths; the children's rows. Returns how many. */
static inline int
KOSHU_TYPED(to_children)(const struct koshu_fmm_cells *cells, uint32_t parent,
                         uint32_t k, struct KOSHU_TYPED(paths) * path,
                         KOSHU_REAL *ratio, void *expansions, SCALAR **row)
{
    const struct koshu_cell *cell = &cells->cell[parent];
    const int n = KOSHU_TYPED(lanes_of)(k, cell->children);
    const double length = cells->length[parent];
    *path = (struct KOSHU_TYPED(paths)){0};
    *ratio = (KOSHU_REAL){0};
    for (int lane = 0; lane < n; lane++) {
        const uint32_t child = cell->child + k + (uint32_t)lane;
        KOSHU_TYPED(set_path)
        (path, lane, cells->x[child] - cells->x[parent],
         cells->y[child] - cells->y[parent], cells->z[child] - cells->z[parent],
         length);
        (*ratio)[lane] = (SCALAR)(cells->length[child] / length);
        row[lane] = KOSHU_TYPED(row_of)(expansions, cells, child);
    }
    return n;
}

static void
KOSHU_TYPED(m2m)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t parent)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], other[KOSHU_TYPED(max_terms)], ratio;
    SCALAR *const to = KOSHU_TYPED(row_of)(cells->multipole, cells, parent);
    const int terms = EXPANSION_TERMS(e->p);
    struct KOSHU_TYPED(paths) path;
    SCALAR *row[LANES];
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        const int n = KOSHU_TYPED(to_children)(cells, parent, k, &path, &ratio,
                                               cells->multipole, row);
        KOSHU_TYPED(read_rows)(v, terms, (const SCALAR *const *)row, n);
        KOSHU_TYPED(expansion_m2m)
        (e, e->COEFFICIENTS, &path.direction, ratio, path.distance, v, other);
        KOSHU_TYPED(sum_lanes)(to, other, terms, k > 0);
    }
}

static void
KOSHU_TYPED(l2l)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t parent)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], other[KOSHU_TYPED(max_terms)], ratio;
    const SCALAR *from = KOSHU_TYPED(row_of)(cells->local, cells, parent);
    const int terms = EXPANSION_TERMS(e->p);
    struct KOSHU_TYPED(paths) path;
    SCALAR *row[LANES];
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        const int n = KOSHU_TYPED(to_children)(cells, parent, k, &path, &ratio,
                                               cells->local, row);
        for (int t = 0; t < terms; t++) v[t] = from[t] + (KOSHU_REAL){0};
        KOSHU_TYPED(expansion_l2l)
        (e, e->COEFFICIENTS, &path.direction, ratio, path.distance, v, other);
        for (int t = 0; t < terms; t++)
            for (int lane = 0; lane < n; lane++) row[lane][t] = other[t][lane];
    }
}

static void
KOSHU_TYPED(m2l)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *targets, uint32_t target,
                 const struct koshu_fmm_cells *sources, size_t n,
                 const uint32_t *source)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], other[KOSHU_TYPED(max_terms)];
    KOSHU_REAL sum[KOSHU_TYPED(max_terms)] = {0};
    const int terms = EXPANSION_TERMS(e->p);
    const double length = targets->length[target];
    for (size_t first = 0; first < n; first += LANES) {
        const int lanes = n - first < LANES ? (int)(n - first) : LANES;
        struct KOSHU_TYPED(paths) path = {0};
        KOSHU_REAL ratio = {0};
        const SCALAR *row[LANES];
        path.distance += 1;
        for (int lane = 0; lane < lanes; lane++) {
            const uint32_t from = source[first + (size_t)lane];
            KOSHU_TYPED(set_path)
            (&path, lane, targets->x[target] - sources->x[from],
             targets->y[target] - sources->y[from],
             targets->z[target] - sources->z[from], length);
            ratio[lane] = (SCALAR)(sources->length[from] / length);
            row[lane] = KOSHU_TYPED(row_of)(sources->multipole, sources, from);
        }
        const KOSHU_REAL near = 1 / path.distance;
        KOSHU_TYPED(read_rows)(v, terms, row, lanes);
        KOSHU_TYPED(expansion_m2l)
        (e, e->COEFFICIENTS, &path.direction, near, ratio * near, v, other);
        for (int k = 0; k < terms; k++) sum[k] += other[k];
    }
    KOSHU_TYPED(sum_lanes)
    (KOSHU_TYPED(row_of)(targets->local, targets, target), sum, terms, true);
}

/* ---- particles ----------------------------------------------------------- */

/* R of the particles first ... first + n - 1 about a cell's centre. */
static inline void
KOSHU_TYPED(regular_of)(const struct koshu_expansion *e,
                        const struct koshu_fmm_cells *cells, uint32_t cell,
                        size_t first, int n, KOSHU_REAL *r)
{
    const double per_length = 1 / cells->length[cell];
    KOSHU_REAL x = {0}, y = {0}, z = {0};
    for (int lane = 0; lane < n; lane++) {
        const size_t i = first + (size_t)lane;
        x[lane] = (SCALAR)((cells->px[i] - cells->x[cell]) * per_length);
        y[lane] = (SCALAR)((cells->py[i] - cells->y[cell]) * per_length);
        z[lane] = (SCALAR)((cells->pz[i] - cells->z[cell]) * per_length);
    }
    KOSHU_TYPED(expansion_regular)
    (e->p, e->COEFFICIENTS + e->regular, x, y, z, r);
}

static void
KOSHU_TYPED(p2m)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t leaf)
{
    KOSHU_REAL r[KOSHU_TYPED(max_terms)], sum[KOSHU_TYPED(max_terms)] = {0};
    const struct koshu_cell *cell = &cells->cell[leaf];
    const int terms = EXPANSION_TERMS(e->p);
    for (uint32_t k = 0; k < cell->n; k += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(k, cell->n);
        const size_t first = (size_t)cell->first + k;
        KOSHU_REAL charge = {0};
        for (int lane = 0; lane < n; lane++)
            charge[lane] = (SCALAR)(cells->charge[first + (size_t)lane] *
                                    cells->per_charge);
        KOSHU_TYPED(regular_of)(e, cells, leaf, first, n, r);
        for (int t = 0; t < terms; t++) sum[t] += charge * r[t];
    }
    KOSHU_TYPED(sum_lanes)
    (KOSHU_TYPED(row_of)(cells->multipole, cells, leaf), sum, terms, false);
}

static void
KOSHU_TYPED(l2p)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t leaf,
                 double *const to[4])
{
    KOSHU_REAL r[KOSHU_TYPED(max_terms)], all[KOSHU_TYPED(max_terms)];
    KOSHU_REAL gradient[3][KOSHU_TYPED(max_terms)];
    const struct koshu_cell *cell = &cells->cell[leaf];
    const SCALAR *from = KOSHU_TYPED(row_of)(cells->local, cells, leaf);
    const int p = e->p, terms = EXPANSION_TERMS(p);
    for (int k = 0; k < terms; k++) all[k] = from[k] + (KOSHU_REAL){0};
    KOSHU_TYPED(expansion_gradient)
    (p, e->COEFFICIENTS + e->gradient, all, gradient[0], gradient[1],
     gradient[2]);
    for (uint32_t first = 0; first < cell->n; first += LANES) {
        const int n = KOSHU_TYPED(lanes_of)(first, cell->n);
        KOSHU_REAL sum[4] = {0};
        KOSHU_TYPED(regular_of)(e, cells, leaf, cell->first + first, n, r);
        for (int k = 0; k < p * p; k++)
            for (int d = 0; d < 3; d++) sum[d] += gradient[d][k] * r[k];
        for (int k = 0; k < terms; k++) sum[3] -= all[k] * r[k];
        for (int d = 0; d < 4; d++)
            for (int lane = 0; lane < n; lane++)
                to[d][first + (uint32_t)lane] = (double)sum[d][lane];
    }
}

static const struct koshu_fmm_kernels
        KOSHU_TYPED(fmm_kernels) = {.real = sizeof(SCALAR),
                                    .p2m = KOSHU_TYPED(p2m),
                                    .m2m = KOSHU_TYPED(m2m),
                                    .m2l = KOSHU_TYPED(m2l),
                                    .l2l = KOSHU_TYPED(l2l),
                                    .l2p = KOSHU_TYPED(l2p)};
