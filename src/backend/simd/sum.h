/* SPDX-License-Identifier: MIT */
/*
 * Direct sums in one number type; kernels.h includes this file between real_*.h
 * and real_end.h, after gravity_pair.h.
 *
 * The lanes of a vector are j-particles, so that any number of i-particles runs
 * at full speed: `width` of them at a time share each load of a j-vector. The
 * j-particles are converted tile by tile into an array on the stack, which
 * stays in the first-level cache while all i-particles of the job are summed
 * over it.
 */
enum { OF(tile_size) = TILE_VECTORS * LANES };

/* LANES j-particles. */
struct OF(j_vector) {
    struct OF(point) at;
    KOSHU_REAL mass;
};

struct OF(tile) {
    struct OF(j_vector) j[TILE_VECTORS];
    size_t first, n; /* j-particles first ... first + n - 1 of the set */
    size_t vectors;  /* the last is padded with massless particles */
};

struct OF(constants) {
    SCALAR eps2;
    SCALAR mr_coincident; /* mr / m of a pair at zero distance */
};

/* ---- conversion ---------------------------------------------------------- */

VECTOR_FN void
OF(load_vector)(struct OF(j_vector) * v, const double *x, const double *y,
                const double *z, const double *mass)
{
    v->at.x = OF(round)(x);
    v->at.y = OF(round)(y);
    v->at.z = OF(round)(z);
    v->mass = OF(round)(mass);
}

/* A position for massless padding particles: that of the last of the
 * j-particles first ... first + n - 1 whose squares are finite; the others may
 * have to be left out. */
static inline void
OF(find_place)(double place[3], const struct koshu_force_sources *j,
               size_t first, size_t n)
{
    for (size_t at = first + n; at > first; at--) {
        double x = j->x[at - 1], y = j->y[at - 1], z = j->z[at - 1];
        if (!isfinite((SCALAR)(x * x + (y * y + z * z)))) continue;
        place[0] = x;
        place[1] = y;
        place[2] = z;
        return;
    }
}

/* Fills n lanes: lane k is j-particle first + k * stride. If n < LANES, stride
 * must be 1, and the other lanes are massless. */
static inline void
OF(gather_vector)(struct OF(j_vector) * v, const struct koshu_force_sources *j,
                  size_t first, size_t stride, size_t n)
{
    double x[LANES], y[LANES], z[LANES], mass[LANES] = {0};
    double place[3] = {0};
    if (n < LANES) OF(find_place)(place, j, first, n);
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t from = first + stride * lane;
        x[lane] = lane < n ? j->x[from] : place[0];
        y[lane] = lane < n ? j->y[from] : place[1];
        z[lane] = lane < n ? j->z[from] : place[2];
        if (lane < n) mass[lane] = j->mass[from];
    }
    OF(load_vector)(v, x, y, z, mass);
}

static inline void
OF(load_tile)(struct OF(tile) * t, const struct koshu_force_sources *j,
              size_t first, size_t n)
{
    const size_t whole = n / LANES, rest = n % LANES;
    for (size_t k = 0; k < whole; k++) {
        size_t from = first + k * LANES;
        struct OF(j_vector) *to = &t->j[k];
        OF(load_vector)
        (to, j->x + from, j->y + from, j->z + from, j->mass + from);
    }
    if (rest) OF(gather_vector)(&t->j[whole], j, first + n - rest, 1, rest);
    t->first = first;
    t->n = n;
    t->vectors = whole + (rest > 0);
}

/* An i-particle, in every lane. */
VECTOR_FN struct OF(point)
        OF(load_point)(const struct koshu_force_targets *i, size_t k)
{
    return (struct OF(point)){OF(every)((SCALAR)i->x[k]),
                              OF(every)((SCALAR)i->y[k]),
                              OF(every)((SCALAR)i->z[k])};
}

/* ---- pairs --------------------------------------------------------------- */

/* Adds one vector of j-particles, of which only the lanes `kept` count (NULL:
 * all), to the sums of one i-particle. */
VECTOR_FN void
OF(pair)(struct OF(gravity_sum) * s, const struct OF(j_vector) * j,
         const MASK *kept, const struct OF(point) * i,
         const struct OF(constants) * c, const struct variant v)
{
    const struct OF(point) d = {j->at.x - i->x, j->at.y - i->y, j->at.z - i->z};
    OF(gravity_pair)
    (s, d, j->mass, kept, OF(every)(c->eps2), OF(every)(c->mr_coincident), v);
}

/* Adds the tile's vectors first ... last - 1 to the sums of `width`
 * i-particles. self: each i-particle's own index in the tile; NULL: not in the
 * tile. */
VECTOR_FN void
OF(span)(struct OF(gravity_sum) * s, const struct OF(tile) * t, size_t first,
         size_t last, const struct OF(point) * i, const size_t *self,
         const int width, const struct OF(constants) * c,
         const struct variant v)
{
    for (size_t k = first; k < last; k++)
#pragma GCC unroll 4
        for (int w = 0; w < width; w++) {
            MASK kept = (MASK){0} - 1;
            if (self && self[w] / LANES == k) kept[self[w] % LANES] = 0;
            OF(pair)(&s[w], &t->j[k], self ? &kept : NULL, &i[w], c, v);
        }
}

/* Adds the tile's forces on the i-particles k ... k + width - 1 to sum. */
VECTOR_FN void
OF(add_tile)(struct lane_sums *sum, const struct OF(tile) * t,
             const struct koshu_force_targets *i, size_t k, const int width,
             const struct OF(constants) * c, const struct variant v)
{
    struct OF(gravity_sum) s[MAX_WIDTH] = {0};
    struct OF(point) at[MAX_WIDTH];
    size_t self[MAX_WIDTH], first = t->vectors, last = 0;
    for (int w = 0; w < width; w++) {
        at[w] = OF(load_point)(i, k + (size_t)w);
        self[w] =
                i->self ? (size_t)i->self[k + (size_t)w] - t->first : SIZE_MAX;
        if (self[w] >= t->n) continue;
        size_t at_vector = self[w] / LANES;
        if (at_vector < first) first = at_vector;
        if (at_vector >= last) last = at_vector + 1;
    }
    OF(span)(s, t, 0, first, at, NULL, width, c, v);
    if (first < last) {
        OF(span)(s, t, first, last, at, self, width, c, v);
        OF(span)(s, t, last, t->vectors, at, NULL, width, c, v);
    }
    for (int w = 0; w < width; w++) OF(add_sums)(&sum[k + (size_t)w], &s[w], v);
}

/* ---- a job --------------------------------------------------------------- */

static inline struct OF(constants) OF(constants_of)(double eps, double scale)
{
    return (struct OF(constants)){
            .eps2 = (SCALAR)(eps * eps),
            .mr_coincident = eps > 0 ? (SCALAR)(1 / (eps * scale)) : 0,
    };
}

/* SAMPLE j-particles, one per lane. */
enum { OF(samples) = 1 + (SAMPLE - 1) / LANES };

/* The sum of |m d / r^3|_1 over the sample, on i-particle k, separately for
 * each lane. */
VECTOR_FN KOSHU_REAL
OF(absolute_terms)(const struct OF(j_vector) * j,
                   const struct koshu_force_targets *i, size_t k,
                   const struct OF(constants) * c, const struct variant v)
{
    KOSHU_REAL sum = {0};
    struct OF(point) at = OF(load_point)(i, k);
    for (int m = 0; m < OF(samples); m++) {
        struct OF(gravity_sum) s = {0}; /* one pair per lane */
        OF(pair)(&s, &j[m], NULL, &at, c, v);
        sum += OF(absolute)(s.ax) + OF(absolute)(s.ay) + OF(absolute)(s.az);
    }
    return sum;
}

/*
 * Finds the i-particles whose forces nearly cancel; see CANCELLATION. The sum
 * over the pairs is estimated from a sample of j-particles.
 */
static inline size_t
OF(find_cancellations)(const struct simd_job *job, size_t which[SIMD_JOB_I],
                       const struct variant v)
{
    const struct koshu_force_sums *r = &job->result;
    const size_t last = job->i.n - 1;
    const size_t stride = (job->j_last - job->j_first) / (OF(samples) * LANES);
    const struct scale scale = scale_of(v.root);
    const struct OF(constants) c = OF(constants_of)(job->eps, scale.mr);
    const double part = CANCELLATION * scale.a * (double)stride;
    struct OF(j_vector) sample[OF(samples)];
    for (size_t m = 0; m < OF(samples); m++) {
        /* not the very first: it may be the one heavy particle */
        size_t first = job->j_first + m * LANES * stride + stride / 2;
        OF(gather_vector)(&sample[m], &job->j, first, stride, LANES);
    }
    size_t n = 0;
    for (size_t i = 0; i <= last; i += 4) {
        KOSHU_REAL of_pairs[4]; /* of i ... i + 3 */
        struct lane_sums sum = {0};
        for (size_t w = 0; w < 4; w++) {
            size_t k = i + w < last ? i + w : last;
            of_pairs[w] = OF(absolute_terms)(sample, &job->i, k, &c, v);
        }
        OF(add_lanes)(&sum, of_pairs[0], of_pairs[1], of_pairs[2], of_pairs[3]);
        for (size_t k = i; k < i + 4 && k <= last; k++)
            if (!(fabs(r->ax[k]) + fabs(r->ay[k]) + fabs(r->az[k]) >=
                  part * total(sum.of[k - i]))) /* or a NaN in the sample */
                which[n++] = k;
    }
    return n;
}

static void
OF(store)(const struct simd_job *job, const struct lane_sums *sum,
          struct scale scale)
{
    const struct koshu_force_sums *r = &job->result;
    for (size_t i = 0; i < job->i.n; i++) {
        r->ax[i] = total(sum[i].of[0]) * scale.a;
        r->ay[i] = total(sum[i].of[1]) * scale.a;
        r->az[i] = total(sum[i].of[2]) * scale.a;
        if (r->potential) r->potential[i] = -total(sum[i].of[3]) * scale.mr;
    }
}

VECTOR_FN void
OF(do_job)(const struct simd_job *job, const struct variant v)
{
    struct OF(tile) tile;
    struct lane_sums sum[SIMD_JOB_I];
    const struct scale scale = scale_of(v.root);
    const struct OF(constants) c = OF(constants_of)(job->eps, scale.mr);
    memset(sum, 0, job->i.n * sizeof sum[0]);
    for (size_t j = job->j_first; j < job->j_last; j += OF(tile_size)) {
        size_t left = job->j_last - j, i = 0;
        OF(load_tile)
        (&tile, &job->j, j, left < OF(tile_size) ? left : OF(tile_size));
        for (; i + MAX_WIDTH <= job->i.n; i += MAX_WIDTH)
            OF(add_tile)(sum, &tile, &job->i, i, MAX_WIDTH, &c, v);
        for (; i < job->i.n; i++)
            OF(add_tile)(sum, &tile, &job->i, i, 1, &c, v);
    }
    OF(store)(job, sum, scale);
}
