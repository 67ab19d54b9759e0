/* SPDX-License-Identifier: MIT */
/*
 * Predicted j-particles as a kernel wants them, and their prediction; see
 * jerk_kernels.h for how this file is included.
 */
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

/* The square of a distance must be a number: -most ... most, or NaN. */
VECTOR_FN vector_f64
OF(within)(vector_f64 x, const double most)
{
    const vector_f64 zero = {0};
    if (isinf(most)) return x;
    return -smaller_f64(zero + most, -smaller_f64(zero + most, x));
}

/* The slots from `slot` on, as many as a vector has doubles. */
VECTOR_FN void
OF(predict_run)(struct OF(j_vector) * predicted,
                const struct simd_prediction *p, size_t slot,
                const struct simd_units *per, const double most)
{
    const struct host_block *b = &p->from->blocks[slot / HOST_LANES];
    struct OF(j_vector) *to = &predicted[slot / LANES];
    const size_t from = slot % HOST_LANES, lane = slot % LANES;
    const vector_f64 dt = p->time - round_f64(b->time + from);
    for (int c = 0; c < 3; c++) {
        vector_f64 x = round_f64(b->x[c] + from);
        vector_f64 v = round_f64(b->v[c] + from);
        vector_f64 a = round_f64(b->a[c] + from);
        vector_f64 j = round_f64(b->jerk[c] + from);
        vector_f64 s = round_f64(b->snap[c] + from);
        vector_f64 at = hermite_predict_x_snap_f64(x, v, a, j, s, dt);
        OF(put)
        ((SCALAR *)&to->x[c] + lane, OF(within)(at * per->length, most));
        OF(put)
        ((SCALAR *)&to->v[c] + lane,
         hermite_predict_v_snap_f64(v, a, j, s, dt) * per->speed);
    }
    OF(put)
    ((SCALAR *)&to->mass + lane, round_f64(b->mass + from) * per->mass);
}

/* No particle, `far` away on each axis. */
static inline void
OF(put_nothing)(struct OF(j_vector) * predicted, size_t slot, SCALAR far)
{
    struct OF(j_vector) *to = &predicted[slot / LANES];
    for (int c = 0; c < 3; c++) {
        to->x[c][slot % LANES] = far;
        to->v[c][slot % LANES] = 0;
    }
    to->mass[slot % LANES] = 0;
}

VECTOR_FN void
OF(predict)(const struct simd_prediction *p, SCALAR far, const double most)
{
    struct OF(j_vector) *to = p->predicted;
    const struct simd_units per = {1 / p->units.length, 1 / p->units.speed,
                                   1 / p->units.mass};
    size_t empty = p->from->all_set_to; /* from here on there may be some */
    for (size_t slot = p->first; slot < p->last; slot += LANES_F64)
        OF(predict_run)(to, p, slot, &per, most);
    for (size_t slot = empty > p->first ? empty : p->first; slot < p->last;
         slot++)
        if (!p->from->is_set[slot]) OF(put_nothing)(to, slot, far);
    for (size_t slot = p->last; slot % LANES; slot++)
        OF(put_nothing)(to, slot, far);
}
