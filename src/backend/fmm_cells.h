/* SPDX-License-Identifier: MIT */
/* Translations between cells, M2M, M2L and L2L: a part of fmm_operators.h. */
#include "kernels/expansion.h"

/* n rounded up to whole vectors. */
#define WHOLE_VECTORS(n) (((n) + LANES - 1) / LANES * LANES)

enum {
    KOSHU_TYPED(max_terms) = WHOLE_VECTORS(EXPANSION_TERMS(KOSHU_MAX_ORDER)),
    KOSHU_TYPED(max_rhs) = 3 /* summed in vectors at the same time */
};

/* The row of the first right-hand side; the others follow at distances
 * `stride`. */
static inline SCALAR *
KOSHU_TYPED(row_of)(void *expansions, const struct koshu_fmm_cells *cells,
                    uint32_t cell)
{
    return (SCALAR *)expansions + cells->n_rhs * cells->stride * cell;
}

/* to[k] = the sum over the lanes of v[k], plus the previous value if `add`. */
static inline void
KOSHU_TYPED(sum_lanes)(SCALAR *to, const KOSHU_REAL *v, int terms, bool add)
{
    for (int k = 0; k < terms; k += LANES) {
        KOSHU_REAL block[LANES], sum = {0};
        for (int t = 0; t < LANES; t++)
            block[t] = k + t < terms ? v[k + t] : (KOSHU_REAL){0};
        KOSHU_TYPED(transpose)(block);
        for (int lane = 0; lane < LANES; lane++) sum += block[lane];
        for (int t = 0; t < LANES && k + t < terms; t++)
            to[k + t] = add ? to[k + t] + sum[t] : sum[t];
    }
}

/* One vector from each of n rows, from the numbers `first` on, one row per
 * lane; the other lanes are 0. */
static inline void
KOSHU_TYPED(read_vectors)(KOSHU_REAL *v, SCALAR *const *row, size_t first,
                          int n)
{
    KOSHU_REAL block[LANES];
    if (n == LANES)
        for (int lane = 0; lane < LANES; lane++)
            memcpy(&block[lane], row[lane] + first, sizeof block[0]);
    else
        for (int lane = 0; lane < LANES; lane++) {
            block[lane] = (KOSHU_REAL){0};
            if (lane < n)
                memcpy(&block[lane], row[lane] + first, sizeof block[0]);
        }
    KOSHU_TYPED(transpose)(block);
    for (int k = 0; k < LANES; k++) v[k] = block[k];
}

/* The same for all terms; v and the rows are padded to whole vectors. */
static inline void
KOSHU_TYPED(read_rows)(KOSHU_REAL *v, int terms, SCALAR *const *row,
                       size_t first, int n)
{
    for (int k = 0; k < terms; k += LANES) KOSHU_TYPED(read_vectors)
    (v + k, row, first + (size_t)k, n);
}

/*
 * Sums of expansions, for some right-hand sides. The terms of the lowest
 * degrees make up nearly all of a force, and the contributions of cells on
 * different sides largely cancel. So with floats these terms are moved to sums
 * in double after every few vectors of cells.
 */
enum {
    KOSHU_TYPED(first_terms) = EXPANSION_TERMS(2),
    KOSHU_TYPED(carry_vectors) = 4,
    KOSHU_TYPED(carry_order) = sizeof(SCALAR) == sizeof(float)
                                       ? 10 /* at lower orders other errors
                                             * dominate */
                                       : KOSHU_MAX_ORDER + 1
};
typedef double KOSHU_TYPED(doubles)
        __attribute__((vector_size(LANES * sizeof(double))));
struct KOSHU_TYPED(sums) {
    size_t n;
    KOSHU_REAL of[KOSHU_TYPED(max_rhs)][KOSHU_TYPED(max_terms)];
    KOSHU_TYPED(doubles) first[KOSHU_TYPED(max_rhs)][KOSHU_TYPED(first_terms)];
};

/* Sets sums to zero, for at most n right-hand sides. */
static inline void
KOSHU_TYPED(clear_sums)(struct KOSHU_TYPED(sums) * s, size_t n, int p)
{
    s->n = n < KOSHU_TYPED(max_rhs) ? n : KOSHU_TYPED(max_rhs);
    for (size_t rhs = 0; rhs < s->n; rhs++) {
        for (int k = 0; k < EXPANSION_TERMS(p); k++)
            s->of[rhs][k] = (KOSHU_REAL){0};
        for (int k = 0; k < KOSHU_TYPED(first_terms); k++)
            s->first[rhs][k] = (KOSHU_TYPED(doubles)){0};
    }
}

static inline void
KOSHU_TYPED(carry_sums)(struct KOSHU_TYPED(sums) * s)
{
    for (size_t rhs = 0; rhs < s->n; rhs++)
        for (int k = 0; k < KOSHU_TYPED(first_terms); k++) {
            s->first[rhs][k] += __builtin_convertvector(s->of[rhs][k],
                                                        KOSHU_TYPED(doubles));
            s->of[rhs][k] = (KOSHU_REAL){0};
        }
}

/* Adds what has been moved to doubles. */
static inline void
KOSHU_TYPED(add_carried)(const KOSHU_TYPED(doubles) * sum, SCALAR *to)
{
    for (int k = 0; k < KOSHU_TYPED(first_terms); k++) {
        double total = (double)to[k];
        for (int lane = 0; lane < LANES; lane++) total += sum[k][lane];
        to[k] = (SCALAR)total;
    }
}

static inline void
KOSHU_TYPED(write_sums)(const struct KOSHU_TYPED(sums) * s, SCALAR *to,
                        size_t stride, int p, bool add)
{
    for (size_t rhs = 0; rhs < s->n; rhs++, to += stride) {
        KOSHU_TYPED(sum_lanes)(to, s->of[rhs], EXPANSION_TERMS(p), add);
        if (p >= KOSHU_TYPED(carry_order))
            KOSHU_TYPED(add_carried)(s->first[rhs], to);
    }
}

/* ---- between cells ------------------------------------------------------- */

/* Displacements between centres, one per lane. */
struct KOSHU_TYPED(paths) {
    struct KOSHU_TYPED(expansion_direction) direction;
    KOSHU_REAL distance; /* in lengths of one of the cells */
};

/* One cell per lane, and the displacement between each and one common cell. */
struct KOSHU_TYPED(others) {
    int n; /* lanes in use */
    struct KOSHU_TYPED(paths) path;
    KOSHU_REAL ratio; /* of the lengths: theirs over the common cell's */
    SCALAR *row[LANES];
};

/* Sets the paths from the displacement `way` of each lane, in units of that
 * cell's length. */
static inline void
KOSHU_TYPED(set_paths)(struct KOSHU_TYPED(paths) * path,
                       const double (*way)[LANES])
{
    struct {
        SCALAR cos_first[LANES], sin_first[LANES], cos_second[LANES],
                sin_second[LANES], distance[LANES];
    } to;
    for (int lane = 0; lane < LANES; lane++) {
        const double x = way[0][lane], y = way[1][lane], z = way[2][lane];
        const double across = sqrt(x * x + y * y);
        const double distance = sqrt(x * x + y * y + z * z);
        const double per_across = 1 / (across > 0 ? across : 1);
        const double per_distance = 1 / (distance > 0 ? distance : 1);
        to.cos_first[lane] = (SCALAR)(across > 0 ? y * per_across : 1);
        to.sin_first[lane] = (SCALAR)(-x * per_across);
        to.cos_second[lane] = (SCALAR)(distance > 0 ? z * per_distance : 1);
        to.sin_second[lane] = (SCALAR)(across * per_distance);
        to.distance[lane] = (SCALAR)distance;
    }
    _Static_assert(sizeof to == sizeof *path, "vectors are their lanes");
    memcpy(path, &to, sizeof *path);
}

static inline int
KOSHU_TYPED(lanes_of)(uint32_t first, uint32_t end)
{
    return end - first < LANES ? (int)(end - first) : LANES;
}

/* Paths from a cell's centre to those of its children from the k-th on, in
 * units of the cell's length. */
static inline void
KOSHU_TYPED(to_children)(struct KOSHU_TYPED(others) * o,
                         const struct koshu_fmm_cells *cells, uint32_t parent,
                         uint32_t k, void *expansions)
{
    const struct koshu_cell *cell = &cells->cell[parent];
    const double per_length = 1 / cells->length[parent];
    double way[3][LANES] = {{0}};
    *o = (struct KOSHU_TYPED(others)){
            .n = KOSHU_TYPED(lanes_of)(k, cell->children)};
    for (int lane = 0; lane < o->n; lane++) {
        const uint32_t to = cell->child + k + (uint32_t)lane;
        way[0][lane] = (cells->x[to] - cells->x[parent]) * per_length;
        way[1][lane] = (cells->y[to] - cells->y[parent]) * per_length;
        way[2][lane] = (cells->z[to] - cells->z[parent]) * per_length;
        o->ratio[lane] = (SCALAR)(cells->length[to] * per_length);
        o->row[lane] = KOSHU_TYPED(row_of)(expansions, cells, to);
    }
    KOSHU_TYPED(set_paths)(&o->path, way);
}

/* Adds the contributions of children to their parent's multipoles; at: offset
 * of the right-hand side in the rows. */
static inline void
KOSHU_TYPED(add_children)(const struct koshu_expansion *e,
                          const struct KOSHU_TYPED(others) * o, size_t at,
                          SCALAR *to, bool add)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], other[KOSHU_TYPED(max_terms)];
    const int terms = EXPANSION_TERMS(e->p);
    KOSHU_TYPED(read_rows)(v, terms, o->row, at, o->n);
    KOSHU_TYPED(expansion_m2m)
    (e, e->COEFFICIENTS, &o->path.direction, o->ratio, o->path.distance, v,
     other);
    KOSHU_TYPED(sum_lanes)(to + at, other, terms, add);
}

static void
KOSHU_TYPED(m2m)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t parent)
{
    SCALAR *const to = KOSHU_TYPED(row_of)(cells->multipole, cells, parent);
    struct KOSHU_TYPED(others) o;
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        KOSHU_TYPED(to_children)(&o, cells, parent, k, cells->multipole);
        for (size_t rhs = 0; rhs < cells->n_rhs; rhs++)
            KOSHU_TYPED(add_children)(e, &o, rhs * cells->stride, to, k > 0);
    }
}

/* Adds the parent's contribution to the local expansions of its children. */
static inline void
KOSHU_TYPED(give_children)(const struct koshu_expansion *e,
                           const struct KOSHU_TYPED(others) * o, size_t at,
                           const SCALAR *from)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)], other[KOSHU_TYPED(max_terms)];
    const size_t terms = EXPANSION_TERMS((size_t)e->p);
    for (size_t t = 0; t < terms; t++) v[t] = from[at + t] + (KOSHU_REAL){0};
    KOSHU_TYPED(expansion_l2l)
    (e, e->COEFFICIENTS, &o->path.direction, o->ratio, o->path.distance, v,
     other);
    for (size_t t = 0; t < terms; t++)
        for (int lane = 0; lane < o->n; lane++)
            o->row[lane][at + t] = other[t][lane];
}

static void
KOSHU_TYPED(l2l)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *cells, uint32_t parent)
{
    const SCALAR *from = KOSHU_TYPED(row_of)(cells->local, cells, parent);
    struct KOSHU_TYPED(others) o;
    for (uint32_t k = 0; k < cells->cell[parent].children; k += LANES) {
        KOSHU_TYPED(to_children)(&o, cells, parent, k, cells->local);
        for (size_t rhs = 0; rhs < cells->n_rhs; rhs++)
            KOSHU_TYPED(give_children)(e, &o, rhs * cells->stride, from);
    }
}

/* Paths from up to LANES of n source cells to one target cell, in units of the
 * target's length. */
static inline void
KOSHU_TYPED(to_target)(struct KOSHU_TYPED(others) * o,
                       const struct koshu_fmm_cells *targets, uint32_t target,
                       const struct koshu_fmm_cells *sources, size_t n,
                       const uint32_t *source)
{
    const double per_length = 1 / targets->length[target];
    double way[3][LANES];
    *o = (struct KOSHU_TYPED(others)){.n = n < LANES ? (int)n : LANES};
    for (int lane = o->n; lane < LANES; lane++)
        way[0][lane] = way[1][lane] = way[2][lane] = 1;
    for (int lane = 0; lane < o->n; lane++) {
        double at[3];
        const uint32_t from = koshu_fmm_centre(sources, source[lane], at);
        way[0][lane] = (targets->x[target] - at[0]) * per_length;
        way[1][lane] = (targets->y[target] - at[1]) * per_length;
        way[2][lane] = (targets->z[target] - at[2]) * per_length;
        o->ratio[lane] = (SCALAR)(sources->length[from] * per_length);
        o->row[lane] = KOSHU_TYPED(row_of)(sources->multipole, sources, from);
    }
    KOSHU_TYPED(set_paths)(&o->path, way);
}

/* Adds the contributions of these cells to the target's local expansion. */
static inline void
KOSHU_TYPED(add_far)(const struct koshu_expansion *e,
                     const struct KOSHU_TYPED(others) * o, size_t at,
                     KOSHU_REAL *sum)
{
    KOSHU_REAL v[KOSHU_TYPED(max_terms)];
    const KOSHU_REAL near = 1 / o->path.distance;
    KOSHU_TYPED(read_rows)(v, EXPANSION_TERMS(e->p), o->row, at, o->n);
    ADD_M2L(e, e->COEFFICIENTS, &o->path.direction, near, o->ratio * near, v,
            sum);
}

static void
KOSHU_TYPED(m2l)(const struct koshu_expansion *e,
                 const struct koshu_fmm_cells *targets, uint32_t target,
                 const struct koshu_fmm_cells *sources, size_t n,
                 const uint32_t *source)
{
    struct KOSHU_TYPED(sums) sums;
    struct KOSHU_TYPED(others) o;
    SCALAR *const to = KOSHU_TYPED(row_of)(targets->local, targets, target);
    const size_t stride = targets->stride;
    for (size_t k = 0; k < targets->n_rhs; k += sums.n) {
        KOSHU_TYPED(clear_sums)(&sums, targets->n_rhs - k, e->p);
        for (size_t at = 0; at < n; at += LANES) {
            KOSHU_TYPED(to_target)
            (&o, targets, target, sources, n - at, source + at);
            for (size_t rhs = 0; rhs < sums.n; rhs++)
                KOSHU_TYPED(add_far)(e, &o, (k + rhs) * stride, sums.of[rhs]);
            if (e->p >= KOSHU_TYPED(carry_order) &&
                at / LANES % KOSHU_TYPED(carry_vectors) == 0)
                KOSHU_TYPED(carry_sums)(&sums);
        }
        KOSHU_TYPED(write_sums)(&sums, to + k * stride, stride, e->p, true);
    }
}
