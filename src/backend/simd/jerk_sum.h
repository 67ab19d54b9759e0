/* SPDX-License-Identifier: MIT */
/*
 * Sums with jerk; between real_*.h and real_end.h.
 *
 * The lanes of a vector are j-particles. A tile of vectors stays in the
 * first-level cache while all i-particles of the job are summed over it.
 */
/* ---- pairs --------------------------------------------------------------- */

/* Sums over one tile. */
struct OF(tile_sums) {
    struct OF(jerk_sum) of;
    KOSHU_REAL nearest; /* smallest r^2 in each lane */
};

/* Coincident pairs with a softening so small that their jerk overflows a
 * float. */
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

/* Adds one vector of j-particles, of which only the lanes `kept` count (NULL:
 * all), to the sums of one i-particle. */
VECTOR_FN void
OF(pair)(struct OF(tile_sums) * s, struct jerk_lanes *to,
         const struct OF(j_vector) * j, const MASK *kept,
         const struct OF(i_particle) * i, double eps, const struct variant v)
{
    const SCALAR eps2 = (SCALAR)(eps * eps);
    const double factor = root_factor(v.root);
    KOSHU_REAL dx = j->x[0] - i->x[0], dy = j->x[1] - i->x[1],
               dz = j->x[2] - i->x[2];
    KOSHU_REAL wx = j->v[0] - i->v[0], wy = j->v[1] - i->v[1],
               wz = j->v[2] - i->v[2];
    KOSHU_REAL mass = j->mass, r2;
    MASK apart = {0};
    if (kept) { /* clears the other lanes, even NaN */
        dx = OF(keep)(dx, *kept);
        dy = OF(keep)(dy, *kept);
        dz = OF(keep)(dz, *kept);
        wx = OF(keep)(wx, *kept);
        wy = OF(keep)(wy, *kept);
        wz = OF(keep)(wz, *kept);
        mass = OF(keep)(mass, *kept);
    }
    if (v.nearest || v.guard != SIMD_UNGUARDED) {
        KOSHU_REAL bare = OF(gravity_distance2)(dx, dy, dz);
        apart = bare != 0;
        r2 = v.guard == SIMD_GUARD_ZERO ? bare : bare + eps2;
        if (kept) bare = bare + OF(keep)(OF(every)(INFINITY), ~*kept);
        if (v.nearest) s->nearest = OF(smaller)(bare, s->nearest);
    } else {
        r2 = OF(gravity_r2)(dx, dy, dz, OF(every)(eps2));
    }
    KOSHU_REAL y = OF(root_begin)(r2, v.root);
    if (v.guard != SIMD_UNGUARDED) y = OF(keep)(y, apart);
    if (v.guard == SIMD_GUARD_TINY) {
        unsigned coincident = OF(bits)(~apart & (mass != 0));
        if (coincident) OF(add_coincident)(to, j, i, coincident, eps, factor);
    }
    KOSHU_REAL rinv = OF(root_refine)(r2, y, v.root);
    OF(jerk_add_scaled)
    (&s->of, dx, dy, dz, wx, wy, wz, mass, rinv,
     (float)(3 / (factor * factor)));
}

/* ---- tiles --------------------------------------------------------------- */

/* The state of an i-particle between tiles. */
struct OF(walker) {
    struct jerk_lanes sum;
    const size_t *excluded; /* the next excluded index */
    SCALAR nearest;         /* smallest r^2 so far */
    size_t nearest_tile; /* the first vector of the tile that has it; SIZE_MAX:
                          * none */
};

/* Adds the vectors first ... last - 1 to the sums of the job's i-particle k. */
VECTOR_FN void
OF(add_tile)(struct OF(walker) * w, const struct simd_jerk_job *job, size_t k,
             size_t first, size_t last, const struct variant v)
{
    const struct OF(j_vector) *j = job->predicted;
    const struct OF(i_particle) i = OF(load_i)(&job->i[k]);
    const size_t *e_last = job->excluded + job->excluded_first[k + 1];
    struct OF(tile_sums) s = {.nearest = OF(every)(INFINITY)};
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

/* ---- a job --------------------------------------------------------------- */

VECTOR_FN void
OF(do_job)(const struct simd_jerk_job *job, const struct variant v)
{
    const struct variant alone = {v.root, false, v.guard};
    struct OF(walker) w[SIMD_JERK_I];
    const size_t last = (job->j_last + LANES - 1) / LANES;
    for (size_t k = 0; k < job->n; k++) {
        const size_t *e = job->excluded + job->excluded_first[k];
        const size_t *e_last = job->excluded + job->excluded_first[k + 1];
        while (e < e_last && *e < job->j_first) e++;
        w[k] = (struct OF(walker)){
                .excluded = e, .nearest = INFINITY, .nearest_tile = SIZE_MAX};
    }
    for (size_t at = job->j_first / LANES; at < last; at += TILE_VECTORS) {
        size_t stop = last - at < TILE_VECTORS ? last : at + TILE_VECTORS;
        for (size_t k = 0; k < job->n; k++)
            if (v.nearest && !job->i[k].knows_nearest)
                OF(add_tile)(&w[k], job, k, at, stop, v);
            else
                OF(add_tile)(&w[k], job, k, at, stop, alone);
    }
    for (size_t k = 0; k < job->n; k++) {
        store(&job->result[k], &w[k].sum, root_factor(v.root));
        if (v.nearest) OF(store_nearest)(job, k, w[k].nearest_tile);
    }
}
