/* SPDX-License-Identifier: MIT */
/* Interaction lists with particles and cells, against the definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "subject.h"
#include "system.h"

/* The struct owns its arrays, but not the results. */
struct lists {
    size_t n_walks;
    struct koshu_walks of;
    bool split, own;
};

static float *
numbers(size_t n, double low, double high, uint64_t *state)
{
    float *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    for (size_t k = 0; k < n; k++)
        x[k] = (float)(low + (high - low) * uniform(state));
    return x;
}

static void
fill_points(float *to[7], size_t n, uint64_t *state)
{
    for (int c = 0; c < 3; c++) to[c] = numbers(n, -1, 1, state);
    to[3] = numbers(n, 0, 2.0 / (double)(n + 1), state);
    for (int c = 4; c < 7; c++) to[c] = numbers(n, -3e-8, 3e-8, state);
}

/* Cells at a distance of about 3, with moments of order 1. */
static void
fill_cells(struct lists *l, size_t n, uint64_t *state)
{
    for (int c = 0; c < 3; c++) {
        l->of.cell[c] = numbers(n, 2, 4, state);
        for (size_t k = 0; k < n; k++)
            if (k % 2) l->of.cell[c][k] *= -1;
    }
    l->of.cell[3] = numbers(n, 0, 2.0 / (double)(n + 1), state);
    for (int c = 4; c < 11; c++)
        l->of.cell[c] = numbers(n, -1.0 / (double)(n + 1),
                                1.0 / (double)(n + 1), state);
}

static size_t *
offsets(size_t n_walks, const size_t *size)
{
    size_t *offset = calloc(n_walks + 1, sizeof *offset);
    assert_non_null(offset);
    for (size_t w = 0; w < n_walks; w++) offset[w + 1] = offset[w] + size[w];
    return offset;
}

static struct lists
lists_make(size_t n_walks, const size_t *n_i, const size_t *n_j,
           const size_t *n_cells, double eps, bool split)
{
    struct lists l = {.n_walks = n_walks, .split = split};
    uint64_t state = 5;
    l.of.i_offset = offsets(n_walks, n_i);
    l.of.j_offset = offsets(n_walks, n_j);
    l.of.cell_offset = offsets(n_walks, n_cells);
    fill_points(l.of.i, l.of.i_offset[n_walks], &state);
    fill_points(l.of.j, l.of.j_offset[n_walks], &state);
    fill_cells(&l, l.of.cell_offset[n_walks], &state);
    for (size_t k = 0; k < l.of.i_offset[n_walks]; k++)
        l.of.i[3][k] = (float)(eps * eps * (k % 3 == 1 ? 4 : 1));
    return l;
}

/* Makes the first j-particles of each walk its i-particles. */
static void
lists_own(struct lists *l)
{
    l->own = true;
    for (size_t w = 0; w < l->n_walks; w++)
        for (size_t k = 0; k < l->of.i_offset[w + 1] - l->of.i_offset[w]; k++)
            for (int c = 0; c < 7; c++)
                if (c != 3)
                    l->of.j[c][l->of.j_offset[w] + k] =
                            l->of.i[c][l->of.i_offset[w] + k];
}

static void
lists_free(struct lists *l)
{
    free(l->of.i_offset);
    free(l->of.j_offset);
    free(l->of.cell_offset);
    for (int k = 0; k < 7; k++) free(l->of.i[k]);
    for (int k = 0; k < 7; k++) free(l->of.j[k]);
    for (int k = 0; k < 11; k++) free(l->of.cell[k]);
}

/* ---- the definition ------------------------------------------------------ */

struct sum {
    long double a[3], pot, scale_a, scale_pot;
};

/* Computes d and 1/r; false: the distance is zero. */
static bool
separation(const struct lists *l, float *const from[7], size_t k, size_t i,
           bool lows, long double d[3], long double *rinv)
{
    long double r2 = (long double)l->of.i[3][i];
    for (int c = 0; c < 3; c++) {
        d[c] = (long double)from[c][k] - (long double)l->of.i[c][i];
        if (l->split) d[c] -= (long double)l->of.i[4 + c][i];
        if (lows) d[c] += (long double)from[4 + c][k];
        r2 += d[c] * d[c];
    }
    *rinv = r2 > 0 ? 1 / sqrtl(r2) : 0;
    return r2 > 0;
}

static void
add_particle(struct sum *s, long double m, const long double d[3],
             long double rinv)
{
    for (int c = 0; c < 3; c++) {
        s->a[c] += m * d[c] * rinv * rinv * rinv;
        s->scale_a += fabsl(m * d[c] * rinv * rinv * rinv);
    }
    s->pot -= m * rinv;
    s->scale_pot += m * rinv;
}

/* The formula of kernels/quadrupole.h, written without unit vectors. */
static void
add_cell(struct sum *s, const struct lists *l, size_t k, const long double d[3],
         long double rinv)
{
    const long double m = l->of.cell[3][k], h = l->of.cell[10][k];
    const long double K[3][3] = {
            {l->of.cell[4][k], l->of.cell[5][k], l->of.cell[6][k]},
            {l->of.cell[5][k], l->of.cell[7][k], l->of.cell[8][k]},
            {l->of.cell[6][k], l->of.cell[8][k], l->of.cell[9][k]}};
    long double q[3], dq = 0, size = 0;
    for (int c = 0; c < 3; c++) {
        q[c] = K[c][0] * d[0] + K[c][1] * d[1] + K[c][2] * d[2];
        dq += d[c] * q[c];
        for (int b = 0; b < 3; b++) size += fabsl(K[c][b]);
    }
    const long double r2 = rinv * rinv, r3 = r2 * rinv, r5 = r3 * r2,
                      r7 = r5 * r2;
    for (int c = 0; c < 3; c++)
        s->a[c] += d[c] * (m * r3 + 2.5L * dq * r7 - h * r5) - q[c] * r5;
    s->pot -= m * rinv + 0.5L * dq * r5 - h / 3 * r3;
    s->scale_a += m * rinv * rinv + 4 * size * rinv * rinv * rinv * rinv;
    s->scale_pot += m * rinv + size * r3;
}

static struct sum
definition(const struct lists *l, size_t w, size_t i)
{
    struct sum s = {0};
    long double d[3], rinv;
    for (size_t j = l->of.j_offset[w]; j < l->of.j_offset[w + 1]; j++) {
        bool self = l->own && j - l->of.j_offset[w] == i - l->of.i_offset[w];
        if (!self && separation(l, l->of.j, j, i, l->split, d, &rinv))
            add_particle(&s, (long double)l->of.j[3][j], d, rinv);
    }
    for (size_t c = l->of.cell_offset[w]; c < l->of.cell_offset[w + 1]; c++)
        if (separation(l, l->of.cell, c, i, false, d, &rinv))
            add_cell(&s, l, c, d, rinv);
    return s;
}

/* ---- comparison ---------------------------------------------------------- */

static const struct koshu_backend_ops *
ops_of(struct koshu_backend **backend)
{
    assert_ok(subject_context(), koshu_backend_of(subject_context(), backend));
    return (*backend)->ops;
}

static void
poison(double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) x[k] = NAN;
}

static void
compute(const struct lists *l, const struct koshu_walk_task *task,
        double *const result[4])
{
    struct koshu_backend *backend;
    const struct koshu_backend_ops *ops = ops_of(&backend);
    if (!ops->walks) fail_msg("backend %s has lost its walks", ops->name);
    const size_t n = l->of.i_offset[l->n_walks];
    for (int c = 0; c < 4; c++) poison(result[c], n);
    struct koshu_walks walks = l->of;
    for (int c = 0; c < 4; c++) walks.result[c] = result[c];
    assert_ok(subject_context(), ops->walks(backend, task, l->n_walks, &walks));
}

/* Sums by definition for every i-particle; the caller frees them. */
static struct sum *
define(const struct lists *l)
{
    struct sum *s = calloc(l->of.i_offset[l->n_walks] + 1, sizeof *s);
    assert_non_null(s);
    for (size_t w = 0; w < l->n_walks; w++)
        for (size_t i = l->of.i_offset[w]; i < l->of.i_offset[w + 1]; i++)
            s[i] = definition(l, w, i);
    return s;
}

/* Number of particles whose forces are off by more than the tolerance. */
static size_t
wrong(const struct sum *expected, size_t n, double *const result[4],
      bool potential, double tolerance)
{
    size_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sum s = expected[i];
        long double off = 0;
        for (int c = 0; c < 3; c++)
            off += fabsl((long double)result[c][i] - s.a[c]);
        bool good = off <= tolerance * s.scale_a;
        long double off_pot = fabsl((long double)result[3][i] - s.pot);
        good = good && (potential ? off_pot <= tolerance * s.scale_pot
                                  : isnan(result[3][i]));
        if (!good && bad++ == 0)
            print_error("i %zu: %g %g %g %g, expected %Lg %Lg %Lg %Lg\n", i,
                        result[0][i], result[1][i], result[2][i], result[3][i],
                        s.a[0], s.a[1], s.a[2], s.pot);
    }
    return bad;
}

/* As variants[] in subject.c, plus the rounding of the cells to float. ref sums
 * in double, cells too. */
static double
tolerance_of(bool fast)
{
    return variants[subject_is("ref") ? 2 : fast ? 3 : 0].tolerance;
}

static void
assert_right(const struct lists *l, double eps)
{
    const size_t n = l->of.i_offset[l->n_walks];
    struct sum *expected = define(l);
    double *result[4];
    for (int c = 0; c < 4; c++) {
        result[c] = calloc(n + 1, sizeof(double));
        assert_non_null(result[c]);
    }
    for (int fast = 0; fast < 2; fast++)
        for (int potential = 0; potential < 2; potential++) {
            const struct koshu_walk_task task = {.eps = eps,
                                                 .potential = potential,
                                                 .fast = fast,
                                                 .split = l->split,
                                                 .own = l->own};
            compute(l, &task, result);
            assert_int_equal(
                    wrong(expected, n, result, potential, tolerance_of(fast)),
                    0);
        }
    for (int c = 0; c < 4; c++) free(result[c]);
    free(expected);
}

/* ---- tests --------------------------------------------------------------- */

enum { N_WALKS = 40 };

/* Sizes on both sides of every vector and tile length. */
static struct lists
many(double eps, bool split)
{
    size_t n_i[N_WALKS], n_j[N_WALKS], n_cells[N_WALKS];
    uint64_t state = 9;
    for (size_t w = 0; w < N_WALKS; w++) {
        n_i[w] = w % 9 == 5 ? 0 : w % 40;
        n_cells[w] = w % 7 == 2 ? 0 : (size_t)(200 * uniform(&state));
        n_j[w] = n_i[w] + (w % 5 == 3 ? 0 : (size_t)(300 * uniform(&state)));
    }
    n_i[N_WALKS - 1] = 5;
    n_j[N_WALKS - 1] = 2500;
    n_cells[N_WALKS - 1] = 1100;
    n_i[N_WALKS - 2] = 300;
    n_j[N_WALKS - 2] = 310;
    return lists_make(N_WALKS, n_i, n_j, n_cells, eps, split);
}

static void
every_walk_has_its_own_list(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        double eps = k & 1 ? 0.05 : 0;
        struct lists l = many(eps, k & 2);
        if (k & 4) lists_own(&l);
        assert_right(&l, eps);
        lists_free(&l);
    }
}

/* Pairs at zero distance: nothing without softening, a potential with it. */
static void
pairs_at_no_distance(void **state)
{
    (void)state;
    static const size_t n_i[] = {3, 20}, n_j[] = {5, 70}, n_cells[] = {1, 20};
    for (int k = 0; k < 6; k++) {
        const double all_eps[] = {0, 1e-14, 0.1};
        struct lists l =
                lists_make(2, n_i, n_j, n_cells, all_eps[k / 2], k % 2);
        lists_own(&l);
        for (int c = 0; c < 3; c++) {
            l.of.j[c][4] = l.of.j[c][5 + 65] = l.of.j[c][5 + 33] = l.of.i[c][1];
            l.of.j[4 + c][4] = l.of.j[4 + c][5 + 65] = l.of.j[4 + c][5 + 33] =
                    l.of.i[4 + c][1];
            l.of.i[c][3 + 7] = l.of.j[c][5 + 7] = l.of.i[c][1];
            l.of.i[4 + c][3 + 7] = l.of.j[4 + c][5 + 7] = l.of.i[4 + c][1];
        }
        assert_right(&l, all_eps[k / 2]);
        lists_free(&l);
    }
}

static void
no_walks_and_empty_lists(void **state)
{
    (void)state;
    static const size_t none[] = {0, 0}, some[] = {3, 2};
    struct lists l = lists_make(2, some, none, none, 0.1, false);
    assert_right(&l, 0.1);
    lists_free(&l);
    l = lists_make(2, none, some, some, 0.1, false);
    assert_right(&l, 0.1);
    lists_free(&l);
    l = lists_make(0, none, none, none, 0.1, false);
    assert_right(&l, 0.1);
    lists_free(&l);
}

static void
a_planted_error_is_noticed(void **state)
{
    (void)state;
    static const size_t n_i[] = {20}, n_j[] = {70}, n_cells[] = {30};
    struct lists l = lists_make(1, n_i, n_j, n_cells, 0.1, false);
    double sum[4][20], *const result[4] = {sum[0], sum[1], sum[2], sum[3]};
    const struct koshu_walk_task task = {.eps = 0.1, .potential = true};
    compute(&l, &task, result);
    struct sum *expected = define(&l);
    assert_int_equal(wrong(expected, 20, result, true, 1e-6), 0);
    free(expected);
    l.of.cell[8][3] += l.of.cell[3][3];
    expected = define(&l);
    assert_true(wrong(expected, 20, result, true, 1e-6) > 0);
    free(expected);
    lists_free(&l);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_walk_has_its_own_list),
        cmocka_unit_test(pairs_at_no_distance),
        cmocka_unit_test(no_walks_and_empty_lists),
        cmocka_unit_test(a_planted_error_is_noticed),
};

SUBJECT_MAIN(tests)
