/* SPDX-License-Identifier: MIT */
/*
 * Sums over the vortices within reach of a target, in doubles: what cores
 * change of the velocity, by a table, and the Gaussians themselves. Less than
 * half of the vortices of a row are within reach. They are selected first, as
 * interpolations and exponentials cost more than a test of the distance.
 * fmm_kernels.h includes this file between real_f64.h and real_end.h.
 */
#include "kernels/core_table.h"
#include "kernels/vortex_core.h"

/* Vortices that are tested at a time: whole vectors. */
enum { CORE_CHUNK = 256 };

struct core_chunk {
    size_t row, tested; /* where the next begins */
    size_t n;           /* within reach */
    _Alignas(VECTOR_BYTES) double r2[CORE_CHUNK];
    _Alignas(VECTOR_BYTES) double d[3][CORE_CHUNK], alpha[3][CORE_CHUNK];
    _Alignas(VECTOR_BYTES) double factor[KOSHU_CORE_FUNCTIONS][CORE_CHUNK];
};

/* ---- selection ---------------------------------------------------------- */

/* The squared distances of n vortices from the first-th on. */
VECTOR_FN void
find_distances(const struct koshu_fmm_rows *rows,
               const struct koshu_fmm_row *row, size_t first, size_t n,
               double *r2)
{
    const double *const x = rows->x[0] + first, *const y = rows->x[1] + first,
                        *const z = rows->x[2] + first;
    size_t k = 0;
    for (; k + LANES_F64 <= n; k += LANES_F64) {
        const vector_f64 dx = row->x[0] - round_f64(x + k),
                         dy = row->x[1] - round_f64(y + k),
                         dz = row->x[2] - round_f64(z + k);
        put_f64(r2 + k, dx * dx + (dy * dy + dz * dz));
    }
    for (; k < n; k++) {
        const double dx = row->x[0] - x[k], dy = row->x[1] - y[k],
                     dz = row->x[2] - z[k];
        r2[k] = dx * dx + (dy * dy + dz * dz);
    }
}

/* Fills the last vector with vortices of no strength, so far away that their
 * Gaussian is 1e-260. */
static void
pad_chunk(const struct koshu_fmm_rows *rows, struct core_chunk *c)
{
    const double far_away = 1200 * rows->core->radius * rows->core->radius;
    for (size_t k = c->n; k % LANES_F64 != 0; k++) {
        c->r2[k] = far_away;
        for (int a = 0; a < 3; a++) c->d[a][k] = c->alpha[a][k] = 0;
        for (int f = 0; f < KOSHU_CORE_FUNCTIONS; f++) c->factor[f][k] = 0;
    }
}

/* Selects those of the vortices first ... end - 1, at most CORE_CHUNK, that are
 * within reach. */
static void
select_vortices(const struct koshu_fmm_rows *rows,
                const struct koshu_fmm_row *row, size_t first, size_t end,
                struct core_chunk *c)
{
    const double radius = rows->core->radius * rows->core->reach;
    _Alignas(VECTOR_BYTES) double r2[CORE_CHUNK];
    uint32_t index[CORE_CHUNK];
    size_t n = 0;
    find_distances(rows, row, first, end - first, r2);
    for (uint32_t k = 0; k < end - first; k++) {
        index[n] = k;
        n += r2[k] < radius * radius;
    }
    c->n = n;
    for (size_t k = 0; k < n; k++) {
        const size_t j = first + index[k];
        c->r2[k] = r2[index[k]];
        for (int a = 0; a < 3; a++) {
            c->d[a][k] = row->x[a] - rows->x[a][j];
            c->alpha[a][k] = rows->strength[a][j];
        }
    }
}

/* Selects the vortices of the next chunk that has some within reach. Returns
 * false when there is none. */
static bool
next_chunk(const struct koshu_fmm_rows *rows, struct core_chunk *c)
{
    while (c->row < rows->n) {
        const struct koshu_fmm_row *row = &rows->row[c->row];
        const size_t first = row->first + c->tested, left = row->end - first,
                     n = left < CORE_CHUNK ? left : CORE_CHUNK;
        c->tested += n;
        if (n == left) {
            c->row++;
            c->tested = 0;
        }
        select_vortices(rows, row, first, first + n, c);
        pad_chunk(rows, c);
        if (c->n > 0) return true;
    }
    return false;
}

/* ---- cores -------------------------------------------------------------- */

static void
interpolate_chunk(const struct koshu_fmm_rows *rows, struct core_chunk *c)
{
    const double p = 1 / rows->core->radius, p3 = p * p * p, per_s = p * p / 2;
    for (size_t k = 0; k < c->n; k++) {
        double of[KOSHU_CORE_FUNCTIONS];
        koshu_core_interpolate(rows->table, c->r2[k] * per_s, of);
        c->factor[KOSHU_CORE_VALUE][k] = p3 * of[KOSHU_CORE_VALUE];
        c->factor[KOSHU_CORE_SLOPE][k] = p3 * p * p * of[KOSHU_CORE_SLOPE];
    }
}

/* The core takes the place of 1 / r^3, which is 0 at distance 0. */
VECTOR_FN void
add_chunk_of_cores(const struct core_chunk *c, vector_f64 *sum)
{
    for (size_t k = 0; k < c->n; k += LANES_F64) {
        const vector_f64 u = inverse_root_f64(round_f64(c->r2 + k)), u2 = u * u,
                         u3 = u2 * u;
        const vector_f64 a = round_f64(c->factor[KOSHU_CORE_VALUE] + k) - u3;
        const vector_f64 b =
                -(round_f64(c->factor[KOSHU_CORE_SLOPE] + k) + 3 * u3 * u2) / 2;
        vortex_core_add_f64(sum, round_f64(c->d[0] + k), round_f64(c->d[1] + k),
                            round_f64(c->d[2] + k), a, b,
                            round_f64(c->alpha[0] + k),
                            round_f64(c->alpha[1] + k),
                            round_f64(c->alpha[2] + k), VORTEX_CORE_SUMS);
    }
}

static bool
cores_f64(const struct koshu_fmm_rows *rows, double *to)
{
    vector_f64 of_lanes[VORTEX_CORE_SUMS] = {{0}};
    double sum[VORTEX_CORE_SUMS];
    struct core_chunk c;
    c.row = c.tested = 0;
    while (next_chunk(rows, &c)) {
        interpolate_chunk(rows, &c);
        add_chunk_of_cores(&c, of_lanes);
    }
    for (int k = 0; k < VORTEX_CORE_SUMS; k++) sum[k] = total_f64(of_lanes[k]);
    vortex_core_give(sum, 1, 1, to);
    return true;
}

/* ---- Gaussians ---------------------------------------------------------- */

/* exp(-c) of c from 0 to 700, to 1e-14: 2^k times a series. */
VECTOR_FN vector_f64
gaussian_f64(vector_f64 c)
{
    static const double per_factorial[] = {1.0 / 39916800,
                                           1.0 / 3628800,
                                           1.0 / 362880,
                                           1.0 / 40320,
                                           1.0 / 5040,
                                           1.0 / 720,
                                           1.0 / 120,
                                           1.0 / 24,
                                           1.0 / 6,
                                           1.0 / 2,
                                           1,
                                           1};
    enum { N_FACTORS = sizeof per_factorial / sizeof per_factorial[0] };
    const double to_integer = 6755399441055744; /* 1.5 2^52: rounds a sum */
    const vector_f64 x = c * -1.44269504088896340736, k = x + to_integer,
                     y = (x - (k - to_integer)) * 0.69314718055994530942;
    vector_f64 p = every_f64(per_factorial[0]);
    for (int i = 1; i < N_FACTORS; i++) p = p * y + per_factorial[i];
    const mask_f64 exponent = (mask_f64)k - 0x4338000000000000 + 1023;
    return p * (vector_f64)(exponent << 52);
}

VECTOR_FN void
add_chunk_of_gaussians(const struct core_chunk *c, double per_s,
                       const double *g, vector_f64 *sum)
{
    for (size_t k = 0; k < c->n; k += LANES_F64) {
        const vector_f64 s = round_f64(c->r2 + k) * per_s;
        vector_f64 w = every_f64(g[VORTEX_GAUSSIAN_TERMS - 1]), along = {0};
        for (int i = VORTEX_GAUSSIAN_TERMS - 2; i >= 0; i--) w = w * s + g[i];
        w *= gaussian_f64(s);
        for (int a = 0; a < 3; a++) {
            const vector_f64 alpha = round_f64(c->alpha[a] + k);
            along += round_f64(c->d[a] + k) * alpha;
            sum[a] += w * alpha;
        }
        sum[KOSHU_GAUSSIAN_WEIGHT] += w;
        sum[KOSHU_GAUSSIAN_ALONG] += w * along;
    }
}

static void
gaussians_f64(const struct koshu_fmm_rows *rows, const double *g, double *sums)
{
    const double per_s = 1 / (2 * rows->core->radius * rows->core->radius);
    vector_f64 of_lanes[KOSHU_GAUSSIAN_SUMS] = {{0}};
    struct core_chunk c;
    c.row = c.tested = 0;
    while (next_chunk(rows, &c)) add_chunk_of_gaussians(&c, per_s, g, of_lanes);
    for (int k = 0; k < KOSHU_GAUSSIAN_SUMS; k++)
        sums[k] += total_f64(of_lanes[k]);
}
