/* SPDX-License-Identifier: MIT */
/*
 * Predicted j-particles in the layout of a kernel, and their prediction;
 * between real_*.h and real_end.h.
 */
#include "kernels/gravity.h"
#include "kernels/jerk.h"

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

/* ---- prediction ---------------------------------------------------------- */

/* x limited to -max ... max, so that the square of a distance is finite; NaN
 * stays. */
VECTOR_FN vector_f64
OF(within)(vector_f64 x, const double max)
{
    const vector_f64 zero = {0};
    if (isinf(max)) return x;
    return -smaller_f64(zero + max, -smaller_f64(zero + max, x));
}

/* Predicts the particles from `index` on, as many as a vector has doubles. */
VECTOR_FN void
OF(predict_run)(struct OF(j_vector) * predicted,
                const struct simd_prediction *p, size_t index,
                const struct simd_units *per, const double max)
{
    const struct host_block *b = &p->from->blocks[index / HOST_LANES];
    struct OF(j_vector) *to = &predicted[index / LANES];
    const size_t from = index % HOST_LANES, lane = index % LANES;
    const vector_f64 dt = p->time - round_f64(b->time + from);
    for (int c = 0; c < 3; c++) {
        vector_f64 x = round_f64(b->x[c] + from);
        vector_f64 v = round_f64(b->v[c] + from);
        vector_f64 a = round_f64(b->a[c] + from);
        vector_f64 j = round_f64(b->jerk[c] + from);
        vector_f64 s = round_f64(b->snap[c] + from);
        vector_f64 at = hermite_predict_x_snap_f64(x, v, a, j, s, dt);
        OF(put)
        ((SCALAR *)&to->x[c] + lane, OF(within)(at * per->length, max));
        OF(put)
        ((SCALAR *)&to->v[c] + lane,
         hermite_predict_v_snap_f64(v, a, j, s, dt) * per->speed);
    }
    OF(put)
    ((SCALAR *)&to->mass + lane, round_f64(b->mass + from) * per->mass);
}

/* A padding particle, at `far` on each axis. */
static inline void
OF(put_nothing)(struct OF(j_vector) * predicted, size_t index, SCALAR far)
{
    struct OF(j_vector) *to = &predicted[index / LANES];
    for (int c = 0; c < 3; c++) {
        to->x[c][index % LANES] = far;
        to->v[c][index % LANES] = 0;
    }
    to->mass[index % LANES] = 0;
}

VECTOR_FN void
OF(predict)(const struct simd_prediction *p, SCALAR far, const double max)
{
    struct OF(j_vector) *to = p->predicted;
    const struct simd_units per = {1 / p->units.length, 1 / p->units.speed,
                                   1 / p->units.mass};
    size_t empty = p->from->all_set_to; /* from here on indices may be unset */
    for (size_t index = p->first; index < p->last; index += LANES_F64)
        OF(predict_run)(to, p, index, &per, max);
    for (size_t index = empty > p->first ? empty : p->first; index < p->last;
         index++)
        if (!p->from->is_set[index]) OF(put_nothing)(to, index, far);
    for (size_t index = p->last; index % LANES; index++)
        OF(put_nothing)(to, index, far);
}
