/* SPDX-License-Identifier: MIT */
/*
 * Direct sums in one precision; kernels.h includes this file after
 *
 *     KOSHU_REAL, KOSHU_TYPED   as for the formulas in kernels/
 *     SUM(name)                 name with the suffix of the precision
 *     SCALAR, MASK, LANES       of KOSHU_REAL
 *     TILE_VECTORS              vectors of j-particles in a tile
 *     MIXED                     1: positions are unevaluated sums of two
 *
 * The lanes of a vector are j-particles, so that any number of i-particles is
 * dealt with at full speed: `width` of them at a time, each j-vector loaded
 * once for all of these. The j-particles are converted tile by tile into an
 * array on the stack, which stays in the first-level cache while all
 * i-particles of the job pass over it.
 */
enum { SUM(tile_size) = TILE_VECTORS * LANES };

struct SUM(point) {
    KOSHU_REAL x, y, z;
#if MIXED
    KOSHU_REAL x_low, y_low, z_low;
#endif
};

struct SUM(tile) {
    struct {
        struct SUM(point) at;
        KOSHU_REAL mass;
    } j[TILE_VECTORS];
    size_t first, n; /* j-particles first ... first + n - 1 of the set */
    size_t vectors;  /* the last is filled up with massless particles */
};

struct SUM(constants) {
    SCALAR eps2;
    SCALAR mr_coincident; /* mr / m of a pair at zero distance */
};

/* ---- conversion --------------------------------------------------------- */

static inline void
SUM(load_tile)(struct SUM(tile) * t, const struct koshu_j_particles *j,
               size_t first, size_t n)
{
    t->first = first;
    t->n = n;
    t->vectors = (n + LANES - 1) / LANES;
    for (size_t k = 0; k < t->vectors; k++)
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t wanted = k * LANES + lane;
            size_t from = first + (wanted < n ? wanted : n - 1);
            t->j[k].at.x[lane] = (SCALAR)j->x[from];
            t->j[k].at.y[lane] = (SCALAR)j->y[from];
            t->j[k].at.z[lane] = (SCALAR)j->z[from];
#if MIXED
            t->j[k].at.x_low[lane] = (SCALAR)(j->x[from] - t->j[k].at.x[lane]);
            t->j[k].at.y_low[lane] = (SCALAR)(j->y[from] - t->j[k].at.y[lane]);
            t->j[k].at.z_low[lane] = (SCALAR)(j->z[from] - t->j[k].at.z[lane]);
#endif
            t->j[k].mass[lane] = wanted < n ? (SCALAR)j->mass[from] : 0;
        }
}

/* An i-particle in every lane. */
VECTOR_FN struct SUM(point)
        SUM(load_point)(const struct koshu_i_particles *i, size_t k)
{
    const KOSHU_REAL zero = {0};
    SCALAR x = (SCALAR)i->x[k], y = (SCALAR)i->y[k], z = (SCALAR)i->z[k];
    return (struct SUM(point))
    {
        x - zero, y - zero, z - zero,
#if MIXED
                (SCALAR)(i->x[k] - x) - zero, (SCALAR)(i->y[k] - y) - zero,
                (SCALAR)(i->z[k] - z) - zero,
#endif
    };
}

/* ---- pairs -------------------------------------------------------------- */

/* One vector of j-particles on one i-particle. */
VECTOR_FN void
SUM(pair)(struct KOSHU_TYPED(gravity_sum) * s, const struct SUM(point) * j,
          KOSHU_REAL mass, const struct SUM(point) * i,
          const struct SUM(constants) * c, const struct variant v)
{
#if MIXED
    KOSHU_REAL dx =
            KOSHU_TYPED(gravity_difference)(j->x, j->x_low, i->x, i->x_low);
    KOSHU_REAL dy =
            KOSHU_TYPED(gravity_difference)(j->y, j->y_low, i->y, i->y_low);
    KOSHU_REAL dz =
            KOSHU_TYPED(gravity_difference)(j->z, j->z_low, i->z, i->z_low);
#else
    KOSHU_REAL dx = j->x - i->x, dy = j->y - i->y, dz = j->z - i->z;
#endif
    KOSHU_REAL eps2 = c->eps2 - (KOSHU_REAL){0};
    KOSHU_REAL r2 = KOSHU_TYPED(gravity_r2)(dx, dy, dz, eps2);
    KOSHU_REAL y = KOSHU_TYPED(rsqrt_estimate)(r2);
    if (v.guarded) {
        MASK apart = (dx != 0) | (dy != 0) | (dz != 0);
        y = KOSHU_TYPED(keep)(y, apart);
        if (v.potential)
            s->mr += c->mr_coincident * KOSHU_TYPED(keep)(mass, ~apart);
    }
    if (v.root == ROOT_CUBED) {
        KOSHU_TYPED(gravity_add_estimate)(s, dx, dy, dz, r2, mass, y);
    } else {
        KOSHU_REAL rinv = KOSHU_TYPED(root)(r2, y, v.root);
        KOSHU_TYPED(gravity_add)(s, dx, dy, dz, mass, rinv);
    }
}

/* The tile's vectors first ... last - 1 on `width` i-particles. self: where
 * in the tile each i-particle is itself; NULL: nowhere. */
VECTOR_FN void
SUM(span)(struct KOSHU_TYPED(gravity_sum) * s, const struct SUM(tile) * t,
          size_t first, size_t last, const struct SUM(point) * i,
          const size_t *self, const int width, const struct SUM(constants) * c,
          const struct variant v)
{
    for (size_t k = first; k < last; k++)
#pragma GCC unroll 4
        for (int w = 0; w < width; w++) {
            KOSHU_REAL mass = t->j[k].mass;
            if (self && self[w] / LANES == k) mass[self[w] % LANES] = 0;
            SUM(pair)(&s[w], &t->j[k].at, mass, &i[w], c, v);
        }
}

/* Adds the tile's forces on the i-particles k ... k + width - 1 to sum. */
VECTOR_FN void
SUM(add_tile)(double sum[][4], const struct SUM(tile) * t,
              const struct koshu_i_particles *i, size_t k, const int width,
              const struct SUM(constants) * c, const struct variant v)
{
    struct KOSHU_TYPED(gravity_sum) s[MAX_WIDTH] = {0};
    struct SUM(point) at[MAX_WIDTH];
    size_t self[MAX_WIDTH], first = t->vectors, last = 0;
    for (int w = 0; w < width; w++) {
        at[w] = SUM(load_point)(i, k + (size_t)w);
        self[w] =
                i->self ? (size_t)i->self[k + (size_t)w] - t->first : SIZE_MAX;
        if (self[w] >= t->n) continue;
        size_t at_vector = self[w] / LANES;
        if (at_vector < first) first = at_vector;
        if (at_vector >= last) last = at_vector + 1;
    }
    SUM(span)(s, t, 0, first, at, NULL, width, c, v);
    if (first < last) {
        SUM(span)(s, t, first, last, at, self, width, c, v);
        SUM(span)(s, t, last, t->vectors, at, NULL, width, c, v);
    }
    for (int w = 0; w < width; w++) {
        double *to = sum[k + (size_t)w];
        KOSHU_TYPED(add_lanes)(to, s[w].ax, s[w].ay, s[w].az, s[w].mr);
    }
}

/* ---- a job -------------------------------------------------------------- */

static inline struct SUM(constants) SUM(constants_of)(double eps, double scale)
{
    return (struct SUM(constants)){
            .eps2 = (SCALAR)(eps * eps),
            .mr_coincident = eps > 0 ? (SCALAR)(1 / (eps * scale)) : 0,
    };
}

VECTOR_FN void
SUM(do_job)(const struct simd_job *job, const struct variant v)
{
    struct SUM(tile) tile;
    double sum[SIMD_JOB_I][4];
    const struct scale scale = scale_of(v.root);
    const struct SUM(constants) c = SUM(constants_of)(job->eps, scale.mr);
    memset(sum, 0, job->i.n * sizeof sum[0]);
    for (size_t j = job->j_first; j < job->j_last; j += SUM(tile_size)) {
        size_t left = job->j_last - j;
        SUM(load_tile)
        (&tile, &job->j, j, left < SUM(tile_size) ? left : SUM(tile_size));
        size_t i = 0;
        for (; i + MAX_WIDTH <= job->i.n; i += MAX_WIDTH)
            SUM(add_tile)(sum, &tile, &job->i, i, MAX_WIDTH, &c, v);
        for (; i < job->i.n; i++)
            SUM(add_tile)(sum, &tile, &job->i, i, 1, &c, v);
    }
    store(job, sum, scale);
}
