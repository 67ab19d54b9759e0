/* SPDX-License-Identifier: MIT */
/*
 * Sums over the particles of near leaves (struct koshu_fmm_near) in one number
 * type; fmm_kernels.h includes this file between real_*.h and real_end.h, after
 * gravity_pair.h.
 *
 * The lanes of a vector are sources. They are read tile by tile, relative to
 * the target leaf's centre and in units of its length, where all numbers are
 * near 1. Floats may have high and low parts, so that near pairs keep their
 * precision.
 */
enum { OF(near_size) = NEAR_VECTORS * LANES };

struct OF(near_tile) {
    size_t first, n, vectors; /* sources from the first-th of all */
    size_t own;               /* vectors that contain the leaf's own
                               * particles */
    /* copies may extend one vector beyond the last */
    _Alignas(VECTOR_BYTES) SCALAR x[3][OF(near_size) + LANES];
    _Alignas(VECTOR_BYTES) SCALAR low[3][OF(near_size) + LANES];
    _Alignas(VECTOR_BYTES) SCALAR charge[OF(near_size) + LANES];
};

/* ---- sources ------------------------------------------------------------- */

/* Writes LANES numbers (from - centre) * unit; with split, also their rounding
 * errors. */
VECTOR_FN void
OF(near_copy_vector)(SCALAR *to, SCALAR *low, const double *from, double centre,
                     double unit, const bool split)
{
    for (int k = 0; k < LANES; k += LANES_F64) {
        vector_f64 x;
        __builtin_memcpy(&x, from + k, sizeof x);
        x = (x - centre) * unit;
        OF(put)(to + k, x);
        if (split) OF(put)(low + k, OF(rest)(x));
    }
}

/* The same for n numbers. */
VECTOR_FN void
OF(near_copy)(SCALAR *to, SCALAR *low, const double *from, size_t n,
              double centre, double unit, const bool split)
{
    double few[LANES] = {0};
    size_t k = 0;
    for (; k + LANES <= n; k += LANES)
        OF(near_copy_vector)(to + k, low + k, from + k, centre, unit, split);
    if (k == n) return;
    if (n < LANES)
        from = memcpy(few, from, n * sizeof *from);
    else
        k = n - LANES;
    OF(near_copy_vector)(to + k, low + k, from + k, centre, unit, split);
}

/* Appends particles first ... first + n - 1 of an entry to the tile. */
VECTOR_FN void
OF(near_append)(struct OF(near_tile) * t, const struct koshu_fmm_near *near,
                uint32_t entry, size_t first, size_t n, const bool split)
{
    const struct koshu_fmm_cells *to = near->targets, *from = near->sources;
    const double *shift = koshu_fmm_shift_of(&from->images, entry);
    const double *const x[3] = {from->px, from->py, from->pz};
    const double centre[3] = {to->x[near->leaf], to->y[near->leaf],
                              to->z[near->leaf]};
    const double unit = 1 / to->length[near->leaf];
    for (int d = 0; d < 3; d++) OF(near_copy)
    (t->x[d] + t->n, t->low[d] + t->n, x[d] + first, n, centre[d] - shift[d],
     unit, split);
    OF(near_copy)
    (t->charge + t->n, NULL, from->charge + near->rhs * from->n + first, n, 0,
     from->per_charge[near->rhs], false);
    t->n += n;
}

/* Fills the last vector with padding particles, away from any target. */
VECTOR_FN void
OF(near_fill)(struct OF(near_tile) * t, const bool split)
{
    const SCALAR away = 1024; /* in lengths of the leaf */
    t->vectors = (t->n + LANES - 1) / LANES;
    for (size_t k = t->n; k < t->vectors * LANES; k++) {
        for (int d = 0; d < 3; d++) t->x[d][k] = away;
        for (int d = 0; split && d < 3; d++) t->low[d][k] = 0;
        t->charge[k] = 0;
    }
}

/* Position of the next source. */
struct OF(near_cursor) {
    size_t entry, particle;
};

VECTOR_FN void
OF(near_load)(struct OF(near_tile) * t, const struct koshu_fmm_near *near,
              struct OF(near_cursor) * at, const bool split)
{
    const struct koshu_fmm_cells *from = near->sources;
    t->n = 0;
    while (at->entry < near->n && t->n < OF(near_size)) {
        const uint32_t entry = near->source[at->entry];
        const struct koshu_cell *cell =
                &from->cell[koshu_fmm_cell_of(&from->images, entry)];
        const size_t left = cell->n - at->particle, free = OF(near_size) - t->n;
        const size_t n = left < free ? left : free;
        OF(near_append)(t, near, entry, cell->first + at->particle, n, split);
        at->particle = n < left ? at->particle + n : 0;
        at->entry += n == left;
    }
    OF(near_fill)(t, split);
}

/* ---- pairs --------------------------------------------------------------- */

/* One target, in every lane. */
struct OF(near_target) {
    KOSHU_REAL x[3], low[3];
    size_t self; /* its index in the tile, if it is there */
};

struct OF(near_constants) {
    KOSHU_REAL eps2, mr_coincident;
};

/* Adds the tile's vectors first ... last - 1 on a target. own: they may contain
 * the target itself. */
VECTOR_FN void
OF(near_span)(struct OF(gravity_sum) * s, const struct OF(near_tile) * t,
              size_t first, size_t last, const struct OF(near_target) * i,
              const struct OF(near_constants) * c, const struct variant v,
              const bool own)
{
    for (size_t k = first; k < last; k++) {
        KOSHU_REAL x[3], charge;
        MASK kept = (MASK){0} - 1;
        for (int d = 0; d < 3; d++) {
            KOSHU_REAL low;
            __builtin_memcpy(&x[d], t->x[d] + k * LANES, sizeof x[d]);
            __builtin_memcpy(&low, t->low[d] + k * LANES, sizeof low);
            x[d] = v.split ? OF(gravity_difference)(x[d], low, i->x[d],
                                                    i->low[d])
                           : x[d] - i->x[d];
        }
        __builtin_memcpy(&charge, t->charge + k * LANES, sizeof charge);
        if (own && i->self / LANES == k) kept[i->self % LANES] = 0;
        OF(gravity_pair)
        (s, (struct OF(point)){x[0], x[1], x[2]}, charge, own ? &kept : NULL,
         c->eps2, c->mr_coincident, v);
    }
}

/* Like near_span(), but in blocks that are summed separately: consecutive
 * sources are on one side of the target, so their partial sums are large. */
VECTOR_FN void
OF(near_blocks)(struct OF(gravity_sum) * sum, const struct OF(near_tile) * t,
                size_t first, size_t last, const struct OF(near_target) * i,
                const struct OF(near_constants) * c, const struct variant v,
                const bool own)
{
    for (size_t k = first; k < last; k += NEAR_BLOCK) {
        struct OF(gravity_sum) s = {0};
        const size_t end = last - k < NEAR_BLOCK ? last : k + NEAR_BLOCK;
        OF(near_span)(&s, t, k, end, i, c, v, own);
        sum->ax += s.ax;
        sum->ay += s.ay;
        sum->az += s.az;
        sum->mr += s.mr;
    }
}

/* Adds a whole tile on a target. */
VECTOR_FN void
OF(near_add)(struct lane_sums *sum, const struct OF(near_tile) * t,
             const struct OF(near_target) * i,
             const struct OF(near_constants) * c, const struct variant v)
{
    struct OF(gravity_sum) s = {0};
    struct variant safe = v;
    safe.zero_safe = true;
    OF(near_blocks)(&s, t, 0, t->own, i, c, safe, true);
    OF(near_blocks)(&s, t, t->own, t->vectors, i, c, v, false);
    OF(add_sums)(sum, &s, v);
}

/* ---- targets ------------------------------------------------------------- */

/* The leaf's k-th particle as a target. */
VECTOR_FN struct OF(near_target)
        OF(near_target_of)(const struct koshu_fmm_near *near,
                           const struct OF(near_tile) * t, size_t k)
{
    const struct koshu_fmm_cells *c = near->targets;
    const size_t at = c->cell[near->leaf].first + k;
    const double centre[3] = {c->x[near->leaf], c->y[near->leaf],
                              c->z[near->leaf]};
    const double x[3] = {c->px[at], c->py[at], c->pz[at]};
    const double unit = 1 / c->length[near->leaf];
    struct OF(near_target) i = {.self = k - t->first};
    for (int d = 0; d < 3; d++) {
        const double about = (x[d] - centre[d]) * unit;
        const SCALAR high = (SCALAR)about;
        i.x[d] = OF(every)(high);
        i.low[d] = OF(every)((SCALAR)(about - (double)high));
    }
    return i;
}

/* Number of vectors of the tile that contain the leaf's own particles, which
 * come first if they are sources. */
VECTOR_FN size_t
OF(near_own)(const struct koshu_fmm_near *near, const struct OF(near_tile) * t)
{
    const size_t n = near->targets->cell[near->leaf].n;
    if (near->targets != near->sources || near->source[0] != near->leaf ||
        n <= t->first)
        return 0;
    const size_t vectors = (n - t->first + LANES - 1) / LANES;
    return vectors < t->vectors ? vectors : t->vectors;
}

VECTOR_FN void
OF(near_store)(const struct koshu_fmm_near *near, size_t first, size_t n,
               const struct lane_sums *sum, const struct scale scale)
{
    const size_t stride = near->targets->cell[near->leaf].n;
    double *to = near->sums + first;
    for (size_t k = 0; k < n; k++, to++) {
        to[0] = total(sum[k].of[3]) * scale.mr;
        for (size_t d = 0; d < 3; d++)
            to[(1 + d) * stride] = total(sum[k].of[d]) * scale.a;
    }
}

/* Sums for the leaf's particles first ... first + n - 1. */
VECTOR_FN void
OF(near_some)(const struct koshu_fmm_near *near, size_t first, size_t n,
              const struct OF(near_constants) * c, const struct variant v)
{
    struct OF(near_tile) t;
    struct OF(near_cursor) at = {0};
    struct lane_sums sum[NEAR_TARGETS];
    memset(sum, 0, n * sizeof sum[0]);
    for (t.first = 0; at.entry < near->n; t.first += t.n) {
        OF(near_load)(&t, near, &at, v.split);
        t.own = OF(near_own)(near, &t);
        for (size_t k = 0; k < n; k++) {
            const struct OF(near_target) i =
                    OF(near_target_of)(near, &t, first + k);
            OF(near_add)(&sum[k], &t, &i, c, v);
        }
    }
    OF(near_store)(near, first, n, sum, scale_of(v.root));
}

VECTOR_FN void
OF(do_near)(const struct koshu_fmm_near *near, const struct variant v)
{
    const size_t n = near->targets->cell[near->leaf].n;
    const double eps = near->task->eps / near->targets->length[near->leaf];
    const double mr = eps > 0 ? 1 / (eps * scale_of(v.root).mr) : 0;
    const struct OF(near_constants)
            c = {OF(every)((SCALAR)(eps * eps)), OF(every)((SCALAR)mr)};
    for (size_t k = 0; k < n; k += NEAR_TARGETS) OF(near_some)
    (near, k, n - k < NEAR_TARGETS ? n - k : NEAR_TARGETS, &c, v);
}
