/* SPDX-License-Identifier: MIT */
/*
 * The search for the nearest neighbour, and for all neighbours; between
 * real_*.h and real_end.h.
 */
VECTOR_FN KOSHU_REAL
OF(bare_r2)(const struct OF(j_vector) * j, const struct OF(i_particle) * i)
{
    return OF(gravity_distance2)(j->x[0] - i->x[0], j->x[1] - i->x[1],
                                 j->x[2] - i->x[2]);
}

/* The lanes of a vector whose indices are not excluded, where *e is the next
 * excluded index; advances *e past this vector. */
VECTOR_FN MASK
OF(lanes_kept)(const size_t **e, const size_t *e_last, size_t vector)
{
    SCALAR kept[LANES] = {0};
    KOSHU_REAL x;
    for (; *e < e_last && **e / LANES == vector; ++*e) kept[**e % LANES] = 1;
    memcpy(&x, kept, sizeof x);
    return x == 0;
}

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

/* ---- nearest neighbours -------------------------------------------------- */

static double
OF(r2)(const struct simd_jerk_job *job, size_t k, size_t index)
{
    const struct OF(j_vector) *j = job->predicted;
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const SCALAR *x = (const SCALAR *)&j[index / LANES].x[c];
        double d = (double)x[index % LANES] - (double)(SCALAR)job->i[k].x[c];
        sum += d * d;
    }
    return sum;
}

/* Among lanes whose smallest r^2 occurred in the given vectors, the index of
 * the smallest; of equals the lowest index. */
VECTOR_FN size_t
OF(index_of)(KOSHU_REAL r2, MASK vector)
{
    SCALAR smallest = OF(smallest)(r2);
    size_t index = SIZE_MAX;
    for (size_t k = 0; k < LANES; k++) {
        size_t of_lane = (size_t)vector[k] * LANES + k;
        if (r2[k] == smallest && of_lane < index) index = of_lane;
    }
    return index;
}

/* The index with the smallest r^2 in the tile that begins with vector
 * `first`. */
static size_t
OF(find_nearest)(const struct simd_jerk_job *job, size_t k, size_t first)
{
    const struct OF(j_vector) *j = job->predicted;
    const struct OF(i_particle) i = OF(load_i)(&job->i[k]);
    const size_t *e = job->excluded + job->excluded_first[k];
    const size_t *e_last = job->excluded + job->excluded_first[k + 1];
    const size_t end = (job->j_last + LANES - 1) / LANES;
    const size_t last = end - first < TILE_VECTORS ? end : first + TILE_VECTORS;
    KOSHU_REAL smallest = OF(every)(INFINITY);
    MASK vector = {0};
    while (e < e_last && *e / LANES < first) e++;
    for (size_t at = first; at < last; at++) {
        KOSHU_REAL r2 = OF(bare_r2)(&j[at], &i);
        if (e < e_last && *e / LANES == at)
            r2 += OF(keep)(OF(every)(INFINITY),
                           ~OF(lanes_kept)(&e, e_last, at));
        MASK nearer = r2 < smallest, here = (MASK){0} + (int)(at - first);
        smallest = OF(smaller)(r2, smallest);
        vector = (here & nearer) | (vector & ~nearer);
    }
    return first * LANES + OF(index_of)(smallest, vector);
}

/* tile: SIZE_MAX if there is none. */
static void
OF(store_nearest)(const struct simd_jerk_job *job, size_t k, size_t tile)
{
    struct koshu_jerk_result *to = &job->result[k];
    size_t index = tile == SIZE_MAX ? SIZE_MAX : OF(find_nearest)(job, k, tile);
    /* not a padding particle */
    bool found = index < job->j_last && job->is_set[index];
    to->nearest = found ? index : KOSHU_NO_INDEX;
    to->nearest_r2 = found ? OF(r2)(job, k, index) : INFINITY;
}

/* ---- neighbour lists ----------------------------------------------------- */

static uint64_t
OF(neighbours)(const struct simd_jerk_job *job, size_t max, uint64_t *to)
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
            size_t index = at * LANES + (size_t)__builtin_ctz(lanes);
            if (index >= job->j_last) break; /* padding of the last vector */
            if (!job->is_set[index]) continue;
            if (count < max) to[count] = index;
            count++;
        }
    }
    return count;
}
