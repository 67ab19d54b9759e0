/* SPDX-License-Identifier: MIT */
/*
 * The kernels of interaction lists of one instruction set: compiled once for
 * each, by a file walk_kernels_*.c with its own compiler options, after
 * defining
 *
 *     #define ISA_WALK   the name of the function that returns a kernel
 *
 * The lanes of a vector are particles or cells of the list, so that a group of
 * any size runs at full speed: WIDTH i-particles at a time share the loads. The
 * list is read in tiles that stay in the first-level cache; the sums of a tile
 * are added in double precision.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "backend/simd/vector.h"
#include "backend/simd/variants.h"
#include "kernels/kernels.h"

/* i-particles that share each load, limited by the number of registers. */
#if defined(__AVX512F__) || defined(__aarch64__)
enum { WIDTH = 2 };
#else
enum { WIDTH = 1 };
#endif

/* Elements per tile, and i-particles whose sums are kept on the stack. */
enum { TILE_J = 1024, TILE_CELLS = 512, MAX_I = 256 };

/* Compile-time variants of a kernel. */
struct variant {
    enum root root;
    bool potential;
    bool zero_safe; /* r may be zero */
    bool split;     /* positions have low parts */
};

#include "backend/simd/real_f32.h"
#include "backend/simd/gravity_pair.h"
#include "kernels/quadrupole.h"
#include "backend/simd/real_end.h"

struct position {
    vector_f32 x, y, z, x_low, y_low, z_low;
};

/* An i-particle, in every lane. */
struct target {
    struct position at;
    vector_f32 eps2;
    vector_f32 mr_coincident; /* mr / m of a pair at zero distance */
};

/* Lane sums over particles, still to be scaled, and over cells. */
struct sums {
    struct lane_sums particles, cells;
};

/* ---- loads --------------------------------------------------------------- */

VECTOR_FN vector_f32
load(const float *from)
{
    vector_f32 x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}

/* Loads n numbers; the other lanes repeat the last one. */
VECTOR_FN vector_f32
load_some(const float *from, size_t n)
{
    vector_f32 x;
    for (size_t k = 0; k < LANES_F32; k++) x[k] = from[k < n ? k : n - 1];
    return x;
}

/* Loads n numbers; the other lanes are zero. */
VECTOR_FN vector_f32
load_masses(const float *from, size_t n)
{
    vector_f32 x = {0};
    for (size_t k = 0; k < n; k++) x[k] = from[k];
    return x;
}

/* Loads n <= LANES_F32 positions from `first` on. */
VECTOR_FN struct position
load_points(const float *const *row, size_t first, size_t n,
            const struct variant v)
{
    bool all = n == LANES_F32;
#define LOAD(r) all ? load(row[r] + first) : load_some(row[r] + first, n)
    struct position at = {.x = LOAD(0), .y = LOAD(1), .z = LOAD(2)};
    if (v.split) {
        at.x_low = LOAD(4);
        at.y_low = LOAD(5);
        at.z_low = LOAD(6);
    }
#undef LOAD
    return at;
}

VECTOR_FN struct target
load_target(const struct simd_walk *w, size_t i, double scale,
            const struct variant v)
{
    const float eps2 = w->i[3][i];
    struct target t = {.at = {.x = every_f32(w->i[0][i]),
                              .y = every_f32(w->i[1][i]),
                              .z = every_f32(w->i[2][i])},
                       .eps2 = every_f32(eps2)};
    if (v.split) {
        t.at.x_low = every_f32(w->i[4][i]);
        t.at.y_low = every_f32(w->i[5][i]);
        t.at.z_low = every_f32(w->i[6][i]);
    }
    if (v.zero_safe && eps2 > 0)
        t.mr_coincident = every_f32((float)(1 / (sqrt((double)eps2) * scale)));
    return t;
}

/* ---- particles ----------------------------------------------------------- */

VECTOR_FN struct point_f32
difference(const struct position *j, const struct position *i,
           const struct variant v)
{
    if (!v.split)
        return (struct point_f32){
                .x = j->x - i->x, .y = j->y - i->y, .z = j->z - i->z};
    return (struct point_f32){
            .x = gravity_difference_f32(j->x, j->x_low, i->x, i->x_low),
            .y = gravity_difference_f32(j->y, j->y_low, i->y, i->y_low),
            .z = gravity_difference_f32(j->z, j->z_low, i->z, i->z_low)};
}

/* Adds particles first ... first + n - 1 of the list, n <= LANES_F32, to the
 * sums of `width` i-particles; self: each one's own lane, or a number beyond
 * the vector. */
VECTOR_FN void
add_particles(struct gravity_sum_f32 *s, const struct simd_walk *w,
              const struct target *i, const int width, size_t first, size_t n,
              const size_t *self, const struct variant v)
{
    struct position at = load_points(w->j, first, n, v);
    vector_f32 mass = n == LANES_F32 ? load(w->j[3] + first)
                                     : load_masses(w->j[3] + first, n);
#pragma GCC unroll 2
    for (int k = 0; k < width; k++) {
        mask_f32 kept = (mask_f32){0} - 1;
        if (self && self[k] - first < LANES_F32) kept[self[k] - first] = 0;
        gravity_pair_f32(&s[k], difference(&at, &i[k].at, v), mass,
                         self ? &kept : NULL, i[k].eps2, i[k].mr_coincident, v);
    }
}

/* Are any of the i-particles among the LANES_F32 particles from `first` on? */
VECTOR_FN bool
holds(size_t first, const size_t *self, const int width)
{
    bool one = false;
    for (int k = 0; k < width; k++) one |= self[k] - first < LANES_F32;
    return one;
}

/* Adds particles first ... last - 1 of the list to the sums of `width`
 * i-particles from i on. */
VECTOR_FN void
add_j_tile(struct sums *sum, const struct simd_walk *w, size_t i,
           const int width, size_t first, size_t last, double scale,
           const struct variant v)
{
    struct gravity_sum_f32 s[WIDTH] = {0};
    struct target t[WIDTH];
    size_t self[WIDTH], j = first;
    for (int k = 0; k < width; k++) {
        t[k] = load_target(w, i + (size_t)k, scale, v);
        self[k] = i + (size_t)k;
    }
    if (w->own && i < last && i + (size_t)width > first) {
        for (; j + LANES_F32 <= last && !holds(j, self, width); j += LANES_F32)
            add_particles(s, w, t, width, j, LANES_F32, NULL, v);
        for (; j + LANES_F32 <= last && holds(j, self, width); j += LANES_F32)
            add_particles(s, w, t, width, j, LANES_F32, self, v);
    }
    for (; j + LANES_F32 <= last; j += LANES_F32)
        add_particles(s, w, t, width, j, LANES_F32, NULL, v);
    if (j < last)
        add_particles(s, w, t, width, j, last - j, w->own ? self : NULL, v);
    for (int k = 0; k < width; k++) add_sums_f32(&sum[k].particles, &s[k], v);
}

/* ---- cells --------------------------------------------------------------- */

struct cells {
    struct position at;
    struct quadrupole_cell_f32 of;
};

/* Loads n <= LANES_F32 cells; the other lanes have no mass and no moments. */
VECTOR_FN struct cells
load_cells(const float *const *row, size_t first, size_t n)
{
    bool all = n == LANES_F32;
#define LOAD(r) all ? load(row[r] + first) : load_some(row[r] + first, n)
#define MASS(r) all ? load(row[r] + first) : load_masses(row[r] + first, n)
    struct cells cells = {
            .at = {.x = LOAD(0), .y = LOAD(1), .z = LOAD(2)},
            .of = {.mass = MASS(3),
                   .xx = MASS(4),
                   .xy = MASS(5),
                   .xz = MASS(6),
                   .yy = MASS(7),
                   .yz = MASS(8),
                   .zz = MASS(9),
                   .half_trace = MASS(10)},
    };
#undef LOAD
#undef MASS
    return cells;
}

VECTOR_FN vector_f32
root_of_cells(vector_f32 r2, vector_f32 y, const enum root root)
{
    if (root == ROOT_BARE) return y;
    if (root == ROOT_CUBED || root == ROOT_NEWTON)
        return 0.5f * rsqrt_newton_twice_f32(r2, y);
    return root_refine_f32(r2, y, root);
}

/* Adds cells first ... first + n - 1 to the sums of `width` i-particles. */
VECTOR_FN void
add_cells(struct gravity_sum_f32 *s, const float *const *row,
          const struct target *i, const int width, size_t first, size_t n,
          const struct variant v)
{
    const struct cells cells = load_cells(row, first, n);
#pragma GCC unroll 2
    for (int k = 0; k < width; k++) {
        struct variant whole = {v.root, v.potential, v.zero_safe, false};
        struct point_f32 d = difference(&cells.at, &i[k].at, whole);
        vector_f32 r2 = gravity_r2_f32(d.x, d.y, d.z, i[k].eps2);
        vector_f32 y = root_begin_f32(r2, v.root);
        if (v.zero_safe) y = keep_f32(y, r2 != 0);
        quadrupole_add_f32(&s[k], d.x, d.y, d.z, &cells.of,
                           root_of_cells(r2, y, v.root));
    }
}

VECTOR_FN void
add_cell_tile(struct sums *sum, const struct simd_walk *w, size_t i,
              const int width, size_t first, size_t last,
              const struct variant v)
{
    struct gravity_sum_f32 s[WIDTH] = {0};
    struct target t[WIDTH];
    size_t c = first;
    for (int k = 0; k < width; k++) t[k] = load_target(w, i + (size_t)k, 1, v);
    for (; c + LANES_F32 <= last; c += LANES_F32)
        add_cells(s, w->cell, t, width, c, LANES_F32, v);
    if (c < last) add_cells(s, w->cell, t, width, c, last - c, v);
    for (int k = 0; k < width; k++) add_sums_f32(&sum[k].cells, &s[k], v);
}

/* ---- a walk -------------------------------------------------------------- */

static void
store(double *const *to, size_t first, const struct sums *sum, size_t n,
      struct scale scale)
{
    for (size_t k = 0; k < n; k++) {
        const struct lane_sums *p = &sum[k].particles, *c = &sum[k].cells;
        for (int d = 0; d < 3; d++)
            to[d][first + k] = total(p->of[d]) * scale.a + total(c->of[d]);
        if (to[3])
            to[3][first + k] = -(total(p->of[3]) * scale.mr + total(c->of[3]));
    }
}

/* Does i-particles first ... first + n - 1, n <= MAX_I. */
VECTOR_FN void
do_part(const struct simd_walk *w, size_t first, size_t n,
        const struct variant v)
{
    struct sums sum[MAX_I];
    const struct scale scale = scale_of(v.root);
    memset(sum, 0, n * sizeof sum[0]);
    for (size_t j = 0; j < w->n_j; j += TILE_J) {
        size_t last = w->n_j - j < TILE_J ? w->n_j : j + TILE_J, i = 0;
        for (; i + WIDTH <= n; i += WIDTH)
            add_j_tile(&sum[i], w, first + i, WIDTH, j, last, scale.mr, v);
        for (; i < n; i++)
            add_j_tile(&sum[i], w, first + i, 1, j, last, scale.mr, v);
    }
    for (size_t c = 0; c < w->n_cells; c += TILE_CELLS) {
        size_t last = w->n_cells - c < TILE_CELLS ? w->n_cells : c + TILE_CELLS;
        size_t i = 0;
        for (; i + WIDTH <= n; i += WIDTH)
            add_cell_tile(&sum[i], w, first + i, WIDTH, c, last, v);
        for (; i < n; i++) add_cell_tile(&sum[i], w, first + i, 1, c, last, v);
    }
    store(w->result, first, sum, n, scale);
}

VECTOR_FN void
do_walk(const struct simd_walk *w, const struct variant v)
{
    for (size_t i = 0; i < w->n_i; i += MAX_I)
        do_part(w, i, w->n_i - i < MAX_I ? w->n_i - i : MAX_I, v);
}

/* ---- one function for each variant --------------------------------------- */

KERNELS(do_walk, struct simd_walk, single, ROOT_SINGLE, ROOT_SINGLE_A, false)
KERNELS(do_walk, struct simd_walk, fast, ROOT_FAST, ROOT_FAST, false)
KERNELS(do_walk, struct simd_walk, split, ROOT_SINGLE, ROOT_SINGLE_A, true)
KERNELS(do_walk, struct simd_walk, fast_split, ROOT_FAST, ROOT_FAST, true)

simd_walk_kernel *
ISA_WALK(const struct koshu_walk_task *task)
{
    static simd_walk_kernel *const kernels[2][2][2][2] = {
            {CHOICE(single), CHOICE(fast)},
            {CHOICE(split), CHOICE(fast_split)}};
    return kernels[task->split][task->fast][task->potential]
                  [task->eps < SIMD_GUARD_F32];
}
