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

/* What fills up the last vector is `far` away on each axis. */
VECTOR_FN void
OF(predict)(void *predicted, const struct host_block *blocks, size_t first,
            size_t last, double time, SCALAR far)
{
    struct OF(j_vector) *to = predicted;
    for (size_t slot = first; slot < last; slot += LANES_F64)
        OF(predict_run)(to, blocks, slot, time);
    for (size_t slot = last; slot % LANES; slot++) {
        struct OF(j_vector) *rest = &to[slot / LANES];
        for (int c = 0; c < 3; c++) {
            rest->x[c][slot % LANES] = far;
            rest->v[c][slot % LANES] = 0;
        }
        rest->mass[slot % LANES] = 0;
    }
}
