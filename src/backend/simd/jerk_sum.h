/* SPDX-License-Identifier: MIT */
/*
 * Sums with jerk in one number type; jerk_kernels.h includes this file after
 *
 *     KOSHU_REAL, KOSHU_TYPED   as for the formulas in kernels/
 *     SCALAR, MASK, LANES       of KOSHU_REAL
 *
 * The lanes of a vector are j-particles. A tile of vectors stays in the
 * first-level cache while all i-particles of the job pass over it.
 */
/* A name with the type's suffix. */
#define OF(name) KOSHU_TYPED(name)

struct OF(j_vector) {
    KOSHU_REAL x[3], v[3], mass;
};

struct OF(i_particle) {
    SCALAR x[3], v[3];
};

VECTOR_FN struct OF(i_particle) OF(load_i)(const struct koshu_i_particle *i)
{
    struct OF(i_particle) to;
    for (int c = 0; c < 3; c++) {
        to.x[c] = (SCALAR)i->x[c];
        to.v[c] = (SCALAR)i->v[c];
    }
    return to;
}

VECTOR_FN KOSHU_REAL
OF(fill)(SCALAR x)
{
    return x - (KOSHU_REAL){0};
}

/* ---- prediction --------------------------------------------------------- */

/* The slots from `slot` on, as many as a vector has doubles. */
VECTOR_FN void
OF(predict_run)(struct OF(j_vector) * predicted,
                const struct host_block *blocks, size_t slot, double time)
{
    const struct host_block *b = &blocks[slot / HOST_LANES];
    struct OF(j_vector) *to = &predicted[slot / LANES];
    const size_t from = slot % HOST_LANES, lane = slot % LANES;
    const vector_f64 dt = time - round_f64(b->time + from);
    for (int c = 0; c < 3; c++) {
        vector_f64 x = round_f64(b->x[c] + from);
        vector_f64 v = round_f64(b->v[c] + from);
        vector_f64 a = round_f64(b->a[c] + from);
        vector_f64 j = round_f64(b->jerk[c] + from);
        vector_f64 s = round_f64(b->snap[c] + from);
        OF(put)
        ((SCALAR *)&to->x[c] + lane,
         hermite_predict_x_snap_f64(x, v, a, j, s, dt));
        OF(put)
        ((SCALAR *)&to->v[c] + lane,
         hermite_predict_v_snap_f64(v, a, j, s, dt));
    }
    OF(put)((SCALAR *)&to->mass + lane, round_f64(b->mass + from));
}

static void
OF(predict)(void *predicted, const struct host_block *blocks, size_t first,
            size_t last, double time)
{
    struct OF(j_vector) *to = predicted;
    for (size_t slot = first; slot < last; slot += LANES_F64)
        OF(predict_run)(to, blocks, slot, time);
    for (size_t slot = last; slot % LANES; slot++) {
        struct OF(j_vector) *rest = &to[slot / LANES];
        for (int c = 0; c < 3; c++) {
            rest->x[c][slot % LANES] = FAR_AWAY;
            rest->v[c][slot % LANES] = 0;
        }
        rest->mass[slot % LANES] = 0;
    }
}

/* ---- pairs -------------------------------------------------------------- */

/* What is summed up over a tile. */
struct OF(tile_sums) {
    struct OF(jerk_sum) of;
    KOSHU_REAL nearest; /* smallest r^2 in each lane */
};

VECTOR_FN KOSHU_REAL
OF(bare_r2)(const struct OF(j_vector) * j, const struct OF(i_particle) * i)
{
    return OF(gravity_r2)(j->x[0] - i->x[0], j->x[1] - i->x[1],
                          j->x[2] - i->x[2], (KOSHU_REAL){0});
}

/* Coincident pairs of a softening so small that their jerk is no float. */
static __attribute__((noinline)) void
OF(add_coincident)(struct jerk_lanes *to, const struct OF(j_vector) * j,
                   const struct OF(i_particle) * i, unsigned lanes, double eps,
                   double factor)
{
    for (unsigned k = 0; k < LANES; k++) {
        if (!(lanes >> k & 1)) continue;
        double mr = (double)j->mass[k] / eps, f3 = factor * factor * factor;
        for (int c = 0; c < 3; c++)
            to->jerk.of[c][0] += ((double)j->v[c][k] - (double)i->v[c]) * mr /
                                 eps / eps * f3;
        to->a_mr.of[3][0] += mr * factor;
    }
}

/* One vector of j-particles, of which the lanes `kept` count, on one
 * i-particle. */
VECTOR_FN void
OF(pair)(struct OF(tile_sums) * s, struct jerk_lanes *to,
         const struct OF(j_vector) * j, const MASK *kept,
         const struct OF(i_particle) * i, double eps, const struct variant v)
{
    const SCALAR eps2 = (SCALAR)(eps * eps);
    const double factor = root_factor(v.root);
    KOSHU_REAL dx = j->x[0] - i->x[0], dy = j->x[1] - i->x[1],
               dz = j->x[2] - i->x[2];
    KOSHU_REAL mass = kept ? OF(keep)(j->mass, *kept) : j->mass, r2;
    MASK apart = {0};
    if (v.nearest || v.guarded) {
        KOSHU_REAL bare = OF(gravity_r2)(dx, dy, dz, (KOSHU_REAL){0});
        r2 = bare + eps2;
        apart = bare != 0;
        if (kept) bare = bare + OF(keep)(OF(fill)(INFINITY), ~*kept);
        if (v.nearest) s->nearest = OF(smaller)(s->nearest, bare);
    } else {
        r2 = OF(gravity_r2)(dx, dy, dz, OF(fill)(eps2));
    }
    KOSHU_REAL y = OF(root_begin)(r2, v.root);
    if (v.guarded) {
        y = OF(keep)(y, apart);
        unsigned together = eps > 0 ? OF(bits)(~apart & (mass != 0)) : 0;
        if (together) OF(add_coincident)(to, j, i, together, eps, factor);
    }
    KOSHU_REAL rinv = OF(root_refine)(r2, y, v.root);
    OF(jerk_add_scaled)
    (&s->of, dx, dy, dz, j->v[0] - i->v[0], j->v[1] - i->v[1],
     j->v[2] - i->v[2], mass, rinv, (float)(3 / (factor * factor)));
}

/* The lanes of a vector whose slots are not among those excluded from *e on;
 * *e is moved beyond them. */
VECTOR_FN MASK
OF(lanes_kept)(const size_t **e, const size_t *e_last, size_t vector)
{
    SCALAR kept[LANES] = {0};
    KOSHU_REAL x;
    for (; *e < e_last && **e / LANES == vector; ++*e) kept[**e % LANES] = 1;
    memcpy(&x, kept, sizeof x);
    return x == 0;
}

/* ---- tiles -------------------------------------------------------------- */

/* Where an i-particle has got to. */
struct OF(walker) {
    struct jerk_lanes sum;
    const size_t *excluded; /* the next one */
    SCALAR nearest;         /* smallest r^2 so far */
    size_t nearest_tile;    /* the first vector of the tile that has it */
};

VECTOR_FN SCALAR
OF(smallest)(KOSHU_REAL x)
{
    SCALAR lane[LANES];
    memcpy(lane, &x, sizeof x);
    for (int n = LANES / 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++)
            lane[k] = lane[k + n] < lane[k] ? lane[k + n] : lane[k];
    return lane[0];
}

/* The vectors first ... last - 1 on the i-particle k of the job. */
VECTOR_FN void
OF(add_tile)(struct OF(walker) * w, const struct simd_jerk_job *job, size_t k,
             size_t first, size_t last, const struct variant v)
{
    const struct OF(j_vector) *j = job->predicted;
    const struct OF(i_particle) i = OF(load_i)(&job->i[k]);
    const size_t *e_last = job->excluded + job->excluded_first[k + 1];
    struct OF(tile_sums) s = {.nearest = OF(fill)(INFINITY)};
    for (size_t at = first; at < last; at++) {
        size_t stop = last;
        if (w->excluded < e_last && *w->excluded / LANES < last)
            stop = *w->excluded / LANES;
        for (; at < stop; at++)
            OF(pair)(&s, &w->sum, &j[at], NULL, &i, job->eps, v);
        if (at == last) break;
        MASK kept = OF(lanes_kept)(&w->excluded, e_last, at);
        OF(pair)(&s, &w->sum, &j[at], &kept, &i, job->eps, v);
    }
    const KOSHU_REAL zero = {0};
    OF(add_lanes)(&w->sum.a_mr, s.of.ax, s.of.ay, s.of.az, s.of.mr);
    OF(add_lanes)(&w->sum.jerk, s.of.jx, s.of.jy, s.of.jz, zero);
    if (!v.nearest) return;
    SCALAR nearest = OF(smallest)(s.nearest);
    if (nearest < w->nearest) {
        w->nearest = nearest;
        w->nearest_tile = first;
    }
}

/* ---- nearest neighbours -------------------------------------------------- */

static double
OF(r2)(const struct simd_jerk_job *job, size_t k, size_t slot)
{
    const struct OF(j_vector) *j = job->predicted;
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const SCALAR *x = (const SCALAR *)&j[slot / LANES].x[c];
        double d = (double)x[slot % LANES] - (double)(SCALAR)job->i[k].x[c];
        sum += d * d;
    }
    return sum;
}

/* Of lanes whose smallest r^2 was met in these vectors, the slot of the
 * smallest; of several the lowest. */
VECTOR_FN size_t
OF(slot_of)(KOSHU_REAL r2, MASK vector)
{
    SCALAR smallest = OF(smallest)(r2);
    size_t slot = SIZE_MAX;
    for (size_t k = 0; k < LANES; k++) {
        size_t of_lane = (size_t)vector[k] * LANES + k;
        if (r2[k] == smallest && of_lane < slot) slot = of_lane;
    }
    return slot;
}

/* The slot whose r^2 is the smallest in the tile that begins with a vector. */
static size_t
OF(find_nearest)(const struct simd_jerk_job *job, size_t k, size_t first)
{
    const struct OF(j_vector) *j = job->predicted;
    const struct OF(i_particle) i = OF(load_i)(&job->i[k]);
    const size_t *e = job->excluded + job->excluded_first[k];
    const size_t *e_last = job->excluded + job->excluded_first[k + 1];
    const size_t end = (job->j_last + LANES - 1) / LANES;
    const size_t last = end - first < TILE_VECTORS ? end : first + TILE_VECTORS;
    KOSHU_REAL smallest = OF(fill)(INFINITY);
    MASK vector = {0};
    while (e < e_last && *e / LANES < first) e++;
    for (size_t at = first; at < last; at++) {
        KOSHU_REAL r2 = OF(bare_r2)(&j[at], &i);
        if (e < e_last && *e / LANES == at)
            r2 += OF(keep)(OF(fill)(INFINITY), ~OF(lanes_kept)(&e, e_last, at));
        MASK nearer = r2 < smallest, here = (MASK){0} + (int)(at - first);
        smallest = OF(smaller)(r2, smallest);
        vector = (here & nearer) | (vector & ~nearer);
    }
    return first * LANES + OF(slot_of)(smallest, vector);
}

static void
OF(store_nearest)(const struct simd_jerk_job *job, size_t k,
                  const struct OF(walker) * w)
{
    struct koshu_jerk_result *to = &job->result[k];
    size_t slot = SIZE_MAX;
    if (w->nearest < INFINITY) slot = OF(find_nearest)(job, k, w->nearest_tile);
    bool found = slot < job->j_last; /* not the far away of the last vector */
    to->nearest = found ? slot : KOSHU_NO_ADDRESS;
    to->nearest_r2 = found ? OF(r2)(job, k, slot) : INFINITY;
}

/* ---- neighbour lists ----------------------------------------------------- */

static uint64_t
OF(neighbours)(const struct simd_jerk_job *job, size_t most, uint64_t *address)
{
    const struct OF(j_vector) *j = job->predicted;
    const struct OF(i_particle) i = OF(load_i)(&job->i[0]);
    const SCALAR h2 = (SCALAR)job->i[0].h2;
    const size_t *e = job->excluded + job->excluded_first[0];
    const size_t *e_last = job->excluded + job->excluded_first[1];
    const size_t last = (job->j_last + LANES - 1) / LANES;
    uint64_t count = 0;
    for (size_t at = job->j_first / LANES; at < last; at++) {
        MASK near = OF(bare_r2)(&j[at], &i) <= h2;
        if (e < e_last && *e / LANES == at)
            near &= OF(lanes_kept)(&e, e_last, at);
        for (unsigned lanes = OF(bits)(near); lanes; lanes &= lanes - 1) {
            size_t slot = at * LANES + (size_t)__builtin_ctz(lanes);
            if (slot >= job->j_last) break; /* what fills up the last vector */
            if (count < most) address[count] = slot;
            count++;
        }
    }
    return count;
}

/* ---- a job -------------------------------------------------------------- */

VECTOR_FN void
OF(do_job)(const struct simd_jerk_job *job, const struct variant v)
{
    struct OF(walker) w[SIMD_JERK_I];
    const size_t last = (job->j_last + LANES - 1) / LANES;
    for (size_t k = 0; k < job->n; k++) {
        const size_t *e = job->excluded + job->excluded_first[k];
        const size_t *e_last = job->excluded + job->excluded_first[k + 1];
        while (e < e_last && *e < job->j_first) e++;
        w[k] = (struct OF(walker)){.excluded = e, .nearest = INFINITY};
    }
    for (size_t at = job->j_first / LANES; at < last; at += TILE_VECTORS) {
        size_t stop = last - at < TILE_VECTORS ? last : at + TILE_VECTORS;
        for (size_t k = 0; k < job->n; k++)
            OF(add_tile)(&w[k], job, k, at, stop, v);
    }
    for (size_t k = 0; k < job->n; k++) {
        store(&job->result[k], &w[k].sum, root_factor(v.root));
        if (v.nearest) OF(store_nearest)(job, k, &w[k]);
    }
}

#undef OF
