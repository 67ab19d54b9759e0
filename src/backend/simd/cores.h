/* SPDX-License-Identifier: MIT */
/*
 * Corrections for vortex cores to the velocities of nearby vortices, in floats.
 * The lanes of a vector are vortices; all rows near a target are summed before
 * the lanes are. Formulas: kernels/vortex_core.h; a vortex without a core has
 * pi^(1/2) / 2 s^(-3/2) instead of 2 F_1, and 3/2 / s times that instead of 2
 * F_2. A part of fmm_kernels.h, between real_f32.h and real_end.h.
 */
#include "kernels/vortex_core.h"

/* exp(-c) for c from 0 to 80, with an error of 2e-7: 2^k times a polynomial. */
VECTOR_FN vector_f32
gaussian_f32(vector_f32 c)
{
    const float to_integer = 12582912; /* 1.5 2^23: adding it rounds to
                                        * integers */
    const vector_f32 x = c * -1.44269504f, k = x + to_integer,
                     f = x - (k - to_integer);
    vector_f32 p = 1.5403530e-4f * f + 1.3333558e-3f;
    p = p * f + 9.6181291e-3f;
    p = p * f + 5.5504109e-2f;
    p = p * f + 2.4022651e-1f;
    p = p * f + 6.9314718e-1f;
    p = p * f + 1;
    const mask_f32 exponent = (mask_f32)k - 0x4b400000 + 127;
    return p * (vector_f32)(exponent << 23);
}

/* Displacements from a target in units of 2^(1/2) sigma; strengths. */
struct core_sources {
    vector_f32 d[3], alpha[3];
};

/* Loads the vortices from j on; lanes beyond the end are far away. */
VECTOR_FN struct core_sources
load_sources(const struct koshu_fmm_rows *rows, const struct koshu_fmm_row *row,
             size_t j, double per_length)
{
    const double far_away = 1e6;
    struct core_sources s;
    for (int a = 0; a < 3; a++) {
        const double *x = rows->x[a] + j, *strength = rows->strength[a] + j;
        double d[LANES_F32], last_x[LANES_F32], last_strength[LANES_F32];
        if (row->end - j < LANES_F32) {
            for (size_t k = 0; k < LANES_F32; k++) {
                last_x[k] = row->x[a] - far_away / per_length;
                last_strength[k] = 0;
            }
            for (size_t k = 0; k < row->end - j; k++) {
                last_x[k] = x[k];
                last_strength[k] = strength[k];
            }
            x = last_x;
            strength = last_strength;
        }
        for (int k = 0; k < LANES_F32; k++)
            d[k] = (row->x[a] - x[k]) * per_length;
        s.d[a] = round_f32(d);
        s.alpha[a] = round_f32(strength);
    }
    return s;
}

/* Adds the difference between vortices with and without core; p: polynomial of
 * the core's order. */
VECTOR_FN void
add_sources_of_cores(const struct core_sources *v, vector_f32 s,
                     mask_f32 is_near, const vector_f32 p[VORTEX_CORE_TERMS],
                     vector_f32 *sum)
{
    const vector_f32 c = -smaller_f32(-s, every_f32(-VORTEX_CORE_LEAST)),
                     u = inverse_root_f32(c), without = inverse_root_f32(s),
                     without2 = without * without;
    vector_f32 f1, f2;
    vortex_core_functions_f32(s, c, u, gaussian_f32(c),
                              1 / (1 + VORTEX_CORE_P * c * u), p, &f1, &f2);
    const vector_f32 point = 0.88622693f * without * without2;
    f1 = keep_f32(f1 - point, is_near);
    f2 = keep_f32(f2 - 1.5f * point * without2, is_near);
    vortex_core_add_f32(sum, v->d[0], v->d[1], v->d[2], f1, f2, v->alpha[0],
                        v->alpha[1], v->alpha[2], VORTEX_CORE_SUMS);
}

static void
add_row_of_cores(const struct koshu_fmm_rows *rows,
                 const struct koshu_fmm_row *row, vector_f32 *sum)
{
    const struct koshu_fmm_core *core = rows->core;
    const double per_length = 0.70710678118654752440 / core->radius;
    const vector_f32 far = every_f32((float)(core->reach * core->reach / 2));
    vector_f32 p[VORTEX_CORE_TERMS];
    for (int k = 0; k < VORTEX_CORE_TERMS; k++)
        p[k] = every_f32((float)core->p[k]);
    for (size_t j = row->first; j < row->end; j += LANES_F32) {
        const struct core_sources v = load_sources(rows, row, j, per_length);
        const vector_f32 s =
                v.d[0] * v.d[0] + (v.d[1] * v.d[1] + v.d[2] * v.d[2]);
        const mask_f32 is_near = s < far;
        if (bits_f32(is_near))
            add_sources_of_cores(&v, smaller_f32(s, far), is_near, p, sum);
    }
}

static bool
cores_f32(const struct koshu_fmm_rows *rows, double *to)
{
    const double length = 1.41421356237309504880 * rows->core->radius,
                 unit = 1.12837916709551257390 / (length * length);
    vector_f32 of_lanes[VORTEX_CORE_SUMS] = {{0}};
    double sum[VORTEX_CORE_SUMS];
    for (size_t k = 0; k < rows->n; k++)
        add_row_of_cores(rows, &rows->row[k], of_lanes);
    for (int k = 0; k < VORTEX_CORE_SUMS; k++) {
        sum[k] = total_f32(of_lanes[k]);
        if (!isfinite(sum[k])) return false;
    }
    vortex_core_give(sum, unit, unit / length, to);
    return true;
}
